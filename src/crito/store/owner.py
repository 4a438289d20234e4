"""What the owner sees and does: progress, people, exports, rehearsals."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import bindparam, case, delete, func, literal, or_, select, update

from crito.model.ids import StudyName
from crito.model.record import Export, Origin
from crito.services.ports.owner import ItemProgress, KeptPlaces, StatusCounts
from crito.store.rows import Rows, columns_of, values_of
from crito.store.tables.agents import calls
from crito.store.tables.erasure import erasures
from crito.store.tables.evidence import label_requests
from crito.store.tables.owner import exclusions, minutes, seen_marks
from crito.store.tables.people import draws, events, identities, participants, sessions, traits
from crito.store.tables.places import assignments, slots
from crito.store.tables.record import (
    annotations,
    answers,
    drafts,
    exposures,
    reply_leases,
    runs,
    turns,
    word_salts,
    words,
)
from crito.store.tables.record import exports as exports_
from crito.store.tables.recruiting import reviews, submissions

_PROGRESS = (
    select(
        slots.c.task,
        slots.c.condition,
        slots.c.item,
        func.count(),
        func.sum(case((assignments.c.status == "done", 1), else_=0)),
        func.sum(case((assignments.c.status == "open", 1), else_=0)),
    )
    .select_from(slots.outerjoin(assignments, assignments.c.id == slots.c.assignment))
    .where(slots.c.study == bindparam("study"))
    .group_by(slots.c.task, slots.c.condition, slots.c.item)
    .order_by(slots.c.task, slots.c.condition, slots.c.item)
)
_STATUS_COUNTS = (
    select(assignments.c.task, assignments.c.condition, assignments.c.status, func.count())
    .where(assignments.c.study == bindparam("study"))
    .group_by(assignments.c.task, assignments.c.condition, assignments.c.status)
    .order_by(assignments.c.task, assignments.c.condition, assignments.c.status)
)
_TRACES = (events.c.at, annotations.c.submitted_at, turns.c.at)
_ENDINGS = (
    select(func.coalesce(participants.c.ending, "active").label("ending"), func.count().label("people"))
    .where(participants.c.study == bindparam("study"))
    .group_by("ending")
)
_KEPT = (
    select(func.count(assignments.c.id.distinct()), func.count(runs.c.assignment.distinct()))
    .select_from(assignments.outerjoin(runs, runs.c.assignment == assignments.c.id))
    .where(
        assignments.c.study == bindparam("study"),
        assignments.c.status == "open",
        assignments.c.lease_until > bindparam("right_now"),
    )
)
_PRESENT = select(func.count()).where(
    participants.c.study == bindparam("study"),
    participants.c.ending.is_(None),
    or_(
        participants.c.arrived_at >= bindparam("since"),
        select(literal(1))
        .where(
            assignments.c.annotator == participants.c.id,
            assignments.c.status == "open",
            assignments.c.lease_until > bindparam("right_now"),
        )
        .exists(),
        *(
            select(literal(1))
            .where(moment.table.c.annotator == participants.c.id, moment >= bindparam("since"))
            .exists()
            for moment in _TRACES
        ),
    ),
)
_PLATFORM_IDS = select(identities.c.external_id).where(identities.c.study == bindparam("study"))
_FORGET = delete(identities).where(identities.c.study == bindparam("of_study"))
_OF_ORIGIN = select(func.count()).where(
    participants.c.study == bindparam("study"), participants.c.origin == bindparam("origin")
)
_EXPORTS = (
    select(*columns_of(exports_, Export)).where(exports_.c.study == bindparam("study")).order_by(exports_.c.ordinal)
)

_REHEARSED = select(participants.c.id).where(
    participants.c.study == bindparam("of_study"), participants.c.origin == "rehearsal"
)
_THEIR_ASSIGNMENTS = select(assignments.c.id).where(assignments.c.annotator.in_(_REHEARSED))
_THEIR_RUNS = select(runs.c.id).where(runs.c.assignment.in_(_THEIR_ASSIGNMENTS))
_DISCARD = (
    delete(reply_leases).where(reply_leases.c.run.in_(_THEIR_RUNS)),
    delete(calls).where(calls.c.run.in_(_THEIR_RUNS)),
    delete(seen_marks).where(seen_marks.c.run.in_(_THEIR_RUNS)),
    delete(turns).where(turns.c.annotator.in_(_REHEARSED)),
    delete(runs).where(runs.c.assignment.in_(_THEIR_ASSIGNMENTS)),
    *(
        delete(table).where(table.c.annotator.in_(_REHEARSED))
        for table in (
            annotations,
            exposures,
            answers,
            events,
            draws,
            drafts,
            sessions,
            identities,
            submissions,
            reviews,
            erasures,
            traits,
            exclusions,
            minutes,
        )
    ),
    delete(words).where(words.c.owner.in_(_REHEARSED)),
    delete(word_salts).where(word_salts.c.annotator.in_(_REHEARSED)),
    *(
        update(table).where(table.c.assignment.in_(_THEIR_ASSIGNMENTS)).values(assignment=None)
        for table in (slots, label_requests)
    ),
    delete(assignments).where(assignments.c.annotator.in_(_REHEARSED)),
)
_DISCARD_PEOPLE = delete(participants).where(
    participants.c.study == bindparam("of_study"), participants.c.origin == "rehearsal"
)


class OwnerRows(Rows):
    """What `Tx` says about the owner."""

    def progress(self, study: StudyName) -> Sequence[ItemProgress]:
        return self._each(ItemProgress, _PROGRESS, {"study": study})

    def status_counts(self, study: StudyName) -> Sequence[StatusCounts]:
        return self._each(StatusCounts, _STATUS_COUNTS, {"study": study})

    def count_people(self, study: StudyName) -> Mapping[str, int]:
        return {row.ending: row.people for row in self._rows(_ENDINGS, {"study": study})}

    def count_kept(self, study: StudyName, now: datetime) -> KeptPlaces:
        return KeptPlaces._make(self._first(_KEPT, {"study": study, "right_now": now}))

    def count_present(self, study: StudyName, now: datetime, since: datetime) -> int:
        row = self._first(_PRESENT, {"study": study, "right_now": now, "since": since})
        return row[0] if row else 0

    def platform_ids(self, study: StudyName) -> Sequence[str]:
        return [row.external_id for row in self._rows(_PLATFORM_IDS, {"study": study})]

    def forget_identities(self, study: StudyName) -> int:
        return self._run(_FORGET, {"of_study": study})

    def add_export(self, export: Export) -> None:
        self._add(exports_, values_of(export))

    def exports(self, study: StudyName) -> Sequence[Export]:
        return self._each(Export, _EXPORTS, {"study": study})

    def count_origin(self, study: StudyName, origin: Origin) -> int:
        row = self._first(_OF_ORIGIN, {"study": study, "origin": origin})
        return row[0] if row else 0

    def discard_rehearsal(self, study: StudyName) -> int:
        for statement in _DISCARD:
            self._run(statement, {"of_study": study})
        return self._run(_DISCARD_PEOPLE, {"of_study": study})
