"""Kills the server while people work, many times, and looks for every label it had acknowledged.

Scripted people walk a study; at random moments the server and its workers get SIGKILL and start again on the same
database. Whatever a browser was told is kept must be in the record, once. Run `python -m benchmarks.crash`.
"""

import argparse
import asyncio
import contextlib
import os
import platform
import random
import socket
import sqlite3
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Any

import aiohttp
from sqlalchemy import Connection, text

from crito.bootstrap import load_study
from crito.cli.rehearsing import known_answers
from crito.model.ids import StudyName
from crito.rehearsal.browser import Saved, Tally
from crito.rehearsal.crowds import Crowd, rehearse
from crito.rehearsal.people import Walked
from crito.rehearsal.server import RunningServer, start_server
from crito.rehearsal.tempers import Temper
from crito.store.engines import open_engine
from crito.store.verify import verify
from crito.studies.bundled import DEMO, STUDY_FILE, template_folder
from tests.postgres import running_postgres

STUDY = StudyName("sarcasm-and-relation")
AT_ONCE = 8
PEOPLE_PER_WAVE = 24
PATIENCE_S = 300.0
FORMS_BETWEEN_KILLS = (1, 60)
"""How many forms a server acknowledges before it is killed, drawn evenly: none is killed while it only starts."""
MOMENT_S = 0.03
"""At most this long after the last of them, so that the kill meets any moment of what comes next."""
RESTLESS = replace(Temper(), declines=0.0, careless=0.0, drops_out=0.0, withdraws=0.0, double_clicks=0.2, goes_back=0.1)
EVENTS = {"instructions": "instructed", "confirm": "confirmed", "survey": "surveyed"}


@dataclass(frozen=True, slots=True)
class Aftermath:
    """What was found when it was over.

    `lives` is how many forms each killed server acknowledged before. `acknowledged` are forms that a browser was told
    are kept, by step; `lost` are those of them that are not in the record, `doubled` are things that are there twice,
    `contradicted` are accounts of `crito verify` that do not hold.
    """

    lives: Sequence[int]
    walked: Sequence[Walked]
    acknowledged: Mapping[str, int]
    retries: int
    lost: Sequence[str]
    doubled: Sequence[str]
    contradicted: Sequence[str]
    wall_s: float

    @property
    def stuck(self) -> Sequence[Walked]:
        return [walk for walk in self.walked if walk.ending == "stuck"]


async def crash(study_file: Path, database: str, *, kills: int, workers: int = 1, seed: int = 1) -> Aftermath:
    """Kill the server of a study `kills` times under load, then let everybody finish, then look."""
    began = time.perf_counter()
    options = ("--rehearsal", "--db", database, "--port", str(_free_port()), "--workers", str(workers))
    tally, walked = Tally(), list[Walked]()
    crowd = Crowd(
        PEOPLE_PER_WAVE, AT_ONCE, seed, RESTLESS, known_answers(load_study(study_file)), patience_s=PATIENCE_S
    )
    server = await start_server([str(study_file)], *options)
    lives: list[int] = []
    killer = asyncio.create_task(
        _kill_again_and_again(server, lambda: start_server([str(study_file)], *options), kills, tally, lives, seed)
    )
    try:
        waves = 0
        while not killer.done():
            waves += 1
            wave = replace(crowd, prefix=f"wave{waves}")
            walked += (await rehearse(server.people[STUDY], wave, tally)).walked
    finally:
        await (await killer).stop()
    lost, doubled = look(database, tally.saved)
    contradicted = [
        f"{check.name}: {problem}"
        for check in verify(database, STUDY)
        for problem in check.problems
        if not check.passed
    ]
    acknowledged = Counter(saved.step for saved in tally.saved)
    return Aftermath(
        lives, walked, acknowledged, tally.retries, lost, doubled, contradicted, time.perf_counter() - began
    )


async def _kill_again_and_again(
    server: RunningServer,
    start: Callable[[], Awaitable[RunningServer]],
    kills: int,
    tally: Tally,
    lives: list[int],
    seed: int,
) -> RunningServer:
    """The server that is alive after the last kill; `lives` gets what each of the others acknowledged."""
    rng = random.Random(seed)
    for _ in range(kills):
        before = len(tally.saved)
        wanted = before + rng.randint(*FORMS_BETWEEN_KILLS)
        while len(tally.saved) < wanted:  # noqa: ASYNC110
            await asyncio.sleep(0.005)
        await asyncio.sleep(rng.uniform(0, MOMENT_S))
        await server.kill()
        lives.append(len(tally.saved) - before)
        server = await start()
    await _answers(server)
    return server


async def _answers(server: RunningServer) -> None:
    """Wait until the server serves: it takes connections some time before."""
    async with aiohttp.ClientSession() as session, session.get(f"{server.address}/healthz") as response:
        await response.read()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def look(database: str, saved: Sequence[Saved]) -> tuple[list[str], list[str]]:
    """What was acknowledged and is not there, and what is there twice; by plain statements on the tables."""
    engine = open_engine(database)
    try:
        with engine.connect() as connection:
            rows = _Rows.read(connection)
    finally:
        engine.dispose()
    distinct = {(s.who, s.step, tuple(sorted(s.fields.items()))): s for s in saved}.values()
    return [problem for one in distinct if (problem := rows.missing(one))], list(rows.doubled())


@dataclass(frozen=True, slots=True)
class _Rows:
    people: Mapping[str, str]
    labels: Mapping[tuple[str, int], list[tuple[Any, ...]]]
    """By assignment and round, in the order of revisions: the label or state, the confidence, the time."""
    answers: Mapping[tuple[str, str], set[tuple[Any, ...]]]
    """By form and time."""
    messages: Mapping[str, Counter[str]]
    events: set[tuple[str, str, str]]

    @classmethod
    def read(cls, connection: Connection) -> "_Rows":
        def rows(statement: str) -> Sequence[Any]:
            return connection.execute(text(statement)).all()

        labels, answers = defaultdict(list), defaultdict(set)
        for row in rows(
            "SELECT assignment, round, label, state, confidence, submitted_at FROM annotations"
            " ORDER BY assignment, round, revision"
        ):
            labels[row.assignment, row.round].append((row.label or row.state, row.confidence, str(row.submitted_at)))
        for row in rows("SELECT about, question, choice, words, at FROM answers"):
            answers[row.about, str(row.at)].add((row.question, row.choice, row.words))
        messages: dict[str, Counter[str]] = defaultdict(Counter)
        for row in rows(
            "SELECT r.assignment, w.body FROM turns t JOIN runs r ON r.id = t.run JOIN words w ON w.id = t.text"
            " WHERE t.kind = 'person'"
        ):
            messages[row.assignment][row.body] += 1
        return cls(
            {row.external_id: row.annotator for row in rows("SELECT external_id, annotator FROM identities")},
            labels,
            answers,
            messages,
            {(row.annotator, row.kind, row.about) for row in rows("SELECT annotator, kind, about FROM events")},
        )

    def missing(self, saved: Saved) -> str:
        """How an acknowledged form contradicts the record; empty when it is there."""
        person = self.people.get(saved.who)
        kind, _, about = saved.fields.get("form_name", "").partition(":")
        there = True
        if saved.step in ("annotate", "reannotate"):
            given = self.labels.get((about, int(saved.step == "reannotate")), [])
            there = (saved.fields["label"], saved.fields["confidence"]) in {(label, sure) for label, sure, _ in given}
        elif saved.step == "message":
            words = saved.fields["message"].replace("\r\n", "\n").strip()
            there = self.messages.get(about.rpartition(":")[0], Counter())[words] > 0
        elif saved.step in EVENTS:
            there = any((who, what) == (person, EVENTS[saved.step]) for who, what, _ in self.events)
        elif saved.step == "pause":
            there = (person, "paused", saved.fields["assignment"]) in self.events
        if person and there:
            return ""
        return f"{saved.who}: {saved.step} {kind}:{about} was acknowledged and is not in the record"

    def doubled(self) -> Iterator[str]:
        for (assignment, number), given in self.labels.items():
            form = f"{'reannotate' if number else 'annotate'}:{assignment}"
            whole = [(label, sure, frozenset(self.answers.get((form, at), ()))) for label, sure, at in given]
            for before, after in pairwise(whole):
                if before == after:
                    yield f"{form} holds the same answer twice in a row"
        for assignment, said in self.messages.items():
            yield from (f"{assignment} holds {n} times {words[:40]!r}" for words, n in said.items() if n > 1)


def make_study(folder: Path) -> Path:
    """The bundled study with room for everybody who comes, and people who may write as fast as they can."""
    _copy(template_folder(DEMO), folder)
    file = folder / STUDY_FILE
    text_ = file.read_text().replace("annotators_per_item: 3", "annotators_per_item: 200")
    file.write_text(text_.replace("min_messages: 2", "min_messages: 2\n  messages_per_minute: 1000"))
    return file


def _copy(source: Any, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    for entry in source.iterdir():
        if entry.is_dir():
            _copy(entry, target / entry.name)
        else:
            (target / entry.name).write_bytes(entry.read_bytes())


def show(name: str, found: Aftermath) -> None:
    print(f"\n{name}: {len(found.lives)} kills of a serving server in {found.wall_s:.0f} s")
    lives = sorted(found.lives)
    print(f"  between kills {lives[len(lives) // 2]} forms acknowledged ({lives[0]} to {lives[-1]})")
    endings = Counter(walk.ending for walk in found.walked)
    print("  people       ", ", ".join(f"{n} {ending}" for ending, n in endings.items()))
    print("  acknowledged ", ", ".join(f"{n} {step}" for step, n in found.acknowledged.items()))
    print(f"  tried again   {found.retries} requests")
    print(f"  lost          {len(found.lost)} (goal: 0)")
    print(f"  doubled       {len(found.doubled)} (goal: 0)")
    print(f"  contradicted  {len(found.contradicted)} (goal: 0)")
    for problem in [*found.lost[:10], *found.doubled[:10], *found.contradicted[:10]]:
        print(f"    {problem}")
    for walk in found.stuck[:10]:
        print(f"    {walk.who} got stuck: {walk.reason}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=("sqlite", "postgres"))
    options = parser.parse_args()
    print(f"{platform.machine()}, {platform.system()} {platform.release()}, Python {platform.python_version()}")
    print(f"SQLite {sqlite3.sqlite_version}, psycopg {version('psycopg')}, uvicorn {version('uvicorn')}")
    settings = {"kills": options.kills, "workers": options.workers, "seed": options.seed}
    sys.stdout.reconfigure(line_buffering=True)
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        # An installed package is compiled once, wherever the benchmark is run from.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")
        study_file = make_study(folder / "study")
        if options.only != "postgres":
            show("SQLite", asyncio.run(crash(study_file, f"sqlite:///{folder / 'crash.db'}", **settings)))
        if options.only != "sqlite":
            postgres = stack.enter_context(running_postgres(durable=True))
            show("PostgreSQL", asyncio.run(crash(study_file, postgres.url(postgres.new_database()), **settings)))


if __name__ == "__main__":
    main()
