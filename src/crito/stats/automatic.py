"""From which machine confidence on labels may stand without a person."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from crito.model.phrase import Phrase
from crito.stats.anytime import alpha_at_look
from crito.stats.ratings import BoolArray, FloatArray
from crito.stats.statistic import Statistic, left_out

GRID: tuple[float, ...] = tuple(round(step / 100, 2) for step in range(99, 49, -1))
"""Confidence thresholds from high to low; to be declared before labels are seen."""


@dataclass(frozen=True, slots=True)
class Step:
    """One threshold that was tested: calibration items at or above it, errors among them."""

    threshold: float
    n: int
    errors: int
    p_value: float
    passed: bool


@dataclass(frozen=True, slots=True)
class AutomaticLabelling:
    """Which labels may stand alone.

    Attributes:
        threshold: from this confidence on; `insufficient` when no threshold passed, and then nothing may.
        steps: what was tested, in order; the last one failed unless the grid ended.
        least_n: fewest calibration items with which any threshold can pass.
    """

    threshold: Statistic
    steps: tuple[Step, ...]
    least_n: int


def learn_then_test(
    confidence: npt.ArrayLike,
    wrong: npt.ArrayLike,
    *,
    error_rate: float = 0.05,
    risk: float = 0.10,
    grid: Sequence[float] = GRID,
    look: int = 1,
    runs: int = 1,
) -> AutomaticLabelling:
    """The lowest confidence from which on the error rate is shown to be small: thresholds are tested from high to low.

    With probability at least 1 - `risk` the error rate among items at or above the threshold is at most `error_rate`.
    That says nothing about the error rate within any group of items.

    Args:
        confidence: of the machine in each calibration item (blind, drawn with equal probability, never used to tune
            it); NaN where unknown, such items are never labelled automatically and are dropped; shape (n,).
        wrong: whether the machine's label is wrong, shape (n,).
        error_rate: the rate not to be exceeded, inside (0, 1).
        risk: of exceeding it, inside (0, 1).
        grid: thresholds, falling.
        look: this is the look-th calibration of the same machine, from 1; later looks get less risk.
        runs: how many such searches share the risk, for example one per label.

    Raises:
        ValueError: an argument is out of its range, or shapes differ.

    Source: learn-then-test with a fixed sequence; STATISTICS 6.5.
    """
    # scipy costs a second and more, so it is imported where it is used
    from scipy.stats import binom

    sure, errors, dropped = _calibration("learn_then_test", confidence, wrong, grid)
    if not (0 < error_rate < 1 and 0 < risk < 1 and runs >= 1):
        raise ValueError(
            f"learn_then_test: error_rate and risk inside (0, 1), runs at least 1, but got {error_rate!r}, {risk!r}, {runs!r}"
        )
    level = risk / runs if look == 1 else alpha_at_look(risk / runs, look)
    least_n = math.ceil(math.log(level) / math.log1p(-error_rate))
    method = f"learn-then-test, exact binomial, error rate {error_rate:g}, risk {level:.4g}"
    steps: list[Step] = []
    last_n = least_n - 1
    for threshold in grid:
        above = sure >= threshold
        n, k = int(above.sum()), int(errors[above].sum())
        # with as many items as before there is nothing new to test
        if n <= last_n:
            continue
        last_n = n
        p_value = float(binom.cdf(k, n, error_rate))
        steps.append(Step(threshold, n, k, p_value, passed=p_value <= level))
        if not steps[-1].passed:
            break
    passed = [step for step in steps if step.passed]
    if not passed:
        reason = Phrase("no threshold passed, so nothing may be labelled automatically")
        if not steps:
            reason = Phrase(
                "fewer than %(n)s calibration items of known confidence, so nothing may be labelled automatically",
                n=least_n,
            )
        return AutomaticLabelling(
            Statistic.absent("threshold", "insufficient", reason, n=len(sure), method=method, dropped=dropped),
            tuple(steps), least_n,
        )  # fmt: skip
    best = passed[-1]
    details = {"automatic": best.n, "errors": best.errors, "least_n": least_n}
    return AutomaticLabelling(
        Statistic(
            "threshold", best.threshold, len(sure), method, dropped=dropped, p_value=best.p_value, details=details
        ),
        tuple(steps), least_n,
    )  # fmt: skip


def conformal_threshold(
    confidence: npt.ArrayLike, wrong: npt.ArrayLike, *, error_share: float = 0.05, grid: Sequence[float] = GRID
) -> Statistic:
    """The lowest confidence from which on labels may stand so that, on average, few items in all are mislabelled.

    It holds for the expected share among *all* items, and only on average over calibrations: weaker than
    `learn_then_test`.

    Args:
        confidence, wrong: as in `learn_then_test`; items of unknown confidence are never labelled automatically, and
            count as no error.
        error_share: the expected share not to be exceeded, inside (0, 1).
        grid: thresholds, falling.

    Returns:
        The threshold with detail `bound`; `insufficient` when none does.

    Raises:
        ValueError: an argument is out of its range, or shapes differ.

    Source: conformal risk control; STATISTICS 6.6.
    """
    sure, errors, dropped = _calibration("conformal_threshold", confidence, wrong, grid)
    if not 0 < error_share < 1:
        raise ValueError(f"conformal_threshold: error_share must be inside (0, 1), but got {error_share!r}")
    n = len(sure) + sum(dropped.values())
    bounds = [(threshold, (int(errors[sure >= threshold].sum()) + 1) / (n + 1)) for threshold in grid]
    fine = [(threshold, bound) for threshold, bound in bounds if bound <= error_share]
    method = f"conformal risk control, expected share of errors {error_share:g}"
    if not fine:
        return Statistic.absent(
            "threshold", "insufficient", Phrase("no threshold keeps the share small enough"), n=n, method=method
        )
    threshold, bound = fine[-1]
    return Statistic("threshold", threshold, n, method, details={"bound": bound})


def _calibration(
    caller: str, confidence: npt.ArrayLike, wrong: npt.ArrayLike, grid: Sequence[float]
) -> tuple[FloatArray, BoolArray, dict[str, int]]:
    sure, errors = np.asarray(confidence, np.float64), np.asarray(wrong, bool)
    if sure.shape != errors.shape:
        raise ValueError(f"{caller}: one confidence per item, but got shapes {sure.shape} and {errors.shape}")
    if any(later >= earlier for earlier, later in pairwise(grid)):
        raise ValueError(f"{caller}: thresholds must fall, but got {list(grid)!r}")
    known = ~np.isnan(sure)
    return sure[known], errors[known], left_out({"no_confidence": int((~known).sum())})
