"""CSV and TSV: UTF-8, every text quoted, lines ended by CRLF, formulas guarded."""

import csv
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crito.formats.cells import PARSE, RENDER
from crito.formats.row_formats import RowSink
from crito.services.tables import Row, Table

LONGEST_CELL = 2**31 - 1


@dataclass(frozen=True, slots=True)
class CsvFormat:
    """CSV files; `bom` puts the mark in front by which old spreadsheets know UTF-8."""

    bom: bool = False
    suffix: str = "csv"
    separator: str = ","
    remarks: tuple[str, ...] = (
        "UTF-8, lines ended by CRLF; text is quoted and may hold separators and line breaks.",
        "A text that a spreadsheet would run as a formula (it begins with `=`, `+`, `-`, `@`, a tab or a line break, "
        "apostrophes before that not counted) has one more apostrophe in front. An empty text is a lone apostrophe; "
        "an empty cell is a missing value.",
        "`json` cells hold JSON; yes and no are written `yes` and `no`.",
    )

    @contextmanager
    def write(self, path: Path, table: Table) -> Iterator[RowSink]:
        with path.open("x", encoding="utf-8-sig" if self.bom else "utf-8", newline="") as file:
            writer = csv.writer(file, delimiter=self.separator, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\r\n")
            writer.writerow([column.name for column in table.columns])
            yield _CsvSink(writer, table)

    def read(self, path: Path, table: Table) -> Iterator[Row]:
        parse = [PARSE[column.kind] for column in table.columns]
        # The reader's usual limit, 128 KB a cell, is less than a long text may take.
        limit = csv.field_size_limit(LONGEST_CELL)
        with path.open(encoding="utf-8-sig", newline="") as file:
            lines = csv.reader(file, delimiter=self.separator, strict=True)
            try:
                if (header := next(lines, [])) != [column.name for column in table.columns]:
                    raise ValueError(f"the columns are not the table's, but {header!r}")
                for cells in lines:
                    pairs = zip(parse, cells, strict=True)
                    yield tuple(None if cell == "" else parse_cell(cell) for parse_cell, cell in pairs)
            except csv.Error as error:
                raise ValueError(f"line {lines.line_num}: {error}") from error
            finally:
                csv.field_size_limit(limit)


class _CsvSink:
    def __init__(self, writer: Any, table: Table) -> None:
        self._writer = writer
        self._render = [(column.kind in ("integer", "number"), RENDER[column.kind]) for column in table.columns]

    def add(self, row: Row) -> None:
        self._writer.writerow(
            [
                None if cell is None else cell if is_numeric else render(cell)
                for (is_numeric, render), cell in zip(self._render, row, strict=True)
            ]
        )
