"""Words of people who withdrew are gone from the files of the database, not only from its tables."""

import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from crito.services.ports.store import Store, Tx
from crito.store.opening import open_store
from tests.builders import NOON
from tests.contracts.recording import ANA, BEN, enrol

SECRET = "the aubergine conspiracy"


def _talk(tx: Tx) -> None:
    enrol(tx, ANA, BEN)
    for number in range(40):
        tx.keep_words(ANA, f"{number} {SECRET} " + "and more of it " * 20 * number)
        tx.keep_words(BEN, f"{number} nothing of the kind")
    tx.put_draft(ANA, "survey", {"q_feedback": SECRET}, NOON)


def _withdraw(tx: Tx) -> None:
    tx.end_participation(ANA, "withdrawn", NOON)
    tx.erase_words(ANA)


def _files_with(secret: str, folder: Path) -> list[str]:
    return [file.name for file in folder.iterdir() if secret.encode() in file.read_bytes()]


@pytest.fixture
async def workers(sqlite_record: str) -> AsyncIterator[list[Store]]:
    opened = [open_store(sqlite_record), open_store(sqlite_record)]
    yield opened
    for store in opened:
        await store.close()


async def test_no_file_of_the_database_holds_erased_words(workers: list[Store], tmp_path: Path) -> None:
    await workers[0].write(_talk)
    assert _files_with(SECRET, tmp_path)

    await workers[1].write(_withdraw)

    assert not _files_with(SECRET, tmp_path)


async def test_a_reader_of_an_earlier_moment_delays_it_until_a_later_write(
    workers: list[Store], tmp_path: Path
) -> None:
    await workers[0].write(_talk)
    reader = sqlite3.connect(tmp_path / "crito.db", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM words").fetchone()
    await workers[0].write(_withdraw)
    reader.close()

    await workers[0].write(lambda tx: tx.keep_words(BEN, "a later write"))

    assert not _files_with(SECRET, tmp_path)
