"""People: who came, where they stand, and the sessions they are known by."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, Table, and_, bindparam, func, or_, select, update

from crito.model.errors import Conflict, NotFound
from crito.model.ids import AnnotatorId, AssignmentId, StudyName
from crito.model.record import Annotation, Assignment, Draw, Event, GivenAnswer, Identity, Participant, PersonRecord
from crito.model.study import Ending
from crito.store.prepared import among
from crito.store.rows import Rows, columns_of, storable, values_of
from crito.store.tables.access import state_changes
from crito.store.tables.people import draws, events, identities, participants, sessions
from crito.store.tables.places import assignments
from crito.store.tables.record import annotations, answers, runs, turns

_PERSON = select(*columns_of(participants, Participant)).where(participants.c.id == bindparam("annotator"))
_LOCKED_PERSON = _PERSON.with_for_update()
_PAGE = (
    select(*columns_of(participants, Participant))
    .where(participants.c.study == bindparam("study"), participants.c.id > bindparam("after"))
    .order_by(participants.c.id)
    .limit(bindparam("limit"))
)


_THESE = (
    select(*columns_of(participants, Participant))
    .where(among(participants.c.id, "annotators"))
    .order_by(participants.c.id)
)
_MESSAGES = (
    select(func.count())
    .select_from(runs.join(turns, turns.c.run == runs.c.id))
    .where(runs.c.assignment == assignments.c.id, turns.c.kind == "person")
    .correlate(assignments)
    .scalar_subquery()
)


class _Parts(NamedTuple):
    """The statements that make up records."""

    assignments: Select[Any]
    annotations: Select[Any]
    events: Select[Any]
    answers: Select[Any]


def _parts(whose: Callable[[Table], ColumnElement[bool]]) -> _Parts:
    return _Parts(
        select(*columns_of(assignments, Assignment), _MESSAGES)
        .where(whose(assignments))
        .order_by(assignments.c.annotator, assignments.c.position),
        select(*columns_of(annotations, Annotation)).where(whose(annotations)).order_by(annotations.c.ordinal),
        select(*columns_of(events, Event)).where(whose(events)).order_by(events.c.ordinal),
        select(*columns_of(answers, GivenAnswer)).where(whose(answers)).order_by(answers.c.ordinal),
    )


_OF_ONE = _parts(lambda table: table.c.annotator == bindparam("annotator"))
_OF_SOME = _parts(lambda table: among(table.c.annotator, "annotators"))

_FIND = select(identities.c.annotator).where(
    identities.c.study == bindparam("study"),
    identities.c.provider == bindparam("provider"),
    identities.c.external_id == bindparam("external_id"),
)
_ENDING = bindparam("new_ending", type_=participants.c.ending.type)
_END = (
    update(participants)
    .where(
        participants.c.id == bindparam("of_person"),
        or_(
            participants.c.ending.is_(None),
            and_(_ENDING == "withdrawn", participants.c.ending != "withdrawn"),
        ),
    )
    .values(ending=_ENDING, ended_at=bindparam("new_ended_at"))
)
_SESSION = select(sessions.c.annotator).where(
    sessions.c.token_hash == bindparam("token_hash"),
    sessions.c.study == bindparam("study"),
    sessions.c.until > bindparam("now"),
    # In an archived study nobody is signed in, so nothing changes there.
    func.coalesce(
        select(state_changes.c.state)
        .where(state_changes.c.study == bindparam("study"))
        .order_by(state_changes.c.ordinal.desc())
        .limit(1)
        .scalar_subquery(),
        "open",
    )
    != "archived",
)
_DRAWS = (
    select(*columns_of(draws, Draw))
    .where(draws.c.study == bindparam("study"), among(draws.c.annotator, "annotators"))
    .order_by(draws.c.annotator, draws.c.ordinal)
)


_EXPERTS = (
    select(*columns_of(participants, Participant), identities.c.external_id)
    .select_from(
        participants.outerjoin(
            identities, and_(identities.c.annotator == participants.c.id, identities.c.provider == "expert")
        )
    )
    .where(participants.c.study == bindparam("study"), participants.c.role == "expert")
    .order_by(participants.c.arrived_at, participants.c.id)
)


def _assignment(*cells: Any) -> tuple[Assignment, int]:
    """An assignment, and how many messages the person has sent about it."""
    *of_assignment, sent = cells
    return Assignment(*of_assignment), sent


class PeopleRows(Rows):
    """What `Tx` says about people."""

    def find_person(self, study: StudyName, identity: Identity) -> AnnotatorId | None:
        row = self._first(
            _FIND, {"study": study, "provider": identity.provider, "external_id": storable(identity.external_id)}
        )
        return row.annotator if row else None

    def add_participant(self, participant: Participant, identity: Identity | None) -> None:
        self._add(participants, values_of(participant))
        if identity is not None:
            storable(identity.external_id + identity.session)
            self._add(identities, values_of(identity, study=participant.study, annotator=participant.id))

    def person(self, annotator: AnnotatorId, *, lock: bool = False) -> PersonRecord:
        row = self._first(_LOCKED_PERSON if lock else _PERSON, {"annotator": annotator})
        if row is None:
            raise NotFound(f"nobody has the pseudonym {annotator!r}")
        return self._records([Participant(*row)], _OF_ONE, {"annotator": annotator})[0]

    def participant(self, annotator: AnnotatorId, *, lock: bool = False) -> Participant:
        row = self._first(_LOCKED_PERSON if lock else _PERSON, {"annotator": annotator})
        if row is None:
            raise NotFound(f"nobody has the pseudonym {annotator!r}")
        return Participant(*row)

    def experts(self, study: StudyName) -> Sequence[tuple[Participant, str]]:
        return [(Participant(*row[:-1]), row[-1] or "") for row in self._rows(_EXPERTS, {"study": study})]

    def records(self, annotators: Sequence[AnnotatorId]) -> Sequence[PersonRecord]:
        these = {"annotators": list(annotators)}
        return self._records(self._each(Participant, _THESE, these), _OF_SOME, these) if annotators else []

    def persons(self, study: StudyName, *, after: str = "", limit: int = 200) -> Sequence[PersonRecord]:
        page = self._each(Participant, _PAGE, {"study": study, "after": after, "limit": limit})
        return self._records(page, _OF_SOME, {"annotators": [person.id for person in page]}) if page else []

    def _records(
        self, people: Sequence[Participant], parts: _Parts, whose: Mapping[str, Any]
    ) -> Sequence[PersonRecord]:
        assigned: dict[str, list[Assignment]] = defaultdict(list)
        messages: dict[str, dict[AssignmentId, int]] = defaultdict(dict)
        for assignment, sent in self._each(_assignment, parts.assignments, whose):
            assigned[assignment.annotator].append(assignment)
            if sent:
                messages[assignment.annotator][assignment.id] = sent
        labelled: dict[str, dict[object, Annotation]] = defaultdict(dict)
        for annotation in self._each(Annotation, parts.annotations, whose):
            labelled[annotation.annotator][annotation.task, annotation.item, annotation.round] = annotation
        happened: dict[str, list[Event]] = defaultdict(list)
        for event in self._each(Event, parts.events, whose):
            happened[event.annotator].append(event)
        answered: dict[str, list[GivenAnswer]] = defaultdict(list)
        for answer in self._each(GivenAnswer, parts.answers, whose):
            answered[answer.annotator].append(answer)
        return [
            PersonRecord(
                person,
                assignments=tuple(assigned.get(person.id, ())),
                annotations=tuple(labelled.get(person.id, {}).values()),
                events=tuple(happened.get(person.id, ())),
                answers=tuple(answered.get(person.id, ())),
                messages=messages.get(person.id, {}),
            )
            for person in people
        ]

    def end_participation(self, annotator: AnnotatorId, ending: Ending, at: datetime) -> None:
        if self._run(_END, {"of_person": annotator, "new_ending": ending, "new_ended_at": at}):
            return
        row = self._first(_PERSON, {"annotator": annotator})
        if row is None:
            raise NotFound(f"nobody has the pseudonym {annotator!r}")
        if row.ending != ending:
            raise Conflict(f"{annotator!r} cannot end as {ending!r}: it ended as {row.ending!r} at {row.ended_at}")

    def add_session(self, token_hash: str, annotator: AnnotatorId, until: datetime) -> None:
        self._add(sessions, {"token_hash": token_hash, "annotator": annotator, "until": until}, study_of="annotator")

    def session(self, study: StudyName, token_hash: str, now: datetime) -> AnnotatorId | None:
        row = self._first(_SESSION, {"study": study, "token_hash": token_hash, "now": now})
        return row.annotator if row else None

    def add_event(self, event: Event) -> None:
        self._add(events, values_of(event), study_of="annotator")

    def add_draw(self, draw: Draw) -> None:
        self._add(draws, values_of(draw))

    def draws(self, study: StudyName, annotators: Sequence[AnnotatorId]) -> Sequence[Draw]:
        return self._each(Draw, _DRAWS, {"study": study, "annotators": list(annotators)})
