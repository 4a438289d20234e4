"""The pages of transcripts: which dialogues there are, each of them read-only, and who read which."""

from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from functools import partial
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from crito.model.access import Member
from crito.model.ids import AssignmentId, StudyName
from crito.model.study import Study
from crito.services import reading
from crito.services.reading import Reader, TalkFilter
from crito.web.cockpit import owner_fragment, owner_page, room
from crito.web.desk import Desk, base_path, go, number_of, study_name
from crito.web.downloads import ROWS_AT_ONCE, csv_file
from crito.web.roles import require_form, require_role

PER_PAGE = 50
MAX_SEARCH = 100
COLUMNS = (
    "assignment", "annotator", "task", "item", "condition", "live", "messages", "marked", "begun_at", "last_at",
    "seen_by", "seen_at",
)  # fmt: skip


def routes(desk: Desk) -> list[Route]:
    return [
        Route("/s/{study}/transcripts", partial(_list, desk), methods=["GET"]),
        Route("/s/{study}/transcripts.csv", partial(_table, desk), methods=["GET"]),
        Route("/s/{study}/transcripts/{assignment}", partial(_show, desk), methods=["GET"]),
        Route("/s/{study}/transcripts/{assignment}/turns", partial(_turns, desk), methods=["GET"]),
        room(desk, "/readings", _readings),
        Route("/s/{study}/owner/transcripts/seen", partial(_mark_as_seen, desk), methods=["POST"]),
    ]


def filter_of(request: Request, study: Study) -> TalkFilter:
    """What the address asks for; what it asks for wrongly is left out."""
    asked = request.query_params
    task, condition, marked = asked.get("task", ""), asked.get("condition", ""), asked.get("marked", "")
    return TalkFilter(
        search=asked.get("search", "").strip()[:MAX_SEARCH],
        task=task if task in {one.name for one in study.tasks} else "",
        condition=condition if condition in {one.name for one in study.conditions} else "",
        marked=marked if marked in ("yes", "unseen") else "",  # type: ignore[arg-type]
        live=asked.get("live") == "yes",
    )


def address_of(which: TalkFilter, **more: str) -> str:
    """The filter as the end of an address, with its question mark; empty for one that restricts nothing."""
    given = {
        "search": which.search, "task": which.task, "condition": which.condition,
        "marked": which.marked, "live": "yes" if which.live else "",
    }  # fmt: skip
    kept = {name: value for name, value in {**given, **more}.items() if value}
    return "?" + urlencode(kept) if kept else ""


async def _list(desk: Desk, request: Request) -> Response:
    await require_role(desk, request, "owner", "reader")
    study = await desk.study(request)
    which, after = filter_of(request, study), request.query_params.get("after", "")
    page = await reading.talk_page(desk.parts, study.name, which, after=after, limit=PER_PAGE)
    return owner_page(
        desk, request, "transcripts", study, page=page, which=which, after=after,
        address_of=partial(address_of, which), tasks=[one.name for one in study.tasks],
        conditions=[one.name for one in study.conditions], all_unseen=which == TalkFilter(marked="unseen"),
    )  # fmt: skip


async def _table(desk: Desk, request: Request) -> Response:
    await require_role(desk, request, "owner", "reader")
    study = await desk.study(request)
    return csv_file(f"{study.name}-dialogues", COLUMNS, _rows(desk, study.name, filter_of(request, study)))


async def _rows(desk: Desk, study: StudyName, which: TalkFilter) -> AsyncIterator[Sequence[object]]:
    after, more = "", True
    while more:
        page = await reading.talk_page(desk.parts, study, which, after=after, limit=ROWS_AT_ONCE)
        for one in page.talks:
            seen = page.seen.get(one.run)
            yield [
                one.assignment, one.annotator, one.task, one.item, one.condition, one.assignment in page.live,
                one.messages, one.marked, one.begun_at.isoformat(), one.last_at.isoformat(),
                seen and seen.name, seen and seen.at.isoformat(),
            ]  # fmt: skip
        after, more = page.next, bool(page.next)


async def _show(desk: Desk, request: Request) -> Response:
    """One transcript. A HEAD request, as sent by programs that look at links, reads nothing."""
    who = await require_role(desk, request, "owner", "reader")
    if request.method != "GET":
        return Response(status_code=405)
    study = await desk.study(request)
    transcript = await reading.read_transcript(desk.parts, study.name, _assignment(request), _reader(who))
    live = await reading.is_live(desk.parts, study.name, _assignment(request))
    return owner_page(desk, request, "transcript", study, transcript=transcript, live=live)


async def _turns(desk: Desk, request: Request) -> Response:
    """The turns, once there are more than `since`, which is another reading; they ask for themselves while somebody talks."""
    who = await require_role(desk, request, "owner", "reader")
    if request.method != "GET":
        return Response(status_code=405)
    name, assignment = study_name(request), _assignment(request)
    live = await reading.is_live(desk.parts, name, assignment)
    known = number_of(request.query_params.get("since", ""))
    if live and await reading.count_turns(desk.parts, name, assignment) == known:
        return Response(status_code=204)
    transcript = await reading.read_transcript(desk.parts, name, assignment, _reader(who))
    return owner_fragment(desk, request, "fragments/turns", transcript=transcript, live=live)


def _assignment(request: Request) -> AssignmentId:
    return AssignmentId(request.path_params["assignment"])


def _reader(who: Member) -> Reader:
    return Reader(who.account, who.name)


async def _mark_as_seen(desk: Desk, request: Request) -> Response:
    """Note that the owner has seen what was marked when the page was made: what came since is not among it."""
    who, fields = await require_form(desk, request, "owner")
    try:
        until = min(datetime.fromisoformat(fields.get("until", "")), desk.parts.now())
    except (ValueError, TypeError):
        until = desk.parts.now()
    await reading.mark_as_seen(desk.parts, study_name(request), _reader(who), until)
    return go(request, f"{base_path(request)}transcripts?marked=yes")


async def _readings(desk: Desk, request: Request) -> Response:
    study = await desk.study(request)
    before = number_of(request.query_params.get("before", ""))
    found = await reading.readings(desk.parts, study.name, before=before, limit=PER_PAGE + 1)
    return owner_page(
        desk, request, "readings", study, readings=[one for _, one in found[:PER_PAGE]], before=before,
        n_readings=await reading.count_readings(desk.parts, study.name),
        next_before=found[PER_PAGE - 1][0] if len(found) > PER_PAGE else 0,
    )  # fmt: skip
