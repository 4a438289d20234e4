"""Which databases are accepted, and how connections are set up."""

import sqlite3
from pathlib import Path

import pytest

from crito.model.errors import DatabaseMismatch, InvalidInput
from crito.store import engines
from crito.store.engines import open_engine, parse_url, shown
from crito.store.opening import open_store


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("mysql://host/crito", "'mysql'"),
        ("crito.db", "sqlite:///FILE"),
        ("sqlite://", "needs a file"),
        ("sqlite:///:memory:", "needs a file"),
    ],
)
def test_other_databases_are_refused_with_what_would_do(url: str, told: str) -> None:
    with pytest.raises(InvalidInput, match=told):
        parse_url(url)


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+psycopg", "postgresql+psycopg2"])
def test_postgresql_is_reached_by_one_driver_whatever_its_address_says(scheme: str) -> None:
    assert parse_url(f"{scheme}://ana@host/crito").drivername == "postgresql+psycopg"


def test_an_address_is_shown_without_driver_and_password() -> None:
    assert shown(parse_url("postgres://ana:hunter2@host/crito")) == "postgresql://ana:***@host/crito"


def test_a_server_that_does_not_answer_is_said_without_the_password() -> None:
    with pytest.raises(DatabaseMismatch, match="cannot be used") as caught:
        open_engine("postgresql://ana:hunter2@127.0.0.1:1/crito")

    assert "hunter2" not in str(caught.value)


def test_sqlite_waits_flushes_checks_references_and_overwrites_what_is_erased(sqlite_url: str) -> None:
    engine = open_engine(sqlite_url)
    with engine.connect() as connection:
        settings = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout", "secure_delete")
        }
    engine.dispose()

    assert settings == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "busy_timeout": 10_000,
        "secure_delete": 1,
    }


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="nowhere"):
        open_store(f"sqlite:///{tmp_path / 'nowhere' / 'crito.db'}")


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "items.jsonl"
    file.write_text('{"text": "This is no database, and longer than a header of one would be."}\n' * 20)

    with pytest.raises(DatabaseMismatch, match=r"items\.jsonl"):
        open_store(f"sqlite:///{file}")
    assert file.read_text().startswith('{"text"')


def test_a_network_file_system_is_refused(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "_file_system", lambda folder: "nfs4")

    with pytest.raises(DatabaseMismatch, match=r"network file system \(nfs4\).*PostgreSQL"):
        open_store(sqlite_url)


def test_the_file_system_of_a_folder_is_that_of_its_nearest_mount(tmp_path: Path) -> None:
    assert engines._file_system(Path("/proc/self")) == "proc"
    assert engines._file_system(tmp_path) not in ("", "proc")


def test_a_file_that_somebody_else_holds_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "BUSY_S", 0.05)
    file = tmp_path / "crito.db"
    holder = sqlite3.connect(file)
    holder.execute("CREATE TABLE held (x)")
    holder.execute("BEGIN EXCLUSIVE")
    try:
        with pytest.raises(DatabaseMismatch, match="locked"):
            open_engine(f"sqlite:///{file}")
    finally:
        holder.close()
