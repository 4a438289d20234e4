"""Items from the files people keep them in: JSONL, JSON, CSV, TSV, Excel, Parquet; text stays the text it was."""

import csv
import difflib
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from crito.model.errors import InvalidInput
from crito.model.ids import ItemId
from crito.model.study import Item

MOST_PROBLEMS = 20
"""A file with more problems than this is broken in one way; the rest is counted."""

DELIMITERS = (",", ";", "\t", "|")

LONGEST_ID = 200

NO_TEXT = re.compile("[\x00-\x08\x0e-\x1f\ud800-\udfff]")
"""Control characters and halves of characters, which not every database and browser takes."""

_ABSENT = object()


@dataclass(frozen=True)
class Columns:
    """Which column holds what.

    `context` maps a shown name to its column; None takes everything in an object called `context`.
    `gold` of None takes a column called `gold` if there is one. `where` keeps rows by value.
    """

    id: str = "id"
    text: str = "text"
    context: Mapping[str, str] | None = None
    gold: str | None = None
    where: Mapping[str, Sequence[str]] = field(default_factory=dict)


class Row(NamedTuple):
    """One row of a file and the line it stands in (from 1; a header counts)."""

    line: int
    cells: Mapping[str, Any]


class ReadItems(NamedTuple):
    """The items of a file, and what is wrong with it."""

    items: tuple[Item, ...]
    problems: tuple[InvalidInput, ...]


@dataclass
class _Reading:
    file: str
    columns: Columns
    gold_names: Mapping[str, str]
    problems: list[InvalidInput] = field(default_factory=list)
    n_left_out: int = 0
    known: dict[str, None] = field(default_factory=dict)
    """Every column met so far, in order."""
    sought: dict[str, None] = field(default_factory=dict)
    found: set[str] = field(default_factory=set)
    """The sought columns that some row had."""
    absent: list[tuple[int, str]] = field(default_factory=list)
    """Lines of rows that lack the id or the text, and which of them."""

    def complain(self, problem: str, *, line: int = 0, key: str = "", came: object = None, wanted: str = "") -> None:
        if len(self.problems) == MOST_PROBLEMS:
            self.n_left_out += 1
            return
        came = came[:80] if isinstance(came, str) else came
        self.problems.append(InvalidInput(problem, came, wanted, self.file, line, key))

    def cell(self, row: Row, column: str) -> object:
        """What `row` holds under `column`: by its name, by a dotted path into objects, or inside `context`."""
        found = _look_up(row.cells, column)
        self.sought[column] = None
        if found is not _ABSENT:
            self.found.add(column)
        return found


def read_items(data: bytes, *, file: str, columns: Columns, gold_names: Mapping[str, str]) -> ReadItems:
    """The items in `data`, a file called `file`.

    Args:
        gold_names: from what a reference label may be called to the label's name.

    Returns:
        All items that can be used, in the order of the file, and the problems with their lines.
    """
    reading = _Reading(file, columns, gold_names)
    reader = READERS.get(PurePosixPath(file).suffix.lower())
    if reader is None:
        wanted = f"use one of {', '.join(READERS)}"
        return ReadItems((), (InvalidInput("items cannot be read from this kind of file", file, wanted, file),))
    items: dict[ItemId, Item] = {}
    lines: dict[ItemId, int] = {}
    try:
        for row in reader(data, reading):
            reading.known.update(dict.fromkeys(row.cells))
            item = _item(row, reading)
            if item is None:
                continue
            if item.id in items:
                reading.complain(
                    f"two items have one id, first in line {lines[item.id]}",
                    line=row.line, key=columns.id, came=item.id, wanted="give every item its own",
                )  # fmt: skip
            else:
                items[item.id], lines[item.id] = item, row.line
    except InvalidInput as problem:
        reading.problems.append(problem)
    _complain_of_columns(reading)
    if not items and not reading.problems:
        where = " and ".join(f"`{column}` is {' or '.join(values)}" for column, values in columns.where.items())
        reading.complain(f"no row has {where}" if where else "the file holds no items", wanted="give at least one item")
    if reading.n_left_out:
        reading.problems.append(InvalidInput(f"there are {reading.n_left_out} more problems in this file", file=file))
    return ReadItems(tuple(items.values()), tuple(reading.problems))


def read_rows(data: bytes, *, file: str, wanted: tuple[str, str] = ("item", "label")) -> tuple[Row, ...]:
    """The rows of any table, a file called `file`; numbers of JSON and cells of CSV are the text that they were.

    Args:
        wanted: two columns by which the separator of a CSV is told.

    Raises:
        InvalidInput: the first thing that is wrong with the file, with its line.
    """
    reader = READERS.get(PurePosixPath(file).suffix.lower())
    if reader is None:
        raise InvalidInput("a table cannot be read from this kind of file", file, f"use one of {', '.join(READERS)}")
    reading = _Reading(file, Columns(*wanted), {})
    rows = tuple(reader(data, reading))
    if reading.problems:
        raise reading.problems[0]
    return rows


def cell_text(row: Row, column: str) -> str:
    """What a row holds under `column`, found as the columns of items are; empty where it holds nothing."""
    return _as_text(_look_up(row.cells, column)).strip()


def _complain_of_columns(reading: _Reading) -> None:
    """Say once which columns no row has, and line by line where single rows lack one."""
    wanted = {column for column in reading.sought if column != "gold" or reading.columns.gold}
    for column in reading.sought:
        if column in wanted - reading.found:
            near = difflib.get_close_matches(column, list(reading.known), n=1, cutoff=0.6)
            hint = f"did you mean {near[0]!r}? " if near else ""
            reading.complain(
                f"there is no column {column!r}", wanted=f"{hint}the columns are: {', '.join(reading.known)}"
            )
    for line, column in reading.absent:
        if column in reading.found:
            reading.complain("this row lacks it", line=line, key=column)


def _item(row: Row, reading: _Reading) -> Item | None:
    columns = reading.columns
    for column, values in columns.where.items():
        if _as_text(reading.cell(row, column)) not in values:
            return None
    name, text = reading.cell(row, columns.id), reading.cell(row, columns.text)
    if name is _ABSENT or text is _ABSENT:
        reading.absent += [
            (row.line, column) for column in (columns.id, columns.text) if reading.cell(row, column) is _ABSENT
        ]
        return None
    context, gold = _context(row, reading), _gold(row, reading)
    fields = {columns.id: _as_text(name).strip(), columns.text: _as_text(text), **context}
    sound = [_sound(value, row.line, column, reading) for column, value in fields.items()]
    if not fields[columns.id]:
        reading.complain("the id is empty", line=row.line, key=columns.id, wanted="give every item its own id")
    elif len(fields[columns.id]) > LONGEST_ID:
        reading.complain(
            "the id is too long", line=row.line, key=columns.id, came=fields[columns.id],
            wanted=f"use at most {LONGEST_ID} characters",
        )  # fmt: skip
    elif isinstance(text, list | dict):
        reading.complain("the text is a list or an object", line=row.line, key=columns.text, wanted="give a text")
    elif not fields[columns.text].strip():
        reading.complain("the text is empty", line=row.line, key=columns.text, wanted="give a text or take the row out")
    elif all(sound):
        return Item(ItemId(fields[columns.id]), fields[columns.text], context, gold)
    return None


def _context(row: Row, reading: _Reading) -> dict[str, str]:
    if reading.columns.context is None:
        inside = row.cells.get("context")
        named: Mapping[str, Any] = inside if isinstance(inside, dict) else {}
    else:
        named = {shown: reading.cell(row, column) for shown, column in reading.columns.context.items()}
    texts = {str(shown): _as_text(value) for shown, value in named.items() if value is not _ABSENT}
    return {shown: text for shown, text in texts.items() if text.strip()}


def _gold(row: Row, reading: _Reading) -> str | None:
    column = reading.columns.gold or "gold"
    written = reading.cell(row, column)
    text = "" if written is _ABSENT else _as_text(written).strip()
    if not text:
        return None
    if text not in reading.gold_names:
        names = ", ".join(dict.fromkeys(reading.gold_names.values()))
        reading.complain(
            "this is none of the labels", line=row.line, key=column, came=text, wanted=f"use one of {names}"
        )
        return None
    return reading.gold_names[text]


def _sound(text: str, line: int, column: str, reading: _Reading) -> bool:
    bad = NO_TEXT.search(text)
    if bad:
        problem = f"there is a character here that is no text (U+{ord(bad.group()):04X})"
        reading.complain(problem, line=line, key=column, wanted="take it out")
    return not bad


def _look_up(cells: Mapping[str, Any], column: str) -> object:
    if column in cells:
        return cells[column]
    inside = cells.get("context")
    if isinstance(inside, dict) and column in inside:
        return inside[column]
    first, _, rest = column.partition(".")
    inside = cells.get(first) if rest else None
    return _look_up(inside, rest) if isinstance(inside, dict) else _ABSENT


def _as_text(value: object) -> str:
    if value is None or value is _ABSENT:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)


def decode(data: bytes, *, file: str) -> str:
    """The text of a file in UTF-8, or in UTF-16 if it says so at its start.

    Raises:
        InvalidInput: it is neither.
    """
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        came = data[error.start : error.start + 1]
        raise InvalidInput("this is not UTF-8 text", came, "save the file as UTF-8", file, line) from error


def _jsonl(data: bytes, reading: _Reading) -> Iterator[Row]:
    # Only line feeds end a line: a text may hold U+2028 and the other separators that `splitlines` would cut at.
    for line, text in enumerate(decode(data, file=reading.file).split("\n"), start=1):
        if not text.strip():
            continue
        try:
            cells = _parse_json(text)
        except ValueError as error:
            reading.complain(f"this line is not JSON: {error}", line=line, wanted="write one object in each line")
            continue
        if isinstance(cells, dict):
            yield Row(line, cells)
        else:
            reading.complain("this line is no object", line=line, came=text, wanted='write {"id": …, "text": …}')


def _json(data: bytes, reading: _Reading) -> Iterator[Row]:
    try:
        rows = _parse_json(decode(data, file=reading.file))
    except ValueError as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else 0
        raise InvalidInput(f"this is not JSON: {error}", file=reading.file, line=line) from error
    if not isinstance(rows, list):
        raise InvalidInput("the file must hold a list of objects", file=reading.file)
    for place, cells in enumerate(rows):
        if isinstance(cells, dict):
            yield Row(0, cells)
        else:
            reading.complain("this entry is no object", key=f"[{place}]", wanted='write {"id": …, "text": …}')


def _parse_json(text: str) -> Any:
    # Numbers stay as written: an id of 007.50 must not become 7.5.
    try:
        return json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error


def _csv(data: bytes, reading: _Reading) -> Iterator[Row]:
    text = decode(data, file=reading.file)
    return _separated(text, _delimiter(text, reading.columns), reading)


def _tsv(data: bytes, reading: _Reading) -> Iterator[Row]:
    return _separated(decode(data, file=reading.file), "\t", reading)


def _separated(text: str, delimiter: str, reading: _Reading) -> Iterator[Row]:
    limit = csv.field_size_limit(max(len(text), 131_072))  # a cell may hold a whole document
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        header = [name.strip() for name in next(reader, [])]
        _refuse_doubles(header, reading)
        line = reader.line_num + 1
        for cells in reader:
            if len(cells) == len(header):
                yield Row(line, dict(zip(header, cells, strict=True)))
            elif cells:
                reading.complain(f"this row has {len(cells)} cells, and the header has {len(header)}", line=line)
            line = reader.line_num + 1
    except csv.Error as error:
        wanted = 'double the quotes inside a quoted cell: "say ""yes"" here"'
        raise InvalidInput(f"this is not a table: {error}", None, wanted, reading.file, reader.line_num) from error
    finally:
        csv.field_size_limit(limit)


def _delimiter(text: str, columns: Columns) -> str:
    """The delimiter that finds most of the wanted columns in the first line, or else most columns."""
    first_line = text.split("\n", 1)[0].rstrip("\r")

    def fitness(delimiter: str) -> tuple[int, int]:
        header = [name.strip().strip('"') for name in first_line.split(delimiter)]
        return len({columns.id, columns.text} & set(header)), len(header)

    return max(DELIMITERS, key=fitness)


def _refuse_doubles(header: Sequence[str], reading: _Reading) -> None:
    doubled = sorted({name for name in header if name and header.count(name) > 1})
    if doubled:
        raise InvalidInput(
            "two columns have one name", doubled[0], "give every column its own name", reading.file, 1, doubled[0]
        )


def _excel(data: bytes, reading: _Reading) -> Iterator[Row]:
    import openpyxl  # type: ignore[import-untyped]  # here because it costs a fifth of a second that most studies need not spend

    try:
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        rows = book.worksheets[0].iter_rows(values_only=True)
        header = [_as_text(cell).strip() for cell in next(rows, ())]
    except Exception as error:  # openpyxl lets many kinds of errors through for a broken file
        raise InvalidInput(f"this is not an Excel workbook: {error}", file=reading.file) from error
    _refuse_doubles(header, reading)
    for line, cells in enumerate(rows, start=2):
        if any(cell is not None for cell in cells):
            named = zip(header, cells, strict=False)
            yield Row(line, {name: cell for name, cell in named if name})


def _parquet(data: bytes, reading: _Reading) -> Iterator[Row]:
    import pyarrow as pa  # here because it costs a quarter of a second that most studies need not spend
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(io.BytesIO(data))
        batches = file.iter_batches()
        line = 0
        for batch in batches:
            for cells in batch.to_pylist():
                line += 1
                yield Row(line, cells)
    except (pa.ArrowException, OSError) as error:
        raise InvalidInput(f"this is not a Parquet file: {error}", file=reading.file) from error


READERS: Mapping[str, Callable[[bytes, _Reading], Iterator[Row]]] = {
    ".jsonl": _jsonl,
    ".ndjson": _jsonl,
    ".json": _json,
    ".csv": _csv,
    ".tsv": _tsv,
    ".xlsx": _excel,
    ".parquet": _parquet,
}
"""How items are read, by the ending of the file's name."""
