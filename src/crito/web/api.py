"""The read-only API for programs: studies, items, people and annotations, page by page, by token."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Query
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel, ConfigDict

from crito.model.errors import Forbidden, NotFound
from crito.model.study import Study
from crito.services import access, listing, overview, ports
from crito.services.parts import Parts

MAX_PAGE = 200

Cursor = Annotated[str, Query(max_length=400, description="`next` of the page before; empty for the first page.")]
Limit = Annotated[int, Query(ge=1, le=MAX_PAGE, description="The most rows to return.")]


class Problem(BaseModel):
    """What went wrong."""

    detail: Any


class StudyRow(BaseModel):
    """One study that the token may read."""

    name: str
    title: Mapping[str, str]
    languages: Sequence[str]
    tasks: Sequence[str]
    conditions: Sequence[str]


class StudyPage(BaseModel):
    studies: Sequence[StudyRow]


class StudyState(StudyRow):
    """A study and how far it is: assignments by status, people by ending (`active` for those who have none)."""

    assignments: Mapping[str, int]
    people: Mapping[str, int]


class ItemRow(BaseModel):
    """How far one item is in one task and condition; `gold` is its reference label, if it has one."""

    task: str
    condition: str
    item: str
    text: str
    context: Mapping[str, str]
    gold: str | None
    places: int
    done: int
    open: int


class ItemPage(BaseModel):
    """`next` is empty on the last page."""

    items: Sequence[ItemRow]
    next: str


class PersonRow(BaseModel):
    """A person under their pseudonym; `ending` is null while they take part."""

    annotator: str
    condition: str
    language: str
    origin: str
    ending: str | None
    done: int
    assigned: int
    arrived_at: datetime
    last_seen_at: datetime
    ended_at: datetime | None


class PersonPage(BaseModel):
    """`next` is empty on the last page."""

    people: Sequence[PersonRow]
    next: str


class AnnotationRow(BaseModel):
    """One label of one round, every revision of it; people who withdrew are left out."""

    model_config = ConfigDict(from_attributes=True)

    annotator: str
    task: str
    item: str
    item_hash: str
    assignment: str
    condition: str
    round: int
    revision: int
    label: str | None
    state: str | None
    confidence: str | None
    shown_at: datetime
    submitted_at: datetime


class AnnotationPage(BaseModel):
    """The labels of whole people; `next` is empty on the last page."""

    annotations: Sequence[AnnotationRow]
    next: str


REFUSALS: dict[int | str, dict[str, Any]] = {
    401: {"model": Problem, "description": "No token, or one that is good for nothing here."},
    403: {"model": Problem, "description": "The token is for another study."},
    404: {"model": Problem, "description": "There is no such study here."},
}


def router(parts: Parts) -> APIRouter:
    """The routes below `/api/v1`."""
    api = APIRouter(prefix="/api/v1", tags=["read"], responses=REFUSALS)
    bearer = HTTPBearer(auto_error=False, description="A token made on the owner's page.")

    async def token_of(given: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]) -> str:
        if given is None:
            raise _unauthorized()
        return given.credentials

    async def readable(study: str, token: Annotated[str, Depends(token_of)]) -> Study:
        hosted = await listing.studies(parts)
        wanted = next((one for one in hosted if one.name == study), None)
        if wanted and await access.may_read_api(parts, wanted.name, token):
            return wanted
        # Someone without any good token learns nothing about which studies there are.
        if not [one for one in hosted if await access.may_read_api(parts, one.name, token)]:
            raise _unauthorized()
        if wanted is None:
            raise NotFound(f"there is no study {study!r} here")
        raise Forbidden(f"this token does not read the study {study!r}")

    @api.get("/studies", operation_id="list_studies")
    async def list_studies(token: Annotated[str, Depends(token_of)]) -> StudyPage:
        """The studies that this token may read."""
        mine = [one for one in await listing.studies(parts) if await access.may_read_api(parts, one.name, token)]
        if not mine:
            raise _unauthorized()
        return StudyPage(studies=[StudyRow(**_study(one)) for one in mine])

    @api.get("/studies/{study}", operation_id="show_study")
    async def show_study(study: Annotated[Study, Depends(readable)]) -> StudyState:
        """One study and how far it is."""
        progress = await overview.progress(parts, study.name)
        statuses = Counter[str]()
        for count in progress.assignments:
            statuses[count.status] += count.assignments
        return StudyState(**_study(study), assignments=statuses, people=progress.people)

    @api.get("/studies/{study}/items", operation_id="list_items")
    async def list_items(study: Annotated[Study, Depends(readable)], after: Cursor = "", limit: Limit = 50) -> ItemPage:
        """How far each item is, by task, condition and item."""
        items = {(task.name, item.id): item for task in study.tasks for item in task.items}
        rows = sorted(
            (row for row in (await overview.progress(parts, study.name)).items if (row.task, row.item) in items),
            key=_item_cursor,
        )
        rows = [row for row in rows if _item_cursor(row) > after]
        shown = [
            ItemRow(**row._asdict(), text=item.text, context=item.context, gold=item.gold)
            for row in rows[:limit]
            for item in [items[row.task, row.item]]
        ]
        return ItemPage(items=shown, next=_item_cursor(rows[limit - 1]) if len(rows) > limit else "")

    @api.get("/studies/{study}/people", operation_id="list_people")
    async def list_people(
        study: Annotated[Study, Depends(readable)], after: Cursor = "", limit: Limit = 50
    ) -> PersonPage:
        """People, the newest first."""
        rows = await overview.people(parts, study.name, after=after, limit=limit + 1)
        return PersonPage(
            people=[_person(row) for row in rows[:limit]],
            next=rows[limit - 1].participant.id if len(rows) > limit else "",
        )

    @api.get("/studies/{study}/annotations", operation_id="list_annotations")
    async def list_annotations(
        study: Annotated[Study, Depends(readable)], after: Cursor = "", limit: Limit = 50
    ) -> AnnotationPage:
        """The labels of up to `limit` people, in the order of their pseudonyms."""
        page = await listing.annotations(parts, study.name, after=after, limit=limit)
        return AnnotationPage(
            annotations=[AnnotationRow.model_validate(one) for one in page.annotations], next=page.next
        )

    return api


def _unauthorized() -> HTTPException:
    return HTTPException(
        401, "a token made on the owner's page is wanted, as `Authorization: Bearer …`", {"WWW-Authenticate": "Bearer"}
    )


def _study(study: Study) -> dict[str, Any]:
    return {
        "name": study.name,
        "title": dict(study.title.by_language),
        "languages": list(study.languages),
        "tasks": [task.name for task in study.tasks],
        "conditions": [condition.name for condition in study.conditions],
    }


def _item_cursor(row: ports.ItemProgress) -> str:
    return f"{row.task}/{row.condition}/{row.item}"


def _person(row: ports.PersonRow) -> PersonRow:
    person = row.participant
    return PersonRow(
        annotator=person.id,
        condition=person.condition,
        language=person.language,
        origin=person.origin,
        ending=person.ending,
        done=row.done,
        assigned=row.assigned,
        arrived_at=person.arrived_at,
        last_seen_at=row.last_seen_at,
        ended_at=person.ended_at,
    )
