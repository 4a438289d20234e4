"""Every statement that a person's way or an owner's page needs is answered by an index."""

from itertools import count
from typing import Any

import pytest

from crito.services import overview, participation
from crito.services.parts import Parts
from crito.services.ports.store import Tx
from crito.services.publishing import publish
from crito.store.opening import open_store
from crito.store.prepared import Prepared, Values
from crito.store.sqlite_store import SqliteStore
from tests.builders import NOON, make_study
from tests.services.conftest import no_models
from tests.services.walking import NAME, enrol, walk


async def test_no_statement_reads_a_whole_table(sqlite_record: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store(sqlite_record)
    assert isinstance(store, SqliteStore)
    asked: dict[str, Any] = {}
    bound = Prepared.bound

    def note(self: Prepared, values: Values) -> Any:
        asked.setdefault(self.text, bound(self, values))
        return bound(self, values)

    seeds = count(1)
    parts = Parts(store, no_models, lambda: NOON, lambda: next(seeds))
    await publish(parts, make_study())
    monkeypatch.setattr(Prepared, "bound", note)
    first, second = [await enrol(parts, name) for name in ("one", "two")]
    await walk(parts, first)
    await walk(parts, second, until="TalkPage")

    def look(tx: Tx) -> None:
        people = [record.participant.id for record in tx.persons(NAME)]
        for derived in (tx.annotation_history, tx.exposures, tx.draws):
            derived(NAME, people)
        tx.people(NAME)
        tx.status_counts(NAME)
        tx.calls(NAME)
        tx.turns([run.id for run in tx.runs([a.id for record in tx.persons(NAME) for a in record.assignments])])

    await store.read(look)
    await overview.expire_leases(parts)
    await participation.withdraw(parts, second)
    await parts.drain()

    whole = []
    for statement, values in asked.items():
        steps = await store.read(lambda _, s=statement, v=values: _plan(store, s, v))  # type: ignore[misc]
        whole += [(step, statement) for step in steps if _reads_everything(step, statement)]
    await store.close()

    assert len(asked) > 30
    assert whole == []


def _plan(store: SqliteStore, statement: str, values: Any) -> list[str]:
    rows = store._reader._raw.execute(f"EXPLAIN QUERY PLAN {statement}", values).fetchall()
    return [row[3] for row in rows]


def _reads_everything(step: str, statement: str) -> bool:
    """A scan of a table, or all rows of the study; but for a page in the order of an index, and counts from an index."""
    if step.startswith("SCAN"):
        return not any(
            harmless in step
            for harmless in ("CONSTANT", "(subquery", "study_versions", " USING ", "json_each", "some_free")
        )
    if step.startswith("SEARCH slots ") and "assignment IS NULL" in statement and step.endswith("(assignment=?)"):
        return True  # every place that is free
    # As many as an owner opened places, or wrote exports, by hand.
    few = step.startswith(("SEARCH openings ", "SEARCH exports "))
    return not few and step.endswith("(study=?)") and "LIMIT" not in statement and " COVERING " not in step
