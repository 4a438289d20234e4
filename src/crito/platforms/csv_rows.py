"""Rows of the CSV files that platforms let their users download, whatever program saved them again."""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from crito.model.errors import InvalidInput
from crito.model.phrase import Phrase

_NOT_PLAIN = re.compile(r"[^a-z0-9]+")


class CsvRows(NamedTuple):
    """The heads of a file as they are written, and its rows by plain head, each with the line it ends on."""

    heads: Sequence[str]
    rows: Sequence[tuple[int, Mapping[str, str]]]


def plain(head: str) -> str:
    """`Submission id` and `submission_id` are one column."""
    return _NOT_PLAIN.sub("_", head.strip().casefold()).strip("_")


def read_rows(content: bytes, file: str, needed: Iterable[str], what: str) -> CsvRows:
    """Every row of a file.

    Raises:
        InvalidInput: it is no text, lacks one of the columns `needed` (by their plain heads), or has a row of another width.
    """
    text = _decoded(content, file)
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows: list[tuple[int, Mapping[str, str]]] = []
    try:
        heads = next(reader, [])
        names = [plain(head) for head in heads]
        lacking = [name for name in needed if name not in names]
        if lacking:
            raise InvalidInput(
                Phrase("this is not %(what)s: it has no column for %(columns)s", what=what, columns=", ".join(lacking)),
                came=", ".join(heads[:8]),
                wanted=Phrase("give the file as the platform wrote it"),
                file=file,
            )
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != len(names):
                raise InvalidInput(
                    Phrase("a row has another number of cells than the first line"),
                    came=len(cells),
                    wanted=Phrase("there are %(n)s columns; download the file again", n=len(names)),
                    file=file,
                    line=reader.line_num,
                )
            rows.append((reader.line_num, dict(zip(names, (cell.strip() for cell in cells), strict=True))))
    except csv.Error as error:
        raise InvalidInput(
            Phrase("this is no CSV (%(error)s)", error=str(error)), file=file, line=reader.line_num
        ) from error
    return CsvRows(heads, rows)


def written(rows: Iterable[Sequence[str]]) -> str:
    """Rows as CSV. A cell that a spreadsheet would take for a formula is left as it is: platforms read these files, and an
    id never begins with one."""
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def _decoded(content: bytes, file: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            return content.decode("utf-16")
        except UnicodeDecodeError:
            pass
    raise InvalidInput(
        Phrase("the file is not UTF-8 text"), wanted=Phrase("give the file as the platform wrote it"), file=file
    )
