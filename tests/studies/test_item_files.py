"""Items are read from the files people keep them in, and text stays the text it was."""

import csv
import io
import json
from collections.abc import Callable
from typing import Any

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crito.model.study import Item
from crito.studies.item_files import MOST_PROBLEMS, READERS, Columns, ReadItems, read_items

Table = list[dict[str, Any]]


def read(data: bytes, file: str = "items.jsonl", **columns: Any) -> ReadItems:
    names = {"yes": "yes", "no": "no", "Not sarcastic": "not_sarcastic"}
    return read_items(data, file=file, columns=Columns(**columns), gold_names=names)


def items(data: bytes, file: str = "items.jsonl", **columns: Any) -> tuple[Item, ...]:
    found, problems = read(data, file, **columns)
    assert not problems, [str(problem) for problem in problems]
    return found


def problem(data: bytes, file: str = "items.jsonl", **columns: Any) -> str:
    (found,) = read(data, file, **columns).problems
    return str(found)


def as_jsonl(rows: Table) -> bytes:
    return "\n".join(json.dumps(row) for row in rows).encode()


def as_json(rows: Table) -> bytes:
    return json.dumps(rows).encode()


def as_csv(rows: Table, delimiter: str = ",") -> bytes:
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, list(rows[0]), delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def as_tsv(rows: Table) -> bytes:
    return as_csv(rows, "\t")


def as_excel(rows: Table) -> bytes:
    book = openpyxl.Workbook()
    book.active.append(list(rows[0]))
    for row in rows:
        book.active.append(list(row.values()))
    for cell in (cell for row in book.active for cell in row if isinstance(cell.value, str)):
        cell.data_type = "s"  # or a text that begins with = is written as a formula
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def as_parquet(rows: Table) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows), out)
    return out.getvalue()


WRITERS: dict[str, Callable[[Table], bytes]] = {
    "a.jsonl": as_jsonl, "a.ndjson": as_jsonl, "a.json": as_json, "a.csv": as_csv,
    "a.tsv": as_tsv, "a.xlsx": as_excel, "a.parquet": as_parquet,
}  # fmt: skip

ROWS: Table = [
    {"id": "1", "text": "NA", "who": "None", "gold": "yes"},
    {"id": "02", "text": 'He said "no",\nthen; left\t– 🙂 مرحبا', "who": "null", "gold": ""},
    {"id": "1e3", "text": "=1+1", "who": "", "gold": "no"},
]


def test_every_kind_of_file_is_tried_here() -> None:
    assert {file.removeprefix("a") for file in WRITERS} == set(READERS)


@pytest.mark.parametrize("file", WRITERS)
def test_every_kind_of_file_gives_the_same_items(file: str) -> None:
    found = items(WRITERS[file](ROWS), file, context={"Person": "who"})

    assert [(item.id, item.text, item.context, item.gold) for item in found] == [
        ("1", "NA", {"Person": "None"}, "yes"),
        ("02", 'He said "no",\nthen; left\t– 🙂 مرحبا', {"Person": "null"}, None),
        ("1e3", "=1+1", {}, "no"),
    ]


@pytest.mark.parametrize("file", WRITERS)
def test_rows_are_taken_by_value(file: str) -> None:
    found = items(WRITERS[file](ROWS), file, where={"gold": ["yes", "no"], "who": ["None", ""]})

    assert [item.id for item in found] == ["1", "1e3"]


@pytest.mark.parametrize(
    ("file", "first"), [("a.jsonl", 1), ("a.csv", 2), ("a.tsv", 2), ("a.xlsx", 2), ("a.parquet", 1)]
)
def test_two_items_of_one_id_are_told_with_both_lines(file: str, first: int) -> None:
    words = problem(WRITERS[file]([ROWS[0], ROWS[2], ROWS[0]]), file)

    assert words.startswith(
        f"{file}, line {first + 2}: `id`: two items have one id, first in line {first}, but got '1'"
    )


@pytest.mark.parametrize("file", WRITERS)
def test_a_missing_column_is_told_once_with_what_is_there(file: str) -> None:
    words = problem(WRITERS[file](ROWS), file, text="texts")

    assert "there is no column 'texts'; did you mean 'text'? the columns are: id, text, who, gold" in words


@pytest.mark.parametrize("file", WRITERS)
def test_an_empty_text_is_told_with_its_row(file: str) -> None:
    words = problem(WRITERS[file]([ROWS[0], {**ROWS[2], "text": " "}]), file)

    assert "the text is empty" in words
    assert "line" in words or file == "a.json"


@pytest.mark.parametrize("file", [*WRITERS, "a.txt", "noname"])
@pytest.mark.parametrize("data", [b"", b"\x00", b"PK\x03\x04broken", b"PAR1", b"\xff\xfe\xfd", b"[1, 2", b'"', b"{}"])
def test_a_broken_file_is_refused_and_never_crashes(file: str, data: bytes) -> None:
    found, problems = read(data, file)

    assert not found
    assert problems
    assert all(found.file == file for found in problems)


# Encodings


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_unicode_with_or_without_a_mark_is_read(encoding: str) -> None:
    (item,) = items("id,text\n1,caffè".encode(encoding), "a.csv")

    assert (item.id, item.text) == ("1", "caffè")


def test_another_encoding_is_told_with_its_line() -> None:
    words = problem("id,text\n1,ok\n2,caffè".encode("latin-1"), "a.csv")

    assert words == "a.csv, line 3: this is not UTF-8 text, but got b'\\xe8'; save the file as UTF-8"


def test_a_separator_of_unicode_ends_no_line() -> None:
    text = "one\u2028two\u0085three"

    assert items(json.dumps({"id": "1", "text": text}, ensure_ascii=False).encode())[0].text == text


@pytest.mark.parametrize("bad", ["\x00", "\x07", "\ud800"])
def test_characters_that_no_database_takes_are_told(bad: str) -> None:
    words = problem(as_jsonl([{"id": "1", "text": f"a{bad}b"}]))

    assert words.startswith("items.jsonl, line 1: `text`: there is a character here that is no text")


# Tables


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found_by_the_wanted_columns(delimiter: str) -> None:
    rows = [{"id": "1", "a;b,c|d\te": "x", "text": "one, two; three | four"}]

    assert items(as_csv(rows, delimiter), "a.csv")[0].text == "one, two; three | four"


def test_a_cell_may_hold_a_megabyte() -> None:
    text = "word " * 200_000
    limit = csv.field_size_limit()

    assert items(as_csv([{"id": "1", "text": text}]), "a.csv")[0].text == text
    assert csv.field_size_limit() == limit


def test_a_row_of_another_length_is_told_with_its_line() -> None:
    words = problem(b'id,text\n1,"two\nlines"\n2,a,b\n', "a.csv")

    assert words == "a.csv, line 4: this row has 3 cells, and the header has 2"


def test_a_quote_that_never_ends_is_told() -> None:
    assert "this is not a table" in problem(b'id,text\n1,"never', "a.csv")


def test_two_columns_of_one_name_are_refused() -> None:
    assert "two columns have one name, but got 'text'" in problem(b"id,text,text\n1,a,b", "a.csv")


def test_empty_rows_are_passed_over() -> None:
    assert len(items(b"id,text\n\n1,a\n\n", "a.csv")) == 1


def test_numbers_and_dates_of_a_workbook_become_text() -> None:
    rows = [{"id": 7, "text": 1.5, "right": True}, {"id": "8", "text": "x", "right": None}]

    found = items(as_excel(rows), "a.xlsx", context={"right": "right"})

    assert [(item.id, item.text, item.context) for item in found] == [("7", "1.5", {"right": "true"}), ("8", "x", {})]


# JSON


def test_numbers_of_json_stay_as_written() -> None:
    assert items(b'{"id": 1.50, "text": 1e400}')[0] == Item("1.50", "1e400")


def test_columns_inside_objects_are_reached_by_name_and_by_path() -> None:
    row = {"id": "1", "review": {"body": "words", "by": {"name": "Ana"}}, "context": {"shop": "Lido"}}

    (item,) = items(as_jsonl([row]), text="review.body", context={"By": "review.by.name", "Shop": "shop"})

    assert item == Item("1", "words", {"By": "Ana", "Shop": "Lido"})


@pytest.mark.parametrize("line", [b"[]", b"3", b'"x"', b"{", b"[" * 100_000])
def test_a_line_that_is_no_object_is_told_and_the_rest_is_read(line: bytes) -> None:
    found, problems = read(b'{"id": "1", "text": "a"}\n' + line + b'\n{"id": "2", "text": "b"}')

    assert [item.id for item in found] == ["1", "2"]
    assert [p.line for p in problems] == [2]


def test_a_row_that_lacks_its_text_is_told_even_before_any_row_has_one() -> None:
    words = problem(b'{"id": "1"}\n{"id": "2", "text": "b"}')

    assert words == "items.jsonl, line 1: `text`: this row lacks it"


def test_a_text_must_not_be_a_list() -> None:
    assert "the text is a list or an object" in problem(b'{"id": "1", "text": ["a"]}')


# Reference labels


def test_reference_labels_may_be_written_as_people_read_them() -> None:
    (item,) = items(b'{"id": "1", "text": "a", "gold": "Not sarcastic"}')

    assert item.gold == "not_sarcastic"


def test_a_named_reference_column_must_exist() -> None:
    assert "there is no column 'truth'" in problem(b'{"id": "1", "text": "a"}', gold="truth")


# Many problems


def test_a_file_of_problems_is_told_in_part() -> None:
    rows = [{"id": str(n), "text": ""} for n in range(100)]

    problems = read(as_jsonl(rows)).problems

    assert len(problems) == MOST_PROBLEMS + 1
    assert "80 more problems" in str(problems[-1])


@given(st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).filter(str.strip), min_size=1))
def test_any_text_comes_through_a_csv_file_unchanged(texts: list[str]) -> None:
    rows = [{"id": str(n), "text": text} for n, text in enumerate(texts)]

    assert [item.text for item in items(as_csv(rows), "a.csv")] == texts


@given(st.binary(max_size=200), st.sampled_from(["a.jsonl", "a.json", "a.csv", "a.tsv"]))
def test_no_bytes_crash_a_reader(data: bytes, file: str) -> None:
    found, problems = read(data, file)

    assert found or problems
