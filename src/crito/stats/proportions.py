"""Shares, and the difference of two shares."""

import math
from collections.abc import Mapping

import numpy as np

from crito.model.phrase import Phrase
from crito.stats.bootstrap import cluster_interval, clusters_of, share_of_sums, sums_by_cluster
from crito.stats.ratings import BoolArray, Pairs, Ratings
from crito.stats.statistic import LEVEL, Detail, Interval, Statistic


def share(
    name: str,
    count: int,
    n: int,
    *,
    dropped: Mapping[str, int] | None = None,
    cluster: Interval | None = None,
    level: float = LEVEL,
    empty: str = Phrase("nothing to count"),
) -> Statistic:
    """`count` of `n` as a share, with its Wilson interval.

    Args:
        name: of the statistic.
        count, n: whole numbers, 0 ≤ count ≤ n.
        dropped: what is not in `n`, by reason.
        cluster: an interval that respects clusters, to go with it.
        level: of the interval.
        empty: the reason given when `n` is 0.

    Returns:
        A share in [0, 1]; `undefined` when n is 0.

    Raises:
        ValueError: `count` is not between 0 and `n`.

    Source: STATISTICS 1 and 5.4.
    """
    # statsmodels costs seconds and 150 MB, so it is imported where it is used
    from statsmodels.stats.proportion import proportion_confint

    if not 0 <= count <= n:
        raise ValueError(f"share: count must be between 0 and n, but got {count!r} of {n!r}")
    details: dict[str, Detail] = {"count": count}
    if n == 0:
        return Statistic.absent(name, "undefined", empty, n=0, method="share", dropped=dropped, details=details)
    low, high = proportion_confint(count, n, alpha=1 - level, method="wilson")
    return Statistic(
        name, count / n, n, "share",
        dropped=dropped or {}, details=details, cluster_interval=cluster,
        # the bounds at none and at all are 0 and 1, but rounding may miss them by a hair
        interval=Interval(float(low) if count else 0.0, float(high) if count < n else 1.0, level, "Wilson"),
    )  # fmt: skip


def share_of_rows(
    name: str,
    hit: BoolArray,
    counted: BoolArray,
    rows: Ratings | Pairs,
    *,
    dropped: Mapping[str, int] | None = None,
    seed: int = 0,
    empty: str = Phrase("nothing to count"),
) -> Statistic:
    """Share of the counted rows that are hits; with a bootstrap interval where rows belong together (`clusters_of`).

    Args:
        hit, counted: per row, shape (n,); a hit that is not counted does not count.
        rows: the table they are rows of.
        dropped, empty: as in `share`.
        seed: of the bootstrap.
    """
    hit, clusters = hit[counted], clusters_of(rows.item[counted], rows.annotator[counted])
    cluster = None
    if clusters:
        sums = sums_by_cluster(clusters.code, hit, np.ones(len(hit)))
        cluster = cluster_interval(sums, share_of_sums, what=clusters.what, seed=seed)
    return share(name, int(hit.sum()), len(hit), dropped=dropped, cluster=cluster, empty=empty)


def compare_shares(
    count_a: int, n_a: int, count_b: int, n_b: int, *, name: str = "difference", level: float = LEVEL
) -> Statistic:
    """Difference of two independent shares, a minus b, with test and interval.

    The test is the pooled z test, or Fisher's exact test where an expected count is below 5.

    Args:
        count_a, n_a, count_b, n_b: whole numbers, 0 ≤ count ≤ n.
        name: of the statistic.
        level: of the interval.

    Returns:
        A difference in [-1, 1] with its Newcombe interval; details `share_a`, `share_b`, `z_pooled`, `p_pooled`,
        `z_unpooled`, `p_unpooled` (None where a variance is 0), `p_fisher`, Agresti–Caffo bounds.
        `undefined` when a side is empty, and for want of variation when both shares are 0 or both are 1.

    Raises:
        ValueError: a count is not between 0 and its n.

    Source: `socratic`, flip rates; STATISTICS 2.2.
    """
    # statsmodels and scipy cost seconds and 150 MB, so they are imported where they are used
    from scipy.stats import fisher_exact, norm
    from statsmodels.stats.proportion import confint_proportions_2indep

    for count, n in ((count_a, n_a), (count_b, n_b)):
        if not 0 <= count <= n:
            raise ValueError(f"compare_shares: count must be between 0 and n, but got {count!r} of {n!r}")
    details: dict[str, Detail] = {"count_a": count_a, "n_a": n_a, "count_b": count_b, "n_b": n_b}
    if n_a == 0 or n_b == 0:
        return Statistic.absent(
            name, "undefined", Phrase("one side is empty"), n=n_a + n_b, method="difference of shares", details=details
        )
    share_a, share_b, pooled = count_a / n_a, count_b / n_b, (count_a + count_b) / (n_a + n_b)
    details |= {"share_a": share_a, "share_b": share_b}
    if pooled in (0, 1):
        return Statistic.absent(
            name, "undefined", Phrase("no variation"), n=n_a + n_b, method="difference of shares", details=details
        )
    newcombe = confint_proportions_2indep(count_a, n_a, count_b, n_b, method="newcomb", alpha=1 - level)
    caffo = confint_proportions_2indep(count_a, n_a, count_b, n_b, method="agresti-caffo", alpha=1 - level)
    z_pooled = (share_a - share_b) / math.sqrt(pooled * (1 - pooled) * (1 / n_a + 1 / n_b))
    p_pooled = float(2 * norm.sf(abs(z_pooled)))
    p_fisher = float(fisher_exact([[count_a, n_a - count_a], [count_b, n_b - count_b]])[1])
    details |= {
        "z_pooled": z_pooled, "p_pooled": p_pooled, "z_unpooled": None, "p_unpooled": None, "p_fisher": p_fisher,
        "agresti_caffo_low": float(caffo[0]), "agresti_caffo_high": float(caffo[1]),
    }  # fmt: skip
    unpooled = share_a * (1 - share_a) / n_a + share_b * (1 - share_b) / n_b
    if unpooled > 0:
        z = (share_a - share_b) / math.sqrt(unpooled)
        details |= {"z_unpooled": z, "p_unpooled": float(2 * norm.sf(abs(z)))}
    small = min(pooled, 1 - pooled) * min(n_a, n_b) < 5
    test = "Fisher's exact test (an expected count is below 5)" if small else "pooled z test"
    return Statistic(
        name, share_a - share_b, n_a + n_b, f"difference of shares, {test}",
        interval=Interval(max(float(newcombe[0]), -1.0), min(float(newcombe[1]), 1.0), level, "Newcombe"),
        p_value=p_fisher if small else p_pooled,
        details=details,
    )  # fmt: skip
