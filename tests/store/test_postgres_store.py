"""How the store uses its connections to PostgreSQL."""

from typing import Any

import pytest

from crito.model.ids import AnnotatorId
from crito.services.ports.store import Tx
from crito.store.opening import open_store
from tests.contracts.recording import STUDY, enrol


async def test_a_connection_keeps_its_statements_when_work_fails(postgres_record: str) -> None:
    store = open_store(postgres_record)

    def look(tx: Any) -> tuple[int, list[str]]:
        tx.persons(STUDY)
        prepared = tx._connection.execute("SELECT name FROM pg_prepared_statements ORDER BY name").fetchall()
        return tx._connection.info.backend_pid, [name for (name,) in prepared]

    def fails(tx: Tx) -> None:
        enrol(tx, AnnotatorId("ana"))
        raise ValueError("no")

    for _ in range(3):
        before = await store.read(look)
    with pytest.raises(ValueError, match="no"):
        await store.write(fails)
    after = await store.read(look)
    await store.close()

    assert before[0] == after[0]
    assert before[1]
    assert set(before[1]) <= set(after[1])
