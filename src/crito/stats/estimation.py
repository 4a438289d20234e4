"""Shares, means and regressions of a corpus from machine predictions that are used but not trusted."""

import math
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from crito.model.phrase import Phrase
from crito.stats.bounds import clopper_pearson_lower
from crito.stats.ratings import FloatArray
from crito.stats.statistic import LEVEL, Detail, Statistic
from crito.stats.weighting import clipped_interval, normal_interval

FEWEST_LABELLED_PER_GROUP = 10
FEWEST_LABELLED_FOR_TUNING = 10


class _Labelled(NamedTuple):
    f: FloatArray
    y: FloatArray
    inclusion: FloatArray
    known: npt.NDArray[np.bool_]


def pseudo_outcomes(predicted: npt.ArrayLike, labelled: npt.ArrayLike, inclusion: npt.ArrayLike) -> FloatArray:
    """For each item its prediction, moved by its weighted error where it was labelled blind, shape (n_items,).

    Args:
        predicted: prediction of every item, by a version that was not tuned on the labels; shape (n_items,).
        labelled: the blind label as a number, NaN where there is none; shape (n_items,).
        inclusion: the probability with which each item was drawn for labelling, in (0, 1]; shape (n_items,).

    Raises:
        ValueError: shapes differ, a prediction is not finite, or a probability is not in (0, 1] (with an item that
            could not be drawn there is no estimate for the corpus).

    Source: design-based supervised learning; STATISTICS 6.2.
    """
    data = _checked("pseudo_outcomes", predicted, labelled, inclusion)
    return _pseudo(data)


def difference_estimate(
    predicted: npt.ArrayLike, labelled: npt.ArrayLike, inclusion: npt.ArrayLike, *, is_share: bool = True
) -> Statistic:
    """Mean over a corpus from predictions of all items and blind labels of some, drawn independently.

    Args:
        predicted, labelled, inclusion: as in `pseudo_outcomes`.
        is_share: cut the interval to [0, 1].

    Returns:
        The estimate (which may lie outside [0, 1]) with detail `se` and a normal interval.
        `insufficient` with fewer than two labels. Where all errors are equal the standard error would be too small:
        when the machine made none, predictions are 0 or 1 and probabilities equal, the interval comes from the exact
        bound on the error rate; otherwise the estimate is `insufficient`.

    Raises:
        ValueError: as `pseudo_outcomes`.

    Source: design-based supervised learning; STATISTICS 6.2.
    """
    data = _checked("difference_estimate", predicted, labelled, inclusion)
    name, method = "difference_estimate", "difference estimator, independent draws"
    absent = _too_little(data, name, method, is_share)
    if absent is not None:
        return absent
    outcomes = _pseudo(data)
    value, se = float(outcomes.mean()), float(outcomes.std(ddof=1)) / math.sqrt(len(outcomes))
    return Statistic(
        name, value, len(outcomes), method, details={"se": se, "n_labelled": int(data.known.sum())},
        interval=normal_interval(value, se, is_share=is_share),
    )  # fmt: skip


def difference_estimate_of_sample(
    predicted: npt.ArrayLike, labelled: npt.ArrayLike, *, is_share: bool = True
) -> Statistic:
    """The same where the labelled items are a simple random sample of a closed corpus; with a t interval.

    Args:
        predicted, labelled: as in `pseudo_outcomes`, over the whole corpus.
        is_share: cut the interval to [0, 1].

    Returns:
        As `difference_estimate`, with details `mean_of_labels` and `se_of_labels`: the labels alone. When every item
        is labelled there is nothing to estimate and no interval.

    Raises:
        ValueError: shapes differ, or a prediction is not finite.

    Source: STATISTICS 6.2.
    """
    # scipy costs a second and more, so it is imported where it is used
    from scipy.stats import t

    data = _checked("difference_estimate_of_sample", predicted, labelled, None)
    name, method = "difference_estimate", "difference estimator, simple random sample"
    n, corpus = int(data.known.sum()), len(data.f)
    absent = _too_little(data, name, method, is_share) if n < corpus or n < 2 else None
    if absent is not None:
        return absent
    y, errors = data.y[data.known], (data.y - data.f)[data.known]
    value = float(data.f.mean() + errors.mean())
    rest = 1 - n / corpus
    se = math.sqrt(rest * float(errors.var(ddof=1)) / n)
    half = float(t.ppf((1 + LEVEL) / 2, n - 1)) * se
    details: dict[str, Detail] = {
        "se": se, "n_labelled": n, "mean_of_labels": float(y.mean()), "se_of_labels": math.sqrt(rest * float(y.var(ddof=1)) / n),
    }  # fmt: skip
    return Statistic(
        name, value, corpus, method, details=details,
        interval=clipped_interval(value - half, value + half, "Student t", is_share=is_share) if n < corpus else None,
        reason="" if n < corpus else Phrase("every item is labelled"),
    )  # fmt: skip


def difference_estimates_by_group(
    predicted: npt.ArrayLike,
    labelled: npt.ArrayLike,
    inclusion: npt.ArrayLike,
    group: Sequence[str],
    *,
    is_share: bool = True,
) -> dict[str, Statistic]:
    """`difference_estimate` within each group; `insufficient` with fewer than 10 labelled items in it.

    Source: STATISTICS 6.2.
    """
    data = _checked("difference_estimates_by_group", predicted, labelled, inclusion)
    groups = np.asarray(group, object)
    found = {}
    for name in sorted(set(group)):
        inside = groups == name
        n = int(data.known[inside].sum())
        found[name] = (
            difference_estimate(data.f[inside], data.y[inside], data.inclusion[inside], is_share=is_share)
            if n >= FEWEST_LABELLED_PER_GROUP
            else Statistic.absent(
                "difference_estimate", "insufficient", Phrase("fewer than %(n)s labelled items", n=FEWEST_LABELLED_PER_GROUP),
                n=n, method="difference estimator, independent draws",
            )
        )  # fmt: skip
    return found


def difference_regression(
    predicted: npt.ArrayLike,
    labelled: npt.ArrayLike,
    inclusion: npt.ArrayLike,
    covariates: Mapping[str, npt.ArrayLike],
    *,
    link: Literal["linear", "logistic"] = "linear",
) -> dict[str, Statistic]:
    """Coefficients of a regression of the (partly unseen) labels on covariates, with an intercept.

    Args:
        predicted, labelled, inclusion: as in `pseudo_outcomes`.
        covariates: numbers by name, each of shape (n_items,).
        link: ordinary least squares, or the logistic estimating equation with the pseudo-outcome in it.

    Returns:
        Each coefficient with detail `se` (HC0 sandwich), normal interval and p-value. All `insufficient` with fewer
        than two labels or no more items than coefficients; `undefined` when covariates are linearly dependent or the
        equation has no solution.

    Raises:
        ValueError: as `pseudo_outcomes`, or a covariate does not fit.

    Source: design-based supervised learning; STATISTICS 6.2.
    """
    data = _checked("difference_regression", predicted, labelled, inclusion)
    columns = {name: np.asarray(values, np.float64) for name, values in covariates.items()}
    for name, values in columns.items():
        if values.shape != data.f.shape or not np.isfinite(values).all():
            raise ValueError(f"difference_regression: covariate {name!r} must be finite and of shape {data.f.shape}")
    names = ["intercept", *columns]
    design = np.column_stack([np.ones(len(data.f)), *columns.values()])
    method = f"{link} regression of pseudo-outcomes, HC0"

    def nothing(status: Literal["insufficient", "undefined"], reason: str) -> dict[str, Statistic]:
        return {name: Statistic.absent(name, status, reason, n=len(design), method=method) for name in names}

    if int(data.known.sum()) < 2 or len(design) <= len(names):
        return nothing("insufficient", Phrase("too few items or labels"))
    if np.linalg.matrix_rank(design) < len(names):
        return nothing("undefined", Phrase("covariates are linearly dependent"))
    solved = _least_squares(design, _pseudo(data)) if link == "linear" else _logistic(design, _pseudo(data))
    if solved is None:
        return nothing("undefined", Phrase("the estimating equation has no solution here"))
    coefficients, spread = solved
    return {
        name: _coefficient(name, float(value), math.sqrt(max(float(variance), 0.0)), len(design), method)
        for name, value, variance in zip(names, coefficients, np.diag(spread), strict=True)
    }


def power_tuned_mean(
    labels: npt.ArrayLike,
    predicted_labelled: npt.ArrayLike,
    predicted_unlabelled: npt.ArrayLike,
    *,
    tuning: float | None = None,
) -> Statistic:
    """Mean of a population from labels and predictions (PPI++), leaning on the predictions as far as they help.

    Args:
        labels, predicted_labelled: of the labelled items, shape (n,).
        predicted_unlabelled: of other items of the same source, shape (N,).
        tuning: how far to lean on predictions, in [0, 1]; 0 is the mean of the labels. By default chosen from the data.

    Returns:
        The mean with details `se` and `tuning`; `insufficient` with fewer than 10 labels or no unlabelled item, and
        where nothing varies.

    Raises:
        ValueError: shapes differ, a number is not finite, or `tuning` is outside [0, 1].

    Source: PPI++; STATISTICS 6.3.
    """
    y, f, rest = (np.asarray(part, np.float64) for part in (labels, predicted_labelled, predicted_unlabelled))
    if y.shape != f.shape or not all(np.isfinite(part).all() for part in (y, f, rest)):
        raise ValueError(f"power_tuned_mean: finite numbers, one prediction per label, but got {y.shape} and {f.shape}")
    if tuning is not None and not 0 <= tuning <= 1:
        raise ValueError(f"power_tuned_mean: tuning must be in [0, 1], but got {tuning!r}")
    n, n_rest = len(y), len(rest)
    if n < FEWEST_LABELLED_FOR_TUNING or n_rest == 0:
        reason = (
            Phrase("no unlabelled items")
            if n_rest == 0
            else Phrase(
                "fewer than %(n)s labels",
                n=FEWEST_LABELLED_FOR_TUNING,
            )
        )
        return Statistic.absent("power_tuned_mean", "insufficient", reason, n=n, method="PPI++")
    if tuning is None:
        spread = float(np.concatenate([f, rest]).var(ddof=1))
        together = float(((y - y.mean()) * (f - f.mean())).mean())
        tuning = min(max(together / ((1 + n / n_rest) * spread), 0.0), 1.0) if spread > 0 else 0.0
    value = float(tuning * rest.mean() + (y - tuning * f).mean())
    se = math.sqrt(tuning**2 * float(rest.var()) / n_rest + float((y - tuning * f).var()) / n)
    if se == 0:
        return Statistic.absent(
            "power_tuned_mean", "insufficient", Phrase("no variation, so the error cannot be told"), n=n, method="PPI++"
        )
    return Statistic(
        "power_tuned_mean", value, n, "PPI++", details={"se": se, "tuning": tuning, "n_unlabelled": n_rest},
        interval=normal_interval(value, se, is_share=False),
    )  # fmt: skip


def _pseudo(data: _Labelled) -> FloatArray:
    outcomes = data.f.copy()
    known = data.known
    outcomes[known] += (data.y[known] - data.f[known]) / data.inclusion[known]
    return outcomes


def _too_little(data: _Labelled, name: str, method: str, is_share: bool) -> Statistic | None:
    n = int(data.known.sum())
    details: dict[str, Detail] = {"n_labelled": n}
    if n < 2:
        return Statistic.absent(
            name, "insufficient", Phrase("fewer than two labels"), n=len(data.f), method=method, details=details
        )
    errors = (data.y - data.f)[data.known]
    if np.ptp(errors) > 0:
        return None
    exact = np.isin(data.f, (0.0, 1.0)).all() and not errors.any() and np.ptp(data.inclusion) == 0
    if not (exact and is_share):
        return Statistic.absent(
            name, "insufficient", Phrase("all errors are equal, so the error of the estimate cannot be told"),
            n=len(data.f), method=method, details=details,
        )  # fmt: skip
    agreement = clopper_pearson_lower(n, n, alpha=1 - LEVEL).value
    assert agreement is not None
    value, most = float(data.f.mean()), 1 - agreement
    return Statistic(
        name, value, len(data.f), method, details=details | {"most_errors": most},
        interval=clipped_interval(value - most, value + most, "exact bound on the error rate", is_share=True),
        reason=Phrase("the machine made no error: the interval is the estimate plus or minus the bound on its error rate"),
    )  # fmt: skip


def _least_squares(design: FloatArray, outcomes: FloatArray) -> tuple[FloatArray, FloatArray] | None:
    # statsmodels costs seconds and 150 MB, so it is imported where it is used
    from statsmodels.api import OLS

    fitted = OLS(outcomes, design).fit(cov_type="HC0")
    return np.asarray(fitted.params), np.asarray(fitted.cov_params())


def _logistic(design: FloatArray, outcomes: FloatArray) -> tuple[FloatArray, FloatArray] | None:
    coefficients = np.zeros(design.shape[1])
    for _ in range(100):
        fitted = 1 / (1 + np.exp(-np.clip(design @ coefficients, -30, 30)))
        slope = design.T @ (design * (fitted * (1 - fitted))[:, None])
        if np.linalg.cond(slope) > 1e12:
            return None
        step = np.linalg.solve(slope, design.T @ (outcomes - fitted))
        coefficients = coefficients + step
        if np.abs(step).max() < 1e-10:
            bread = np.linalg.inv(slope)
            scores = design * (outcomes - fitted)[:, None]
            return coefficients, bread @ (scores.T @ scores) @ bread
    return None


def _coefficient(name: str, value: float, se: float, n: int, method: str) -> Statistic:
    if se == 0:
        return Statistic(name, value, n, method, reason=Phrase("no variation around the fit, so no interval"))
    return Statistic(
        name, value, n, method, details={"se": se}, interval=normal_interval(value, se, is_share=False),
        p_value=math.erfc(abs(value / se) / math.sqrt(2)),
    )  # fmt: skip


def _checked(
    caller: str, predicted: npt.ArrayLike, labelled: npt.ArrayLike, inclusion: npt.ArrayLike | None
) -> _Labelled:
    f, y = np.asarray(predicted, np.float64), np.asarray(labelled, np.float64)
    pi = np.ones(f.shape) if inclusion is None else np.asarray(inclusion, np.float64)
    if not f.shape == y.shape == pi.shape or f.ndim != 1:
        raise ValueError(f"{caller}: one entry per item each, but got shapes {f.shape}, {y.shape}, {pi.shape}")
    if not np.isfinite(f).all() or np.isinf(y).any():
        raise ValueError(f"{caller}: predictions must be finite, and labels finite or NaN")
    if not ((pi > 0) & (pi <= 1)).all():
        raise ValueError(
            f"{caller}: every item needs an inclusion probability in (0, 1], but got "
            f"{float(pi[~((pi > 0) & (pi <= 1))][0])!r}"
        )
    return _Labelled(f, y, pi, ~np.isnan(y))
