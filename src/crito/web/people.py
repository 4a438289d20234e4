"""The owner's pages of people: the list, one person from consent to ending, signals of how they worked."""

from collections.abc import AsyncIterator, Mapping, Sequence
from functools import partial
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from crito.model.errors import InvalidInput
from crito.model.ids import AnnotatorId, StudyName
from crito.model.study import ENDINGS, Study
from crito.services.excluding import decide_exclusion
from crito.services.happening import steps_of
from crito.services.people import (
    ListedPerson,
    PeopleFilter,
    count_meant,
    everyone_meant,
    one_person,
    people_now,
    people_page,
    signals_page,
)
from crito.services.signals import CURT_CHARACTERS, TYPED_PER_S
from crito.web.cockpit import owner_fragment, owner_page, owner_path, room
from crito.web.desk import Desk, go, number_of, study_name
from crito.web.downloads import csv_file
from crito.web.rendering import Notice
from crito.web.roles import require_form

PEOPLE_PER_PAGE = 50
SIGNALS_PER_PAGE = 25
MAX_SEARCH = 100

STATES: tuple[str, ...] = ("present", "stuck", "away", "crashed", "active", *ENDINGS)

COLUMNS = (
    "annotator", "state", "step", "condition", "language", "done", "assigned", "arrived_at", "last_seen_at", "ended_at",
    "left_out_for",
)  # fmt: skip


def routes(desk: Desk) -> list[Route]:
    return [
        room(desk, "/people", _list),
        room(desk, "/people.csv", _table),
        room(desk, "/people/now", _now),
        room(desk, "/signals", _signals),
        room(desk, "/people/{annotator}", _person),
        Route("/s/{study}/owner/people/{annotator}/exclusion", partial(_decide, desk), methods=["POST"]),
    ]


def filter_of(request: Request, study: Study) -> PeopleFilter:
    """What the address asks for; what it asks for wrongly is left out."""
    asked = request.query_params
    known = {*STATES, *steps_of(study)}
    state, condition, excluded = asked.get("state", ""), asked.get("condition", ""), asked.get("excluded", "")
    return PeopleFilter(
        search=asked.get("search", "").strip()[:MAX_SEARCH],
        state=state if state in known else "",
        condition=condition if condition in {one.name for one in study.conditions} else "",
        excluded=excluded if excluded in ("yes", "no") else "",  # type: ignore[arg-type]
    )


def address_of(which: PeopleFilter, **more: str) -> str:
    """The filter as the end of an address, with its question mark; empty for one that restricts nothing."""
    given = {"search": which.search, "state": which.state, "condition": which.condition, "excluded": which.excluded}
    kept = {name: value for name, value in {**given, **more}.items() if value}
    return "?" + urlencode(kept) if kept else ""


def _frame(study: Study, which: PeopleFilter) -> dict[str, Any]:
    return {
        "which": which,
        "address_of": partial(address_of, which),
        "states": STATES,
        "steps": sorted(steps_of(study)),
        "conditions": [one.name for one in study.conditions] if study.assign == "person" else [],
    }


async def _list(desk: Desk, request: Request) -> Response:
    study = await desk.study(request)
    which, after = filter_of(request, study), request.query_params.get("after", "")
    page = await people_page(desk.parts, study.name, which, after=after, limit=PEOPLE_PER_PAGE)
    return owner_page(
        desk, request, "people", study,
        page=page, people=page.people, after=after, newer=0, since=page.meant, **_frame(study, which),
    )  # fmt: skip


async def _now(desk: Desk, request: Request) -> Response:
    """The same people as a page of the list shows, as they are now, and how many more came; it asks for itself again."""
    study = await desk.study(request)
    which, asked = filter_of(request, study), request.query_params
    ids = [AnnotatorId(one) for one in asked.get("ids", "").split(",")[:PEOPLE_PER_PAGE] if one]
    since = number_of(asked.get("since", ""))
    meant = await count_meant(desk.parts, study.name, which)
    return owner_fragment(
        desk, request, "fragments/people", people=await people_now(desk.parts, study.name, ids),
        newer=max(0, meant - since), since=since, **_frame(study, which),
    )  # fmt: skip


async def _table(desk: Desk, request: Request) -> Response:
    study = await desk.study(request)
    return csv_file(f"{study.name}-people", COLUMNS, _rows(desk, study.name, filter_of(request, study)))


async def _rows(desk: Desk, study: StudyName, which: PeopleFilter) -> AsyncIterator[Sequence[object]]:
    async for one in everyone_meant(desk.parts, study, which):
        yield list(_cells(one).values())


def _cells(one: ListedPerson) -> Mapping[str, object]:
    row, person = one.row, one.row.participant
    return dict(
        zip(
            COLUMNS,
            (
                person.id, person.ending or one.presence, one.step, person.condition, person.language, row.done,
                row.assigned, person.arrived_at.isoformat(), row.last_seen_at.isoformat(),
                person.ended_at and person.ended_at.isoformat(), row.exclusion,
            ),
            strict=True,
        )
    )  # fmt: skip


async def _signals(desk: Desk, request: Request) -> Response:
    study = await desk.study(request)
    which, after = filter_of(request, study), request.query_params.get("after", "")
    page = await signals_page(desk.parts, study.name, which, after=after, limit=SIGNALS_PER_PAGE)
    return owner_page(
        desk, request, "signals", study,
        page=page, after=after, typed_per_s=TYPED_PER_S, curt=CURT_CHARACTERS, **_frame(study, which),
    )  # fmt: skip


async def _person(desk: Desk, request: Request) -> Response:
    study = await desk.study(request)
    found = await one_person(desk.parts, study.name, _annotator(request))
    return owner_page(
        desk,
        request,
        "person",
        study,
        found=found,
        person=found.participant,
        typed_per_s=TYPED_PER_S,
        curt=CURT_CHARACTERS,
        steps={step.name: step.text for step in study.confidence},
    )


async def _decide(desk: Desk, request: Request) -> Response:
    """Leave a person out of analyses, or take them in again; a form without a reason comes back with a word about it."""
    member, fields = await require_form(desk, request, "owner")
    path = f"{owner_path(request)}/people/{_annotator(request)}#decision"
    try:
        await decide_exclusion(
            desk.parts, study_name(request), _annotator(request), excluded=fields.get("excluded") == "yes",
            reason=fields.get("reason", ""), decided_by=member.name,
        )  # fmt: skip
    except InvalidInput as problem:
        return go(request, path, Notice("missing" if problem.came is None else "unusable", "reason"))
    return go(request, path)


def _annotator(request: Request) -> AnnotatorId:
    return AnnotatorId(request.path_params["annotator"])
