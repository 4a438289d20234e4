"""A database that has no room left."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from crito.model.errors import CritoError
from crito.store.errors import our_errors


def test_a_full_disk_is_told_as_what_it_is(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "small.db")) as connection:
        connection.execute("CREATE TABLE words (word TEXT)")
        connection.execute("PRAGMA max_page_count = 3")

        with pytest.raises(CritoError, match="its disk is full; what was recorded is kept"), our_errors(sqlite3):
            connection.execute("INSERT INTO words VALUES (?)", ["w" * 100_000])
