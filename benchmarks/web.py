"""How fast people are served: *next item* and *save label* at 1, 20 and 100 people, on SQLite and PostgreSQL.

Each person goes through a study of 20 items without a dialogue, then the next one comes; the client does as little as it
can, but it runs on the same machine and takes its share, which stands beside the server's.
Also: how long the server takes to start, and its memory when idle. Goals stand beside the figures. Run `python -m benchmarks.web`.
"""

import argparse
import asyncio
import contextlib
import os
import platform
import random
import re
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import count
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

import aiohttp

from crito.rehearsal.crowds import invitation
from crito.rehearsal.pages import parse_page
from crito.rehearsal.server import RunningServer, running_server
from tests.postgres import running_postgres

NAME = "bench"
ITEMS, ITEMS_PER_PERSON, PEOPLE_PER_ITEM = 100, 20, 400
STUDY = f"""
study: {NAME}
tasks:
  - name: sarcasm
    question: Is this review sarcastic?
    labels: [Sarcastic, Not sarcastic]
    guideline: guideline.md
    items: items.csv
    items_per_person: {ITEMS_PER_PERSON}
    annotators_per_item: {PEOPLE_PER_ITEM}
flow: [consent, annotate]
attention_checks: []
"""
FORM_TYPE = {"Content-Type": "application/x-www-form-urlencoded"}
CSRF = re.compile(r'name="csrf" value="([^"]+)"')
FORM_NAME = re.compile(r'name="form_name" value="([^"]+)"')
COOKIE = re.compile(r"^(crito(?:_visit)?)=([^;]+)")


@dataclass
class Waits:
    """Seconds that requests took, by kind, once the measuring has begun.

    It begins when everybody has their first item: that many people never enrol in the same second.
    """

    since: float = float("inf")
    at_work: int = 0
    next_item: list[float] = field(default_factory=list)
    save: list[float] = field(default_factory=list)
    other: list[float] = field(default_factory=list)

    def add(self, kind: str, began: float) -> None:
        if began >= self.since:
            getattr(self, kind).append(time.perf_counter() - began)

    @property
    def requests(self) -> int:
        return len(self.next_item) + len(self.save) + len(self.other)


class Client:
    """One person after another on one connection, each with cookies of their own."""

    def __init__(self, session: aiohttp.ClientSession, address: str, waits: Waits, pause_s: float, name: str) -> None:
        self._session = session
        self._address = address
        self._path = urlsplit(address).path
        self._waits = waits
        self._pause_s = pause_s
        self._name = name
        self._cookies: dict[str, str] = {}
        self._answers = ""

    async def run(self) -> None:
        for number in count():
            self._cookies = {}
            await self._enrol(f"{self._name}-{number}")
            self._waits.at_work += number == 0
            await self._label_items()

    async def _enrol(self, who: str) -> None:
        link = invitation(self._address, who)
        page = await self._get("other", link)
        sent = {"csrf": found(CSRF, page), "consent": "yes", "lang": "en"}
        await self._post("other", "consent", urlencode(sent) + "&" + urlsplit(link).query)
        page = await self._get("other", self._address)
        await self._post("other", "instructions", urlencode({"csrf": found(CSRF, page)}))

    async def _label_items(self) -> None:
        for _ in range(ITEMS_PER_PERSON):
            await self._look()
            page = await self._get("next_item", self._address)
            form = {"csrf": found(CSRF, page), "form_name": found(FORM_NAME, page)}
            self._answers = self._answers or answers_for(page, self._address)
            await self._look()
            await self._post("save", "annotate", f"{urlencode(form)}&{self._answers}")

    async def _look(self) -> None:
        if self._pause_s:
            # A page is looked at, then answered; two requests make one page.
            await asyncio.sleep(random.uniform(0, self._pause_s))

    async def _get(self, kind: str, address: str) -> str:
        began = time.perf_counter()
        async with self._session.get(address, headers=self._headers(), allow_redirects=False) as response:
            text = await response.text()
        self._waits.add(kind, began)
        if response.status != 200:
            raise SystemExit(f"{address}: status {response.status}")
        self._keep(response)
        return text

    async def _post(self, kind: str, step: str, body: str) -> None:
        began = time.perf_counter()
        async with self._session.post(
            self._address + step, data=body, headers=self._headers() | FORM_TYPE, allow_redirects=False
        ) as response:
            await response.read()
        self._waits.add(kind, began)
        self._keep(response)
        if response.status != 303 or "crito_notice=" in str(response.headers.getall("Set-Cookie", [])):
            raise SystemExit(f"{step}: status {response.status}")

    def _headers(self) -> dict[str, str]:
        return {"Cookie": "; ".join(f"{name}={value}" for name, value in self._cookies.items())}

    def _keep(self, response: aiohttp.ClientResponse) -> None:
        for line in response.headers.getall("Set-Cookie", []):
            cookie = COOKIE.match(line)
            if cookie:
                self._cookies[cookie[1]] = cookie[2]


def found(pattern: re.Pattern[str], page: str) -> str:
    match = pattern.search(page)
    if match is None:
        raise SystemExit(f"a page lacks {pattern.pattern}")
    return match[1]


def answers_for(page: str, address: str) -> str:
    """The first option of everything that an item's form asks."""
    asked = parse_page(page, address).forms["annotate"].asked
    return urlencode({one.name: one.options[0] if one.options else "" for one in asked})


class Measured(NamedTuple):
    """What was measured, over how many seconds of the wall, and of the CPU of the server and of the client."""

    waits: Waits
    seconds: float
    server_cpu_s: float
    client_cpu_s: float

    def cpu_ms(self, cpu_s: float) -> float:
        """For each request."""
        return 1000 * cpu_s / max(1, self.waits.requests)


async def measure(server: RunningServer, people: int, seconds: float, pause_s: float) -> Measured:
    """Requests of `people` at once, for `seconds` from when all of them are at work."""
    waits = Waits()
    address, run = server.people[NAME], f"{people}-{pause_s:g}"
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar()) as session:
        clients = [
            asyncio.create_task(Client(session, address, waits, pause_s, f"{run}-{n}").run()) for n in range(people)
        ]
        while waits.at_work < people and not any(client.done() for client in clients):  # noqa: ASYNC110
            await asyncio.sleep(0.1)
        waits.since, cpu_before, own_before = time.perf_counter(), cpu_seconds(server), time.process_time()
        done, _ = await asyncio.wait(clients, timeout=seconds)
        measured = Measured(
            waits,
            time.perf_counter() - waits.since,
            cpu_seconds(server) - cpu_before,
            time.process_time() - own_before,
        )
        for client in clients:
            client.cancel()
        await asyncio.gather(*clients, return_exceptions=True)
        for client in done:
            client.result()
    return measured


def percentile(waits: list[float], share: float) -> float:
    """In milliseconds."""
    return sorted(waits)[min(len(waits) - 1, int(share * len(waits)))] * 1000 if waits else float("nan")


def show(people: int, pause_s: float, measured: Measured, goal: str) -> None:
    waits = measured.waits
    kinds = [
        f"{name} p50 {percentile(w, 0.5):6.1f}  p99 {percentile(w, 0.99):6.1f} ms"
        for name, w in (("next", waits.next_item), ("save", waits.save))
    ]
    pace = f"{pause_s:g} s a page" if pause_s else "no pause"
    print(
        f"  {people:>3} people, {pace:<10} {waits.requests / measured.seconds:7.1f} requests/s   "
        f"{'   '.join(kinds)}   CPU a request: server {measured.cpu_ms(measured.server_cpu_s):.2f} ms, "
        f"client {measured.cpu_ms(measured.client_cpu_s):.2f} ms   {goal}"
    )


def children_of(pid: int) -> Iterator[int]:
    yield pid
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            yield from children_of(int(child))


def cpu_seconds(server: RunningServer) -> float:
    """CPU time that the server's processes have used."""
    ticks = 0
    for pid in children_of(server.process.pid):
        ticks += sum(map(int, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


def memory_mib(server: RunningServer) -> Mapping[int, float]:
    """Resident memory of each process of the server."""
    return {
        pid: int(re.findall(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[0]) / 1024
        for pid in children_of(server.process.pid)
    }


def make_study(folder: Path) -> Path:
    (folder / "guideline.md").write_text("Sarcastic: the writer means the opposite of what the words say.")
    rows = [f"item-{n},The box came {n} days late and I could not be happier about it." for n in range(ITEMS)]
    (folder / "items.csv").write_text("id,text\n" + "\n".join(rows) + "\n")
    file = folder / "study.yaml"
    file.write_text(STUDY)
    return file


async def benchmark(name: str, study: Path, database: str, workers: int, seconds: float) -> None:
    options = ("--db", database, "--port", "0", "--workers", str(workers), "--rehearsal")
    print(f"\n{name}, {workers} worker{'s' if workers > 1 else ''}")
    async with running_server([str(study)], *options):
        pass  # the database is made and the study published: what follows is an ordinary start
    began = time.perf_counter()
    async with running_server([str(study)], *options) as server:
        address = server.people[NAME]
        async with aiohttp.ClientSession() as session, session.get(address) as response:
            await response.text()
        goal = "(goals: 2 s, 150 MiB a process)"
        print(f"  start to first page {time.perf_counter() - began:.2f} s   {goal}")
        await asyncio.sleep(1)
        sizes = ", ".join(f"{size:.0f}" for size in memory_mib(server).values())
        print(f"  resident memory, idle {sizes} MiB")
        for people, pause_s, goal in (
            (1, 0.0, ""),
            (20, 0.0, "(goals: 500 requests/s, save p99 100 ms)"),
            (100, 0.0, ""),
            (100, 5.0, "(goal: p99 50 ms)"),
        ):
            show(people, pause_s, await measure(server, people, seconds * (2 if pause_s else 1), pause_s), goal)
        sizes = ", ".join(f"{size:.0f}" for size in memory_mib(server).values())
        print(f"  resident memory, after {sizes} MiB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0, help="of each measurement")
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--only", choices=("sqlite", "postgres"))
    options = parser.parse_args()
    print(f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()} {platform.release()}")
    print(f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}")
    print(", ".join(f"{name} {version(name)}" for name in ("uvicorn", "fastapi", "sqlalchemy", "psycopg", "aiohttp")))
    print(f"load average before: {os.getloadavg()[0]:.1f}")
    sys.stdout.reconfigure(line_buffering=True)
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        # An installed package is compiled once, wherever the benchmark is run from.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")
        study = make_study(folder)
        for workers in options.workers:
            if options.only != "postgres":
                url = f"sqlite:///{folder / f'web-{workers}.db'}"
                asyncio.run(benchmark("SQLite", study, url, workers, options.seconds))
        if options.only != "sqlite":
            postgres = stack.enter_context(running_postgres(durable=True))
            for workers in options.workers:
                url = postgres.url(postgres.new_database())
                asyncio.run(benchmark("PostgreSQL", study, url, workers, options.seconds))
    print(f"load average after: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
