"""The owner's list of people."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from crito.services import overview
from crito.web.cockpit import owner_page, room
from crito.web.desk import Desk

PEOPLE_PER_PAGE = 50


def routes(desk: Desk) -> list[Route]:
    return [room(desk, "/people", _list)]


async def _list(desk: Desk, request: Request) -> Response:
    study = await desk.study(request)
    after = request.query_params.get("after", "")
    progress = await overview.progress(desk.parts, study.name)
    people = await overview.people(desk.parts, study.name, after=after, limit=PEOPLE_PER_PAGE + 1)
    return owner_page(
        desk, request, "people", study,
        people=people[:PEOPLE_PER_PAGE], after=after, n_people=sum(progress.people.values()),
        next_after=people[PEOPLE_PER_PAGE - 1].participant.id if len(people) > PEOPLE_PER_PAGE else "",
        is_present=overview.is_present,
    )  # fmt: skip
