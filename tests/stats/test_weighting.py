import itertools

import numpy as np
import pytest

from crito.stats.weighting import stratified_mean, weighted_mean, weighted_total

Y, PI = [1, 0, 1, 1, 0, 1], [0.5, 0.5, 0.25, 0.25, 0.1, 0.8]


def test_items_drawn_with_unequal_probability_are_weighted() -> None:
    total, known, estimated = weighted_total(Y, PI), weighted_mean(Y, PI, population=24), weighted_mean(Y, PI)

    assert total.value == pytest.approx(11.25)
    assert (known.value, known.detail("se")) == pytest.approx((0.46875, 0.213732), abs=1e-6)
    assert (estimated.value, estimated.detail("se")) == pytest.approx((0.483871, 0.229814), abs=1e-6)
    assert estimated.detail("estimated_population") == pytest.approx(23.25)
    assert estimated.detail("effective_size") == pytest.approx(3.818543, abs=1e-6)


def test_an_interval_of_a_share_is_cut_to_what_a_share_can_be() -> None:
    found = weighted_mean(Y, [0.1, 0.1, 0.1, 0.1, 0.1, 0.1]).interval

    assert found is not None
    assert found.clipped
    assert found.high == 1.0


def test_a_label_without_a_probability_is_no_evidence() -> None:
    found = weighted_mean([1, 0], [0.5, float("nan")])

    assert (found.n, found.dropped) == (1, {"no_inclusion_probability": 1})
    assert weighted_mean([1], [float("nan")]).status == "insufficient"
    assert weighted_total([1], [float("nan")]).status == "insufficient"


def test_an_item_that_could_not_be_drawn_is_refused() -> None:
    with pytest.raises(ValueError, match="weighted_mean: inclusion probabilities"):
        weighted_mean([1, 0], [0.5, 0])


def test_equal_values_have_no_interval() -> None:
    found = weighted_mean([1, 1], [0.5, 0.5])

    assert (found.value, found.interval) == (1.0, None)
    assert found.details["se"] is None


def test_the_weighted_total_is_unbiased_with_the_stated_variance() -> None:
    population, pi = np.array([3.0, 1.0, 4.0]), np.array([0.5, 0.8, 0.25])
    draws = list(itertools.product((False, True), repeat=3))
    chances = [float(np.prod(np.where(drawn, pi, 1 - pi))) for drawn in draws]
    found = [weighted_total(population[list(drawn)], pi[list(drawn)]) if any(drawn) else None for drawn in draws]

    mean = sum(c * (f.value if f else 0) for c, f in zip(chances, found, strict=True))
    variance = sum(c * (f.detail("se") ** 2 if f else 0) for c, f in zip(chances, found, strict=True))
    spread = sum(c * ((f.value if f else 0) - mean) ** 2 for c, f in zip(chances, found, strict=True))

    assert mean == pytest.approx(8)
    assert variance == pytest.approx(spread)


def test_strata_are_weighted_by_their_size() -> None:
    found = stratified_mean([([1, 0], 10), ([1, 1, 0, 1], 30)])

    assert found.value == pytest.approx((10 * 0.5 + 30 * 0.75) / 40)
    expected = (0.25**2 * 0.8 * 0.5 / 2 + 0.75**2 * (1 - 4 / 30) * 0.25 / 4) ** 0.5
    assert found.detail("se") == pytest.approx(expected)


def test_a_stratum_with_too_few_drawn_is_insufficient() -> None:
    assert stratified_mean([([1], 10)]).status == "insufficient"
    assert stratified_mean([]).status == "insufficient"
    assert stratified_mean([([1], 1), ([0, 1], 5)]).status == "ok"
    with pytest.raises(ValueError, match="2 items were drawn"):
        stratified_mean([([1, 0], 1)])
