"""Do two groups of annotators see items differently?"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from crito.model.phrase import Phrase
from crito.stats.bootstrap import cluster_interval
from crito.stats.ratings import FloatArray, IntArray, Ratings
from crito.stats.statistic import Detail, Statistic, left_out

FEWEST_PEOPLE = 5
"""Groups of fewer people are not shown, for their privacy."""

PERMUTATIONS = 2000
PERMUTATIONS_WHEN_LARGE = 200
LARGE = 100_000
"""From so many labels on, `PERMUTATIONS_WHEN_LARGE` is the default."""


@dataclass(frozen=True, slots=True, eq=False)
class GroupDisagreement:
    """Disagreement between two groups, over items with at least two annotators of each.

    Attributes:
        items: those items.
        by_item: total variation between the groups' label shares, in [0, 1], shape (n_items,).
        total_variation: its mean. It is above 0 by chance alone when annotators are few, so read `excess` (over the
            mean under shuffled groups) and the p-value.
        within, cross: share of disagreeing pairs within a group, and between the groups; pairs pooled.
        cross_kappa: 1 minus `cross` over what the groups' overall label shares would give.
    """

    items: tuple[Hashable, ...]
    by_item: FloatArray
    total_variation: Statistic
    within: Statistic
    cross: Statistic
    cross_kappa: Statistic


def group_disagreement(
    ratings: Ratings,
    group_of: Mapping[Any, str],
    first: str,
    second: str,
    *,
    fewest_people: int = FEWEST_PEOPLE,
    permutations: int | None = None,
    seed: int = 0,
) -> GroupDisagreement:
    """Compare how two groups of annotators label the same items.

    The test shuffles who belongs to which group (annotators, not annotations): p = (1 + number of shuffles with at
    least the observed mean) / (shuffles + 1).

    Args:
        ratings: labels of everybody.
        group_of: group by annotator; other annotators are dropped and counted.
        first, second: the groups to compare.
        fewest_people: groups with fewer annotators are not shown.
        permutations: by default 2000, or 200 from 100 000 labels on.
        seed: of the shuffles and of the bootstrap over items.

    Returns:
        All `insufficient` when a group is too small or no item has two annotators of each; `cross_kappa` `undefined`
        when both groups gave one and the same label only.

    Raises:
        ValueError: the two groups are one.

    Source: STATISTICS 7.5.
    """
    if first == second:
        raise ValueError(f"group_disagreement: two groups are needed, but got {first!r} twice")
    side = np.array(
        [(group_of.get(name) == first) - (group_of.get(name) == second) for name in ratings.annotators], int
    )
    in_group = side[ratings.annotator] != 0
    kept = ratings.where(ratings.labelled & in_group)
    dropped = left_out({**ratings.where(in_group).dropped, "in_no_group": int((~in_group).sum())})
    people = np.unique(kept.annotator)
    sizes = {first: int((side[people] == 1).sum()), second: int((side[people] == -1).sum())}
    small = [group for group, size in sizes.items() if size < fewest_people]
    if small:
        return _absent(
            Phrase("fewer than %(n)s people in group %(group)s", n=fewest_people, group=repr(small[0])), dropped
        )
    of_first, of_second = (kept.where(side[kept.annotator] == sign).counts() for sign in (1, -1))
    both = (of_first.sum(axis=1) >= 2) & (of_second.sum(axis=1) >= 2)
    if not both.any():
        return _absent(Phrase("no item has two annotators of each group"), dropped)
    by_item = _total_variation(of_first[both], of_second[both])
    observed = float(by_item.mean())
    shuffled = _shuffled_means(kept, side, people, permutations, seed)
    details: dict[str, Detail] = {
        "permutations": len(shuffled),
        "seed": seed,
        "n_first": sizes[first],
        "n_second": sizes[second],
    }
    p_value = None
    if len(shuffled):
        details |= {"shuffled_mean": float(shuffled.mean()), "excess": observed - float(shuffled.mean())}
        # equal means can differ in the last digit by the order of their sums
        p_value = (1 + int((shuffled >= observed - 1e-12).sum())) / (len(shuffled) + 1)
    within, cross, cross_kappa = _pair_measures(of_first[both], of_second[both], dropped)
    return GroupDisagreement(
        items=tuple(name for name, keep in zip(kept.items, both, strict=True) if keep),
        by_item=by_item,
        total_variation=Statistic(
            "group_total_variation", observed, int(both.sum()),
            "mean over items, permutation test over annotators", dropped=dropped, p_value=p_value, details=details,
            cluster_interval=cluster_interval(
                np.stack([by_item, np.ones(len(by_item))], axis=1), lambda s: s[:, 0] / s[:, 1], seed=seed
            ),
        ),
        within=within, cross=cross, cross_kappa=cross_kappa,
    )  # fmt: skip


def _shuffled_means(kept: Ratings, side: IntArray, people: IntArray, permutations: int | None, seed: int) -> FloatArray:
    if permutations is None:
        permutations = PERMUTATIONS_WHEN_LARGE if len(kept) >= LARGE else PERMUTATIONS
    rng = np.random.default_rng(seed)
    means = []
    k, total = len(kept.labels), kept.counts()
    n, cell = total.sum(axis=1), kept.item * k + kept.label
    for _ in range(permutations):
        is_first = np.zeros(len(side))
        is_first[people] = rng.permutation(side[people]) == 1
        of_first = np.bincount(cell, weights=is_first[kept.annotator], minlength=total.size).reshape(-1, k)
        n_first = of_first.sum(axis=1)
        both = (n_first >= 2) & (n - n_first >= 2)
        if both.any():
            means.append(float(_distances(of_first, total, n_first, n)[both].mean()))
    return np.array(means, np.float64)


def _pair_measures(
    of_first: IntArray, of_second: IntArray, dropped: Mapping[str, int]
) -> tuple[Statistic, Statistic, Statistic]:
    own_pairs = sum(float((side.sum(axis=1) * (side.sum(axis=1) - 1)).sum()) / 2 for side in (of_first, of_second))
    own_agreeing = sum(float((side * (side - 1)).sum()) / 2 for side in (of_first, of_second))
    pairs = float((of_first.sum(axis=1) * of_second.sum(axis=1)).sum())
    crossing = 1 - float((of_first * of_second).sum()) / pairs
    shares = [side.sum(axis=0) / side.sum() for side in (of_first, of_second)]
    expected = 1 - float((shares[0] * shares[1]).sum())
    within = Statistic(
        "within_group_disagreement", 1 - own_agreeing / own_pairs, round(own_pairs), "disagreeing pairs, pooled",
        dropped=dropped,
    )  # fmt: skip
    cross = Statistic("cross_group_disagreement", crossing, round(pairs), "disagreeing pairs, pooled", dropped=dropped)
    method = "1 - observed / expected disagreement across groups"
    if expected <= 0:
        kappa = Statistic.absent(
            "cross_kappa", "undefined", Phrase("single label"), n=round(pairs), method=method, dropped=dropped
        )
    else:
        kappa = Statistic(
            "cross_kappa", 1 - crossing / expected, round(pairs), method,
            dropped=dropped, details={"expected_disagreement": expected},
        )  # fmt: skip
    return within, cross, kappa


def _absent(reason: str, dropped: Mapping[str, int]) -> GroupDisagreement:
    def nothing(name: str) -> Statistic:
        return Statistic.absent(name, "insufficient", reason, n=0, method="two groups", dropped=dropped)

    return GroupDisagreement(
        (), np.zeros(0), nothing("group_total_variation"), nothing("within_group_disagreement"),
        nothing("cross_group_disagreement"), nothing("cross_kappa"),
    )  # fmt: skip


def _total_variation(of_first: IntArray, of_second: IntArray) -> FloatArray:
    total = of_first + of_second
    return _distances(of_first, total, of_first.sum(axis=1), total.sum(axis=1))


def _distances(
    of_first: FloatArray | IntArray, total: IntArray, n_first: FloatArray | IntArray, n: IntArray
) -> FloatArray:
    """Half the summed distance of two label shares, on one denominator: many shuffles need it to be quick."""
    apart = of_first * n[:, None]
    apart -= total * n_first[:, None]
    np.abs(apart, out=apart)
    return np.asarray(apart.sum(axis=1) / np.maximum(2 * n_first * (n - n_first), 1))
