"""People, as every store keeps them."""

from dataclasses import replace
from datetime import timedelta, timezone

import pytest

from crito.model.errors import Conflict, NotFound
from crito.model.ids import AnnotatorId, ItemId, RunId, StudyName
from crito.model.record import (
    Assignment,
    Draw,
    Event,
    GivenAnswer,
    Identity,
    Run,
)
from crito.services.ports.store import Store, Tx
from tests.builders import make_participant
from tests.contracts.recording import ANA, BEN, LATER, NOON, STUDY, enrol, give, label, turn


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
