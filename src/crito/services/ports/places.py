"""Who holds which place of an item, and until when."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, Protocol

from crito.model.ids import AnnotatorId, AssignmentId, ItemId, StudyName, TaskName
from crito.model.record import Assignment


class Slot(NamedTuple):
    """A place among the annotators of one item in one task and condition."""

    item: ItemId
    item_hash: str
    number: int


class PlaceTx(Protocol):
    """The methods of `Tx` for these."""

    def free_slots(self, study: StudyName, task: TaskName, condition: str) -> int:
        """How many different items have a free slot, those left to a machine not counted."""

    def has_free_slots(self, study: StudyName, task: TaskName, condition: str, items: int) -> bool:
        """Whether as many different items as `items` have a free slot, those left to a machine not counted."""

    def take_slot(
        self,
        study: StudyName,
        task: TaskName,
        condition: str,
        assignment: AssignmentId,
        *,
        pivot: int,
        avoid: Iterable[ItemId],
    ) -> Slot | None:
        """Hold the free slot whose rank follows `pivot` (32 bits, around the end) for `assignment`; None when there is none.

        Nobody else can take the same slot, however many ask at once.
        """

    def retake_slot(self, study: StudyName, assignment: Assignment) -> Slot | None:
        """Hold a free slot of the assignment's own item again; None when the item has none left."""

    def release_slots(self, assignments: Sequence[AssignmentId]) -> None: ...
    def add_assignments(self, study: StudyName, assignments: Sequence[Assignment]) -> None: ...
    def set_status(self, assignments: Sequence[AssignmentId], status: str) -> None: ...
    def reopen(self, assignment: AssignmentId, slot: int, lease_until: datetime) -> None: ...
    def renew_leases(self, annotator: AnnotatorId, until: datetime) -> None: ...
    def expire_leases(self, now: datetime) -> int:
        """Mark open assignments whose lease has run out as expired and free their slots; returns how many."""

    def assignments_of(self, annotator: AnnotatorId, statuses: Sequence[str]) -> Sequence[Assignment]:
        """In the person's own order."""

    def assignment(self, assignment: AssignmentId) -> Assignment | None: ...
    def count_assignments(self, annotator: AnnotatorId) -> Mapping[str, int]:
        """How many assignments a person has of each status."""
