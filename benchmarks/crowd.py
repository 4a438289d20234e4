"""A crowd at its busiest: hundreds of people at once on PostgreSQL and several workers; then again while workers are killed.

Each of them reads a page for some seconds and goes on, through the whole bundled study, and the next one comes. At the end
`crito verify` must find every place accounted for. Run `python -m benchmarks.crowd`.
"""

import argparse
import asyncio
import contextlib
import gc
import itertools
import os
import platform
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import aiohttp

from benchmarks.crash import STUDY, make_study
from benchmarks.web import children_of, cpu_seconds, percentile
from crito.bootstrap import load_study
from crito.cli.rehearsing import known_answers
from crito.rehearsal.browser import Browser, Tally
from crito.rehearsal.crowds import invitation
from crito.rehearsal.people import STUCK, Person, Walked
from crito.rehearsal.server import RunningServer, running_server
from crito.rehearsal.tempers import Mind, Temper
from crito.store.verify import verify
from tests.postgres import running_postgres

PATIENCE_S = 60.0
ROUNDS_UNTIL_WARM = 5


@dataclass(frozen=True, slots=True)
class Busy:
    """How busy it was, and what came of it. `contradicted` are accounts of `crito verify` that do not hold."""

    walked: Sequence[Walked]
    tally: Tally
    killed: int
    contradicted: Sequence[str]
    wall_s: float
    server_cpu_s: float
    client_cpu_s: float


async def crowd(
    study_file: Path, database: str, *, people: int, seconds: float, pause_s: float, workers: int, kill_every_s: float
) -> Busy:
    """Keep `people` at work for `seconds`, let them finish, and look at the accounts."""
    options = ("--rehearsal", "--db", database, "--port", "0", "--workers", str(workers))
    known = known_answers(load_study(study_file))
    temper = Temper(mean_pause_s=pause_s)
    tally, walked = Tally(), list[Walked]()
    async with running_server([str(study_file)], *options) as server, aiohttp.TCPConnector(limit=0) as connector:
        await _all_serve(server, workers)
        # What the client has loaded stays; its collector need not look through it while people wait for answers.
        gc.collect()
        gc.freeze()
        began, own_before = time.perf_counter(), time.process_time()

        async def come_again(place: int) -> None:
            # Nobody plans to come in the same second as everybody else.
            await asyncio.sleep(random.uniform(0, pause_s))
            for visit in itertools.count():
                who = f"place{place}-{visit}"
                mind = Mind(random.Random(who), temper, known)

                def new_browser(who: str = who) -> Browser:
                    return Browser(who, connector, tally, PATIENCE_S)

                walked.append(await Person(who, invitation(server.people[STUDY], who), mind, new_browser).walk())
                if time.perf_counter() - began > seconds:
                    return

        killed: list[int] = []
        killer = asyncio.create_task(_kill_workers(server, kill_every_s, killed))
        try:
            await asyncio.gather(*(come_again(place) for place in range(people)))
        finally:
            killer.cancel()
        wall_s, cpu_s, own_s = time.perf_counter() - began, cpu_seconds(server), time.process_time() - own_before
    contradicted = [f"{check.name}: {problem}" for check in verify(database, STUDY) for problem in check.problems]
    return Busy(walked, tally, len(killed), contradicted, wall_s, cpu_s, own_s)


async def _all_serve(server: RunningServer, workers: int) -> None:
    """Wait until every worker has started: connections are taken before."""
    while sum(map(_serves, children_of(server.process.pid))) < workers:  # noqa: ASYNC110
        await asyncio.sleep(0.1)
    async with aiohttp.ClientSession() as session:
        for _ in range(ROUNDS_UNTIL_WARM):
            pages = [session.get(server.people[STUDY]) for _ in range(4 * workers)]
            for response in await asyncio.gather(*pages):
                await response.read()


async def _kill_workers(server: RunningServer, every_s: float, killed: list[int]) -> None:
    """Kill one worker after another, if `every_s` is more than 0; `killed` gets their numbers."""
    while every_s:
        await asyncio.sleep(every_s)
        workers = [pid for pid in children_of(server.process.pid) if _serves(pid)]
        killed.append(random.choice(workers))
        os.kill(killed[-1], signal.SIGKILL)


def _serves(pid: int) -> bool:
    return b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()


def show(found: Busy, people: int) -> None:
    tally = found.tally
    endings = Counter(walk.ending for walk in found.walked)
    failed = sum(n for status, n in tally.statuses.items() if status >= 500)
    print(f"\n{people} people at once for {found.wall_s:.0f} s, {found.killed} workers killed")
    print("  people       ", ", ".join(f"{n} {ending}" for ending, n in endings.most_common()))
    print(
        f"  requests      {tally.requests} ({tally.requests / found.wall_s:.0f} a second), {tally.retries} tried again"
    )
    for method, name in (("GET", "a page"), ("POST", "a save")):
        waits = tally.answered_s[method]
        goal = " (goal: 250 ms)" if method == "POST" else ""
        print(f"  {name:<13} p50 {percentile(waits, 0.5):.0f} ms  p99 {percentile(waits, 0.99):.0f} ms{goal}")
    if not found.killed:  # what killed workers used is not known any more
        print(f"  server CPU    {_share(found.server_cpu_s, found)} of a core, without the database's")
    print(f"  client CPU    {_share(found.client_cpu_s, found)} of a core, on the same machine")
    print(f"  5xx           {failed} (goal: 0)")
    print(f"  contradicted  {len(found.contradicted)} (goal: 0)")
    for problem in found.contradicted[:10]:
        print(f"    {problem}")
    for walk in [walk for walk in found.walked if walk.ending == STUCK][:10]:
        print(f"    {walk.who} got stuck: {walk.reason}")


def _share(cpu_s: float, found: Busy) -> str:
    per_request_ms = 1000 * cpu_s / max(1, found.tally.requests)
    return f"{per_request_ms:.2f} ms a request, {100 * cpu_s / found.wall_s:.0f} %"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--pause", type=float, default=5.0, help="seconds a page is looked at, in the mean")
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--kill-every", type=float, default=30.0, help="seconds between kills in the second round")
    options = parser.parse_args()
    print(f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()} {platform.release()}")
    print(f"Python {platform.python_version()}, psycopg {version('psycopg')}, uvicorn {version('uvicorn')}")
    print(f"load average before: {os.getloadavg()[0]:.1f}")
    sys.stdout.reconfigure(line_buffering=True)
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        # An installed package is compiled once, wherever the benchmark is run from.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")
        study_file = make_study(folder / "study")
        postgres = stack.enter_context(running_postgres(durable=True))
        for kill_every_s in (0.0, options.kill_every):
            busy = crowd(
                study_file,
                postgres.url(postgres.new_database()),
                people=options.people,
                seconds=options.seconds,
                pause_s=options.pause,
                workers=options.workers,
                kill_every_s=kill_every_s,
            )
            show(asyncio.run(busy), options.people)


if __name__ == "__main__":
    main()
