"""What every store keeps of its word, on SQLite and on PostgreSQL."""

import asyncio
import hashlib
import math
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from crito.model.errors import Conflict, InvalidInput, NotFound
from crito.model.ids import AnnotatorId, AssignmentId, CallKey, ItemId, RunId, StudyName, TaskName, WordsId
from crito.model.record import (
    Annotation,
    Assignment,
    Call,
    Draw,
    Event,
    Export,
    Exposure,
    GivenAnswer,
    Identity,
    RecordedTurn,
    Run,
    StudyVersion,
)
from crito.model.study import Item
from crito.model.talk import Violation
from crito.services.ports import ItemProgress, Slot, SlotNeed, StatusCounts, Store, Tx
from crito.store.opening import open_store
from tests.builders import make_annotation, make_assignment, make_item, make_participant

HERE = Path(__file__)
STUDY = StudyName("kettles")
TASK = TaskName("sarcasm")
CONDITION = "socratic"
ANA = AnnotatorId("ana")
BEN = AnnotatorId("ben")
ITEM = ItemId("i-0")
NOON = datetime(2026, 5, 4, 12, 0, 0, 123456, tzinfo=UTC)
LATER = NOON + timedelta(hours=1)


def needs(n_items: int, places: int, condition: str = CONDITION) -> list[SlotNeed]:
    return [SlotNeed(TASK, condition, ItemId(f"i-{n}"), "0" * 64, places) for n in range(n_items)]


def enrol(tx: Tx, *people: AnnotatorId, **more: object) -> None:
    for person in people:
        tx.add_participant(make_participant(person, **more), None)


def give(tx: Tx, annotator: AnnotatorId, name: str, item: ItemId = ITEM, **more: object) -> Assignment:
    """An open assignment of `item` without a slot of its own."""
    assignment = make_assignment(name, **{"annotator": annotator, "item": item, "lease_until": LATER} | more)
    tx.add_assignments(STUDY, [assignment])
    return assignment


def take(tx: Tx, annotator: AnnotatorId, name: str, *, pivot: int = 0, avoid: Sequence[ItemId] = ()) -> Slot | None:
    """Take a slot and record the assignment that holds it."""
    slot = tx.take_slot(STUDY, TASK, CONDITION, AssignmentId(name), pivot=pivot, avoid=avoid)
    if slot is not None:
        give(tx, annotator, name, slot.item, item_hash=slot.item_hash, slot=slot.number)
    return slot


def label(assignment: Assignment, round_: int = 0, **more: object) -> Annotation:
    values = {
        "annotator": assignment.annotator,
        "task": assignment.task,
        "item": assignment.item,
        "item_hash": assignment.item_hash,
        "seq": 1,
    }
    return make_annotation(assignment.id, round_, **(values | more))


def turn(run: str, step: int, text: str, kind: str = "person", **more: object) -> RecordedTurn:
    values: dict[str, object] = {
        "run": RunId(run),
        "step": step,
        "index": 0,
        "fingerprint": "f" * 64,
        "speaker": "participant" if kind == "person" else "partner",
        "kind": kind,
        "text": text,
        "mended": "",
        "streamed": "",
        "violations": (),
        "no_answer": "",
        "model": "",
        "prompt": "socratic/turn",
        "prompt_hash": "p" * 64,
        "call": None,
        "at": NOON,
        "latency_ms": 12,
    }
    return RecordedTurn(**(values | more))  # type: ignore[arg-type]


def exposure(annotator: AnnotatorId, seq: int, content: WordsId, **more: object) -> Exposure:
    values: dict[str, object] = {
        "annotator": annotator,
        "item": ITEM,
        "task": TASK,
        "kind": "partner_turn",
        "source": "r-1/1/0",
        "part": -1,
        "content": content,
        "route": "/s/kettles/talk",
        "seq": seq,
        "at": NOON,
    }
    return Exposure(**(values | more))  # type: ignore[arg-type]


def call(key: str, **more: object) -> Call:
    values: dict[str, object] = {
        "key": CallKey(key),
        "study": STUDY,
        "run": None,
        "status": "intended",
        "provider": "openai",
        "requested_model": "gpt-4o",
        "served_model": "",
        "request": WordsId("w"),
        "reply": None,
        "finish_reason": "",
        "input_tokens": None,
        "cached_tokens": None,
        "output_tokens": None,
        "cost_usd": None,
        "latency_ms": None,
        "error": "",
        "intended_at": NOON,
        "finished_at": None,
    }
    return Call(**(values | more))  # type: ignore[arg-type]


# Studies and items


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


# Slots


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

    children = [_child("race", record_url, str(n)) for n in range(3)]
    lines = [line for child in children for line in child.communicate(timeout=60)[0].splitlines()]

    assert [child.returncode for child in children] == [0, 0, 0]
    assert len(lines) == 60
    taken = [line for line in lines if line != "None"]
    assert len(taken) == len(set(taken)) == 40
    held = await store.read(lambda tx: [a for r in tx.persons(STUDY) for a in r.assignments])
    assert len(held) == len({(a.item, a.slot) for a in held}) == 40


# People


async def test_a_person_is_found_by_the_platforms_id_within_one_study(store: Store) -> None:
    identity = Identity("prolific", "5f00", "session-1")

    def work(tx: Tx) -> None:
        tx.add_participant(make_participant(ANA), identity)

    await store.write(work)

    assert await store.read(lambda tx: tx.find_person(STUDY, replace(identity, session="session-2"))) == ANA
    assert await store.read(lambda tx: tx.find_person(STUDY, Identity("mturk", "5f00"))) is None
    assert await store.read(lambda tx: tx.find_person(StudyName("pots"), identity)) is None


async def test_nobody_enrols_twice_under_one_platform_id(store: Store) -> None:
    identity = Identity("prolific", "5f00")
    await store.write(lambda tx: tx.add_participant(make_participant(ANA), identity))

    with pytest.raises(Conflict):
        await store.write(lambda tx: tx.add_participant(make_participant(BEN), identity))

    assert await store.read(lambda tx: tx.count_people(STUDY)) == {"active": 1}


async def test_a_person_who_is_not_there_is_not_found(store: Store) -> None:
    with pytest.raises(NotFound, match="'ana'"):
        await store.read(lambda tx: tx.person(ANA))
    with pytest.raises(NotFound):
        await store.write(lambda tx: tx.add_event(Event(ANA, "consented", "", NOON)))


async def test_a_persons_record_says_everything_that_happened_in_order(store: Store) -> None:
    participant = make_participant(ANA, seed=2**62, arrived_at=NOON)
    events = [Event(ANA, "consented", "", NOON, {"release": "labels"}), Event(ANA, "opened", "a-1", LATER, {})]
    answers = [
        GivenAnswer(ANA, "annotate:a-1", "colour", "red", None, NOON),
        GivenAnswer(ANA, "annotate:a-1", "again", "yes", None, NOON),
        GivenAnswer(ANA, "annotate:a-1", "colour", "blue", None, LATER),
    ]

    def work(tx: Tx) -> list[Assignment]:
        tx.add_participant(participant, None)
        second = give(tx, ANA, "a-2", ItemId("i-2"), position=1)
        first = give(tx, ANA, "a-1", position=0)
        for event in events:
            tx.add_event(event)
        tx.add_answers(STUDY, answers[:2])
        tx.add_answers(STUDY, answers[2:])
        tx.add_annotation(STUDY, label(first, client_times_ms={"first_input": 812}))
        tx.add_annotation(STUDY, label(first, seq=2, revision=1, label=None, state="not_sure", submitted_at=LATER))
        tx.add_annotation(STUDY, label(second))
        tx.add_run(STUDY, Run(RunId("r-1"), first.id, "socratic", 1))
        tx.add_turn(STUDY, ANA, turn("r-1", 0, "What makes you say so?", "script"))
        tx.add_turn(STUDY, ANA, turn("r-1", 1, "The tone."))
        tx.add_turn(STUDY, ANA, turn("r-1", 3, "And the kettle."))
        return [first, second]

    assignments = await store.write(work)
    record = await store.read(lambda tx: tx.person(ANA))

    assert record.participant == participant
    assert list(record.assignments) == assignments
    assert [(a.assignment, a.revision, a.answer) for a in record.annotations] == [
        ("a-1", 1, "not_sure"),
        ("a-2", 0, "sarcastic"),
    ]
    assert list(record.events) == events
    assert list(record.answers) == answers
    assert record.messages == {"a-1": 2}


async def test_records_of_many_people_are_those_of_each(store: Store) -> None:
    people = [AnnotatorId(f"p-{n}") for n in range(5)]

    def work(tx: Tx) -> None:
        for n, person in enumerate(people):
            enrol(tx, person)
            given = give(tx, person, f"a-{n}", slot=n)
            tx.add_annotation(STUDY, label(given))
            tx.add_event(Event(person, "consented", "", NOON))
        tx.add_participant(make_participant("p-1b", study=StudyName("pots")), None)

    await store.write(work)
    first = await store.read(lambda tx: tx.persons(STUDY, limit=3))
    rest = await store.read(lambda tx: tx.persons(STUDY, after=first[-1].participant.id))
    each = [await store.read(lambda tx, p=person: tx.person(p)) for person in people]  # type: ignore[misc]

    assert [*first, *rest] == each
    assert await store.read(lambda tx: tx.persons(STUDY, after="p-4")) == []


async def test_people_are_sorted_by_code_point_on_every_database(store: Store) -> None:
    names = ["Zoe", "ana", "Ärmel", "b-1", "b1"]
    await store.write(lambda tx: enrol(tx, *map(AnnotatorId, names)))

    found = [r.participant.id for r in await store.read(lambda tx: tx.persons(STUDY))]

    assert found == sorted(names)


async def test_the_first_ending_stands_unless_the_person_withdraws(store: Store) -> None:
    await store.write(lambda tx: enrol(tx, ANA))
    await store.write(lambda tx: tx.end_participation(ANA, "done", NOON))
    await store.write(lambda tx: tx.end_participation(ANA, "done", LATER))

    with pytest.raises(Conflict, match="'timed_out'"):
        await store.write(lambda tx: tx.end_participation(ANA, "timed_out", LATER))
    participant = (await store.read(lambda tx: tx.person(ANA))).participant
    assert (participant.ending, participant.ended_at) == ("done", NOON)

    await store.write(lambda tx: tx.end_participation(ANA, "withdrawn", LATER))
    with pytest.raises(Conflict):
        await store.write(lambda tx: tx.end_participation(ANA, "done", LATER))
    assert (await store.read(lambda tx: tx.person(ANA))).participant.ending == "withdrawn"
    with pytest.raises(NotFound):
        await store.write(lambda tx: tx.end_participation(BEN, "done", LATER))


async def test_a_session_is_known_in_its_study_until_it_runs_out(store: Store) -> None:
    await store.write(lambda tx: enrol(tx, ANA))
    await store.write(lambda tx: tx.add_session("hash", ANA, LATER))

    assert await store.read(lambda tx: tx.session(STUDY, "hash", NOON)) == ANA
    assert await store.read(lambda tx: tx.session(STUDY, "hash", LATER)) is None
    assert await store.read(lambda tx: tx.session(STUDY, "other", NOON)) is None
    assert await store.read(lambda tx: tx.session(StudyName("pots"), "hash", NOON)) is None


async def test_a_draw_is_made_once_and_reads_back_as_it_was_made(store: Store) -> None:
    draw = Draw(STUDY, ANA, "condition", {"socratic": 0.5, "control": 0.5}, 2**60, "control", NOON)
    await store.write(lambda tx: tx.add_draw(draw))

    with pytest.raises(Conflict):
        await store.write(lambda tx: tx.add_draw(replace(draw, outcome="socratic")))

    assert await store.read(lambda tx: tx.draws(STUDY, [ANA, BEN])) == [draw]
    assert await store.read(lambda tx: tx.draws(StudyName("pots"), [ANA])) == []


async def test_times_of_any_zone_come_back_as_the_same_moment_in_utc(store: Store) -> None:
    tokyo = NOON.astimezone(timezone(timedelta(hours=9)))

    def work(tx: Tx) -> None:
        enrol(tx, ANA)
        tx.add_event(Event(ANA, "consented", "", tokyo))

    await store.write(work)
    (event,) = (await store.read(lambda tx: tx.person(ANA))).events

    assert event.at == NOON
    assert event.at.utcoffset() == timedelta(0)


# The record


async def test_numbers_count_over_labels_and_exposures_of_one_annotator_and_item(store: Store) -> None:
    def work(tx: Tx) -> list[int]:
        enrol(tx, ANA)
        assignment = give(tx, ANA, "a-1")
        seqs = [tx.next_seq(ANA, ITEM)]
        tx.add_annotation(STUDY, label(assignment, seq=1))
        seqs.append(tx.next_seq(ANA, ITEM))
        tx.add_exposure(STUDY, exposure(ANA, 2, tx.keep_words(ANA, "Why?")))
        seqs.append(tx.next_seq(ANA, ITEM))
        tx.add_annotation(STUDY, label(assignment, 1, seq=3))
        return [*seqs, tx.next_seq(ANA, ITEM), tx.next_seq(ANA, ItemId("i-9")), tx.next_seq(BEN, ITEM)]

    assert await store.write(work) == [1, 2, 3, 4, 1, 1]


async def test_every_revision_of_every_round_stays_in_the_history(store: Store) -> None:
    def work(tx: Tx) -> list[Annotation]:
        enrol(tx, ANA)
        assignment = give(tx, ANA, "a-1")
        given = [label(assignment), label(assignment, revision=1, seq=2), label(assignment, 1, seq=3)]
        for annotation in given:
            tx.add_annotation(STUDY, annotation)
        return given

    given = await store.write(work)

    assert await store.read(lambda tx: tx.annotation_history(STUDY, [ANA])) == given
    with pytest.raises(Conflict):
        await store.write(lambda tx: tx.add_annotation(STUDY, replace(given[0], seq=9)))
    with pytest.raises(Conflict):
        await store.write(lambda tx: tx.add_annotation(STUDY, replace(given[0], revision=2)))


async def test_a_label_needs_an_assignment(store: Store) -> None:
    with pytest.raises(NotFound):
        await store.write(lambda tx: tx.add_annotation(STUDY, make_annotation("a-404")))


async def test_an_exposure_that_was_kept_before_is_left_as_it_is(store: Store) -> None:
    def work(tx: Tx) -> Exposure:
        content = tx.keep_words(ANA, "Why?")
        first = exposure(ANA, 1, content)
        tx.add_exposure(STUDY, first)
        tx.add_exposure(STUDY, replace(first, seq=2, route="/elsewhere", at=LATER))
        return first

    first = await store.write(work)

    assert await store.read(lambda tx: tx.exposures(STUDY, [ANA])) == [first]


async def test_another_part_or_other_words_are_another_exposure(store: Store) -> None:
    def work(tx: Tx) -> None:
        first = exposure(ANA, 1, tx.keep_words(ANA, "Why?"), part=0)
        tx.add_exposure(STUDY, first)
        tx.add_exposure(STUDY, replace(first, seq=2, part=1))
        tx.add_exposure(STUDY, replace(first, seq=3, content=tx.keep_words(ANA, "How so?")))

    await store.write(work)

    assert [e.seq for e in await store.read(lambda tx: tx.exposures(STUDY, [ANA]))] == [1, 2, 3]


async def test_labels_of_others_are_their_last_initial_labels_without_those_who_withdrew(store: Store) -> None:
    labels = {"ana": "sarcastic", "ben": "sarcastic", "cleo": "not_sarcastic", "dan": "sarcastic", "eve": "sarcastic"}

    def work(tx: Tx) -> None:
        for n, (name, given) in enumerate(labels.items()):
            person = AnnotatorId(name)
            enrol(tx, person)
            assignment = give(tx, person, f"{name}-1", slot=n)
            tx.add_annotation(STUDY, label(assignment, label=given))
            tx.add_annotation(STUDY, label(assignment, 1, seq=3, label="not_sarcastic"))
        eve = tx.person(AnnotatorId("eve")).assignments[0]
        tx.add_annotation(STUDY, label(eve, revision=1, seq=2, label="not_sarcastic"))
        tx.end_participation(AnnotatorId("dan"), "withdrawn", NOON)

    await store.write(work)
    others = await store.read(lambda tx: tx.labels_of_others(STUDY, TASK, ITEM, except_annotator=ANA))

    assert others == {"sarcastic": 1, "not_sarcastic": 2}


# Words


async def test_equal_words_of_two_people_have_different_ids(store: Store) -> None:
    def work(tx: Tx) -> list[WordsId]:
        enrol(tx, ANA, BEN)
        return [tx.keep_words(who, "The tone.") for who in (ANA, ANA, BEN, None, None)]

    ana, again, ben, nobody, nobodys_again = await store.write(work)

    assert ana == again
    assert nobody == nobodys_again
    assert len({ana, ben, nobody}) == 3
    assert hashlib.sha256(b"The tone.").hexdigest() not in (ana, ben)
    kept = await store.read(lambda tx: tx.words([ana, ben, nobody, WordsId("unknown")]))
    assert kept == dict.fromkeys([ana, ben, nobody], "The tone.")


@pytest.mark.parametrize(
    "text",
    [
        "",
        " spaces at both ends ",
        "line\r\nline\ttab",
        "“quotes”, 'single', \"double\", --; DROP TABLE words; %s :name {x}",
        "👩‍👩‍👧‍👦 🇮🇹 é e\u0301",
        "\u202eמשפט בעברית\u202c العربية",
        "\ufeff\u200b\u2028\x01\x7f",
        "𝒳" * 250_000,
    ],
    ids=["empty", "spaces", "lines", "quotes", "emoji", "right-to-left", "invisible", "a megabyte"],
)
async def test_words_come_back_as_they_were_given(store: Store, text: str) -> None:
    def work(tx: Tx) -> WordsId:
        enrol(tx, ANA)
        tx.put_draft(ANA, "form", {"message": text}, NOON)
        return tx.keep_words(ANA, text)

    kept = await store.write(work)

    assert await store.read(lambda tx: tx.words([kept])) == {kept: text}
    assert await store.read(lambda tx: tx.drafts(ANA)) == {"form": {"message": text}}


@pytest.mark.parametrize(
    ("text", "named"), [("ab\0c", r"U\+0000 at character 3"), ("a\ud83d", r"U\+D83D at character 2")]
)
async def test_words_that_no_database_keeps_are_refused_with_their_place(store: Store, text: str, named: str) -> None:
    await store.write(lambda tx: enrol(tx, ANA))

    with pytest.raises(InvalidInput, match=named):
        await store.write(lambda tx: tx.keep_words(ANA, text))
    with pytest.raises(InvalidInput, match=named):
        await store.write(lambda tx: tx.put_draft(ANA, "form", {"message": text}, NOON))
    with pytest.raises(InvalidInput, match=named):
        await store.write(lambda tx: tx.add_participant(make_participant(BEN), Identity("prolific", text)))
    with pytest.raises(InvalidInput, match=named):
        await store.read(lambda tx: tx.find_person(STUDY, Identity("prolific", text)))


async def test_other_values_that_cannot_be_stored_are_refused(store: Store) -> None:
    with pytest.raises(InvalidInput):
        await store.write(lambda tx: enrol(tx, AnnotatorId("a\ud83d")))
    with pytest.raises(InvalidInput):
        await store.write(lambda tx: enrol(tx, ANA, seed=2**70))


async def test_erasure_blanks_every_word_of_one_person_and_keeps_the_accounting(store: Store) -> None:
    detail = Violation("honest_quotes", 0, "quotes 'my cat died'")

    def work(tx: Tx) -> dict[str, WordsId]:
        enrol(tx, ANA, BEN)
        assignment = give(tx, ANA, "a-1")
        words = {"reason": tx.keep_words(ANA, "My cat died."), "other": tx.keep_words(BEN, "My cat died.")}
        tx.add_annotation(STUDY, label(assignment, rationale=words["reason"]))
        tx.add_run(STUDY, Run(RunId("r-1"), assignment.id, "socratic", 1))
        tx.add_turn(STUDY, ANA, turn("r-1", 0, "Why?", "model", mended="Why?", streamed="W", violations=(detail,)))
        tx.add_turn(STUDY, ANA, turn("r-1", 1, "", no_answer="too slow"))
        tx.put_draft(ANA, "form", {"message": "half a sentence"}, NOON)
        tx.put_draft(BEN, "form", {"message": "mine"}, NOON)
        return words

    words = await store.write(work)
    erased = await store.write(lambda tx: tx.erase_words(ANA))

    assert erased == 4
    assert await store.read(lambda tx: tx.words(list(words.values()))) == {
        words["reason"]: None,
        words["other"]: "My cat died.",
    }
    spoken, silent = (await store.read(lambda tx: tx.turns([RunId("r-1")])))[RunId("r-1")]
    assert (spoken.text, spoken.mended, spoken.streamed, spoken.erased) == ("", "", "", True)
    assert spoken.violations == (replace(detail, detail=""),)
    assert (silent.no_answer, silent.erased) == ("too slow", False)
    assert await store.read(lambda tx: tx.drafts(ANA)) == {}
    assert await store.read(lambda tx: tx.drafts(BEN)) == {"form": {"message": "mine"}}
    (record, _) = await store.read(lambda tx: tx.persons(STUDY))
    assert [a.rationale for a in record.annotations] == [words["reason"]]
    assert await store.write(lambda tx: tx.erase_words(ANA)) == 0


async def test_erased_words_leave_nothing_to_guess_them_by(store: Store) -> None:
    def work(tx: Tx) -> WordsId:
        enrol(tx, ANA)
        return tx.keep_words(ANA, "yes")

    before = await store.write(work)
    await store.write(lambda tx: tx.erase_words(ANA))
    after = await store.write(lambda tx: tx.keep_words(ANA, "yes"))

    assert before != after
    assert await store.read(lambda tx: tx.words([before, after])) == {before: None, after: "yes"}


async def test_a_draft_is_replaced_until_it_is_dropped(store: Store) -> None:
    await store.write(lambda tx: enrol(tx, ANA))
    await store.write(lambda tx: tx.put_draft(ANA, "talk:a-1", {"message": "I thi"}, NOON))
    await store.write(lambda tx: tx.put_draft(ANA, "talk:a-1", {"message": "I think"}, LATER))
    await store.write(lambda tx: tx.put_draft(ANA, "survey", {"again": "yes"}, LATER))

    assert await store.read(lambda tx: tx.drafts(ANA)) == {
        "talk:a-1": {"message": "I think"},
        "survey": {"again": "yes"},
    }
    await store.write(lambda tx: tx.drop_draft(ANA, "talk:a-1"))
    assert await store.read(lambda tx: tx.drafts(ANA)) == {"survey": {"again": "yes"}}


# Runs


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


# Calls


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


# The owner


async def test_an_owner_link_works_once(store: Store) -> None:
    await store.write(lambda tx: tx.add_owner_token(STUDY, "hash", "link", LATER))

    assert await store.read(lambda tx: tx.owner_token(STUDY, "hash", "link", NOON))
    assert not await store.write(lambda tx: tx.spend_owner_link(StudyName("pots"), "hash", NOON))
    assert not await store.write(lambda tx: tx.spend_owner_link(STUDY, "hash", LATER))
    assert await store.write(lambda tx: tx.spend_owner_link(STUDY, "hash", NOON))
    assert not await store.write(lambda tx: tx.spend_owner_link(STUDY, "hash", NOON))
    assert not await store.read(lambda tx: tx.owner_token(STUDY, "hash", "link", NOON))


async def test_an_owner_token_is_good_for_its_study_and_kind_until_it_runs_out(store: Store) -> None:
    await store.write(lambda tx: tx.add_owner_token(STUDY, "hash", "api", LATER))

    assert await store.read(lambda tx: tx.owner_token(STUDY, "hash", "api", NOON))
    assert not await store.read(lambda tx: tx.owner_token(STUDY, "hash", "session", NOON))
    assert not await store.read(lambda tx: tx.owner_token(StudyName("pots"), "hash", "api", NOON))
    assert not await store.read(lambda tx: tx.owner_token(STUDY, "hash", "api", LATER))
    assert not await store.write(lambda tx: tx.spend_owner_link(STUDY, "hash", NOON))


async def test_progress_counts_done_and_open_places(store: Store) -> None:
    def work(tx: Tx) -> None:
        tx.make_slots(STUDY, needs(1, 3), seed=1)
        enrol(tx, ANA, BEN)
        take(tx, ANA, "a-1")
        take(tx, BEN, "b-1")
        tx.set_status([AssignmentId("a-1")], "done")

    await store.write(work)

    assert await store.read(lambda tx: tx.progress(STUDY)) == [ItemProgress(TASK, CONDITION, ITEM, 3, 1, 1)]
    assert await store.read(lambda tx: tx.status_counts(STUDY)) == [
        StatusCounts(TASK, CONDITION, "done", 1),
        StatusCounts(TASK, CONDITION, "open", 1),
    ]


async def test_the_newest_people_come_first_with_when_they_were_last_seen(store: Store) -> None:
    def work(tx: Tx) -> None:
        for n in range(4):
            enrol(tx, AnnotatorId(f"p-{n}"), arrived_at=NOON + timedelta(minutes=n // 2))
        for n in range(2):
            give(tx, AnnotatorId("p-3"), f"a-{n}", ItemId(f"i-{n}"), position=n)
        tx.set_status([AssignmentId("a-0")], "done")
        tx.add_event(Event(AnnotatorId("p-3"), "opened", "a-0", LATER))
        tx.add_annotation(STUDY, label(tx.person(AnnotatorId("p-3")).assignments[0], submitted_at=LATER + timedelta(1)))

    await store.write(work)
    page = await store.read(lambda tx: tx.people(STUDY, limit=3))
    rest = await store.read(lambda tx: tx.people(STUDY, after=page[-1].participant.id, limit=3))

    assert [row.participant.id for row in (*page, *rest)] == ["p-3", "p-2", "p-1", "p-0"]
    assert (page[0].done, page[0].assigned, page[0].last_seen_at) == (1, 2, LATER + timedelta(1))
    assert (page[1].done, page[1].assigned, page[1].last_seen_at) == (0, 0, NOON + timedelta(minutes=1))


async def test_people_are_counted_by_ending(store: Store) -> None:
    def work(tx: Tx) -> None:
        enrol(tx, ANA, BEN, AnnotatorId("cleo"))
        tx.end_participation(BEN, "no_consent", NOON)

    await store.write(work)

    assert await store.read(lambda tx: tx.count_people(STUDY)) == {"active": 2, "no_consent": 1}
    assert await store.read(lambda tx: tx.count_people(StudyName("pots"))) == {}


async def test_forgetting_identities_leaves_the_people(store: Store) -> None:
    identity = Identity("prolific", "5f00")
    await store.write(lambda tx: tx.add_participant(make_participant(ANA), identity))

    assert await store.write(lambda tx: tx.forget_identities(STUDY)) == 1
    assert await store.read(lambda tx: tx.find_person(STUDY, identity)) is None
    assert (await store.read(lambda tx: tx.person(ANA))).participant.id == ANA


async def test_exports_are_remembered_in_the_order_they_were_written(store: Store) -> None:
    first = Export(STUDY, "/tmp/b.csv", "csv", "annotations", 12, "a" * 64, NOON)
    second = replace(first, path="/tmp/a.csv", table="turns")
    await store.write(lambda tx: (tx.add_export(first), tx.add_export(second)))

    assert await store.read(lambda tx: tx.exports(STUDY)) == [first, second]


async def test_a_rehearsal_is_discarded_whole_and_real_people_stay(store: Store) -> None:
    robot = AnnotatorId("robot")

    def live(tx: Tx, person: AnnotatorId, origin: str) -> None:
        tx.add_participant(make_participant(person, origin=origin), Identity("prolific", f"x-{person}"))
        tx.add_session(f"s-{person}", person, LATER)
        tx.add_draw(Draw(STUDY, person, "condition", {"socratic": 1.0}, 1, "socratic", NOON))
        slot = take(tx, person, f"a-{person}")
        assert slot
        assignment = tx.person(person).assignments[0]
        tx.add_event(Event(person, "consented", "", NOON))
        tx.add_answers(STUDY, [GivenAnswer(person, "survey", "again", None, tx.keep_words(person, "Yes."), NOON)])
        tx.add_annotation(STUDY, label(assignment))
        run = RunId(f"r-{person}")
        tx.add_run(STUDY, Run(run, assignment.id, "socratic", 1))
        tx.add_turn(STUDY, person, turn(run, 0, "Why?", "script"))
        tx.add_exposure(STUDY, exposure(person, 2, tx.keep_words(person, "Why?")))
        tx.lease_reply(run, 1, "tab", LATER, NOON)
        tx.add_call(call(f"k-{person}", run=run))
        tx.put_draft(person, "survey", {"x": "y"}, NOON)

    def fill(tx: Tx) -> None:
        tx.make_slots(STUDY, needs(1, 2), seed=1)
        live(tx, ANA, "real")
        live(tx, robot, "rehearsal")

    await store.write(fill)
    before = await store.read(lambda tx: tx.person(ANA))
    assert await store.read(lambda tx: tx.count_origin(STUDY, "rehearsal")) == 1

    assert await store.write(lambda tx: tx.discard_rehearsal(STUDY)) == 1

    assert await store.read(lambda tx: tx.person(ANA)) == before
    with pytest.raises(NotFound):
        await store.read(lambda tx: tx.person(robot))
    assert await store.read(lambda tx: tx.count_origin(STUDY, "rehearsal")) == 0
    assert await store.read(lambda tx: tx.count_origin(STUDY, "real")) == 1
    assert await store.read(lambda tx: tx.progress(STUDY)) == [ItemProgress(TASK, CONDITION, ITEM, 2, 0, 1)]
    assert [c.key for c in await store.read(lambda tx: tx.calls(STUDY))] == ["k-ana"]
    assert await store.read(lambda tx: tx.exposures(STUDY, [robot])) == []
    assert await store.read(lambda tx: tx.session(STUDY, "s-robot", NOON)) is None
    assert (await store.read(lambda tx: tx.turns([RunId("r-ana")])))[RunId("r-ana")][0].text == "Why?"


# Transactions


async def test_an_error_undoes_all_of_its_own_work_and_nothing_of_others(store: Store) -> None:
    def fails(tx: Tx) -> None:
        enrol(tx, BEN)
        raise ValueError("no")

    results = await asyncio.gather(
        store.write(lambda tx: enrol(tx, ANA)),
        store.write(fails),
        store.write(lambda tx: enrol(tx, AnnotatorId("cleo"))),
        return_exceptions=True,
    )

    assert [type(result) for result in results] == [type(None), ValueError, type(None)]
    assert [r.participant.id for r in await store.read(lambda tx: tx.persons(STUDY))] == ["ana", "cleo"]


async def test_more_writers_than_share_a_commit_are_all_served(store: Store) -> None:
    people = [AnnotatorId(f"p-{n:03}") for n in range(300)]

    await asyncio.gather(*(store.write(lambda tx, p=person: enrol(tx, p)) for person in people))  # type: ignore[misc]

    assert [r.participant.id for r in await store.read(lambda tx: tx.persons(STUDY, limit=400))] == people


async def test_a_write_whose_caller_went_away_harms_nobody(store: Store) -> None:
    gone = asyncio.ensure_future(store.write(lambda tx: enrol(tx, ANA)))
    await asyncio.sleep(0)
    gone.cancel()

    await store.write(lambda tx: enrol(tx, BEN))

    assert BEN in [r.participant.id for r in await store.read(lambda tx: tx.persons(STUDY))]


async def test_reading_cannot_write(store: Store) -> None:
    with pytest.raises(Exception, match=r"read-?only|readonly"):
        await store.read(lambda tx: enrol(tx, ANA))

    assert await store.read(lambda tx: tx.persons(STUDY)) == []


async def test_writers_about_one_person_wait_for_each_other(store: Store) -> None:
    def start(tx: Tx) -> None:
        enrol(tx, ANA)
        give(tx, ANA, "a-1")

    def correct(tx: Tx) -> None:
        (assignment,) = tx.person(ANA, lock=True).assignments
        revision = len(tx.annotation_history(STUDY, [ANA]))
        tx.add_annotation(STUDY, label(assignment, revision=revision, seq=tx.next_seq(ANA, ITEM)))

    await store.write(start)
    await asyncio.gather(*(store.write(correct) for _ in range(20)))

    history = await store.read(lambda tx: tx.annotation_history(STUDY, [ANA]))
    assert [(a.revision, a.seq) for a in history] == [(n, n + 1) for n in range(20)]


async def test_transactions_that_block_each_other_are_run_again(store: Store) -> None:
    await store.write(lambda tx: enrol(tx, ANA, BEN))

    def both(first: AnnotatorId, second: AnnotatorId, kind: str) -> object:
        def work(tx: Tx) -> None:
            tx.lock_person(first)
            tx.lock_person(second)
            tx.add_event(Event(first, "paused", kind, NOON))

        return work

    await asyncio.gather(
        *(store.write(both(*pair, str(n))) for n in range(3) for pair in ((ANA, BEN), (BEN, ANA)))  # type: ignore[arg-type]
    )

    for person in (ANA, BEN):
        assert len((await store.read(lambda tx, p=person: tx.person(p))).events) == 3  # type: ignore[misc]


async def test_what_was_acknowledged_survives_a_kill(store: Store, record_url: str) -> None:
    await store.write(lambda tx: enrol(tx, ANA))
    child = _child("save", record_url, "0")
    assert child.stdout is not None

    acknowledged = [child.stdout.readline().strip() for _ in range(40)]
    child.kill()
    acknowledged += child.communicate(timeout=30)[0].split()

    kept = [event.about for event in (await store.read(lambda tx: tx.person(ANA))).events]
    assert len(acknowledged) >= 40
    assert set(acknowledged) <= set(kept)
    assert len(kept) == len(set(kept))


def _child(part: str, url: str, number: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "tests.contracts.test_store", part, url, number],
        stdout=subprocess.PIPE,
        text=True,
        cwd=HERE.parents[2],
        env={"PYTHONPATH": "src", "PATH": "/usr/bin:/bin"},
    )


async def _race(url: str, number: str) -> None:
    """Twenty people of one process take a slot each, at once."""
    store = open_store(url)

    async def one(n: int) -> None:
        person = AnnotatorId(f"p-{number}-{n}")

        def work(tx: Tx) -> Slot | None:
            enrol(tx, person)
            return take(tx, person, f"a-{number}-{n}", pivot=(n * 214_748_364) % 2**32)

        print(await store.write(work))

    await asyncio.gather(*(one(n) for n in range(20)))
    await store.close()


async def _save(url: str, _: str) -> None:
    """Write without end, and say so after each write."""
    store = open_store(url)

    async def one(lane: int) -> None:
        n = 0
        while True:
            n += 1
            name = f"{lane}-{n}"
            await store.write(lambda tx, name=name: tx.add_event(Event(ANA, "paused", name, NOON)))  # type: ignore[misc]
            print(name, flush=True)

    await asyncio.gather(*(one(lane) for lane in range(4)))


if __name__ == "__main__":
    asyncio.run({"race": _race, "save": _save}[sys.argv[1]](sys.argv[2], sys.argv[3]))
