"""The report of a table of labels."""

import re
from datetime import UTC, datetime

import pytest
from selectolax.lexbor import LexborHTMLParser

from crito.model.ids import ItemId
from crito.model.study import Item
from crito.report.table_page import TABLE_METHODS, render_table_report
from crito.services.given_labels import LabelTable
from crito.services.table_reporting import report_table
from tests.formats.label_rows import TASK, every_state, make_given, make_labels

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def two_rounds() -> LabelTable:
    """Three people, two items; cy flips to the reference label, and dee is not sure in the end."""
    given = [
        make_given("i1", "ana", "yes"), make_given("i1", "bob", "yes"), make_given("i1", "cy", "no"),
        make_given("i1", "dee", "no"), make_given("i2", "ana", "no"), make_given("i2", "bob", "no"),
        make_given("i1", "ana", "yes", round=1), make_given("i1", "bob", "yes", round=1),
        make_given("i1", "cy", "yes", round=1), make_given("i1", "dee", None, state="not_sure", round=1),
        make_given("i2", "ana", "no", round=1), make_given("i2", "bob", "no", round=1),
    ]  # fmt: skip
    gold = {(TASK, ItemId("i1")): Item(ItemId("i1"), "<b>Great</b>", gold="yes")}
    return LabelTable.of(given, gold)


def test_flips_accuracy_and_entropy_are_those_counted_by_hand() -> None:
    (task,) = report_table(two_rounds(), "t", NOW).tasks

    first = task.rounds[0]
    assert task.flips is not None
    assert (task.flips.flips.flips, task.flips.flips.eligible, task.flips.flips.n_not_sure) == (1, 5, 1)
    assert first.accuracy is not None
    assert (first.accuracy.value, first.accuracy.n) == (0.5, 4)
    assert first.entropy.value == pytest.approx(0.5)
    assert [(divided.item.id, divided.entropy) for divided in first.divided] == [("i1", 1.0)]
    assert task.flips.toward_gold is not None
    assert (task.flips.toward_gold.value, task.flips.toward_gold.n) == (1.0, 1)


def test_numbers_get_alpha_on_the_interval_scale() -> None:
    given = [
        make_given("i1", "a", "1"),
        make_given("i1", "b", "2"),
        make_given("i2", "a", "10"),
        make_given("i2", "b", "10"),
    ]

    (task,) = report_table(make_labels(*given), "t", NOW).tasks

    assert task.labels == ("1", "2", "10")
    assert "Krippendorff's alpha, interval" in task.rounds[0].agreement


def test_the_page_stands_alone_escapes_words_and_explains_itself() -> None:
    page = render_table_report(report_table(two_rounds(), "<i>t</i>.csv", NOW, ["drafts are left out"]))

    tree = LexborHTMLParser(page)
    assert not tree.css("script, link, img, iframe, object, main i, main td b")
    assert not re.search(r"(?:https?:)?//\w", page)
    assert {node.text() for node in tree.css("details.how b")} <= {method.title for method in TABLE_METHODS.values()}
    assert len(tree.css("svg.figure")) == 1
    assert "drafts are left out" in page


@pytest.mark.parametrize(
    "table",
    [
        every_state(),
        make_labels(),
        make_labels(make_given("i1", "ana")),
        make_labels(make_given("i1", "ana", None, state="missing"), make_given("i1", "bob", None, state="skipped")),
        make_labels(make_given("i1", "ana"), make_given("i2", "bob")),
        LabelTable.of((), {(TASK, ItemId("i1")): Item(ItemId("i1"), "Alone.", gold="yes")}),
        make_labels(make_given("i1", "ana"), make_given("i1", "bob", round=1)),
    ],
    ids=["every state", "nothing", "one label", "no label", "no overlap", "items only", "nobody twice"],
)
def test_what_cannot_be_told_is_said_and_never_shown_as_a_number(table: LabelTable) -> None:
    text = LexborHTMLParser(render_table_report(report_table(table, "t.csv", NOW))).body.text()  # type: ignore[union-attr]

    assert not re.search(r"\b(nan|inf)\b", text)
