"""Intervals that respect that rows of one item (or one person) belong together: resample the clusters."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from crito.stats.ratings import BoolArray, FloatArray, IntArray, Pairs, Ratings
from crito.stats.statistic import LEVEL, Interval

REPEATS = 2000
REPEATS_WHEN_LARGE = 200
MOST_KEPT = 50_000_000
"""Resamples x clusters up to which the draws are kept for other statistics of as many clusters: 50 MB."""

LARGE = 20_000
"""From so many clusters on, `REPEATS_WHEN_LARGE` is the default."""


class Clusters(NamedTuple):
    """Which rows belong together: a code per row, and what the codes stand for in words."""

    code: IntArray
    what: str


def clusters_of(item: IntArray, annotator: IntArray) -> Clusters | None:
    """Items where one has several rows, otherwise persons where one has several; None where rows are independent."""
    if len(np.unique(item)) < len(item):
        return Clusters(item, "items")
    if len(np.unique(annotator)) < len(annotator):
        return Clusters(annotator, "persons")
    return None


def sums_by_cluster(cluster: IntArray, *columns: FloatArray | IntArray | BoolArray) -> FloatArray:
    """Sum of each column within each cluster that occurs, shape (n_clusters, n_columns)."""
    _, place = np.unique(cluster, return_inverse=True)
    return np.stack([np.bincount(place, weights=column) for column in columns], axis=1)


def cluster_interval(
    sums: FloatArray,
    statistic: Callable[[FloatArray], FloatArray],
    *,
    what: str = "items",
    seed: int = 0,
    repeats: int | None = None,
    level: float = LEVEL,
) -> Interval | None:
    """Percentile interval of a statistic that is a function of sums over clusters.

    Args:
        sums: what each cluster adds to each sum, shape (n_clusters, n_sums).
        statistic: takes sums of shape (n_repeats, n_sums), gives values of shape (n_repeats,); NaN where it is
            undefined in a resample. Undefined resamples are left out.
        what: the clusters in words, for the method.
        seed: of `numpy.random.default_rng`; stands in the interval's method.
        repeats: number of resamples; by default 2000, or 200 from 20 000 clusters on; 0 for no interval.
        level: share of resampled values between the bounds.

    Returns:
        None with fewer than two clusters, for 0 repeats, where no resample has a value, or where all have the same
        (which says nothing about how sure the value is).

    Source: STATISTICS 0, unit of analysis.
    """
    if len(sums) < 2 or repeats == 0:
        return None
    repeats = default_repeats(len(sums)) if repeats is None else repeats
    if repeats * len(sums) <= MOST_KEPT:
        resampled = _sums_of_times(_times(len(sums), repeats, seed), sums)
    else:
        resampled = resampled_sums(sums, repeats, np.random.default_rng(seed))
    with np.errstate(divide="ignore", invalid="ignore"):
        values = statistic(resampled)
    return percentile_interval(values, what=what, seed=seed, level=level)


def difference_interval(
    a: FloatArray | BoolArray,
    clusters_a: Sequence[Hashable],
    b: FloatArray | BoolArray,
    clusters_b: Sequence[Hashable],
    *,
    what: str = "items",
    seed: int = 0,
    level: float = LEVEL,
) -> Interval | None:
    """Percentile interval of the difference of two means (or shares), a minus b.

    A cluster that has rows on both sides is resampled with all of them; without any such cluster each side is
    resampled on its own.

    Args:
        a, b: values, shapes (n_a,) and (n_b,).
        clusters_a, clusters_b: name of each row's cluster.
        what, seed, level: as in `cluster_interval`.

    Returns:
        None when a side is empty; otherwise as `cluster_interval`.
    """
    if not (len(a) and len(b)):
        return None
    places = {name: place for place, name in enumerate(dict.fromkeys([*clusters_a, *clusters_b]))}
    of_a = np.array([places[name] for name in clusters_a], np.int64)
    of_b = np.array([places[name] for name in clusters_b], np.int64)
    if np.isin(of_a, of_b).any():
        values, ones = np.concatenate([a, b]).astype(np.float64), np.ones(len(a) + len(b))
        on_a = np.arange(len(ones)) < len(a)
        return cluster_interval(
            sums_by_cluster(np.concatenate([of_a, of_b]), values * on_a, ones * on_a, values * ~on_a, ones * ~on_a),
            lambda sums: share_of_sums(sums[:, :2]) - share_of_sums(sums[:, 2:]),
            what=what, seed=seed, level=level,
        )  # fmt: skip
    rng, repeats = np.random.default_rng(seed), default_repeats(len(places))
    one, other = (
        share_of_sums(resampled_sums(sums_by_cluster(cluster, values, np.ones(len(values))), repeats, rng))
        for values, cluster in ((a, of_a), (b, of_b))
    )
    return percentile_interval(one - other, what=what, seed=seed, level=level)


def clustered_difference(
    a: FloatArray | BoolArray,
    rows_a: Ratings | Pairs,
    b: FloatArray | BoolArray,
    rows_b: Ratings | Pairs,
    *,
    seed: int = 0,
) -> Interval | None:
    """`difference_interval` over the items of two tables where items come back, otherwise over their persons.

    None where every item and every person has a single row in both tables together.
    """
    for what, codes, names in (
        ("items", (rows_a.item, rows_b.item), (rows_a.items, rows_b.items)),
        ("persons", (rows_a.annotator, rows_b.annotator), (rows_a.annotators, rows_b.annotators)),
    ):
        one, other = ([name[code] for code in side] for side, name in zip(codes, names, strict=True))
        if len({*one, *other}) < len(one) + len(other):
            return difference_interval(a, one, b, other, what=what, seed=seed)
    return None


def default_repeats(n_clusters: int) -> int:
    """How often to resample so many clusters."""
    return REPEATS_WHEN_LARGE if n_clusters >= LARGE else REPEATS


@lru_cache(maxsize=4)
def _times(n_clusters: int, repeats: int, seed: int) -> npt.NDArray[np.uint8]:
    """How often each cluster is drawn in each resample, shape (repeats, n_clusters).

    Statistics of the same clusters share it: drawing is nearly all that a bootstrap costs.
    """
    rng = np.random.default_rng(seed)
    times = np.empty((repeats, n_clusters), np.uint8)
    for start, drawn in _drawn(n_clusters, repeats, rng):
        times[start : start + len(drawn)] = drawn
    times.flags.writeable = False
    return times


def _drawn(n_clusters: int, repeats: int, rng: np.random.Generator) -> Iterator[tuple[int, IntArray]]:
    """The same in blocks, each with the number of its first resample."""
    block = max(1, 2_000_000 // n_clusters)
    for start in range(0, repeats, block):
        drawn = rng.integers(n_clusters, size=(min(block, repeats - start), n_clusters))
        # each row's draws are shifted into a range of their own, so that one bincount counts all rows
        drawn += np.arange(len(drawn))[:, None] * n_clusters
        yield start, np.bincount(drawn.ravel(), minlength=drawn.size).reshape(drawn.shape)


def _sums_of_times(times: npt.NDArray[np.uint8], sums: FloatArray) -> FloatArray:
    resampled = np.empty((len(times), sums.shape[1]))
    block = max(1, 2_000_000 // len(sums))
    for start in range(0, len(times), block):
        resampled[start : start + block] = times[start : start + block].astype(np.float64) @ sums
    return resampled


def resampled_sums(sums: FloatArray, repeats: int, rng: np.random.Generator) -> FloatArray:
    """Sums over clusters drawn with replacement, shape (repeats, n_sums)."""
    resampled = np.empty((repeats, sums.shape[1]))
    for start, times in _drawn(len(sums), repeats, rng):
        resampled[start : start + len(times)] = times @ sums
    return resampled


def percentile_interval(values: FloatArray, *, what: str, seed: int, level: float = LEVEL) -> Interval | None:
    """The interval that holds the middle of resampled values; arguments as in `cluster_interval`."""
    repeats, values = len(values), values[np.isfinite(values)]
    if not len(values):
        return None
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    if low == high:
        return None
    method = f"percentile bootstrap over {what}, {repeats} resamples, seed {seed}"
    return Interval(float(low), float(high), level, method)


def share_of_sums(sums: FloatArray) -> FloatArray:
    """First sum over second sum, for `cluster_interval`."""
    return np.asarray(sums[:, 0] / sums[:, 1])
