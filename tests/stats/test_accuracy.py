import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crito.stats.accuracy import accuracy_change, confusion, confusion_from_counts, macro_f1
from crito.stats.ratings import pairs_from, ratings_from

LABELS = ["expressed", "not expressed"]


@pytest.mark.parametrize(
    ("cells", "accuracy", "fp_share", "fpr", "fnr"),
    [
        ((18, 8, 25, 20), 0.535211, 0.352113, 0.555556, 0.307692),
        ((17, 9, 16, 29), 0.647887, 0.225352, 0.355556, 0.346154),
        ((234, 24, 506, 239), 0.471585, 0.504487, 0.679195, 0.093023),
        ((242, 16, 497, 248), 0.488534, 0.495513, 0.667114, 0.062016),
    ],
)
def test_accuracy_and_error_rates_come_from_counts(
    cells: tuple[int, int, int, int], accuracy: float, fp_share: float, fpr: float, fnr: float
) -> None:
    tp, fn, fp, tn = cells

    found = confusion_from_counts(LABELS, [[tp, fn], [fp, tn]])
    rates = found.error_rates("expressed")

    assert found.accuracy.value == pytest.approx(accuracy, abs=1e-6)
    assert [rates.fp_share.value, rates.fpr.value, rates.fnr.value] == pytest.approx([fp_share, fpr, fnr], abs=1e-6)
    assert rates.fn_share.value == pytest.approx(fn / sum(cells))


def test_rates_of_an_empty_reference_class_are_undefined() -> None:
    rates = confusion_from_counts(LABELS, [[0, 0], [2, 3]]).error_rates("expressed")

    assert rates.fnr.status == "undefined"
    assert rates.fpr.value == pytest.approx(0.4)


def test_confusion_keeps_not_sure_in_a_column_of_its_own() -> None:
    ratings = ratings_from(
        ["i", "i", "j", "j", "k", "k"], ["a", "b", "a", "b", "a", "b"], ["x", "not_sure", "y", None, "x", "x"],
        label_set=["x", "y"],
    )  # fmt: skip

    found = confusion(ratings, {"i": "x", "j": "x"})

    assert found.counts.tolist() == [[1, 1], [0, 0]]
    assert found.not_sure.tolist() == [1, 0]
    assert (found.accuracy.value, found.accuracy.dropped) == (0.5, {"missing": 1, "not_sure": 1, "no_gold": 2})
    assert found.accuracy_not_sure_wrong.value == pytest.approx(1 / 3)
    assert found.coverage.value == 0.5


def test_accuracy_without_reference_labels_is_undefined() -> None:
    assert confusion(ratings_from(["i"], ["a"], ["x"]), {}).accuracy.status == "undefined"


def test_accuracy_change_is_tested_on_the_same_annotations() -> None:
    pairs = pairs_from(list("ijkl"), list("aaaa"), list("xyyx"), list("xxyy"), label_set=["x", "y"])

    found = accuracy_change(pairs, {"i": "x", "j": "x", "k": "x"})

    assert found.value == pytest.approx(1 / 3)
    assert (found.details["b"], found.details["c"], found.n) == (0, 1, 3)
    assert found.dropped == {"no_gold": 1}


def test_a_confusion_table_of_another_shape_is_refused() -> None:
    with pytest.raises(ValueError, match="confusion_from_counts"):
        confusion_from_counts(LABELS, [[1, 2, 3]])


def test_items_that_come_back_are_resampled_for_a_change_of_accuracy() -> None:
    pairs = pairs_from(list("iijjkk"), list("ababab"), list("xyxyyy"), list("xxxyxy"), label_set=["x", "y"])

    found = accuracy_change(pairs, {"i": "x", "j": "x", "k": "x"}).cluster_interval

    assert found is not None
    assert "items" in found.method


def test_macro_f1_weighs_each_label_alike_whatever_its_size() -> None:
    gold = ["a", "a", "a", "a", "b", "b", "c"]
    said = ["a", "a", "b", "a", "b", "a", "a"]

    found = macro_f1(said, gold)

    # a: 3 of 5 given and of 4 asked, so 6/9; b: 1 of 2 and of 2, so 1/2; c: none, so 0
    assert found.value == pytest.approx((6 / 9 + 1 / 2 + 0) / 3)
    assert found.n == 7
    assert found.cluster_interval is not None
    assert found.cluster_interval.low < found.value < found.cluster_interval.high


def test_a_label_that_did_not_come_misses_its_reference_and_is_no_false_alarm() -> None:
    assert macro_f1([None, "b"], ["a", "b"]).value == pytest.approx((0 + 1) / 2)
    assert macro_f1(["a", None], ["a", "a"]).value == pytest.approx(2 / 3)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=30))
def test_macro_f1_does_not_depend_on_names_or_order_and_is_1_when_all_are_right(pairs: list[tuple[str, str]]) -> None:
    said, wanted = [a for a, _ in pairs], [b for _, b in pairs]
    renamed = {"a": "z", "b": "y", "c": "x"}

    value = macro_f1(said, wanted).value

    assert value == pytest.approx(macro_f1(said[::-1], wanted[::-1]).value)
    assert value == pytest.approx(macro_f1([renamed[a] for a in said], [renamed[b] for b in wanted]).value)
    assert macro_f1(wanted, wanted).value == 1


def test_macro_f1_of_nothing_is_undefined() -> None:
    assert macro_f1([], []).status == "undefined"
