"""One table as one file, in the format that the file's name says."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from crito.formats.csv_file import CsvFormat
from crito.formats.jsonl_file import JsonlFormat
from crito.formats.parquet_file import ParquetFormat
from crito.formats.row_formats import RowFormat
from crito.model.errors import CritoError, InvalidInput
from crito.services.tables import Row, Table

FORMATS: Mapping[str, RowFormat] = {".csv": CsvFormat(), ".jsonl": JsonlFormat(), ".parquet": ParquetFormat()}


def table_format(path: Path) -> RowFormat:
    """The format of a file of this name.

    Raises:
        InvalidInput: its suffix is none that a table can be written as.
    """
    form = FORMATS.get(path.suffix.lower())
    if form is None:
        wanted = f"a name that ends in {', '.join(FORMATS)}"
        raise InvalidInput("no table can be written under this name", came=str(path), wanted=wanted, key="--out")
    return form


def write_table(path: Path, table: Table, rows: Iterable[Row]) -> int:
    """Write `rows` to `path`, which changes only when all of them are on the disk; returns how many there were.

    Raises:
        CritoError: it cannot be written.
    """
    aside = path.with_name(f".{path.name}.new")
    n_rows = 0
    try:
        aside.unlink(missing_ok=True)
        with table_format(path).write(aside, table) as sink:
            for row in rows:
                sink.add(row)
                n_rows += 1
        aside.replace(path)
    except OSError as error:
        raise CritoError(f"{str(path)!r} cannot be written: {error.strerror or error}") from error
    return n_rows
