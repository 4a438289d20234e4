"""The pages of transcripts: which dialogues there are, each of them read-only, and who read which."""

from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from crito.model.ids import AssignmentId
from crito.services import reading
from crito.services.reading import Reader
from crito.web.cockpit import owner_page, room
from crito.web.desk import Desk, number_of
from crito.web.roles import require_role

PER_PAGE = 50


def routes(desk: Desk) -> list[Route]:
    return [
        Route("/s/{study}/transcripts", partial(_list, desk), methods=["GET"]),
        Route("/s/{study}/transcripts/{assignment}", partial(_show, desk), methods=["GET"]),
        room(desk, "/readings", _readings),
    ]


async def _list(desk: Desk, request: Request) -> Response:
    await require_role(desk, request, "owner", "reader")
    study = await desk.study(request)
    after = request.query_params.get("after", "")
    talks = await reading.talks(desk.parts, study.name, after=after, limit=PER_PAGE + 1)
    return owner_page(
        desk, request, "transcripts", study, talks=talks[:PER_PAGE], after=after,
        n_talks=await reading.count_talks(desk.parts, study.name),
        next_after=talks[PER_PAGE - 1].assignment if len(talks) > PER_PAGE else "",
    )  # fmt: skip


async def _show(desk: Desk, request: Request) -> Response:
    """One transcript. A HEAD request, as sent by programs that look at links, reads nothing."""
    who = await require_role(desk, request, "owner", "reader")
    if request.method != "GET":
        return Response(status_code=405)
    study = await desk.study(request)
    assignment = AssignmentId(request.path_params["assignment"])
    transcript = await reading.read_transcript(desk.parts, study.name, assignment, Reader(who.account, who.name))
    return owner_page(desk, request, "transcript", study, transcript=transcript)


async def _readings(desk: Desk, request: Request) -> Response:
    study = await desk.study(request)
    before = number_of(request.query_params.get("before", ""))
    found = await reading.readings(desk.parts, study.name, before=before, limit=PER_PAGE + 1)
    return owner_page(
        desk, request, "readings", study, readings=[one for _, one in found[:PER_PAGE]], before=before,
        n_readings=await reading.count_readings(desk.parts, study.name),
        next_before=found[PER_PAGE - 1][0] if len(found) > PER_PAGE else 0,
    )  # fmt: skip
