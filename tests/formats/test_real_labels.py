"""Published data sets are read, and go through the formats without loss."""

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from crito.formats.label_files import LABEL_FORMATS, read_labels, write_labels
from crito.formats.table_files import ReadTable, TableOptions, read_table
from crito.report.table_page import render_table_report
from crito.services.given_labels import LabelTable
from crito.services.reporting.tables import grouped, report_tables
from tests.data_sets import DATA

pytestmark = [
    pytest.mark.real_data,
    pytest.mark.skipif(not DATA.exists(), reason=f"no data in {DATA}; set CRITO_DATA to the folder of data sets"),
]

LABELLED: dict[str, tuple[int, dict[str, Any]]] = {
    "alttest_cebab_aspects": (2416, {}),
    "alttest_cebab_stars": (1315, {}),
    "alttest_wax": (876, {}),
    "chatgpt_advice": (3400, {}),
    "convabuse": (2000, {}),
    "conversational_sarcasm": (3186, {}),
    "convincing_arguments": (5989, {"repeats": "apart"}),
    "crowd_deliberation": (5007, {"columns": {"annotator": "label_id"}, "not_sure": frozenset({"irresolvable"})}),
    "delidata": (1780, {}),
    "label_suggestions_de": (1958, {}),
    "microtalk_relation": (2244, {"repeats": "apart"}),
    "multipico_irony": (7097, {}),
    "popquorn_offensiveness": (4362, {}),
    "varierr_nli": (1249, {"repeats": "apart"}),
}
ITEMS_ONLY = ["coda19_segments", "cuad_clauses", "fomc_hawkish_dovish", "legalbench_small", "refind_sample"]
PERSPECTIVIST = [
    "convabuse", "conversational_sarcasm", "multipico_irony", "popquorn_offensiveness", "varierr_nli", "alttest_cebab_stars",
]  # fmt: skip


NOW = datetime(2026, 3, 1, tzinfo=UTC)


def text_of(page: str) -> str:
    body = LexborHTMLParser(page).body
    assert body is not None
    return body.text()


def read(name: str) -> ReadTable:
    folder = DATA / name
    return read_table(folder / "annotations.jsonl", TableOptions(**LABELLED[name][1]), items=folder / "items.jsonl")


@pytest.mark.parametrize("name", LABELLED)
def test_every_data_set_with_labels_is_read(name: str) -> None:
    assert len(read(name).table.given) == LABELLED[name][0]


@pytest.mark.parametrize("name", LABELLED)
def test_every_data_set_with_labels_gets_a_report(name: str) -> None:
    page = render_table_report(report_tables({"": read(name).table}, name, NOW))

    assert "How the numbers are worked out" in page
    assert not re.search(r"\b(nan|inf)\b", text_of(page))


SIDE_BY_SIDE: dict[str, tuple[str, str, int]] = {
    "crowd_deliberation": ("study_part", "", 2),
    "label_suggestions_de": ("group", "", 3),
    "chatgpt_advice": ("rationale_shown", "", 2),
    "multipico_irony": ("gender", "annotators.jsonl", 2),
    "popquorn_offensiveness": ("gender", "annotators.jsonl", 2),
}


@pytest.mark.parametrize("name", SIDE_BY_SIDE)
def test_groups_of_a_data_set_stand_side_by_side(name: str) -> None:
    by, people, at_least = SIDE_BY_SIDE[name]
    folder = DATA / name
    options = TableOptions(**LABELLED[name][1], by=by)
    found = read_table(
        folder / "annotations.jsonl", options, items=folder / "items.jsonl", people=folder / people if people else None
    )
    report = report_tables(grouped(found.table, found.groups), name, NOW)

    assert len(report.groups) >= at_least
    assert sum(len(table.given) for table in grouped(found.table, found.groups).values()) == LABELLED[name][0]
    text = text_of(render_table_report(report))
    assert not re.search(r"\b(nan|inf)\b", text)
    assert "Compared" in text or "Do groups of annotators see the same items differently?" in text


@pytest.mark.parametrize("name", ["alttest_cebab_aspects", "alttest_cebab_stars", "alttest_wax"])
def test_people_stand_beside_the_models_that_labelled_the_same_items(name: str) -> None:
    models = read_table(DATA / name / "llm_annotations.jsonl", items=DATA / name / "items.jsonl").table
    report = report_tables({"people": read(name).table, "models": models}, name, NOW)

    assert [group.name for group in report.tasks[0].groups] == ["people", "models"]
    assert report.tasks[0].between
    assert not re.search(r"\b(nan|inf)\b", text_of(render_table_report(report)))


@pytest.mark.parametrize("name", ITEMS_ONLY)
def test_every_data_set_of_items_is_read(name: str) -> None:
    table = read_table(DATA / name / "items.jsonl").table

    assert any(item.gold for item in table.items.values())
    assert "with a reference label" in text_of(render_table_report(report_tables({"": table}, name, NOW)))


def test_labels_by_models_alone_get_a_report() -> None:
    found = read_table(
        DATA / "fomc_hawkish_dovish" / "llm_annotations.jsonl", TableOptions(repeats="apart"),
        items=DATA / "fomc_hawkish_dovish" / "items.jsonl",
    )  # fmt: skip

    page = render_table_report(report_tables({"": found.table}, "fomc", NOW, found.remarks))

    assert "Against the reference labels" in page


def test_labels_by_models_are_known_as_such() -> None:
    read = read_table(DATA / "fomc_hawkish_dovish" / "llm_annotations.jsonl", TableOptions(repeats="apart"))

    assert {row.kind for row in read.table.given} == {"model"}


@pytest.mark.parametrize("name", PERSPECTIVIST)
@pytest.mark.parametrize("form", ["lewidi-2025", "crowd-kit"])
def test_perspectivist_data_sets_lose_nothing(name: str, form: str, tmp_path: Path) -> None:
    table = read(name).table

    back = LabelTable.of(())
    for file in write_labels(table, LABEL_FORMATS[form], tmp_path):
        back = back.merged(read_labels(tmp_path / file.name, LABEL_FORMATS[form]).table())

    assert {(row.item, row.annotator, row.round, row.label) for row in back.given} == {
        (row.item, row.annotator, row.round, row.label) for row in table.given
    }
