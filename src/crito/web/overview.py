"""The owner's first page: how far the study is."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from crito.services import overview
from crito.services.ports import ItemProgress
from crito.web.cockpit import owner_page, room
from crito.web.desk import Desk

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
    return [room(desk, "", _show)]


async def _show(desk: Desk, request: Request) -> Response:
    study = await desk.study(request)
    progress = await overview.progress(desk.parts, study.name)
    statuses = Counter[str]()
    for count in progress.assignments:
        statuses[count.status] += count.assignments
    return owner_page(
        desk, request, "overview", study,
        strips=strips(progress.items), statuses=statuses, endings=progress.people, present=progress.present,
        away=progress.away, n_people=sum(progress.people.values()), max_cells=MAX_CELLS,
    )  # fmt: skip
