"""Whether views that few hold are given up when people label again."""

from dataclasses import dataclass, replace

import numpy as np

from crito.model.phrase import Phrase
from crito.stats.bootstrap import cluster_interval, clustered_difference
from crito.stats.flips import majority_of_others
from crito.stats.paired import signed_rank
from crito.stats.proportions import compare_shares, share, share_of_rows
from crito.stats.ratings import IntArray, Pairs
from crito.stats.soft_labels import entropy
from crito.stats.statistic import Statistic, left_out

IN_MINORITY, WITH_MAJORITY, UNKNOWN = 0, 1, -1
"""Where an annotation stood at first; unknown where nobody else labelled the item or the others were tied."""


@dataclass(frozen=True, slots=True)
class MinorityReport:
    """What became of minority views.

    Attributes:
        minority_left: of annotations that began with another label than most others gave, the share that changed it.
        majority_left: the same of annotations that began with what most others gave.
        difference: minority minus majority; above 0, those in the minority gave way more often.
        labels_lost: of the labels that somebody but not the largest group gave an item at first, the share that nobody
            gave in the end.
        entropy_change: mean over items of final minus initial entropy; below 0, views grew alike.
    """

    minority_left: Statistic
    majority_left: Statistic
    difference: Statistic
    labels_lost: Statistic
    entropy_change: Statistic


def at_majority(pairs: Pairs) -> IntArray:
    """Where each annotation with a label on both sides stood at first, shape (n_pairs,)."""
    most = majority_of_others(pairs)
    known = pairs.eligible & (most >= 0)
    return np.where(known, (pairs.initial == most).astype(np.int64), UNKNOWN)


def minority_report(pairs: Pairs, *, fewest: int = 1, seed: int = 0) -> MinorityReport:
    """How minority views fared, over annotations with a label on both sides.

    Args:
        pairs: initial and final labels.
        fewest: with fewer to count (annotations, labels or items) a number is `insufficient`.
        seed: of the bootstraps over items.
    """
    standing, changed = at_majority(pairs), pairs.initial != pairs.final
    few, many = standing == IN_MINORITY, standing == WITH_MAJORITY
    dropped = left_out({**pairs.dropped, "no_majority": int((pairs.eligible & (standing == UNKNOWN)).sum())})
    minority, majority = (
        share_of_rows(
            f"{name}_left",
            changed,
            side,
            pairs,
            dropped=dropped,
            seed=seed,
            empty=empty,
        )
        for name, side, empty in (
            ("minority", few, Phrase("nobody began in the minority")),
            ("majority", many, Phrase("nobody began with the majority")),
        )
    )
    difference = compare_shares(
        int(changed[few].sum()), int(few.sum()), int(changed[many].sum()), int(many.sum()), name="minority_pressure"
    )
    if difference.value is not None:
        resampled = clustered_difference(changed[few], pairs.where(few), changed[many], pairs.where(many), seed=seed)
        difference = replace(difference, cluster_interval=resampled)
    smaller = min(int(few.sum()), int(many.sum()))
    lost, spread = labels_lost(pairs), entropy_change(pairs, seed=seed)
    return MinorityReport(
        minority.withheld_below(fewest),
        majority.withheld_below(fewest),
        difference.withheld_below(fewest, smaller),
        lost.withheld_below(fewest),
        spread.withheld_below(fewest),
    )


def labels_lost(pairs: Pairs) -> Statistic:
    """Of the minority labels of items, the share that nobody gave in the end.

    A minority label of an item is one that somebody gave at first, and that fewer gave than its most frequent one.
    Items where all labels are equally frequent have none.

    Returns:
        A share in [0, 1] with its Wilson interval; `n` counts labels of items. `undefined` without minority labels.
    """
    kept = pairs.where(pairs.eligible)
    first, last = kept.initial_ratings.counts(), kept.final_ratings.counts()
    minority = (first > 0) & (first < first.max(axis=1, initial=0)[:, None])
    return share(
        "minority_labels_lost", int((minority & (last == 0)).sum()), int(minority.sum()),
        empty=Phrase("no item has a label that fewer gave than another"),
    )  # fmt: skip


def entropy_change(pairs: Pairs, *, seed: int = 0) -> Statistic:
    """Mean over items of the entropy of final minus initial labels, with the signed-rank test.

    Over items with at least two annotations that have a label on both sides; the others are dropped and counted.

    Returns:
        A difference in [-1, 1]; below 0, labels grew alike. `undefined` without such items.
    """
    kept = pairs.where(pairs.eligible)
    first, last = kept.initial_ratings.counts(), kept.final_ratings.counts()
    n = first.sum(axis=1)
    two = n >= 2
    dropped = left_out({"item_with_one_label": int((n == 1).sum())})
    if not two.any():
        return Statistic.absent(
            "entropy_change", "undefined", Phrase("no item has two annotations with a label before and after"),
            n=0, method="mean over items", dropped=dropped,
        )  # fmt: skip
    change = entropy(last[two] / n[two, None]) - entropy(first[two] / n[two, None])
    tested = signed_rank(change, name="entropy_change")
    resampled = cluster_interval(
        np.stack([change, np.ones(len(change))], axis=1), lambda sums: sums[:, 0] / sums[:, 1], seed=seed
    )
    return Statistic(
        "entropy_change", float(change.mean()), len(change), f"mean over items; {tested.method}",
        dropped=dropped, cluster_interval=resampled, p_value=tested.p_value,
        reason=tested.reason,
    )  # fmt: skip
