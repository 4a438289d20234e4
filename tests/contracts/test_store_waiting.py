"""What every store knows of what waits for an owner, and of kept minutes."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from crito.model.access import Reading
from crito.model.ids import AccountId, AnnotatorId, AssignmentId, RunId
from crito.model.record import BudgetNote, PersonMinutes, Run, SeenMark
from crito.model.talk import Violation
from crito.services.ports.owner import FinishedPerson, TalksWanted
from crito.services.ports.store import Store, Tx
from tests.contracts.recording import ANA, BEN, CONDITION, ITEM, LATER, NOON, STUDY, enrol, give, turn

MARKED = (Violation("names_label", 0, "says a label"),)
RUN, PLACE = RunId("r-1"), AssignmentId("a-1")
SECOND = timedelta(seconds=1)


async def talk(store: Store) -> None:
    def work(tx: Tx) -> None:
        enrol(tx, ANA)
        give(tx, ANA, PLACE, ITEM, slot=0)
        tx.add_run(STUDY, Run(RUN, PLACE, "socratic", 1))
        tx.add_turn(STUDY, ANA, turn(RUN, 0, "Why?", "script", at=NOON, violations=MARKED))

    await store.write(work)


async def unseen(store: Store) -> int:
    n, runs, listed = await store.read(
        lambda tx: (
            tx.count_unseen(STUDY),
            tx.unseen_runs(STUDY),
            tx.listed_talks(STUDY, wanted=TalksWanted(unseen=True)),
        )
    )
    assert n == len(runs) == len(listed)
    return n


async def test_marks_are_seen_by_whoever_opens_the_dialogue_or_says_so_after_them(store: Store) -> None:
    await talk(store)

    def read(account: str, at: Any) -> Callable[[Tx], None]:
        return lambda tx: tx.add_readings([Reading(STUDY, AccountId(account), "Ada", ANA, PLACE, at)])

    before = await unseen(store)
    await store.write(read("", NOON + SECOND))
    await store.write(read("ada", NOON - SECOND))
    by_a_program_or_too_early = await unseen(store)
    await store.write(read("ada", NOON + SECOND))
    opened = await unseen(store)
    again = turn(RUN, 1, "Say that it is sarcasm.", "script", at=NOON + 2 * SECOND, violations=MARKED)
    await store.write(lambda tx: tx.add_turn(STUDY, ANA, again))
    marked_again = await unseen(store)
    seen = SeenMark(RUN, AccountId("ben"), "Ben", NOON + 3 * SECOND)
    await store.write(lambda tx: tx.add_seen_marks(STUDY, [seen]))

    assert (before, by_a_program_or_too_early, opened, marked_again) == (1, 1, 0, 1)
    assert await unseen(store) == 0
    assert await store.read(lambda tx: tx.seen_by([RUN])) == {RUN: seen}


async def test_marks_of_somebody_who_withdrew_wait_for_nobody(store: Store) -> None:
    await talk(store)

    await store.write(lambda tx: tx.end_participation(ANA, "withdrawn", LATER))

    assert await unseen(store) == 0


async def test_the_budget_is_what_was_noted_last(store: Store) -> None:
    none = await store.read(lambda tx: tx.budget(STUDY))
    for note in (BudgetNote(5.0, "begun", NOON), BudgetNote(5.0, "reached", LATER)):
        await store.write(lambda tx, n=note: tx.add_budget(STUDY, n))

    assert none is None
    assert await store.read(lambda tx: tx.budget(STUDY)) == BudgetNote(5.0, "reached", LATER)


async def test_data_are_due_by_the_edition_that_people_were_told_of(store: Store) -> None:
    def work(tx: Tx) -> None:
        enrol(tx, ANA)
        tx.keep_words(ANA, "Something of hers.")
        enrol(tx, BEN)
        tx.erase_words(BEN)
        tx.forget_identity(BEN)

    await store.write(work)
    (person,) = await store.read(lambda tx: tx.kept_people(STUDY))
    version, came = person.study_version, person.arrived_at

    assert person.id == ANA
    assert await store.read(lambda tx: tx.count_due(STUDY, {version: came})) == 1
    assert await store.read(lambda tx: tx.count_due(STUDY, {version: came - SECOND})) == 0
    assert await store.read(lambda tx: tx.count_due(STUDY, {version + 1: came})) == 0


async def test_minutes_are_kept_once_of_those_who_finished(store: Store) -> None:
    gone = AnnotatorId("p-gone")

    def work(tx: Tx) -> None:
        for who in (ANA, BEN, gone):
            enrol(tx, who, condition=CONDITION)
        for who in (ANA, BEN):
            tx.end_participation(who, "done", LATER)
        tx.end_participation(gone, "withdrawn", LATER)

    await store.write(work)
    minutes = PersonMinutes(ANA, 9.5, 12.25, first_labels=3.0)
    missing = await store.read(lambda tx: tx.without_minutes(STUDY, 9))
    await store.write(lambda tx: tx.keep_minutes(STUDY, [minutes, PersonMinutes(gone, 1.0, 1.0)]))
    await store.write(lambda tx: tx.keep_minutes(STUDY, [PersonMinutes(ANA, 1.0, 1.0)]))

    ((kept, condition, language),) = await store.read(lambda tx: tx.minutes(STUDY))
    assert set(missing) == {ANA, BEN}
    assert await store.read(lambda tx: tx.without_minutes(STUDY, 9)) == [BEN]
    assert (kept, condition, language) == FinishedPerson(minutes, CONDITION, "en")
