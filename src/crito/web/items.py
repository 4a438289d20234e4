"""The owner's pages of items: the list with the labels each got, and one item with everybody's labels."""

from collections.abc import AsyncIterator, Sequence
from functools import partial
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from crito.model.errors import NotFound
from crito.model.ids import StudyName
from crito.model.study import Study
from crito.services.items import ITEM_STATES, ItemFilter, item_page, one_item
from crito.web.cockpit import owner_page, room
from crito.web.desk import Desk, study_name
from crito.web.downloads import ROWS_AT_ONCE, csv_file

ITEMS_PER_PAGE = 50
MAX_SEARCH = 100
COLUMNS = ("task", "item", "labels", "people", "share_of_commonest", "done", "open", "places", "gold")


def routes(desk: Desk) -> list[Route]:
    return [
        room(desk, "/items", _list),
        room(desk, "/items.csv", _table),
        room(desk, "/items/{task}/{item:path}", _item),
    ]


def filter_of(request: Request, study: Study) -> ItemFilter:
    """What the address asks for: the first task where it names none; what it asks for wrongly is left out."""
    if not study.tasks:
        raise NotFound("this study has no items")
    asked = request.query_params
    names = [task.name for task in study.tasks]
    state, task = asked.get("state", ""), asked.get("task", "")
    return ItemFilter(
        next((name for name in names if name == task), names[0]),
        asked.get("search", "").strip()[:MAX_SEARCH],
        next((one for one in ITEM_STATES if one == state), ""),
    )


def address_of(which: ItemFilter, **more: str) -> str:
    """The filter as the end of an address."""
    given = {"task": which.task, "search": which.search, "state": which.state, **more}
    return "?" + urlencode({name: value for name, value in given.items() if value})


async def _list(desk: Desk, request: Request) -> Response:
    study = await desk.study(request)
    if not study.tasks:
        return owner_page(desk, request, "items", study, page=None)
    which, after = filter_of(request, study), request.query_params.get("after", "")
    page = await item_page(desk.parts, study.name, which, after=after, limit=ITEMS_PER_PAGE)
    return owner_page(
        desk, request, "items", study, page=page, which=which, after=after, states=ITEM_STATES,
        address_of=partial(address_of, which), tasks=[task.name for task in study.tasks],
    )  # fmt: skip


async def _table(desk: Desk, request: Request) -> Response:
    study = await desk.study(request)
    which = filter_of(request, study)
    return csv_file(f"{study.name}-items", COLUMNS, _rows(desk, study.name, which))


async def _rows(desk: Desk, study: StudyName, which: ItemFilter) -> AsyncIterator[Sequence[object]]:
    after, more = "", True
    while more:
        page = await item_page(desk.parts, study, which, after=after, limit=ROWS_AT_ONCE)
        for one in page.items:
            labels = "; ".join(f"{given.label}: {given.people}" for given in one.labels)
            yield [
                which.task, one.item.id, labels, one.n, one.agreeing, one.done, one.open, one.places, one.item.gold
            ]  # fmt: skip
        after, more = page.next, bool(page.next)


async def _item(desk: Desk, request: Request) -> Response:
    study = await desk.study(request)
    found = await one_item(desk.parts, study_name(request), request.path_params["task"], request.path_params["item"])
    return owner_page(
        desk, request, "item", study, found=found, steps={step.name: step.text for step in study.confidence}
    )
