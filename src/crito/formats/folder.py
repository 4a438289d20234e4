"""Write an export into a folder: every file under a temporary name, read back, compared, and only then put in place."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from crito.formats.cells import fingerprint
from crito.formats.placing import README, make_durable, put_in_place, sha256, write_beside
from crito.formats.readme import render_readme
from crito.formats.row_formats import RowFormat, RowSink, Written
from crito.model.errors import CritoError
from crito.services.tables import Outgoing, Row, Table, WrittenFile


@dataclass(frozen=True, slots=True)
class FolderExporter:
    """An exporter that writes one file per table, in one format, and a README with the meaning of every column."""

    name: str
    form: RowFormat
    beside: Mapping[str, Callable[[Written], str]] = field(default_factory=lambda: {README: render_readme})
    """What explains the tables: the names of further files, and how each is made of what was written."""

    def __call__(self, outgoing: Outgoing, out: Path) -> Sequence[WrittenFile]:
        return put_in_place(out, lambda aside: self._write_all(outgoing, aside))

    def _write_all(self, outgoing: Outgoing, aside: Path) -> tuple[WrittenFile, ...]:
        with ExitStack() as stack:
            parts = {table.name: _Part.open(self.form, aside, table, stack) for table in outgoing.tables}
            for table, row in outgoing.rows:
                parts[table.name].add(row)
        files = tuple(part.checked(self.form) for part in parts.values())
        written = Written(outgoing, self.form, files, aside)
        return (*files, *(write_beside(aside, name, explain(written)) for name, explain in self.beside.items()))


class _Part:
    """One file being written, with the fingerprints of its rows."""

    def __init__(self, path: Path, table: Table, sink: RowSink) -> None:
        self._path, self._table, self._sink = path, table, sink
        # 16 bytes a row: a million rows take 16 MB
        self._fingerprints = bytearray()

    @classmethod
    def open(cls, form: RowFormat, folder: Path, table: Table, stack: ExitStack) -> "_Part":
        path = folder / f"{table.name}.{form.suffix}"
        return cls(path, table, stack.enter_context(form.write(path, table)))

    def add(self, row: Row) -> None:
        self._sink.add(row)
        self._fingerprints += fingerprint(row)

    def checked(self, form: RowFormat) -> WrittenFile:
        """The file's facts, once what it holds has been read back and found equal to what was written."""
        make_durable(self._path)
        n_rows, n_read = len(self._fingerprints) // 16, 0
        try:
            for n_read, row in enumerate(form.read(self._path, self._table), 1):
                if self._fingerprints[16 * (n_read - 1) : 16 * n_read] != fingerprint(row):
                    raise CritoError(self._mismatch(f"row {n_read} reads back as something else"))
        except (ValueError, KeyError, IndexError) as error:
            raise CritoError(self._mismatch(f"it cannot be read after row {n_read} ({error})")) from error
        if n_read != n_rows:
            raise CritoError(self._mismatch(f"{n_rows} rows were written and {n_read} read back"))
        return WrittenFile(self._path.name, self._table.name, n_rows, sha256(self._path))

    def _mismatch(self, what: str) -> str:
        return (
            f"{self._path.name} does not hold what was written to it: {what}; "
            "files that stood there before are untouched, and the record itself is safe"
        )
