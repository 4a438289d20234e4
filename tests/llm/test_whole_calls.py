"""Whole replies through the ledger: tries, what is held, what is never sent twice."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest

from crito.llm.ledger import RecordedModel
from crito.llm.limits import Budget, Limits
from crito.model.errors import (
    BudgetReached,
    CallHeld,
    InvalidInput,
    ModelDenied,
    ModelUnavailable,
    Trouble,
)
from crito.model.ids import RunId, StudyName
from crito.services.ports.models import Alternative, CallContext, ChatMessage, ChatRequest, Completion, Reply, Token
from tests.llm.controls import QuickTime, make_controls
from tests.llm.memory_store import MemoryStore

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
ASKED = ChatRequest("Label it.", (ChatMessage("user", "Rain."),))
END = Completion("stop", "served", input_tokens=12, cached_tokens=0, output_tokens=5, cost_usd=0.25)


def asks(number: int = 0, sample: int = 0) -> CallContext:
    return CallContext(StudyName("s"), RunId("r"), step=number, attempt=0, slot="one", sample=sample)


@dataclass
class ScriptedModel:
    """Gives its replies and failures in order, then `yes` ever after."""

    replies: list[Reply | Exception] = field(default_factory=list)
    local: bool = False
    most: float | None = 0.5
    name: str = "openai:m"
    provider: str = "openai"
    model_name: str = "m"
    asked: int = 0
    out_at_once: int = 0
    inside: int = 0

    def most_usd(self, request: ChatRequest) -> float | None:
        return self.most

    async def complete(self, request: ChatRequest, before_sending) -> Reply:
        await before_sending(f"body {self.asked}")
        self.asked += 1
        self.inside += 1
        self.out_at_once = max(self.out_at_once, self.inside)
        await asyncio.sleep(0)
        self.inside -= 1
        reply = self.replies.pop(0) if self.replies else Reply("yes", END)
        if isinstance(reply, Exception):
            raise reply
        return reply


def fails(trouble: Trouble, retry_after_s: float | None = None) -> ModelUnavailable:
    return ModelUnavailable(f"openai:m is {trouble}", trouble, retry_after_s)


def make_recorded(model: ScriptedModel, store: MemoryStore, **controls) -> RecordedModel:
    return RecordedModel(model, store, lambda: NOW, make_controls(**controls))


def ends(store: MemoryStore) -> Sequence[tuple[str, str]]:
    return [(call.status, call.finish_reason) for call in store.calls]


@pytest.mark.parametrize("trouble", ["busy", "unreached"])
async def test_what_was_refused_for_now_is_sent_again_and_every_try_is_in_the_ledger(trouble):
    store, model = MemoryStore(), ScriptedModel([fails(trouble), fails(trouble)])

    reply = await make_recorded(model, store).complete(ASKED, asks())

    assert reply.text == "yes"
    assert ends(store) == [("error", trouble), ("error", trouble), ("answered", "stop")]
    assert len({call.key for call in store.calls}) == 3


async def test_a_provider_that_says_when_to_come_back_is_left_alone_until_then():
    time = QuickTime()
    model = ScriptedModel([fails("busy", retry_after_s=30)])

    await make_recorded(model, MemoryStore(), time=time).complete(ASKED, asks())

    assert sum(time.waits) >= 30


async def test_waits_between_tries_grow():
    time = QuickTime()
    model = ScriptedModel([fails("busy")] * 5)

    await make_recorded(model, MemoryStore(), time=time).complete(ASKED, asks())

    assert all(2**tries / 2 <= wait <= 2**tries for tries, wait in enumerate(time.waits))


async def test_a_provider_that_stays_busy_is_given_up_at_last():
    model = ScriptedModel([fails("busy")] * 50)

    with pytest.raises(ModelUnavailable, match="is busy"):
        await make_recorded(model, MemoryStore()).complete(ASKED, asks())

    assert model.asked == 8


async def test_a_run_that_is_begun_again_goes_on_after_the_tries_in_vain():
    store = MemoryStore()
    with pytest.raises(ModelUnavailable):
        await make_recorded(ScriptedModel([fails("unreached")] * 3), store).complete(ASKED, asks())

    reply = await make_recorded(ScriptedModel(), store).complete(ASKED, asks())

    assert reply.text == "yes"
    assert len(store.calls) == 4


async def test_an_answer_on_record_is_served_and_not_asked_for_again():
    store, model = MemoryStore(), ScriptedModel([fails("busy")])

    first = await make_recorded(model, store).complete(ASKED, asks())
    again = await make_recorded(model, store).complete(ASKED, asks())

    assert model.asked == 2
    assert again == first


async def test_the_tokens_of_an_answer_are_on_record_too():
    store = MemoryStore()
    tokens = (Token("yes", -0.1, (Alternative("yes", -0.1), Alternative("nö", -2.5))), Token("!", -1.0, ()))

    first = await make_recorded(ScriptedModel([Reply("yes!", END, tokens=tokens)]), store).complete(ASKED, asks())
    again = await make_recorded(ScriptedModel(), store).complete(ASKED, asks())

    assert again == first
    assert again.tokens == tokens


async def test_samples_of_one_prompt_are_calls_of_their_own():
    store, model = MemoryStore(), ScriptedModel()

    for sample in range(3):
        await make_recorded(model, store).complete(ASKED, asks(sample=sample))

    assert model.asked == 3


async def test_a_wrong_key_ends_it_at_once_and_for_every_call_after_it():
    store, model = MemoryStore(), ScriptedModel([fails("denied")])
    recorded = make_recorded(model, store)

    for number in range(3):
        with pytest.raises(ModelDenied, match="is denied"):
            await recorded.complete(ASKED, asks(number))

    assert model.asked == 1
    assert ends(store) == [("error", "denied")]


async def test_with_the_right_key_the_same_command_goes_on():
    store = MemoryStore()
    with pytest.raises(ModelDenied):
        await make_recorded(ScriptedModel([fails("denied")]), store).complete(ASKED, asks())

    assert (await make_recorded(ScriptedModel(), store).complete(ASKED, asks())).text == "yes"


async def test_a_call_that_may_have_been_charged_is_held_and_stays_uncertain():
    store, model = MemoryStore(), ScriptedModel([fails("uncertain")])

    for _ in range(2):
        with pytest.raises(CallHeld, match="may have been charged"):
            await make_recorded(model, store).complete(ASKED, asks())

    assert model.asked == 1
    assert ends(store) == [("intended", "")]


@pytest.mark.parametrize(("local", "in_flight"), [(True, "hold"), (False, "resend")])
async def test_an_uncertain_call_is_sent_again_where_it_costs_nothing_or_that_was_allowed(local, in_flight):
    store = MemoryStore()
    model = ScriptedModel([fails("uncertain")], local=local)

    reply = await make_recorded(model, store, in_flight=in_flight).complete(ASKED, asks())

    assert reply.text == "yes"
    assert ends(store) == [("error", "resent"), ("answered", "stop")]


async def test_what_was_held_is_sent_once_that_is_allowed():
    store, model = MemoryStore(), ScriptedModel([fails("uncertain")])
    with pytest.raises(CallHeld):
        await make_recorded(model, store).complete(ASKED, asks())

    await make_recorded(model, store, in_flight="resend").complete(ASKED, asks())

    assert ends(store) == [("error", "resent"), ("answered", "stop")]


async def test_no_more_are_out_at_once_than_the_limit():
    model = ScriptedModel()
    recorded = make_recorded(model, MemoryStore(), limits=Limits(in_flight=3))

    await asyncio.gather(*(recorded.complete(ASKED, asks(number)) for number in range(20)))

    assert model.asked == 20
    assert model.out_at_once == 3


async def test_a_budget_ends_before_the_call_that_would_cross_it():
    store, model = MemoryStore(), ScriptedModel()
    recorded = make_recorded(model, store, budget=Budget(usd=1.0))

    with pytest.raises(BudgetReached) as caught:
        for number in range(10):
            await recorded.complete(ASKED, asks(number))

    assert model.asked == 3  # 0.25 each: after three, 0.75 are spent and the next may cost 0.5
    assert (caught.value.spent_usd, caught.value.next_usd) == (0.75, 0.5)
    assert ends(store) == [("answered", "stop")] * 3


async def test_calls_side_by_side_do_not_cross_a_budget_together():
    store, model = MemoryStore(), ScriptedModel()
    budget = Budget(usd=1.0)
    recorded = make_recorded(model, store, budget=budget)

    told = await asyncio.gather(*(recorded.complete(ASKED, asks(n)) for n in range(10)), return_exceptions=True)

    assert [isinstance(answer, Reply) for answer in told].count(True) == 3
    assert budget.spent_usd == 0.75


async def test_a_budget_without_a_price_is_refused():
    model = ScriptedModel(most=None)

    with pytest.raises(InvalidInput, match="price of openai:m is not known"):
        await make_recorded(model, MemoryStore(), budget=Budget(usd=1.0)).complete(ASKED, asks())

    assert model.asked == 0


async def test_a_call_of_uncertain_end_counts_for_the_most_it_can_have_cost():
    budget = Budget(usd=1.0)

    with pytest.raises(CallHeld):
        await make_recorded(ScriptedModel([fails("uncertain")]), MemoryStore(), budget=budget).complete(ASKED, asks())

    assert budget.spent_usd == 0.5
