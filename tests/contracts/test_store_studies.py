"""Studies, their items, and the places those have."""

import asyncio
from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest

from crito.model.errors import Conflict, NotFound
from crito.model.ids import AnnotatorId, AssignmentId, ItemId, StudyName
from crito.model.record import (
    StudyVersion,
)
from crito.model.study import Item
from crito.services.ports.owner import ItemProgress
from crito.services.ports.places import Slot
from crito.services.ports.store import Store, Tx
from tests.builders import make_item
from tests.contracts.recording import (
    ANA,
    BEN,
    CONDITION,
    ITEM,
    LATER,
    NOON,
    STUDY,
    TASK,
    child,
    enrol,
    give,
    needs,
    take,
)


async def test_the_latest_version_of_a_study_is_the_one_with_the_highest_number(store: Store) -> None:
    first = StudyVersion(STUDY, 1, "{}", "a", NOON)
    second = StudyVersion(STUDY, 2, "{…}", "b", LATER)
    other = StudyVersion(StudyName("pots"), 7, "{}", "c", NOON)

    def work(tx: Tx) -> None:
        for version in (second, first, other):
            tx.add_version(version)

    await store.write(work)

    assert await store.read(lambda tx: tx.latest_version(STUDY)) == second
    assert await store.read(lambda tx: tx.latest_number(STUDY)) == 2
    assert await store.read(lambda tx: tx.version(STUDY, 1)) == first
    assert await store.read(lambda tx: tx.study_names()) == ["kettles", "pots"]


async def test_a_study_that_was_never_published_has_no_version(store: Store) -> None:
    assert await store.read(lambda tx: tx.latest_version(STUDY)) is None
    assert await store.read(lambda tx: tx.latest_number(STUDY)) is None
    with pytest.raises(NotFound, match="no version 3"):
        await store.read(lambda tx: tx.version(STUDY, 3))


async def test_a_version_cannot_be_published_twice(store: Store) -> None:
    version = StudyVersion(STUDY, 1, "{}", "a", NOON)
    await store.write(lambda tx: tx.add_version(version))

    with pytest.raises(Conflict):
        await store.write(lambda tx: tx.add_version(replace(version, definition="{else}")))

    assert await store.read(lambda tx: tx.version(STUDY, 1)) == version


async def test_texts_of_items_stay_readable_when_the_item_changes(store: Store) -> None:
    old = make_item("i1", "An old text.", aspect="kettle")
    new = make_item("i1", "A new text.", aspect="kettle")
    await store.write(lambda tx: tx.put_items(STUDY, TASK, [old]))
    await store.write(lambda tx: tx.put_items(STUDY, TASK, [new]))
    await store.write(lambda tx: tx.put_items(STUDY, TASK, [new]))

    assert await store.read(lambda tx: tx.item(STUDY, old.id, old.hash)) == old
    assert await store.read(lambda tx: tx.item(STUDY, new.id, new.hash)) == new
    with pytest.raises(NotFound, match="no item 'i1'"):
        await store.read(lambda tx: tx.item(STUDY, old.id, "0" * 64))


async def test_gold_is_kept_with_the_task_and_never_comes_with_the_item(store: Store) -> None:
    golden = Item(ItemId("i1"), "A text.", {}, "sarcastic")
    await store.write(lambda tx: tx.put_items(STUDY, TASK, [golden, make_item("i2")]))

    assert await store.read(lambda tx: tx.gold(STUDY, TASK)) == {"i1": "sarcastic"}
    assert (await store.read(lambda tx: tx.item(STUDY, golden.id, golden.hash))).gold is None


async def test_each_item_gets_as_many_slots_as_it_has_places(store: Store) -> None:
    await store.write(lambda tx: tx.make_slots(STUDY, needs(2, 3), seed=1))
    await store.write(lambda tx: tx.make_slots(STUDY, needs(2, 3), seed=1))

    assert await store.read(lambda tx: tx.progress(STUDY)) == [
        ItemProgress(TASK, CONDITION, ItemId("i-0"), 3, 0, 0),
        ItemProgress(TASK, CONDITION, ItemId("i-1"), 3, 0, 0),
    ]


async def test_fewer_places_take_free_slots_away_and_leave_held_ones(store: Store) -> None:
    def fill(tx: Tx) -> None:
        tx.make_slots(STUDY, needs(2, 2), seed=1)
        enrol(tx, ANA, BEN)
        assert take(tx, ANA, "a-1", avoid=[ItemId("i-1")])
        assert take(tx, BEN, "b-1", avoid=[ItemId("i-1")])

    await store.write(fill)
    await store.write(lambda tx: tx.make_slots(STUDY, needs(1, 1), seed=1))

    assert await store.read(lambda tx: tx.progress(STUDY)) == [ItemProgress(TASK, CONDITION, ItemId("i-0"), 2, 0, 2)]


async def test_a_changed_item_is_given_with_its_new_text(store: Store) -> None:
    await store.write(lambda tx: tx.make_slots(STUDY, needs(1, 1), seed=1))
    await store.write(lambda tx: tx.make_slots(STUDY, [needs(1, 1)[0]._replace(item_hash="1" * 64)], seed=1))

    def work(tx: Tx) -> Slot | None:
        enrol(tx, ANA)
        return take(tx, ANA, "a-1")

    assert await store.write(work) == Slot(ITEM, "1" * 64, 0)


async def test_the_order_of_slots_depends_on_the_seed_alone(store: Store) -> None:
    def order(tx: Tx, study: str, seed: int) -> list[ItemId]:
        tx.make_slots(StudyName(study), needs(8, 1), seed=seed)
        found: list[ItemId] = []
        for n in range(8):
            slot = tx.take_slot(StudyName(study), TASK, CONDITION, AssignmentId(f"{study}-{n}"), pivot=0, avoid=found)
            assert slot
            found.append(slot.item)
        return found

    first, again, other = await store.write(
        lambda tx: [order(tx, name, seed) for name, seed in zip("abc", (5, 5, 6), strict=True)]
    )

    assert first == again
    assert first != other
    assert sorted(first) == [f"i-{n}" for n in range(8)]


async def test_a_slot_is_searched_from_the_pivot_on_and_around_the_end(store: Store) -> None:
    def work(tx: Tx) -> list[str]:
        tx.make_slots(STUDY, needs(5, 1), seed=3)
        taken = []
        for n in range(5):
            slot = tx.take_slot(STUDY, TASK, CONDITION, AssignmentId(f"a-{n}"), pivot=2**32 - 1, avoid=[])
            assert slot
            taken.append(slot.item)
        assert tx.take_slot(STUDY, TASK, CONDITION, AssignmentId("a-9"), pivot=0, avoid=[]) is None
        return taken

    assert sorted(await store.write(work)) == [f"i-{n}" for n in range(5)]


async def test_items_to_avoid_are_not_given(store: Store) -> None:
    def work(tx: Tx) -> list[Slot | None]:
        tx.make_slots(STUDY, needs(2, 2), seed=3)
        return [
            tx.take_slot(STUDY, TASK, CONDITION, AssignmentId(f"a-{n}"), pivot=0, avoid=[ItemId("i-1")])
            for n in range(3)
        ]

    *given, missing = await store.write(work)

    assert {slot.item for slot in given if slot} == {"i-0"}
    assert missing is None


async def test_free_slots_count_items_not_places(store: Store) -> None:
    def work(tx: Tx) -> tuple[int, int]:
        tx.make_slots(STUDY, needs(2, 2), seed=3)
        before = tx.free_slots(STUDY, TASK, CONDITION)
        for n in range(2):
            tx.take_slot(STUDY, TASK, CONDITION, AssignmentId(f"a-{n}"), pivot=0, avoid=[ItemId("i-1")])
        return before, tx.free_slots(STUDY, TASK, CONDITION)

    assert await store.write(work) == (2, 1)


async def test_slots_of_other_conditions_are_not_given(store: Store) -> None:
    def work(tx: Tx) -> Slot | None:
        tx.make_slots(STUDY, needs(2, 2, "control"), seed=3)
        return tx.take_slot(STUDY, TASK, CONDITION, AssignmentId("a"), pivot=0, avoid=[])

    assert await store.write(work) is None


async def test_a_released_slot_is_free_again(store: Store) -> None:
    def work(tx: Tx) -> Slot | None:
        tx.make_slots(STUDY, needs(1, 1), seed=3)
        tx.take_slot(STUDY, TASK, CONDITION, AssignmentId("a"), pivot=0, avoid=[])
        tx.release_slots([AssignmentId("a")])
        return tx.take_slot(STUDY, TASK, CONDITION, AssignmentId("b"), pivot=0, avoid=[])

    assert await store.write(work) == Slot(ITEM, "0" * 64, 0)


async def test_a_lease_that_ran_out_expires_the_assignment_and_frees_its_slot(store: Store) -> None:
    def fill(tx: Tx) -> None:
        tx.make_slots(STUDY, needs(1, 2), seed=3)
        enrol(tx, ANA, BEN)
        take(tx, ANA, "a-1")
        take(tx, BEN, "b-1")
        tx.renew_leases(BEN, LATER + timedelta(hours=1))

    await store.write(fill)
    expired = await store.write(lambda tx: tx.expire_leases(LATER + timedelta(seconds=1)))
    again = await store.write(lambda tx: tx.expire_leases(LATER + timedelta(seconds=1)))

    assert (expired, again) == (1, 0)
    assert (await store.read(lambda tx: tx.person(ANA))).assignments[0].status == "expired"
    ben = (await store.read(lambda tx: tx.person(BEN))).assignments[0]
    assert (ben.status, ben.lease_until) == ("open", LATER + timedelta(hours=1))
    assert await store.read(lambda tx: tx.progress(STUDY)) == [ItemProgress(TASK, CONDITION, ITEM, 2, 0, 1)]


async def test_whoever_returns_late_gets_their_item_back_while_it_has_room(store: Store) -> None:
    def fill(tx: Tx) -> None:
        tx.make_slots(STUDY, needs(1, 1), seed=3)
        enrol(tx, ANA, BEN)
        take(tx, ANA, "a-1")
        tx.expire_leases(LATER + timedelta(seconds=1))

    def come_back(tx: Tx) -> Slot | None:
        slot = tx.retake_slot(STUDY, tx.person(ANA).assignments[0])
        if slot:
            tx.reopen(AssignmentId("a-1"), slot.number, LATER + timedelta(hours=2))
        return slot

    await store.write(fill)
    slot = await store.write(come_back)
    kept = (await store.read(lambda tx: tx.person(ANA))).assignments[0]

    assert slot == Slot(ITEM, "0" * 64, 0)
    assert (kept.status, kept.lease_until) == ("open", LATER + timedelta(hours=2))
    assert await store.write(come_back) is None


async def test_two_assignments_cannot_hold_one_place_at_a_time(store: Store) -> None:
    await store.write(lambda tx: enrol(tx, ANA, BEN))
    await store.write(lambda tx: give(tx, ANA, "a-1"))

    with pytest.raises(Conflict):
        await store.write(lambda tx: give(tx, BEN, "b-1"))

    await store.write(lambda tx: tx.set_status([AssignmentId("a-1")], "expired"))
    await store.write(lambda tx: give(tx, BEN, "b-1"))
    with pytest.raises(Conflict):
        await store.write(lambda tx: tx.reopen(AssignmentId("a-1"), 0, LATER))


async def test_fifty_people_who_ask_at_once_never_get_one_slot_twice(store: Store) -> None:
    await store.write(lambda tx: tx.make_slots(STUDY, needs(10, 3), seed=9))

    def ask(n: int) -> Slot | None:
        def work(tx: Tx) -> Slot | None:
            person = AnnotatorId(f"p-{n}")
            enrol(tx, person)
            return take(tx, person, f"a-{n}", pivot=n * 85_899_345)

        return work  # type: ignore[return-value]

    slots = await asyncio.gather(*(store.write(ask(n)) for n in range(50)))  # type: ignore[arg-type]
    given = Counter((slot.item, slot.number) for slot in slots if slot)

    assert len(given) == 30
    assert set(given.values()) == {1}
    assert sum(p.open for p in await store.read(lambda tx: tx.progress(STUDY))) == 30


async def test_people_in_several_processes_never_get_one_slot_twice(store: Store, record_url: str) -> None:
    await store.write(lambda tx: tx.make_slots(STUDY, needs(10, 4), seed=9))

    children = [child("race", record_url, str(n)) for n in range(3)]
    lines = [line for process in children for line in process.communicate(timeout=60)[0].splitlines()]

    assert [process.returncode for process in children] == [0, 0, 0]
    assert len(lines) == 60
    taken = [line for line in lines if line != "None"]
    assert len(taken) == len(set(taken)) == 40
    held = await store.read(lambda tx: [a for r in tx.persons(STUDY) for a in r.assignments])
    assert len(held) == len({(a.item, a.slot) for a in held}) == 40


async def test_free_slots_are_found_to_suffice_however_few_items_the_first_of_them_are_of(store: Store) -> None:
    many = 40  # places of each item, so that a look at some of them may meet one item alone

    def work(tx: Tx) -> list[bool]:
        tx.make_slots(STUDY, needs(3, many), seed=3)
        for n in range(2 * many - 1):
            tx.take_slot(STUDY, TASK, CONDITION, AssignmentId(f"a-{n}"), pivot=0, avoid=[ItemId("i-2")])
        return [tx.has_free_slots(STUDY, TASK, CONDITION, items) for items in (1, 2, 3)]

    assert await store.write(work) == [True, True, False]


async def test_no_free_slots_are_found_in_a_condition_that_has_none(store: Store) -> None:
    await store.write(lambda tx: tx.make_slots(STUDY, needs(3, 1), seed=3))

    assert not await store.read(lambda tx: tx.has_free_slots(STUDY, TASK, "another", 1))
