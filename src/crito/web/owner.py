"""The owner's page: how far the study is, who is in it, and a token for the API."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from crito.model.ids import Language
from crito.services import access, overview
from crito.services.debating import standings
from crito.services.ports import ItemProgress
from crito.web.desk import Desk, base_path, go, set_cookie, study_name
from crito.web.failures import error_page
from crito.web.roles import OWNER, form_mark, member, require_form, require_role
from crito.web.words import negotiated

OWNER_S = 14 * 86400
TOKEN, TOKEN_S = "crito_token", 60
PEOPLE_PER_PAGE = 50
MAX_CELLS = 1000
"""Items drawn in one heat strip; of more, the first ones are drawn and the table has the sums."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One item in a heat strip: `level` from 0 (nothing done) to 4 (all places done)."""

    item: str
    done: int
    places: int
    open: int

    @property
    def level(self) -> int:
        if not self.done:
            return 0
        return 4 if self.done >= self.places else min(3, 1 + 3 * self.done // self.places)


@dataclass(frozen=True, slots=True)
class Strip:
    """One task under one condition: its sums, its items."""

    task: str
    condition: str
    n_items: int
    places: int
    done: int
    open: int
    cells: Sequence[Cell]


def strips(items: Sequence[ItemProgress]) -> list[Strip]:
    """Items grouped by task and condition, in the order they come."""
    groups: dict[tuple[str, str], list[ItemProgress]] = {}
    for item in items:
        groups.setdefault((item.task, item.condition), []).append(item)
    return [
        Strip(
            task,
            condition,
            n_items=len(group),
            places=sum(item.places for item in group),
            done=sum(item.done for item in group),
            open=sum(item.open for item in group),
            cells=[Cell(item.item, item.done, item.places, item.open) for item in group[:MAX_CELLS]],
        )
        for (task, condition), group in groups.items()
    ]


def routes(desk: Desk) -> list[Route]:
    return [
        Route("/s/{study}/owner", partial(_show, desk), methods=["GET"]),
        Route("/s/{study}/owner/enter/{token}", partial(_enter, desk), methods=["GET"]),
        Route("/s/{study}/owner/api-token", partial(_make_token, desk), methods=["POST"]),
    ]


def _owner_path(request: Request) -> str:
    return base_path(request) + "owner"


async def _enter(desk: Desk, request: Request) -> Response:
    """Spend the one-time link. A HEAD request, as sent by programs that look at links, spends nothing."""
    if request.method != "GET":
        return Response(status_code=405)
    session = await access.open_owner_link(desk.parts, study_name(request), request.path_params["token"])
    if session is None:
        return error_page(desk, request, 401)
    response = go(request, _owner_path(request))
    set_cookie(response, request, OWNER, session, OWNER_S, path=_owner_path(request))
    return response


async def is_owner(desk: Desk, request: Request) -> bool:
    """Whether this browser holds a session of the study's owner."""
    found = await member(desk, request)
    return found is not None and found.role == "owner"


async def _show(desk: Desk, request: Request) -> Response:
    study = await desk.study(request)
    await require_role(desk, request, "owner")
    after = request.query_params.get("after", "")
    progress = await overview.progress(desk.parts, study.name)
    people = await overview.people(desk.parts, study.name, after=after, limit=PEOPLE_PER_PAGE + 1)
    language = negotiated([Language("en")], "", "")
    statuses = Counter[str]()
    for count in progress.assignments:
        statuses[count.status] += count.assignments
    token = request.cookies.get(TOKEN, "")
    response = desk.page(
        request,
        "owner",
        language,
        base=_owner_path(request),
        csrf=form_mark(request),
        study_title=study.title.in_language(language),
        now=desk.parts.now(),
        strips=strips(progress.items),
        statuses=statuses,
        endings=progress.people,
        present=progress.present,
        away=progress.away,
        is_present=overview.is_present,
        n_people=sum(progress.people.values()),
        people=people[:PEOPLE_PER_PAGE],
        after=after,
        next_after=people[PEOPLE_PER_PAGE - 1].participant.id if len(people) > PEOPLE_PER_PAGE else "",
        max_cells=MAX_CELLS,
        debates=await standings(desk.parts, study.name),
        study=study.name,
        record=desk.settings.record,
        token=token,
    )
    if token:
        response.delete_cookie(TOKEN, path=_owner_path(request))
    return response


async def _make_token(desk: Desk, request: Request) -> Response:
    """A new token for the API; the page that comes next shows it once."""
    await require_form(desk, request, "owner")
    response = go(request, _owner_path(request) + "#api")
    token = await access.make_api_token(desk.parts, study_name(request))
    set_cookie(response, request, TOKEN, token, TOKEN_S, path=_owner_path(request))
    return response
