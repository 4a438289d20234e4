import pytest

from crito.stats.means import compare_means, mean

CONFIDENCE_A = [1, 0, 1, 0, 0, 1, 1, 0, 2, 0]
CONFIDENCE_B = [0, 0, 1, 0, -1, 0, 0, 1, 0, 0, -1, 0]


def test_comparison_of_confidence_changes_gives_student_welch_and_effect_sizes() -> None:
    found = compare_means(CONFIDENCE_A, CONFIDENCE_B)

    expected = {
        "mean_a": 0.6, "mean_b": 0.0, "sd_a": 0.699206, "sd_b": 0.603023, "t": 2.162250, "df": 20, "p": 0.042894,
        "welch_t": 2.132116, "welch_df": 17.967006, "welch_p": 0.047054, "cohen_d": 0.925820, "hedges_g": 0.890588,
        "brunner_munzel": -2.259899, "brunner_munzel_p": 0.035881,
    }  # fmt: skip
    assert {key: found.detail(key) for key in expected} == pytest.approx(expected, abs=1e-6)
    assert found.p_value == found.detail("p")
    assert found.detail("cohen_d") == pytest.approx(found.detail("t") * (1 / 10 + 1 / 12) ** 0.5)


def test_comparison_of_message_counts_uses_welch_on_request() -> None:
    found = compare_means([4, 6, 8, 10, 7, 9, 5, 12], [3, 5, 6, 4, 8, 5], equal_variances=False)

    expected = {
        "mean_a": 7.625, "mean_b": 5.166667, "sd_a": 2.669270, "sd_b": 1.722401,
        "welch_t": 2.088839, "welch_df": 11.826665, "welch_p": 0.059029, "cohen_d": 1.058647,
    }  # fmt: skip
    assert {key: found.detail(key) for key in expected} == pytest.approx(expected, abs=1e-6)
    assert found.p_value == found.detail("welch_p")


def test_means_that_do_not_vary_are_not_compared() -> None:
    assert compare_means([1, 1, 1], [2, 2]).status == "undefined"


def test_a_side_of_one_value_is_too_few_to_compare() -> None:
    assert compare_means([1], [2, 3]).status == "insufficient"


def test_sides_that_do_not_overlap_have_no_rank_statistic() -> None:
    found = compare_means([1, 2], [5, 6])

    assert found.details["brunner_munzel"] is None
    assert found.value == -4


def test_a_value_that_is_not_finite_is_refused() -> None:
    with pytest.raises(ValueError, match="mean: values must be finite"):
        mean("messages", [1.0, float("nan")])


@pytest.mark.parametrize(("values", "status"), [([], "undefined"), ([2.0], "ok"), ([2.0, 2.0], "ok")])
def test_a_mean_without_spread_has_no_interval(values: list[float], status: str) -> None:
    found = mean("messages", values)

    assert found.status == status
    assert found.interval is None


def test_an_interval_is_cut_to_what_a_value_can_be() -> None:
    found = mean("share", [1.0, 1.0, 0.9], within=(0.0, 1.0)).interval

    assert found is not None
    assert (found.high, found.clipped) == (1.0, True)
