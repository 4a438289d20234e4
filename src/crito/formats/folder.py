"""Write an export into a folder: every file under a temporary name, read back, compared, and only then put in place."""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from crito.formats.cells import fingerprint
from crito.formats.readme import render_readme
from crito.formats.row_formats import RowFormat, RowSink
from crito.model.errors import CritoError, InvalidInput
from crito.services.tables import Outgoing, Row, Table, WrittenFile

README = "README.md"


@dataclass(frozen=True, slots=True)
class FolderExporter:
    """An exporter that writes one file per table, in one format, and a README with the meaning of every column."""

    name: str
    form: RowFormat

    def __call__(self, outgoing: Outgoing, out: Path) -> Sequence[WrittenFile]:
        if out.exists() and not out.is_dir():
            raise InvalidInput("an export goes into a folder", came=str(out), wanted="name a folder, or a new path")
        try:
            out.mkdir(parents=True, exist_ok=True)
            with _folder_that_goes_away(out) as aside:
                files = self._write_all(outgoing, aside)
                for file in files:
                    (aside / file.name).replace(out / file.name)
                _make_durable(out)
            return files
        except OSError as error:
            raise CritoError(
                f"the export to {str(out)!r} could not be written ({error.strerror or error}); "
                "files that stood there before are untouched"
            ) from error

    def _write_all(self, outgoing: Outgoing, aside: Path) -> tuple[WrittenFile, ...]:
        with ExitStack() as stack:
            parts = {table.name: _Part.open(self.form, aside, table, stack) for table in outgoing.tables}
            for table, row in outgoing.rows:
                parts[table.name].add(row)
        files = [part.checked(self.form) for part in parts.values()]
        readme = aside / README
        readme.write_text(render_readme(outgoing, self.form.remarks, files), encoding="utf-8")
        return (*files, WrittenFile(README, "", 0, _sha256(readme)))


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
        _make_durable(self._path)
        n_rows, n_read = len(self._fingerprints) // 16, 0
        try:
            for n_read, row in enumerate(form.read(self._path, self._table), 1):
                if self._fingerprints[16 * (n_read - 1) : 16 * n_read] != fingerprint(row):
                    raise CritoError(self._mismatch(f"row {n_read} reads back as something else"))
        except (ValueError, KeyError, IndexError) as error:
            raise CritoError(self._mismatch(f"it cannot be read after row {n_read} ({error})")) from error
        if n_read != n_rows:
            raise CritoError(self._mismatch(f"{n_rows} rows were written and {n_read} read back"))
        return WrittenFile(self._path.name, self._table.name, n_rows, _sha256(self._path))

    def _mismatch(self, what: str) -> str:
        return (
            f"{self._path.name} does not hold what was written to it: {what}; "
            "files that stood there before are untouched, and the record itself is safe"
        )


@contextmanager
def _folder_that_goes_away(parent: Path) -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix=".export-", dir=parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _make_durable(path: Path) -> None:
    if os.name == "nt" and path.is_dir():  # where a folder cannot be opened
        return
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
