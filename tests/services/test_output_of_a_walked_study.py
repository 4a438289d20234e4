"""Export and report of a study that people walked through, over both databases."""

import csv
import json
from pathlib import Path

import pytest
from openpyxl import load_workbook  # type: ignore[import-untyped]

from crito.formats.cells import unguard
from crito.formats.exporters import EXPORTERS
from crito.report.study_page import render_report
from crito.services import dialogue, participation
from crito.services.exporting import export_study
from crito.services.parts import Parts
from crito.services.publishing import publish
from crito.services.reporting.study import report_study
from crito.store.verify import verify
from tests.builders import make_study, make_task
from tests.services.walking import NAME, enrol, walk


@pytest.fixture
async def walked(parts: Parts) -> Parts:
    """One who finished, one who stopped after the first labels, one who finished and took it all back, one inattentive."""
    await publish(parts, make_study(tasks=(make_task("sarcasm", 3), make_task("relation", 3)), attention_allowed=0))
    await walk(parts, await enrol(parts, "pid-done"))
    await walk(parts, await enrol(parts, "pid-stopped"), until="ConfirmPage")
    regretful = await enrol(parts, "pid-withdrawn")
    await walk(parts, regretful)
    await participation.withdraw(parts, regretful)
    await walk(parts, await enrol(parts, "pid-inattentive"), answers={"q_colour": "red"})
    return parts


def rows_of(folder: Path, table: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / f"{table}.jsonl").read_text(encoding="utf-8").splitlines()]


async def test_what_people_left_comes_out(walked: Parts, tmp_path: Path) -> None:
    summary = await export_study(walked, NAME, EXPORTERS["jsonl"], tmp_path)

    people = {row["ending"]: row for row in rows_of(tmp_path, "people")}
    assert set(people) == {"done", None, "attention_failed"}
    annotations = rows_of(tmp_path, "annotations")
    by_person = {
        ending: sorted((row["round"], row["state"], row["blind"]) for row in annotations if row["annotator"] == person["annotator"])
        for ending, person in people.items()
    }  # fmt: skip
    assert by_person["done"] == [(0, "labelled", True)] * 2 + [(1, "labelled", False)] * 2
    assert [row[:2] for row in by_person[None]] == [(0, "labelled")] * 2 + [(1, "missing")] * 2
    assert {row["excluded_by_default"] for row in annotations if row["ending"] == "attention_failed"} == {True}
    assert summary.n_withdrawn == 1
    written = "".join((tmp_path / file.name).read_text(encoding="utf-8") for file in summary.files)
    assert "pid-" not in written


async def test_the_dialogue_comes_out_as_it_was_shown(walked: Parts, tmp_path: Path) -> None:
    await export_study(walked, NAME, EXPORTERS["jsonl"], tmp_path)

    turns = rows_of(tmp_path, "turns")
    partner = [row for row in turns if row["speaker"] == "partner"]
    assert {(row["shown"], row["kind"]) for row in partner} == {("shown", "fixed"), ("shown", "script")}
    assert all(row["shown_text"] for row in partner)
    assert {row["shown"] for row in turns if row["speaker"] == "person"} == {"own"}


FORMULAS = (
    '=HYPERLINK("http://x.example")',
    "+1+1",
    "-2+3",
    "@SUM(A1)",
    "\t=1",
    "＝1+1",
    "'=1",
    'plain, "quoted"\nwords',
)


@pytest.mark.parametrize("name", ["csv", "csv-bom", "tsv", "excel"])
async def test_what_people_write_never_runs_in_a_spreadsheet_and_reads_back_as_they_wrote_it(
    parts: Parts, tmp_path: Path, name: str
) -> None:
    await publish(parts, make_study(tasks=(make_task("sarcasm", 9),), ask_rationale=True))
    for number, words in enumerate(FORMULAS):
        person = await enrol(parts, f"pid-{number}")
        await walk(parts, person, until="AnnotatePage")
        await walk(parts, person, until="ConfirmPage", answers={"rationale": words})
        talk = await walk(parts, person, until="TalkPage")
        await dialogue.send_message(parts, person, talk.talk.message_form, words)  # type: ignore[union-attr]

    await export_study(parts, NAME, EXPORTERS[name], tmp_path)

    kept = {words.strip() for words in FORMULAS}
    for table, column in (("annotations", "rationale"), ("turns", "text")):
        cells = column_of(tmp_path, table, column)
        assert kept <= {text for text, _ in cells}, (table, cells)
        assert not [text for text, runs in cells if runs]


def column_of(folder: Path, table: str, column: str) -> list[tuple[str, bool]]:
    """The texts of one column by the field's own readers, each with whether a spreadsheet would run it."""
    (path,) = folder.glob(f"{table}.*")
    if path.suffix == ".xlsx":
        header, *rows = load_workbook(path).active.iter_rows()
        place = [cell.value for cell in header].index(column)
        return [(str(row[place].value), row[place].data_type == "f") for row in rows if row[place].value is not None]
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t" if path.suffix == ".tsv" else ",")
        return [(unguard(row[column]), row[column][:1] in "=+-@\t\r＝＋－＠") for row in rows if row[column]]


async def test_every_written_table_is_recorded_with_its_count(walked: Parts, tmp_path: Path) -> None:
    summaries = [await export_study(walked, NAME, EXPORTERS[name], tmp_path / name) for name in EXPORTERS]

    kept = await walked.store.read(lambda tx: tx.exports(NAME))
    assert [(k.table, k.rows, k.sha256) for k in kept] == [
        (f.table, f.rows, f.sha256) for summary in summaries for f in summary.files if f.table
    ]


async def test_an_export_holds_as_many_rows_as_the_record_by_a_count_of_its_own(
    walked: Parts, record_url: str, tmp_path: Path
) -> None:
    await export_study(walked, NAME, EXPORTERS["csv"], tmp_path)

    (check,) = (check for check in verify(record_url, NAME) if check.name == "exports match")
    assert (check.problems, check.figures) == ((), {"files": 16, "unchanged": 16, "moved or deleted": 0})


async def test_the_report_counts_those_who_came_and_the_labels_of_those_who_stayed(walked: Parts) -> None:
    report = await report_study(walked, NAME)

    assert report.sample.endings == {"done": 1, "active": 1, "withdrawn": 1, "attention_failed": 1}
    assert report.sample.reached[""]["came"] == 4
    (group,) = report.tasks[0].groups
    assert group.flips is not None
    assert (group.flips.eligible, group.flips.flips, group.flips.n_missing) == (1, 1, 1)
    assert report.partners[0].dialogues == 2
    assert "<h1>Kettles</h1>" in render_report(report)
