"""Excel workbooks: one sheet, typed cells, no formulas."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crito.formats.cells import PARSE, RENDER
from crito.formats.row_formats import RowSink
from crito.model.errors import InvalidInput
from crito.services.tables import Cell, Column, ColumnKind, Row, Table

MOST_ROWS = 1_048_576
LONGEST_CELL = 32_767
LARGEST_EXACT = 2**53

EMPTYISH = re.compile(r"'*\Z")
SPECIAL = re.compile("_(?=x[0-9A-Fa-f]{4}_)|[\x00-\x08\x0b-\x1f\ufffe\uffff]")
"""What a cell's XML cannot hold as it is: control characters but tab and line end, and what looks like their escape."""

ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")


@dataclass(frozen=True, slots=True)
class ExcelFormat:
    """Excel workbooks of one sheet each."""

    suffix: str = "xlsx"
    remarks: tuple[str, ...] = (
        "One sheet a file; every text is a text cell, so nothing runs as a formula.",
        "Times are text in UTC (Excel's own have neither a zone nor microseconds), "
        "and so are numbers with more digits than Excel keeps.",
        "An empty text is a lone apostrophe; an empty cell is a missing value. `json` cells hold JSON.",
    )

    @contextmanager
    def write(self, path: Path, table: Table) -> Iterator[RowSink]:
        # openpyxl costs a fifth of a second to import, and only this format needs it
        from openpyxl import Workbook  # type: ignore[import-untyped]

        book = Workbook(write_only=True)
        sheet = book.create_sheet(table.name[:31])
        try:
            yield _ExcelSink(sheet, table)
        except BaseException:
            # a sheet left open complains when it is collected
            sheet.close()
            raise
        book.save(path)

    def read(self, path: Path, table: Table) -> Iterator[Row]:
        # openpyxl costs a fifth of a second to import, and only this format needs it
        from openpyxl import load_workbook

        with path.open("rb") as file:
            rows = load_workbook(file, read_only=True).worksheets[0].iter_rows(values_only=True)
            if (header := [str(name) for name in next(rows, ())]) != [column.name for column in table.columns]:
                raise ValueError(f"the columns are not the table's, but {header!r}")
            for cells in rows:
                # trailing empty cells are not kept in the file
                filled = (*cells, *[None] * (len(table.columns) - len(cells)))
                yield tuple(_parse(cell, column.kind) for cell, column in zip(filled, table.columns, strict=True))


class _ExcelSink:
    def __init__(self, sheet: Any, table: Table) -> None:
        self._sheet, self._table = sheet, table
        self._n_rows = 1
        sheet.append([_text_cell(sheet, column.name) for column in table.columns])

    def add(self, row: Row) -> None:
        self._n_rows += 1
        if self._n_rows > MOST_ROWS:
            raise InvalidInput(
                f"table {self._table.name!r} has more rows than an Excel sheet holds", wanted="export to Parquet or CSV"
            )
        pairs = zip(row, self._table.columns, strict=True)
        self._sheet.append([self._cell(cell, column) for cell, column in pairs])

    def _cell(self, cell: Cell, column: Column) -> Any:
        if cell is None or column.kind == "yes_no" or _is_exact(cell):
            return cell
        text = _escape(str(cell) if column.kind == "text" else RENDER[column.kind](cell))
        if len(text) > LONGEST_CELL:
            raise InvalidInput(
                f"a cell of table {self._table.name!r} is longer than Excel holds ({LONGEST_CELL} characters)",
                wanted="export to Parquet or CSV", line=self._n_rows, key=column.name,
            )  # fmt: skip
        return _text_cell(self._sheet, text)


def _is_exact(cell: Cell) -> bool:
    """Whether a number keeps all its digits in a workbook, which has 16 of them and no negative zero."""
    if isinstance(cell, float):
        return repr(float(f"{cell:.16g}")) == repr(cell) != "-0.0"
    return isinstance(cell, int) and abs(cell) <= LARGEST_EXACT


def _text_cell(sheet: Any, text: str) -> Any:
    # openpyxl costs a fifth of a second to import, and only this format needs it
    from openpyxl.cell import WriteOnlyCell  # type: ignore[import-untyped]

    cell = WriteOnlyCell(sheet, value=text)
    # a text that begins with "=" would be a formula otherwise
    cell.data_type = "s"
    return cell


def _escape(text: str) -> str:
    escaped = SPECIAL.sub(lambda found: f"_x{ord(found.group()):04X}_", text)
    return f"'{escaped}" if EMPTYISH.match(escaped) else escaped


def _parse(cell: Any, kind: ColumnKind) -> Cell:
    if cell is None or not isinstance(cell, str):
        return float(cell) if kind == "number" and cell is not None else cell
    bare = cell[1:] if EMPTYISH.match(cell) else cell
    text = ESCAPED.sub(lambda found: chr(int(found.group(1), 16)), bare)
    return text if kind == "text" else PARSE[kind](text)
