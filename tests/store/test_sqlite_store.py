"""How the store uses the files of an SQLite database."""

import sqlite3
from contextlib import closing

from crito.model.ids import AnnotatorId
from crito.store.opening import open_store
from crito.store.sqlite_store import SqliteStore
from tests.contracts.recording import enrol


async def test_what_was_committed_is_copied_out_of_the_log_beside_the_commits(sqlite_record: str) -> None:
    store = open_store(sqlite_record)
    assert isinstance(store, SqliteStore)

    await store.write(lambda tx: enrol(tx, AnnotatorId("ana")))

    assert store._copier._copying is not None
    store._copier._copying.result(timeout=30)
    without_the_log = f"file:{sqlite_record.removeprefix('sqlite:///')}?immutable=1"
    with closing(sqlite3.connect(without_the_log, uri=True)) as connection:
        kept = connection.execute("SELECT id FROM participants").fetchall()
    await store.close()
    assert kept == [("ana",)]
