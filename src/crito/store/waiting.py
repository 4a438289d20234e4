"""What waits for an owner, and sums that are kept: marks of guards that were seen, budgets, time of keeping, minutes."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, bindparam, func, literal_column, select

from crito.model.ids import AnnotatorId, RunId, StudyName
from crito.model.record import BudgetNote, PersonMinutes, SeenMark
from crito.services.ports.owner import FinishedPerson
from crito.store.erasing import KEPT
from crito.store.prepared import among
from crito.store.rows import Rows, columns_of, values_of
from crito.store.tables.access import transcript_readings
from crito.store.tables.agents import budgets
from crito.store.tables.columns import UtcTime
from crito.store.tables.owner import minutes, seen_marks
from crito.store.tables.people import participants
from crito.store.tables.record import MARKED, runs, turns

IS_MARKED: ColumnElement[Any] = literal_column(MARKED)
"""As the index of marked turns says it; of the type Boolean it would be compared with 1, and no index would know it."""

_SEEN: Select[Any] = (
    select(literal_column("1")).where(seen_marks.c.run == turns.c.run, seen_marks.c.at >= turns.c.at).correlate(turns)
)
# A program that takes transcripts by the API has seen nothing.
_READ: Select[Any] = (
    select(literal_column("1"))
    .where(
        transcript_readings.c.assignment == runs.c.assignment,
        transcript_readings.c.account != literal_column("''"),
        transcript_readings.c.at >= turns.c.at,
    )
    .correlate(turns, runs)
)
UNSEEN_RUNS = (
    select(turns.c.run)
    .join(runs, runs.c.id == turns.c.run)
    .join(participants, participants.c.id == turns.c.annotator)
    .where(
        turns.c.study == bindparam("study"),
        IS_MARKED,
        runs.c.assignment.is_not(None),
        func.coalesce(participants.c.ending, "") != "withdrawn",
        ~_SEEN.exists(),
        ~_READ.exists(),
    )
    .distinct()
)
"""Dialogues in which a guard marked a turn that nobody has seen."""

_N_UNSEEN = select(func.count()).select_from(UNSEEN_RUNS.subquery())
_SEEN_BY = (
    select(*columns_of(seen_marks, SeenMark))
    .where(among(seen_marks.c.run, "runs"))
    .union_all(
        select(runs.c.id, *(transcript_readings.c[name] for name in ("account", "reader", "at")))
        .join(runs, runs.c.assignment == transcript_readings.c.assignment)
        .where(among(runs.c.id, "runs"), transcript_readings.c.account != "")
    )
)
_BUDGET = (
    select(*columns_of(budgets, BudgetNote))
    .where(budgets.c.study == bindparam("study"))
    .order_by(budgets.c.ordinal.desc())
    .limit(1)
)
_N_DUE = select(func.count()).select_from(
    KEPT.where(
        participants.c.study_version == bindparam("version"),
        participants.c.arrived_at <= bindparam("until", type_=UtcTime()),
    ).subquery()
)
_FINISHED = (participants.c.study == bindparam("study"), participants.c.ending == literal_column("'done'"))
_MINUTES = (
    select(*columns_of(minutes, PersonMinutes), participants.c.condition, participants.c.language)
    .join(participants, participants.c.id == minutes.c.annotator)
    .where(*_FINISHED)
    .order_by(participants.c.arrived_at.desc(), participants.c.id.desc())
)
_WITHOUT_MINUTES = (
    select(participants.c.id)
    .where(
        *_FINISHED,
        ~select(literal_column("1")).where(minutes.c.annotator == participants.c.id).correlate(participants).exists(),
    )
    .order_by(participants.c.arrived_at.desc(), participants.c.id.desc())
    .limit(bindparam("limit"))
)


class WaitingRows(Rows):
    """What `Tx` says about what waits for an owner, and of minutes."""

    def count_unseen(self, study: StudyName) -> int:
        return int(self._first(_N_UNSEEN, {"study": study})[0])

    def unseen_runs(self, study: StudyName) -> Sequence[RunId]:
        return [row.run for row in self._rows(UNSEEN_RUNS, {"study": study})]

    def add_seen_marks(self, study: StudyName, marks: Sequence[SeenMark]) -> None:
        self._add(seen_marks, *(values_of(mark, study=study) for mark in marks))

    def seen_by(self, runs: Sequence[RunId]) -> Mapping[RunId, SeenMark]:
        latest: dict[RunId, SeenMark] = {}
        for mark in self._each(SeenMark, _SEEN_BY, {"runs": list(runs)}):
            if mark.run not in latest or latest[mark.run].at < mark.at:
                latest[mark.run] = mark
        return latest

    def add_budget(self, study: StudyName, note: BudgetNote) -> None:
        self._add(budgets, values_of(note, study=study))

    def budget(self, study: StudyName) -> BudgetNote | None:
        found = self._each(BudgetNote, _BUDGET, {"study": study})
        return found[0] if found else None

    def count_due(self, study: StudyName, until: Mapping[int, datetime]) -> int:
        return sum(
            int(self._first(_N_DUE, {"study": study, "version": version, "until": moment})[0])
            for version, moment in until.items()
        )

    def keep_minutes(self, study: StudyName, people: Sequence[PersonMinutes]) -> None:
        rows: list[dict[str, Any]] = [values_of(one, study=study) for one in people]
        self._add_missing(minutes, rows)

    def minutes(self, study: StudyName) -> Sequence[FinishedPerson]:
        return [
            FinishedPerson(PersonMinutes(*row[:-2]), row[-2], row[-1]) for row in self._rows(_MINUTES, {"study": study})
        ]

    def without_minutes(self, study: StudyName, limit: int) -> Sequence[AnnotatorId]:
        return [row.id for row in self._rows(_WITHOUT_MINUTES, {"study": study, "limit": limit})]
