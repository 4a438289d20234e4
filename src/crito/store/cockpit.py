"""What the owner's pages list: people, dialogues, places, labels; and decisions to leave somebody out."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Boolean,
    ColumnElement,
    ScalarSelect,
    Select,
    and_,
    bindparam,
    case,
    func,
    literal,
    literal_column,
    or_,
    select,
    tuple_,
)

from crito.model.ids import AnnotatorId, ItemId, StudyName, TaskName
from crito.model.record import Annotation, Exclusion, Participant
from crito.services.ports.owner import (
    ALL_TALKS,
    EVERYONE,
    ActivePerson,
    HeldPlaces,
    LabelCount,
    ListedTalk,
    PeopleWanted,
    PersonRow,
    TalksWanted,
)
from crito.store.prepared import Values, among
from crito.store.rows import Rows, columns_of, values_of
from crito.store.tables.agents import calls
from crito.store.tables.columns import UtcTime
from crito.store.tables.owner import exclusions
from crito.store.tables.people import events, participants
from crito.store.tables.places import assignments
from crito.store.tables.record import annotations, runs, turns
from crito.store.waiting import IS_MARKED, UNSEEN_RUNS

_TEXT = participants.c.id.type


def _given(name: str) -> ColumnElement[Any]:
    return bindparam(name, type_=_TEXT)


def _unless_empty(column: ColumnElement[Any], name: str) -> ColumnElement[bool]:
    return or_(_given(name) == "", column == _given(name))


def _like(column: ColumnElement[Any]) -> ColumnElement[bool]:
    return column.like(_given("pattern"), escape="\\")


def _pattern(search: str) -> str:
    """What `LIKE` takes for anything that holds `search`."""
    return "%" + search.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"


def _flag(name: str) -> ColumnElement[bool]:
    return bindparam(name, type_=Boolean())


def _of_person(figure: Select[Any]) -> ScalarSelect[Any]:
    return figure.correlate(participants).scalar_subquery()


_THEIRS = select(func.count()).where(assignments.c.annotator == participants.c.id)
_LAST_TRACES = tuple(
    _of_person(select(func.max(moment)).where(moment.table.c.annotator == participants.c.id))
    for moment in (events.c.at, annotations.c.submitted_at, turns.c.at)
)
_LEASE = _of_person(
    select(func.max(assignments.c.lease_until)).where(
        assignments.c.annotator == participants.c.id, assignments.c.status == "open"
    )
)
_OPENED = _of_person(
    select(events.c.about)
    .where(events.c.annotator == participants.c.id, events.c.kind == "opened")
    .order_by(events.c.ordinal.desc())
    .limit(1)
)
_LAST_DECISION = (
    select(exclusions.c.excluded)
    .where(exclusions.c.annotator == participants.c.id)
    .order_by(exclusions.c.ordinal.desc())
    .limit(1)
)
_EXCLUDED = func.coalesce(_of_person(_LAST_DECISION), literal(False, Boolean()))
_REASON = _of_person(
    select(case((exclusions.c.excluded, exclusions.c.reason), else_=literal("")))
    .where(exclusions.c.annotator == participants.c.id)
    .order_by(exclusions.c.ordinal.desc())
    .limit(1)
)
_MARK = participants.alias("mark")
_WANTED = (
    participants.c.study == bindparam("study"),
    or_(_given("search") == "", _like(participants.c.id)),
    or_(_given("ending") == "", func.coalesce(participants.c.ending, "active") == _given("ending")),
    _unless_empty(participants.c.condition, "condition"),
    or_(~_flag("asks_excluded"), _flag("excluded") == _EXCLUDED),
    or_(~_flag("asks_ids"), among(participants.c.id, "ids")),
)
_PEOPLE = (
    select(
        *columns_of(participants, Participant),
        _of_person(_THEIRS.where(assignments.c.status == "done")),
        _of_person(_THEIRS),
        *_LAST_TRACES,
        _LEASE,
        func.coalesce(_OPENED, ""),
        func.coalesce(_REASON, ""),
    )
    .where(
        *_WANTED,
        or_(
            _given("after") == "",
            select(literal(1))
            .where(
                _MARK.c.id == _given("after"),
                or_(
                    participants.c.arrived_at < _MARK.c.arrived_at,
                    and_(participants.c.arrived_at == _MARK.c.arrived_at, participants.c.id < _MARK.c.id),
                ),
            )
            .exists(),
        ),
    )
    .order_by(participants.c.arrived_at.desc(), participants.c.id.desc())
    .limit(bindparam("limit"))
)
_N_PEOPLE = select(func.count()).select_from(participants).where(*_WANTED)
_ACTIVE = select(
    participants.c.id,
    participants.c.condition,
    participants.c.role,
    func.coalesce(_OPENED, ""),
    participants.c.arrived_at,
    *_LAST_TRACES,
    _LEASE,
    select(literal(1))
    .where(events.c.annotator == participants.c.id, events.c.kind == literal_column("'failed'"))
    .correlate(participants)
    .exists(),
).where(participants.c.study == bindparam("study"), participants.c.ending.is_(None))

_HELD = (
    select(assignments.c.item, assignments.c.status, func.count())
    .where(
        assignments.c.study == bindparam("study"),
        assignments.c.task == bindparam("task"),
        assignments.c.condition == bindparam("condition"),
        among(assignments.c.item, "items"),
        assignments.c.status.in_([literal_column("'open'"), literal_column("'done'")]),
    )
    .group_by(assignments.c.item, assignments.c.status)
)

_FIRST, _LATER = turns.alias("first"), turns.alias("later")
_FIRST_TURN = (_FIRST.c.step == literal_column("0"), _FIRST.c.index == literal_column("0"))
_OF_RUN = select(func.count()).select_from(_LATER).where(_LATER.c.run == _FIRST.c.run).correlate(_FIRST)


def _marked_in(run: ColumnElement[Any]) -> Select[Any]:
    return select(func.count()).select_from(turns).where(turns.c.run == run, IS_MARKED).correlate(_FIRST)


_MARKED_RUNS = select(turns.c.run).where(turns.c.study == bindparam("study"), IS_MARKED)
_TALKS_WANTED = (
    _FIRST.c.study == bindparam("study"),
    *_FIRST_TURN,
    func.coalesce(participants.c.ending, "") != "withdrawn",
    or_(_given("search") == "", _like(assignments.c.annotator), _like(assignments.c.item)),
    _unless_empty(assignments.c.task, "task"),
    _unless_empty(assignments.c.condition, "condition"),
    or_(~_flag("asks_marked"), _FIRST.c.run.in_(_MARKED_RUNS)),
    or_(~_flag("asks_unseen"), _FIRST.c.run.in_(UNSEEN_RUNS)),
    or_(~_flag("asks_runs"), among(runs.c.id, "runs")),
    or_(~_flag("asks_assignments"), among(assignments.c.id, "assignments")),
)
_FIRST_TURNS = (
    _FIRST.join(runs, runs.c.id == _FIRST.c.run)
    .join(assignments, assignments.c.id == runs.c.assignment)
    .join(participants, participants.c.id == assignments.c.annotator)
)
_TALK_MARK = turns.alias("mark_turn")
_TALKS = (
    select(
        runs.c.id,
        assignments.c.id,
        assignments.c.annotator,
        assignments.c.task,
        assignments.c.item,
        assignments.c.item_hash,
        assignments.c.condition,
        assignments.c.status,
        _FIRST.c.at,
        select(func.max(_LATER.c.at)).where(_LATER.c.run == _FIRST.c.run).correlate(_FIRST).scalar_subquery(),
        _OF_RUN.where(_LATER.c.kind == "person").scalar_subquery(),
        _marked_in(_FIRST.c.run).scalar_subquery(),
    )
    .select_from(_FIRST_TURNS)
    .where(
        *_TALKS_WANTED,
        or_(
            _given("after") == "",
            select(literal(1))
            .where(
                _TALK_MARK.c.run == _given("after"),
                _TALK_MARK.c.step == 0,
                _TALK_MARK.c.index == 0,
                or_(
                    _FIRST.c.at < _TALK_MARK.c.at,
                    and_(_FIRST.c.at == _TALK_MARK.c.at, _FIRST.c.run < _TALK_MARK.c.run),
                ),
            )
            .exists(),
        ),
    )
    .order_by(_FIRST.c.at.desc(), _FIRST.c.run.desc())
    .limit(bindparam("limit"))
)
_N_TALKS = select(func.count()).select_from(_FIRST_TURNS).where(*_TALKS_WANTED)

_REVISED = annotations.alias("revised")
_REVISION_AFTER = (
    select(_REVISED.c.annotator)
    .where(
        *(_REVISED.c[name] == annotations.c[name] for name in ("annotator", "task", "item", "round")),
        _REVISED.c.revision > annotations.c.revision,
    )
    .exists()
)
# Revisions are numbered one by one, and few labels have any: a small list is looked through, not every label looked up.
_REPLACED = select(_REVISED.c.annotator, _REVISED.c.item, _REVISED.c.revision - literal_column("1")).where(
    _REVISED.c.study == bindparam("study"),
    _REVISED.c.task == bindparam("task"),
    _REVISED.c.round == literal_column("0"),
    _REVISED.c.revision > literal_column("0"),
)
_WITHDRAWN = select(participants.c.id).where(
    participants.c.study == bindparam("study"), participants.c.ending == literal_column("'withdrawn'")
)
# Label and state apart, in the order of the index of first labels: their rows are counted as they are read.
_LABELS = (
    select(annotations.c.item, func.coalesce(annotations.c.label, annotations.c.state), func.count())
    .where(
        annotations.c.study == bindparam("study"),
        annotations.c.task == bindparam("task"),
        annotations.c.round == literal_column("0"),
        annotations.c.annotator.not_in(_WITHDRAWN),
        tuple_(annotations.c.annotator, annotations.c.item, annotations.c.revision).not_in(_REPLACED),
    )
    .group_by(annotations.c.item, annotations.c.label, annotations.c.state)
    .order_by(annotations.c.item, func.count().desc(), func.coalesce(annotations.c.label, annotations.c.state))
)
_LABELS_OF_SOME = _LABELS.where(among(annotations.c.item, "items"))
_LABELS_ON = (
    select(*columns_of(annotations, Annotation))
    .join(participants, participants.c.id == annotations.c.annotator)
    .where(
        annotations.c.study == bindparam("study"),
        annotations.c.task == bindparam("task"),
        annotations.c.item == bindparam("item"),
        func.coalesce(participants.c.ending, "") != "withdrawn",
        ~_REVISION_AFTER,
    )
    .order_by(annotations.c.annotator, annotations.c.round)
)
_TURN_TIMES = (
    select(turns.c.annotator, turns.c.at)
    .where(among(turns.c.annotator, "annotators"))
    .order_by(turns.c.annotator, turns.c.at)
)
_UNCERTAIN = select(func.count()).where(
    calls.c.study == bindparam("study"),
    calls.c.status == literal_column("'intended'"),
    calls.c.intended_at < bindparam("before", type_=UtcTime()),
)
_DECISIONS = (
    select(*columns_of(exclusions, Exclusion))
    .where(exclusions.c.study == bindparam("study"), among(exclusions.c.annotator, "annotators"))
    .order_by(exclusions.c.ordinal)
)


def _people_values(study: StudyName, wanted: PeopleWanted) -> Values:
    return {
        "study": study,
        "search": wanted.search,
        "pattern": _pattern(wanted.search),
        "ending": wanted.ending,
        "condition": wanted.condition,
        "asks_excluded": wanted.excluded is not None,
        "excluded": bool(wanted.excluded),
        "asks_ids": wanted.ids is not None,
        "ids": list(wanted.ids or ()),
    }


def _talk_values(study: StudyName, wanted: TalksWanted) -> Values:
    return {
        "study": study,
        "search": wanted.search,
        "pattern": _pattern(wanted.search),
        "task": wanted.task,
        "condition": wanted.condition,
        "asks_marked": wanted.marked,
        "asks_unseen": wanted.unseen,
        "asks_runs": wanted.runs is not None,
        "runs": list(wanted.runs or ()),
        "asks_assignments": wanted.assignments is not None,
        "assignments": list(wanted.assignments or ()),
    }


def _latest(*moments: datetime | None) -> datetime:
    return max(moment for moment in moments if moment is not None)


class CockpitRows(Rows):
    """What `Tx` says about the owner's lists."""

    def people(
        self, study: StudyName, *, after: str = "", limit: int = 50, wanted: PeopleWanted = EVERYONE
    ) -> Sequence[PersonRow]:
        people = []
        for row in self._rows(_PEOPLE, {**_people_values(study, wanted), "after": after, "limit": limit}):
            *of_participant, done, assigned, event_at, annotation_at, turn_at, lease_until, opened, reason = row
            person = Participant(*of_participant)
            last_seen_at = _latest(person.arrived_at, event_at, annotation_at, turn_at)
            people.append(PersonRow(person, done, assigned, last_seen_at, lease_until, opened, reason))
        return people

    def count_wanted(self, study: StudyName, wanted: PeopleWanted) -> int:
        return int(self._first(_N_PEOPLE, _people_values(study, wanted))[0])

    def active_people(self, study: StudyName) -> Sequence[ActivePerson]:
        return [
            ActivePerson(row[0], row[1], row[2], row[3], _latest(*row[4:8]), row[8], bool(row[9]))
            for row in self._rows(_ACTIVE, {"study": study})
        ]

    def held_places(
        self, study: StudyName, task: TaskName, condition: str, items: Sequence[ItemId]
    ) -> Sequence[HeldPlaces]:
        wanted = {"study": study, "task": task, "condition": condition, "items": list(items)}
        return self._each(HeldPlaces, _HELD, wanted)

    def listed_talks(
        self, study: StudyName, *, after: str = "", limit: int = 50, wanted: TalksWanted = ALL_TALKS
    ) -> Sequence[ListedTalk]:
        return self._each(ListedTalk, _TALKS, {**_talk_values(study, wanted), "after": after, "limit": limit})

    def count_listed_talks(self, study: StudyName, wanted: TalksWanted) -> int:
        return int(self._first(_N_TALKS, _talk_values(study, wanted))[0])

    def label_counts(self, study: StudyName, task: TaskName, items: Sequence[ItemId] | None) -> Sequence[LabelCount]:
        if items is None:
            return self._each(LabelCount, _LABELS, {"study": study, "task": task})
        return self._each(LabelCount, _LABELS_OF_SOME, {"study": study, "task": task, "items": list(items)})

    def labels_on(self, study: StudyName, task: TaskName, item: ItemId) -> Sequence[Annotation]:
        return self._each(Annotation, _LABELS_ON, {"study": study, "task": task, "item": item})

    def turn_times(self, annotators: Sequence[AnnotatorId]) -> Mapping[AnnotatorId, Sequence[datetime]]:
        found: dict[AnnotatorId, list[datetime]] = {}
        for row in self._rows(_TURN_TIMES, {"annotators": list(annotators)}):
            found.setdefault(row.annotator, []).append(row.at)
        return found

    def count_uncertain(self, study: StudyName, before: datetime) -> int:
        return int(self._first(_UNCERTAIN, {"study": study, "before": before})[0])

    def add_exclusion(self, exclusion: Exclusion) -> None:
        self._add(exclusions, values_of(exclusion), study_of="annotator")

    def exclusions(self, study: StudyName, annotators: Sequence[AnnotatorId]) -> Sequence[Exclusion]:
        return self._each(Exclusion, _DECISIONS, {"study": study, "annotators": list(annotators)})
