"""How long the owner's pages take over a large record: 10,000 people, 1,000,000 annotations, by default, with dialogues of
which guards marked some, calls to models, and what people said of themselves.

The record is made in bulk, once, and kept in a folder for the next time; for PostgreSQL it is copied into a new server.
Pages are asked for through the real app in this process; a figure is the time from the request to the last byte, with the
CPU of the process beside it. Run `python -m benchmarks.cockpit`; `--database postgresql` or `both`, `--fresh` makes the
record anew.
"""

import argparse
import asyncio
import contextlib
import json
import platform
import random
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psycopg
from httpx import ASGITransport, AsyncClient

from crito.model.ids import ItemId, StudyName, TaskName
from crito.model.study import Item, Study
from crito.services import accounts
from crito.services.parts import Parts
from crito.services.pay import minutes_of
from crito.services.ports.store import Tx
from crito.services.publishing import publish
from crito.store.opening import open_store
from crito.store.schema import REVISIONS, upgrade
from crito.store.tables.columns import metadata
from crito.studies.bundled import DEMO, STUDY_FILE, template_folder
from crito.studies.study_file import parse_study
from crito.web.app import create_app
from crito.web.settings import WebSettings
from tests.postgres import running_postgres

NAME = StudyName("cockpit-bench")
ITEMS_PER_PERSON = 50
ROUNDS = 2
NOW = datetime.now(UTC)
GOAL_MS = 300
PEOPLE, ANNOTATORS_PER_ITEM = 10_000, 25


def study_of(people: int) -> Study:
    """The bundled study with as many items as these people need."""
    folder = template_folder(DEMO)
    text = (folder / STUDY_FILE).read_text(encoding="utf-8")
    demo = parse_study(text, file=STUDY_FILE, read=lambda name: (folder / name).read_bytes())
    n_items = people * ITEMS_PER_PERSON // (ANNOTATORS_PER_ITEM * len(demo.tasks) * len(demo.conditions))
    tasks = tuple(
        replace(
            task,
            name=TaskName(task.name),
            items=tuple(
                Item(ItemId(f"{task.name}-{n:05d}"), f"Text number {n} of {task.name}, about a kettle that sings.", {})
                for n in range(n_items)
            ),
            items_per_person=ITEMS_PER_PERSON // len(demo.tasks),
            annotators_per_item=ANNOTATORS_PER_ITEM,
        )
        for task in demo.tasks
    )
    return replace(demo, name=NAME, tasks=tasks)


def fill(path: Path, people: int) -> None:
    """Publish the study, then write what everybody did in a handful of statements."""
    study = study_of(people)
    store = open_store(f"sqlite:///{path}")

    async def make() -> None:
        await publish(Parts(store, no_models, lambda: NOW - timedelta(days=9), lambda: 7), study)
        await store.close()

    asyncio.run(make())
    record = sqlite3.connect(path)
    record.executescript("PRAGMA synchronous=OFF; PRAGMA cache_size=-400000; PRAGMA foreign_keys=OFF;")
    began = NOW - timedelta(days=8)
    labels = [label.name for label in study.tasks[0].labels]

    def at(seconds: str) -> str:
        """SQL for a stored time, so many seconds after the study began."""
        return f"strftime('%Y-%m-%dT%H:%M:%f000+00:00', {began.timestamp()} + ({seconds}), 'unixepoch')"

    every = 7 * 86400 / people
    per_condition = people // len(study.conditions)
    record.executescript(f"""
        CREATE TEMP TABLE person AS
          WITH RECURSIVE n(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < {people - 1})
          SELECT n, printf('p-%05d-%04x', n, (n * 7919) % 65536) AS id, n * {every} AS arrived,
                 CASE WHEN n >= {people} * 98 / 100 THEN NULL WHEN n % 31 = 0 THEN 'timed_out'
                      WHEN n % 97 = 0 THEN 'attention_failed' WHEN n % 301 = 0 THEN 'withdrawn' ELSE 'done' END AS ending
          FROM n;
        CREATE TEMP TABLE given AS
          SELECT 'a-' || s.rowid AS id, s.rowid AS n, s.task, s.item, s.item_hash, s.condition, s.number,
                 row_number() OVER (PARTITION BY s.condition ORDER BY s.number, s.item, s.task) - 1 AS k
          FROM slots s;
        CREATE TEMP TABLE held AS
          SELECT g.*, k / {ITEMS_PER_PERSON} + {per_condition} * (dense_rank() OVER (ORDER BY condition) - 1) AS place,
                 k % {ITEMS_PER_PERSON} AS position FROM given g;
        CREATE TEMP TABLE work AS
          SELECT h.*, p.id AS person, p.arrived + 120 + h.position * 40 AS second, p.ending
          FROM held h JOIN person p ON p.n = h.place;
    """)
    record.executescript(
        f"""
        INSERT INTO participants (id, study, study_version, origin, language, condition, seed, arrived_at, ending, ended_at, role)
          SELECT id, '{NAME}', 1, 'real', 'en',
                 (SELECT condition FROM held WHERE place = person.n LIMIT 1), n, {at("arrived")},
                 ending, CASE WHEN ending IS NULL THEN NULL ELSE {at("arrived + 4000")} END, 'participant' FROM person;
    """.replace("(SELECT condition FROM held WHERE place = person.n LIMIT 1)", _condition(study, per_condition))
    )
    record.executescript(f"""
        INSERT INTO assignments (id, study, annotator, task, item, item_hash, condition, position, slot, status, lease_until)
          SELECT id, '{NAME}', person, task, item, item_hash, condition, position, number,
                 CASE WHEN ending IS NULL AND position > 25 THEN 'open' ELSE 'done' END,
                 '{(NOW + timedelta(hours=2)).isoformat(timespec="microseconds")}' FROM work;
        UPDATE slots SET assignment = 'a-' || rowid;
    """)
    for number in range(ROUNDS):
        record.executescript(f"""
            INSERT INTO annotations (study, annotator, task, item, item_hash, assignment, condition, study_version, round,
                revision, seq, label, state, confidence, rationale, guideline_hash, shown_at, submitted_at, client_times_ms)
              SELECT '{NAME}', person, task, item, item_hash, id, condition, 1, {number}, 0, {number + 1},
                     CASE (n * 7 + n / 13 + {number} * (n % 9 = 0)) % 2 WHEN 0 THEN '{labels[0]}' ELSE '{labels[1]}' END,
                     NULL, 'very_sure', NULL, 'g', {at(f"second + {number} * 2000")},
                     {at(f"second + {number} * 2000 + 5 + n % 30")}, '{{}}'
              FROM work ORDER BY place, position;
        """)
    for kind, about, second in (("consented", "''", "arrived + 1"), ("instructed", "''", "arrived + 100")):
        record.executescript(f"""
            INSERT INTO events (study, annotator, kind, about, at, data)
              SELECT '{NAME}', id, '{kind}', {about}, {at(second)}, '{{}}' FROM person;
        """)
    record.executescript(f"""
        INSERT INTO events (study, annotator, kind, about, at, data)
          SELECT '{NAME}', person, 'opened', 'annotate:' || id, {at("second")}, '{{}}' FROM work ORDER BY place, position;
        INSERT INTO runs (id, study, assignment, protocol, protocol_version)
          SELECT 'run-' || n, '{NAME}', id, 'socratic', 1 FROM work WHERE position < 4 AND condition = '{study.conditions[0].name}';
        INSERT INTO turns (run, step, "index", study, annotator, fingerprint, speaker, kind, violations, no_answer, model, prompt,
            prompt_hash, at, latency_ms)
          SELECT 'run-' || w.n, s.step, 0, '{NAME}', person, 'f', CASE s.step % 2 WHEN 0 THEN 'partner' ELSE 'person' END,
                 CASE s.step % 2 WHEN 0 THEN 'model' ELSE 'person' END,
                 CASE WHEN s.step = 2 AND w.n % 40 = 0 THEN '[["names_label", 0]]' ELSE '[]' END, '', '', '', '',
                 {at("second + 2000 + s.step * 20")}, 10
          FROM work w JOIN (SELECT 0 AS step UNION SELECT 1 UNION SELECT 2 UNION SELECT 3) s
          WHERE position < 4 AND condition = '{study.conditions[0].name}';
        INSERT INTO words (id, study, body) VALUES ('w', '{NAME}', '{{"messages": []}}');
        INSERT INTO calls (key, study, run, status, provider, requested_model, served_model, request, reply, finish_reason,
            input_tokens, cached_tokens, output_tokens, cost_usd, latency_ms, error, intended_at, finished_at)
          SELECT 'call-' || run || step, '{NAME}', run, CASE WHEN rowid % 20000 = 0 THEN 'intended' ELSE 'answered' END,
                 'openai', 'gpt-4o', 'gpt-4o', 'w', 'w', 'stop', 900, 0, 60, 0.003, 900, '', at, at
          FROM turns WHERE kind = 'model';
        INSERT INTO traits (study, annotator, name, value, source, at)
          SELECT '{NAME}', id, 'gender', CASE n % 9 WHEN 0 THEN 'non_binary' WHEN 1 THEN 'prefer_not_to_say'
                 ELSE CASE n % 2 WHEN 0 THEN 'woman' ELSE 'man' END END, 'platform', {at("arrived")} FROM person
          UNION ALL SELECT '{NAME}', id, 'country', 'country-' || n % 40, 'platform', {at("arrived")} FROM person;
        ANALYZE;
    """)
    record.commit()
    record.close()
    asyncio.run(keep_minutes(path))


async def keep_minutes(path: Path) -> None:
    """Work out what is kept of each person when they finish."""
    store = open_store(f"sqlite:///{path}")

    def work(tx: Tx) -> int:
        some = tx.without_minutes(NAME, 500)
        said = tx.turn_times(some)
        minutes = [minutes_of(record, said.get(record.participant.id, ())) for record in tx.records(some)]
        tx.keep_minutes(NAME, minutes)
        return len(some)

    while await store.write(work):
        pass
    await store.close()


def _condition(study: Study, per_condition: int) -> str:
    names = sorted(condition.name for condition in study.conditions)
    cases = " ".join(f"WHEN {place} THEN '{name}'" for place, name in enumerate(names))
    return f"CASE n / {per_condition} {cases} ELSE '{names[-1]}' END"


def no_models(name: str) -> Any:
    raise AssertionError(f"nothing here asks {name}")


async def timed(url: str, repeats: int) -> list[dict[str, Any]]:
    """The pages in turn, each several times; the first time of each stands apart, since it fills caches."""
    store = open_store(url)
    chance = random.Random(7)
    parts = Parts(store, no_models, lambda: datetime.now(UTC), lambda: chance.getrandbits(63))
    app = create_app(parts, WebSettings())
    base = f"/s/{NAME}/"
    found = []
    async with AsyncClient(transport=ASGITransport(app), base_url="http://crito.bench", timeout=600) as client:
        await client.get(f"{base}owner/enter/{await accounts.make_owner_link(parts, NAME)}", follow_redirects=True)
        for page in PAGES:
            address = base + page.format(person=await someone(parts))
            walls, cpus, size = [], [], 0
            for _ in range(repeats + 1):
                wall, cpu = time.perf_counter(), time.process_time()
                answer = await client.get(address)
                walls.append(1000 * (time.perf_counter() - wall))
                cpus.append(1000 * (time.process_time() - cpu))
                size = len(answer.content)
                assert answer.status_code == 200, (address, answer.status_code)
            found.append(
                {
                    "page": page, "first_ms": round(walls[0]), "median_ms": round(statistics.median(walls[1:])),
                    "cpu_ms": round(statistics.median(cpus[1:])), "kB": size // 1000,
                }
            )  # fmt: skip
            print(json.dumps(found[-1]), flush=True)
    await parts.drain()
    await store.close()
    return found


async def someone(parts: Parts) -> str:
    return (await parts.store.read(lambda tx: tx.people(NAME, limit=1)))[0].participant.id


PAGES = [
    "owner",
    "owner/now",
    "owner/people",
    "owner/people?state=present",
    "owner/people?search=p-05",
    "owner/people/{person}",
    "owner/signals",
    "owner/items",
    "owner/items?state=disputed",
    "owner/items?state=missing",
    "transcripts",
    "transcripts?marked=unseen",
    "transcripts?search=p-05",
    "owner/pay",
    "owner/numbers",
    "owner/recruit",
    "owner/erasures",
]


@contextlib.contextmanager
def on_postgres(path: Path) -> Iterator[str]:
    """The same record on a PostgreSQL server of its own, as it stands after its housekeeping."""
    with running_postgres(durable=True) as server:
        name = server.new_database()
        upgrade(server.url(name))
        address = f"host={server.socket_dir} user=postgres dbname={name}"
        with contextlib.closing(sqlite3.connect(path)) as source, psycopg.connect(address, autocommit=True) as target:
            target.execute("SET session_replication_role = replica")  # rows are checked already
            for table in metadata.sorted_tables:
                columns = ", ".join(f'"{column.name}"' for column in table.columns)
                with target.cursor().copy(f"COPY {table.name} ({columns}) FROM STDIN") as copy:
                    for row in source.execute(f"SELECT {columns} FROM {table.name}"):
                        copy.write_row(row)
            target.execute("VACUUM ANALYZE")
        yield server.url(name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=PEOPLE)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "crito-cockpit-bench")
    parser.add_argument("--database", choices=("sqlite", "postgresql", "both"), default="sqlite")
    parser.add_argument("--fresh", action="store_true")
    given = parser.parse_args()
    if given.fresh:
        shutil.rmtree(given.folder, ignore_errors=True)
    given.folder.mkdir(parents=True, exist_ok=True)
    path = given.folder / f"{given.people}-{REVISIONS[-1]}.db"
    if not path.exists():
        began, half = time.perf_counter(), path.with_suffix(".part")
        half.unlink(missing_ok=True)
        fill(half, given.people)
        half.rename(path)
        print(f"filled in {time.perf_counter() - began:.0f} s, {path.stat().st_size / 1e6:,.0f} MB")
    record = sqlite3.connect(path)
    counts = {
        table: record.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        for table in ("participants", "assignments", "annotations", "events", "turns", "calls", "traits")
    }
    record.close()
    print(json.dumps({"rows": counts, "python": sys.version.split()[0], "machine": platform.machine(),
                      "sqlite": sqlite3.sqlite_version, "fastapi": version("fastapi"), "goal_ms": GOAL_MS}))  # fmt: skip
    if given.database != "postgresql":
        print("on SQLite")
        asyncio.run(timed(f"sqlite:///{path}", given.repeats))
    if given.database != "sqlite":
        began = time.perf_counter()
        with on_postgres(path) as url:
            print(f"on PostgreSQL, copied in {time.perf_counter() - began:.0f} s")
            asyncio.run(timed(url, given.repeats))


if __name__ == "__main__":
    main()
