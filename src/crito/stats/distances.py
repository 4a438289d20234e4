"""How far a predicted distribution, or a prediction for each person, is from what people said."""

import math
from typing import Literal

import numpy as np
import numpy.typing as npt

from crito.stats.means import mean
from crito.stats.ratings import FloatArray, IntArray
from crito.stats.statistic import Statistic, left_out

LikertScaling = Literal["range", "levels"]


def manhattan(predicted: npt.ArrayLike, target: npt.ArrayLike) -> FloatArray:
    """Sum of absolute differences of each row, in [0, 2].

    Args:
        predicted, target: rows of shares that sum to 1, shape (n_items, n_labels).

    Raises:
        ValueError: shapes differ, a share is negative, or a row does not sum to 1 within 1e-6.

    Source: LeWiDi; STATISTICS 7.2.
    """
    p, t = _distributions("manhattan", predicted, target)
    return np.asarray(np.abs(p - t).sum(axis=1))


def wasserstein(predicted: npt.ArrayLike, target: npt.ArrayLike) -> FloatArray:
    """Work to turn one row into the other when neighbouring labels are one step apart, in [0, n_labels - 1].

    Args, Raises: as `manhattan`; the labels stand in their order.

    Source: LeWiDi 2025; STATISTICS 7.2.
    """
    p, t = _distributions("wasserstein", predicted, target)
    return np.asarray(np.abs(np.cumsum(p - t, axis=1)[:, :-1]).sum(axis=1))


def cross_entropy(predicted: npt.ArrayLike, target: npt.ArrayLike) -> FloatArray:
    """-Σ t ln p of each row, at least 0, in nats; predicted shares below 1e-12 count as 1e-12.

    Args, Raises: as `manhattan`.

    Source: LeWiDi 2023; STATISTICS 7.2.
    """
    p, t = _distributions("cross_entropy", predicted, target)
    return np.asarray(-(t * np.log(np.maximum(p, 1e-12))).sum(axis=1))


def jensen_shannon(predicted: npt.ArrayLike, target: npt.ArrayLike) -> FloatArray:
    """Jensen–Shannon distance of each row, base 2, in [0, 1].

    Args, Raises: as `manhattan`.

    Source: STATISTICS 7.2.
    """
    p, t = _distributions("jensen_shannon", predicted, target)
    middle = (p + t) / 2
    divergence = (_relative_entropy(p, middle) + _relative_entropy(t, middle)) / 2
    return np.sqrt(np.clip(divergence, 0.0, 1.0))


DISTANCES = {
    "manhattan": manhattan,
    "wasserstein": wasserstein,
    "cross_entropy": cross_entropy,
    "jensen_shannon": jensen_shannon,
}
"""Distances between distributions by name."""


def mean_distance(
    name: Literal["manhattan", "wasserstein", "cross_entropy", "jensen_shannon"],
    predicted: npt.ArrayLike,
    target: npt.ArrayLike,
) -> Statistic:
    """Mean of one of `DISTANCES` over items; `undefined` without items."""
    return mean(name, DISTANCES[name](predicted, target), within=(0.0, math.inf))


def person_error_rate(item: IntArray, given: IntArray, predicted: IntArray) -> Statistic:
    """How often the prediction for a person is not what that person said: mean within items, then over items.

    Args:
        item, given, predicted: codes per row, shape (n,); rows without a label on either side (negative) are dropped.

    Returns:
        In [0, 1]; `undefined` without rows.

    Source: LeWiDi 2025, perspectivist task; STATISTICS 7.2.
    """
    keep, dropped = _both(given >= 0, predicted >= 0)
    return _mean_of_item_means("person_error_rate", item[keep], (given != predicted)[keep], dropped)


def likert_distance(
    item: IntArray,
    given: npt.ArrayLike,
    predicted: npt.ArrayLike,
    *,
    lowest: float,
    highest: float,
    scaling: LikertScaling = "range",
) -> Statistic:
    """Absolute distance between predicted and given ratings: mean within items, then over items.

    Args:
        item: code of each row's item, shape (n,).
        given, predicted: ratings; NaN is missing, such rows are dropped; shape (n,).
        lowest, highest: ends of the scale.
        scaling: divide by `highest - lowest`, so that 1 is the largest distance, or by the number of whole `levels`,
            which is what the LeWiDi 2025 scoring code does.

    Returns:
        In [0, 1]; `undefined` without rows.

    Raises:
        ValueError: a rating is off the scale, or the scale has no extent.

    Source: LeWiDi 2025; STATISTICS 7.2.
    """
    said, foretold = np.asarray(given, np.float64), np.asarray(predicted, np.float64)
    if not highest > lowest:
        raise ValueError(f"likert_distance: highest must be above lowest, but got {lowest!r} to {highest!r}")
    keep, dropped = _both(~np.isnan(said), ~np.isnan(foretold))
    both = np.concatenate([said[keep], foretold[keep]])
    if ((both < lowest) | (both > highest)).any():
        raise ValueError(f"likert_distance: ratings run from {lowest!r} to {highest!r}, but one is off that scale")
    size = highest - lowest + (1 if scaling == "levels" else 0)
    return _mean_of_item_means("likert_distance", item[keep], np.abs(said - foretold)[keep] / size, dropped)


def _mean_of_item_means(
    name: str, item: IntArray, values: npt.NDArray[np.generic], dropped: dict[str, int]
) -> Statistic:
    if not len(item):
        return mean(name, [], dropped=dropped)
    _, place, n = np.unique(item, return_inverse=True, return_counts=True)
    return mean(name, np.bincount(place, weights=values.astype(np.float64)) / n, within=(0.0, 1.0), dropped=dropped)


def _both(
    given: npt.NDArray[np.bool_], predicted: npt.NDArray[np.bool_]
) -> tuple[npt.NDArray[np.bool_], dict[str, int]]:
    return given & predicted, left_out(
        {"not_given": int((~given).sum()), "not_predicted": int((given & ~predicted).sum())}
    )


def _relative_entropy(p: FloatArray, q: FloatArray) -> FloatArray:
    # Half of the smallest number there is comes out as 0.
    present = (p > 0) & (q > 0)
    ratio = np.divide(p, q, out=np.ones_like(p), where=present)
    return np.asarray((p * np.log2(ratio)).sum(axis=1))


def _distributions(caller: str, predicted: npt.ArrayLike, target: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    p, t = np.asarray(predicted, np.float64), np.asarray(target, np.float64)
    if p.shape != t.shape or p.ndim != 2:
        raise ValueError(f"{caller}: both must have one shape (n_items, n_labels), but got {p.shape} and {t.shape}")
    for name, table in (("predicted", p), ("target", t)):
        bad = np.flatnonzero(~((table >= 0).all(axis=1) & (np.abs(table.sum(axis=1) - 1) <= 1e-6)))
        if len(bad):
            raise ValueError(
                f"{caller}: shares must be at least 0 and sum to 1, but {name} row {bad[0]} is {table[bad[0]].tolist()}"
            )
    return p, t
