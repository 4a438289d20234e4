import numpy as np
import pytest

from crito.stats.panel import judge_agreement, kendall_w, panel_verdict, scores, swap_effects

A_FIRST = scores(
    [[8, 7, 9, 6, 7], [8, 7, 6, 8, 7], [8, 9, 7, 8, 7]], [[6, 5, 5, 8, 8], [7, 6, 7, 6, 7], [7, 6, 6, 7, 6]]
)
B_FIRST = scores(
    [[7, 8, 8, 8, 7], [7, 8, 8, 8, 8], [8, 8, 7, 7, 8]], [[8, 9, 6, 7, 8], [8, 7, 7, 7, 7], [7, 6, 6, 7, 7]]
)
NAN = float("nan")


def test_totals_and_winners_of_both_orders() -> None:
    first, second = panel_verdict(A_FIRST), panel_verdict(B_FIRST)

    assert [(judge.total_a, judge.total_b) for judge in first.judges] == [(37, 32), (36, 33), (39, 32)]
    assert [judge.winner for judge in first.judges] == ["a", "a", "a"]
    assert [(judge.total_a, judge.total_b) for judge in second.judges] == [(38, 38), (39, 36), (38, 33)]
    assert [judge.winner for judge in second.judges] == ["tie", "a", "a"]
    assert (first.winner, second.winner) == ("a", "a")


def test_the_order_of_speaking_is_told_apart_from_the_sides() -> None:
    found = swap_effects(A_FIRST, B_FIRST)

    assert found.consistency.value == pytest.approx(2 / 3)
    assert found.position.by_judge == pytest.approx((0.5, 0, 0.2))
    assert found.position.overall.value == pytest.approx(0.233333, abs=1e-6)
    assert found.side.by_judge == pytest.approx((0.5, 0.6, 1.2))
    assert found.side.overall.value == pytest.approx(0.766667, abs=1e-6)
    assert found.position.by_topic == pytest.approx((0.833333, 0.666667, 0, -0.166667, -0.166667), abs=1e-6)
    assert found.position.overall.p_value == pytest.approx(0.5)
    assert found.winner == "a"


def test_cells_with_the_same_side_ahead_are_counted() -> None:
    found = swap_effects(A_FIRST, B_FIRST).cell_consistency

    expected = {"a_both": 7, "b_both": 1, "first_speaker": 3, "second_speaker": 2, "with_tie": 2}
    assert found.value == pytest.approx(8 / 15)
    assert {key: found.details[key] for key in expected} == expected


@pytest.mark.parametrize(
    ("matrix", "w", "chi2", "df", "p", "alphas"),
    [
        (np.hstack([A_FIRST.a, A_FIRST.b]), 0.468750, 12.656250, 9, 0.178787, (0.118541, 0.196939, 0.188375)),
        (np.hstack([B_FIRST.a, B_FIRST.b]), 0.435140, 11.748768, 9, 0.227846, (0.106884, 0.125556, 0.109649)),
        (
            np.hstack([A_FIRST.a, A_FIRST.b, B_FIRST.a, B_FIRST.b]), 0.471435, 26.871817, 19, 0.107674,
            (0.123293, 0.199288, 0.197006),
        ),
        (A_FIRST.a - A_FIRST.b, 0.222222, 2.666667, 4, 0.615060, (-0.139535, -0.018590, -0.070588)),
    ],
)  # fmt: skip
def test_judges_agree_on_little(matrix, w: float, chi2: float, df: int, p: float, alphas: tuple[float, ...]) -> None:
    found = judge_agreement(matrix)

    assert found.kendall_w.value == pytest.approx(w, abs=1e-6)
    assert (found.kendall_w.detail("chi2"), found.kendall_w.details["df"]) == (pytest.approx(chi2, abs=1e-6), df)
    assert found.kendall_w.p_value == pytest.approx(p, abs=1e-6)
    assert (found.alpha_nominal.value, found.alpha_ordinal.value, found.alpha_interval.value) == pytest.approx(
        alphas, abs=1e-6
    )


def test_concordance_needs_three_things_two_judges_and_variation() -> None:
    assert kendall_w([[1, 2], [2, 1]]).status == "insufficient"
    assert kendall_w([[1, 2, 3]]).status == "insufficient"
    assert kendall_w([[1, 2, 3], [5, 5, 5]]).status == "undefined"
    assert kendall_w([[1, 2, 3], [1, 2, 3]]).value == pytest.approx(1)


def test_a_missing_score_voids_the_judges_total_and_its_cell() -> None:
    first = scores([[8, NAN], [5, 6]], [[6, 5], [6, 7]])
    second = scores([[8, 8], [5, 6]], [[6, 5], [6, 7]])

    found = swap_effects(first, second)

    assert [judge.winner for judge in panel_verdict(first).judges] == [None, "b"]
    assert panel_verdict(first).winner == "b"
    assert found.consistency.dropped == {"judge_without_verdict": 1}
    assert found.side.overall.dropped == {"cell_with_missing_score": 1}
    assert found.side.overall.n == 3


def test_nothing_scored_has_no_effect_and_no_winner() -> None:
    nothing = scores([[NAN]], [[NAN]])

    found = swap_effects(nothing, nothing)

    assert (found.side.overall.status, found.winner, found.side.by_judge) == ("undefined", None, (None,))
    assert panel_verdict(nothing).winner is None


def test_many_topics_are_tested_with_drawn_signs() -> None:
    rng = np.random.default_rng(0)
    first, second = (scores(*rng.integers(0, 11, (2, 2, 30))) for _ in range(2))

    found = swap_effects(first, second, seed=1).position.overall

    assert found.p_value == swap_effects(first, second, seed=1).position.overall.p_value
    assert found.p_value is not None
    assert 0 < found.p_value <= 1


def test_a_score_off_the_scale_is_refused() -> None:
    with pytest.raises(ValueError, match="0 to 10"):
        scores([[11]], [[5]])
    with pytest.raises(ValueError, match="one shape"):
        scores([[1, 2]], [[1]])
    with pytest.raises(ValueError, match="both orders"):
        swap_effects(A_FIRST, scores([[1]], [[2]]))
