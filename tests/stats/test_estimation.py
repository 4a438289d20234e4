import numpy as np
import pytest
from statsmodels.api import OLS, Logit

from crito.stats.estimation import (
    difference_estimate,
    difference_estimate_of_sample,
    difference_estimates_by_group,
    difference_regression,
    power_tuned_mean,
    pseudo_outcomes,
)

NAN = float("nan")
F = [0.9, 0.8, 0.3, 0.6, 0.1, 0.7, 0.95, 0.4, 0.2, 0.5, 0.85, 0.05]
PI = [0.2, 0.3, 0.6, 0.8, 0.25, 0.5, 0.15, 0.8, 0.4, 0.9, 0.25, 0.2]
Y = [NAN, 1, 0, 1, NAN, 1, NAN, 0, NAN, 0, 1, NAN]
LABELS = [1, 0, 1, 1, 0, 1, 0, 1, 1, 0]
F_LABELLED = [0.9, 0.2, 0.7, 0.8, 0.4, 0.95, 0.1, 0.6, 0.3, 0.35]
F_REST = [
    0.85, 0.15, 0.75, 0.9, 0.45, 0.6, 0.25, 0.1, 0.55, 0.8, 0.7, 0.35, 0.95, 0.05, 0.5, 0.65, 0.3, 0.2, 0.88, 0.4,
]  # fmt: skip


def test_predictions_are_moved_by_the_weighted_error() -> None:
    expected = [0.9, 1.4667, -0.2, 1.1, 0.1, 1.3, 0.95, -0.1, 0.2, -0.0556, 1.45, 0.05]

    assert pseudo_outcomes(F, Y, PI) == pytest.approx(expected, abs=1e-4)


def test_the_difference_estimator_with_unequal_probabilities() -> None:
    found = difference_estimate(F, Y, PI)

    assert (found.value, found.detail("se")) == pytest.approx((0.596759, 0.188660), abs=1e-6)
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == pytest.approx((0.226992, 0.966527), abs=1e-6)


def test_a_regression_on_pseudo_outcomes() -> None:
    found = difference_regression(F, Y, PI, {"x": range(12)})

    assert (found["intercept"].value, found["intercept"].detail("se")) == pytest.approx((0.864815, 0.316835), abs=1e-6)
    assert (found["x"].value, found["x"].detail("se")) == pytest.approx((-0.048737, 0.050280), abs=1e-6)
    naive = OLS(F, np.column_stack([np.ones(12), range(12)])).fit().params[1]
    assert naive == pytest.approx(-0.029196, abs=1e-6)


def test_a_logistic_regression_of_full_labels_is_the_usual_one() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=200)
    y = (rng.random(200) < 1 / (1 + np.exp(-0.5 - x))).astype(float)
    usual = Logit(y, np.column_stack([np.ones(200), x])).fit(disp=False, cov_type="HC0")

    found = difference_regression(rng.random(200), y, np.ones(200), {"x": x}, link="logistic")

    assert [one.value for one in found.values()] == pytest.approx(usual.params.tolist(), abs=1e-6)
    assert [one.detail("se") for one in found.values()] == pytest.approx(usual.bse.tolist(), abs=1e-6)


def test_regressions_that_cannot_be_solved_have_a_reason() -> None:
    dependent = difference_regression(F, Y, PI, {"x": range(12), "twice": range(0, 24, 2)})
    separated = difference_regression(
        [0.0] * 20, [0.0] * 10 + [1.0] * 10, [1.0] * 20, {"x": range(20)}, link="logistic"
    )

    assert {one.status for one in dependent.values()} == {"undefined"}
    assert {one.status for one in separated.values()} == {"undefined"}
    assert difference_regression([0.5], [1], [1], {})["intercept"].status == "insufficient"
    with pytest.raises(ValueError, match="covariate 'x'"):
        difference_regression(F, Y, PI, {"x": [1]})


def test_the_difference_estimator_on_a_simple_random_sample() -> None:
    labelled = [*LABELS, *[NAN] * 20]

    found = difference_estimate_of_sample([*F_LABELLED, *F_REST], labelled)

    assert (found.value, found.detail("se")) == pytest.approx((0.592667, 0.089277), abs=1e-6)
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == pytest.approx((0.390708, 0.794625), abs=1e-6)
    assert (found.detail("mean_of_labels"), found.detail("se_of_labels")) == pytest.approx((0.6, 0.133333), abs=1e-6)


def test_a_corpus_that_is_labelled_throughout_needs_no_interval() -> None:
    found = difference_estimate_of_sample([0.5, 0.5], [1, 0])

    assert (found.value, found.interval, found.reason) == (0.5, None, "every item is labelled")


def test_a_machine_that_made_no_error_gets_the_bound_on_its_error_rate() -> None:
    predicted = [1.0, 0.0] * 50
    labelled = [*predicted[:20], *[NAN] * 80]

    for found in (
        difference_estimate_of_sample(predicted, labelled),
        difference_estimate(predicted, labelled, np.full(100, 0.2)),
    ):
        assert found.value == 0.5
        assert found.interval is not None
        # with 20 of 20 right the exact one-sided bound is 0.860892
        assert found.interval.low == pytest.approx(0.5 - 0.139108, abs=1e-6)
        assert "no error" in found.reason


@pytest.mark.parametrize(
    ("predicted", "labelled"), [([0.5] * 5, [1, 1, 1, NAN, NAN]), ([0.0] * 5, [1, 1, 1, NAN, NAN]), (F, [NAN] * 12)]
)
def test_errors_that_do_not_vary_leave_the_estimate_insufficient(predicted, labelled) -> None:
    assert difference_estimate_of_sample(predicted, labelled).status == "insufficient"
    assert difference_estimate(predicted, labelled, np.full(len(predicted), 0.5)).status == "insufficient"


def test_groups_need_ten_labelled_items_each() -> None:
    found = difference_estimates_by_group(
        [*F_LABELLED, *F], [*LABELS, *Y], [*[0.5] * 10, *PI], ["one"] * 10 + ["other"] * 12
    )

    assert found["other"].status == "insufficient"
    assert found["one"].value == difference_estimate(F_LABELLED, LABELS, [0.5] * 10).value


def test_an_item_that_could_not_be_drawn_refuses_the_estimate() -> None:
    with pytest.raises(ValueError, match="every item needs an inclusion probability"):
        difference_estimate([0.5, 0.5], [1, NAN], [0.5, 0])
    with pytest.raises(ValueError, match="one entry per item"):
        difference_estimate([0.5, 0.5], [1], [0.5, 0.5])
    with pytest.raises(ValueError, match="predictions must be finite"):
        difference_estimate([NAN, 0.5], [1, 0], [0.5, 0.5])


@pytest.mark.parametrize(
    ("tuning", "value", "se", "interval"),
    [
        (0, 0.6, 0.154919, (0.296364, 0.903636)),
        (1, 0.589, 0.121101, (0.351646, 0.826354)),
        (None, 0.590435, 0.120476, (0.354306, 0.826564)),
    ],
)
def test_power_tuning_leans_on_predictions_as_far_as_they_help(tuning, value, se, interval) -> None:
    found = power_tuned_mean(LABELS, F_LABELLED, F_REST, tuning=tuning)

    assert (found.value, found.detail("se")) == pytest.approx((value, se), abs=1e-6)
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == pytest.approx(interval, abs=1e-6)
    if tuning is None:
        assert found.detail("tuning") == pytest.approx(0.869558, abs=1e-6)


def test_constant_predictions_are_not_leaned_on() -> None:
    found = power_tuned_mean(LABELS, [0.5] * 10, [0.5] * 5)

    assert (found.detail("tuning"), found.value) == (0, pytest.approx(0.6))


def test_power_tuning_needs_ten_labels_and_something_unlabelled() -> None:
    assert power_tuned_mean([1, 0], [1, 0], [1]).status == "insufficient"
    assert power_tuned_mean(LABELS, F_LABELLED, []).status == "insufficient"
    assert power_tuned_mean([1] * 10, [1] * 10, [1]).status == "insufficient"
    with pytest.raises(ValueError, match="tuning must be in"):
        power_tuned_mean(LABELS, F_LABELLED, F_REST, tuning=2)
    with pytest.raises(ValueError, match="one prediction per label"):
        power_tuned_mean(LABELS, [1], F_REST)


def test_the_interval_covers_the_corpus_mean_as_often_as_it_says() -> None:
    rng = np.random.default_rng(11)
    covered = 0
    for _ in range(300):
        truth = (rng.random(400) < 0.3).astype(float)
        predicted = np.where(rng.random(400) < 0.9, truth, 1 - truth)
        asked = rng.random(400) < 0.3
        found = difference_estimate(predicted, np.where(asked, truth, NAN), np.full(400, 0.3))
        assert found.interval is not None
        covered += found.interval.low <= truth.mean() <= found.interval.high

    assert covered / 300 >= 0.92
