"""What a file format of tables must do: write rows as they come, and read them back as they were."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from crito.services.tables import Cell, Outgoing, Row, Table, WrittenFile


class RowSink(Protocol):
    """An open file that takes rows."""

    def add(self, row: Row) -> None: ...


class RowFormat(Protocol):
    """One file format."""

    @property
    def suffix(self) -> str:
        """Of its files, without the dot."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a reader of its files should know."""

    def write(self, path: Path, table: Table) -> AbstractContextManager[RowSink]:
        """A new file at `path` that holds the rows added until the context ends."""

    def read(self, path: Path, table: Table) -> Iterator[Row]:
        """The rows of the file, exactly as they were added.

        Raises:
            ValueError: the file is not one that `write` makes of this table.
        """


@dataclass(frozen=True, slots=True)
class Written:
    """Tables that were written and checked, for whoever explains them. `folder` is where they lie for now."""

    outgoing: Outgoing
    form: RowFormat
    files: Sequence[WrittenFile]
    folder: Path

    def rows(self, table: str) -> Iterator[dict[str, Cell]]:
        """The rows of one table by column, read from its file."""
        (of,) = (of for of in self.outgoing.tables if of.name == table)
        names = [column.name for column in of.columns]
        for row in self.form.read(self.folder / f"{table}.{self.form.suffix}", of):
            yield dict(zip(names, row, strict=True))
