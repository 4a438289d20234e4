import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crito.stats.sampling import inclusion_probabilities


def test_uncertain_items_are_drawn_more_often() -> None:
    found = inclusion_probabilities([0.0, 0.5, 1.0, 0.5], 2)

    # half of the budget evenly (0.25 each), half by uncertainty (0, .25, .5, .25)
    assert found == pytest.approx([0.25, 0.5, 0.75, 0.5])


def test_without_uncertainty_the_budget_is_spread_evenly() -> None:
    assert inclusion_probabilities([0, 0], 1) == pytest.approx([0.5, 0.5])


def test_every_item_can_be_drawn() -> None:
    assert inclusion_probabilities([0.0, 1.0], 1, evenness=0) == pytest.approx([0.05, 1.0])


@pytest.mark.parametrize(
    "arguments", [{"budget": 0}, {"budget": 3}, {"budget": 1, "evenness": 2}, {"budget": 1, "floor": 0}]
)
def test_arguments_out_of_range_are_refused(arguments: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="budget above 0"):
        inclusion_probabilities([0.5, 0.5], **arguments)
    with pytest.raises(ValueError, match="uncertainty"):
        inclusion_probabilities([1.5], 1)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20), st.floats(0.01, 1))
def test_probabilities_stay_above_zero_and_at_most_one(uncertainty: list[float], part: float) -> None:
    found = inclusion_probabilities(uncertainty, part * len(uncertainty))

    assert ((found > 0) & (found <= 1)).all()
    assert np.isfinite(found).all()
