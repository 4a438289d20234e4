"""Flat tables that leave the house, and the port of what writes them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol

from crito.model.ids import StudyName, TaskName
from crito.model.study import Study
from crito.stats.statistic import Statistic

ColumnKind = Literal["text", "integer", "number", "yes_no", "time", "json"]
Cell = str | int | float | bool | datetime | Mapping[str, Any] | list[Any] | None
Row = tuple[Cell, ...]
"""Cells in the order of the table's columns."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name, what its cells are, and what they mean. `json` cells are objects or lists of JSON types."""

    name: str
    kind: ColumnKind
    meaning: str


@dataclass(frozen=True, slots=True)
class Table:
    """One table: a name, what a row is, and its columns in order."""

    name: str
    meaning: str
    columns: tuple[Column, ...]

    def row(self, cells: Mapping[str, Cell]) -> Row:
        """The cells in the order of the columns.

        Raises:
            KeyError: a column has no cell.
        """
        return tuple(cells[column.name] for column in self.columns)


class WrittenFile(NamedTuple):
    """A file of an export; `table` is empty, and `rows` 0, for one that holds no table."""

    name: str
    table: str
    rows: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Outgoing:
    """What an exporter is given: the tables, their rows as they come, and the study's editions by number.

    `rows` can be read once.
    """

    study: StudyName
    exported_at: datetime
    tables: Sequence[Table]
    rows: Iterator[tuple[Table, Row]]
    notes: Sequence[str]
    editions: Mapping[int, Study] = field(default_factory=dict)
    gaps: Mapping[TaskName, Statistic] = field(default_factory=dict)
    """The anchoring gap of each task whose machine's labels are suggested."""


class Exporter(Protocol):
    """Writes tables to `out` in one format and compares what was written before it replaces what stood there.

    Raises:
        CritoError: it could not be written, or reads back as something else; what stood there before is untouched.
    """

    @property
    def name(self) -> str: ...
    def __call__(self, outgoing: Outgoing, out: Path) -> Sequence[WrittenFile]: ...
