"""Debates and their runs, as every store keeps them."""

from dataclasses import replace

from crito.model.debate import Intervention
from crito.model.ids import AnnotatorId, DebateId, RunId
from crito.model.record import AgentRun, HeldDebate
from crito.services.ports.store import Store, Tx
from tests.contracts.recording import LATER, NOON, STUDY, turn

DEBATE = HeldDebate(DebateId("d-1"), STUDY, 1, "bridge", '{"subject": "a 🌉?"}', NOON)
RUN = AgentRun(RunId("d-1-given"), "d-1", "debate", 1)


def begin(tx: Tx) -> None:
    tx.add_debate(DEBATE)
    tx.add_agent_run(STUDY, RUN)


async def test_a_debate_and_its_runs_come_back_and_are_kept_once(store: Store) -> None:
    await store.write(begin)

    await store.write(lambda tx: tx.add_debate(replace(DEBATE, name="another", begun_at=LATER)))
    await store.write(begin)

    assert await store.read(lambda tx: tx.debates(STUDY)) == [DEBATE]
    assert await store.read(lambda tx: tx.agent_runs(STUDY, "d-1")) == [RUN]
    assert await store.read(lambda tx: tx.agent_runs(STUDY, "d-2")) == []


async def test_turns_of_an_agents_run_come_back(store: Store) -> None:
    said = turn(RUN.id, 0, "It should.", "model")

    await store.write(begin)
    await store.write(lambda tx: tx.add_agent_turns(STUDY, [(AnnotatorId("d-1/agent_a"), said)]))

    assert await store.read(lambda tx: tx.turns([RUN.id])) == {RUN.id: [said]}


async def test_interventions_are_numbered_in_the_order_they_came(store: Store) -> None:
    first, second = Intervention("question", "And in winter? 🧣"), Intervention("close")
    await store.write(begin)

    numbers = [
        await store.write(lambda tx: tx.queue_intervention(STUDY, RUN.id, wanted, LATER))  # noqa: B023
        for wanted in (first, second)
    ]

    queued = await store.read(lambda tx: tx.interventions(RUN.id))
    assert numbers == [0, 1]
    assert [(one.number, one.intervention, one.at) for one in queued] == [(0, first, LATER), (1, second, LATER)]
    assert await store.read(lambda tx: tx.interventions(RunId("d-9"))) == []
