"""The report of a table of labels."""

import re
from datetime import UTC, datetime

import pytest
from selectolax.lexbor import LexborHTMLParser

from crito.model.ids import ItemId
from crito.model.study import Item
from crito.report.methods import METHODS
from crito.report.table_page import render_table_report
from crito.services.given_labels import LabelTable
from crito.services.reporting.tables import report_tables
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
    (task,) = report_tables({"": two_rounds()}, "t", NOW).tasks

    (group,) = task.groups
    assert group.flips is not None
    assert (group.flips.flips, group.flips.eligible, group.flips.n_not_sure) == (1, 5, 1)
    assert group.accuracy is not None
    assert (group.accuracy.before.accuracy.value, group.accuracy.before.accuracy.n) == (0.5, 4)
    assert group.rounds[0].entropy.value == pytest.approx(0.5)
    assert dict(zip(group.item_map.items, group.item_map.entropy.tolist(), strict=True)) == {"i1": 1.0, "i2": 0.0}


def test_times_of_a_table_are_told_by_round_and_for_who_began_in_the_minority() -> None:
    given = [row._replace(seconds=60.0 * (1 + row.round)) for row in two_rounds().given]

    report = report_tables({"": LabelTable.of(given)}, "t", NOW)

    (group,) = report.tasks[0].groups
    minutes = [part.minutes for part in group.rounds]
    assert [(one.value, one.n) for one in minutes if one] == [(1, 6), (2, 6)]
    assert group.harm is not None
    assert group.harm.minutes is not None
    assert group.harm.messages is None
    assert "Minutes per label" in render_table_report(report)
    assert "Minutes per label" not in render_table_report(report_tables({"": two_rounds()}, "t", NOW))


def test_numbers_get_alpha_on_the_interval_scale() -> None:
    given = [
        make_given("i1", "a", "1"),
        make_given("i1", "b", "2"),
        make_given("i2", "a", "10"),
        make_given("i2", "b", "10"),
    ]

    (task,) = report_tables({"": make_labels(*given)}, "t", NOW).tasks

    assert list(task.labels) == ["1", "2", "10"]
    assert "Krippendorff's alpha, interval" in task.groups[0].rounds[0].agreement


def test_the_page_stands_alone_escapes_words_and_explains_itself() -> None:
    page = render_table_report(report_tables({"": two_rounds()}, "<i>t</i>.csv", NOW, ["drafts are left out"]))

    tree = LexborHTMLParser(page)
    assert not tree.css("script[src], link, img, iframe, object, main i, main td span b")
    assert not re.search(r"(?:https?:)?//\w", page.replace("http://www.w3.org/2000/svg", ""))
    assert {node.text() for node in tree.css("details.how b")} <= {method.title for method in METHODS.values()}
    assert tree.css("figure svg.figure")
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
    text = LexborHTMLParser(render_table_report(report_tables({"": table}, "t.csv", NOW))).body.text()  # type: ignore[union-attr]

    assert not re.search(r"\b(nan|inf)\b", text)


def test_groups_that_name_their_labels_differently_are_told_so() -> None:
    one, other = make_labels(make_given("i1", "a", "yes")), make_labels(make_given("i1", "b", "ja"))

    assert "no label of task" in report_tables({"one": one, "other": other}, "t", NOW).remarks[0]
    assert report_tables({"one": one, "other": one}, "t", NOW).remarks == ()
