import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crito.stats.anytime import (
    alpha_at_look,
    anytime_corpus_lower,
    anytime_lower,
    anytime_lower_so_far,
    graded_log_capital,
    graded_lower,
    log_e_value,
    log_e_values_of_corpus,
    still_needed,
)

GRADED = np.array([1, 0.8, 1, 1, 0.6, 1, 0.9, 1, 1, 0.75, 1, 1, 1, 0.85, 1, 1, 0.95, 1, 1, 1] * 3)


@pytest.mark.parametrize(
    ("agreeing", "n", "threshold", "e"),
    [
        (20, 20, 0.9, 3.488221), (29, 29, 0.9, 6.776947), (45, 45, 0.9, 24.711796), (95, 100, 0.9, 2.765165),
        (190, 200, 0.9, 10.868527), (17, 20, 0.8, 0.729974), (3, 20, 0.8, 0.057804),
    ],
)  # fmt: skip
def test_e_values_of_a_stream(agreeing: int, n: int, threshold: float, e: float) -> None:
    found = log_e_value(agreeing, n, threshold)

    assert found.detail("e") == pytest.approx(e, abs=1e-6)
    assert found.value == pytest.approx(math.log(e), abs=1e-5)


@pytest.mark.parametrize(
    ("agreeing", "n", "bound"),
    [
        (17, 20, 0.562712), (20, 20, 0.801127), (29, 29, 0.857492), (46, 50, 0.772424), (92, 100, 0.822047),
        (59, 59, 0.926780), (0, 10, 0),
    ],
)  # fmt: skip
def test_bounds_of_a_stream(agreeing: int, n: int, bound: float) -> None:
    assert anytime_lower(agreeing, n).value == pytest.approx(bound, abs=1e-6)


@pytest.mark.parametrize(
    ("agreeing", "n", "corpus", "at_most", "e", "count", "everything", "rest"),
    [
        (17, 20, 100, 90, 0.285230, 60, 0.60, 0.5375),
        (20, 20, 100, 90, 4.623135, 83, 0.83, 0.7875),
        (29, 29, 145, 130, 10.925416, 127, 0.875862, 0.844828),
        (43, 43, 215, 193, 40.240065, 197, 0.916279, 0.895349),
        (46, 50, 250, 225, 0.617565, 198, 0.792, 0.76),
        (92, 100, 500, 450, 0.596069, 417, 0.834, 0.8125),
        (97, 100, 500, 450, 30.796581, 453, 0.906, 0.89),
        (190, 200, 1000, 900, 20.113739, 901, 0.901, 0.88875),
    ],
)
def test_evidence_and_bounds_of_a_closed_corpus(
    agreeing: int, n: int, corpus: int, at_most: int, e: float, count: int, everything: float, rest: float
) -> None:
    closed = anytime_corpus_lower(agreeing, n, corpus)

    assert math.exp(log_e_values_of_corpus(agreeing, n, corpus)[at_most]) == pytest.approx(e, abs=1e-6)
    assert closed.count == count
    assert closed.everything.value == pytest.approx(everything, abs=1e-6)
    assert closed.rest.value == pytest.approx(rest, abs=1e-6)


def test_evidence_is_the_mixture_of_likelihood_ratios_drawn_item_by_item() -> None:
    agreeing, disagreeing, corpus, at_most = 3, 1, 8, 5

    def likelihood(good: int) -> float:
        drawn = [(good - i) / (corpus - i) for i in range(agreeing)]
        drawn += [(corpus - good - i) / (corpus - agreeing - i) for i in range(disagreeing)]
        return math.prod(drawn)

    expected = sum(likelihood(good) for good in range(at_most + 1, corpus + 1)) / (corpus - at_most)

    found = math.exp(log_e_values_of_corpus(agreeing, agreeing + disagreeing, corpus)[at_most])

    assert found == pytest.approx(expected / likelihood(at_most))


@given(st.integers(1, 60).flatmap(lambda corpus: st.tuples(
    st.just(corpus), st.integers(0, corpus).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
)))  # fmt: skip
def test_evidence_against_a_closed_corpus_never_grows_with_the_claim(case: tuple[int, tuple[int, int]]) -> None:
    corpus, (agreeing, n) = case

    evidence = log_e_values_of_corpus(agreeing, n, corpus)

    assert not np.isnan(evidence).any()
    finite = evidence[np.isfinite(evidence)]
    assert (np.diff(finite) <= 1e-9).all()
    closed = anytime_corpus_lower(agreeing, n, corpus)
    assert agreeing <= closed.count <= corpus - (n - agreeing) or n == 0


@pytest.mark.parametrize(
    ("threshold", "sizes"),
    [
        (0.80, (20, 31, 41, 50, 66, 103)), (0.85, (28, 43, 56, 68, 90, 140)),
        (0.90, (43, 66, 85, 103, 137, 212)), (0.95, (88, 134, 174, 210, 277, 430)),
    ],
)  # fmt: skip
def test_the_least_sample_of_a_stream_with_some_disagreements(threshold: float, sizes: tuple[int, ...]) -> None:
    found = [d + (still_needed(0, d, threshold) or 0) for d in (0, 1, 2, 3, 5, 10)]

    assert tuple(found) == sizes


def test_the_least_all_agreeing_sample_of_a_closed_corpus() -> None:
    found = [still_needed(0, 0, 0.9, corpus=corpus) for corpus in (100, 200, 500, 1000, 5000)]

    assert found == [49, 46, 44, 44, 43]


def test_nothing_more_is_needed_once_the_bound_is_above_the_threshold() -> None:
    assert still_needed(43, 43, 0.9) == 0
    assert still_needed(44, 44, 0.9, corpus=1000) == 0


def test_a_small_corpus_may_never_be_handed_over() -> None:
    assert still_needed(0, 0, 0.9, corpus=10) is None
    assert still_needed(0, 5, 0.9, corpus=6) is None
    assert still_needed(6, 6, 0.9, corpus=6) is None


def test_a_far_tail_follows_the_exact_integral() -> None:
    # with nothing agreeing of n, the mixture over (0.9, 1] is 10 x the integral of (1-p)^n, so E = 0.1 / (n + 1) x 10
    assert log_e_value(0, 400, 0.9).value == pytest.approx(math.log(1 / 401), abs=1e-6)


def test_the_largest_bound_of_a_stream_is_kept() -> None:
    answers = [True] * 30 + [False] * 5

    assert anytime_lower_so_far(answers).value == pytest.approx(anytime_lower(30, 30).value)
    assert anytime_lower_so_far([]).status == "insufficient"


def test_later_looks_get_less_risk_and_all_together_no_more_than_the_whole() -> None:
    spent = [alpha_at_look(0.05, look) for look in range(1, 2000)]

    assert spent[0] == pytest.approx(0.05 * 6 / math.pi**2)
    assert 0.0499 < sum(spent) < 0.05
    with pytest.raises(ValueError, match="looks count from 1"):
        alpha_at_look(0.05, 0)


@pytest.mark.parametrize(
    ("mean", "capital"),
    [(0.8, (1.825845, 5.284039, 27.921073, 147.536048)), (0.85, (1.332144, 2.774324, 7.696873, 21.353621))],
)
def test_capital_of_bets_on_graded_agreement(mean: float, capital: tuple[float, ...]) -> None:
    found = np.exp(graded_log_capital(GRADED, mean))[[9, 19, 39, 59]]

    assert found == pytest.approx(capital, abs=1e-6)


def test_bounds_of_graded_agreement() -> None:
    found = [graded_lower(GRADED[:t]).value for t in (10, 20, 40, 60)]

    assert found == pytest.approx([0.5287, 0.7093, 0.8125, 0.8517], abs=1e-4)


def test_graded_agreement_needs_scores_in_range() -> None:
    assert graded_lower([]).status == "insufficient"
    assert graded_lower([0.0, 0.0]).value == 0
    with pytest.raises(ValueError, match="scores must be in"):
        graded_lower([1.5])


def test_false_alarms_of_a_stream_looked_at_after_every_item_stay_below_the_level() -> None:
    rng = np.random.default_rng(7)
    agreed = np.cumsum(rng.random((400, 200)) < 0.9, axis=1)

    alarms = sum(
        any(log_e_value(int(run[n - 1]), n, 0.9).value >= math.log(20) for n in range(5, 201, 5)) for run in agreed
    )

    assert alarms / 400 <= 0.05


def test_extreme_counts_stay_finite() -> None:
    assert log_e_value(0, 5000, 0.9).value == pytest.approx(math.log(1 / 5001), abs=1e-6)
    assert log_e_value(10**5, 10**5, 0.5).details["e"] is None
    assert anytime_lower(10**6, 10**6).value == pytest.approx(1, abs=1e-4)
