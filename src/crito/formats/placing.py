"""Files that take their place in a folder only when all of them are whole."""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from crito.model.errors import CritoError, InvalidInput
from crito.services.tables import WrittenFile

README = "README.md"


def put_in_place(out: Path, write: Callable[[Path], Sequence[WrittenFile]]) -> Sequence[WrittenFile]:
    """The files that `write` made and checked in a folder of its own, moved to `out`.

    Raises:
        InvalidInput: `out` is a file.
        CritoError: something could not be written; what stood in `out` before is untouched.
    """
    if out.exists() and not out.is_dir():
        raise InvalidInput("an export goes into a folder", came=str(out), wanted="name a folder, or a new path")
    try:
        out.mkdir(parents=True, exist_ok=True)
        with _folder_that_goes_away(out) as aside:
            files = write(aside)
            for file in files:
                (aside / file.name).replace(out / file.name)
            make_durable(out)
        return files
    except OSError as error:
        raise CritoError(
            f"the export to {str(out)!r} could not be written ({error.strerror or error}); "
            "files that stood there before are untouched"
        ) from error


def put_page(path: Path, text: str) -> None:
    """One page, put in place only when all of it is on the disk.

    Raises:
        CritoError: it could not be written; what stood there before is untouched.
    """
    try:
        with _folder_that_goes_away(path.absolute().parent) as aside:
            written = aside / path.name
            written.write_text(text, encoding="utf-8")
            make_durable(written)
            written.replace(path)
    except OSError as error:
        raise CritoError(
            f"{str(path)!r} could not be written ({error.strerror or error}); what stood there before is untouched"
        ) from error


def write_beside(folder: Path, name: str, text: str) -> WrittenFile:
    """A file that explains the others, written into their folder."""
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="\n")
    return WrittenFile(name, "", 0, sha256(path))


@contextmanager
def _folder_that_goes_away(parent: Path) -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix=".export-", dir=parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def make_durable(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    if os.name == "nt" and path.is_dir():  # where a folder cannot be opened
        return
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sha256(path: Path) -> str:
    """Of a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
