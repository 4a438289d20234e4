"""What every store tells the owner."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from crito.model.errors import NotFound
from crito.model.ids import AnnotatorId, AssignmentId, ItemId, RunId, StudyName
from crito.model.record import (
    Draw,
    Event,
    Export,
    GivenAnswer,
    Identity,
    Run,
)
from crito.services.ports.owner import ItemProgress, StatusCounts
from crito.services.ports.store import Store, Tx
from tests.builders import make_participant
from tests.contracts.recording import (
    ANA,
    BEN,
    CONDITION,
    ITEM,
    LATER,
    NOON,
    STUDY,
    TASK,
    call,
    enrol,
    exposure,
    give,
    label,
    needs,
    take,
    turn,
)


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
    assert page[0][1:] == (1, 2, LATER + timedelta(1), LATER, "a-0", "")
    assert page[1][1:] == (0, 0, NOON + timedelta(minutes=1), None, "", "")


async def test_people_are_counted_by_ending(store: Store) -> None:
    def work(tx: Tx) -> None:
        enrol(tx, ANA, BEN, AnnotatorId("cleo"))
        tx.end_participation(BEN, "no_consent", NOON)

    await store.write(work)

    assert await store.read(lambda tx: tx.count_people(STUDY)) == {"active": 2, "no_consent": 1}
    assert await store.read(lambda tx: tx.count_people(StudyName("pots"))) == {}


async def test_those_are_present_who_hold_a_live_lease_or_left_a_trace(store: Store) -> None:
    old, late = NOON - timedelta(days=1), LATER + timedelta(minutes=1)
    names = ("holds", "lapsed", "came", "did", "labelled", "ended")
    people = {name: AnnotatorId(name) for name in names}

    def work(tx: Tx) -> None:
        tx.make_slots(STUDY, needs(1, 3), seed=1)
        for name, person in people.items():
            enrol(tx, person, arrived_at=NOON if name == "came" else old)
        take(tx, people["holds"], "a-1")
        take(tx, people["lapsed"], "a-2")
        tx.set_status([AssignmentId("a-2")], "expired")
        take(tx, people["labelled"], "a-3")
        tx.add_annotation(STUDY, label(tx.person(people["labelled"]).assignments[0], submitted_at=NOON))
        tx.set_status([AssignmentId("a-3")], "done")
        for name in ("did", "ended"):
            tx.add_event(Event(people[name], "opened", "survey", NOON))
        tx.end_participation(people["ended"], "done", NOON)

    await store.write(work)

    async def present(now: datetime, since: datetime) -> int:
        return await store.read(lambda tx: tx.count_present(STUDY, now, since))

    assert await present(NOON, NOON) == 4  # holds, came, did, labelled
    assert await present(NOON, late) == 1  # holds
    assert await present(late, NOON) == 3
    assert await present(late, late) == 0


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


async def test_forgetting_identities_leaves_the_people(store: Store) -> None:
    identity = Identity("prolific", "5f00")
    await store.write(lambda tx: tx.add_participant(make_participant(ANA), identity))

    assert await store.write(lambda tx: tx.forget_identities(STUDY)) == 1
    assert await store.read(lambda tx: tx.find_person(STUDY, identity)) is None
    assert (await store.read(lambda tx: tx.person(ANA))).participant.id == ANA


async def test_kept_places_are_open_ones_with_a_live_lease_and_dialogues_those_with_a_run(store: Store) -> None:
    names = ("talks", "labels", "lapsed", "done")

    def work(tx: Tx) -> None:
        tx.make_slots(STUDY, needs(1, 4), seed=1)
        for name in names:
            enrol(tx, AnnotatorId(name))
            take(tx, AnnotatorId(name), f"a-{name}")
        tx.add_run(STUDY, Run(RunId("r-1"), AssignmentId("a-talks"), "socratic", 1))
        tx.add_run(STUDY, Run(RunId("r-2"), AssignmentId("a-done"), "socratic", 1))
        tx.set_status([AssignmentId("a-lapsed")], "expired")
        tx.set_status([AssignmentId("a-done")], "done")

    await store.write(work)

    assert await store.read(lambda tx: tx.count_kept(STUDY, NOON)) == (2, 1)
    assert await store.read(lambda tx: tx.count_kept(STUDY, LATER + timedelta(days=1))) == (0, 0)


async def test_a_store_of_the_present_edition_passes_its_check(store: Store) -> None:
    await store.check()
