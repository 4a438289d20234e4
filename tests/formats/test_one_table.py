"""One table as one file, in the format of its name."""

from pathlib import Path

import pytest

from crito.formats.one_table import FORMATS, table_format, write_table
from crito.model.errors import CritoError, InvalidInput
from crito.services.tables import Column, Table

TABLE = Table("kettles", "", (Column("name", "text", ""), Column("litres", "number", "")))
ROWS = [("whistler", 1.5), ("=mute", None)]


@pytest.mark.parametrize("suffix", FORMATS)
def test_rows_read_back_as_they_were_written(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"kettles{suffix}"

    assert write_table(file, TABLE, ROWS) == 2
    assert list(table_format(file).read(file, TABLE)) == ROWS
    assert list(tmp_path.iterdir()) == [file]


def test_a_file_is_replaced_only_by_a_whole_one(tmp_path: Path) -> None:
    file = tmp_path / "kettles.csv"
    write_table(file, TABLE, ROWS)
    before = file.read_bytes()

    def broken() -> object:
        yield ("new", 1.0)
        raise OSError(28, "No space left on device")

    with pytest.raises(CritoError, match="No space left"):
        write_table(file, TABLE, broken())  # type: ignore[arg-type]
    assert file.read_bytes() == before


def test_a_name_without_a_format_is_refused_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"\.parquet"):
        table_format(tmp_path / "kettles.pdf")
