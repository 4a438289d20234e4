"""Parquet: typed columns, row group by row group."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crito.formats.cells import render_json
from crito.formats.row_formats import RowSink
from crito.services.tables import Row, Table

ROWS_IN_A_GROUP = 20_000


@dataclass(frozen=True, slots=True)
class ParquetFormat:
    """Parquet files."""

    suffix: str = "parquet"
    remarks: tuple[str, ...] = (
        "Typed columns: times are timestamps in UTC, yes and no are booleans; `json` cells are text that holds JSON.",
    )

    @contextmanager
    def write(self, path: Path, table: Table) -> Iterator[RowSink]:
        # pyarrow costs a third of a second to import, and only this format needs it
        from pyarrow import parquet

        schema = _schema(table)
        with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
            sink = _ParquetSink(writer, schema, table)
            yield sink
            sink.flush()

    def read(self, path: Path, table: Table) -> Iterator[Row]:
        # pyarrow costs a third of a second to import, and only this format needs it
        from pyarrow import parquet

        with parquet.ParquetFile(path) as file:
            if file.schema_arrow != _schema(table):
                raise ValueError(f"{path.name}: the columns are not the table's, but {file.schema_arrow}")
            for batch in file.iter_batches(batch_size=ROWS_IN_A_GROUP):
                columns = [
                    [cell if cell is None else json.loads(cell) for cell in values.to_pylist()]
                    if column.kind == "json"
                    else values.to_pylist()
                    for column, values in zip(table.columns, batch.columns, strict=True)
                ]
                yield from zip(*columns, strict=True)


class _ParquetSink:
    def __init__(self, writer: Any, schema: Any, table: Table) -> None:
        self._writer, self._schema = writer, schema
        self._is_json = [column.kind == "json" for column in table.columns]
        self._rows: list[Row] = []

    def add(self, row: Row) -> None:
        self._rows.append(row)
        if len(self._rows) == ROWS_IN_A_GROUP:
            self.flush()

    def flush(self) -> None:
        # pyarrow costs a third of a second to import, and only this format needs it
        import pyarrow

        if not self._rows:
            return
        arrays = [
            pyarrow.array(
                [cell if cell is None or not is_json else render_json(cell) for cell in cells], type=column.type
            )
            for is_json, column, cells in zip(self._is_json, self._schema, zip(*self._rows, strict=True), strict=True)
        ]
        self._writer.write_table(pyarrow.Table.from_arrays(arrays, schema=self._schema))
        self._rows = []


def _schema(table: Table) -> Any:
    # pyarrow costs a third of a second to import, and only this format needs it
    import pyarrow

    types = {
        "text": pyarrow.string(), "integer": pyarrow.int64(), "number": pyarrow.float64(), "yes_no": pyarrow.bool_(),
        "time": pyarrow.timestamp("us", tz="UTC"), "json": pyarrow.string(),
    }  # fmt: skip
    return pyarrow.schema([(column.name, types[column.kind]) for column in table.columns])
