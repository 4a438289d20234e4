"""Items left to a machine: the decisions, how they ended, and the labels accepted under them."""

from collections.abc import Mapping, Sequence

from sqlalchemy import bindparam, func, select

from crito.model.ids import HandoffId, StudyName
from crito.model.record import AcceptedLabel, Handoff, Revocation
from crito.store.rows import Rows, columns_of, values_of
from crito.store.tables.evidence import accepted_labels as accepted
from crito.store.tables.evidence import handoffs as handoffs_
from crito.store.tables.evidence import revocations as revocations_

_HANDOFFS = (
    select(*columns_of(handoffs_, Handoff))
    .where(handoffs_.c.study == bindparam("study"))
    .order_by(handoffs_.c.ordinal)
)  # fmt: skip
_REVOCATIONS = (
    select(*columns_of(revocations_, Revocation))
    .where(revocations_.c.study == bindparam("study"))
    .order_by(revocations_.c.ordinal)
)
_ACCEPTED = (
    select(*columns_of(accepted, AcceptedLabel))
    .where(accepted.c.study == bindparam("study"))
    .order_by(accepted.c.task, accepted.c.item, accepted.c.at, accepted.c.handoff)
)
_COUNT_ACCEPTED = (
    select(accepted.c.handoff, func.count().label("n"))
    .where(accepted.c.study == bindparam("study"))
    .group_by(accepted.c.handoff)
)


class HandoffRows(Rows):
    """What `Tx` says about items left to a machine."""

    def add_handoff(self, handoff: Handoff) -> None:
        self._add(handoffs_, values_of(handoff))

    def handoffs(self, study: StudyName) -> Sequence[Handoff]:
        return self._each(Handoff, _HANDOFFS, {"study": study})

    def add_revocation(self, study: StudyName, revocation: Revocation) -> bool:
        return self._add_missing(revocations_, [values_of(revocation, study=study)]) == 1

    def revocations(self, study: StudyName) -> Sequence[Revocation]:
        return self._each(Revocation, _REVOCATIONS, {"study": study})

    def accept_labels(self, study: StudyName, labels: Sequence[AcceptedLabel]) -> int:
        return self._add_missing(accepted, [values_of(label, study=study) for label in labels])

    def accepted_labels(self, study: StudyName) -> Sequence[AcceptedLabel]:
        return self._each(AcceptedLabel, _ACCEPTED, {"study": study})

    def count_accepted(self, study: StudyName) -> Mapping[HandoffId, int]:
        return {row.handoff: row.n for row in self._rows(_COUNT_ACCEPTED, {"study": study})}
