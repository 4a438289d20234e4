import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crito.stats.flips import compare_flips, compare_item_flips, flips, flips_toward, item_flips, majority_of_others
from crito.stats.ratings import MISSING, Pairs, pairs_from, reference_codes
from crito.stats.statistic import as_json
from tests.stats.tables import deliberated_pairs, pairs_of

SIDES = st.sampled_from(["x", "y", "z", "not_sure", None])
ROWS = st.lists(st.tuples(st.sampled_from("ijk"), SIDES, SIDES), max_size=30)


def pairs_of_rows(rows: list[tuple[str, str | None, str | None]]) -> Pairs:
    return pairs_from(
        [row[0] for row in rows], [f"a{place}" for place in range(len(rows))],
        [row[1] for row in rows], [row[2] for row in rows], label_set=["x", "y", "z"],
    )  # fmt: skip


def test_flips_by_annotation_leave_not_sure_and_missing_out_and_count_them() -> None:
    found = flips(deliberated_pairs())

    assert (found.eligible, found.flips, found.n_not_sure, found.n_missing) == (10, 4, 3, 1)
    assert found.rate.value == pytest.approx(0.4)
    assert found.directions.count("S", "N") == 2
    assert found.directions.count("N", "S") == 2


def test_flips_by_item_leave_out_items_where_nothing_is_eligible() -> None:
    found = item_flips(deliberated_pairs())

    assert found.items == ("d1", "d2", "d3")
    assert found.rates == pytest.approx([1 / 3, 1 / 2, 2 / 5])
    assert found.mean().value == pytest.approx(0.411111, abs=1e-6)
    assert found.mean().dropped == {"item_without_eligible": 1}


def test_a_final_not_sure_may_count_as_a_label_that_was_kept() -> None:
    found = item_flips(deliberated_pairs(), not_sure="kept")

    assert found.items == ("d1", "d2", "d3", "d4")
    assert found.counted.tolist() == [4, 2, 6, 1]


def test_flip_rate_without_eligible_annotations_is_undefined() -> None:
    found = flips(pairs_of(["x"], [None], label_set=["x"]))

    assert found.rate.status == "undefined"
    assert found.rate.value is None
    assert found.rate.dropped == {"missing": 1}


def test_items_are_resampled_where_they_have_several_annotations() -> None:
    found = flips(deliberated_pairs(), seed=5).rate

    assert found.cluster_interval is not None
    assert "seed 5" in found.cluster_interval.method
    assert flips(pairs_of(["x", "y"], ["x", "x"])).rate.cluster_interval is None


def test_a_direction_is_a_share_of_all_eligible_annotations() -> None:
    assert flips(deliberated_pairs()).direction("S", "N").value == pytest.approx(0.2)


def test_item_flips_are_compared_on_shared_items_only() -> None:
    a = item_flips(pairs_of_rows([("i", "x", "y"), ("j", "x", "x")]))
    b = item_flips(pairs_of_rows([("j", "x", "y"), ("k", "x", "x")]))

    found = compare_item_flips(a, b)

    assert found.value == pytest.approx(-1.0)
    assert found.n == 1
    assert found.dropped == {"item_only_in_a": 1, "item_only_in_b": 1}


def test_item_flips_without_a_shared_item_are_not_compared() -> None:
    a, b = item_flips(pairs_of_rows([("i", "x", "y")])), item_flips(pairs_of_rows([("j", "x", "y")]))

    assert compare_item_flips(a, b).status == "undefined"


def test_flips_toward_a_target_count_only_who_could_move() -> None:
    pairs = pairs_from(list("ijkl"), list("abcd"), list("xxyy"), list("yxyx"), label_set=["x", "y"])
    gold = reference_codes(pairs.items, pairs.labels, {"i": "y", "j": "y", "k": "y"})

    found = flips_toward(pairs, gold[pairs.item], "gold")

    assert (found.to.value, found.to.n) == (0.5, 2)
    assert (found.away.value, found.away.n) == (0.0, 1)
    assert found.to.dropped == {"no_target": 1}


def test_flips_toward_a_target_nobody_was_away_from_are_undefined() -> None:
    pairs = pairs_of(["x"], ["x"], label_set=["x", "y"])

    assert flips_toward(pairs, np.array([0]), "gold").to.status == "undefined"


def test_the_majority_of_the_others_leaves_the_annotator_out_and_has_no_tie_winner() -> None:
    pairs = pairs_from(list("iiijj"), list("abcde"), list("xxyxy"), list("xxyxy"))

    assert majority_of_others(pairs).tolist() == [MISSING, MISSING, 0, 1, 0]


@given(ROWS)
def test_eligible_and_dropped_add_up_to_all_rows(rows: list[tuple[str, str | None, str | None]]) -> None:
    found = flips(pairs_of_rows(rows))

    assert found.eligible + found.rate.n_dropped == len(rows)
    assert found.directions.n == found.eligible


@given(ROWS, st.randoms(use_true_random=False))
def test_flips_do_not_depend_on_the_order_of_rows(rows: list[tuple[str, str | None, str | None]], random) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)

    before, after = pairs_of_rows(rows), pairs_of_rows(shuffled)

    assert flips(before).rate.value == flips(after).rate.value
    assert item_flips(before).mean().value == pytest.approx(item_flips(after).mean().value)


@given(ROWS)
def test_flips_do_not_depend_on_the_names_of_labels(rows: list[tuple[str, str | None, str | None]]) -> None:
    other = {"x": "z", "y": "x", "z": "y"}
    renamed = [(item, other.get(first, first), other.get(last, last)) for item, first, last in rows]

    assert flips(pairs_of_rows(rows)).rate.value == flips(pairs_of_rows(renamed)).rate.value


def test_persons_are_resampled_where_only_they_come_back() -> None:
    pairs = pairs_from(list("ijklmn"), list("aabbcc"), list("xxxxxx"), list("xyyyxx"), label_set=["x", "y"])

    found = flips(pairs).rate.cluster_interval

    assert found is not None
    assert "persons" in found.method


def test_items_of_both_conditions_are_resampled_together() -> None:
    steady = pairs_from(list("ijkl"), list("abcd"), list("xxxx"), list("yyxx"), label_set=["x", "y"])
    as_steady = pairs_from(list("ijkl"), list("efgh"), list("xxxx"), list("yxxx"), label_set=["x", "y"])
    elsewhere = pairs_from(list("mnop"), list("efgh"), list("xxxx"), list("yxxx"), label_set=["x", "y"])

    together = compare_flips(flips(steady), flips(as_steady)).cluster_interval
    apart = compare_flips(flips(steady), flips(elsewhere)).cluster_interval

    assert apart is None
    assert together is not None
    # only one of the four items differs between the conditions, so a resampled difference is never below 0
    assert together.low == 0


def test_the_json_of_flips_leaves_the_rows_out() -> None:
    assert "pairs" not in as_json(flips(deliberated_pairs()))
