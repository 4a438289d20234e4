"""Dialogues and calls to models, as every store keeps them."""

import math
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from crito.model.errors import Conflict, NotFound
from crito.model.ids import AssignmentId, CallKey, RunId, StudyName, WordsId
from crito.model.record import (
    Event,
    Run,
)
from crito.model.talk import Violation
from crito.services.ports.store import Store, Tx
from tests.contracts.recording import ANA, BEN, LATER, NOON, STUDY, call, enrol, give, turn


async def test_turns_come_back_by_step_and_index_with_all_they_say(store: Store) -> None:
    violations = (Violation("length", -1, "four sentences"), Violation("language", 2, ""))
    turns = [
        turn("r-1", 0, "Why 🫖?", "model", mended="Why?", streamed="Wh", violations=violations, call=CallKey("k")),
        turn("r-1", 1, "Because."),
        turn("r-1", 1, "Side by side.", index=1),
        turn("r-1", 2, "", "fixed", no_answer="refused"),
    ]

    def work(tx: Tx) -> None:
        enrol(tx, ANA)
        give(tx, ANA, "a-1")
        tx.add_run(STUDY, Run(RunId("r-1"), AssignmentId("a-1"), "socratic", 1))
        for one in reversed(turns):
            tx.add_turn(STUDY, ANA, one)

    await store.write(work)

    assert await store.read(lambda tx: tx.turns([RunId("r-1"), RunId("r-2")])) == {"r-1": turns, "r-2": []}


async def test_a_step_of_a_run_is_recorded_once_and_its_transaction_may_go_on(store: Store) -> None:
    def start(tx: Tx) -> None:
        enrol(tx, ANA)
        give(tx, ANA, "a-1")
        tx.add_run(STUDY, Run(RunId("r-1"), AssignmentId("a-1"), "socratic", 1))
        tx.add_turn(STUDY, ANA, turn("r-1", 0, "First."))

    def again(tx: Tx) -> str:
        with pytest.raises(Conflict, match="step 0"):
            tx.add_turn(STUDY, ANA, turn("r-1", 0, "Second."))
        tx.add_event(Event(ANA, "talked", "a-1", NOON))
        return tx.turns([RunId("r-1")])[RunId("r-1")][0].text

    await store.write(start)

    assert await store.write(again) == "First."
    assert (await store.read(lambda tx: tx.person(ANA))).event("talked", "a-1")


async def test_the_run_of_an_assignment_is_that_of_the_latest_protocol(store: Store) -> None:
    old = Run(RunId("r-1"), AssignmentId("a-1"), "socratic", 1)
    new = Run(RunId("r-0"), AssignmentId("a-1"), "socratic", 2)

    def work(tx: Tx) -> None:
        enrol(tx, ANA)
        give(tx, ANA, "a-1")
        tx.add_run(STUDY, old)
        tx.add_run(STUDY, new)

    await store.write(work)

    assert await store.read(lambda tx: tx.run_of(AssignmentId("a-1"))) == new
    assert await store.read(lambda tx: tx.runs([AssignmentId("a-1"), AssignmentId("a-2")])) == [old, new]
    assert await store.read(lambda tx: tx.run_of(AssignmentId("a-2"))) is None
    with pytest.raises(Conflict):
        await store.write(lambda tx: tx.add_run(STUDY, replace(old, id=RunId("r-9"))))


async def test_only_one_may_ask_for_a_reply_at_a_time(store: Store) -> None:
    step = timedelta(seconds=1)

    def start(tx: Tx) -> None:
        enrol(tx, ANA)
        give(tx, ANA, "a-1")
        tx.add_run(STUDY, Run(RunId("r-1"), AssignmentId("a-1"), "socratic", 1))

    await store.write(start)

    async def lease(holder: str, at: datetime, step_: int = 2) -> bool:
        return await store.write(lambda tx: tx.lease_reply(RunId("r-1"), step_, holder, at + 3 * step, at))

    assert await lease("first tab", NOON)
    assert not await lease("second tab", NOON + step)
    assert await lease("first tab", NOON + step)
    assert await lease("second tab", NOON + step, step_=3)
    assert await lease("second tab", NOON + 4 * step)
    assert not await lease("first tab", NOON + 4 * step)


async def test_partner_turns_are_counted_from_a_moment_on(store: Store) -> None:
    def work(tx: Tx) -> None:
        enrol(tx, ANA)
        give(tx, ANA, "a-1")
        tx.add_run(STUDY, Run(RunId("r-1"), AssignmentId("a-1"), "socratic", 1))
        tx.add_turn(STUDY, ANA, turn("r-1", 0, "Why?", "script", at=NOON))
        tx.add_turn(STUDY, ANA, turn("r-1", 1, "So.", "person", at=LATER))
        tx.add_turn(STUDY, ANA, turn("r-1", 2, "How?", "fixed", at=LATER))

    await store.write(work)

    assert await store.read(lambda tx: tx.partner_turns_since(ANA, NOON)) == 2
    assert await store.read(lambda tx: tx.partner_turns_since(ANA, LATER)) == 1
    assert await store.read(lambda tx: tx.partner_turns_since(BEN, NOON)) == 0


async def test_a_call_is_intended_once_and_finished_once(store: Store) -> None:
    intended = call("k-1")
    answered = replace(
        intended, status="answered", served_model="gpt-4o-2024", reply=WordsId("w2"), finish_reason="stop",
        input_tokens=812, cached_tokens=0, output_tokens=55, cost_usd=0.00123, latency_ms=940, finished_at=LATER,
    )  # fmt: skip
    await store.write(lambda tx: tx.add_call(intended))

    with pytest.raises(Conflict, match="'k-1'"):
        await store.write(lambda tx: tx.add_call(intended))
    assert await store.read(lambda tx: tx.call(CallKey("k-1"))) == intended

    await store.write(lambda tx: tx.finish_call(answered))
    with pytest.raises(Conflict, match="result"):
        await store.write(lambda tx: tx.finish_call(replace(answered, status="error")))
    kept = await store.read(lambda tx: tx.call(CallKey("k-1")))
    assert kept == answered
    assert kept is not None
    assert kept.cost_usd is not None
    assert math.isclose(kept.cost_usd, 0.00123)
    with pytest.raises(NotFound):
        await store.write(lambda tx: tx.finish_call(call("k-2", status="answered")))


async def test_the_ledger_is_read_in_pages_in_the_order_of_intent(store: Store) -> None:
    keys = ["k-9", "k-1", "k-5"]

    def work(tx: Tx) -> None:
        for key in keys:
            tx.add_call(call(key))
        tx.add_call(call("k-2", study=StudyName("pots")))

    await store.write(work)
    page = await store.read(lambda tx: tx.calls(STUDY, limit=2))
    rest = await store.read(lambda tx: tx.calls(STUDY, after=page[-1].key))

    assert [c.key for c in (*page, *rest)] == keys
    assert await store.read(lambda tx: tx.calls(STUDY, after="k-5")) == []
