"""What a file format of tables must do: write rows as they come, and read them back as they were."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from crito.services.tables import Row, Table


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
