"""What every store promises about transactions."""

import asyncio
import threading

import pytest

from crito.model.ids import AnnotatorId
from crito.model.record import (
    Event,
)
from crito.services.ports.store import Store, Tx
from tests.contracts.recording import ANA, BEN, ITEM, NOON, STUDY, child, enrol, give, label


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


async def test_surveying_cannot_write_and_sees_what_was_written_before(store: Store) -> None:
    await store.write(lambda tx: enrol(tx, ANA))

    with pytest.raises(Exception, match=r"read-?only|readonly"):
        await store.survey(lambda tx: enrol(tx, BEN))

    assert [r.participant.id for r in await store.survey(lambda tx: tx.persons(STUDY))] == [ANA]


async def test_a_survey_under_way_lets_others_write(store: Store) -> None:
    written = threading.Event()

    def long_look(tx: Tx) -> bool:
        return written.wait(timeout=30)

    survey = asyncio.ensure_future(store.survey(long_look))
    await store.write(lambda tx: enrol(tx, ANA))
    written.set()

    assert await survey


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
            tx.person(first, lock=True)
            tx.person(second, lock=True)
            tx.add_event(Event(first, "paused", kind, NOON))

        return work

    await asyncio.gather(
        *(store.write(both(*pair, str(n))) for n in range(3) for pair in ((ANA, BEN), (BEN, ANA)))  # type: ignore[arg-type]
    )

    for person in (ANA, BEN):
        assert len((await store.read(lambda tx, p=person: tx.person(p))).events) == 3  # type: ignore[misc]


async def test_what_was_acknowledged_survives_a_kill(store: Store, record_url: str) -> None:
    await store.write(lambda tx: enrol(tx, ANA))
    saving = child("save", record_url, "0")
    assert saving.stdout is not None

    acknowledged = [saving.stdout.readline().strip() for _ in range(40)]
    saving.kill()
    acknowledged += saving.communicate(timeout=30)[0].split()

    kept = [event.about for event in (await store.read(lambda tx: tx.person(ANA))).events]
    assert len(acknowledged) >= 40
    assert set(acknowledged) <= set(kept)
    assert len(kept) == len(set(kept))
