"""The report as a page."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from crito.model.study import Study
from crito.report.methods import METHODS
from crito.report.study_page import render_report
from crito.report.wording import left_out
from crito.services.parts import Parts
from crito.services.reporting.study import ReportData, report_study
from crito.stats.statistic import Statistic
from tests.builders import words
from tests.report.crowd import crowd, crowd_study
from tests.services.recorded import NOON, STUDY, Left, RecordedStore, RecordedTx, make_study


def data_of(people: list[Left], said: Any, study: Study) -> ReportData:
    store: Any = RecordedStore(RecordedTx(people, said))
    parts = Parts(store, None, lambda: NOON + timedelta(days=1), lambda: 7, _editions={(STUDY, 1): study})  # type: ignore[arg-type]
    # In a thread of its own, since Playwright keeps an event loop running in this one.
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(lambda: asyncio.run(report_study(parts, STUDY))).result()


@pytest.fixture(scope="module")
def page() -> str:
    """The report on a crowd in which everything occurs."""
    return render_report(data_of(*crowd(), crowd_study()))


@pytest.mark.parametrize(
    ("dropped", "words"),
    [
        ({"item_with_one_label": 1}, "1 item with one label"),
        ({"item_with_one_label": 2, "not_sure": 1}, "2 items with one label, 1 not sure"),
        ({"item_without_eligible": 1}, "1 item without such a label"),
        ({"item_only_in_a": 1200}, "1,200 items only in the first"),
        ({"person_with_fewer_than_30_items": 1}, "1 person with fewer than 30 items"),
        ({"person_with_fewer_than_30_items": 3, "missing": 0}, "3 people with fewer than 30 items"),
    ],
)
def test_what_was_left_out_is_counted_in_words_that_fit_the_number(dropped: dict[str, int], words: str) -> None:
    assert left_out(Statistic("x", 0.5, 9, "m", dropped)) == words


def test_the_page_needs_nothing_from_elsewhere(page: str) -> None:
    tree = LexborHTMLParser(page)

    assert not tree.css("script[src], link, img, iframe, object")
    assert not re.search(r"(?:https?:)?//\w", page.replace("http://www.w3.org/2000/svg", ""))
    assert "url(" not in page


def test_every_question_mark_opens_a_method_that_is_also_printed(page: str) -> None:
    tree = LexborHTMLParser(page)

    asked = {node.text() for node in tree.css("details.how b")}
    assert asked == {method.title for method in METHODS.values()} - {
        METHODS[key].title
        for key in ("anchoring", "between", "blind", "cost", "handoff", "minutes_of_labels", "readings", "transcripts")
    }
    assert {node.text() for node in tree.css(".methods dt")} == asked


def test_routing_by_disagreement_and_exclusions_are_told_at_the_top(page: str) -> None:
    notes = " ".join(node.text() for node in LexborHTMLParser(page).css(".note"))

    assert "only_on_disagreement" in notes
    assert "Left out." in notes
    assert "Withdrawn." in notes


def test_each_condition_with_two_labellings_has_its_figures(page: str) -> None:
    labels = [node.attributes["aria-label"] or "" for node in LexborHTMLParser(page).css("svg.figure")]

    for task in ("Sarcasm", "Where people lived and died"):
        for condition in ("scripted", "modelled"):
            for what in ("labels", "confidence"):
                assert any(label.startswith(f"{task}, {condition}: {what} before and after") for label in labels)


def test_scripted_people_are_told_to_be_scripts() -> None:
    data = data_of([], {}, make_study())

    assert "Rehearsal." in render_report(replace(data, origins={"rehearsal": 3}))
    assert "Rehearsal." not in render_report(data)


def test_a_study_nobody_came_to_says_what_would_fill_the_page() -> None:
    page = render_report(data_of([], {}, make_study()))

    assert "Nobody has come yet" in page
    assert "cannot be told: no eligible annotations" in page


def test_words_of_a_study_are_escaped() -> None:
    evil = "<script>alert(1)</script>"
    study = make_study()
    task = replace(study.tasks[0], title=words(evil), question=words(evil))

    page = render_report(data_of([], {}, replace(study, title=words(evil), tasks=(task,))))

    assert "alert(1)" in page
    assert "<script>alert" not in page


def test_no_number_on_the_page_is_undefined_by_accident(page: str) -> None:
    text = LexborHTMLParser(page).body.text()  # type: ignore[union-attr]

    assert not re.search(r"\b(nan|None|inf)\b", text)
