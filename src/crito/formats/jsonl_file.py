"""JSON Lines: one object a line."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TextIO

from crito.formats.cells import render_time
from crito.formats.row_formats import RowSink
from crito.services.tables import Row, Table


@dataclass(frozen=True, slots=True)
class JsonlFormat:
    """JSON Lines files."""

    suffix: str = "jsonl"
    remarks: tuple[str, ...] = (
        "UTF-8, one JSON object a line with every column as a key; a missing value is `null`, times are text.",
    )

    @contextmanager
    def write(self, path: Path, table: Table) -> Iterator[RowSink]:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            yield _JsonlSink(file, table)

    def read(self, path: Path, table: Table) -> Iterator[Row]:
        with path.open(encoding="utf-8", newline="\n") as file:
            for line in file:
                cells = json.loads(line)
                yield tuple(
                    datetime.fromisoformat(cells[column.name])
                    if column.kind == "time" and cells[column.name] is not None
                    else cells[column.name]
                    for column in table.columns
                )


class _JsonlSink:
    def __init__(self, file: TextIO, table: Table) -> None:
        self._file = file
        self._names = [column.name for column in table.columns]

    def add(self, row: Row) -> None:
        cells = dict(zip(self._names, row, strict=True))
        self._file.write(json.dumps(cells, ensure_ascii=False, default=render_time, allow_nan=False) + "\n")
