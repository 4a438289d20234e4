import pytest

from crito.stats.confidence import (
    compare_confidence_changes,
    confidence_change,
    share_at_step,
    transitions,
    transitions_from_moves,
)  # fmt: skip
from crito.stats.tables import moves_from_counts
from tests.stats.tables import pairs_of

STEPS = ["low", "medium", "high"]
COUNTS = [[147, 5, 1], [75, 16, 2], [5, 11, 4]]


def test_change_is_positive_when_people_end_more_confident() -> None:
    found = confidence_change(pairs_of(["low", "medium", "high"], ["high", "medium", None], STEPS))

    assert found.value == 1.0
    assert (found.n, found.dropped) == (2, {"missing": 1})


def test_change_may_be_counted_in_the_values_of_the_steps() -> None:
    confidence = pairs_of(["low", "medium"], ["high", "medium"], STEPS)

    assert confidence_change(confidence, values=[0, 0.5, 1]).value == 0.5
    with pytest.raises(ValueError, match="one value per step"):
        confidence_change(confidence, values=[0, 1])


def test_changes_of_two_groups_are_compared() -> None:
    a, b = pairs_of(["low", "low"], ["high", "medium"], STEPS), pairs_of(["low", "low"], ["low", "medium"], STEPS)

    assert compare_confidence_changes(a, b).value == 1.0


def test_transitions_count_all_nine_cells_highest_first() -> None:
    found = transitions(pairs_of(["low", "high", "low"], ["high", "high", "low"], STEPS))

    assert found.moves.labels == ("high", "medium", "low")
    assert found.moves.counts.tolist() == [[1, 0, 0], [0, 0, 0], [1, 0, 1]]
    assert found.moves.row_shares() == ((1.0, 0.0, 0.0), None, (0.5, 0.0, 0.5))
    assert len(found.moves.flows()) == 9
    assert [part.detail("count") for part in (found.up, found.down, found.same)] == [1, 0, 2]


def test_transitions_of_the_published_margins() -> None:
    found = transitions_from_moves(moves_from_counts(["high", "medium", "low"], COUNTS))

    counts = found.moves.counts
    assert [part.detail("count") for part in (found.up, found.down, found.same)] == [91, 8, 167]
    assert counts[0].sum() / 266 == pytest.approx(0.575188, abs=1e-6)
    assert counts[:, 0].sum() / 266 == pytest.approx(0.853383, abs=1e-6)
    assert found.moves.count("medium", "high") / found.moves.n == pytest.approx(0.281955, abs=1e-6)
    assert found.moves.row_shares()[1] == pytest.approx((0.8065, 0.1720, 0.0215), abs=1e-4)
    assert found.margins.value == pytest.approx(66.979975, abs=1e-6)


def test_transitions_of_nobody_are_undefined() -> None:
    found = transitions(pairs_of([None], ["low"], STEPS))

    assert {part.status for part in (found.up, found.same, found.margins, found.directions)} == {"undefined"}


def test_share_at_a_step_counts_those_who_gave_any_confidence() -> None:
    confidence = pairs_of(["high", "low", None], ["high", "high", "high"], STEPS)

    assert share_at_step(confidence, "high", final=False).value == 0.5
    assert share_at_step(confidence, "high", final=True).n == 3


def test_moves_that_do_not_fit_their_labels_are_refused() -> None:
    with pytest.raises(ValueError, match="moves_from_counts"):
        moves_from_counts(["high", "low"], COUNTS)
