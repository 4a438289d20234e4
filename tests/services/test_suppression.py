"""Which groups may be told about without making small ones known."""

from hypothesis import given
from hypothesis import strategies as st

from crito.services.suppression import shown_groups

SIZES = st.dictionaries(st.text("abcdefg", min_size=1, max_size=3), st.integers(1, 30), max_size=7)


def test_large_groups_are_all_shown_in_their_order() -> None:
    assert list(shown_groups({"b": 5, "a": 9, "c": 5}, 5)) == ["b", "a", "c"]


def test_the_next_smallest_group_hides_a_small_one() -> None:
    assert list(shown_groups({"a": 9, "b": 4, "c": 6}, 5)) == ["a"]


def test_small_groups_that_are_together_large_enough_hide_each_other() -> None:
    assert list(shown_groups({"a": 9, "b": 4, "c": 3}, 5)) == ["a"]


def test_small_groups_that_are_together_few_are_hidden_by_another() -> None:
    assert list(shown_groups({"a": 9, "b": 1, "c": 1, "d": 7}, 5)) == ["a"]


@given(SIZES, st.integers(2, 10))
def test_what_is_left_when_the_shown_groups_are_taken_from_everyone_is_no_small_group(
    sizes: dict[str, int], fewest: int
) -> None:
    shown = shown_groups(sizes, fewest)

    n_left, left = sum(sizes.values()) - sum(sizes[one] for one in shown), len(sizes) - len(shown)

    assert all(sizes[one] >= fewest for one in shown)
    assert left == 0 or not shown or (left >= 2 and n_left >= fewest)
