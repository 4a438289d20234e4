"""A record with a long ledger, written straight into its tables, and what it takes to go on with it.

It is a process of its own for each measurement: `python -m benchmarks.beside.long_ledger go-on URL TASK ITEMS`.
"""

import asyncio
import hashlib
import json
import sqlite3
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path

from crito.bootstrap import Settings, Spending, load_task, most_usd, open_parts
from crito.engine.labelling import label_waiting
from crito.engine.local import LocalEngine
from crito.engine.shards import Tally
from crito.model.ids import StudyName
from crito.model.study import Agent, Item, Panel, Study
from crito.model.votes import Vote
from crito.services.labelling import Job, begin, spent_usd
from crito.services.ledger import CallFilter, ledger

PANEL = Panel("many", "self_consistency", (Agent("lab:many"),), samples=11)
AT = "2026-05-04T12:00:00.000000+00:00"
LEFT = 100
"""Items that nobody has labelled yet."""
UNCERTAIN = 25


def fill(folder: Path, task: Path, items: Path, calls_per_item: int) -> str:
    """The address of a record in which all items but the last few have a label from so many calls each."""
    file = folder / "long.db"
    url = f"sqlite:///{file}"
    job = asyncio.run(_begun(url, load_task(task, items)))
    done = job.waiting[:-LEFT]
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA synchronous=OFF")
    connection.execute("PRAGMA cache_size=-400000")
    with connection:
        _insert(connection, "words", _words(done, calls_per_item))
        _insert(connection, "calls", _calls(job, done, calls_per_item))
        _insert(connection, "outcomes", _outcomes(job, done))
    connection.close()
    return url


async def _begun(url: str, study: Study) -> Job:
    async with open_parts(Settings(url)) as parts:
        return await begin(parts, study, PANEL)


def _insert(connection: sqlite3.Connection, table: str, rows: Iterator[dict[str, object]]) -> None:
    first = next(rows)
    places = ", ".join(f":{name}" for name in first)
    connection.executemany(f"INSERT INTO {table} ({', '.join(first)}) VALUES ({places})", chain([first], rows))


def _digest(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _words(done: Sequence[Item], calls_per_item: int) -> Iterator[dict[str, object]]:
    head = {"model": "many", "messages": [{"role": "system", "content": "Label the sentence. " * 20}]}
    for item in done:
        yield {"id": _digest("request", item.id), "body": json.dumps({**head, "user": item.text})}
        for sample in range(calls_per_item):
            reply = {"label": "Dovish", "confidence": sample / 100, "reason": f"It leans that way: {item.id}."}
            yield {"id": _digest("reply", item.id, sample), "body": json.dumps(reply)}


def _calls(job: Job, done: Sequence[Item], calls_per_item: int) -> Iterator[dict[str, object]]:
    """All answered but the first of some items, which nobody knows the end of."""
    every = max(1, len(done) // UNCERTAIN)
    for place, item in enumerate(done):
        for sample in range(calls_per_item):
            known = sample or place % every
            yield {
                "key": _digest("call", item.id, sample),
                "study": job.study.name,
                "run": job.runs[item.id].id,
                "status": "answered" if known else "intended",
                "provider": "lab",
                "requested_model": "many",
                "served_model": "many" if known else "",
                "request": _digest("request", item.id),
                "reply": _digest("reply", item.id, sample) if known else None,
                "finish_reason": "stop" if known else "",
                "input_tokens": 300 if known else None,
                "cached_tokens": 0 if known else None,
                "output_tokens": 40 if known else None,
                "cost_usd": 0.0001 if known else None,
                "latency_ms": 900 if known else None,
                "error": "",
                "intended_at": AT,
                "finished_at": AT if known else None,
            }


def _outcomes(job: Job, done: Sequence[Item]) -> Iterator[dict[str, object]]:
    vote = json.dumps(asdict(Vote("dovish", "consensus", (), 1.0, 10)))
    for item in done:
        yield {
            "run": job.runs[item.id].id, "study": job.study.name, "labelling": job.labelling.id, "item": item.id,
            "vote": vote, "rounds": 1, "at": AT,
        }  # fmt: skip


def most_mb() -> float:
    """The most memory this process had; `ru_maxrss` begins with that of the process which started it."""
    (line,) = (one for one in Path("/proc/self/status").read_text().splitlines() if one.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


async def go_on(url: str, task: Path, items: Path) -> dict[str, float]:
    """Seconds and most memory of what a command does with the record, each from the start of the process."""
    began = time.perf_counter()
    said: dict[str, float] = {}

    def now(what: str) -> None:
        said[what], said[f"{what}_cpu"] = time.perf_counter() - began, time.process_time()
        said[f"{what}_mb"] = most_mb()

    study = load_task(task, items)
    now("items_read")
    async with open_parts(Settings(url), Spending(budget_usd=1e6)) as parts:
        now("opened")
        await spent_usd(parts, study.name)
        now("spending_known")
        job = await begin(parts, study, PANEL)
        now("begun")
        engine, tally = LocalEngine(LEFT), Tally()
        engine.stop()
        await label_waiting(
            parts, job, engine, done=tally.finished.append, spent=tally.spend, held=tally.held.__setitem__
        )
        now("first_call")
        assert len(job.waiting) == LEFT
    return said


async def sum_up(url: str, name: StudyName) -> dict[str, float]:
    """The same for the summary of `crito calls`."""
    began = time.perf_counter()
    async with open_parts(Settings(url)) as parts:
        found = await ledger(parts, name, CallFilter(), most_usd(), limit=20)
    wall_s = time.perf_counter() - began
    calls = sum(one.calls for one in found.sums)
    return {
        "calls": calls,
        "wall_s": wall_s,
        "cpu_s": time.process_time(),
        "mb": most_mb(),
    }


def main() -> None:
    what, url, task, items = sys.argv[1:]
    if what == "go-on":
        print(json.dumps(asyncio.run(go_on(url, Path(task), Path(items)))))
    else:
        print(json.dumps(asyncio.run(sum_up(url, StudyName(Path(task).stem)))))


if __name__ == "__main__":
    main()
