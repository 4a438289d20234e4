"""Every format gives back the rows it was given."""

import csv
import json
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import openpyxl  # type: ignore[import-untyped]
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from crito.formats.csv_file import CsvFormat
from crito.formats.excel_file import LONGEST_CELL, ExcelFormat
from crito.formats.jsonl_file import JsonlFormat
from crito.formats.parquet_file import ParquetFormat
from crito.formats.row_formats import RowFormat
from crito.model.errors import InvalidInput
from crito.services.tables import Column, Row, Table

TSV = CsvFormat(suffix="tsv", separator="\t")
FORMATS = {
    "csv": CsvFormat(), "csv with bom": CsvFormat(bom=True), "tsv": TSV,
    "excel": ExcelFormat(), "jsonl": JsonlFormat(), "parquet": ParquetFormat(),
}  # fmt: skip
TABLE = Table(
    "things",
    "One row per thing.",
    (
        Column("label", "text", ""), Column("words", "text", ""), Column("count", "integer", ""),
        Column("value", "number", ""), Column("yes", "yes_no", ""), Column("at", "time", ""), Column("more", "json", ""),
    ),
)  # fmt: skip

EARLIEST, LATEST = datetime(1970, 1, 1), datetime(2200, 1, 1)  # noqa: DTZ001 (Hypothesis adds the zone)

awkward = st.sampled_from(
    [
        "", " ", "NA", "None", "null", "nan", "NULL", "007", "1e5", "-1", "TRUE", "yes", "=1+1", "+1", "@x", "\t=1", "\r",
        "\n", "a\r\nb", 'say "no"', '"', "a,b;c", "👩🏽\u200d🚀", "שלום، سلام\u202e", "'", "'=1", "''", "\u2028", "\x85", "\ufeff", "\x1c",
    ]
)  # fmt: skip
texts = st.none() | awkward | st.text(alphabet=st.characters(exclude_characters="\0", exclude_categories=("Cs",)))
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | texts, lambda inner: st.lists(inner, max_size=3)
)
rows = st.tuples(
    texts, texts,
    st.none() | st.integers(-(2**63), 2**63 - 1),
    st.none() | st.floats(allow_nan=False, allow_infinity=False),
    st.none() | st.booleans(),
    st.none() | st.datetimes(EARLIEST, LATEST, timezones=st.just(UTC)),
    st.none() | st.dictionaries(st.text(max_size=3), json_values, max_size=3) | st.lists(json_values, max_size=3),
)  # fmt: skip


def through(form: RowFormat, given: list[Row]) -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"things.{form.suffix}"
        with form.write(path, TABLE) as sink:
            for row in given:
                sink.add(row)
        return list(form.read(path, TABLE))


def a_row(label: str | None) -> Row:
    return (label, None, None, None, None, None, None)


@pytest.mark.parametrize("form", FORMATS.values(), ids=FORMATS)
@settings(max_examples=60, deadline=None)
@given(given=st.lists(rows, max_size=8))
@example(given=[a_row(None), a_row(""), a_row("NA"), a_row("None"), a_row("null"), a_row("1"), a_row("1.0")])
@example(given=[a_row("x" * 30_000 + "\n" + "é" * 10), a_row("_x000D_"), a_row("_x005F_x000D_\x0b\r\n")])
def test_rows_come_back_as_they_went(form: RowFormat, given: list[Row]) -> None:
    assert through(form, given) == given


@pytest.mark.parametrize("form", FORMATS.values(), ids=FORMATS)
def test_a_file_of_other_columns_is_refused(form: RowFormat, tmp_path: Path) -> None:
    path = tmp_path / "things"
    with form.write(path, Table("things", "", (Column("other", "text", ""),))) as sink:
        sink.add(("x",))

    with pytest.raises((ValueError, KeyError)):
        list(form.read(path, TABLE))


def test_csv_has_a_byte_order_mark_only_when_asked(tmp_path: Path) -> None:
    for form, name in ((CsvFormat(), "without"), (CsvFormat(bom=True), "with")):
        with form.write(tmp_path / name, TABLE):
            pass

    assert (tmp_path / "with").read_bytes().startswith(b"\xef\xbb\xbf")
    assert not (tmp_path / "without").read_bytes().startswith(b"\xef\xbb\xbf")


def test_a_formula_is_guarded_in_the_file_itself(tmp_path: Path) -> None:
    with CsvFormat().write(tmp_path / "things.csv", TABLE) as sink:
        sink.add(a_row('=HYPERLINK("x")'))

    with (tmp_path / "things.csv").open(newline="") as file:
        assert list(csv.reader(file))[1][0] == '\'=HYPERLINK("x")'


def test_other_programs_read_the_same_values(tmp_path: Path) -> None:
    at = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
    row: Row = ("007", "a\r\nb", 3, 0.5, True, at, {"b": 1})
    for form in (CsvFormat(bom=True), JsonlFormat(), ParquetFormat()):
        with form.write(tmp_path / f"things.{form.suffix}", TABLE) as sink:
            sink.add(row)

    from_csv = pd.read_csv(tmp_path / "things.csv", dtype={"label": str})
    from_parquet = pd.read_parquet(tmp_path / "things.parquet")
    from_jsonl = json.loads((tmp_path / "things.jsonl").read_text())

    assert (from_csv.label[0], from_csv.words[0], from_csv["count"][0]) == ("007", "a\r\nb", 3)
    assert (from_parquet.label[0], from_parquet["at"][0], from_parquet.yes[0]) == ("007", at, True)
    assert from_jsonl == {"label": "007", "words": "a\r\nb", "count": 3, "value": 0.5, "yes": True,
                          "at": "2026-03-01T12:30:00.000000Z", "more": {"b": 1}}  # fmt: skip


def test_pandas_reads_words_that_look_like_missing_values_as_the_how_to_says(tmp_path: Path) -> None:
    labels: list[str | None] = ["NA", "None", "null", None, "=x", "'=x", "plain", ""]
    with CsvFormat().write(tmp_path / "things.csv", TABLE) as sink:
        for label in labels:
            sink.add(a_row(label))

    read = pd.read_csv(tmp_path / "things.csv", keep_default_na=False, na_values=[""], dtype={"label": str}).label
    undone = read.str.replace(r"^'('*(?:[=+\-@\t\r\n＝＋－＠]|$))", r"\1", regex=True)

    assert [None if pd.isna(label) else label for label in undone] == labels


@pytest.mark.parametrize(
    "form", [CsvFormat(), TSV, JsonlFormat(), ParquetFormat()], ids=["csv", "tsv", "jsonl", "parquet"]
)
def test_long_texts_come_back(form: RowFormat) -> None:
    given = [a_row("x" * 300_000 + "\n" + "é" * 10)]

    assert through(form, given) == given


def test_a_text_too_long_for_excel_is_refused_with_its_row_and_column() -> None:
    with pytest.raises(InvalidInput, match="line 3: `label`: a cell of table 'things' is longer") as refused:
        through(ExcelFormat(), [a_row("short"), a_row("x" * (LONGEST_CELL + 1))])

    assert "Parquet" in refused.value.wanted


def test_excel_runs_no_formula(tmp_path: Path) -> None:
    path = tmp_path / "things.xlsx"
    with ExcelFormat().write(path, TABLE) as sink:
        sink.add(a_row("=1+1"))

    assert openpyxl.load_workbook(path).active["A2"].data_type == "s"
