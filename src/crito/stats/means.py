"""Means, and the difference of two means."""

import math
import warnings
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from crito.model.phrase import Phrase
from crito.stats.bootstrap import cluster_interval, share_of_sums, sums_by_cluster
from crito.stats.ratings import IntArray
from crito.stats.statistic import LEVEL, Detail, Interval, Statistic


def mean(
    name: str,
    values: npt.ArrayLike,
    *,
    cluster: IntArray | None = None,
    what: str = "items",
    dropped: Mapping[str, int] | None = None,
    within: tuple[float, float] = (-math.inf, math.inf),
    seed: int = 0,
    level: float = LEVEL,
) -> Statistic:
    """Mean of independent values, with its t interval.

    Args:
        name: of the statistic.
        values: finite numbers, shape (n,).
        cluster: code of each value's item or person, shape (n,); where one has several values, a bootstrap over
            clusters goes with the mean.
        what: the clusters in words.
        dropped: what is not among the values, by reason.
        within: the least and the most a value can be; the interval is cut there.
        seed: of the bootstrap.
        level: of the interval.

    Returns:
        The mean, with detail `sd` (n - 1 in the denominator; None for a single value). No interval for a single value
        or without variation. `undefined` without values.

    Raises:
        ValueError: a value is not finite.
    """
    # scipy costs a second and more, so it is imported where it is used
    from scipy.stats import t

    numbers = np.asarray(values, np.float64)
    if not np.isfinite(numbers).all():
        raise ValueError("mean: values must be finite; leave missing ones out and say so in `dropped`")
    n = len(numbers)
    if n == 0:
        return Statistic.absent(name, "undefined", Phrase("no values"), n=0, method="mean", dropped=dropped)
    value = float(numbers.mean())
    sd = float(numbers.std(ddof=1)) if n > 1 else None
    interval = resampled = None
    if sd:
        half = float(t.ppf((1 + level) / 2, n - 1)) * sd / math.sqrt(n)
        low, high = max(value - half, within[0]), min(value + half, within[1])
        clipped = value - half < within[0] or value + half > within[1]
        interval = Interval(low, high, level, "Student t", clipped=clipped)
        if cluster is not None and len(np.unique(cluster)) < n:
            sums = sums_by_cluster(cluster, numbers, np.ones(n))
            resampled = cluster_interval(sums, share_of_sums, what=what, seed=seed, level=level)
    return Statistic(
        name, value, n, "mean",
        dropped=dropped or {}, interval=interval, cluster_interval=resampled, details={"sd": sd},
        reason="" if sd else Phrase("no variation, so no interval") if n > 1 else Phrase("a single value, so no interval"),
    )  # fmt: skip


def compare_means(
    a: npt.ArrayLike, b: npt.ArrayLike, *, name: str = "difference", equal_variances: bool = True, level: float = LEVEL
) -> Statistic:
    """Difference of two independent means, a minus b, with tests, interval and effect sizes.

    Args:
        a, b: finite numbers, shapes (n_a,) and (n_b,).
        name: of the statistic.
        equal_variances: whether Student's t (pooled variance) or Welch's gives p and interval; both are in the details.
        level: of the interval.

    Returns:
        The difference; details `mean_a`, `mean_b`, `sd_a`, `sd_b`, `t`, `df`, `p`, `welch_t`, `welch_df`, `welch_p`,
        `cohen_d` and `hedges_g` (pooled SD), `brunner_munzel` and `brunner_munzel_p` (ranks; None where every value of
        one side lies beyond every value of the other).
        `insufficient` when a side has fewer than two values, `undefined` when neither side varies.

    Raises:
        ValueError: a value is not finite.

    Source: `socratic`, confidence; STATISTICS 2.5 and 2.7.
    """
    # scipy costs a second and more, so it is imported where it is used
    from scipy import special, stats

    first, second = np.asarray(a, np.float64), np.asarray(b, np.float64)
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise ValueError("compare_means: values must be finite; leave missing ones out")
    n_a, n_b = len(first), len(second)
    method = f"difference of means, {'Student' if equal_variances else 'Welch'} t"
    details: dict[str, Detail] = {"n_a": n_a, "n_b": n_b}
    if min(n_a, n_b) < 2:
        return Statistic.absent(
            name, "insufficient", Phrase("fewer than two values on a side"), n=n_a + n_b, method=method, details=details
        )
    difference = float(first.mean() - second.mean())
    sd_a, sd_b = float(first.std(ddof=1)), float(second.std(ddof=1))
    details |= {"mean_a": float(first.mean()), "mean_b": float(second.mean()), "sd_a": sd_a, "sd_b": sd_b}
    if sd_a == 0 and sd_b == 0:
        return Statistic.absent(
            name, "undefined", Phrase("no variation on either side"), n=n_a + n_b, method=method, details=details
        )
    df = n_a + n_b - 2
    pooled_sd = math.sqrt(((n_a - 1) * sd_a**2 + (n_b - 1) * sd_b**2) / df)
    pooled_se = pooled_sd * math.sqrt(1 / n_a + 1 / n_b)
    welch_se = math.sqrt(sd_a**2 / n_a + sd_b**2 / n_b)
    welch_df = welch_se**4 / ((sd_a**2 / n_a) ** 2 / (n_a - 1) + (sd_b**2 / n_b) ** 2 / (n_b - 1))
    d = difference / pooled_sd
    shrink = math.exp(special.gammaln(df / 2) - special.gammaln((df - 1) / 2)) / math.sqrt(df / 2)
    t, welch_t = difference / pooled_se, difference / welch_se
    p, welch_p = float(2 * stats.t.sf(abs(t), df)), float(2 * stats.t.sf(abs(welch_t), welch_df))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        ranks = stats.brunnermunzel(first, second)
    separated = not (math.isfinite(ranks.statistic) and math.isfinite(ranks.pvalue))
    details |= {
        "t": t, "df": df, "p": p, "welch_t": welch_t, "welch_df": welch_df, "welch_p": welch_p,
        "cohen_d": d, "hedges_g": d * shrink,
        "brunner_munzel": None if separated else float(ranks.statistic),
        "brunner_munzel_p": None if separated else float(ranks.pvalue),
    }  # fmt: skip
    half = (
        float(stats.t.ppf((1 + level) / 2, df)) * pooled_se
        if equal_variances
        else float(stats.t.ppf((1 + level) / 2, welch_df)) * welch_se
    )
    return Statistic(
        name, difference, n_a + n_b, method,
        interval=Interval(difference - half, difference + half, level, "Student t" if equal_variances else "Welch t"),
        p_value=p if equal_variances else welch_p, details=details,
    )  # fmt: skip
