import numpy as np
import pandas as pd
import pytest

from crito.stats.ratings import (
    ABSTAINED,
    MISSING,
    NOT_SURE,
    SKIPPED,
    encode,
    pairs_from,
    pairs_from_rounds,
    ratings_from,
    reference_codes,
)  # fmt: skip


def test_states_and_missing_labels_are_four_different_codes() -> None:
    ratings = ratings_from(
        list("iiiiii"), list("abcdef"), ["yes", "not_sure", "skipped", "abstained", None, float("nan")]
    )

    assert ratings.label.tolist() == [0, NOT_SURE, SKIPPED, ABSTAINED, MISSING, MISSING]
    assert ratings.dropped == {"missing": 2, "not_sure": 1, "skipped": 1, "abstained": 1}


def test_a_declared_label_wins_over_a_state_of_the_same_name() -> None:
    ratings = ratings_from(["i"], ["a"], ["not_sure"], label_set=["sure", "not_sure"])

    assert ratings.label.tolist() == [1]


def test_columns_of_a_data_frame_are_taken_as_they_are() -> None:
    frame = pd.DataFrame({"item": ["i", "j"], "annotator": ["a", "a"], "label": pd.array([1, None], "Int64")})
    frame.index = pd.Index([7, 9])

    ratings = ratings_from(frame["item"], frame["annotator"], frame["label"])

    assert ratings.label.tolist() == [0, MISSING]


def test_counts_cover_unused_labels_and_items_without_labels() -> None:
    ratings = ratings_from(["i", "i", "j"], ["a", "b", "a"], ["x", "x", None], label_set=["x", "y"])

    assert ratings.counts().tolist() == [[2, 0], [0, 0]]


def test_labels_of_mixed_types_are_refused() -> None:
    with pytest.raises(ValueError, match=r"ratings_from: labels must be of one type"):
        ratings_from(["i", "j"], ["a", "a"], ["yes", 1])


def test_a_label_outside_the_label_set_is_refused_with_its_row() -> None:
    with pytest.raises(ValueError, match=r"row 1 .* got 'maybe'"):
        ratings_from(["i", "j"], ["a", "a"], ["yes", "maybe"], label_set=["yes", "no"])


def test_two_labels_by_one_annotator_on_one_item_are_refused() -> None:
    with pytest.raises(ValueError, match=r"annotator 'b' on item 'j'"):
        ratings_from(["i", "j", "j"], ["a", "b", "b"], ["x", "x", "y"])


def test_the_last_revision_counts() -> None:
    ratings = ratings_from(["i", "i", "j"], ["a", "a", "a"], ["new", "old", "only"], revisions=[2, 1, 0])

    assert [ratings.labels[code] for code in ratings.label] == ["new", "only"]


def test_two_rows_with_the_same_revision_are_refused() -> None:
    with pytest.raises(ValueError, match="revisions"):
        ratings_from(["i", "i"], ["a", "a"], ["x", "y"], revisions=[1, 1])


def test_columns_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="one length"):
        ratings_from(["i"], ["a", "b"], ["x"])


def test_a_row_without_an_annotator_is_refused() -> None:
    with pytest.raises(ValueError, match="row 1"):
        encode(["a", None])


def test_pairs_take_the_first_and_the_last_round() -> None:
    pairs = pairs_from_rounds(
        ["i", "i", "i", "j"], ["a", "a", "a", "a"], [2, 0, 1, 0], ["z", "x", "y", "x"], label_set=["x", "y", "z"]
    )

    assert pairs.initial.tolist() == [0, 0]
    assert pairs.final.tolist() == [2, MISSING]


def test_a_label_never_revisited_may_count_as_kept() -> None:
    pairs = pairs_from_rounds(["i"], ["a"], [0], ["x"], unrevisited="kept")

    assert pairs.final.tolist() == pairs.initial.tolist()


def test_two_labels_in_one_round_are_refused_without_revisions() -> None:
    with pytest.raises(ValueError, match=r"item 'i' twice in round 1"):
        pairs_from_rounds(["i", "i"], ["a", "a"], [1, 1], ["x", "y"])

    pairs = pairs_from_rounds(["i", "i"], ["a", "a"], [1, 1], ["x", "y"], revisions=[0, 1])

    assert pairs.final.tolist() == [1]


def test_a_pair_that_lacks_both_sides_is_counted_once() -> None:
    pairs = pairs_from(["i"], ["a"], ["not_sure"], [None], label_set=["x"])

    assert pairs.dropped == {"missing": 1}


def test_a_reference_label_outside_the_label_set_is_refused() -> None:
    with pytest.raises(ValueError, match=r"item 'i' .* got 'z'"):
        reference_codes(["i"], ["x"], {"i": "z"})


def test_not_sure_becomes_a_label_on_request() -> None:
    ratings = ratings_from(["i", "i"], ["a", "b"], ["x", "not_sure"]).with_not_sure_as_label()

    assert ratings.labels == ("x", "not_sure")
    assert np.array_equal(ratings.label, [0, 1])
