"""The owner's first page: what is happening, what is done, what waits for the owner; it keeps itself up to date."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from crito.model.ids import StudyName, TaskName
from crito.model.study import Study
from crito.services.agreeing import ready_tasks
from crito.services.happening import Happening, ItemDone, Need, Strip, happening
from crito.web.cockpit import owner_fragment, owner_page, room
from crito.web.desk import Desk
from crito.web.numbers import MOST_DONE

ITEMS_PER_ROW = 100
PLACES_APART = 8
"""Up to so many places of an item are drawn one by one, more of them as one bar."""
PLACE_PX, STRIP_PX = 8, (16, 56)
ITEM_PX, ROW_PX = 24, 1176
GAP = 0.16


@dataclass(frozen=True, slots=True)
class StripRow:
    """Some items of a strip as a drawing, an item a column: `free`, `done` and `open` are paths of places."""

    n_items: int
    each: int
    width_px: int
    height_px: int
    free: str
    done: str
    open: str


def strip_rows(strip: Strip) -> list[StripRow]:
    """A strip as rows of columns, places filled from the bottom: done ones, then those that somebody is at."""
    item_px = min(ITEM_PX, ROW_PX // max(1, min(len(strip.items), ITEMS_PER_ROW)))
    return [
        _row(strip.items[at : at + ITEMS_PER_ROW], strip.each, item_px)
        for at in range(0, len(strip.items), ITEMS_PER_ROW)
    ]


def _row(items: Sequence[ItemDone], each: int, item_px: int) -> StripRow:
    # An item that was begun under another edition may hold more places than this one asks for.
    filled = [(min(item.done, each), min(item.open, each - min(item.done, each))) for item in items]
    low, high = STRIP_PX
    return StripRow(
        len(items), each, item_px * len(items), max(low, min(high, PLACE_PX * each)),
        free="".join(_column(n, done + held, each, each) for n, (done, held) in enumerate(filled)),
        done="".join(_column(n, 0, done, each) for n, (done, _) in enumerate(filled)),
        open="".join(_column(n, done, done + held, each) for n, (done, held) in enumerate(filled)),
    )  # fmt: skip


def _column(n: int, begin: int, end: int, each: int) -> str:
    """The places from `begin` to `end` of the item in column `n`."""
    bars: Iterator[tuple[int, int]] = ((place, place + 1) for place in range(begin, end))
    if each > PLACES_APART:
        bars = iter([(begin, end)] if end > begin else [])
    return "".join(
        f"M{n + GAP / 2:g} {each - upper + GAP / 2:g}h{1 - GAP:g}v{upper - lower - GAP:g}h-{1 - GAP:g}z"
        for lower, upper in bars
    )


@dataclass
class Ready:
    """Which tasks may be handed over, worked out beside the pages, since reading the evidence takes a while."""

    desk: Desk
    _kept: dict[StudyName, tuple[int, Sequence[TaskName]]] = field(default_factory=dict)
    _busy: set[StudyName] = field(default_factory=set)

    def of(self, study: Study, done: int) -> Sequence[TaskName]:
        """As they stood when they were looked at last; where more labels are `done` since, somebody looks again."""
        known, tasks = self._kept.get(study.name, (-1, ()))
        if study.suggestions and known != done <= MOST_DONE and study.name not in self._busy:
            self._busy.add(study.name)
            self.desk.parts.in_background(self._look(study.name, done))
        return tasks

    async def _look(self, name: StudyName, done: int) -> None:
        try:
            self._kept[name] = done, await ready_tasks(self.desk.parts, name)
        finally:
            self._busy.discard(name)


def routes(desk: Desk) -> list[Route]:
    ready = Ready(desk)
    return [room(desk, "", partial(_show, ready)), room(desk, "/now", partial(_now, ready))]


async def _show(ready: Ready, desk: Desk, request: Request) -> Response:
    study = await desk.study(request)
    found = await _found(ready, study)
    return owner_page(desk, request, "overview", study, found=found, strip_rows=strip_rows)


async def _now(ready: Ready, desk: Desk, request: Request) -> Response:
    """What changes on the first page; it asks for itself again."""
    found = await _found(ready, await desk.study(request))
    return owner_fragment(desk, request, "fragments/overview", found=found, strip_rows=strip_rows)


async def _found(ready: Ready, study: Study) -> Happening:
    found = await happening(ready.desk.parts, study.name)
    more = [Need("hand_over", 1, task) for task in ready.of(study, found.done)]
    return replace(found, needs=[*found.needs, *more])
