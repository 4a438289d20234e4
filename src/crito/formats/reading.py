"""Labels from a file of any kind that is known here: a format of the field, or a table."""

from collections.abc import Collection, Mapping
from pathlib import Path

from crito.formats.label_files import LABEL_FORMATS, read_labels
from crito.formats.table_files import REPEATS, ReadTable, Repeats, TableOptions, read_table
from crito.model.errors import InvalidInput


def read_file(
    file: Path,
    *,
    form: str = "",
    items: Path | None = None,
    columns: Mapping[str, str] | None = None,
    not_sure: Collection[str] = (),
    repeats: str = "refused",
) -> ReadTable:
    """The labels of a file, in one of the formats of the field, or in a table if `form` is empty.

    Raises:
        InvalidInput: the file cannot be read or used, or there is no such format.
    """
    if form:
        if form not in LABEL_FORMATS:
            wanted = f"one of {', '.join(LABEL_FORMATS)}, or none for a table"
            raise InvalidInput("there is no such format", came=form, wanted=wanted, key="format")
        reading = read_labels(file, LABEL_FORMATS[form])
        return ReadTable(reading.table(), tuple(f"{what} ({count} times)" for what, count in reading.remarks.items()))
    options = TableOptions(columns or {}, frozenset(not_sure), repeats_named(repeats))
    return read_table(file, options, items=items)


def repeats_named(named: str) -> Repeats:
    """How repeated labels are taken, by its name.

    Raises:
        InvalidInput: there is no such way.
    """
    for repeats in REPEATS:
        if named == repeats:
            return repeats
    raise InvalidInput("there is no such way", came=named, wanted=f"one of {', '.join(REPEATS)}", key="repeats")
