"""Small tables of labels for tests of the formats."""

from typing import Any

from crito.model.ids import ItemId, TaskName
from crito.model.study import Item
from crito.services.given_labels import GivenLabel, LabelTable

TASK = TaskName("sarcasm")


def make_given(item: str, annotator: str, label: str | None = "yes", **more: Any) -> GivenLabel:
    return GivenLabel(more.pop("task", TASK), ItemId(item), annotator, label=label, **more)


def make_labels(*given: GivenLabel, **more: Any) -> LabelTable:
    return LabelTable.of(given, **more)


def every_state() -> LabelTable:
    """Two rounds, two kinds of annotators, all states, an item that nobody labelled."""
    given = [
        make_given("i1", "ana", "yes", confidence=0.5, rationale='She said "great"\nand meant it,\tno?'),
        make_given("i1", "bob", "no"),
        make_given("i1", "cy", None, state="not_sure", rationale="Could be both."),
        make_given("i1", "dee", None, state="skipped"),
        make_given("i1", "eve", None, state="unseen"),
        make_given("i1", "fay", None, state="missing"),
        make_given("i2", "ana", "no", confidence=1.0),
        make_given("i2", "gpt", "yes", kind="model"),
        make_given("i2", "gpt-mini", None, state="abstained", kind="model"),
        make_given("i1", "ana", "no", round=1),
        make_given("i1", "bob", None, round=1, state="not_sure"),
        make_given("i1", "ana", "NA", task=TaskName("relation/2")),
        make_given("i1", "bob", "None", task=TaskName("relation/2")),
        make_given("i1", "cy", "null", task=TaskName("relation/2")),
    ]
    items = {
        (TASK, ItemId("i1")): Item(ItemId("i1"), "Great, rain.\r\nAgain; \u2028 =1+1", {"Before": "It rains."}, "yes"),
        (TASK, ItemId("i2")): Item(ItemId("i2"), "雨だ。"),
        (TASK, ItemId("i3")): Item(ItemId("i3"), "Nobody saw this one."),
    }
    return LabelTable.of(given, items, {TASK: ("yes", "no", "perhaps")}, ("en",))
