"""Simulated error rates and coverage of STATISTICS 5.5 and 6.2, with fewer runs than there; tolerances are those of so few."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from crito.stats.anytime import log_e_value
from crito.stats.bounds import clopper_pearson_lower, wilson_lower
from crito.stats.estimation import difference_estimate_of_sample

THRESHOLD, FIRST_LOOK, LAST_LOOK, RUNS = 0.9, 20, 400, 4000


def handed_over_from(passes: Callable[[int, int], bool]) -> np.ndarray:
    """The least number of agreements with which a rule hands over at each look; all of them and one more where it never does."""
    least = []
    for n in range(FIRST_LOOK, LAST_LOOK + 1):
        low, high = 0, n + 1
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if middle > n or passes(middle, n) else (middle + 1, high)
        least.append(low)
    return np.array(least)


RULES: dict[str, Callable[[int, int], bool]] = {
    "point": lambda k, n: k / n > THRESHOLD,
    "clopper_pearson": lambda k, n: (clopper_pearson_lower(k, n).value or 0) > THRESHOLD,
    "wilson": lambda k, n: (wilson_lower(k, n).value or 0) > THRESHOLD,
    "anytime": lambda k, n: k / n > THRESHOLD and (log_e_value(k, n, THRESHOLD).value or 0) >= math.log(20),
}


@pytest.fixture(scope="module")
def boundaries() -> dict[str, np.ndarray]:
    return {name: handed_over_from(rule) for name, rule in RULES.items()}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("true_rate", "wrongly"),
    [
        (0.90, {"point": 0.924, "clopper_pearson": 0.211, "wilson": 0.254, "anytime": 0.032}),
        (0.85, {"point": 0.497, "clopper_pearson": 0.015, "wilson": 0.027, "anytime": 0.001}),
        (0.80, {"point": 0.219, "clopper_pearson": 0.002, "wilson": 0.005, "anytime": 0.000}),
    ],
)
def test_a_rule_that_looks_after_every_answer_hands_over_wrongly_as_often_as_simulated(
    boundaries: dict[str, np.ndarray], true_rate: float, wrongly: dict[str, float]
) -> None:
    agreed = np.cumsum(np.random.default_rng(5).random((RUNS, LAST_LOOK)) < true_rate, axis=1)[:, FIRST_LOOK - 1 :]

    found = {name: float((agreed >= least).any(axis=1).mean()) for name, least in boundaries.items()}

    assert found == pytest.approx(wrongly, abs=0.03)
    assert found["anytime"] <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize(
    ("accuracy", "n", "coverage", "width", "of_people_alone"),
    [(0.9, 50, 0.932, 0.169, 0.254), (0.9, 100, 0.946, 0.117, 0.172), (0.6, 100, 0.951, 0.230, 0.172)],
)
def test_the_difference_estimator_covers_as_often_and_is_as_wide_as_simulated(
    accuracy: float, n: int, coverage: float, width: float, of_people_alone: float
) -> None:
    rng, n_items, covered, widths, alone = np.random.default_rng(6), 1000, [], [], []
    for _ in range(1000):
        truth = (rng.random(n_items) < 0.3).astype(float)
        predicted = np.where(rng.random(n_items) < accuracy, truth, 1 - truth)
        labelled = np.full(n_items, np.nan)
        drawn = rng.choice(n_items, n, replace=False)
        labelled[drawn] = truth[drawn]

        found = difference_estimate_of_sample(predicted, labelled)

        assert found.interval is not None
        covered.append(found.interval.low <= truth.mean() <= found.interval.high)
        widths.append(found.interval.high - found.interval.low)
        people = difference_estimate_of_sample(np.zeros(n_items), labelled).interval
        alone.append(people.high - people.low if people else 0.0)

    assert np.mean(covered) == pytest.approx(coverage, abs=0.025)
    assert np.mean(widths) == pytest.approx(width, abs=0.006)
    assert np.mean(alone) == pytest.approx(of_people_alone, abs=0.01)
