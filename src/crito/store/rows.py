"""How rows are read and added, the same on every database."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cache
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import Column, Connection, Executable, Table, bindparam, select
from sqlalchemy.dialects import postgresql, sqlite

from crito.model.errors import Conflict, InvalidInput
from crito.store.tables import participants

Value = TypeVar("Value")

IDS_PER_STATEMENT = 1000
"""Well below the number of parameters any database takes."""

_INSERT = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


def columns_of(table: Table, kind: type[Any]) -> list[Column[Any]]:
    """The columns that make up a `kind`, in the order of its fields."""
    return [table.c[field.name] for field in fields(kind)]


def values_of(thing: Any, **more: object) -> dict[str, Any]:
    """The fields of a dataclass by name, not its insides; with `more` beside them."""
    return {field.name: getattr(thing, field.name) for field in fields(thing)} | more


def portions(values: Iterable[Value], size: int = IDS_PER_STATEMENT) -> Iterator[list[Value]]:
    """`values` in lists of at most `size`."""
    rest = iter(values)
    while portion := list(islice(rest, size)):
        yield portion


def storable(text: str) -> str:
    """`text`, if every database can keep it and give it back unchanged.

    Raises:
        InvalidInput: it holds a NUL or half of a surrogate pair.
    """
    for position, character in enumerate(text) if "\0" in text or not _encodable(text) else ():
        if character == "\0" or "\ud800" <= character <= "\udfff":
            raise InvalidInput(
                "a text has a character that cannot be stored",
                came=f"U+{ord(character):04X} at character {position + 1}",
                wanted="take it out",
            )
    return text


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


@cache
def _insertion(dialect: str, table: Table, person: str) -> Any:
    """Adds rows whose keys are new; where the column `person` is named, they get the study of that person."""
    statement: Any = _INSERT[dialect](table).inline()
    if person:
        given: dict[str, Any] = {
            column.name: bindparam(column.name) for column in table.c if column.name not in ("study", "ordinal")
        }
        of_person = select(participants.c.study).where(participants.c.id == given[person])
        statement = statement.values(study=of_person.scalar_subquery(), **given)
    return statement.on_conflict_do_nothing().execution_options(preserve_rowcount=True)


class Rows:
    """A transaction's hold on the tables. A conflict is found by what was not added, since PostgreSQL ends
    a transaction at its first failed statement and a caller may want to go on after a `Conflict`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._dialect = connection.dialect.name

    def _run(self, statement: Executable, values: Mapping[str, Any]) -> int:
        """Execute a statement that changes rows; returns how many it changed."""
        return self._connection.execute(statement, values).rowcount

    def _rows(self, statement: Executable, values: Mapping[str, Any]) -> Sequence[Any]:
        return self._connection.execute(statement, values).all()

    def _first(self, statement: Executable, values: Mapping[str, Any]) -> Any:
        """The first row, or None."""
        return self._connection.execute(statement, values).first()

    def _add_missing(self, table: Table, rows: Sequence[Mapping[str, Any]], *, study_of: str = "") -> int:
        """Add the rows whose keys are not there yet; returns how many were added.

        `study_of` names the column of a person whose study the rows get.
        """
        if not rows:
            return 0
        statement = _insertion(self._dialect, table, study_of)
        return self._connection.execute(statement, rows[0] if len(rows) == 1 else rows).rowcount

    def _add(self, table: Table, *rows: Mapping[str, Any], study_of: str = "") -> None:
        """Add rows.

        Raises:
            Conflict: one of them is there already.
        """
        if self._add_missing(table, rows, study_of=study_of) != len(rows):
            raise Conflict(f"{table.name} has a row under this key already; what was recorded first stays")
