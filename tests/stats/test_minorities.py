"""Whether views that few hold are given up."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crito.stats.flips import majority_of_others
from crito.stats.minorities import at_majority, entropy_change, labels_lost, minority_report
from crito.stats.ratings import MISSING, pairs_from

LABELS = "ABC"


def pairs_of_items(words: dict[str, tuple[str, str]]):
    """Initial and final labels of each item, one letter per annotator."""
    rows = [
        (item, f"{item}-{place}", first, last)
        for item, (before, after) in words.items()
        for place, (first, last) in enumerate(zip(before, after, strict=True))
    ]
    items, people, initial, final = zip(*rows, strict=True)
    return pairs_from(items, people, initial, final, label_set=list(LABELS))


WORKED = {"i1": ("AAAB", "AAAA"), "i2": ("AABB", "AABB"), "i3": ("ABBC", "ABBB"), "i4": ("AAA", "AAB")}


def test_where_each_annotation_stood_at_first() -> None:
    standing = at_majority(pairs_of_items(WORKED)).tolist()

    # i1: B stands against AAA. i2: each stands against the two of the other label, and beside one of their own.
    # i3: A and C see BB; either B sees A, B, C: a tie. i4: all with the majority.
    assert standing == [1, 1, 1, 0, 0, 0, 0, 0, 0, -1, -1, 0, 1, 1, 1]


def test_who_gave_way_is_counted_on_either_side() -> None:
    report = minority_report(pairs_of_items(WORKED))

    assert (report.minority_left.details["count"], report.minority_left.n) == (2, 7)
    assert (report.majority_left.details["count"], report.majority_left.n) == (1, 6)
    assert report.difference.value == pytest.approx(2 / 7 - 1 / 6)
    assert report.minority_left.dropped == {"no_majority": 2}


def test_labels_of_few_that_nobody_gives_in_the_end_are_lost() -> None:
    lost = labels_lost(pairs_of_items(WORKED))

    # minority labels: B of i1 (lost), A of i3 (stays), C of i3 (lost)
    assert (lost.details["count"], lost.n) == (2, 3)


def test_entropy_falls_when_views_grow_alike() -> None:
    alike = entropy_change(pairs_of_items({"i1": ("AB", "AA"), "i2": ("AB", "BB")}))
    apart = entropy_change(pairs_of_items({"i1": ("AA", "AB"), "i2": ("A", "A")}))

    half = np.log(2) / np.log(3)
    assert alike.value == pytest.approx(-half)
    assert (apart.value, apart.n, apart.dropped) == (pytest.approx(half), 1, {"item_with_one_label": 1})


def test_with_too_few_to_count_nothing_is_stated() -> None:
    report = minority_report(pairs_of_items(WORKED), fewest=10)

    for statistic in (
        report.minority_left,
        report.majority_left,
        report.difference,
        report.labels_lost,
        report.entropy_change,
    ):
        assert (statistic.value, statistic.status) == (None, "insufficient")
        assert "fewer than 10 to count" in statistic.reason


def test_without_annotations_every_part_has_its_reason() -> None:
    report = minority_report(pairs_from([], [], [], [], label_set=list(LABELS)))

    for statistic in (
        report.minority_left,
        report.majority_left,
        report.difference,
        report.labels_lost,
        report.entropy_change,
    ):
        assert statistic.value is None
        assert statistic.reason


label = st.sampled_from([*LABELS, None])
tables = st.lists(st.lists(st.tuples(label, label), min_size=1, max_size=6), min_size=1, max_size=5)


def table_of(drawn: list[list[tuple[str | None, str | None]]]):
    rows = [(f"i{item}", f"a{place}", *pair) for item, row in enumerate(drawn) for place, pair in enumerate(row)]
    items, people, initial, final = zip(*rows, strict=True)
    return pairs_from(items, people, initial, final, label_set=list(LABELS))


@given(tables)
def test_the_majority_of_others_is_what_counting_the_others_gives(
    drawn: list[list[tuple[str | None, str | None]]],
) -> None:
    found = majority_of_others(table_of(drawn)).tolist()

    expected = []
    for row in drawn:
        for place in range(len(row)):
            others = Counter(first for at, (first, _) in enumerate(row) if at != place and first is not None)
            most = [name for name, count in others.items() if count == max(others.values())]
            expected.append(LABELS.index(most[0]) if len(most) == 1 else MISSING)
    assert found == expected


@given(tables)
def test_renaming_labels_and_reordering_rows_change_nothing(drawn: list[list[tuple[str | None, str | None]]]) -> None:
    def values(table: list[list[tuple[str | None, str | None]]]) -> list[float | None]:
        report = minority_report(table_of(table))
        return [
            None if found.value is None else round(found.value, 9)
            for found in (
                report.minority_left,
                report.majority_left,
                report.difference,
                report.labels_lost,
                report.entropy_change,
            )
        ]

    other = {"A": "C", "B": "A", "C": "B", None: None}
    renamed = [[(other[first], other[last]) for first, last in row] for row in drawn]
    assert values(renamed) == values(drawn) == values([row[::-1] for row in drawn][::-1])
