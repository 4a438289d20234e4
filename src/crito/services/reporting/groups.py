"""What a report says about each task and group of labels: agreement, flips, confidence, accuracy, the map of items."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from crito.model.ids import ItemId, TaskName
from crito.model.study import STATES
from crito.services.given_labels import is_number
from crito.services.reporting.columns import GroupLabels, TaskFacts
from crito.services.reporting.harm import HarmReport, harm_report
from crito.services.reporting.phases import mean_over_people
from crito.stats.accuracy import Confusion, accuracy_change, confusion
from crito.stats.agreement import fleiss_kappa, krippendorff_alpha, percent_agreement
from crito.stats.confidence import Transitions, confidence_change, share_at_step, transitions
from crito.stats.flips import Flips, flips, item_flips
from crito.stats.groups import GroupDisagreement
from crito.stats.ratings import FloatArray, IntArray, Pairs, Ratings
from crito.stats.soft_labels import entropy, mean_entropy, soft_labels
from crito.stats.statistic import Statistic


@dataclass(frozen=True, slots=True)
class Given:
    """How often each label, and each state in a label's place, was given in one round."""

    labels: Mapping[str, int]
    states: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class RoundReport:
    """One round of one group.

    Attributes:
        agreement: by name, in the order shown.
        entropy: mean over items of how an item's labels are spread.
        minutes: mean of what a label took; None where no times are known.
    """

    round: int
    n_people: int
    n_items: int
    given: Given
    agreement: Mapping[str, Statistic]
    entropy: Statistic
    minutes: Statistic | None = None


@dataclass(frozen=True, slots=True)
class ConfidenceReport:
    """Confidence before and after, over annotations with both: steps from the highest to the lowest."""

    change: Statistic
    transitions: Transitions
    highest_before: Statistic
    highest_after: Statistic


@dataclass(frozen=True, slots=True)
class AccuracyReport:
    """Labels against the reference labels of their items; what needs a second labelling is None where there is none."""

    before: Confusion
    after: Confusion | None
    change: Statistic | None


@dataclass(frozen=True, slots=True, eq=False)
class ItemMap:
    """Each item with at least two initial labels: how they are spread, and how many of its labels flipped.

    Attributes:
        items: names, shape (n_items,).
        entropy: normalised, of the initial labels, in [0, 1], shape (n_items,).
        labels: how many initial labels it has, shape (n_items,).
        flips, counted: how many flipped, of how many with a label on both sides; None without a second labelling.
    """

    items: tuple[Hashable, ...]
    entropy: FloatArray
    labels: IntArray
    flips: IntArray | None
    counted: IntArray | None
    shares: FloatArray


@dataclass(frozen=True, slots=True)
class GroupReport:
    """One task and one group. What needs a second labelling is None where there is none."""

    task: TaskName
    name: str
    n_people: int
    n_items: int
    rounds: tuple[RoundReport, ...]
    flips: Flips | None
    item_flip_rate: Statistic | None
    confidence: ConfidenceReport | None
    accuracy: AccuracyReport | None
    item_map: ItemMap
    harm: HarmReport | None

    @property
    def before(self) -> Given:
        """What was given in the first round."""
        return self.rounds[0].given

    @property
    def after(self) -> Given | None:
        """What was given in the last round; None where there was one round only."""
        return self.rounds[-1].given if self.flips else None


class Between(NamedTuple):
    """How far two groups of annotators see the same items differently."""

    first: str
    second: str
    disagreement: GroupDisagreement


@dataclass(frozen=True, slots=True)
class TaskReport:
    """One task: its labels in their order with the words shown, and its groups.

    Attributes:
        texts: of the items, as far as they are known.
        between: pairs of groups that differ in their annotators, compared on the items that both labelled.
    """

    name: TaskName
    title: str
    question: str
    labels: Mapping[str, str]
    n_items: int
    n_gold: int
    groups: tuple[GroupReport, ...]
    texts: Mapping[ItemId, str]
    between: tuple[Between, ...] = ()


def group_report(task: TaskName, labels: GroupLabels, facts: TaskFacts) -> GroupReport:
    """Everything about one group's labels in one task."""
    pairs, initial = labels.pairs, labels.initial
    return GroupReport(
        task, labels.name, len(initial.annotators), len(initial.items),
        tuple(_round(number, ratings, labels.minutes.get(number, ())) for number, ratings in labels.rounds.items()),
        flips=flips(pairs) if pairs is not None else None,
        item_flip_rate=item_flips(pairs).mean() if pairs is not None else None,
        confidence=_confidence(labels.confidence) if labels.confidence is not None and labels.confidence.labels else None,
        accuracy=_accuracy(labels, facts.gold),
        item_map=_item_map(initial, pairs),
        harm=harm_report(labels, facts) if pairs is not None else None,
    )  # fmt: skip


def _round(number: int, ratings: Ratings, minutes: Sequence[tuple[str, float]]) -> RoundReport:
    per_label, rows = ratings.counts().sum(axis=0), ratings.dropped
    states: dict[str, int] = {state: rows[state] for state in (*STATES, "missing") if rows.get(state)}
    given = Given({str(name): int(count) for name, count in zip(ratings.labels, per_label, strict=True)}, states)
    return RoundReport(
        number, len(np.unique(ratings.annotator)), len(np.unique(ratings.item)), given,
        {name: measure(ratings) for name, measure in _measures(ratings).items()},
        mean_entropy(soft_labels(ratings)), mean_over_people("minutes", minutes) if minutes else None,
    )  # fmt: skip


def _measures(ratings: Ratings) -> Mapping[str, Callable[[Ratings], Statistic]]:
    measures: dict[str, Callable[[Ratings], Statistic]] = {"Krippendorff's alpha, nominal": krippendorff_alpha}
    names = [str(label) for label in ratings.labels]
    if len(names) > 2 and all(is_number(name) for name in names):
        values = [float(name) for name in names]
        measures["Krippendorff's alpha, interval"] = lambda given: krippendorff_alpha(given, "interval", values=values)
    return {**measures, "Fleiss' kappa": fleiss_kappa, "Pairs that agree": percent_agreement}


def _confidence(pairs: Pairs) -> ConfidenceReport:
    highest = pairs.labels[-1]
    return ConfidenceReport(
        confidence_change(pairs), transitions(pairs),
        share_at_step(pairs, highest, final=False), share_at_step(pairs, highest, final=True),
    )  # fmt: skip


def _accuracy(labels: GroupLabels, gold: Mapping[ItemId, str]) -> AccuracyReport | None:
    if not gold:
        return None
    pairs = labels.pairs
    if pairs is None:
        return AccuracyReport(confusion(labels.initial, gold), None, None)
    return AccuracyReport(
        confusion(pairs.initial_ratings, gold), confusion(pairs.final_ratings, gold), accuracy_change(pairs, gold)
    )


def _item_map(initial: Ratings, pairs: Pairs | None) -> ItemMap:
    counts = initial.counts()
    per_item = counts.sum(axis=1)
    kept = np.flatnonzero(per_item >= 2)
    items = tuple(initial.items[place] for place in kept.tolist())
    shares = counts[kept] / per_item[kept, None]
    spread = entropy(shares)
    if pairs is None:
        return ItemMap(items, spread, per_item[kept], None, None, shares)
    known = item_flips(pairs)
    place = {item: at for at, item in enumerate(known.items)}
    at = np.array([place.get(item, -1) for item in items], np.int64)
    flipped = np.where(at >= 0, known.flips[at] if len(known.flips) else 0, 0)
    counted = np.where(at >= 0, known.counted[at] if len(known.counted) else 0, 0)
    return ItemMap(items, spread, per_item[kept], flipped, counted, shares)
