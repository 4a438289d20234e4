import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats
from statsmodels.stats.contingency_tables import SquareTable

from crito.stats.paired import holm, marginal_homogeneity, mcnemar, signed_rank, symmetry

FLIPS_A = [0, 1 / 3, 0, 2 / 3, 1 / 3, 0, 1 / 4, 1 / 2, 0, 1 / 3, 1, 0]
FLIPS_B = [0.05, 0.10, 0, 0.20, 0.12, 0.08, 0.25, 0.10, 0.02, 0.04, 0.30, 0.06]
CONFIDENCE = [[147, 5, 1], [75, 16, 2], [5, 11, 4]]


def test_signed_rank_of_item_flips_is_exact_and_reports_both_sums() -> None:
    found = signed_rank(np.array(FLIPS_A) - np.array(FLIPS_B))

    expected = {
        "n_used": 10, "w_plus": 45, "w_minus": 10, "p_exact": 0.083984, "p_normal_uncorrected": 0.074462,
        "p_normal": 0.083131, "rank_biserial": 0.636364,
    }  # fmt: skip
    assert found.value == pytest.approx(0.174722, abs=1e-6)
    assert {key: found.detail(key) for key in expected} == pytest.approx(expected, abs=1e-6)
    assert found.p_value == found.detail("p_exact")


def test_paired_items_are_not_tested_as_if_they_were_unpaired() -> None:
    unpaired = scipy_stats.mannwhitneyu(FLIPS_A, FLIPS_B).pvalue

    assert unpaired == pytest.approx(0.466487, abs=1e-6)
    assert signed_rank(np.array(FLIPS_A) - np.array(FLIPS_B)).p_value != pytest.approx(unpaired, abs=0.1)


def test_signed_rank_with_ties_uses_the_distribution_of_the_tied_ranks() -> None:
    # five equal differences of one sign: 2 of the 32 sign patterns are as extreme
    assert signed_rank([1, 1, 1, 1, 1]).p_value == pytest.approx(0.0625)


def test_signed_rank_of_only_zeros_is_certain_of_nothing() -> None:
    found = signed_rank([0, 0, 0])

    assert (found.status, found.p_value, found.reason) == ("ok", 1.0, "no differences")


def test_signed_rank_of_many_differences_is_the_corrected_normal_approximation() -> None:
    differences = np.random.default_rng(1).normal(0.2, 1, 80)

    expected = scipy_stats.wilcoxon(differences, correction=True, method="asymptotic").pvalue

    assert signed_rank(differences).p_value == pytest.approx(expected)


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=9))
def test_exact_signed_rank_equals_the_count_of_all_sign_patterns(differences: list[int]) -> None:
    used = [difference for difference in differences if difference]
    ranks = scipy_stats.rankdata(np.abs(used)) if used else np.array([])
    observed = min(ranks[np.array(used) > 0].sum(), ranks[np.array(used) < 0].sum()) if used else 0
    patterns = ((np.arange(2 ** len(used))[:, None] >> np.arange(len(used))) & 1) @ ranks if used else np.zeros(1)

    expected = min(1.0, 2 * float((patterns <= observed + 1e-9).mean()))

    assert signed_rank(differences).p_value == pytest.approx(expected)


@pytest.mark.parametrize(
    ("b", "c", "exact", "midp", "chi2"),
    [
        (7, 16, 0.093140, 0.063915, 0.095293),
        (9, 21, 0.042774, 0.029449, 0.044610),
        (7, 21, 0.012541, 0.008130, 0.014019),
        (15, 20, 0.499560, 0.405032, 0.498962),
        (14, 16, 0.855536, 0.720100, 0.855132),
        (0, 1, 1, 0.5, 1),
        (5, 5, 1, 1, 1),
        (0, 0, 1, 1, 1),
    ],
)
def test_mcnemar_in_its_three_variants(b: int, c: int, exact: float, midp: float, chi2: float) -> None:
    found = [mcnemar(b, c, n=200, method=method).p_value for method in ("exact", "midp", "chi2_cc")]

    assert found == pytest.approx([exact, midp, chi2], abs=1e-6)


def test_mcnemar_reports_the_difference_of_shares_and_the_odds() -> None:
    found = mcnemar(7, 21, n=200)

    assert found.value == pytest.approx(0.07)
    assert found.detail("odds") == pytest.approx(3)


def test_mcnemar_without_pairs_is_undefined() -> None:
    assert mcnemar(0, 0).status == "undefined"
    assert mcnemar(0, 0, n=0).status == "undefined"


def test_mcnemar_warns_of_the_chi_square_on_few_changes() -> None:
    assert "exact" in mcnemar(3, 4, n=50, method="chi2_cc").reason


def test_mcnemar_refuses_more_changes_than_pairs() -> None:
    with pytest.raises(ValueError, match="mcnemar"):
        mcnemar(3, 4, n=5)


def test_margins_and_symmetry_of_confidence() -> None:
    margins, directions = marginal_homogeneity(CONFIDENCE), symmetry(CONFIDENCE)

    assert (margins.value, margins.details["df"]) == (pytest.approx(66.979975, abs=1e-6), 2)
    assert margins.p_value == pytest.approx(2.8866e-15, rel=1e-3)
    assert (directions.value, directions.details["df"]) == (pytest.approx(70.147436, abs=1e-6), 3)
    assert directions.p_value == pytest.approx(3.9691e-15, rel=1e-3)


@pytest.mark.parametrize("test", [marginal_homogeneity, symmetry])
def test_a_level_that_nobody_used_does_not_add_a_degree_of_freedom(test) -> None:
    found = test([[5, 2, 0], [1, 6, 0], [0, 0, 0]])

    assert (found.value, found.details["df"]) == (pytest.approx(0.333333, abs=1e-6), 1)
    assert found.p_value == pytest.approx(0.563703, abs=1e-6)


def test_an_empty_cell_is_not_filled_with_a_half() -> None:
    assert symmetry([[147, 5, 1], [75, 16, 0], [5, 11, 4]]).value == pytest.approx(74.916667, abs=1e-6)


def test_a_table_without_changes_has_p_one() -> None:
    assert marginal_homogeneity([[3, 0], [0, 4]]).p_value == 1
    assert symmetry([[3, 0], [0, 4]]).p_value == 1


def test_an_empty_table_is_undefined() -> None:
    assert marginal_homogeneity([[0, 0], [0, 0]]).status == "undefined"
    assert symmetry([[0, 0], [0, 0]]).status == "undefined"


def test_a_table_that_is_not_square_is_refused() -> None:
    with pytest.raises(ValueError, match="symmetry: counts"):
        symmetry([[1, 2, 3], [4, 5, 6]])


@given(st.lists(st.integers(1, 30), min_size=16, max_size=16))
def test_full_tables_agree_with_statsmodels(cells: list[int]) -> None:
    table = np.array(cells).reshape(4, 4)
    oracle = SquareTable(table, shift_zeros=False)

    assert symmetry(table).p_value == pytest.approx(oracle.symmetry().pvalue)
    assert marginal_homogeneity(table).p_value == pytest.approx(oracle.homogeneity().pvalue)


def test_holm_adjusts_a_family_and_keeps_its_order() -> None:
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm([]) == []
    with pytest.raises(ValueError, match="holm"):
        holm([1.5])


def test_a_paired_difference_of_shares_has_an_interval() -> None:
    found = mcnemar(7, 21, n=200).interval

    # 7.5 and 21.5 of 202: difference 14/202, variance (29 - 14²/202) / 202²
    assert found is not None
    assert (found.low, found.high) == pytest.approx((0.069307 - 0.051369, 0.069307 + 0.051369), abs=1e-5)
    assert mcnemar(7, 21).interval is None


def test_the_paired_interval_covers_the_true_difference() -> None:
    rng = np.random.default_rng(9)
    covered = 0
    for _ in range(400):
        _, b, c, _ = rng.multinomial(60, [0.5, 0.1, 0.2, 0.2])
        found = mcnemar(int(b), int(c), n=60).interval
        assert found is not None
        covered += found.low <= 0.1 <= found.high

    assert 0.92 <= covered / 400 <= 0.98
