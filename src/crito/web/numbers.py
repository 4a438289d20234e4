"""The owner's page of numbers: the report's figures as small multiples, the Blind Agreement card, calls and their cost."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from crito.model.errors import CritoError, NotFound
from crito.model.ids import StudyName
from crito.report.blocks import Figure
from crito.report.gallery import figures_of, table_cells, under_a_policy
from crito.report.saving import png, standing_alone
from crito.report.study_page import render_report, study_page
from crito.services.agreeing import agreement_cards
from crito.services.ledger import CallFilter, Ledger, ledger
from crito.services.reporting.study import ReportData, report_study
from crito.web.cockpit import owner_fragment, owner_page, room
from crito.web.desk import Desk, study_name
from crito.web.downloads import csv_file

FRESH = timedelta(seconds=60)
"""Figures are worked out again once they are older."""

MOST_DONE = 50_000
"""Assignments of which figures are worked out while people are served; of more, `crito report` makes them elsewhere."""


@dataclass(frozen=True, slots=True)
class Worked:
    """Figures as they stood at a moment, each with the title of its section, and the whole report they are from."""

    at: datetime
    data: ReportData
    figures: tuple[tuple[str, Figure], ...]


@dataclass
class Figures:
    """Works figures out, one study at a time, and keeps them for a minute."""

    desk: Desk
    _kept: dict[StudyName, Worked] = field(default_factory=dict)
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def of(self, name: StudyName) -> Worked:
        """
        Raises:
            NotFound: there is more than is drawn while people are served.
        """
        if await _done(self.desk, name) > MOST_DONE:
            raise NotFound(f"more than {MOST_DONE:,} labels are drawn by `crito report {name} --figures figures`")
        async with self._lock:
            kept = self._kept.get(name)
            if kept is None or kept.at < self.desk.parts.now() - FRESH:
                data = await report_study(self.desk.parts, name)
                figures = await asyncio.to_thread(lambda: figures_of(study_page(data, Markup())))
                kept = self._kept[name] = Worked(data.made_at, data, figures)
            return kept

    async def one(self, name: StudyName, slug: str) -> Figure:
        """
        Raises:
            NotFound: the report has no such figure.
        """
        found = next((figure for _, figure in (await self.of(name)).figures if figure.slug == slug), None)
        if found is None:
            raise NotFound(f"the report has no figure {slug!r}")
        return found


def routes(desk: Desk) -> list[Route]:
    figures = Figures(desk)
    return [
        room(desk, "/numbers", _show),
        room(desk, "/numbers/figures", partial(_figures, figures)),
        room(desk, "/numbers/calls.csv", _calls),
        room(desk, "/numbers/report.html", partial(_report, figures)),
        room(desk, "/numbers/{slug}.svg", partial(_svg, figures)),
        room(desk, "/numbers/{slug}.png", partial(_png, figures)),
        room(desk, "/numbers/{slug}.csv", partial(_csv, figures)),
    ]


async def _spent(desk: Desk, name: StudyName) -> Ledger:
    return await ledger(desk.parts, name, CallFilter(), lambda call, body: None, limit=0)


async def _show(desk: Desk, request: Request) -> Response:
    study = await desk.study(request)
    return owner_page(
        desk, request, "numbers", study,
        calls=(await _spent(desk, study.name)).sums,
        cards=await agreement_cards(desk.parts, study.name),
        begun=await desk.parts.store.survey(lambda tx: bool(tx.status_counts(study.name))),
        drawn=await _done(desk, study.name) <= MOST_DONE,
    )  # fmt: skip


async def _figures(figures: Figures, desk: Desk, request: Request) -> Response:
    """The figures, which take a while: the page asks for them once it stands."""
    name = study_name(request)
    done = await _done(desk, name)
    if done > MOST_DONE:
        return owner_fragment(desk, request, "fragments/figures", worked=None, most=MOST_DONE, done=done)
    return owner_fragment(
        desk, request, "fragments/figures", worked=await figures.of(name), most=MOST_DONE, done=done,
        drawn=lambda figure: Markup(under_a_policy(figure)),  # noqa: S704 (the report escapes what it draws)
        table_cells=table_cells,
    )  # fmt: skip


async def _done(desk: Desk, name: StudyName) -> int:
    counts = await desk.parts.store.survey(lambda tx: tx.status_counts(name))
    return sum(one.assignments for one in counts if one.status == "done")


async def _svg(figures: Figures, desk: Desk, request: Request) -> Response:
    figure = await figures.one(study_name(request), request.path_params["slug"])
    return _file(standing_alone(str(figure.drawing)).encode(), f"{figure.slug}.svg", "image/svg+xml")


async def _png(figures: Figures, desk: Desk, request: Request) -> Response:
    figure = await figures.one(study_name(request), request.path_params["slug"])
    try:
        picture = await asyncio.to_thread(png, standing_alone(str(figure.drawing)))
    except CritoError as missing:
        raise NotFound(str(missing)) from missing
    return _file(picture, f"{figure.slug}.png", "image/png")


async def _csv(figures: Figures, desk: Desk, request: Request) -> Response:
    figure = await figures.one(study_name(request), request.path_params["slug"])
    heads, rows = table_cells(figure.table) if figure.table else ([], [])
    return csv_file(figure.slug, heads, _each(rows))


async def _calls(desk: Desk, request: Request) -> Response:
    sums = (await _spent(desk, study_name(request))).sums
    heads = (
        "model",
        "method",
        "status",
        "calls",
        "input_tokens",
        "cached_tokens",
        "output_tokens",
        "cost_usd",
        "unpriced",
    )
    return csv_file(f"{study_name(request)}-calls", heads, _each(sums))


async def _report(figures: Figures, desk: Desk, request: Request) -> Response:
    """The whole report as a file: it has a style and a script of its own, which no page here may have."""
    worked = await figures.of(study_name(request))
    page = await asyncio.to_thread(render_report, worked.data)
    return _file(page.encode(), f"{study_name(request)}-report.html", "text/html; charset=utf-8")


async def _each(rows: Sequence[Sequence[object]]) -> AsyncIterator[Sequence[object]]:
    for row in rows:
        yield row


def _file(content: bytes, name: str, media_type: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(content, headers=headers, media_type=media_type)
