"""The ledger over the real store, on both databases."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime

import anyio
import pytest

from crito.llm.ledger import call_key
from crito.llm.models import Models
from crito.model.errors import ModelUnavailable
from crito.model.ids import RunId
from crito.services.ports.models import CallContext, ChatMessage, ChatRequest
from crito.services.ports.store import Store
from crito.store.opening import open_store
from tests.builders import make_participant
from tests.llm.loopback import Fails, Loopback, Stalls, loopback

ANA = make_participant("ana")
ASKED = ChatRequest("Ask one question.", (ChatMessage("user", "I think it is sarcastic."),), timeout_s=60)
CONTEXT = CallContext(ANA.study, RunId("r"), step=1, attempt=0, annotator=ANA.id)
NAME = "openai:gpt-4o"

ASK_AND_WAIT = """
import asyncio, sys
from datetime import UTC, datetime
from crito.llm.models import Models
from crito.store.opening import open_store
from tests.llm.test_ledger_on_disk import ASKED, CONTEXT, NAME

async def main():
    models = Models(open_store(sys.argv[1]), {"OPENAI_BASE_URL": sys.argv[2]}, lambda: datetime.now(UTC))
    async for piece in models(NAME).stream(ASKED, CONTEXT):
        print(piece, flush=True)

asyncio.run(main())
"""


@pytest.fixture
async def provider() -> AsyncIterator[Loopback]:
    async with loopback() as server:
        yield server


@pytest.fixture
async def store(store: Store) -> Store:
    await store.write(lambda tx: tx.add_participant(ANA, None))
    return store


@pytest.fixture
async def models(store: Store, provider: Loopback) -> AsyncIterator[Models]:
    built = make_models(store, provider)
    yield built
    await built.close()


def make_models(store: Store, provider: Loopback) -> Models:
    return Models(store, {"OPENAI_BASE_URL": f"{provider.url}/v1"}, lambda: datetime.now(UTC))


async def test_what_was_sent_and_said_is_read_back(store, models, provider):
    *pieces, end = [piece async for piece in models(NAME).stream(ASKED, CONTEXT)]

    (call,) = await store.read(lambda tx: tx.calls(ANA.study))
    words = await store.read(lambda tx: tx.words([call.request, call.reply]))
    assert (call.key, call.status, call.served_model) == (end.call, "answered", "served-model")
    assert (call.input_tokens, call.cached_tokens, call.output_tokens) == (120, 40, 9)
    assert words[call.reply] == "".join(pieces)
    assert "I think it is sarcastic." in words[call.request]


async def test_another_process_is_served_from_the_ledger(store, record_url, models, provider):
    first = [piece async for piece in models(NAME).stream(ASKED, CONTEXT)]

    elsewhere = open_store(record_url)
    others = make_models(elsewhere, provider)
    again = [piece async for piece in others(NAME).stream(ASKED, CONTEXT)]
    await others.close()
    await elsewhere.close()

    assert len(provider.bodies) == 1
    assert ("".join(again[:-1]), again[-1]) == ("".join(first[:-1]), first[-1])


async def test_the_same_ask_at_the_same_time_is_sent_once(models, provider):
    async def ask() -> str:
        try:
            return "".join([str(piece) async for piece in models(NAME).stream(ASKED, CONTEXT)][:-1])
        except ModelUnavailable:
            return ""

    said = await asyncio.gather(*(ask() for _ in range(8)))

    assert len(provider.bodies) == 1
    assert set(said) <= {"", "Which words made you think so?"}
    assert any(said)


async def test_many_dialogues_at_once_each_have_their_call(store, models, provider):
    async def ask(step: int) -> None:
        async for _ in models(NAME).stream(ASKED, replace(CONTEXT, step=step)):
            pass

    await asyncio.gather(*(ask(step) for step in range(30)))

    calls = await store.read(lambda tx: tx.calls(ANA.study))
    assert len(provider.bodies) == 30
    assert {call.key for call in calls} == {call_key(NAME, ASKED, replace(CONTEXT, step=step)) for step in range(30)}
    assert {call.status for call in calls} == {"answered"}


async def test_a_withdrawal_blanks_both_sides_of_a_call_and_keeps_the_accounting(store, models, provider):
    [piece async for piece in models(NAME).stream(ASKED, CONTEXT)]

    await store.write(lambda tx: tx.erase_words(ANA.id))

    (call,) = await store.read(lambda tx: tx.calls(ANA.study))
    words = await store.read(lambda tx: tx.words([call.request, call.reply]))
    assert set(words.values()) == {None}
    assert (call.status, call.input_tokens) == ("answered", 120)


@asynccontextmanager
async def visitor() -> AsyncIterator[Callable[[], None]]:
    """A web framework cancels what a visitor has asked for and left, again at every wait inside."""
    with anyio.CancelScope() as scope:
        yield scope.cancel


@asynccontextmanager
async def limit() -> AsyncIterator[Callable[[], None]]:
    """A service cancels what takes too long."""
    with suppress(TimeoutError):
        async with asyncio.timeout(None) as timeout:
            yield lambda: timeout.reschedule(asyncio.get_running_loop().time())


@pytest.mark.parametrize("cancelled_by", [visitor, limit])
async def test_a_reader_who_is_cancelled_hangs_up_and_leaves_what_came(store, models, provider, cancelled_by):
    provider.next = [Stalls(pieces=("Which",))]
    model, heard = models(NAME), []

    async with cancelled_by() as cancel:
        async for piece in model.stream(ASKED, CONTEXT):
            heard.append(piece)
            cancel()
    await model.close()
    await provider.gone.wait()

    (call,) = await store.read(lambda tx: tx.calls(ANA.study))
    assert heard == ["Which"]
    assert (call.status, call.finish_reason) == ("truncated", "closed")
    assert await store.read(lambda tx: tx.words([call.reply])) == {call.reply: "Which"}


async def test_a_wrong_key_leaves_no_trace_in_the_record(store, provider):
    provider.next = [Fails(401, message="Incorrect API key provided: sk-secret-4711")]
    environment = {"OPENAI_BASE_URL": f"{provider.url}/v1", "OPENAI_API_KEY": "sk-secret-4711"}
    models = Models(store, environment, lambda: datetime.now(UTC))

    with pytest.raises(ModelUnavailable):
        [piece async for piece in models(NAME).stream(ASKED, CONTEXT)]
    await models.close()

    (call,) = await store.read(lambda tx: tx.calls(ANA.study))
    words = await store.read(lambda tx: tx.words([call.request]))
    assert call.error == "openai:gpt-4o did not accept the key in OPENAI_API_KEY (HTTP 401)"
    assert "sk-secret-4711" not in f"{call} {words}"


@pytest.mark.slow
async def test_a_call_in_flight_when_the_process_was_killed_is_not_paid_twice(store, record_url, models, provider):
    provider.next = [Stalls(pieces=("Which",))]
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", ASK_AND_WAIT, record_url, f"{provider.url}/v1",
        stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )  # fmt: skip
    assert process.stdout is not None
    assert await process.stdout.readline() == b"Which\n"
    process.kill()
    await process.wait()

    with pytest.raises(ModelUnavailable, match="not asked again"):
        [piece async for piece in models(NAME).stream(ASKED, CONTEXT)]

    (call,) = await store.read(lambda tx: tx.calls(ANA.study))
    assert len(provider.bodies) == 1
    assert call.status == "intended"
