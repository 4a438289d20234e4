import pytest
from hypothesis import given
from hypothesis import strategies as st

from crito.model.crit_score import GAMMA_MODES, Rating, crit_score, rating_from_source

REASONS = [Rating(8, 9), Rating(6, 7), Rating(7)]
RIVALS = [Rating(5, 8), Rating(9, 4)]
CHILD = ([Rating(9, 8), Rating(4, 6)], [Rating(3, 5)])
EXPECTED = {
    "literal": (47.8, 48.233333, 37.0),
    "weighted": (6.828571, 7.058537, 5.842105),
    "reflected": (6.257143, 6.473171, 7.157895),
    "signed": (17.4, 17.833333, 27.0),
    "ratio": (0.682008, 0.684865, 0.864865),
    "literal10": (4.78, 4.8233333, 3.7),
}

SCORES = st.integers(1, 10)
RATINGS = st.lists(st.builds(Rating, SCORES, SCORES), min_size=1, max_size=4)


@pytest.mark.parametrize("mode", GAMMA_MODES)
def test_every_mode_scores_a_flat_and_a_recursive_claim(mode) -> None:
    child = rating_from_source(*CHILD)
    assert child is not None

    found = (
        crit_score(REASONS, RIVALS, mode).value,
        crit_score([REASONS[0], child, REASONS[2]], RIVALS, mode).value,
        crit_score(*CHILD, mode).value,
    )

    assert found == pytest.approx(EXPECTED[mode], abs=1e-6)


def test_an_unknown_credibility_counts_as_the_mean_of_the_known() -> None:
    child = rating_from_source(*CHILD)
    assert child is not None

    assert crit_score(REASONS, RIVALS).credibility_fill == 7
    assert crit_score([REASONS[0], child, REASONS[2]], RIVALS).credibility_fill == pytest.approx(6.833333, abs=1e-6)
    assert crit_score(*CHILD).credibility_fill is None


def test_a_claim_without_rivals_has_a_score() -> None:
    assert crit_score(REASONS, [], "literal").value == pytest.approx(56.666667, abs=1e-6)
    assert crit_score(REASONS, []).value == pytest.approx(7.083333, abs=1e-6)
    assert crit_score(REASONS, []).credibility_fill == 8


def test_a_claim_without_reasons_has_no_score() -> None:
    assert crit_score([], RIVALS).value is None
    assert "no reasons" in crit_score([], RIVALS).reason
    assert crit_score([Rating(None, 3)], RIVALS).value is None
    assert rating_from_source([], RIVALS) is None


def test_a_reason_without_validity_is_dropped_and_counted() -> None:
    found = crit_score([*REASONS, Rating(None, 2)], RIVALS)

    assert (found.n_dropped, found.value) == (1, crit_score(REASONS, RIVALS).value)


def test_without_any_credibility_all_weigh_one_and_the_score_says_so() -> None:
    found = crit_score([Rating(8), Rating(6)], [Rating(1)], "literal")

    assert found.value == 5
    assert "weigh 1" in found.reason


@pytest.mark.parametrize("rating", [(0, 5), (5, 0), (11, 5), (5, 10.5)])
def test_ratings_outside_one_to_ten_are_refused(rating: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="from 1 to 10"):
        Rating(*rating)


@given(RATINGS, RATINGS)
def test_a_stronger_reason_never_lowers_and_a_stronger_rival_never_raises_the_score(
    reasons: list[Rating], rivals: list[Rating]
) -> None:
    def stronger(ratings: list[Rating]) -> list[Rating]:
        first = ratings[0]
        assert first.validity is not None
        return [Rating(min(10, first.validity + 1), first.credibility), *ratings[1:]]

    score = crit_score(reasons, rivals).value
    assert score is not None

    assert crit_score(stronger(reasons), rivals).value >= score - 1e-12
    assert crit_score(reasons, stronger(rivals)).value <= score + 1e-12


@given(RATINGS, RATINGS, st.randoms(use_true_random=False))
def test_scores_ignore_order_and_a_common_factor_of_credibility(reasons: list[Rating], rivals, random) -> None:
    base = [[Rating(r.validity, r.credibility * 0.4 + 5) for r in side] for side in (reasons, rivals)]
    scaled = [[Rating(r.validity, r.credibility * 10 / 9) for r in side] for side in base]
    shuffled = reasons.copy()
    random.shuffle(shuffled)

    for mode in ("reflected", "ratio"):
        assert crit_score(shuffled, rivals, mode).value == pytest.approx(crit_score(reasons, rivals, mode).value)
        assert crit_score(*base, mode).value == pytest.approx(crit_score(*scaled, mode).value)
