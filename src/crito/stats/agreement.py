"""How far annotators agree: raw, and corrected for chance."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from crito.model.phrase import Phrase
from crito.stats.bootstrap import cluster_interval
from crito.stats.ratings import FloatArray, IntArray, Ratings
from crito.stats.statistic import Detail, Statistic, left_out

Scale = Literal["nominal", "ordinal", "interval"]

LARGEST_TABLE = 40_000_000
"""Items x labels x labels up to which an ordinal alpha is resampled: 300 MB."""


def percent_agreement(ratings: Ratings, *, seed: int = 0, repeats: int | None = None) -> Statistic:
    """Share of agreeing pairs of annotators on an item, mean over items; see `percent_agreement_from_counts`."""
    return percent_agreement_from_counts(ratings.counts(), dropped=ratings.dropped, seed=seed, repeats=repeats)


def percent_agreement_from_counts(
    counts: npt.ArrayLike, *, dropped: dict[str, int] | None = None, seed: int = 0, repeats: int | None = None
) -> Statistic:
    """Share of agreeing pairs of labels on an item, mean over items with at least two labels.

    Args:
        counts: how often each item got each label, whole numbers ≥ 0, shape (n_items, n_labels).
        dropped: labels that are not in `counts`, by reason.
        seed, repeats: of the bootstrap over items; 0 repeats for none.

    Returns:
        In [0, 1], not corrected for chance; detail `pooled` weighs every pair the same instead of every item.
        `insufficient` when no item has two labels. `n` counts items; those with fewer labels are dropped and counted.

    Source: STATISTICS 3.3 and 5.8.
    """
    table = _counts("percent_agreement", counts)
    paired, lonely = _with_two(table)
    name, method = "percent_agreement", "agreeing pairs of labels, mean over items"
    dropped = {**(dropped or {}), **lonely}
    if not len(paired):
        return Statistic.absent(
            name, "insufficient", Phrase("no item has two labels"), n=0, method=method, dropped=dropped
        )
    pairs, agreeing = _pairs(paired.sum(axis=1)), _pairs(paired).sum(axis=1)
    shares = agreeing / pairs
    sums = np.stack([shares, np.ones(len(shares))], axis=1)
    return Statistic(
        name, float(shares.mean()), len(shares), method,
        dropped=dropped,
        cluster_interval=cluster_interval(sums, lambda s: s[:, 0] / s[:, 1], seed=seed, repeats=repeats),
        details={"pooled": float(agreeing.sum() / pairs.sum()), "n_pairs": int(pairs.sum())},
    )  # fmt: skip


def fleiss_kappa(ratings: Ratings, *, seed: int = 0, repeats: int | None = None) -> Statistic:
    """Fleiss' kappa of many annotators; see `fleiss_kappa_from_counts`."""
    return fleiss_kappa_from_counts(ratings.counts(), dropped=ratings.dropped, seed=seed, repeats=repeats)


def fleiss_kappa_from_counts(
    counts: npt.ArrayLike, *, dropped: dict[str, int] | None = None, seed: int = 0, repeats: int | None = None
) -> Statistic:
    """Fleiss' kappa: agreement beyond what the label shares alone would give.

    It needs the same number of labels on every item: the number that most items have (at least two; the larger one of
    several), and all other items are dropped and counted. Where labels are missing, `krippendorff_alpha` keeps them.

    Args:
        counts, dropped, seed, repeats: as in `percent_agreement_from_counts`.

    Returns:
        At most 1, and negative when annotators agree less than by chance; details `observed` and `expected` agreement.
        `insufficient` when no item has two labels; `undefined` when only one label occurs (`observed` is then 1).

    Source: `experts`, agreement; STATISTICS 3.3.
    """
    table = _counts("fleiss_kappa", counts)
    per_item = table.sum(axis=1)
    name, method = "fleiss_kappa", "Fleiss' kappa"
    paired, lonely = _with_two(table)
    if not len(paired):
        return Statistic.absent(
            name,
            "insufficient",
            Phrase("no item has two labels"),
            n=0,
            method=method,
            dropped={**(dropped or {}), **lonely},
        )
    frequency = np.bincount(paired.sum(axis=1))
    usual = int(np.flatnonzero(frequency == frequency.max())[-1])
    full = table[per_item == usual]
    others = left_out({f"item_without_{usual}_labels": int((per_item != usual).sum())})
    dropped = {**(dropped or {}), **others}
    few = Phrase(
        "only %(full)s of %(items)s items have the same number of labels: prefer Krippendorff's alpha",
        full=len(full), items=len(paired),
    )  # fmt: skip
    agreeing = _pairs(full).sum(axis=1) / _pairs(np.array(usual))
    sums = np.concatenate([agreeing[:, None], np.ones((len(full), 1)), full], axis=1)
    observed, expected = (float(part[0]) for part in _fleiss_parts(sums.sum(axis=0)[None]))
    details: dict[str, Detail] = {"observed": observed, "expected": expected, "labels_per_item": usual}
    if (full.sum(axis=0) > 0).sum() < 2:
        return Statistic.absent(
            name, "undefined", Phrase("single label"), n=len(full), method=method, dropped=dropped, details=details
        )
    return Statistic(
        name, (observed - expected) / (1 - expected), len(full), method,
        dropped=dropped, details=details, reason=few if 2 * len(full) < len(paired) else "",
        cluster_interval=cluster_interval(sums, _fleiss_of_sums, seed=seed, repeats=repeats),
    )  # fmt: skip


def krippendorff_alpha(
    ratings: Ratings,
    scale: Scale = "nominal",
    *,
    values: Sequence[float] | None = None,
    seed: int = 0,
    repeats: int | None = None,
) -> Statistic:
    """Krippendorff's alpha of many annotators, missing labels allowed; see `krippendorff_alpha_from_counts`.

    *Not sure* is missing here; `ratings.with_not_sure_as_label()` makes it a label for the nominal scale.

    Raises:
        ValueError: the scale is interval, the labels are no numbers and `values` is not given.
    """
    if scale == "interval" and values is None:
        if not all(isinstance(label, int | float) for label in ratings.labels):
            raise ValueError(
                f"krippendorff_alpha: labels must be numbers for the interval scale, but got {ratings.labels!r}; "
                "pass `values`"
            )
        values = [float(label) for label in ratings.labels]
    return krippendorff_alpha_from_counts(
        ratings.counts(), scale, values=values, dropped=ratings.dropped, seed=seed, repeats=repeats
    )


def krippendorff_alpha_from_counts(
    counts: npt.ArrayLike,
    scale: Scale = "nominal",
    *,
    values: Sequence[float] | None = None,
    dropped: dict[str, int] | None = None,
    seed: int = 0,
    repeats: int | None = None,
) -> Statistic:
    """Krippendorff's alpha: 1 minus observed over expected disagreement.

    Args:
        counts: how often each item got each label, whole numbers ≥ 0, shape (n_items, n_labels).
        scale: what makes two labels differ more or less. `ordinal` takes the labels in their order; `interval` takes
            `values`, by default their places.
        values: of the labels, shape (n_labels,).
        dropped, seed, repeats: as in `percent_agreement_from_counts`.

    Returns:
        At most 1; 0 is what chance gives, and it may be negative. `n` counts labels on items that have at least two;
        items with one label are dropped and counted.
        `insufficient` when no item has two labels; `undefined` when only one label occurs ("no variation").

    Raises:
        ValueError: `values` has another length than there are labels, or one is not finite.

    Source: STATISTICS 7.3.
    """
    table = _counts("krippendorff_alpha", counts)
    worth = np.arange(table.shape[1], dtype=np.float64) if values is None else np.asarray(values, np.float64)
    if worth.shape != (table.shape[1],) or not np.isfinite(worth).all():
        raise ValueError(
            f"krippendorff_alpha: one finite value for each of {table.shape[1]} labels, but got {list(worth)!r}"
        )
    name, method = "krippendorff_alpha", f"Krippendorff's alpha, {scale}"
    paired, lonely = _with_two(table)
    dropped = {**(dropped or {}), **lonely}
    if not len(paired):
        return Statistic.absent(
            name, "insufficient", Phrase("no item has two labels"), n=0, method=method, dropped=dropped
        )
    used = paired.sum(axis=0) > 0
    n = int(paired.sum())
    details: dict[str, Detail] = {"n_items": len(paired)}
    if used.sum() < 2 or (scale == "interval" and np.ptp(worth[used]) == 0):
        return Statistic.absent(
            name, "undefined", Phrase("no variation"), n=n, method=method, dropped=dropped, details=details
        )
    # labels that nobody gave change neither disagreement nor ranks, and centred values lose fewer digits
    parts = _Disagreement(scale, worth[used] - worth[used].mean())
    counted = paired[:, used]
    observed, expected = (float(part[0]) for part in parts.observed_and_expected(parts.total(counted)))
    details |= {"observed_disagreement": observed, "expected_disagreement": expected}
    too_large = scale == "ordinal" and counted.size * counted.shape[1] > LARGEST_TABLE
    resampled = None
    if not too_large and repeats != 0:
        resampled = cluster_interval(parts.sums(counted), parts.alpha, seed=seed, repeats=repeats)
    return Statistic(
        name, 1 - observed / expected, n, method,
        dropped=dropped, details=details, cluster_interval=resampled,
        reason=Phrase("too many items and labels to resample") if too_large else "",
    )  # fmt: skip


AGREEMENT = {
    "krippendorff_alpha": krippendorff_alpha,
    "fleiss_kappa": fleiss_kappa,
    "percent_agreement": percent_agreement,
}
"""The measures of agreement by name."""


@dataclass(frozen=True, slots=True)
class _Disagreement:
    """Alpha as a function of sums over items, so that items can be resampled without counting anew.

    The sums are, first, what each item adds to the observed disagreement (ordinal: to each coincidence, since there
    the distances depend on all items), and then the label counts.
    """

    scale: Scale
    values: FloatArray

    def total(self, counts: IntArray) -> FloatArray:
        """The sums over all items, shape (1, n_sums)."""
        if self.scale != "ordinal":
            return np.asarray(self.sums(counts).sum(axis=0)[None])
        share = counts / (counts.sum(axis=1) - 1)[:, None]
        together = counts.T @ share - np.diag(share.sum(axis=0))
        return np.concatenate([together.ravel(), counts.sum(axis=0)])[None]

    def sums(self, counts: IntArray) -> FloatArray:
        """What each item adds, shape (n_items, n_sums)."""
        per_item = counts.sum(axis=1)
        table = counts.astype(np.float64)
        if self.scale == "ordinal":
            k = counts.shape[1]
            together = table[:, :, None] * table[:, None, :]
            together[:, np.arange(k), np.arange(k)] -= table
            observed = (together / (per_item - 1)[:, None, None]).reshape(len(table), k * k)
        else:
            observed = (self._pair_distances(table) / (per_item - 1))[:, None]
        return np.concatenate([observed, table], axis=1)

    def alpha(self, sums: FloatArray) -> FloatArray:
        observed, expected = self.observed_and_expected(sums)
        return np.asarray(1 - observed / expected)

    def observed_and_expected(self, sums: FloatArray) -> tuple[FloatArray, FloatArray]:
        k = len(self.values)
        observed, counts = sums[:, :-k], sums[:, -k:]
        n = counts.sum(axis=1)
        if self.scale == "ordinal":
            up_to = np.cumsum(counts, axis=1) - counts / 2
            distance = (up_to[:, :, None] - up_to[:, None, :]) ** 2
            seen = (observed.reshape(-1, k, k) * distance).sum(axis=(1, 2))
            by_chance = np.einsum("rc,rd,rcd->r", counts, counts, distance)
        else:
            seen, by_chance = observed[:, 0], self._pair_distances(counts)
        return np.asarray(seen / n), np.asarray(by_chance / n / (n - 1))

    def _pair_distances(self, counts: FloatArray) -> FloatArray:
        """Sum of squared distances over ordered pairs of the counted labels, shape (n_rows,)."""
        n = counts.sum(axis=1)
        if self.scale == "nominal":
            return np.asarray(n**2 - (counts**2).sum(axis=1))
        return np.asarray(2 * (n * (counts @ self.values**2) - (counts @ self.values) ** 2))


def _fleiss_parts(sums: FloatArray) -> tuple[FloatArray, FloatArray]:
    shares = sums[:, 2:] / sums[:, 2:].sum(axis=1, keepdims=True)
    return np.asarray(sums[:, 0] / sums[:, 1]), np.asarray((shares**2).sum(axis=1))


def _fleiss_of_sums(sums: FloatArray) -> FloatArray:
    observed, expected = _fleiss_parts(sums)
    return np.asarray((observed - expected) / (1 - expected))


def _pairs(counts: IntArray) -> FloatArray:
    return np.asarray(counts * (counts - 1.0) / 2)


def _with_two(table: IntArray) -> tuple[IntArray, dict[str, int]]:
    per_item = table.sum(axis=1)
    lonely = {"item_with_one_label": int((per_item == 1).sum()), "item_without_label": int((per_item == 0).sum())}
    return table[per_item >= 2], left_out(lonely)


def _counts(caller: str, counts: npt.ArrayLike) -> IntArray:
    given = np.asarray(counts)
    table = given.astype(np.int64)
    if table.ndim != 2 or (table < 0).any() or (table != given).any():
        raise ValueError(f"{caller}: counts must be whole, ≥ 0 and of shape (n_items, n_labels), but got {given!r}")
    return table
