"""The pages of people who take part: each handler reads its form, calls one use case and sends the browser on."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial
from hashlib import sha256
from urllib.parse import quote, urlencode

from markupsafe import escape
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from crito.model.access import HostedState
from crito.model.errors import Conflict, Forbidden, InvalidInput, NotFound, PartClosed, TooMany
from crito.model.ids import AnnotatorId, AssignmentId, Language
from crito.model.record import Identity
from crito.model.study import Study
from crito.services import access, dialogue, enrolment, hosting, item_debates, participation, showing
from crito.services.pages import (
    AboutYouPage,
    AnnotatePage,
    ConfirmPage,
    EndPage,
    InstructionsPage,
    Page,
    PausePage,
    ResolvePage,
    SurveyPage,
    TalkPage,
)
from crito.web.desk import (
    SESSION,
    SESSION_S,
    VISIT,
    VISIT_S,
    Desk,
    absolute,
    base_path,
    csrf_of,
    go,
    new_secret,
    number_of,
    require,
    require_csrf,
    root_path,
    set_cookie,
    study_name,
)
from crito.web.entry import Arrival, parse_arrival
from crito.web.rendering import Notice
from crito.web.words import negotiated, own_name

LINK, LINK_S = "crito_link", 600
TIMES = ("ms_first_input", "ms_submit")
MAX_FORM_NAME = 200
DEBATE_LOOKED_AT_EVERY_S = 20
"""How long a request waits for a debate that is being written; then the page comes again, and asks again."""

FREE_WORDS = ("message", "rationale")

TEMPLATES: Mapping[type, str] = {
    InstructionsPage: "instructions",
    AnnotatePage: "annotate",
    ResolvePage: "resolve",
    ConfirmPage: "confirm",
    TalkPage: "talk",
    PausePage: "pause",
    SurveyPage: "survey",
    AboutYouPage: "about_you",
    EndPage: "end",
}

Fields = Mapping[str, str]
Act = Callable[[AnnotatorId, Fields], Awaitable[object]]


def routes(desk: Desk) -> list[Route]:
    """Every address below `/s/{study}`."""
    parts = desk.parts

    def look(path: str, handler: Callable[[Desk, Request], Awaitable[Response]]) -> Route:
        return Route(f"/s/{{study}}/{path}", partial(handler, desk), methods=["GET"])

    def send(path: str, handler: Callable[[Desk, Request], Awaitable[Response]]) -> Route:
        return Route(f"/s/{{study}}/{path}", partial(handler, desk), methods=["POST"])

    def form(path: str, act: Act) -> Route:
        return Route(f"/s/{{study}}/{path}", partial(_submit, desk, act), methods=["POST"])

    return [
        Route("/s/{study}", _with_slash, methods=["GET"]),
        look("", _show),
        look("correct/{assignment}", _correct),
        look("left", _left),
        look("withdraw", _ask_to_withdraw),
        look("stop", _ask_to_stop),
        look("r/{token}", _return),
        send("consent", _consent),
        send("message", _message),
        send("reply", _reply),
        send("debate", _debate),
        send("draft", _draft),
        send("leave", _leave),
        form("instructions", lambda who, _: participation.read_instructions(parts, who)),
        form("annotate", lambda who, sent: participation.annotate(parts, who, *_labelling(sent))),
        form("confirm", lambda who, _: participation.confirm(parts, who)),
        form("pause", lambda who, sent: participation.end_pause(parts, who, _assignment(sent))),
        form("read", lambda who, sent: participation.finish_reading(parts, who, _assignment(sent))),
        form("continue", lambda who, sent: participation.finish_talk(parts, who, _assignment(sent))),
        form("reannotate", lambda who, sent: participation.reannotate(parts, who, *_labelling(sent))),
        form("resolve", lambda who, sent: participation.resolve(parts, who, *_labelling(sent))),
        form("about-you", lambda who, sent: participation.answer_about_you(parts, who, _answers(sent))),
        form("survey", lambda who, sent: participation.answer_survey(parts, who, _answers(sent))),
        form("stop", lambda who, _: participation.stop(parts, who)),
        form("withdraw", lambda who, _: participation.withdraw(parts, who)),
    ]


async def _with_slash(request: Request) -> Response:
    return go(request, base_path(request) + (f"?{request.url.query}" if request.url.query else ""))


async def _show(desk: Desk, request: Request) -> Response:
    """Where the person is; for newcomers the consent, and for those who come by their link again a clean address."""
    if SESSION in request.cookies and not request.query_params:
        # What is asked for most: one look at the record.
        page = await showing.page_at_once(desk.parts, study_name(request), request.cookies[SESSION])
        if page is not None:
            return _draw(desk, request, page)
    arrival = parse_arrival(request.query_params)
    who = await desk.visitor(request)
    if arrival.preview or (who is None and not arrival.identity):
        return await _consent_page(desk, request, arrival)
    if arrival.identity:
        known = await enrolment.find(desk.parts, study_name(request), arrival.identity)
        if known is None or await hosting.state(desk.parts, study_name(request)) == "archived":
            return await _consent_page(desk, request, arrival)
        return await _signed_in(desk, request, known) if known != who else go(request, base_path(request))
    assert who is not None
    if await enrolment.is_expert(desk.parts, who):
        return go(request, base_path(request) + "expert")
    if request.query_params:
        return go(request, base_path(request))
    return _draw(desk, request, await showing.page(desk.parts, who))


async def _consent_page(desk: Desk, request: Request, arrival: Arrival) -> Response:
    study = await desk.study(request)
    if not study.conditions:
        raise NotFound("nobody takes part in this study: models debate or label in it")
    if study.open_to == "experts" and not arrival.preview:
        raise Forbidden("this study is open to invited experts only; they come in by a link of their own")
    language = _language(request, study, request.query_params.get("lang", ""))
    state = await hosting.state(desk.parts, study.name)
    if state != "open":
        return _closed_page(desk, request, study, language, state)
    visit = request.cookies.get(VISIT) or new_secret()
    response = desk.page(
        request,
        "consent",
        language,
        base=base_path(request),
        csrf=csrf_of(visit),
        study_title=study.title.in_language(language),
        consent=study.consent,
        chosen=language,
        release=study.release,
        talks=any(condition.has("discuss") for condition in study.conditions),
        link=arrival.link,
        preview=arrival.preview,
        no_link=study.completion.provider != "none" and not arrival.link,
        contact=study.contact,
        languages=[
            (tag, own_name(tag), "?" + urlencode({**arrival.link, "lang": tag})) for tag in study.languages
        ],
    )  # fmt: skip
    set_cookie(response, request, VISIT, visit, VISIT_S)
    return response


def _closed_page(desk: Desk, request: Request, study: Study, language: Language, state: HostedState) -> Response:
    """What somebody new meets in a study that takes nobody now."""
    return desk.page(
        request, "closed", language, base=base_path(request), study_title=study.title.in_language(language),
        state=state, contact=study.contact,
    )  # fmt: skip


async def _consent(desk: Desk, request: Request) -> Response:
    """Consent given or refused. Who comes without a platform is known by this browser's own mark, so that a double click is one person."""
    fields = await desk.form(request)
    require_csrf(request, VISIT, fields)
    arrival = parse_arrival(fields)
    answer = fields.get("consent")
    if arrival.preview or answer not in ("yes", "no"):
        raise InvalidInput("consent is given or refused", came=answer, wanted="yes or no", key="consent")
    study = await desk.study(request)
    if not study.conditions:
        raise NotFound("nobody takes part in this study: models debate or label in it")
    language, state = _language(request, study, fields.get("lang", "")), await hosting.state(desk.parts, study.name)
    if state != "open":
        return _closed_page(desk, request, study, language, state)
    identity = arrival.identity or Identity("anonymous", sha256(request.cookies[VISIT].encode()).hexdigest())
    decide = enrolment.enrol if answer == "yes" else enrolment.decline
    who = await decide(desk.parts, study.name, identity, language)
    return await _signed_in(desk, request, who)


async def _signed_in(desk: Desk, request: Request, who: AnnotatorId) -> Response:
    response = go(request, base_path(request))
    set_cookie(response, request, SESSION, await access.sign_in(desk.parts, who), SESSION_S)
    return response


async def _return(desk: Desk, request: Request) -> Response:
    """The personal link of someone who left."""
    token = request.path_params["token"]
    require(await access.signed_in(desk.parts, study_name(request), token), "this link stands for nobody")
    response = go(request, base_path(request))
    set_cookie(response, request, SESSION, token, SESSION_S)
    return response


async def _correct(desk: Desk, request: Request) -> Response:
    """The form of a label that may still be changed."""
    who = await desk.visitor(request)
    if who is None:
        return go(request, base_path(request))
    return _draw(desk, request, await showing.page(desk.parts, who, AssignmentId(request.path_params["assignment"])))


async def _submit(desk: Desk, act: Act, request: Request) -> Response:
    """One form: whatever comes of it, the browser is sent to where the person is now, and nothing typed is lost."""
    fields = await desk.form(request)
    who = await _sender(desk, request, fields)
    if who is None:
        return await _signed_out(desk, request, fields)
    await _note_pastes(desk, who, fields)
    return go(request, base_path(request), await _attempt(desk, who, fields, act(who, fields)))


async def _note_pastes(desk: Desk, who: AnnotatorId, fields: Fields) -> None:
    """Keep what the browser counted of pasting; forms into which nothing was pasted do not say so."""
    times = number_of(fields.get("paste_times", ""))
    if times:
        characters = number_of(fields.get("paste_characters", ""))
        await participation.note_pastes(desk.parts, who, fields.get("form_name", ""), times, characters)


async def _attempt(desk: Desk, who: AnnotatorId, fields: Fields, verb: Awaitable[object]) -> Notice | None:
    """Await the use case; what it refuses becomes a notice, and the form becomes a draft."""
    try:
        await verb
    except (InvalidInput, TooMany, Conflict, PartClosed) as problem:
        answers = _answers(fields)
        # What is larger than any draft cannot be kept.
        with suppress(InvalidInput):
            if answers:
                await participation.save_draft(desk.parts, who, _draft_name(fields), answers)
        return notice_of(problem)
    return None


def notice_of(problem: InvalidInput | TooMany | Conflict | PartClosed) -> Notice:
    """What the next page says about a refused form."""
    match problem:
        case InvalidInput(key="message", came=came):
            return Notice("empty" if came is None else "long")
        case InvalidInput(key=key, came=came):
            return Notice("missing" if came is None else "unusable", key)
        case TooMany():
            return Notice("slow_down", number=problem.retry_after_s)
        case PartClosed():
            return Notice("closed")
        case _:
            return Notice("conflict")


async def _sender(desk: Desk, request: Request, fields: Fields) -> AnnotatorId | None:
    """Who sent the form; None when their session is over.

    Raises:
        Forbidden: the form did not come from a page of this browser.
    """
    if SESSION not in request.cookies:
        return None
    require_csrf(request, SESSION, fields)
    return await desk.visitor(request)


async def _signed_out(desk: Desk, request: Request, fields: Fields) -> Response:
    """The answer to a form of nobody we know: words in it are shown to be copied, since no draft of theirs can be kept."""
    typed = [value for name, value in _answers(fields).items() if name in FREE_WORDS or " " in value.strip()]
    if not any(words.strip() for words in typed):
        return go(request, base_path(request), Notice("signed_out"))
    study = await desk.study(request)
    language = _language(request, study, "")
    response = desk.page(
        request,
        "signed_out",
        language,
        base=base_path(request),
        study_title=study.title.in_language(language),
        typed=[words for words in typed if words.strip()],
    )
    if "hx-request" in request.headers:
        # In place of the whole page, which the script asked to have a line put into.
        response.headers.update({"HX-Retarget": "#main", "HX-Reswap": "outerHTML", "HX-Reselect": "#main"})
    return response


async def _message(desk: Desk, request: Request) -> Response:
    """A message to the partner. A script gets the line and a place for the reply; a plain form waits for the reply."""
    fields = await desk.form(request)
    who = await _sender(desk, request, fields)
    base = base_path(request)
    if who is None:
        return await _signed_out(desk, request, fields)
    await _note_pastes(desk, who, fields)
    sent = dialogue.send_message(desk.parts, who, fields.get("form_name", ""), fields.get("message", ""))
    notice = await _attempt(desk, who, fields, sent)
    if notice:
        return go(request, base, notice)
    if "hx-request" not in request.headers:
        await dialogue.settle(desk.parts, who, _assignment(fields))
        return go(request, f"{base}#said")
    page = await showing.page(desk.parts, who)
    if not isinstance(page, TalkPage) or not page.talk:
        return go(request, base)
    return Response(
        _fragment(desk, request, "sent", page), headers={"Cache-Control": "no-store"}, media_type="text/html"
    )


async def _reply(desk: Desk, request: Request) -> Response:
    """The partner's reply, sentence by sentence to a script, whole to a plain form."""
    fields = await desk.form(request)
    who = await _sender(desk, request, fields)
    base = base_path(request)
    if who is None:
        return go(request, base, Notice("signed_out"))
    page = await showing.page(desk.parts, who)
    if not isinstance(page, TalkPage) or page.assignment != _assignment(fields):
        return go(request, base)
    if "hx-request" not in request.headers:
        await dialogue.settle(desk.parts, who, page.assignment)
        return go(request, base)
    return StreamingResponse(
        _spoken(desk, request, who, page.assignment, number_of(fields.get("n_shown", ""))),
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        media_type="text/event-stream",
    )


async def _spoken(
    desk: Desk, request: Request, who: AnnotatorId, assignment: AssignmentId, n_shown: int
) -> AsyncIterator[str]:
    """The reply as server-sent events: its sentences as they come, or the lines after `n_shown` at once; then what they change."""
    spoken = ""
    async for sentence in dialogue.reply(desk.parts, who, assignment):
        spoken += f" {sentence}" if spoken else sentence
        yield _event(_sentence(sentence))
    page = await showing.page(desk.parts, who)
    if not isinstance(page, TalkPage) or page.assignment != assignment or page.talk is None:
        yield _event("", name="crito:moved")
        return
    whole = page.talk.lines[-1].text
    if spoken and whole.startswith(spoken):
        # The end of a turn is known to be its end only once all of it is recorded.
        yield _event(_sentence(whole.removeprefix(spoken).strip()) + _fragment(desk, request, "spoken", page))
    else:
        yield _event(_fragment(desk, request, "caught_up", page, n_shown=n_shown))


def _sentence(words: str) -> str:
    return f"<span>{escape(words)}</span> " if words else ""


def _event(text: str, name: str = "") -> str:
    lines = [f"event: {name}"] if name else []
    return "\n".join([*lines, *(f"data: {line}" for line in text.split("\n")), "", ""])


async def _debate(desk: Desk, request: Request) -> Response:
    """Have the debate written that the person waits for; the page is drawn again when it is there, or after a while."""
    fields = await desk.form(request)
    who = await _sender(desk, request, fields)
    if who is None:
        return await _signed_out(desk, request, fields)
    brought = asyncio.Event()
    desk.parts.in_background(_bring(desk, who, _assignment(fields), brought))
    with suppress(TimeoutError):
        await asyncio.wait_for(brought.wait(), DEBATE_LOOKED_AT_EVERY_S)
    return go(request, base_path(request))


async def _bring(desk: Desk, who: AnnotatorId, assignment: AssignmentId, brought: asyncio.Event) -> None:
    try:
        await item_debates.bring(desk.parts, who, assignment)
    finally:
        brought.set()


async def _draft(desk: Desk, request: Request) -> Response:
    """A form as far as it is filled in."""
    fields = await desk.form(request)
    who = await _sender(desk, request, fields)
    if who is not None:
        await participation.save_draft(desk.parts, who, _draft_name(fields), _answers(fields))
    return Response(status_code=204)


async def _leave(desk: Desk, request: Request) -> Response:
    """Keep what is typed, note that the person goes, and give them a link of their own to come back by."""
    fields = await desk.form(request)
    who = await _sender(desk, request, fields)
    if who is None:
        return await _signed_out(desk, request, fields)
    if fields.get("form_name"):
        await participation.save_draft(desk.parts, who, _draft_name(fields), _answers(fields))
    await participation.leave(desk.parts, who)
    left = base_path(request) + "left"
    response = go(request, left)
    set_cookie(response, request, LINK, await access.sign_in(desk.parts, who), LINK_S, path=left)
    return response


async def _left(desk: Desk, request: Request) -> Response:
    who = await desk.visitor(request)
    if who is None or LINK not in request.cookies:
        return go(request, base_path(request))
    study = await desk.study(request)
    page = await showing.page(desk.parts, who)
    return desk.page(
        request,
        "left",
        page.frame.language,
        base=base_path(request),
        study_title=page.frame.title.in_language(page.frame.language),
        return_link=absolute(request, f"{base_path(request)}r/{quote(request.cookies[LINK], safe='')}"),
        lease_minutes=study.lease_minutes,
    )


async def _ask_to_withdraw(desk: Desk, request: Request) -> Response:
    who = await desk.visitor(request)
    if who is None:
        return go(request, base_path(request))
    page = await showing.page(desk.parts, who)
    if isinstance(page, EndPage) and not page.may_withdraw:
        return go(request, base_path(request))
    return desk.page(
        request,
        "withdraw",
        page.frame.language,
        base=base_path(request),
        csrf=csrf_of(request.cookies[SESSION]),
        study_title=page.frame.title.in_language(page.frame.language),
    )


async def note_failure(desk: Desk, request: Request) -> bool:
    """Note for the person behind a request that it crashed; whether that is kept, and they may end the study for it."""
    if "study" not in request.path_params:
        return False
    try:
        who = await desk.visitor(request)
        if who is not None:
            await participation.note_failure(desk.parts, who)
    except Exception:
        return False
    return who is not None


async def _ask_to_stop(desk: Desk, request: Request) -> Response:
    who = await desk.visitor(request)
    if who is None or not await desk.parts.store.read(lambda tx: participation.may_stop(tx.person(who))):
        return go(request, base_path(request))
    study = await desk.study(request)
    language = _language(request, study, "")
    return desk.page(
        request,
        "stop",
        language,
        base=base_path(request),
        csrf=csrf_of(request.cookies[SESSION]),
        study_title=study.title.in_language(language),
    )


def _draw(desk: Desk, request: Request, page: Page) -> Response:
    language = page.frame.language
    return desk.page(
        request,
        TEMPLATES[type(page)],
        language,
        page=page,
        base=base_path(request),
        csrf=csrf_of(request.cookies[SESSION]),
        study_title=page.frame.title.in_language(language),
    )


def _fragment(desk: Desk, request: Request, name: str, page: TalkPage, n_shown: int = 0) -> str:
    assert page.talk is not None
    return desk.pages.render(
        f"fragments/{name}",
        page.frame.language,
        root_path(request),
        page=page,
        base=base_path(request),
        csrf=csrf_of(request.cookies[SESSION]),
        messages_left=page.talk.messages_left,
        n_shown=n_shown,
        oob=True,
    )


def _language(request: Request, study: Study, asked: str) -> Language:
    return negotiated(study.languages, asked, request.headers.get("accept-language", ""))


def _assignment(fields: Fields) -> AssignmentId:
    return AssignmentId(fields.get("assignment", ""))


def _labelling(fields: Fields) -> tuple[str, Fields, Mapping[str, int]]:
    """The form's name, its answers, and the browser's own times where they are times."""
    times = {name.removeprefix("ms_"): number_of(value) for name, value in fields.items() if name in TIMES and value}
    return fields.get("form_name", ""), _answers(fields), times


def _answers(fields: Fields) -> Fields:
    """What the person answered, without what the page itself put into the form."""
    return {
        name: value for name, value in fields.items()
        if name in ("label", "confidence", "rationale", "message") or name.startswith("q_")
    }  # fmt: skip


def _draft_name(fields: Fields) -> str:
    """The form that a draft is kept for."""
    form = fields.get("form_name", "")
    if (
        form.partition(":")[0] not in ("annotate", "resolve", "reannotate", "message", "survey", "about_you")
        or len(form) > MAX_FORM_NAME
    ):
        raise NotFound("there is no such form")
    return form
