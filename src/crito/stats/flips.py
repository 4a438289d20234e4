"""Flips: initial and final label differ. By annotation, by item, and in which direction."""

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from crito.model.phrase import Phrase
from crito.stats.bootstrap import cluster_interval, clustered_difference
from crito.stats.means import mean
from crito.stats.paired import signed_rank
from crito.stats.proportions import compare_shares, share, share_of_rows
from crito.stats.ratings import MISSING, NOT_SURE, BoolArray, FloatArray, IntArray, LabelName, Pairs
from crito.stats.statistic import Statistic, left_out
from crito.stats.tables import Moves, moves

NotSureAs = Literal["omitted", "kept"]


@dataclass(frozen=True, slots=True)
class Flips:
    """How many annotations changed their label.

    Attributes:
        rate: flips / eligible, in [0, 1].
        flips, eligible: the counts behind it.
        n_not_sure, n_missing: annotations with *not sure*, or nothing, on either side; other states are in
            `rate.dropped`.
        directions: initial × final over the eligible ones.
        pairs: what all this was counted from.
    """

    rate: Statistic
    flips: int
    eligible: int
    n_not_sure: int
    n_missing: int
    directions: Moves
    pairs: Pairs = field(repr=False, metadata={"json": False})

    def direction(self, initial: LabelName, final: LabelName) -> Statistic:
        """Share of all eligible annotations that went from `initial` to `final`."""
        return share(
            f"flip_rate_{initial}_to_{final}", self.directions.count(initial, final), self.eligible,
            dropped=self.rate.dropped, empty=Phrase("no eligible annotations"),
        )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class ItemFlips:
    """Flips of each item that has at least one annotation to count.

    Attributes:
        items: names, shape (n_items,).
        flips, counted: how many flipped, of how many, shape (n_items,).
        n_without: items left out because nothing counted.
    """

    items: tuple[Hashable, ...]
    flips: IntArray
    counted: IntArray
    n_without: int

    @property
    def rates(self) -> FloatArray:
        """Flip rate of each item, shape (n_items,)."""
        return np.asarray(self.flips / self.counted, np.float64)

    def mean(self, *, seed: int = 0) -> Statistic:
        """Mean over items of the item's flip rate, each item weighing the same, with a bootstrap over items.

        `undefined` without items. Source: `socratic`, flips by data point; STATISTICS 2.3.
        """
        dropped = left_out({"item_without_eligible": self.n_without})
        found = mean("item_flip_rate", self.rates, dropped=dropped)
        if found.value is None:
            return Statistic.absent(
                "item_flip_rate", "undefined", Phrase("no item has an eligible annotation"),
                n=0, method="mean over items", dropped=dropped,
            )  # fmt: skip
        resampled = cluster_interval(
            np.stack([self.rates, np.ones(len(self.items))], axis=1), lambda sums: sums[:, 0] / sums[:, 1], seed=seed
        )
        return Statistic(
            "item_flip_rate", found.value, found.n, "mean over items",
            dropped=dropped, cluster_interval=resampled, details=found.details,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Toward:
    """Flips to and from a target label such as gold, the suggestion, or what most others said.

    Attributes:
        to: of those who were not at the target, the share that moved to it.
        away: of those who were at the target, the share that left it.
    """

    to: Statistic
    away: Statistic


def flips(pairs: Pairs, *, seed: int = 0) -> Flips:
    """How many annotations changed their label, over those with a label before and after.

    Args:
        pairs: initial and final labels.
        seed: of the bootstrap over items that goes with the rate where items have several annotations.

    Returns:
        The rate is `undefined` when nothing is eligible.

    Source: `socratic`, flip rate; STATISTICS 2.1.
    """
    eligible, dropped = pairs.eligible, pairs.dropped
    changed = pairs.initial != pairs.final
    rate = share_of_rows(
        "flip_rate", changed, eligible, pairs, dropped=dropped, seed=seed, empty=Phrase("no eligible annotations")
    )
    return Flips(
        rate=rate,
        flips=int(changed[eligible].sum()),
        eligible=int(eligible.sum()),
        n_not_sure=dropped.get("not_sure", 0),
        n_missing=dropped.get("missing", 0),
        directions=moves(pairs),
        pairs=pairs,
    )


def compare_flips(a: Flips, b: Flips, *, seed: int = 0) -> Statistic:
    """Difference of two flip rates by annotation, a minus b; see `compare_shares`.

    A bootstrap interval goes with it where rows belong together (`clustered_difference`).

    Source: `socratic`, Table 1; STATISTICS 2.2.
    """
    found = compare_shares(a.flips, a.eligible, b.flips, b.eligible, name="flip_rate_difference")
    if found.value is None:
        return found
    sides = [side.pairs.where(side.pairs.eligible) for side in (a, b)]
    changed = [side.initial != side.final for side in sides]
    return replace(found, cluster_interval=clustered_difference(changed[0], sides[0], changed[1], sides[1], seed=seed))


def item_flips(pairs: Pairs, *, not_sure: NotSureAs = "omitted") -> ItemFlips:
    """Flips of each item.

    Args:
        pairs: initial and final labels.
        not_sure: whether an annotation that ended *not sure* is `omitted`, or counts as one that has `kept` its label
            (which is how the source's benchmark was counted).

    Source: `socratic`, flips by data point; STATISTICS 2.3.
    """
    counted = pairs.eligible
    if not_sure == "kept":
        counted = counted | ((pairs.initial >= 0) & (pairs.final == NOT_SURE))
    changed = pairs.eligible & (pairs.initial != pairs.final)
    n_items = len(pairs.items)
    n_counted = np.bincount(pairs.item[counted], minlength=n_items)
    n_flips = np.bincount(pairs.item[changed], minlength=n_items)
    present = np.bincount(pairs.item, minlength=n_items) > 0
    has = n_counted > 0
    return ItemFlips(
        items=tuple(name for name, keep in zip(pairs.items, has, strict=True) if keep),
        flips=n_flips[has].astype(np.int64),
        counted=n_counted[has].astype(np.int64),
        n_without=int((present & ~has).sum()),
    )


def compare_item_flips(a: ItemFlips, b: ItemFlips) -> Statistic:
    """Mean difference of item flip rates, a minus b, over items that both have, with the signed-rank test.

    Returns:
        As `signed_rank`; `undefined` when no item is in both. Items in one only are dropped and counted.

    Source: `socratic`, Table 1; STATISTICS 2.3.
    """
    place_in_b = {name: place for place, name in enumerate(b.items)}
    both = [(place, place_in_b[name]) for place, name in enumerate(a.items) if name in place_in_b]
    left, right = np.array(both, np.int64).reshape(-1, 2).T
    found = signed_rank(a.rates[left] - b.rates[right], name="item_flip_rate_difference")
    dropped = left_out({"item_only_in_a": len(a.items) - len(both), "item_only_in_b": len(b.items) - len(both)})
    if found.value is None:
        return Statistic.absent(
            found.name, "undefined", Phrase("no item is in both"), n=0, method=found.method, dropped=dropped
        )
    differences = a.rates[left] - b.rates[right]
    resampled = cluster_interval(
        np.stack([differences, np.ones(len(differences))], axis=1), lambda sums: sums[:, 0] / sums[:, 1]
    )
    return Statistic(
        found.name, found.value, found.n, found.method,
        dropped=dropped, cluster_interval=resampled, p_value=found.p_value, details=found.details, reason=found.reason,
    )  # fmt: skip


def flips_toward(pairs: Pairs, target: IntArray, name: str, *, seed: int = 0) -> Toward:
    """How often labels moved to a target label, and away from it.

    Args:
        pairs: initial and final labels.
        target: the target's code for each pair, `MISSING` where there is none, shape (n_pairs,).
        name: of the target, such as `gold`, `suggestion` or `majority`.
        seed: of the bootstrap over items.

    Returns:
        Shares in [0, 1]; each `undefined` when nobody could have moved that way.

    Raises:
        ValueError: `target` has another shape than the pairs.
    """
    if target.shape != pairs.item.shape:
        raise ValueError(f"flips_toward: one target per pair, shape {pairs.item.shape}, but got {target.shape}")
    dropped = left_out({**pairs.dropped, "no_target": int((pairs.eligible & (target < 0)).sum())})
    known = pairs.eligible & (target >= 0)

    def moved(what: str, hit: BoolArray, among: BoolArray, empty: str) -> Statistic:
        return share_of_rows(f"{what}_{name}", hit, known & among, pairs, dropped=dropped, seed=seed, empty=empty)

    at_first, at_last = pairs.initial == target, pairs.final == target
    return Toward(
        to=moved("flips_to", at_last, ~at_first, Phrase("nobody began away from %(name)s", name=name)),
        away=moved("flips_from", ~at_last, at_first, Phrase("nobody began at %(name)s", name=name)),
    )


def majority_of_others(pairs: Pairs) -> IntArray:
    """What most other annotators of the item said at first, as a code for each pair, shape (n_pairs,).

    `MISSING` where nobody else labelled the item, or the others are tied.
    """
    counts = pairs.initial_ratings.counts()
    if not counts.size:
        return np.full(len(pairs), MISSING, np.int64)
    most = counts.max(axis=1)
    at_top = counts == most[:, None]
    n_top, top = at_top.sum(axis=1), counts.argmax(axis=1)
    second = np.where(at_top, 0, counts).max(axis=1)
    # where two labels lead, one of them is what is left of both when the annotator's own is taken away
    both = at_top @ np.arange(counts.shape[1])

    item, own = pairs.item, pairs.initial
    leads = (own >= 0) & at_top[item, np.maximum(own, 0)]
    lead, still_leads = n_top[item], most[item] - 1 > second[item]
    of_others = np.where(leads & (lead == 2), both[item] - own, top[item])
    known = np.where(leads, (lead == 2) | ((lead == 1) & still_leads), (lead == 1) & (most[item] > 0))
    return np.where(known, of_others, MISSING)
