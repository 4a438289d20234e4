"""What the tables are made of: kinds of columns, and the catalogue that every table stands in."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any

from sqlalchemy import BigInteger, Column, DateTime, Dialect, ForeignKey, Integer, MetaData, Text
from sqlalchemy.types import TypeDecorator, TypeEngine

to_json = partial(json.dumps, ensure_ascii=False, separators=(",", ":"), default=dict)


def _utc(value: datetime | None) -> datetime | None:
    if value is not None and value.tzinfo is None:
        raise ValueError(f"a stored time must say its zone, but got {value!r}")
    return value


def _utc_text(value: datetime | None) -> str | None:
    aware = _utc(value)
    return None if aware is None else aware.astimezone(UTC).isoformat(timespec="microseconds")


def _time_of(value: str | None) -> datetime | None:
    return None if value is None else datetime.fromisoformat(value)


class UtcTime(TypeDecorator[datetime]):
    """An aware time; SQLite keeps it as text of fixed width in UTC, which sorts as the times do."""

    impl = Text
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        return dialect.type_descriptor(DateTime(timezone=True) if dialect.name == "postgresql" else Text())

    def bind_processor(self, dialect: Dialect) -> Callable[[Any], Any] | None:
        return _utc if dialect.name == "postgresql" else _utc_text

    def result_processor(self, dialect: Dialect, coltype: object) -> Callable[[Any], Any] | None:
        return None if dialect.name == "postgresql" else _time_of


Name = Text().with_variant(Text(collation="C"), "postgresql")
"""Text that is sorted by code point on every database."""

Ordinal = BigInteger().with_variant(Integer(), "sqlite")

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    }
)


def required(name: str, type_: Any, *rest: Any, **options: Any) -> Column[Any]:
    return Column(name, type_, *rest, nullable=False, **options)


def study_column() -> Column[Any]:
    return required("study", Name)


def ordinal_column() -> Column[Any]:
    return Column("ordinal", Ordinal, primary_key=True, autoincrement=True)


def person_column() -> Column[Any]:
    return required("annotator", Name, ForeignKey("participants.id"))
