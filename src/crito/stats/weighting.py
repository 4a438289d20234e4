"""Totals and shares of a population from items drawn with unequal, recorded probabilities."""

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from crito.model.phrase import Phrase
from crito.stats.ratings import FloatArray
from crito.stats.statistic import LEVEL, Detail, Interval, Statistic, left_out


def weighted_total(values: npt.ArrayLike, inclusion: npt.ArrayLike) -> Statistic:
    """Horvitz–Thompson estimate of a population total from independent draws.

    Args:
        values: of the drawn items, shape (n,).
        inclusion: the probability with which each was drawn, in (0, 1]; NaN where it was not recorded, such items are
            no evidence and are dropped; shape (n,).

    Returns:
        The total with detail `se` and a normal interval; `insufficient` without items.

    Raises:
        ValueError: a probability is not in (0, 1], or shapes differ.

    Source: STATISTICS 5.7.
    """
    y, pi, dropped = _drawn("weighted_total", values, inclusion)
    if not len(y):
        return Statistic.absent(
            "total",
            "insufficient",
            Phrase("no item with a probability"),
            n=0,
            method="Horvitz–Thompson",
            dropped=dropped,
        )
    se = math.sqrt(float(((1 - pi) / pi**2 * y**2).sum()))
    return _estimate("total", float((y / pi).sum()), se, len(y), "Horvitz–Thompson", dropped, {})


def weighted_mean(
    values: npt.ArrayLike, inclusion: npt.ArrayLike, *, population: int | None = None, is_share: bool = True
) -> Statistic:
    """Mean of a population from independent draws: Hájek, or Horvitz–Thompson over a known population size.

    Args:
        values, inclusion: as in `weighted_total`.
        population: size to divide by; without it the size is estimated too (Hájek), which is better for rates.
        is_share: cut the interval to [0, 1].

    Returns:
        The mean with details `se`, `estimated_population` and `effective_size`; `insufficient` without items.

    Raises:
        ValueError: as `weighted_total`.

    Source: STATISTICS 5.7.
    """
    y, pi, dropped = _drawn("weighted_mean", values, inclusion)
    method = "Hájek" if population is None else "Horvitz–Thompson over the population size"
    if not len(y):
        return Statistic.absent(
            "weighted_mean", "insufficient", Phrase("no item with a probability"), n=0, method=method, dropped=dropped
        )
    weight = 1 / pi
    size = float(weight.sum())
    if population is None:
        mean = float((y * weight).sum()) / size
        se = math.sqrt(float(((1 - pi) * weight**2 * (y - mean) ** 2).sum())) / size
    else:
        mean = float((y * weight).sum()) / population
        se = math.sqrt(float(((1 - pi) * weight**2 * y**2).sum())) / population
    details: dict[str, Detail] = {
        "estimated_population": size, "effective_size": size**2 / float((weight**2).sum())
    }  # fmt: skip
    return _estimate("weighted_mean", mean, se, len(y), method, dropped, details, is_share=is_share)


def stratified_mean(strata: Sequence[tuple[npt.ArrayLike, int]], *, is_share: bool = True) -> Statistic:
    """Mean of a population from simple random samples within strata.

    Args:
        strata: for each stratum the values of its drawn items, and how many items it has in all.
        is_share: cut the interval to [0, 1].

    Returns:
        The mean with detail `se`; `insufficient` when a stratum has items but fewer than two were drawn and not all.

    Raises:
        ValueError: more items were drawn than a stratum has.

    Source: STATISTICS 5.7.
    """
    drawn = [(np.asarray(values, np.float64), size) for values, size in strata if size > 0]
    population, n = sum(size for _, size in drawn), sum(len(y) for y, _ in drawn)
    for y, size in drawn:
        if len(y) > size:
            raise ValueError(f"stratified_mean: {len(y)} items were drawn from a stratum of {size}")
    thin = [size for y, size in drawn if len(y) < min(2, size)]
    if not drawn or thin:
        reason = Phrase("no items")
        if thin:
            reason = Phrase("a stratum of %(n)s items has fewer than two drawn", n=thin[0])
        return Statistic.absent("stratified_mean", "insufficient", reason, n=n, method="stratified")
    mean = sum(size * float(y.mean()) for y, size in drawn) / population
    variance = sum(
        (size / population) ** 2 * (1 - len(y) / size) * float(y.var(ddof=1)) / len(y)
        for y, size in drawn
        if len(y) > 1
    )
    return _estimate("stratified_mean", mean, math.sqrt(variance), n, "stratified", {}, {}, is_share=is_share)


def normal_interval(value: float, se: float, *, is_share: bool, level: float = LEVEL) -> Interval:
    """The normal interval around an estimate, cut to [0, 1] for a share."""
    half = NormalDist().inv_cdf((1 + level) / 2) * se
    return clipped_interval(value - half, value + half, "normal", is_share=is_share, level=level)


def clipped_interval(low: float, high: float, method: str, *, is_share: bool, level: float = LEVEL) -> Interval:
    """An interval, cut to [0, 1] for a share; an estimate outside gives an interval at the edge."""
    if not is_share or (low >= 0 and high <= 1):
        return Interval(low, high, level, method)
    return Interval(min(max(low, 0.0), 1.0), min(max(high, 0.0), 1.0), level, method, clipped=True)


def _estimate(
    name: str, value: float, se: float, n: int, method: str, dropped: dict[str, int], details: dict[str, Detail], *,
    is_share: bool = False,
) -> Statistic:  # fmt: skip
    return Statistic(
        name, value, n, method, dropped=dropped, details={"se": se or None, **details},
        interval=normal_interval(value, se, is_share=is_share) if se > 0 else None,
        reason="" if se > 0 else Phrase("no variation among what was drawn, so no interval"),
    )  # fmt: skip


def _drawn(
    caller: str, values: npt.ArrayLike, inclusion: npt.ArrayLike
) -> tuple[FloatArray, FloatArray, dict[str, int]]:
    y, pi = np.asarray(values, np.float64), np.asarray(inclusion, np.float64)
    if y.shape != pi.shape or not np.isfinite(y).all():
        raise ValueError(f"{caller}: finite values and one probability each, but got shapes {y.shape} and {pi.shape}")
    known = ~np.isnan(pi)
    wrong = pi[known & ~((pi > 0) & (pi <= 1))]
    if len(wrong):
        raise ValueError(f"{caller}: inclusion probabilities must be in (0, 1], but got {float(wrong[0])!r}")
    return y[known], pi[known], left_out({"no_inclusion_probability": int((~known).sum())})
