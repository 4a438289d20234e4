import numpy as np
import pytest

from crito.stats.automatic import conformal_threshold, learn_then_test

CALIBRATION = {0.99: (40, 0), 0.97: (35, 1), 0.95: (30, 1), 0.90: (30, 2), 0.85: (25, 3), 0.80: (20, 4), 0.70: (20, 6)}
CONFIDENCE = np.concatenate([np.full(n, level) for level, (n, _) in CALIBRATION.items()])
WRONG = np.concatenate([np.arange(n) < errors for n, errors in CALIBRATION.values()])
GRID = tuple(CALIBRATION)


@pytest.mark.parametrize(
    ("error_rate", "risk", "least_n", "started", "threshold"),
    [(0.10, 0.05, 29, 0.99, 0.80), (0.10, 0.01, 44, 0.97, 0.85), (0.05, 0.10, 45, 0.97, None)],
)
def test_thresholds_are_tested_from_high_to_low_until_one_fails(error_rate, risk, least_n, started, threshold) -> None:
    found = learn_then_test(CONFIDENCE, WRONG, error_rate=error_rate, risk=risk)

    assert (found.least_n, found.steps[0].threshold, found.threshold.value) == (least_n, started, threshold)
    assert not found.steps[-1].passed


def test_each_step_has_its_exact_p_value() -> None:
    strict = learn_then_test(CONFIDENCE, WRONG, error_rate=0.10, risk=0.9, grid=GRID).steps
    counts = [(step.n, step.errors) for step in strict]

    assert counts == [(40, 0), (75, 1), (105, 2), (135, 4), (160, 7), (180, 11), (200, 17)]
    assert [step.p_value for step in strict] == pytest.approx(
        [0.014781, 0.003453, 0.001256, 0.001792, 0.007463, 0.046301, 0.284929], abs=1e-6
    )
    stricter = learn_then_test(CONFIDENCE, WRONG, error_rate=0.05, risk=0.99, grid=GRID).steps
    assert [step.p_value for step in stricter] == pytest.approx(
        [0.128512, 0.105595, 0.099187, 0.189938, 0.449369, 0.808051, 0.987911], abs=1e-6
    )


def test_a_fixed_sequence_never_jumps_over_a_failure() -> None:
    found = learn_then_test(CONFIDENCE, WRONG, error_rate=0.05, risk=0.10)

    assert found.threshold.status == "insufficient"
    assert [step.threshold for step in found.steps] == [0.97]


@pytest.mark.parametrize(
    ("error_rate", "risk", "least_n"), [(0.05, 0.05, 59), (0.05, 0.10, 45), (0.10, 0.05, 29), (0.10, 0.10, 22), (0.02, 0.05, 149)]
)  # fmt: skip
def test_too_few_calibration_items_certify_nothing(error_rate: float, risk: float, least_n: int) -> None:
    found = learn_then_test(np.ones(least_n - 1), np.zeros(least_n - 1), error_rate=error_rate, risk=risk)
    enough = learn_then_test(np.ones(least_n), np.zeros(least_n), error_rate=error_rate, risk=risk)

    assert (found.least_n, found.steps, found.threshold.status) == (least_n, (), "insufficient")
    assert enough.threshold.value == 0.99


def test_unknown_confidence_is_never_automatic() -> None:
    found = learn_then_test([*CONFIDENCE, float("nan")], [*WRONG, True], error_rate=0.1, risk=0.05)

    assert found.threshold.value == 0.8
    assert found.threshold.dropped == {"no_confidence": 1}


def test_later_looks_and_several_runs_share_the_risk() -> None:
    later = learn_then_test(CONFIDENCE, WRONG, error_rate=0.10, risk=0.05, look=2)
    split = learn_then_test(CONFIDENCE, WRONG, error_rate=0.10, risk=0.05, runs=2)

    assert later.threshold.value == 0.85
    assert split.threshold.value == 0.85


def test_conformal_risk_control_bounds_the_share_of_all_items() -> None:
    found = [conformal_threshold(CONFIDENCE, WRONG, error_share=0.09, grid=GRID[: place + 1]) for place in range(7)]

    assert [one.detail("bound") for one in found] == pytest.approx(
        [0.004975, 0.009950, 0.014925, 0.024876, 0.039801, 0.059701, 0.089552], abs=1e-6
    )
    # between 0.85 and 0.80 nothing is added, so the lowest threshold of the fine grid is just above 0.80
    assert conformal_threshold(CONFIDENCE, WRONG, error_share=0.05, grid=GRID).value == 0.85
    assert conformal_threshold(CONFIDENCE, WRONG, error_share=0.05).value == 0.81
    assert conformal_threshold(CONFIDENCE, WRONG, error_share=0.001).status == "insufficient"


def test_arguments_out_of_range_are_refused() -> None:
    with pytest.raises(ValueError, match="thresholds must fall"):
        learn_then_test([0.9], [False], grid=(0.5, 0.9))
    with pytest.raises(ValueError, match="inside"):
        learn_then_test([0.9], [False], risk=0)
    with pytest.raises(ValueError, match="error_share"):
        conformal_threshold([0.9], [False], error_share=1)
    with pytest.raises(ValueError, match="one confidence per item"):
        conformal_threshold([0.9, 0.8], [False])


def test_the_true_error_rate_is_exceeded_no_more_often_than_the_risk() -> None:
    rng = np.random.default_rng(3)
    exceeded = 0
    for _ in range(300):
        confidence = rng.uniform(0.5, 1, 300)
        wrong = rng.random(300) < 0.4 * (1 - confidence)
        threshold = learn_then_test(confidence, wrong, error_rate=0.05, risk=0.10).threshold.value
        # confidence above t is uniform, so the true rate there is 0.4 (1 - t) / 2
        exceeded += threshold is not None and 0.2 * (1 - threshold) > 0.05

    assert exceeded / 300 <= 0.10
