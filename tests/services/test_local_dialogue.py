"""One dialogue with real weights on the real llama.cpp: structure is asserted, never text."""

from collections.abc import AsyncIterator
from itertools import count

import pytest

from crito.llm.local import LocalSettings, announce, local_servers
from crito.llm.models import Models
from crito.model.study import Partner
from crito.services.parts import Parts
from crito.services.publishing import publish
from crito.store.opening import open_store
from tests.builders import make_condition, make_study, make_task
from tests.services.conftest import Clock
from tests.services.walking import NAME, enrol, walk

SMALL = LocalSettings(slots=1, context_tokens=2048, threads=2, cache_mib=16)


@pytest.fixture
async def parts(weights: str, sqlite_record: str) -> AsyncIterator[Parts]:
    with local_servers([weights], SMALL) as servers:
        store, clock, seeds = open_store(sqlite_record), Clock(), count(1)
        models = Models(store, announce(servers), clock)
        made = Parts(store, models, clock, lambda: next(seeds))
        yield made
        await made.drain()
        await models.close()
        await store.close()


@pytest.mark.slow
@pytest.mark.local_model
async def test_a_tiny_local_model_holds_a_dialogue_inside_the_rules(parts, weights):
    partner = Partner(model=f"local:{weights}", first_sentence_s=120)
    await publish(parts, make_study(tasks=(make_task("sarcasm"),), conditions=(make_condition(partner=partner),)))

    person = await enrol(parts)
    end = await walk(parts, person)

    record = await parts.store.read(lambda tx: tx.person(person))
    (assignment,) = record.assignments
    turns = await parts.store.read(lambda tx: [t for r in tx.runs([assignment.id]) for t in tx.turns([r.id])[r.id]])
    calls = await parts.store.read(lambda tx: tx.calls(NAME))
    assert end.ending == "done"
    assert {t.kind for t in turns if t.speaker == "partner" and not t.no_answer} <= {
        "fixed",
        "script",
        "routed",
        "trimmed",
    }
    assert any(not t.violations and t.text.count("?") == 1 for t in turns if t.speaker == "partner")
    assert calls
    assert {(call.status, call.cost_usd) for call in calls} <= {("answered", 0.0), ("truncated", 0.0)}
