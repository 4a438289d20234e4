"""What the store costs: CPU and waiting time of a save and of a read, for one process and for several on one database.

A save is what a label costs: the person is locked and read, the label, three answers and an event are added, the leases
renewed. Run `python benchmarks/store.py`; without --db it measures an SQLite file in a new folder on this disk.
"""

import argparse
import asyncio
import json
import platform
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from pathlib import Path
from typing import Any

from crito.model.ids import AnnotatorId, AssignmentId, ItemId, Language, StudyName, TaskName
from crito.model.record import Annotation, Assignment, Event, GivenAnswer, Participant
from crito.services.ports.store import Store, Tx
from crito.services.ports.studies import SlotNeed
from crito.store.opening import open_store

STUDY, TASK = StudyName("bench"), TaskName("sarcasm")
NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
ITEMS_PER_PERSON = 4
AT_ONCE = 20


def enrol(annotator: AnnotatorId) -> Callable[[Tx], None]:
    def work(tx: Tx) -> None:
        tx.add_participant(Participant(annotator, STUDY, 1, "real", Language("en"), "solo", 7, NOW), None)
        tx.add_event(Event(annotator, "consented", "", NOW))
        given: list[Assignment] = []
        for n in range(ITEMS_PER_PERSON):
            name = AssignmentId(f"{annotator}-{n}")
            slot = tx.take_slot(STUDY, TASK, "solo", name, pivot=hash(name) % 2**32, avoid=[a.item for a in given])
            assert slot, "there are enough slots for everybody"
            until = NOW + timedelta(hours=1)
            given.append(
                Assignment(name, annotator, TASK, slot.item, slot.item_hash, "solo", n, slot.number, "open", until)
            )
        tx.add_assignments(STUDY, given)

    return work


def save(annotator: AnnotatorId, n: int) -> Callable[[Tx], None]:
    def work(tx: Tx) -> None:
        mine = tx.person(annotator, lock=True).assignments[n]
        seq = tx.next_seq(annotator, mine.item)
        tx.add_annotation(
            STUDY,
            Annotation(
                annotator, TASK, mine.item, mine.item_hash, mine.id, "solo", 1, 0, 0, seq, "sarcastic", None,
                "very_sure", None, "g" * 64, NOW, NOW, {"first_input": 800},
            ),
        )  # fmt: skip
        form = f"annotate:{mine.id}"
        tx.add_answers(STUDY, [GivenAnswer(annotator, form, q, "yes", None, NOW) for q in ("help", "agree", "colour")])
        tx.add_event(Event(annotator, "opened", form, NOW))
        tx.renew_leases(annotator, NOW + timedelta(hours=2))

    return work


async def timed(jobs: list[Callable[[], Any]]) -> dict[str, float]:
    """Run the jobs with `AT_ONCE` of them under way; milliseconds of CPU each, waiting times, and how many a second."""
    waits: list[float] = []
    rest = iter(jobs)

    async def lane() -> None:
        for job in rest:
            began = time.perf_counter()
            await job()
            waits.append(time.perf_counter() - began)

    cpu, wall = time.process_time(), time.perf_counter()
    await asyncio.gather(*(lane() for _ in range(AT_ONCE)))
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    waits.sort()
    return {
        "cpu_ms": round(1000 * cpu / len(jobs), 3),
        "p50_ms": round(1000 * waits[len(waits) // 2], 1),
        "p99_ms": round(1000 * waits[len(waits) * 99 // 100], 1),
        "per_s": round(len(jobs) / wall),
    }


async def one_process(url: str, number: int, people: int) -> dict[str, dict[str, float]]:
    store: Store = open_store(url)
    them = [AnnotatorId(f"p-{number}-{n}") for n in range(people)]
    turns = [(person, n) for n in range(ITEMS_PER_PERSON) for person in them]
    figures = {
        "enrol": await timed([lambda p=p: store.write(enrol(p)) for p in them]),  # type: ignore[misc]
        "save": await timed([lambda p=p, n=n: store.write(save(p, n)) for p, n in turns]),  # type: ignore[misc]
        "read": await timed([lambda p=p: store.read(lambda tx: tx.person(p)) for p, _ in turns]),  # type: ignore[misc]
    }
    await store.close()
    return figures


async def prepare(url: str, people: int) -> None:
    store = open_store(url)
    needs = [SlotNeed(TASK, "solo", ItemId(f"i-{n}"), "h" * 64, 10) for n in range(people)]
    await store.write(lambda tx: tx.make_slots(STUDY, needs, seed=1))
    await store.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--db", help="address of an empty database; an SQLite file in a new folder without it")
    parser.add_argument("--people", type=int, default=500, help="in each process")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--as-process", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.as_process is not None:
        print(json.dumps(asyncio.run(one_process(options.db, options.as_process, options.people))))
        return
    print(f"{platform.machine()}, {platform.system()} {platform.release()}, Python {platform.python_version()}")
    print(f"SQLAlchemy {version('sqlalchemy')}, SQLite {sqlite3.sqlite_version}, psycopg {version('psycopg')}")
    with tempfile.TemporaryDirectory() as folder:
        url = options.db or f"sqlite:///{Path(folder) / 'crito.db'}"
        asyncio.run(prepare(url, options.people * (options.processes + 1)))
        own = [sys.executable, __file__, "--db", url, "--people", str(options.people), "--as-process"]
        for number, together in enumerate((1, options.processes)):
            started = [
                subprocess.Popen([*own, str(10 * number + n)], stdout=subprocess.PIPE, text=True)
                for n in range(together)
            ]
            for n, process in enumerate(started, 1):
                for what, figures in json.loads(process.communicate()[0]).items():
                    told = ", ".join(f"{name} {value:g}" for name, value in figures.items())
                    print(f"process {n} of {together}: {what}: {told}")


if __name__ == "__main__":
    main()
