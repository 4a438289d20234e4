"""The API for programs: studies, items, people, annotations and transcripts, page by page; by token, each for its scopes."""

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, HTTPException, Query
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel, ConfigDict

from crito.model.access import ApiToken, HostedState, Scope
from crito.model.errors import Conflict, Forbidden, NotFound
from crito.model.ids import AccountId
from crito.model.study import Study
from crito.services import hosting, listing, overview, reading, tokens
from crito.services.parts import Parts
from crito.services.ports import owner
from crito.services.reading import Reader

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

    state: HostedState
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


class TurnRow(BaseModel):
    """One turn of a dialogue; `text` is null where the person took their words back."""

    model_config = ConfigDict(from_attributes=True)

    speaker: str
    kind: str
    text: str | None
    violations: Sequence[str]
    at: datetime


class TranscriptRow(BaseModel):
    """One dialogue about one item."""

    assignment: str
    annotator: str
    task: str
    item: str
    item_hash: str
    condition: str
    turns: Sequence[TurnRow]


class TranscriptPage(BaseModel):
    """`next` is empty on the last page."""

    transcripts: Sequence[TranscriptRow]
    next: str


class NewState(BaseModel):
    """How a study shall stand; archiving is left to people."""

    model_config = ConfigDict(extra="forbid")

    state: Literal["open", "paused"]


class KeptState(BaseModel):
    state: HostedState


REFUSALS: dict[int | str, dict[str, Any]] = {
    401: {"model": Problem, "description": "No token, or one that is good for nothing here."},
    403: {"model": Problem, "description": "The token is for another study, or not for this."},
    404: {"model": Problem, "description": "There is no such study here."},
}


ARCHIVED: dict[int | str, dict[str, Any]] = {409: {"model": Problem, "description": "The study is archived."}}


def scope_of(route: Any) -> Scope | None:
    """The scope that a route of the API asks of a token; None for one that any token opens."""
    scope: Scope | None = (getattr(route, "openapi_extra", None) or {}).get(SCOPE)
    return scope


SCOPE = "x-scope"
"""Where the description of the API says which scope an operation asks for."""


def _for(scope: Scope) -> dict[str, str]:
    return {SCOPE: scope}


def router(parts: Parts) -> APIRouter:
    """The routes below `/api/v1`."""
    api = APIRouter(prefix="/api/v1", responses=REFUSALS)
    bearer = HTTPBearer(auto_error=False, description="A token made on the owner's page.")

    async def token_of(given: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]) -> ApiToken:
        token = await tokens.token_of(parts, given.credentials) if given else None
        # Someone without any good token learns nothing about which studies there are.
        if token is None:
            raise _unauthorized()
        return token

    def allowed(scope: Scope) -> Callable[[str, ApiToken], Awaitable[Study]]:
        """The study of the address, for tokens of this study with this scope."""

        async def allowed_study(study: str, token: Annotated[ApiToken, Depends(token_of)]) -> Study:
            hosted = await listing.studies(parts)
            wanted = next((one for one in hosted if one.name == study), None)
            if wanted is None:
                raise NotFound(f"there is no study {study!r} here")
            if wanted.name != token.study:
                raise Forbidden(f"this token does not open the study {study!r}")
            if scope not in token.scopes:
                raise Forbidden(f"this token may not {scope}; it may {', '.join(token.scopes)}")
            return wanted

        return allowed_study

    @api.get("/studies", operation_id="list_studies", tags=["read"])
    async def list_studies(token: Annotated[ApiToken, Depends(token_of)]) -> StudyPage:
        """The studies that this token may read."""
        mine = [one for one in await listing.studies(parts) if one.name == token.study]
        return StudyPage(studies=[StudyRow(**_study(one)) for one in mine])

    @api.get("/studies/{study}", operation_id="show_study", tags=["read"], openapi_extra=_for("read:study"))
    async def show_study(study: Annotated[Study, Depends(allowed("read:study"))]) -> StudyState:
        """One study and how far it is."""
        progress = await overview.progress(parts, study.name)
        statuses = Counter[str]()
        for count in progress.assignments:
            statuses[count.status] += count.assignments
        state = await hosting.state(parts, study.name)
        return StudyState(**_study(study), state=state, assignments=statuses, people=progress.people)

    @api.get("/studies/{study}/items", operation_id="list_items", tags=["read"], openapi_extra=_for("read:study"))
    async def list_items(
        study: Annotated[Study, Depends(allowed("read:study"))], after: Cursor = "", limit: Limit = 50
    ) -> ItemPage:
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

    @api.get("/studies/{study}/people", operation_id="list_people", tags=["read"], openapi_extra=_for("read:people"))
    async def list_people(
        study: Annotated[Study, Depends(allowed("read:people"))], after: Cursor = "", limit: Limit = 50
    ) -> PersonPage:
        """People, the newest first."""
        rows = await overview.people(parts, study.name, after=after, limit=limit + 1)
        return PersonPage(
            people=[_person(row) for row in rows[:limit]],
            next=rows[limit - 1].participant.id if len(rows) > limit else "",
        )

    @api.get(
        "/studies/{study}/annotations",
        operation_id="list_annotations",
        tags=["read"],
        openapi_extra=_for("read:labels"),
    )
    async def list_annotations(
        study: Annotated[Study, Depends(allowed("read:labels"))], after: Cursor = "", limit: Limit = 50
    ) -> AnnotationPage:
        """The labels of up to `limit` people, in the order of their pseudonyms."""
        page = await listing.annotations(parts, study.name, after=after, limit=limit)
        return AnnotationPage(
            annotations=[AnnotationRow.model_validate(one) for one in page.annotations], next=page.next
        )

    @api.get(
        "/studies/{study}/transcripts",
        operation_id="list_transcripts",
        tags=["read"],
        openapi_extra=_for("read:transcripts"),
    )
    async def list_transcripts(
        study: Annotated[Study, Depends(allowed("read:transcripts"))],
        token: Annotated[ApiToken, Depends(token_of)],
        after: Cursor = "",
        limit: Limit = 50,
    ) -> TranscriptPage:
        """Dialogues in the order of their assignments; the owner's log of readings has each of them under the token's name."""
        reader = Reader(AccountId(""), token.name)
        found = await reading.read_transcripts(parts, study.name, reader, after=after, limit=limit)
        more = bool(found) and bool(await reading.talks(parts, study.name, after=found[-1].talk.assignment, limit=1))
        return TranscriptPage(
            transcripts=[_transcript(one) for one in found], next=found[-1].talk.assignment if more else ""
        )

    @api.post(
        "/studies/{study}/state",
        operation_id="set_state",
        tags=["write"],
        openapi_extra=_for("write:state"),
        responses=ARCHIVED,
    )
    async def set_state(study: Annotated[Study, Depends(allowed("write:state"))], wanted: NewState) -> KeptState:
        """Pause a study, or open it again. Paused, it takes nobody new, and who is under way may finish."""
        if await hosting.state(parts, study.name) == "archived":
            raise Conflict(f"study {study.name!r} is archived; an owner opens it again")
        await hosting.set_state(parts, study.name, wanted.state)
        return KeptState(state=await hosting.state(parts, study.name))

    return api


def _transcript(one: reading.Transcript) -> TranscriptRow:
    talk = one.talk
    return TranscriptRow(
        assignment=talk.assignment,
        annotator=talk.annotator,
        task=talk.task,
        item=talk.item,
        item_hash=talk.item_hash,
        condition=talk.condition,
        turns=[TurnRow.model_validate(turn) for turn in one.turns],
    )


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


def _item_cursor(row: owner.ItemProgress) -> str:
    return f"{row.task}/{row.condition}/{row.item}"


def _person(row: owner.PersonRow) -> PersonRow:
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
