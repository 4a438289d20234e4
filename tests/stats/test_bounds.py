import pytest

from crito.stats.bounds import (
    clopper_pearson_lower,
    hypergeometric_lower,
    least_sample,
    plan_for_power,
    sample_for_margin,
    wilson_lower,
)
from crito.stats.proportions import share

CASES = [
    (17, 20, 100, 0.656336, 0.678172, 68, 0.68, 0.6375),
    (20, 20, 100, 0.860892, 0.880842, 88, 0.88, 0.85),
    (29, 29, 145, 0.901855, 0.914667, 133, 0.917241, 0.896552),
    (46, 50, 250, 0.826209, 0.833302, 209, 0.836, 0.815),
    (92, 100, 500, 0.860283, 0.863535, 434, 0.868, 0.855),
    (59, 59, 300, 0.950492, 0.956154, 287, 0.956667, 0.946058),
    (0, 10, 50, 0, 0, 0, 0, 0),
]


@pytest.mark.parametrize(("k", "n", "corpus", "exact", "wilson", "count", "everything", "rest"), CASES)
def test_lower_bounds_of_one_agreement_rate(
    k: int, n: int, corpus: int, exact: float, wilson: float, count: int, everything: float, rest: float
) -> None:
    closed = hypergeometric_lower(k, n, corpus)

    assert clopper_pearson_lower(k, n).value == pytest.approx(exact, abs=1e-6)
    assert wilson_lower(k, n).value == pytest.approx(wilson, abs=1e-6)
    assert closed.count == count
    assert closed.everything.value == pytest.approx(everything, abs=1e-6)
    assert closed.rest.value == pytest.approx(rest, abs=1e-6)


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [
        (17, 20, 0.639581, 0.947631), (20, 20, 0.838875, 1), (29, 29, 0.883030, 1), (46, 50, 0.811618, 0.968450),
        (92, 100, 0.850019, 0.958907), (59, 59, 0.938871, 1), (0, 10, 0, 0.277533),
    ],
)  # fmt: skip
def test_an_agreement_rate_is_shown_with_wilsons_interval(k: int, n: int, low: float, high: float) -> None:
    interval = share("agreement", k, n).interval

    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=1e-6)


def test_bounds_without_comparisons_are_insufficient() -> None:
    closed = hypergeometric_lower(0, 0, 10)

    assert {clopper_pearson_lower(0, 0).status, wilson_lower(0, 0).status, closed.rest.status} == {"insufficient"}


def test_a_whole_corpus_leaves_no_rest() -> None:
    closed = hypergeometric_lower(4, 5, 5)

    assert (closed.count, closed.everything.value, closed.rest.status) == (4, 0.8, "not_applicable")


@pytest.mark.parametrize("counts", [(3, 2), (-1, 2)])
def test_counts_that_cannot_be_are_refused(counts: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="clopper_pearson_lower: 0 ≤ agreeing"):
        clopper_pearson_lower(*counts)
    with pytest.raises(ValueError, match="corpus of 1"):
        hypergeometric_lower(1, 2, 1)


@pytest.mark.parametrize(
    ("threshold", "sizes"),
    [
        (0.80, (14, 22, 30, 37, 50, 82)), (0.85, (19, 30, 40, 50, 68, 110)),
        (0.90, (29, 46, 61, 76, 103, 167)), (0.95, (59, 93, 124, 153, 208, 336)),
    ],
)  # fmt: skip
def test_the_least_declared_sample_with_some_disagreements(threshold: float, sizes: tuple[int, ...]) -> None:
    assert tuple(least_sample(threshold, d) for d in (0, 1, 2, 3, 5, 10)) == sizes


@pytest.mark.parametrize(
    ("true_rate", "threshold", "n", "agreeing"),
    [
        (0.90, 0.80, 94, 82), (0.95, 0.85, 68, 63), (0.95, 0.90, 203, 190),
        (0.97, 0.90, 89, 85), (0.99, 0.90, 46, 45), (0.99, 0.95, 124, 122),
    ],
)  # fmt: skip
def test_planning_keeps_the_power_from_the_planned_sample_on(
    true_rate: float, threshold: float, n: int, agreeing: int
) -> None:
    plan = plan_for_power(true_rate, threshold)

    assert (plan.n, plan.agreeing) == (n, agreeing)


@pytest.mark.parametrize(
    ("rate", "sizes"), [(0.5, (97, 385, 1068)), (0.8, (62, 246, 683)), (0.9, (35, 139, 385)), (0.95, (19, 73, 203))]
)
def test_the_sample_for_a_margin(rate: float, sizes: tuple[int, ...]) -> None:
    assert tuple(sample_for_margin(rate, margin) for margin in (0.10, 0.05, 0.03)) == sizes


def test_a_closed_corpus_needs_fewer_items_for_a_margin() -> None:
    found = [sample_for_margin(0.9, 0.05, corpus=corpus) for corpus in (100, 500, 1000, 5000)]

    assert found == [59, 109, 123, 136]


def test_plans_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="plan_for_power"):
        plan_for_power(0.8, 0.9)
    with pytest.raises(ValueError, match="least_sample"):
        least_sample(1.0, 0)
    with pytest.raises(ValueError, match="sample_for_margin"):
        sample_for_margin(0.5, 0)
