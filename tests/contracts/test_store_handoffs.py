"""What every store keeps of items left to a machine: decisions, their ends, and what was accepted."""

from dataclasses import replace

import pytest

from crito.model.errors import Conflict
from crito.model.ids import AssignmentId, HandoffId, ItemId
from crito.model.record import AcceptedLabel, Handoff, Revocation
from crito.services.ports.store import Store, Tx
from tests.contracts.recording import ANA, CONDITION, LATER, NOON, STUDY, TASK, enrol, give, needs

HANDOFF = Handoff(
    HandoffId("h-1"), STUDY, 1, TASK, "l-1", 1, "anytime", 0.9, 0.03, True, 100, 60, 60, 0.91,
    {"threshold": 0.9}, {"decision": "hand_over"}, "e" * 64, NOON, "command", NOON,
)  # fmt: skip
FALL = Revocation(HANDOFF.id, "audits", "more than 0.05 disagree", {"strongest": 1.2}, "a" * 64, "audits", LATER)


def accepted(n: int, handoff: HandoffId = HANDOFF.id) -> AcceptedLabel:
    return AcceptedLabel(handoff, TASK, ItemId(f"i-{n}"), "0" * 64, "sarcastic", 0.8, f"l-1-{n}", NOON)


async def test_a_handoff_reads_back_as_it_was_decided_and_is_never_changed(store: Store) -> None:
    await store.write(lambda tx: tx.add_handoff(HANDOFF))

    with pytest.raises(Conflict):
        await store.write(lambda tx: tx.add_handoff(replace(HANDOFF, threshold=0.5)))

    assert await store.read(lambda tx: tx.handoffs(STUDY)) == [HANDOFF]


async def test_the_first_end_of_a_handoff_stands(store: Store) -> None:
    def work(tx: Tx) -> tuple[bool, bool]:
        tx.add_handoff(HANDOFF)
        return tx.add_revocation(STUDY, FALL), tx.add_revocation(STUDY, replace(FALL, reason="taken_back"))

    assert await store.write(work) == (True, False)
    assert await store.read(lambda tx: tx.revocations(STUDY)) == [FALL]


async def test_a_label_is_accepted_once_under_a_handoff(store: Store) -> None:
    def work(tx: Tx) -> tuple[int, int]:
        tx.add_handoff(HANDOFF)
        first = tx.accept_labels(STUDY, [accepted(0), accepted(1)])
        return first, tx.accept_labels(STUDY, [replace(accepted(1), label="not_sarcastic"), accepted(2)])

    assert await store.write(work) == (2, 1)
    assert await store.read(lambda tx: tx.accepted_labels(STUDY)) == [accepted(0), accepted(1), accepted(2)]
    assert await store.read(lambda tx: tx.count_accepted(STUDY)) == {HANDOFF.id: 3}


async def test_accepted_items_are_offered_to_nobody_until_the_handoff_ends(store: Store) -> None:
    def work(tx: Tx) -> tuple[int, str | None, str | None]:
        enrol(tx, ANA)
        tx.make_slots(STUDY, needs(2, 1), seed=1)
        tx.add_handoff(HANDOFF)
        tx.accept_labels(STUDY, [accepted(0)])
        free = tx.free_slots(STUDY, TASK, CONDITION)
        for_ana = tx.take_slot_unknown_to(STUDY, TASK, CONDITION, AssignmentId("a-1"), ANA, pivot=0)
        give(tx, ANA, "a-1", ItemId("i-1"))
        for_anyone = tx.take_slot(STUDY, TASK, CONDITION, AssignmentId("a-2"), pivot=0, avoid=[])
        return free, for_ana and for_ana.item, for_anyone and for_anyone.item

    assert await store.write(work) == (1, "i-1", None)

    await store.write(lambda tx: tx.add_revocation(STUDY, FALL))

    assert await store.read(lambda tx: tx.free_slots(STUDY, TASK, CONDITION)) == 1
