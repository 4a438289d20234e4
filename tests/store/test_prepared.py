"""Statements that SQLAlchemy writes and the driver runs."""

import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy import ClauseElement, Column, Integer, MetaData, Table, Text, bindparam, create_engine, func, select

from crito.store.prepared import Prepared, Statements, among
from crito.store.tables.columns import UtcTime

DIALECT = create_engine("sqlite://").dialect
days = Table("days", MetaData(), Column("id", Text), Column("at", UtcTime), Column("n", Integer))
NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


@pytest.fixture
def connection() -> sqlite3.Connection:
    opened = sqlite3.connect(":memory:")
    opened.execute("CREATE TABLE days (id TEXT, at TEXT, n INTEGER)")
    return opened


def test_times_go_in_as_sorted_text_and_come_out_as_times(connection: sqlite3.Connection) -> None:
    add = Prepared(days.insert().values(id=bindparam("id"), at=bindparam("at"), n=1), DIALECT)
    in_rome = NOON.astimezone(timezone(timedelta(hours=2)))

    connection.execute(add.text, add.bound({"id": "a", "at": in_rome}))

    look = Prepared(select(days.c.id, days.c.at), DIALECT)
    assert connection.execute("SELECT at FROM days").fetchall() == [("2026-05-04T12:00:00.000000+00:00",)]
    assert look.rows(connection.execute(look.text)) == [("a", NOON)]


def test_a_value_used_twice_and_one_that_stands_in_the_statement_find_their_places(
    connection: sqlite3.Connection,
) -> None:
    connection.executemany("INSERT INTO days VALUES (?, ?, ?)", [("a", "", 1), ("b", "", 2), ("c", "", 3)])
    n: ClauseElement = (
        select(days.c.id)
        .where((days.c.n == bindparam("n")) | (days.c.n == bindparam("n") + 1), days.c.id != "c")
        .limit(bindparam("most"))
    )

    found = Prepared(n, DIALECT)

    assert found.rows(connection.execute(found.text, found.bound({"most": 5, "n": 2}))) == [("b",)]


def test_a_time_that_two_places_share_is_converted_once(connection: sqlite3.Connection) -> None:
    connection.execute("INSERT INTO days VALUES ('a', '2026-05-04T11:00:00.000000+00:00', 1)")
    before = select(days.c.id).where(days.c.at < bindparam("now"), days.c.at != bindparam("now"))

    found = Prepared(before, DIALECT)

    assert found.rows(connection.execute(found.text, found.bound({"now": NOON}))) == [("a",)]


def test_rows_are_named_by_their_columns_or_made_into_what_they_stand_for(connection: sqlite3.Connection) -> None:
    connection.execute("INSERT INTO days VALUES ('a', NULL, 7)")
    look = Prepared(select(days.c.n, func.count()), DIALECT)

    assert look.rows(connection.execute(look.text))[0].n == 7
    assert look.rows(connection.execute(look.text), lambda n, many: n + many) == [8]


@pytest.mark.parametrize(("ids", "found"), [(["a", "c"], ["a", "c"]), ([], []), (["x'); --", 'b"'], [])])
def test_a_list_of_ids_is_one_value(connection: sqlite3.Connection, ids: Sequence[str], found: Sequence[str]) -> None:
    connection.executemany("INSERT INTO days VALUES (?, NULL, 0)", [("a",), ("b",), ("c",)])
    some = Prepared(select(days.c.id).where(among(days.c.id, "ids")).order_by(days.c.id), DIALECT)

    assert [row.id for row in some.rows(connection.execute(some.text, some.bound({"ids": ids})))] == found


def test_a_statement_is_compiled_once() -> None:
    statements, statement = Statements(DIALECT), select(days.c.id)

    assert statements[statement] is statements[statement]
