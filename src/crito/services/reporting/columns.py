"""Labels of one task by one group as columns, a row per annotation; what every part of a report is counted from."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, fields

import numpy as np

from crito.model.ids import ItemId
from crito.model.record import Annotation
from crito.model.study import STATES, State
from crito.stats.ratings import BoolArray, FloatArray, LabelName, Pairs, Ratings, pairs_from

WRITTEN_STATES: Mapping[Hashable, State] = {("state", state): state for state in STATES}
"""Written so that no label of a study can be taken for a state."""


def written(annotation: Annotation | None) -> Hashable:
    """A label, or a state as the statistics are told of it; None where there is no annotation."""
    if annotation is None:
        return None
    return ("state", annotation.state) if annotation.state else annotation.label


@dataclass(frozen=True, slots=True, eq=False)
class Effort:
    """What the second part took, a row per pair: minutes and messages of the person, NaN where none are recorded.

    `messages` is None where nothing is known of a talk.
    """

    minutes: FloatArray
    messages: FloatArray | None = None

    def where(self, keep: BoolArray) -> "Effort":
        """The rows for which `keep` is true."""
        return Effort(self.minutes[keep], None if self.messages is None else self.messages[keep])


@dataclass(frozen=True, slots=True, eq=False)
class GroupLabels:
    """What one group gave one task.

    Attributes:
        name: of the group: a condition, a value of a column, or a table.
        rounds: the labels of each round.
        pairs: initial and final labels; None where nobody was asked twice.
        confidence: the same of confidence, whose labels are the steps, lowest first.
        effort: rows as in `pairs`.
        minutes: how long labels of each round took, an annotator and their minutes once per label; empty where no times
            are known, or where they are told apart by phase.
    """

    name: str
    rounds: Mapping[int, Ratings]
    pairs: Pairs | None = None
    confidence: Pairs | None = None
    effort: Effort | None = None
    minutes: Mapping[int, Sequence[tuple[str, float]]] = field(default_factory=dict)

    @property
    def initial(self) -> Ratings:
        """The labels of the first round."""
        return self.rounds[min(self.rounds)]


@dataclass(frozen=True, slots=True, eq=False)
class TaskFacts:
    """What is known of a task's items beside what the groups said.

    Attributes:
        labels: its label set in order, with the words shown.
        gold: reference labels.
        by_models: the label of each model, or panel of models, by its name.
    """

    labels: Mapping[str, str]
    gold: Mapping[ItemId, str]
    by_models: Mapping[str, Mapping[ItemId, str]] = field(default_factory=dict)


@dataclass
class Columns:
    """Labels, confidence and effort of one task under one condition, a row per assignment that was labelled."""

    items: list[ItemId] = field(default_factory=list)
    annotators: list[str] = field(default_factory=list)
    initial: list[Hashable] = field(default_factory=list)
    final: list[Hashable] = field(default_factory=list)
    initial_confidence: list[str | None] = field(default_factory=list)
    final_confidence: list[str | None] = field(default_factory=list)
    minutes: list[float] = field(default_factory=list)
    messages: list[float] = field(default_factory=list)

    def add(self, first: Annotation, last: Annotation | None, minutes: float | None, messages: int | None) -> None:
        self.items.append(first.item)
        self.annotators.append(first.annotator)
        self.initial.append(written(first))
        self.final.append(written(last))
        self.initial_confidence.append(first.confidence)
        self.final_confidence.append(last.confidence if last else None)
        self.minutes.append(np.nan if minutes is None else minutes)
        self.messages.append(np.nan if messages is None else messages)

    def extend(self, other: "Columns") -> None:
        """Add the rows of another condition."""
        for column in fields(self):
            getattr(self, column.name).extend(getattr(other, column.name))

    def labels(self, name: str, label_set: Sequence[LabelName], steps: Sequence[str], *, again: bool) -> GroupLabels:
        """These columns as a group; with a second labelling where one was asked for (`again`)."""
        pairs = pairs_from(
            self.items, self.annotators, self.initial, self.final, label_set=label_set, states=WRITTEN_STATES
        )
        if not again:
            return GroupLabels(name, {0: pairs.initial_ratings})
        confidence = pairs_from(
            self.items, self.annotators, self.initial_confidence, self.final_confidence, label_set=steps, states={}
        )
        effort = Effort(np.array(self.minutes, np.float64), np.array(self.messages, np.float64))
        return GroupLabels(name, {0: pairs.initial_ratings, 1: pairs.final_ratings}, pairs, confidence, effort)
