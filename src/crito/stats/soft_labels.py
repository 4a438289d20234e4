"""Soft labels: how the labels of an item are distributed, and how spread out that is."""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from crito.stats.means import mean
from crito.stats.ratings import FloatArray, IntArray, LabelName, Ratings
from crito.stats.statistic import Statistic, left_out


@dataclass(frozen=True, slots=True, eq=False)
class SoftLabels:
    """Share of each label on each item that has any label; the annotations stay what they are.

    Attributes:
        items: names, shape (n_items,).
        labels: the declared label set.
        shares: rows sum to 1, shape (n_items, n_labels).
        n: labels behind each row, shape (n_items,).
        n_without: items without any label, left out.
    """

    items: tuple[Hashable, ...]
    labels: tuple[LabelName, ...]
    shares: FloatArray
    n: IntArray
    n_without: int


def soft_labels(ratings: Ratings, *, smoothing: float = 0.0) -> SoftLabels:
    """The label shares of each item: (count + a) / (all + a K).

    Args:
        ratings: K is the size of their declared label set, unused labels included.
        smoothing: a, at least 0; 1 keeps the targets of a cross-entropy away from 0.

    Raises:
        ValueError: `smoothing` is negative.

    Source: STATISTICS 7.1.
    """
    if smoothing < 0:
        raise ValueError(f"soft_labels: smoothing must be at least 0, but got {smoothing!r}")
    counts = ratings.counts()
    n = counts.sum(axis=1)
    has = n > 0
    shares = (counts[has] + smoothing) / (n[has, None] + smoothing * counts.shape[1])
    names = tuple(name for name, keep in zip(ratings.items, has, strict=True) if keep)
    return SoftLabels(names, ratings.labels, np.asarray(shares, np.float64), n[has], int((~has).sum()))


def entropy(shares: npt.ArrayLike) -> FloatArray:
    """Normalised entropy of each distribution, shape (n_items,).

    Args:
        shares: rows of K shares that sum to 1, shape (n_items, K).

    Returns:
        In [0, 1]: 0 when all share one label (always so for K = 1), 1 when every label is equally frequent.

    Source: STATISTICS 7.1.
    """
    table = np.asarray(shares, np.float64)
    if table.shape[1] < 2:
        return np.zeros(len(table))
    safe = np.where(table > 0, table, 1.0)
    # the sum of p ln p of a pure distribution is 0, and its negative would print as -0
    return np.asarray(np.abs((table * np.log(safe)).sum(axis=1)) / np.log(table.shape[1]))


def mean_entropy(soft: SoftLabels) -> Statistic:
    """Mean over items of the normalised entropy; items without a label are dropped and counted."""
    return mean(
        "entropy", entropy(soft.shares), within=(0.0, 1.0), dropped=left_out({"item_without_label": soft.n_without})
    )
