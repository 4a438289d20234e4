"""Versions of studies, their items, and the places that these shall have."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from crito.model.ids import ItemId, StudyName, TaskName
from crito.model.record import StudyVersion
from crito.model.study import Item


class SlotNeed(NamedTuple):
    """How many places an item shall have in one task and condition."""

    task: TaskName
    condition: str
    item: ItemId
    item_hash: str
    places: int


class StudyTx(Protocol):
    """The methods of `Tx` for these."""

    def latest_version(self, study: StudyName) -> StudyVersion | None: ...
    def latest_number(self, study: StudyName) -> int | None:
        """The number of the latest version, without reading its definition."""

    def version(self, study: StudyName, number: int) -> StudyVersion: ...
    def study_names(self) -> Sequence[StudyName]: ...
    def add_version(self, version: StudyVersion) -> None: ...
    def put_items(self, study: StudyName, task: TaskName, items: Sequence[Item]) -> None:
        """Keep the texts of `items` under their hashes, as the task's present items; texts kept before stay readable."""

    def item(self, study: StudyName, item: ItemId, item_hash: str) -> Item:
        """An item as it was given, without its gold label."""

    def gold(self, study: StudyName, task: TaskName) -> Mapping[ItemId, str]:
        """The reference labels of the task's present items."""

    def make_slots(self, study: StudyName, needs: Sequence[SlotNeed], *, seed: int) -> None:
        """Make the missing slots, each with a random rank drawn from `seed`; free slots no longer needed go, held ones stay."""
