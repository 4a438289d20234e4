"""Blind evidence: draws and what they chose among, requests for labels, and what one annotator has seen of an item."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, func, select, update

from crito.model.ids import AnnotatorId, AssignmentId, DrawId, ItemId, LabellingId, RequestId, StudyName, TaskName
from crito.model.record import (
    Annotation,
    Assignment,
    BlindDraw,
    DrawnItem,
    Exposure,
    LabelOutcome,
    LabelRequest,
    Tuning,
)
from crito.services.ports.record import Seen
from crito.store.labellings import OUTCOME, outcome_of
from crito.store.places import rank_of
from crito.store.prepared import among
from crito.store.rows import Rows, columns_of, values_of
from crito.store.tables.agents import outcomes
from crito.store.tables.evidence import blind_draws as draws
from crito.store.tables.evidence import drawn_items as drawn
from crito.store.tables.evidence import label_requests as requests_
from crito.store.tables.evidence import tunings as tunings_
from crito.store.tables.people import participants
from crito.store.tables.places import assignments
from crito.store.tables.record import annotations, exposures, runs

_DRAWS = select(*columns_of(draws, BlindDraw)).where(draws.c.study == bindparam("study")).order_by(draws.c.ordinal)
_DRAWN = (
    select(*columns_of(drawn, DrawnItem))
    .where(drawn.c.study == bindparam("study"), among(drawn.c.draw, "draws"))
    .order_by(drawn.c.draw, drawn.c.item)
)
_DRAWS_OF_ITEM = (
    select(*columns_of(draws, BlindDraw), *columns_of(drawn, DrawnItem))
    .join(drawn, drawn.c.draw == draws.c.id)
    .where(drawn.c.study == bindparam("study"), drawn.c.item == bindparam("item"))
    .order_by(draws.c.ordinal)
)
_N_DRAW_FIELDS = len(columns_of(draws, BlindDraw))
_SEED = select(draws.c.seed).where(draws.c.id == bindparam("draw"))
_REVEAL = (
    update(draws)
    .where(draws.c.id == bindparam("of_draw"), draws.c.revealed_at.is_(None))
    .values(revealed_at=bindparam("new_revealed_at"))
)
_REQUEST_COLUMNS = columns_of(requests_, LabelRequest)
_REQUESTS = select(*_REQUEST_COLUMNS).where(requests_.c.study == bindparam("study")).order_by(requests_.c.ordinal)
_REQUEST_OF = select(*_REQUEST_COLUMNS).where(requests_.c.assignment == bindparam("assignment"))
_KNOWS = (
    select(assignments.c.id)
    .where(assignments.c.annotator == bindparam("annotator"), assignments.c.item == requests_.c.item)
    .exists()
)
_WAITING = (
    select(*_REQUEST_COLUMNS)
    .where(requests_.c.study == bindparam("study"), requests_.c.assignment.is_(None), requests_.c.rank >= 0)
    .order_by(requests_.c.rank, requests_.c.ordinal)
    .limit(1)
)
# Two searches, each of which ends at its first row; that ranks are at least 0 leads SQLite to the index in their order.
_OWN_FIRST = (
    _WAITING.where(requests_.c.asked_of == bindparam("annotator")),
    _WAITING.where(requests_.c.asked_of == "", ~_KNOWS),
)
_PATIENTLY = (
    *(search.with_for_update(of=requests_, skip_locked=True) for search in _OWN_FIRST),
    *(search.with_for_update(of=requests_) for search in _OWN_FIRST),
)
_HOLD = (
    update(requests_)
    .where(requests_.c.id == bindparam("of_request"), requests_.c.assignment.is_(None))
    .values(assignment=bindparam("holder"))
)
_PURPOSES = (
    select(requests_.c.purpose)
    .join(assignments, assignments.c.id == requests_.c.assignment)
    .where(assignments.c.annotator == bindparam("annotator"), requests_.c.item == bindparam("item"))
)
_TUNINGS = select(*columns_of(tunings_, Tuning)).where(tunings_.c.study == bindparam("study")).order_by(tunings_.c.item)
_LABELLED = (
    select(annotations.c.item)
    .join(participants, participants.c.id == annotations.c.annotator)
    .where(
        annotations.c.study == bindparam("study"),
        annotations.c.task == bindparam("task"),
        func.coalesce(participants.c.ending, "") != "withdrawn",
    )
    .distinct()
)
_SEEN_ANNOTATIONS, _SEEN_EXPOSURES = (
    select(*columns_of(table, kind))
    .where(table.c.study == bindparam("study"), table.c.annotator == bindparam("annotator"))
    .where(table.c.item == bindparam("item"))
    .order_by(table.c.seq)
    for table, kind in ((annotations, Annotation), (exposures, Exposure))
)
_ASSIGNMENTS = (
    select(*columns_of(assignments, Assignment))
    .where(
        assignments.c.annotator == bindparam("annotator"),
        among(assignments.c.status, "statuses"),
    )
    .order_by(assignments.c.position)
)
_ASSIGNMENT = select(*columns_of(assignments, Assignment)).where(assignments.c.id == bindparam("assignment"))
_COUNTS = (
    select(assignments.c.status, func.count().label("n"))
    .where(assignments.c.annotator == bindparam("annotator"))
    .group_by(assignments.c.status)
)
_OUTCOME_ON = (
    select(*OUTCOME)
    .join(runs, runs.c.id == outcomes.c.run)
    .where(
        outcomes.c.labelling == bindparam("labelling"),
        outcomes.c.item == bindparam("item"),
        runs.c.item_hash == bindparam("item_hash"),
    )
    .order_by(runs.c.revision.desc())
    .limit(1)
)


class BlindRows(Rows):
    """What `Tx` says about blind evidence."""

    def add_blind_draw(self, draw: BlindDraw, seed: str, items: Sequence[DrawnItem]) -> None:
        self._add(draws, values_of(draw, seed=seed))
        self._add(drawn, *(values_of(item, study=draw.study) for item in items))

    def blind_draws(self, study: StudyName) -> Sequence[BlindDraw]:
        return self._each(BlindDraw, _DRAWS, {"study": study})

    def drawn_items(self, study: StudyName, draws: Sequence[DrawId]) -> Sequence[DrawnItem]:
        return self._each(DrawnItem, _DRAWN, {"study": study, "draws": list(draws)})

    def draws_of_item(self, study: StudyName, item: ItemId) -> Sequence[tuple[BlindDraw, DrawnItem]]:
        return [
            (BlindDraw(*row[:_N_DRAW_FIELDS]), DrawnItem(*row[_N_DRAW_FIELDS:]))
            for row in self._rows(_DRAWS_OF_ITEM, {"study": study, "item": item})
        ]

    def blind_seed(self, draw: DrawId) -> str:
        seed: str = self._first(_SEED, {"draw": draw}).seed
        return seed

    def reveal_draw(self, draw: DrawId, at: datetime) -> None:
        self._run(_REVEAL, {"of_draw": draw, "new_revealed_at": at})

    def add_requests(self, requests: Sequence[LabelRequest], *, seed: int) -> None:
        self._add(
            requests_,
            *(
                values_of(request, rank=rank_of(seed, request.task, request.condition, request.item, request.number))
                for request in requests
            ),
        )

    def requests(self, study: StudyName) -> Sequence[LabelRequest]:
        return self._each(LabelRequest, _REQUESTS, {"study": study})

    def take_request(self, study: StudyName, annotator: AnnotatorId, assignment: AssignmentId) -> LabelRequest | None:
        for statement in _PATIENTLY:
            row = self._first(statement, {"study": study, "annotator": annotator})
            if row is not None:
                self._run(_HOLD, {"of_request": row.id, "holder": assignment})
                return LabelRequest(**{**row._asdict(), "assignment": assignment})
        return None

    def retake_request(self, request: RequestId, assignment: AssignmentId) -> bool:
        return self._run(_HOLD, {"of_request": request, "holder": assignment}) == 1

    def request_of(self, assignment: AssignmentId) -> LabelRequest | None:
        row = self._first(_REQUEST_OF, {"assignment": assignment})
        return LabelRequest(*row) if row else None

    def purposes_met(self, annotator: AnnotatorId, item: ItemId) -> Sequence[str]:
        return [row.purpose for row in self._rows(_PURPOSES, {"annotator": annotator, "item": item})]

    def add_tunings(self, tunings: Sequence[Tuning]) -> None:
        self._add_missing(tunings_, [values_of(tuning) for tuning in tunings])

    def tunings(self, study: StudyName) -> Sequence[Tuning]:
        return self._each(Tuning, _TUNINGS, {"study": study})

    def labelled_items(self, study: StudyName, task: TaskName) -> frozenset[ItemId]:
        return frozenset(row.item for row in self._rows(_LABELLED, {"study": study, "task": task}))

    def seen(self, study: StudyName, annotator: AnnotatorId, item: ItemId) -> Seen:
        whose: dict[str, Any] = {"study": study, "annotator": annotator, "item": item}
        return Seen(
            self._each(Annotation, _SEEN_ANNOTATIONS, whose),
            self._each(Exposure, _SEEN_EXPOSURES, whose),
        )

    def assignments_of(self, annotator: AnnotatorId, statuses: Sequence[str]) -> Sequence[Assignment]:
        return self._each(Assignment, _ASSIGNMENTS, {"annotator": annotator, "statuses": list(statuses)})

    def assignment(self, assignment: AssignmentId) -> Assignment | None:
        row = self._first(_ASSIGNMENT, {"assignment": assignment})
        return Assignment(*row) if row else None

    def count_assignments(self, annotator: AnnotatorId) -> Mapping[str, int]:
        return {row.status: row.n for row in self._rows(_COUNTS, {"annotator": annotator})}

    def outcome_on(self, labelling: LabellingId, item: ItemId, item_hash: str) -> LabelOutcome | None:
        row = self._first(_OUTCOME_ON, {"labelling": labelling, "item": item, "item_hash": item_hash})
        return outcome_of(row) if row else None
