"""A table of recorded labels as evidence."""

import pytest

from crito.evidence.comparisons import evidence
from crito.model.errors import InvalidInput
from crito.model.ids import ItemId, TaskName
from crito.model.study import Item
from crito.services.given_labels import GivenLabel, LabelTable
from crito.services.table_evidence import SUGGESTION, TableDesign, machines, table_evidence

TASK = TaskName("mood")


def given(item: int, annotator: str, label: str, **more: object) -> GivenLabel:
    return GivenLabel(TASK, ItemId(f"i{item}"), annotator, label=label, **more)  # type: ignore[arg-type]


def make_table(n_items: int = 10, *, visible: bool | None = False) -> LabelTable:
    """Ana and Ben agree on everything; the machine says the same of all items but the first."""
    people = [given(i, who, "good", visible=visible) for i in range(n_items) for who in ("ana", "ben")]
    machine = [given(i, "m", "bad" if i == 0 else "good", kind="model") for i in range(n_items)]
    return LabelTable.of([*people, *machine], {(TASK, ItemId("i0")): Item(ItemId("i0"), "", gold="bad")})


def test_the_share_that_was_asked_for_is_drawn_and_nothing_else_counts() -> None:
    rows = table_evidence(make_table(), "t", TASK, "m", TableDesign(blind_rate=0.25))

    found = evidence(rows.comparisons)

    assert len({one.item for one in found.counted}) == 3
    assert {one.inclusion for one in found.counted} == {0.3}
    assert found.dropped == {"not_drawn": 14}


def test_the_same_seed_draws_the_same_sample_and_another_one_another() -> None:
    def drawn(seed: str) -> list[str]:
        rows = table_evidence(make_table(40), "t", TASK, "m", TableDesign(seed=seed))
        return [one.item for one in evidence(rows.comparisons).counted]

    assert drawn("1") == drawn("1")
    assert drawn("1") != drawn("2")


def test_labels_of_which_nothing_is_known_are_refused_until_they_are_declared_blind() -> None:
    table = make_table(visible=None)

    with pytest.raises(InvalidInput, match="does not say whether people saw"):
        table_evidence(table, "t", TASK, "m", TableDesign())

    assert table_evidence(table, "t", TASK, "m", TableDesign(assume_blind=True)).comparisons


def test_labels_given_with_the_suggestion_in_view_are_on_the_visible_side_only() -> None:
    rows = table_evidence(make_table(visible=True), "t", TASK, "m", TableDesign(blind_rate=1.0))

    assert evidence(rows.comparisons).dropped == {"exposed": 20}
    assert rows.answers == ()


def test_reference_labels_may_be_the_measure() -> None:
    rows = table_evidence(make_table(), "t", TASK, "m", TableDesign(reference="gold", blind_rate=1.0))

    assert [(one.annotator, one.answer, one.agrees) for one in rows.comparisons] == [("gold", "bad", True)]


def test_a_tie_of_people_agrees_with_nobody() -> None:
    tied = LabelTable.of([
        given(0, "ana", "good", visible=False), given(0, "ben", "bad", visible=False), given(0, "m", "good", kind="model"),
    ])  # fmt: skip

    rows = table_evidence(tied, "t", TASK, "m", TableDesign(reference="majority", blind_rate=1.0))

    assert [(one.answer, one.agrees) for one in rows.comparisons] == [("not_sure", False)]


def test_a_machine_that_labelled_nothing_is_named_with_those_that_did() -> None:
    with pytest.raises(InvalidInput, match="the machines of this table are m"):
        table_evidence(make_table(), "t", TASK, "other", TableDesign())


def test_suggestions_beside_labels_are_a_machine() -> None:
    table = LabelTable.of([
        given(0, "ana", "good", visible=False), given(0, "ana", "bad", round=1, visible=True, suggestion="bad"),
        given(1, "ana", "good", round=1, visible=True, suggestion="bad"),
        given(1, "ben", "good", round=1, visible=True, suggestion="good"),
    ])  # fmt: skip

    rows = table_evidence(table, "t", TASK, SUGGESTION, TableDesign(blind_rate=1.0))

    assert machines(table, TASK) == (SUGGESTION,)
    # on the other item people were shown different suggestions
    assert rows.machine_labels == {"i0": "bad"}
    assert [(one.blind, one.agrees) for one in rows.comparisons] == [(True, False), (False, True)]
