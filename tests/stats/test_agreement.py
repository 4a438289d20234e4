import itertools

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from statsmodels.stats.inter_rater import fleiss_kappa as oracle_kappa

from crito.stats.agreement import (
    fleiss_kappa,
    fleiss_kappa_from_counts,
    krippendorff_alpha,
    krippendorff_alpha_from_counts,
    percent_agreement,
    percent_agreement_from_counts,
)
from crito.stats.ratings import Ratings, ratings_from
from tests.stats.tables import ratings_of

FLEISS = [
    (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
]  # fmt: skip
OBSERVERS = ["123321412---", "1233224125-3", "-3332342251-", "12332441251-"]

COUNTS = arrays.arrays(np.int64, st.tuples(st.integers(1, 8), st.integers(1, 4)), elements=st.integers(0, 4))
PANELS = st.lists(st.text("ABC", min_size=3, max_size=3), min_size=1, max_size=12)


def observed_units() -> Ratings:
    rows = [
        (unit, observer, int(letter))
        for observer, letters in enumerate(OBSERVERS)
        for unit, letter in enumerate(letters)
        if letter != "-"
    ]
    units, observers, values = zip(*rows, strict=True)
    return ratings_from(units, observers, values, label_set=[1, 2, 3, 4, 5])


@pytest.mark.parametrize(("scale", "alpha"), [("nominal", 0.743421), ("ordinal", 0.815388), ("interval", 0.849107)])
def test_alpha_of_the_published_data_with_missing_labels(scale, alpha: float) -> None:
    found = krippendorff_alpha(observed_units(), scale)

    assert found.value == pytest.approx(alpha, abs=1e-6)
    assert found.details["n_items"] == 11
    assert found.n == 40
    assert found.dropped == {"item_with_one_label": 1}


def test_fleiss_kappa_of_the_published_data() -> None:
    found = fleiss_kappa_from_counts(FLEISS)

    assert found.value == pytest.approx(0.209931, abs=1e-6)
    assert found.detail("observed") == pytest.approx(0.378022, abs=1e-6)
    assert found.detail("expected") == pytest.approx(0.212755, abs=1e-6)
    assert percent_agreement_from_counts(FLEISS).value == pytest.approx(0.378022, abs=1e-6)


def test_items_with_a_missing_label_are_dropped_by_kappa_and_kept_by_alpha() -> None:
    ratings = ratings_of(["AAB", "AB-", "BBB", "ABA"])

    assert fleiss_kappa(ratings).n == 3
    assert fleiss_kappa(ratings).dropped == {"missing": 1, "item_without_3_labels": 1}
    assert krippendorff_alpha(ratings).details["n_items"] == 4


def test_kappa_of_a_ragged_table_uses_the_number_of_labels_that_most_items_have_and_says_so() -> None:
    found = fleiss_kappa(ratings_of(["AB", "AA", "BB", "ABB", "AAAA", "AAAAB", "AAAAAB"]))

    assert (found.n, found.details["labels_per_item"]) == (3, 2)
    assert found.dropped == {"item_without_2_labels": 4}
    assert "only 3 of 7 items" in found.reason


@pytest.mark.parametrize(
    ("labels", "kappa", "alpha", "percent"),
    [
        (["AAA", "AAA"], "undefined", "undefined", "ok"),
        (["A--", "-B-"], "insufficient", "insufficient", "insufficient"),
        (["---"], "insufficient", "insufficient", "insufficient"),
        (["A", "B"], "insufficient", "insufficient", "insufficient"),
    ],
)
def test_agreement_that_cannot_be_told_has_a_reason(labels: list[str], kappa: str, alpha: str, percent: str) -> None:
    ratings = ratings_of(labels)

    found = fleiss_kappa(ratings), krippendorff_alpha(ratings), percent_agreement(ratings)

    assert tuple(one.status for one in found) == (kappa, alpha, percent)


def test_kappa_of_a_single_label_still_reports_its_observed_agreement() -> None:
    found = fleiss_kappa(ratings_of(["AAA", "AAA"]))

    assert (found.reason, found.details["observed"]) == ("single label", 1.0)


def test_interval_alpha_needs_numbers() -> None:
    ratings = ratings_of(["AB", "AA"])

    with pytest.raises(ValueError, match="labels must be numbers"):
        krippendorff_alpha(ratings, "interval")
    with pytest.raises(ValueError, match="one finite value"):
        krippendorff_alpha(ratings, "interval", values=[1])
    assert krippendorff_alpha(ratings, "interval", values=[3, 5]).status == "ok"


def test_equal_values_do_not_vary() -> None:
    assert krippendorff_alpha(ratings_of(["AB", "AA"]), "interval", values=[1, 1]).status == "undefined"


def test_items_are_resampled_for_an_interval() -> None:
    found = krippendorff_alpha(observed_units(), seed=4)

    assert found.cluster_interval is not None
    assert found.value is not None
    assert found.cluster_interval.low < found.value < found.cluster_interval.high
    assert krippendorff_alpha(observed_units(), repeats=0).cluster_interval is None


def test_resampled_alpha_equals_the_alpha_of_the_resampled_items() -> None:
    counts = observed_units().counts()[:4]
    resamples = [counts[list(chosen)] for chosen in itertools.product(range(4), repeat=4)]
    by_hand = [krippendorff_alpha_from_counts(table, "ordinal", repeats=0).value for table in resamples]
    expected = np.quantile([alpha for alpha in by_hand if alpha is not None], [0.025, 0.975])

    found = krippendorff_alpha_from_counts(counts, "ordinal").cluster_interval

    assert found is not None
    assert (found.low, found.high) == pytest.approx(tuple(expected), abs=0.02)


def test_counts_that_are_not_whole_are_refused() -> None:
    with pytest.raises(ValueError, match="fleiss_kappa: counts"):
        fleiss_kappa_from_counts([[0.5, 1]])


@given(COUNTS, st.sampled_from(["nominal", "ordinal", "interval"]))
def test_alpha_equals_an_independent_implementation(counts, scale) -> None:
    found = krippendorff_alpha_from_counts(counts, scale, repeats=0)

    if found.value is None:
        pairable = counts[counts.sum(axis=1) >= 2]
        assert len(pairable) == 0 or (pairable.sum(axis=0) > 0).sum() < 2
    else:
        oracle = krippendorff.alpha(
            value_counts=counts, value_domain=range(counts.shape[1]), level_of_measurement=scale
        )
        assert found.value == pytest.approx(oracle, abs=1e-9)


@given(PANELS)
def test_kappa_equals_an_independent_implementation(panels: list[str]) -> None:
    ratings = ratings_of(panels, label_set=["A", "B", "C"])

    found = fleiss_kappa(ratings, repeats=0)

    if found.value is None:
        assert len(set("".join(panels))) == 1
    else:
        assert found.value == pytest.approx(oracle_kappa(ratings.counts()))


@given(PANELS, st.permutations("ABC"), st.randoms(use_true_random=False))
def test_nominal_agreement_ignores_names_and_order(panels: list[str], names: list[str], random) -> None:
    renamed = [panel.translate(str.maketrans("ABC", "".join(names))) for panel in panels]
    random.shuffle(renamed)

    for measure in (fleiss_kappa, krippendorff_alpha, percent_agreement):
        before, after = (measure(ratings_of(rows, ["A", "B", "C"]), repeats=0) for rows in (panels, renamed))
        assert before.status == after.status
        assert before.value == pytest.approx(after.value)


@given(st.lists(st.sampled_from("ABC"), min_size=2, max_size=12).filter(lambda letters: len(set(letters)) > 1))
def test_perfect_agreement_is_one_on_every_scale(letters: list[str]) -> None:
    ratings = ratings_of([letter * 3 for letter in letters])

    assert fleiss_kappa(ratings, repeats=0).value == pytest.approx(1)
    for scale in ("nominal", "ordinal"):
        assert krippendorff_alpha(ratings, scale, repeats=0).value == pytest.approx(1)


def test_labels_drawn_by_chance_agree_no_better_than_chance() -> None:
    counts = np.random.default_rng(2).multinomial(5, [0.5, 0.3, 0.2], size=20_000)

    assert krippendorff_alpha_from_counts(counts, repeats=0).value == pytest.approx(0, abs=0.01)
    assert fleiss_kappa_from_counts(counts, repeats=0).value == pytest.approx(0, abs=0.01)
