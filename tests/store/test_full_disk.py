"""A database that has no room left."""

from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from crito.model.errors import CritoError
from crito.store.errors import our_errors


def test_a_full_disk_is_told_as_what_it_is(tmp_path: Path) -> None:
    engine = create_engine(f"sqlite:///{tmp_path / 'small.db'}")
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE words (word TEXT)"))

    with (
        pytest.raises(CritoError, match="its disk is full; what was recorded is kept"),
        our_errors(),
        engine.begin() as connection,
    ):
        connection.execute(text("PRAGMA max_page_count = 3"))
        connection.execute(text("INSERT INTO words VALUES (:word)"), {"word": "w" * 100_000})

    engine.dispose()
