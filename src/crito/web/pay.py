"""The owner's page of pay and load: how long people took, phase by phase, and what an hour comes to."""

from collections.abc import AsyncIterator, Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from crito.services.pay import PHASES, Load, load_of
from crito.web.cockpit import owner_page, room
from crito.web.desk import Desk
from crito.web.downloads import csv_file

COLUMNS = (
    "annotator",
    "condition",
    "language",
    "active_minutes",
    "whole_minutes",
    *(f"{one}_minutes" for one in PHASES),
)


def routes(desk: Desk) -> list[Route]:
    return [room(desk, "/pay", _show), room(desk, "/pay.csv", _table)]


async def _show(desk: Desk, request: Request) -> Response:
    study = await desk.study(request)
    return owner_page(desk, request, "pay", study, load=await load_of(desk.parts, study.name), phases=PHASES)


async def _table(desk: Desk, request: Request) -> Response:
    study = await desk.study(request)
    return csv_file(f"{study.name}-minutes", COLUMNS, _rows(await load_of(desk.parts, study.name)))


async def _rows(load: Load) -> AsyncIterator[Sequence[object]]:
    for own, condition, language in load.people:
        minutes = (own.active, own.whole, *(getattr(own, phase) for phase in PHASES))
        rounded = [None if value is None else round(value, 3) for value in minutes]
        yield [own.annotator, condition, language, *rounded]
