"""How rows are read and added, the same on every database."""

from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar

from sqlalchemy import ClauseElement, Column, Table, bindparam, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine.interfaces import DBAPICursor

from crito.model.errors import Conflict, InvalidInput
from crito.store.prepared import Statements, Values
from crito.store.tables.people import participants

Thing = TypeVar("Thing")


def columns_of(table: Table, kind: type) -> list[Column[Any]]:
    """The columns that make up a `kind`, in the order of its fields."""
    return [table.c[name] for name in _fields_of(kind)]


def values_of(thing: Any, **more: object) -> dict[str, Any]:
    """The fields of a dataclass by name, not its insides; with `more` beside them."""
    return {name: getattr(thing, name) for name in _fields_of(thing.__class__)} | more


@cache
def _fields_of(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


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


def insert_into(dialect: str, table: Table) -> Any:
    """An insertion that can be told what to do about keys that are there already; each database has its own kind."""
    return (postgresql.insert if dialect == "postgresql" else sqlite.insert)(table)


@cache
def _insertion(dialect: str, table: Table, columns: tuple[str, ...], person: str) -> ClauseElement:
    """Adds rows whose keys are new; where the column `person` is named, they get the study of that person."""
    given: dict[str, Any] = {name: bindparam(name) for name in columns}
    if person:
        of_person = select(participants.c.study).where(participants.c.id == given[person])
        given["study"] = of_person.scalar_subquery()
    added: ClauseElement = insert_into(dialect, table).inline().values(given).on_conflict_do_nothing()
    return added


class Rows:
    """A transaction's hold on the tables. A conflict is found by what was not added, since PostgreSQL ends
    a transaction at its first failed statement and a caller may want to go on after a `Conflict`."""

    def __init__(self, connection: Any, statements: Statements) -> None:
        """`connection` is the driver's own."""
        self._connection = connection
        self._statements = statements

    def _run(self, statement: ClauseElement, values: Values) -> int:
        """Execute a statement that changes rows; returns how many it changed."""
        changed: int = self._execute(statement, values).rowcount
        return changed

    def _run_each(self, statement: ClauseElement, values: Sequence[Values]) -> int:
        """Execute a statement that changes rows with each of the values; returns how many it changed."""
        prepared = self._statements[statement]
        cursor = self._connection.cursor()
        cursor.executemany(prepared.text, [prepared.bound(some) for some in values])
        changed: int = cursor.rowcount
        return changed

    def _rows(self, statement: ClauseElement, values: Values) -> list[Any]:
        return self._statements[statement].rows(self._execute(statement, values))

    def _each(self, kind: Callable[..., Thing], statement: ClauseElement, values: Values) -> list[Thing]:
        """What the rows stand for, their cells being what makes up a `kind`."""
        return self._statements[statement].rows(self._execute(statement, values), kind)

    def _first(self, statement: ClauseElement, values: Values) -> Any:
        """The first row, or None."""
        rows = self._rows(statement, values)
        return rows[0] if rows else None

    def _execute(self, statement: ClauseElement, values: Values) -> DBAPICursor:
        prepared = self._statements[statement]
        cursor: DBAPICursor = self._connection.cursor()
        cursor.execute(prepared.text, prepared.bound(values))
        return cursor

    def _add_missing(self, table: Table, rows: Sequence[Values], *, study_of: str = "") -> int:
        """Add the rows whose keys are not there yet; returns how many were added.

        `study_of` names the column of a person whose study the rows get.
        """
        if not rows:
            return 0
        statement = _insertion(self._statements.dialect.name, table, tuple(rows[0]), study_of)
        return self._run(statement, rows[0]) if len(rows) == 1 else self._run_each(statement, rows)

    def _add(self, table: Table, *rows: Values, study_of: str = "") -> None:
        """Add rows.

        Raises:
            Conflict: one of them is there already.
        """
        if self._add_missing(table, rows, study_of=study_of) != len(rows):
            raise Conflict(f"{table.name} has a row under this key already; what was recorded first stays")
