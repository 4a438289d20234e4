import numpy as np
import pytest

from crito.stats.anchoring import anchoring_gap, blind_items_to_see_gap, reliance


def answers(agreeing: int, n: int) -> list[bool]:
    return [place < agreeing for place in range(n)]


@pytest.mark.parametrize(
    ("shown", "blind", "gap", "newcombe", "caffo", "fisher", "resampled"),
    [
        ((188, 200), (41, 50), 0.12, (0.027635, 0.250447), (0.015614, 0.240288), 0.018189, (0.015, 0.235)),
        ((5, 5), (3, 5), 0.40, (-0.118182, 0.769276), (-0.163276, 0.734705), 0.444444, (0, 0.8)),
        ((20, 20), (20, 20), 0, (-0.161125, 0.161125), (-0.123095, 0.123095), 1, None),
    ],
)
def test_the_gap_has_its_intervals_and_fishers_test(shown, blind, gap, newcombe, caffo, fisher, resampled) -> None:
    found = anchoring_gap(answers(*shown), answers(*blind))

    assert found.value == pytest.approx(gap)
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == pytest.approx(newcombe, abs=1e-6)
    assert (found.detail("agresti_caffo_low"), found.detail("agresti_caffo_high")) == pytest.approx(caffo, abs=1e-6)
    assert found.p_value == pytest.approx(fisher, abs=1e-6)
    if resampled is None:
        assert found.cluster_interval is None
    else:
        assert found.cluster_interval is not None
        assert (found.cluster_interval.low, found.cluster_interval.high) == pytest.approx(resampled, abs=0.02)


def test_no_gap_is_shown_from_fewer_than_five_comparisons() -> None:
    found = anchoring_gap(answers(4, 4), answers(30, 50))

    assert (found.status, found.value) == ("insufficient", None)
    with pytest.raises(ValueError, match="min_per_side"):
        anchoring_gap([], [], min_per_side=0)


def test_annotations_of_one_item_are_resampled_together() -> None:
    items = [f"i{place // 5}" for place in range(50)]
    shown, blind = [place // 5 % 2 == 0 for place in range(50)], [place // 5 % 4 == 0 for place in range(50)]

    alone = anchoring_gap(shown, blind).cluster_interval
    together = anchoring_gap(shown, blind, shown_items=items, blind_items=items).cluster_interval

    assert alone is not None
    assert together is not None
    assert together.high - together.low > alone.high - alone.low


def test_items_have_to_fit_their_annotations() -> None:
    with pytest.raises(ValueError, match="one item per annotation"):
        anchoring_gap(answers(5, 5), answers(5, 5), shown_items=["i"])


@pytest.mark.parametrize(("blind", "shown", "equal", "four"), [
    (0.80, 0.90, 199, 115), (0.80, 0.85, 906, 550), (0.85, 0.95, 141, 77),
])  # fmt: skip
def test_blind_items_needed_to_see_a_gap(blind: float, shown: float, equal: int, four: int) -> None:
    assert blind_items_to_see_gap(blind, shown) == equal
    assert blind_items_to_see_gap(blind, shown, shown_per_blind=4) == four
    with pytest.raises(ValueError, match="two different rates"):
        blind_items_to_see_gap(0.8, 0.8)


def test_reliance_is_counted_on_suggestions_that_can_be_judged() -> None:
    label, suggestion, reference = (np.array(codes) for codes in ([0, 0, 1, -2, 0], [0, 0, 0, 0, -1], [0, 1, 0, 0, 0]))

    found = reliance(label, suggestion, reference)

    assert (found.overreliance.value, found.overreliance.n) == (1.0, 1)
    assert (found.underreliance.value, found.underreliance.n) == (pytest.approx(2 / 3), 3)
    assert found.overreliance.dropped == {"no_suggestion_or_gold": 1}
    assert reliance(label[:1], suggestion[:1], reference[:1]).overreliance.status == "undefined"
