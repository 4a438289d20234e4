"""Statements as a database's driver takes them: compiled by SQLAlchemy once, then run by the driver itself.

SQLAlchemy's way of running a statement costs several times what SQLite takes for a small one, and a form needs a dozen.
"""

import json
from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from sqlalchemy import ARRAY, ClauseElement, ColumnElement, Dialect, Text, bindparam
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.types import TypeDecorator, TypeEngine

Values = Mapping[str, Any]
Convert = Callable[[Any], Any]
Where = TypeVar("Where")


class Prepared:
    """One statement in the words of one database: how its values go in, and how its rows come out."""

    def __init__(self, statement: ClauseElement, dialect: Dialect) -> None:
        compiled: Any = statement.compile(dialect=dialect)
        self.text = str(compiled)
        self._fixed: Values = compiled.params
        self._order: Sequence[str] | None = compiled.positiontup
        # A name may stand for several places; what comes in under it is converted once.
        by_name = {name: bound for bound, name in compiled.bind_names.items()}
        self._into = _converters(
            (name, bound.type.dialect_impl(dialect).bind_processor(dialect)) for name, bound in by_name.items()
        )
        self._dialect = dialect
        self._columns: list[ColumnElement[Any]] = list(getattr(statement, "exported_columns", ()))
        self._out: list[tuple[int, Convert]] | None = None
        # Named by the columns; one that has no name of its own is found by its place.
        names = [getattr(column, "key", None) or "" for column in self._columns]
        row: Any = namedtuple("Row", names, rename=True)  # type: ignore[misc]
        self._row: Callable[..., Any] = row

    def bound(self, values: Values) -> Any:
        """`values` in the form and order in which the driver takes them."""
        all_values = {**self._fixed, **values}
        for name, convert in self._into:
            all_values[name] = convert(all_values[name])
        return all_values if self._order is None else [all_values[name] for name in self._order]

    def rows(self, cursor: DBAPICursor, kind: Callable[..., Any] | None = None) -> list[Any]:
        """What the driver has found: as the `kind` that takes the cells of a row, or else as named tuples."""
        if self._out is None:
            self._out = _converters(
                (n, column.type.dialect_impl(self._dialect).result_processor(self._dialect, described[1]))
                for n, (column, described) in enumerate(zip(self._columns, cursor.description, strict=True))
            )
        make = kind or self._row
        if not self._out:
            return [make(*row) for row in cursor.fetchall()]
        made = []
        for row in cursor.fetchall():
            cells = list(row)
            for n, convert in self._out:
                cells[n] = convert(cells[n])
            made.append(make(*cells))
        return made


def _converters(found: Iterable[tuple[Where, Convert | None]]) -> list[tuple[Where, Convert]]:
    return [(where, convert) for where, convert in found if convert is not None]


class Statements:
    """The statements of one kind of database, each prepared when it is first asked for."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self._prepared: dict[ClauseElement, Prepared] = {}

    def __getitem__(self, statement: ClauseElement) -> Prepared:
        prepared = self._prepared.get(statement)
        if prepared is None:
            prepared = self._prepared[statement] = Prepared(statement, self.dialect)
        return prepared


class _Ids(TypeDecorator[Sequence[str]]):
    """A list of ids that is one value: SQLite unpacks it from JSON."""

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return dialect.type_descriptor(ARRAY(Text) if dialect.name == "postgresql" else Text())

    def bind_processor(self, dialect: Dialect) -> Callable[[Any], Any] | None:
        return None if dialect.name == "postgresql" else json.dumps


class _Unpacked(ColumnElement[str]):
    """The ids in a list that is one value."""

    inherit_cache = False
    type = Text()

    def __init__(self, name: str) -> None:
        self.ids = bindparam(name, type_=_Ids())


@compiles(_Unpacked, "sqlite")
def _from_json(unpacked: _Unpacked, compiler: Any, **options: Any) -> str:
    return f"(SELECT value FROM json_each({compiler.process(unpacked.ids, **options)}))"  # noqa: S608


@compiles(_Unpacked, "postgresql")
def _from_array(unpacked: _Unpacked, compiler: Any, **options: Any) -> str:
    return f"(SELECT unnest({compiler.process(unpacked.ids, **options)}))"


def among(column: ColumnElement[str], name: str) -> ColumnElement[bool]:
    """Whether `column` holds one of the ids that come in under `name`, however many they are."""
    return column.bool_op("IN")(_Unpacked(name))
