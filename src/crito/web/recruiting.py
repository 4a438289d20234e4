"""The owner's pages of recruitment: the ways in and out, places for people, their submissions and what comes of them."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from crito.model.access import Member
from crito.model.errors import CritoError, InvalidInput, NotFound
from crito.model.ids import AnnotatorId
from crito.model.recruitment import DECISIONS
from crito.model.study import ENDINGS, Study
from crito.platforms import mturk
from crito.platforms.files import platform_lists, read_submissions
from crito.platforms.prolific import SHORTEST_REASON, read_traits
from crito.services import openings, recruiting
from crito.services.inviting import WITHOUT_CODE, invitation, prolific_link
from crito.services.pages import Frame
from crito.services.people_traits import take_in_traits
from crito.services.ports.recruiting import Show
from crito.services.showing import end_page
from crito.web.cockpit import owner_page, owner_path, room
from crito.web.desk import Desk, absolute, base_path, go, number_of, root_path
from crito.web.doubts import DOUBTS
from crito.web.roles import require_form, require_role, require_sender
from crito.web.uploads import Upload, read_upload

PER_PAGE = 50
SHOWS: tuple[Show, ...] = ("to_review", "all", "approved", "rejected", "given_back")
CHOSEN = "who_"
"""Begins the name of the box beside a person."""

Act = Callable[[Desk, Request, Study, Member, dict[str, str]], Awaitable[Response]]


def routes(desk: Desk) -> list[Route]:
    def send(path: str, handler: Callable[[Desk, Request], Awaitable[Response]]) -> Route:
        return Route(f"/s/{{study}}/owner/{path}", partial(handler, desk), methods=["POST"])

    return [
        room(desk, "/recruit", _recruit),
        room(desk, "/recruit/ending/{ending}", _ending),
        send("recruit/places", partial(_sent, _open)),
        room(desk, "/submissions", _submissions),
        send("submissions/review", partial(_sent, _review)),
        send("submissions/approve-finished", partial(_sent, _approve_finished)),
        send("submissions/fetch", partial(_sent, _fetch)),
        send("submissions/import", partial(_uploaded, _import)),
        send("submissions/traits", partial(_uploaded, _traits)),
        send("submissions/fill", partial(_uploaded, _fill)),
        room(desk, "/submissions/list/{name}", _list),
    ]


def _server(request: Request) -> str:
    return absolute(request, root_path(request))


async def _recruit(desk: Desk, request: Request) -> Response:
    return await _recruit_page(desk, request, await desk.study(request))


async def _recruit_page(
    desk: Desk, request: Request, study: Study, fault: CritoError | None = None, status: int = 200
) -> HTMLResponse:
    invited = invitation(study, _server(request))
    return _with_status(
        owner_page(
            desk, request, "recruit", study,
            invited=invited, doubts=DOUBTS, without_code=WITHOUT_CODE, preview=_preview(invited.provider, invited.address),
            places=await openings.places(desk.parts, study.name), fault=fault,
        ),
        status,
    )  # fmt: skip


def _preview(provider: str, address: str) -> str:
    """The address at which the owner sees what a worker sees before accepting."""
    return prolific_link(address) if provider == "prolific" else f"{address}?assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE"


async def _ending(desk: Desk, request: Request) -> Response:
    """The last page as somebody who ends in this way sees it."""
    study = await desk.study(request)
    ending = next((one for one in ENDINGS if one == request.path_params["ending"]), None)
    if ending is None:
        raise NotFound("there is no such ending")
    language = study.languages[0]
    asked = request.query_params.get("lang", "")
    language = next((tag for tag in study.languages if tag == asked), language)
    page = end_page(study, ending, Frame(study.title, language, 1, 1), may_withdraw=False)
    return desk.page(
        request,
        "end",
        language,
        page=page,
        base=base_path(request),
        csrf="",
        study_title=study.title.in_language(language),
    )


async def _sent(act: Act, desk: Desk, request: Request) -> Response:
    member, fields = await require_form(desk, request, "owner")
    return await act(desk, request, await desk.study(request), member, fields)


async def _uploaded(
    act: Callable[[Desk, Request, Study, Upload], Awaitable[Response]], desk: Desk, request: Request
) -> Response:
    await require_role(desk, request, "owner")
    upload = await read_upload(request)
    await require_sender(desk, request, upload.fields, "owner")
    return await act(desk, request, await desk.study(request), upload)


async def _open(desk: Desk, request: Request, study: Study, member: Member, fields: dict[str, str]) -> Response:
    n = 0 if fields.get("close") else number_of(fields.get("n", ""))
    if not n and not fields.get("close"):
        return go(request, owner_path(request) + "/recruit#places")
    try:
        await openings.open_places(desk.parts, study.name, n, by_whom(member))
    except InvalidInput as problem:
        return await _recruit_page(desk, request, study, problem, 400)
    return go(request, owner_path(request) + "/recruit#places")


async def _submissions(desk: Desk, request: Request) -> Response:
    return await _submissions_page(desk, request, await desk.study(request))


async def _submissions_page(
    desk: Desk, request: Request, study: Study, *, status: int = 200, **said: Any
) -> HTMLResponse:
    asked = request.query_params
    show = next((one for one in SHOWS if one == asked.get("show")), SHOWS[0])
    search, after = asked.get("search", "").strip(), asked.get("after", "")
    if search:
        show = "all"
    rows, counts = await desk.parts.store.survey(
        lambda tx: (
            tx.submissions(study.name, show=show, search=search, after=after, limit=PER_PAGE + 1),
            tx.count_submissions(study.name),
        )
    )
    shown = rows[:PER_PAGE]
    reasons = [row.review.reason for row in shown if row.review and row.review.reason]
    told = await recruiting.to_tell(desk.parts, study.name)
    page = owner_page(
        desk, request, "submissions", study,
        rows=shown, counts=counts, show=show, shows=SHOWS, search=search, after=after,
        next_after=shown[-1].participant.id if len(rows) > PER_PAGE else "",
        reasons=await desk.parts.store.read(lambda tx: tx.words(reasons)),
        codes=study.completion.codes, lists=platform_lists(told), n_told=len(told),
        may_fetch=desk.parts.prolific is not None, shortest_reason=SHORTEST_REASON,
        to=lambda **more: "?" + urlencode({"show": show, **({"search": search} if search else {}), **more}),
        **{"taken": None, "decided": None, "described": 0, "fault": None, **said},
    )  # fmt: skip
    return _with_status(page, status)


async def _review(desk: Desk, request: Request, study: Study, member: Member, fields: dict[str, str]) -> Response:
    decision = next((one for one in DECISIONS if one == fields.get("decision")), None)
    chosen = [AnnotatorId(name.removeprefix(CHOSEN)) for name in fields if name.startswith(CHOSEN)]
    if decision is None or not chosen:
        return go(request, owner_path(request) + "/submissions")
    try:
        decided = await recruiting.decide(
            desk.parts,
            study.name,
            chosen,
            decision,
            fields.get("reason", "") if decision == "reject" else "",
            by_whom(member),
        )
    except InvalidInput as problem:
        return await _submissions_page(desk, request, study, status=400, fault=problem)
    return await _submissions_page(desk, request, study, decided=decided)


async def _approve_finished(
    desk: Desk, request: Request, study: Study, member: Member, fields: dict[str, str]
) -> Response:
    decided = await recruiting.approve_finished(desk.parts, study.name, by_whom(member))
    return await _submissions_page(desk, request, study, decided=decided)


async def _fetch(desk: Desk, request: Request, study: Study, member: Member, fields: dict[str, str]) -> Response:
    if desk.parts.prolific is None:
        raise HTTPException(404)
    try:
        listed = await desk.parts.prolific.submissions(fields.get("platform_study", "").strip())
        taken = await recruiting.take_in(desk.parts, study.name, listed, "api")
    except CritoError as problem:
        return await _submissions_page(desk, request, study, status=400, fault=problem)
    return await _submissions_page(desk, request, study, taken=taken)


async def _import(desk: Desk, request: Request, study: Study, upload: Upload) -> Response:
    try:
        listed = read_submissions(upload.content, upload.file)
        taken = await recruiting.take_in(desk.parts, study.name, listed, "file")
    except InvalidInput as problem:
        return await _submissions_page(desk, request, study, status=400, fault=problem)
    return await _submissions_page(desk, request, study, taken=taken)


async def _traits(desk: Desk, request: Request, study: Study, upload: Upload) -> Response:
    try:
        n_people = await take_in_traits(desk.parts, study.name, read_traits(upload.content, upload.file))
    except InvalidInput as problem:
        return await _submissions_page(desk, request, study, status=400, fault=problem)
    return await _submissions_page(desk, request, study, described=n_people)


async def _fill(desk: Desk, request: Request, study: Study, upload: Upload) -> Response:
    """Mechanical Turk's own file, with the decisions in it."""
    try:
        filled = mturk.filled_in(upload.content, upload.file, await recruiting.to_tell(desk.parts, study.name))
    except InvalidInput as problem:
        return await _submissions_page(desk, request, study, status=400, fault=problem)
    return _download("mturk-reviewed.csv", filled)


async def _list(desk: Desk, request: Request) -> Response:
    study = await desk.study(request)
    lists = platform_lists(await recruiting.to_tell(desk.parts, study.name))
    name = request.path_params["name"]
    if name not in lists:
        raise NotFound("there is no such list")
    return _download(name, lists[name])


def _download(name: str, text: str) -> Response:
    kind = "text/csv" if name.endswith(".csv") else "text/plain"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(text, media_type=f"{kind}; charset=utf-8", headers=headers)


def _with_status(page: HTMLResponse, status: int) -> HTMLResponse:
    page.status_code = status
    return page


def by_whom(member: Member) -> str:
    """How somebody who works on a study is named in what they decided."""
    return member.name or member.role
