import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

import pytest

from crito.llm.ledger import RecordedModel, call_key
from crito.model.errors import ModelUnavailable
from crito.model.ids import AnnotatorId, RunId, StudyName
from crito.services.ports.models import CallContext, ChatMessage, ChatRequest, Completion
from tests.llm.controls import make_controls
from tests.llm.memory_store import MemoryStore, MemoryTx

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
ASKED = ChatRequest("Ask one question.", (ChatMessage("user", "I think so."),))
CONTEXT = CallContext(StudyName("s"), RunId("r"), step=2, attempt=0, annotator=AnnotatorId("ana"))
END = Completion("stop", "served", input_tokens=12, cached_tokens=0, output_tokens=5, cost_usd=0.25, latency_ms=40)


@dataclass
class CountingModel:
    """A model that counts how often it was really asked."""

    replies: list[list[str | Completion | Exception]] = field(default_factory=list)
    local: bool = False
    name: str = "openai:m"
    provider: str = "openai"
    model_name: str = "m"
    asked: int = 0
    waiting: asyncio.Event | None = None
    closed: bool = False

    def most_usd(self, request: ChatRequest) -> float | None:
        return 0.5

    async def stream(self, request, before_sending) -> AsyncIterator[str | Completion]:
        await before_sending(f"body {self.asked}")
        self.asked += 1
        reply = self.replies.pop(0) if self.replies else ["Which ", "word?", END]
        try:
            for piece in reply:
                if isinstance(piece, Exception):
                    raise piece
                yield piece
            if self.waiting is not None:
                await self.waiting.wait()
        finally:
            self.closed = True


def make_recorded(model: CountingModel, store: MemoryStore) -> RecordedModel:
    return RecordedModel(model, store, lambda: NOW, make_controls())


async def heard(model: RecordedModel, context: CallContext = CONTEXT) -> list[str | Completion]:
    return [piece async for piece in model.stream(ASKED, context)]


async def test_a_reply_and_what_it_cost_stand_in_the_ledger():
    store = MemoryStore()

    *pieces, end = await heard(make_recorded(CountingModel(), store))

    (call,) = store.calls
    assert pieces == ["Which ", "word?"]
    assert end == replace(END, call=call.key)
    assert (call.status, call.finish_reason, call.served_model) == ("answered", "stop", "served")
    assert (call.provider, call.requested_model, call.study, call.run) == ("openai", "m", "s", "r")
    assert (call.input_tokens, call.output_tokens, call.cost_usd, call.latency_ms) == (12, 5, 0.25, 40)
    assert (store.text(call.request), store.text(call.reply)) == ("body 0", "Which word?")
    assert (call.intended_at, call.finished_at) == (NOW, NOW)


async def test_the_intent_is_kept_before_the_request_leaves():
    store, seen = MemoryStore(), []

    class LookingModel(CountingModel):
        async def stream(self, request, before_sending):
            await before_sending("the body")
            seen.extend(store.calls)
            yield END

    await heard(make_recorded(LookingModel(), store))

    (intent,) = seen
    assert (intent.status, intent.reply, intent.finished_at) == ("intended", None, None)
    assert store.text(intent.request) == "the body"


async def test_an_intent_that_cannot_be_kept_stops_the_request():
    model = CountingModel()

    class FullStore(MemoryStore):
        async def write(self, work):
            raise OSError("the disk is full")

    with pytest.raises(OSError, match="the disk is full"):
        await heard(make_recorded(model, FullStore()))

    assert model.asked == 0


async def test_a_call_that_has_a_result_is_not_asked_again():
    store, model = MemoryStore(), CountingModel()

    first = await heard(make_recorded(model, store))
    again = await heard(make_recorded(model, store))

    assert model.asked == 1
    assert again == ["Which word?", first[-1]]


@pytest.mark.parametrize("other", [{"step": 3}, {"attempt": 1}, {"run": RunId("q")}, {"study": StudyName("t")}])
async def test_no_two_asks_of_a_dialogue_share_a_call(other):
    store, model = MemoryStore(), CountingModel()

    await heard(make_recorded(model, store))
    await heard(make_recorded(model, store), replace(CONTEXT, **other))

    assert model.asked == 2
    assert len(store.calls) == 2


@pytest.mark.parametrize(
    "other",
    [
        {"system": "Ask two."},
        {"messages": (ChatMessage("assistant", "I think so."),)},
        {"temperature": None},
        {"max_tokens": 1},
        {"stop": ("x",)},
    ],
)
def test_every_part_of_a_request_is_in_its_key(other):
    assert call_key("m", replace(ASKED, **other), CONTEXT) != call_key("m", ASKED, CONTEXT)


def test_the_waiting_time_is_not_in_the_key():
    assert call_key("m", replace(ASKED, timeout_s=1), CONTEXT) == call_key("m", ASKED, CONTEXT)


def test_half_a_surrogate_pair_has_a_key():
    assert len(call_key("m", replace(ASKED, system="\ud83d"), CONTEXT)) == 64


@pytest.mark.parametrize(
    ("finish_reason", "status"), [("length", "truncated"), ("content_filter", "refused"), ("tool_call", "answered")]
)
async def test_how_a_reply_ended_decides_the_status(finish_reason, status):
    store = MemoryStore()

    await heard(make_recorded(CountingModel([["No", Completion(finish_reason, "served")]]), store))

    (call,) = store.calls
    assert (call.status, call.finish_reason) == (status, finish_reason)


async def test_an_error_is_recorded_with_what_came_before_it_and_given_again():
    store, model = MemoryStore(), CountingModel([["Which ", ModelUnavailable("openai:m stopped in the middle")]])

    for _ in range(2):
        with pytest.raises(ModelUnavailable, match="openai:m stopped in the middle"):
            await heard(make_recorded(model, store))

    (call,) = store.calls
    assert model.asked == 1
    assert (call.status, call.error) == ("error", "openai:m stopped in the middle")
    assert store.text(call.reply) == "Which "


async def test_a_reply_cut_by_its_reader_is_kept_as_far_as_it_came():
    store, model = MemoryStore(), CountingModel()

    async with aclosing(make_recorded(model, store).stream(ASKED, CONTEXT)) as reply:
        await anext(reply)

    (call,) = store.calls
    assert model.closed
    assert (call.status, call.finish_reason, call.cost_usd) == ("truncated", "closed", None)
    assert store.text(call.reply) == "Which "


async def test_a_cut_reply_is_served_as_it_was_heard():
    store, model = MemoryStore(), CountingModel()
    async with aclosing(make_recorded(model, store).stream(ASKED, CONTEXT)) as reply:
        await anext(reply)

    text, end = await heard(make_recorded(model, store))

    assert model.asked == 1
    assert (text, end.finish_reason) == ("Which ", "closed")


async def test_a_visitor_who_leaves_loses_nothing_that_came():
    store, model = MemoryStore(), CountingModel([["Which "]], waiting=asyncio.Event())
    recorded = make_recorded(model, store)
    first_piece = asyncio.Event()

    async def read() -> None:
        async for _ in recorded.stream(ASKED, CONTEXT):
            first_piece.set()

    task = asyncio.create_task(read())
    await first_piece.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await recorded.close()

    (call,) = store.calls
    assert (call.status, call.finish_reason) == ("truncated", "closed")


class Killed(BaseException):
    """Stands for the end of the process."""


async def interrupted(store: MemoryStore, model: CountingModel) -> None:
    """Leaves an intent without a result, as a process does that is killed while it waits."""

    class KilledStore(MemoryStore):
        async def write(self, work):
            if self.kept.rows:
                raise Killed
            return await super().write(work)

    killed = KilledStore()
    with pytest.raises(Killed):
        await heard(make_recorded(model, killed))
    store.kept = killed.kept


async def test_a_hosted_model_is_not_asked_again_when_nobody_knows_whether_it_answered():
    store, model = MemoryStore(), CountingModel()
    await interrupted(store, model)

    with pytest.raises(ModelUnavailable, match="not asked again"):
        await heard(make_recorded(model, store))

    assert model.asked == 1
    assert [call.status for call in store.calls] == ["intended"]


async def test_a_local_model_is_asked_again_when_nobody_knows_whether_it_answered():
    store, model = MemoryStore(), CountingModel(local=True)
    await interrupted(store, model)

    pieces = await heard(make_recorded(model, store))

    assert model.asked == 2
    assert pieces[:-1] == ["Which ", "word?"]
    assert [call.status for call in store.calls] == ["answered"]


async def test_of_two_who_ask_the_same_at_once_only_one_is_sent():
    store, late = MemoryStore(), CountingModel()

    class StaleStore(MemoryStore):
        async def read(self, work):
            return work(MemoryTx())

    stale = StaleStore()
    await heard(make_recorded(CountingModel(), store))
    stale.kept = store.kept

    with pytest.raises(ModelUnavailable, match="by somebody else"):
        await heard(make_recorded(late, stale))

    assert late.asked == 0


async def test_words_of_a_call_are_erased_with_those_of_the_annotator():
    store, model = MemoryStore(), CountingModel()
    await heard(make_recorded(model, store))

    await store.write(lambda tx: tx.erase_words(AnnotatorId("ana")))

    (call,) = store.calls
    assert (store.text(call.request), store.text(call.reply)) == (None, None)
    assert call.status == "answered"
    with pytest.raises(ModelUnavailable, match="erased"):
        await heard(make_recorded(model, store))
