"""What every store lists for the owner."""

from datetime import timedelta

from crito.model.ids import AnnotatorId, AssignmentId, ItemId, RunId
from crito.model.record import Event, Exclusion, Run
from crito.model.talk import Violation
from crito.services.ports.owner import LabelCount, PeopleWanted, TalksWanted
from crito.services.ports.store import Store, Tx
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
    give,
    label,
    turn,
)


async def test_people_are_found_by_what_is_asked_for(store: Store) -> None:
    def work(tx: Tx) -> None:
        enrol(tx, AnnotatorId("p-1a_b"), condition="control")
        enrol(tx, AnnotatorId("p-2axb"), condition="socratic")
        enrol(tx, AnnotatorId("p-3"), condition="socratic")
        tx.end_participation(AnnotatorId("p-3"), "done", LATER)
        tx.add_exclusion(Exclusion(AnnotatorId("p-3"), True, "first", "", NOON))

    await store.write(work)

    async def found(**wanted: object) -> list[str]:
        which = PeopleWanted(**wanted)  # type: ignore[arg-type]
        rows, n = await store.read(lambda tx: (tx.people(STUDY, wanted=which), tx.count_wanted(STUDY, which)))
        assert n == len(rows)
        return [row.participant.id for row in rows]

    assert await found() == ["p-3", "p-2axb", "p-1a_b"]
    assert await found(search="a_b") == ["p-1a_b"]
    assert await found(ending="active", condition="socratic") == ["p-2axb"]
    assert await found(ending="done") == ["p-3"]
    assert await found(excluded=True) == ["p-3"]
    assert await found(excluded=False) == ["p-2axb", "p-1a_b"]
    assert await found(ids=[AnnotatorId("p-3"), AnnotatorId("p-9")]) == ["p-3"]
    assert await found(ids=[]) == []


async def test_the_last_decision_about_a_person_stands(store: Store) -> None:
    decisions = [Exclusion(ANA, True, "pasted", "owner", NOON), Exclusion(ANA, False, "own words", "", LATER)]

    def work(tx: Tx) -> None:
        enrol(tx, ANA)
        for decision in decisions:
            tx.add_exclusion(decision)

    await store.write(work)

    assert await store.read(lambda tx: tx.exclusions(STUDY, [ANA, BEN])) == decisions
    assert await store.read(lambda tx: [row.exclusion for row in tx.people(STUDY)]) == [""]
    assert await store.read(lambda tx: tx.count_wanted(STUDY, PeopleWanted(excluded=True))) == 0


async def test_the_active_are_told_with_the_place_opened_last_and_what_failed(store: Store) -> None:
    def work(tx: Tx) -> None:
        for who in (ANA, BEN):
            enrol(tx, who)
            tx.add_event(Event(who, "opened", "annotate:a-1", NOON))
        tx.add_event(Event(BEN, "opened", "survey", LATER))
        tx.add_event(Event(BEN, "failed", "survey", LATER))
        enrol(tx, AnnotatorId("p-gone"))
        tx.end_participation(AnnotatorId("p-gone"), "done", LATER)

    await store.write(work)
    active = {one.annotator: one for one in await store.read(lambda tx: tx.active_people(STUDY))}

    assert set(active) == {ANA, BEN}
    assert (active[ANA].opened, active[ANA].failed, active[ANA].last_seen_at) == ("annotate:a-1", False, NOON)
    assert (active[BEN].opened, active[BEN].failed, active[BEN].last_seen_at) == ("survey", True, LATER)


async def test_places_of_items_are_counted_by_status(store: Store) -> None:
    def work(tx: Tx) -> None:
        for who in (ANA, BEN):
            enrol(tx, who)
            give(tx, who, f"a-{who}", ITEM, slot=int(who == BEN))
        tx.set_status([AssignmentId(f"a-{ANA}")], "done")

    await store.write(work)
    held = await store.read(lambda tx: tx.held_places(STUDY, TASK, CONDITION, [ITEM, ItemId("other")]))

    assert sorted(held) == [(ITEM, "done", 1), (ITEM, "open", 1)]
    assert await store.read(lambda tx: tx.held_places(STUDY, TASK, CONDITION, [])) == []


async def test_initial_labels_of_an_item_are_counted_as_they_stand(store: Store) -> None:
    def work(tx: Tx) -> None:
        for who in (ANA, BEN, AnnotatorId("p-gone")):
            enrol(tx, who)
            give(tx, who, f"a-{who}", ITEM, slot=[ANA, BEN, "p-gone"].index(who))
            mine = tx.person(who).assignments[0]
            tx.add_annotation(STUDY, label(mine, label="not_sarcastic", seq=1))
        mine = tx.person(BEN).assignments[0]
        tx.add_annotation(STUDY, label(mine, label="sarcastic", revision=1, seq=2))
        tx.add_annotation(STUDY, label(mine, 1, label="not_sarcastic", seq=3))
        tx.end_participation(AnnotatorId("p-gone"), "withdrawn", LATER)

    await store.write(work)
    expected = [LabelCount(ITEM, "not_sarcastic", 1), LabelCount(ITEM, "sarcastic", 1)]

    assert await store.read(lambda tx: tx.label_counts(STUDY, TASK, None)) == expected
    assert await store.read(lambda tx: tx.label_counts(STUDY, TASK, [ITEM])) == expected
    assert await store.read(lambda tx: tx.label_counts(STUDY, TASK, [])) == []


async def test_dialogues_begun_last_come_first_with_what_a_guard_marked(store: Store) -> None:
    marked = (Violation("names_label", 0, "says a label"),)

    def work(tx: Tx) -> None:
        for n, who in enumerate((ANA, BEN)):
            enrol(tx, who)
            give(tx, who, f"a-{who}", ITEM, slot=n)
            run = Run(RunId(f"r-{who}"), AssignmentId(f"a-{who}"), "socratic", 1)
            tx.add_run(STUDY, run)
            at = NOON + timedelta(minutes=n)
            tx.add_turn(STUDY, who, turn(run.id, 0, "Why?", "script", at=at, violations=marked if who == BEN else ()))
            tx.add_turn(STUDY, who, turn(run.id, 1, "So.", at=at + timedelta(minutes=5)))

    await store.write(work)
    first, second = await store.read(lambda tx: tx.listed_talks(STUDY))

    assert (first.run, first.annotator, first.messages, first.marked) == (f"r-{BEN}", BEN, 1, 1)
    assert (second.run, second.begun_at, second.last_at) == (f"r-{ANA}", NOON, NOON + timedelta(minutes=5))
    assert await store.read(lambda tx: tx.listed_talks(STUDY, after=first.run)) == [second]
    for wanted, n in (
        (TalksWanted(), 2), (TalksWanted(marked=True), 1), (TalksWanted(search=ANA), 1), (TalksWanted(search=ITEM), 2),
        (TalksWanted(task="other"), 0), (TalksWanted(condition=CONDITION), 2), (TalksWanted(runs=[first.run]), 1),
        (TalksWanted(assignments=[AssignmentId(f"a-{ANA}")]), 1),
    ):  # fmt: skip
        found = await store.read(
            lambda tx, w=wanted: (len(tx.listed_talks(STUDY, wanted=w)), tx.count_listed_talks(STUDY, w))
        )
        assert found == (n, n), wanted


async def test_calls_that_have_had_no_result_for_long_are_counted(store: Store) -> None:
    def work(tx: Tx) -> None:
        tx.add_call(call(key="k-1", status="intended"))
        tx.add_call(call(key="k-2", status="answered"))

    await store.write(work)
    (sent,) = await store.read(lambda tx: tx.calls(STUDY, status="intended"))
    at = sent.intended_at

    assert await store.read(lambda tx: tx.count_uncertain(STUDY, at)) == 0
    assert await store.read(lambda tx: tx.count_uncertain(STUDY, at + timedelta(seconds=1))) == 1
