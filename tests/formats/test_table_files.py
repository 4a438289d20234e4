"""Tables as people keep them: read right, or refused with row and column."""

import json
from pathlib import Path
from typing import Any

import pytest

from crito.formats.csv_file import CsvFormat
from crito.formats.exporters import EXPORTERS
from crito.formats.table_files import TableOptions, read_table
from crito.model.errors import InvalidInput
from crito.services.exporting import export_study
from tests.services.recorded import STUDY, Left, RecordedTx, make_annotation, make_assignment, make_study
from tests.services.test_exporting import parts_over


def labels(read: Any) -> list[tuple[Any, ...]]:
    return [(row.item, row.annotator, row.round, row.state, row.label) for row in read.table.given]


def write(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(
    "content",
    [
        "item,annotator,label\r\ni1,ana,NA\r\ni1,bob,None\r\ni1,cy,null\r\n",
        "item;annotator;label\ni1;ana;NA\ni1;bob;None\ni1;cy;null\n",
        "\ufeffitem,annotator,label\ni1,ana,NA\ni1,bob,None\ni1,cy,null\n",
        "task,worker,label\ni1,ana,NA\ni1,bob,None\ni1,cy,null\n",
        "item,annotator,label\ni1,ana,NA\ni1,bob,None\ni1,cy,null\n".encode("utf-16"),
    ],
    ids=["commas", "semicolons", "BOM", "crowd-kit", "UTF-16"],
)
def test_words_that_look_missing_are_labels_in_every_dialect(content: str | bytes, tmp_path: Path) -> None:
    read = read_table(write(tmp_path, "labels.csv", content))

    assert [label for *_, label in labels(read)] == ["NA", "None", "null"]


def test_quoted_line_breaks_stay_in_their_cell(tmp_path: Path) -> None:
    path = write(tmp_path, "labels.csv", 'item,annotator,label,reason\ni1,ana,yes,"a\nb, c"\ni2,ana,no,\n')

    assert [row.rationale for row in read_table(path).table.given] == ["a\nb, c", None]


def test_states_and_empty_cells_are_no_labels(tmp_path: Path) -> None:
    path = write(tmp_path, "t.csv", "item,annotator,label\ni1,a,not_sure\ni1,b,skipped\ni1,c,\ni1,d,unclear\n")

    read = read_table(path, TableOptions(not_sure=frozenset({"unclear"})))

    assert [state for _, _, _, state, _ in labels(read)] == ["not_sure", "skipped", "missing", "not_sure"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"item,annotator,label\ni1,ana,yes\ni2,ana,Caf\xe9\n", r"line 3.*not UTF-8"),
        (b"item,annotator,label\ni1,ana,yes\ni2,ana\n", r"line 3.*2 cells, and the header has 3"),
        (b"item,annotator,label\n,ana,yes\n", r"line 2: `item`"),
        (b"item,annotator,label\ni1,,yes\n", r"line 2: `annotator`"),
        (b"item,annotator,round,label\ni1,ana,second,yes\n", r"line 2: `round`: this is no round, but got 'second'"),
        (b"item,annotator,label\ni1,ana,yes\ni2,bob,no\ni1,ana,no\n", r"line 4: `annotator`: a second label.*line 2.*--repeats"),
        (b"item,annotator,state,label\ni1,ana,seen,\n", r"line 2: `state`.*'seen'"),
        (b"item,annotator,state,label\ni1,ana,skipped,yes\n", r"line 2: `label`.*'skipped' has a label"),
        (b"item,annotator\ni1,ana\n", r"no column holds the label; name one with --label"),
        (b"", r"no rows"),
        (b"item,annotator,label\n", r"no rows"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_with_its_row_and_column(content: bytes, says: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=says):
        read_table(write(tmp_path, "labels.csv", content))


@pytest.mark.parametrize(
    ("repeats", "expected"),
    [("first", [("a", "yes")]), ("last", [("a", "no")]), ("apart", [("a", "yes"), ("a (2)", "no")])],
)
def test_repeated_labels_count_as_one_says(repeats: Any, expected: list[Any], tmp_path: Path) -> None:
    path = write(tmp_path, "t.csv", "item,annotator,label\ni1,a,yes\ni1,a,no\n")

    read = read_table(path, TableOptions(repeats=repeats))

    assert [(annotator, label) for _, annotator, _, _, label in labels(read)] == expected
    assert read.remarks


def test_the_last_revision_counts(tmp_path: Path) -> None:
    path = write(tmp_path, "t.csv", "item,annotator,revision,label\ni1,a,1,no\ni1,a,0,yes\n")

    assert [label for *_, label in labels(read_table(path))] == ["no"]


def test_items_bring_texts_gold_and_label_sets(tmp_path: Path) -> None:
    items = write(tmp_path, "items.jsonl", json.dumps({"id": 7, "text": "Hm.", "gold": 2, "labels": [1, 2, 3]}))
    table = read_table(write(tmp_path, "t.jsonl", '{"item": 7, "annotator": "a", "label": 1}'), items=items).table

    ((_, item),) = table.items.items()
    assert (item.text, item.gold, table.labels) == ("Hm.", "2", {"": ("1", "2", "3")})


@pytest.mark.parametrize("name", ["csv", "csv-bom", "tsv", "excel", "jsonl", "parquet", "huggingface"])
async def test_exported_annotations_are_imported_again(name: str, tmp_path: Path) -> None:
    mine, unseen = make_assignment("ana"), make_assignment("bob")
    people = [
        Left(
            "ana", [mine], [make_annotation(mine, "Sarcastic"), make_annotation(mine, None, state="not_sure", round=1)]
        ),
        Left("bob", [unseen]),
    ]
    await export_study(parts_over(RecordedTx(people)), STUDY, EXPORTERS[name], tmp_path)
    (path,) = tmp_path.glob("annotations.*")  # noqa: ASYNC240

    read = read_table(path)

    assert labels(read) == [
        ("i1", "ana", 0, "labelled", "Sarcastic"), ("i1", "ana", 1, "not_sure", None),
        ("i1", "bob", 0, "unseen", None), ("i1", "bob", 1, "unseen", None),
    ]  # fmt: skip
    assert make_study().tasks[0].name == read.table.given[0].task


@pytest.mark.parametrize(
    "content",
    [
        "item,annotator,label,time_s\ni1,ana,yes,90\ni1,bob,no,\n",
        "item,annotator,label,shown_at,submitted_at\n"
        "i1,ana,yes,2026-12-01T10:00:00+00:00,2026-12-01T10:01:30+00:00\ni1,bob,no,,\n",
    ],
    ids=["seconds", "two moments"],
)
def test_what_labels_took_is_read_where_a_table_tells_it(content: str, tmp_path: Path) -> None:
    read = read_table(write(tmp_path, "t.csv", content))

    assert [row.seconds for row in read.table.given] == [90, None]


def test_a_length_of_time_below_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"line 2: `time_s`: this is no length of time, but got '-1'"):
        read_table(write(tmp_path, "t.csv", "item,annotator,label,time_s\ni1,ana,yes,-1\n"))


def test_the_guard_of_our_own_tables_only_is_taken_off(tmp_path: Path) -> None:
    foreign = write(tmp_path, "t.csv", "item,annotator,label\ni1,a,'-1\n")

    assert [label for *_, label in labels(read_table(foreign))] == ["'-1"]
    assert CsvFormat().suffix == "csv"
