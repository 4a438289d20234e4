import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crito.stats.soft_labels import entropy, mean_entropy, soft_labels
from tests.stats.tables import ratings_of


def test_soft_labels_cover_declared_labels_that_nobody_used() -> None:
    found = soft_labels(ratings_of(["AAB", "--"], label_set=["A", "B", "C"]))

    assert found.shares == pytest.approx(np.array([[2 / 3, 1 / 3, 0]]))
    assert (found.items, found.n_without) == (("i0",), 1)


def test_smoothing_keeps_every_share_above_zero() -> None:
    assert soft_labels(ratings_of(["A"], ["A", "B"]), smoothing=1).shares == pytest.approx(np.array([[2 / 3, 1 / 3]]))
    with pytest.raises(ValueError, match="smoothing"):
        soft_labels(ratings_of(["A"]), smoothing=-1)


def test_entropy_of_given_distributions() -> None:
    assert entropy([[0.5, 0.3, 0.2], [0, 1, 0], [0.25, 0.25, 0.5]]) == pytest.approx([0.937231, 0, 0.946395], abs=1e-6)


def test_entropy_of_a_single_label_is_zero() -> None:
    assert entropy([[1.0]]).tolist() == [0.0]


def test_mean_entropy_counts_items_without_labels_as_left_out() -> None:
    found = mean_entropy(soft_labels(ratings_of(["AB", "AA", "--"])))

    assert (found.value, found.n, found.dropped) == (0.5, 2, {"item_without_label": 1})


@given(st.lists(st.text("ABC", min_size=1, max_size=6), min_size=1, max_size=6))
def test_entropy_stays_between_zero_and_one(panels: list[str]) -> None:
    found = entropy(soft_labels(ratings_of(panels, ["A", "B", "C"])).shares)

    assert ((found >= 0) & (found <= 1 + 1e-12)).all()
