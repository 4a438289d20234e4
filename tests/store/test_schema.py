"""Editions of the schema: made, brought up to date with their rows, refused when unknown."""

import asyncio
import json
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, inspect, text

from crito.model.errors import DatabaseMismatch
from crito.model.ids import AnnotatorId, StudyName
from crito.model.record import Export, Identity
from crito.services.ports.store import Tx
from crito.store import schema
from crito.store.engines import open_engine
from crito.store.opening import open_store
from crito.store.schema import EDITION, REVISIONS, check_schema, upgrade
from crito.store.tables.columns import metadata
from tests.builders import NOON, make_participant

STUDY = StudyName("kettles")


def _run(url: str, *statements: str) -> None:
    engine = open_engine(url)
    with engine.connect() as connection:
        for statement in statements:
            connection.execute(text(statement))
        connection.commit()
    engine.dispose()


def _refusal(url: str) -> str:
    engine = open_engine(url)
    try:
        with pytest.raises(DatabaseMismatch) as refused:
            check_schema(engine)
    finally:
        engine.dispose()
    return str(refused.value)


def _look(url: str, question: Any) -> Any:
    engine: Engine = open_engine(url)
    try:
        return question(engine)
    finally:
        engine.dispose()


def test_the_known_revisions_are_those_of_the_migrations_in_their_order() -> None:
    config = Config()
    config.set_main_option("script_location", "src/crito/store/migrations")
    config.set_main_option("path_separator", "os")

    scripts = list(ScriptDirectory.from_config(config).walk_revisions())

    assert tuple(script.revision for script in reversed(scripts)) == REVISIONS


def test_the_migrations_make_the_tables_that_the_code_uses(store_url: str) -> None:
    def differences(engine: Engine) -> list[Any]:
        with engine.connect() as connection:
            context = MigrationContext.configure(connection, opts={"compare_type": True})
            return compare_metadata(context, metadata)

    upgrade(store_url, REVISIONS[0])
    upgrade(store_url)

    assert _look(store_url, differences) == []


def test_a_new_database_is_like_one_that_went_through_all_editions(record_url: str) -> None:
    new = _look(record_url, structure)
    _look(record_url, metadata.drop_all)
    _look(record_url, EDITION.drop)

    upgrade(record_url, REVISIONS[0])
    upgrade(record_url)

    assert _look(record_url, structure) == new


def structure(engine: Engine) -> dict[str, Any]:
    """All that the database says of its tables, in an order of its own."""
    look = inspect(engine)

    def of(table: str) -> dict[str, Any]:
        columns = {one["name"]: (str(one["type"]), one["nullable"], one["default"]) for one in look.get_columns(table)}
        rules = [
            look.get_pk_constraint(table),
            *look.get_foreign_keys(table),
            *look.get_unique_constraints(table),
            *look.get_check_constraints(table),
            *look.get_indexes(table),
        ]
        return {"columns": columns, "rules": sorted(map(told, rules))}

    def told(rule: Any) -> str:
        options = {name: str(value) for name, value in rule.get("dialect_options", {}).items()}
        return str({**rule, "dialect_options": options})

    return {table: of(table) for table in look.get_table_names()}


def test_the_indexes_of_free_slots_and_held_places_are_partial(record_url: str) -> None:
    def conditions(engine: Engine) -> dict[str, str]:
        found = [index for table in ("slots", "assignments") for index in inspect(engine).get_indexes(table)]
        key = f"{engine.dialect.name}_where"
        return {str(i["name"]): str(i["dialect_options"][key]) for i in found if key in i.get("dialect_options", {})}

    assert set(_look(record_url, conditions)) == {"ix_slots_free", "uq_assignments_held", "ix_assignments_leased"}


def test_an_upgrade_keeps_every_row(store_url: str) -> None:
    upgrade(store_url, "0001")
    values = {
        "participants": "('ana', 'kettles', 1, 'real', 'en', 'socratic', 7, '2026-05-04T12:00:00.000000+00:00', NULL, NULL)",
        "identities": "('kettles', 'prolific', '5f00', 's', 'ana')",
        "words": "('w', 'kettles', 'ana', 'The tone. 🫖')",
    }
    _run(store_url, *(f"INSERT INTO {table} VALUES {row}" for table, row in values.items()))

    upgrade(store_url)

    async def look() -> None:
        store = open_store(store_url)
        export = Export(STUDY, "a.csv", "csv", "turns", 1, "0" * 64, NOON)
        await store.write(lambda tx: tx.add_export(export))

        def work(tx: Tx) -> tuple[Any, ...]:
            return tx.find_person(STUDY, Identity("prolific", "5f00")), tx.person(AnnotatorId("ana")), tx.words(["w"])  # type: ignore[list-item]

        found, record, words = await store.read(work)
        assert found == "ana"
        assert record.participant == make_participant("ana", arrived_at=NOON)
        assert words == {"w": "The tone. 🫖"}
        assert await store.read(lambda tx: tx.exports(STUDY)) == [export]
        await store.close()

    asyncio.run(look())


def test_an_upgrade_of_a_present_database_changes_nothing(record_url: str) -> None:
    before = _look(record_url, lambda engine: sorted(inspect(engine).get_table_names()))

    upgrade(record_url)

    assert _look(record_url, lambda engine: sorted(inspect(engine).get_table_names())) == before


def test_an_older_schema_is_refused_with_the_command_that_would_do(store_url: str) -> None:
    upgrade(store_url, "0001")

    refusal = _refusal(store_url)

    assert "of schema 0001" in refusal
    assert f"needs {REVISIONS[-1]}" in refusal
    assert "crito db upgrade --db " in refusal
    with pytest.raises(DatabaseMismatch):
        open_store(store_url)


def test_a_newer_schema_is_refused_by_opening_and_by_upgrading(record_url: str) -> None:
    _run(record_url, "UPDATE alembic_version SET version_num = '9999'")

    assert "'9999'" in _refusal(record_url)
    with pytest.raises(DatabaseMismatch, match="does not know"):
        upgrade(record_url)


def test_a_database_of_somebody_else_is_left_alone(store_url: str) -> None:
    _run(store_url, "CREATE TABLE recipes (name TEXT)")

    assert "not Crito's" in _refusal(store_url)
    with pytest.raises(DatabaseMismatch, match="not Crito's"):
        upgrade(store_url)
    assert _look(store_url, lambda engine: inspect(engine).get_table_names()) == ["recipes"]


def test_an_empty_database_is_told_from_a_strange_one(store_url: str) -> None:
    assert "is empty" in _refusal(store_url)


def test_a_failed_upgrade_leaves_the_database_as_it_was(store_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    upgrade(store_url, "0001")
    monkeypatch.setattr(schema, "REVISIONS", (*REVISIONS, "9999"))

    with pytest.raises(Exception, match="9999"):
        upgrade(store_url, "9999")

    assert "of schema 0001" in _refusal(store_url)


def test_the_password_of_a_database_is_in_no_message(postgres_url: str) -> None:
    user, host = postgres_url.split("@")
    refusal = _refusal(f"{user}:hunter2@{host}")

    assert "hunter2" not in refusal
    assert "crito db upgrade --db postgresql://" in refusal


def test_two_processes_may_open_a_new_database_at_once(store_url: str) -> None:
    async def open_both() -> list[Any]:
        stores = await asyncio.gather(*(asyncio.to_thread(open_store, store_url) for _ in range(3)))
        for store in stores:
            await store.close()
        return list(stores)

    assert len(asyncio.run(open_both())) == 3


def test_json_is_kept_readable(record_url: str) -> None:
    async def write() -> None:
        store = open_store(record_url)

        def work(tx: Tx) -> None:
            tx.add_participant(make_participant("ana"), None)
            tx.put_draft(AnnotatorId("ana"), "f", {"message": "مرحبا"}, NOON)

        await store.write(work)
        await store.close()

    asyncio.run(write())

    def kept(engine: Engine) -> str:
        with engine.connect() as connection:
            return str(connection.execute(text("SELECT CAST(fields AS TEXT) FROM drafts")).scalar())

    raw = _look(record_url, kept)
    assert "مرحبا" in raw
    assert json.loads(raw) == {"message": "مرحبا"}
