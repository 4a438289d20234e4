"""An export is put in place only when it is whole and right."""

import hashlib
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from crito.formats.csv_file import CsvFormat
from crito.formats.exporters import EXPORTERS, exporter
from crito.formats.folder import FolderExporter
from crito.formats.placing import put_page
from crito.formats.row_formats import RowFormat
from crito.model.errors import CritoError, InvalidInput
from crito.model.ids import StudyName
from crito.services.tables import Column, Outgoing, Row, Table

LABELS = Table("labels", "One row per label.", (Column("label", "text", "Name of the | label."),))
PEOPLE = Table("people", "One row per person.", (Column("annotator", "text", "Pseudonym."),))
SUFFIXES = {"csv": "csv", "csv-bom": "csv", "tsv": "tsv", "excel": "xlsx", "jsonl": "jsonl", "parquet": "parquet"}
REAL_FORMATS = list(SUFFIXES)


def outgoing(*labels: str | None) -> Outgoing:
    rows: list[tuple[Table, Row]] = [(LABELS, (label,)) for label in labels]
    rows.insert(1, (PEOPLE, ("ana",)))
    now = datetime(2026, 3, 1, tzinfo=UTC)
    return Outgoing(StudyName("irony"), now, (LABELS, PEOPLE), iter(rows), ("Nobody withdrew.",))


@dataclass(frozen=True)
class ForgetfulFormat:
    """A format that reads back something else than was written."""

    reads_back: list[Row]
    suffix: str = "csv"
    remarks: tuple[str, ...] = ()
    write = CsvFormat().write

    def read(self, path: Path, table: Table) -> Iterator[Row]:
        yield from self.reads_back if table is LABELS else CsvFormat().read(path, table)


@contextmanager
def files_no_longer_than(n_bytes: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("name", REAL_FORMATS)
def test_each_table_becomes_a_file_with_its_count_and_hash(name: str, tmp_path: Path) -> None:
    files = {file.name: file for file in exporter(name)(outgoing("yes", None, ""), tmp_path / "out")}

    suffix = SUFFIXES[name]
    assert {file.name: file.rows for file in files.values()} == {
        f"labels.{suffix}": 3,
        f"people.{suffix}": 1,
        "README.md": 0,
    }
    for path in (tmp_path / "out").iterdir():
        assert files[path.name].sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_readme_explains_every_column(tmp_path: Path) -> None:
    EXPORTERS["csv"](outgoing("yes"), tmp_path)

    readme = (tmp_path / "README.md").read_text()
    assert "| `label` | text | Name of the \\| label. |" in readme
    assert "| `annotator` | text | Pseudonym. |" in readme
    assert "Nobody withdrew." in readme


def test_a_second_export_replaces_the_first(tmp_path: Path) -> None:
    EXPORTERS["jsonl"](outgoing("old"), tmp_path)
    EXPORTERS["jsonl"](outgoing("new"), tmp_path)

    assert (tmp_path / "labels.jsonl").read_text() == '{"label": "new"}\n'
    assert sorted(path.name for path in tmp_path.iterdir()) == ["README.md", "labels.jsonl", "people.jsonl"]


@pytest.mark.parametrize(
    ("reads_back", "says"),
    [
        ([("yes",), ("no",)], "row 2 reads back as something else"),
        ([("yes",)], "2 rows were written and 1 read back"),
    ],
)
def test_a_file_that_reads_back_differently_leaves_the_old_one(
    reads_back: list[Row], says: str, tmp_path: Path
) -> None:
    (tmp_path / "labels.csv").write_text("what stood there")

    with pytest.raises(CritoError, match=says):
        FolderExporter("csv", ForgetfulFormat(reads_back))(outgoing("yes", "perhaps"), tmp_path)

    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("labels.csv", "what stood there")]


@pytest.mark.parametrize("name", REAL_FORMATS)
def test_a_full_disk_leaves_the_old_file(name: str, tmp_path: Path) -> None:
    old = tmp_path / f"labels.{SUFFIXES[name]}"
    old.write_text("what stood there")
    # Parquet compresses, so the words must not repeat
    words = [hashlib.sha512(str(number).encode()).hexdigest() for number in range(2_000)]

    with files_no_longer_than(20_000), pytest.raises(CritoError, match="untouched"):
        EXPORTERS[name](outgoing(*words), tmp_path)

    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(old.name, "what stood there")]


def test_a_page_on_a_full_disk_leaves_the_old_page(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    page.write_text("what stood there")

    with files_no_longer_than(20_000), pytest.raises(CritoError, match="untouched"):
        put_page(page, "words " * 20_000)

    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("report.html", "what stood there")]
    put_page(page, "new words")
    assert page.read_text() == "new words"


@pytest.mark.parametrize("where", ["no/such/folder/page.html", "."])
def test_a_page_that_has_no_place_is_said(where: str, tmp_path: Path) -> None:
    with pytest.raises(CritoError, match="could not be written"):
        put_page(tmp_path / where, "words")


def test_rows_that_fail_to_come_leave_no_file(tmp_path: Path) -> None:
    def failing() -> Iterator[tuple[Table, Row]]:
        yield LABELS, ("yes",)
        raise CritoError("the database went away")

    broken = Outgoing(StudyName("irony"), datetime(2026, 3, 1, tzinfo=UTC), (LABELS,), failing(), ())
    with pytest.raises(CritoError, match="went away"):
        EXPORTERS["parquet"](broken, tmp_path)

    assert list(tmp_path.iterdir()) == []


def test_a_file_where_the_folder_should_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")

    with pytest.raises(InvalidInput, match="folder"):
        EXPORTERS["csv"](outgoing("yes"), tmp_path / "out")


def test_an_unknown_format_is_answered_with_the_known_ones() -> None:
    with pytest.raises(InvalidInput, match="csv, csv-bom, tsv, excel, jsonl, parquet"):
        exporter("xls")


def test_every_format_tells_how_to_read_it() -> None:
    forms: list[RowFormat] = [form.form for form in EXPORTERS.values() if isinstance(form, FolderExporter)]

    assert all(form.remarks for form in forms)
