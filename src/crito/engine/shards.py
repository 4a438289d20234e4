"""Portions of a labelling's items, and what was done of them."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from crito.model.errors import CallHeld
from crito.model.ids import ItemId
from crito.model.record import LabelOutcome
from crito.model.study import Item
from crito.model.talk import Reading
from crito.services.asking import Spent
from crito.services.labelling import Job

ITEMS_PER_SHARD = 50
"""Few enough to be begun again by another process, many enough that handing them over costs nothing beside their calls."""

UNUSABLE: Mapping[Reading, str] = {
    "unreadable": "unreadable",
    "outside_label_set": "outside the label set",
    "refused": "refused",
    "truncated": "cut off",
}
"""Readings that are no labels, in words."""


@dataclass(slots=True)
class Tally:
    """What was done, and what it took."""

    calls: int = 0
    failed: int = 0
    cost_usd: float = 0.0
    cost_unknown: bool = False
    finished: list[LabelOutcome] = field(default_factory=list)
    lost: dict[ItemId, str] = field(default_factory=dict)
    """Items on which a call brought no answer, and the first reason of each."""
    held: dict[ItemId, CallHeld] = field(default_factory=dict)
    """Items that wait for a decision about a call whose outcome nobody knows."""
    unusable: Counter[Reading] = field(default_factory=Counter)
    """Replies that gave no label although one was asked for, by how they were read; a repaired one counts too."""

    def spend(self, spent: Spent) -> None:
        self.calls += 1
        self.failed += spent.failed
        if spent.reading != "ok":
            self.unusable[spent.reading] += 1
        if spent.failed and spent.item is not None:
            self.lost.setdefault(spent.item, spent.problem)
        self.cost_usd += spent.cost_usd or 0.0
        self.cost_unknown |= spent.cost_usd is None and not spent.failed

    def add(self, other: "Tally") -> None:
        """Count what somebody else did."""
        self.calls += other.calls
        self.failed += other.failed
        self.cost_usd += other.cost_usd
        self.cost_unknown |= other.cost_unknown
        self.finished += other.finished
        self.held |= other.held
        self.lost |= other.lost
        self.unusable += other.unusable

    @property
    def words(self) -> str:
        known = f"{self.cost_usd:.4f} USD"
        if self.cost_unknown:
            known = f"{known} and calls of unknown price" if self.cost_usd else "unknown price"
        unusable = "".join(f", {n:,} {UNUSABLE[reading]}" for reading, n in sorted(self.unusable.items()))
        return f"{self.calls:,} calls, {known}, {self.failed:,} failed{unusable}"


class Shard(NamedTuple):
    """Some of a labelling's items: those that wait among so many from `start` on. Its job has no others."""

    start: int
    job: Job

    @property
    def name(self) -> str:
        """By which whoever works on it keeps others away; the same items have it in every process."""
        return f"items {self.start + 1} to {self.start + ITEMS_PER_SHARD} of labelling {self.job.labelling.id}"

    def without(self, done: Tally) -> "Shard":
        """What is left of it."""
        over = {outcome.item for outcome in done.finished} | done.held.keys()
        left = tuple(item for item in self.job.waiting if item.id not in over)
        return Shard(self.start, replace(self.job, waiting=left))


def shards(job: Job) -> Iterator[Shard]:
    """The waiting items in portions that depend on their places in the task alone."""
    places = {item.id: place for place, item in enumerate(job.task.items)}
    for agent in job.panel.agents:
        # Rendered here, where all items are: examples are drawn from them.
        job.desk.instructions(agent)
    tasks = tuple(replace(task, items=()) for task in job.study.tasks)
    bare = replace(
        job,
        study=replace(job.study, tasks=tasks),
        desk=replace(job.desk, task=replace(job.task, items=())),
        done=(),
    )
    portions: dict[int, list[Item]] = {}
    for item in job.waiting:
        portions.setdefault(places[item.id] // ITEMS_PER_SHARD, []).append(item)
    for number, items in portions.items():
        runs = {item.id: job.runs[item.id] for item in items}
        yield Shard(number * ITEMS_PER_SHARD, replace(bare, waiting=tuple(items), runs=runs))
