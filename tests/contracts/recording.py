"""Short words for what the contracts of the store record, and the processes that race on one database."""

import asyncio
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from crito.model.ids import AnnotatorId, AssignmentId, CallKey, ItemId, RunId, StudyName, TaskName, WordsId
from crito.model.record import (
    Annotation,
    Assignment,
    Call,
    Event,
    Exposure,
    RecordedTurn,
)
from crito.services.ports.places import Slot
from crito.services.ports.store import Tx
from crito.services.ports.studies import SlotNeed
from crito.store.opening import open_store
from tests.builders import make_annotation, make_assignment, make_participant

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


def child(part: str, url: str, number: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "tests.contracts.recording", part, url, number],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
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
