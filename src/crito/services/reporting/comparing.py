"""Groups beside each other: for each measure the difference, its interval and its test."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import Literal, NamedTuple

import numpy as np

from crito.model.ids import TaskName
from crito.services.reporting.columns import GroupLabels, TaskFacts
from crito.services.reporting.groups import Between
from crito.stats.accuracy import Confusion, confusion
from crito.stats.confidence import compare_confidence_changes
from crito.stats.flips import compare_flips, compare_item_flips, flips, item_flips
from crito.stats.groups import group_disagreement
from crito.stats.paired import holm
from crito.stats.proportions import compare_shares
from crito.stats.ratings import Ratings
from crito.stats.statistic import Statistic

Measure = Literal["flip_rate", "item_flip_rate", "accuracy_first", "accuracy_last", "confidence_change"]

MOST_GROUPS = 4
"""Of more groups than that, the largest are compared with each other."""


class Comparison(NamedTuple):
    """One difference between two groups. `p_adjusted` is Holm's over all comparisons of the same measure."""

    measure: Measure
    task: TaskName
    first: str
    second: str
    difference: Statistic
    p_adjusted: float | None


Found = tuple[Measure, TaskName, str, str, Statistic]


def comparisons(tasks: Iterable[tuple[TaskName, Sequence[GroupLabels], TaskFacts]]) -> tuple[Comparison, ...]:
    """Every measure that two groups of a task both have, with p-values adjusted over the whole report."""
    families: dict[Measure, list[Found]] = {}
    for task, groups, facts in tasks:
        for first, second in combinations(largest(groups), 2):
            for measure, difference in _differences(first, second, facts):
                families.setdefault(measure, []).append((measure, task, first.name, second.name, difference))
    return tuple(adjusted for family in families.values() for adjusted in _adjusted(family))


def largest(groups: Sequence[GroupLabels]) -> list[GroupLabels]:
    """The groups to be compared, in their order; of equally large ones the first."""
    sizes = sorted(range(len(groups)), key=lambda place: (-len(groups[place].initial), place))[:MOST_GROUPS]
    return [groups[place] for place in sorted(sizes)]


def between(groups: Sequence[GroupLabels]) -> tuple[Between, ...]:
    """Pairs of groups that have no annotator in common, on the items that both labelled first."""
    return tuple(
        Between(a.name, b.name, group_disagreement(joined, group_of, a.name, b.name))
        for a, b in combinations(largest(groups), 2)
        if not {*a.initial.annotators} & {*b.initial.annotators}
        for joined, group_of in [_joined(a, b)]
    )


def _adjusted(family: Sequence[Found]) -> Iterator[Comparison]:
    adjusted = iter(holm([row[4].p_value for row in family if row[4].p_value is not None]))
    for row in family:
        yield Comparison(*row, next(adjusted) if row[4].p_value is not None else None)


def _differences(a: GroupLabels, b: GroupLabels, facts: TaskFacts) -> Iterator[tuple[Measure, Statistic]]:
    if a.pairs is not None and b.pairs is not None:
        yield "flip_rate", compare_flips(flips(a.pairs), flips(b.pairs))
        yield "item_flip_rate", compare_item_flips(item_flips(a.pairs), item_flips(b.pairs))
    if facts.gold:
        yield "accuracy_first", _compare_accuracy(confusion(a.initial, facts.gold), confusion(b.initial, facts.gold))
        if a.pairs is not None and b.pairs is not None:
            last = [confusion(pairs.final_ratings, facts.gold) for pairs in (a.pairs, b.pairs)]
            yield "accuracy_last", _compare_accuracy(*last)
    if a.confidence is not None and b.confidence is not None and a.confidence.labels == b.confidence.labels:
        yield "confidence_change", compare_confidence_changes(a.confidence, b.confidence)


def _compare_accuracy(a: Confusion, b: Confusion) -> Statistic:
    (right_a, n_a), (right_b, n_b) = ((int(side.counts.trace()), int(side.counts.sum())) for side in (a, b))
    return compare_shares(right_a, n_a, right_b, n_b, name="accuracy_difference")


def _joined(a: GroupLabels, b: GroupLabels) -> tuple[Ratings, dict[Hashable, str]]:
    """The first labels of two groups without a common annotator as one table, and the group of each annotator."""
    one, other = a.initial, b.initial
    places: dict[Hashable, int] = {item: place for place, item in enumerate(one.items)}
    of_other = np.array([places.setdefault(item, len(places)) for item in other.items], np.int64)
    ratings = Ratings(
        np.concatenate([one.item, of_other[other.item]]),
        np.concatenate([one.annotator, other.annotator + len(one.annotators)]),
        np.concatenate([one.label, other.label]),
        tuple(places), (*one.annotators, *other.annotators), one.labels,
    )  # fmt: skip
    return ratings, {**dict.fromkeys(one.annotators, a.name), **dict.fromkeys(other.annotators, b.name)}
