"""What labelling with models costs beside the models: a group's discussion at full width, the share of ledger, protocol
and bookkeeping in each call, a record with a million calls, and other tools with the same items.

The models are a server on this machine that answers after a fixed time (`benchmarks/beside/chat_server.py`). The bare
client library then sends the very same requests, read from the ledger, so that the difference is ours. Goals stand
beside the figures; a wall time counts only on a quiet machine, CPU time always. Run `python -m benchmarks.engine`.
"""

import argparse
import asyncio
import contextlib
import gc
import json
import os
import platform
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import urlopen

from benchmarks.beside import long_ledger as long
from crito.bootstrap import Settings, load_task, open_parts
from crito.cli import NEW_OBJECTS_PER_COLLECTION
from crito.engine.local import LocalEngine
from crito.model.study import Agent, Panel, Study
from crito.services.asking import Calling
from crito.services.labelling import begin, label_item
from crito.services.ports.store import Tx

BESIDE = Path(__file__).parent / "beside"
LAB = "CRITO_ENDPOINT_LAB"
MODELS = ("lab:first", "lab:second", "lab:third")
TASK = """
question: Which stance on monetary policy does this sentence indicate?
labels:
  - {text: Dovish, description: it points to lower rates or easier conditions}
  - {text: Hawkish, description: it points to higher rates or tighter conditions}
  - {text: Neutral, description: it points to neither}
guideline: Judge the sentence alone. Words about the past count as far as they bear on what will be done.
"""
WIDEST = 1.25
MOST_CPU_MS = 1.0
LONGEST_START_S = 5
MOST_MB = 500
CALLS_PER_ITEM = 10
TOOLS = {"crito": "crito", "inspect_ai": "inspect_ai", "lm_eval": "lm-eval"}


class Cost(NamedTuple):
    """What a number of calls took."""

    calls: int
    wall_s: float
    cpu_s: float

    @property
    def cpu_ms(self) -> float:
        """Milliseconds of CPU for a call, in all threads of this process."""
        return 1000 * self.cpu_s / self.calls


class Sent(NamedTuple):
    """A request as it left, read from the ledger."""

    model: str
    system: str
    words: str
    max_tokens: int
    schema: dict[str, Any]


def write_items(folder: Path, items: int) -> tuple[Path, Path]:
    """A task file and its items."""
    task, texts = folder / "stance.yaml", folder / "items.jsonl"
    task.write_text(TASK)
    lines = (
        {"id": f"i{n}", "text": f"Meeting {n}: members {'x' * (n % 7)} judged that risks to prices had risen. " * 3}
        for n in range(items)
    )
    texts.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return task, texts


@contextlib.contextmanager
def chat_server(latency_s: float) -> Iterator[str]:
    """The address of a server whose every answer takes `latency_s`."""
    command = [sys.executable, str(BESIDE / "chat_server.py"), "--latency", str(latency_s)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
    finally:
        server.terminate()
        server.wait()


def seen(address: str) -> dict[str, int]:
    """How many calls the server had since it was asked last, and how many of them at once."""
    with urlopen(f"{address}/seen") as answer:
        told: dict[str, int] = json.load(answer)
    return told


async def measured(calls: Callable[[], Awaitable[int]]) -> Cost:
    wall, cpu = time.perf_counter(), time.process_time()
    made = await calls()
    return Cost(made, time.perf_counter() - wall, time.process_time() - cpu)


async def discussed(study: Study, database: str, at_once: int) -> Cost:
    """Label all items by discussion, as `crito label` does, from the opened record to the last outcome."""
    panel = Panel("trio", "discussion", tuple(Agent(model) for model in MODELS))
    made = 0

    def count(_: object) -> None:
        nonlocal made
        made += 1

    async with open_parts(Settings(database)) as parts:
        job = await begin(parts, study, panel)
        engine = LocalEngine(at_once)
        calling = Calling(engine.turnstile, count)

        async def work() -> int:
            await engine.drive(job.waiting, lambda item: label_item(parts, job, item, calling), lambda _: None)
            return made

        # The connection and what the client library loads at its first use belong to neither side.
        parts.models(MODELS[0])
        return await measured(work)


async def recorded(database: str, study: Study) -> list[Sent]:
    """The requests of a study, as they were sent."""

    def work(tx: Tx) -> list[Sent]:
        calls = tx.calls(study.name, limit=10**9)
        bodies = tx.words([call.request for call in calls])
        return [_sent(json.loads(bodies[call.request] or "")) for call in calls]

    async with open_parts(Settings(database)) as parts:
        return await parts.store.read(work)


def _sent(body: dict[str, Any]) -> Sent:
    system, user = (message["content"] for message in body["messages"])
    schema = body["response_format"]["json_schema"]["schema"]
    return Sent(body["model"], system, user, body["max_tokens"], schema)


async def bare(requests: Sequence[Sent], base_url: str, at_once: int) -> Cost:
    """The same requests from the client library alone: pydantic-ai's direct API over aiohttp."""
    from openai import AsyncOpenAI, DefaultAioHttpClient
    from pydantic_ai.direct import model_request
    from pydantic_ai.messages import ModelRequest, UserPromptPart
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.output import OutputObjectDefinition
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    http = DefaultAioHttpClient()
    client = AsyncOpenAI(base_url=base_url, api_key="none", http_client=http, max_retries=0)
    profile = OpenAIModelProfile(openai_chat_supports_max_completion_tokens=False, supports_json_schema_output=True)
    provider = OpenAICompatibleProvider("lab", openai_client=client, profile=profile)
    models = {name: OpenAIChatModel(name, provider=provider) for name in {sent.model for sent in requests}}
    waiting = iter(requests)

    async def lane() -> None:
        for sent in waiting:
            answer = OutputObjectDefinition(json_schema=sent.schema, name="answer", strict=True)
            reply = await model_request(
                models[sent.model],
                [ModelRequest([UserPromptPart(sent.words)], instructions=sent.system)],
                model_settings={"max_tokens": sent.max_tokens, "temperature": 0.0, "timeout": 600},
                model_request_parameters=ModelRequestParameters(output_mode="native", output_object=answer),
            )
            assert reply.text

    async def all_lanes() -> int:
        await asyncio.gather(*(lane() for _ in range(at_once)))
        return len(requests)

    try:
        return await measured(all_lanes)
    finally:
        await http.aclose()


def say_width(cost: Cost, at_once: int, latency_s: float) -> None:
    ideal_s = cost.calls / at_once * latency_s
    print(
        f"  {cost.calls:,} calls, {at_once} at a time, {latency_s:g} s each: {cost.wall_s:.1f} s of {ideal_s:.1f} s, "
        f"{cost.wall_s / ideal_s:.2f} x (goal: at most {WIDEST} x)"
    )


def overhead(items: int, at_once: int, latency_s: float, times: int) -> None:
    """Both sides in turn, several times; the figure is the difference of the medians."""
    whole, alone = list[float](), list[float]()
    with tempfile.TemporaryDirectory() as folder, chat_server(latency_s) as address:
        os.environ[LAB] = base_url = f"{address}/v1"
        study = load_task(*write_items(Path(folder), items))
        for turn in range(times):
            database = f"sqlite:///{folder}/turn-{turn}.db"
            cost = asyncio.run(discussed(study, database, at_once))
            if not turn:
                say_width(cost, at_once, latency_s)
                told = seen(address)
                print(f"  the server had {told['calls']:,} calls, {told['at_once']} of them at once")
            requests = asyncio.run(recorded(database, study))
            whole.append(cost.cpu_ms)
            alone.append(asyncio.run(bare(requests, base_url, at_once)).cpu_ms)
            print(f"  CPU per call: {whole[-1]:.2f} ms in all, {alone[-1]:.2f} ms the client library alone")
    difference = sorted(whole)[len(whole) // 2] - sorted(alone)[len(alone) // 2]
    print(f"  ledger, protocol and bookkeeping: {difference:.2f} ms CPU per call (goal: at most {MOST_CPU_MS} ms)")


class Used(NamedTuple):
    """What a process took from its start to its end."""

    wall_s: float
    cpu_s: float
    most_mb: float


def run(command: Sequence[str], **more: Any) -> Used:
    """Run a command to its end.

    Raises:
        CalledProcessError: it failed; what it said is in the error.
    """
    began = time.perf_counter()
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT, **more)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, command[0], said.read()[-2000:])
    wall_s = time.perf_counter() - began
    return Used(wall_s, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def long_ledger(calls: int) -> None:
    """A record with so many calls, ten an item, opened and gone on with by a new process."""
    with tempfile.TemporaryDirectory() as folder:
        task, items = write_items(Path(folder), calls // CALLS_PER_ITEM + long.LEFT)
        began = time.perf_counter()
        url = long.fill(Path(folder), task, items, CALLS_PER_ITEM)
        size_mb = (Path(folder) / "long.db").stat().st_size / 1e6
        print(f"  {calls:,} calls written in {time.perf_counter() - began:.0f} s, {size_mb:,.0f} MB")
        again = [sys.executable, "-m", "benchmarks.beside.long_ledger"]
        told = subprocess.run([*again, "go-on", url, str(task), str(items)], capture_output=True, check=True).stdout
        at = json.loads(told)
        for what, since in (("opened", "items_read"), ("spending_known", "opened"), ("begun", "spending_known")):
            print(f"  {what}: {at[what] - at[since]:.2f} s ({at[f'{what}_cpu'] - at[f'{since}_cpu']:.2f} s CPU)")
        resumed_s, cpu_s = at["first_call"] - at["items_read"], at["first_call_cpu"] - at["items_read_cpu"]
        print(
            f"  from the items read to the first call: {resumed_s:.2f} s, {cpu_s:.2f} s CPU, {at['first_call_mb']:.0f} MB "
            f"(goal: at most {LONGEST_START_S} s and {MOST_MB} MB); the items took {at['items_read']:.2f} s before that"
        )
        told = subprocess.run([*again, "sum-up", url, str(task), str(items)], capture_output=True, check=True).stdout
        found = json.loads(told)
        print(
            f"  `crito calls`, {found['calls']:,} calls in sums: {found['wall_s']:.2f} s, {found['cpu_s']:.2f} s CPU of the "
            f"whole process, {found['mb']:.0f} MB"
        )


def beside(venvs: Path, items: int, at_once: int, latency_s: float) -> None:
    """One call an item through Crito and through other tools; CPU per call without what starting takes."""
    few = max(at_once, items // 4)
    with tempfile.TemporaryDirectory() as name, chat_server(latency_s) as address:
        folder = Path(name)
        os.environ[LAB] = f"{address}/v1"
        system = folder / "system.txt"
        system.write_text(f"{TASK}\nAnswer with JSON: reason, label, confidence.")
        for tool, package in TOOLS.items():
            python = sys.executable if tool == "crito" else str(venvs / tool / "bin" / "python")
            if not Path(python).exists():
                print(
                    f"  {tool}: skipped, there is no {python}; benchmarks/requirements-engine.txt says how to make it"
                )
                continue
            used = []
            for number in (few, few + items):
                part = folder / f"{tool}-{number}"
                part.mkdir()
                task, texts = write_items(part, number)
                command = [
                    python,
                    str(BESIDE / f"{tool}_run.py"),
                    f"{address}/v1",
                    str(texts),
                    str(system),
                    str(at_once),
                ]
                if tool == "crito":
                    options = ["--items", str(texts), "--task", str(task), "--method", "cot", "--model", MODELS[0]]
                    command = [python, "-m", "crito", "label", *options, "--at-once", str(at_once)]
                used.append(run(command))
                told = seen(address)
                assert told["calls"] == number, f"{tool} made {told['calls']} calls for {number} items"
            more, cpu_s = used[1].wall_s - used[0].wall_s, used[1].cpu_s - used[0].cpu_s
            print(
                f"  {tool} {_version(python, package)}: {items:,} more items in {more:.1f} s "
                f"({more / (items / at_once * latency_s):.2f} x ideal), {1000 * cpu_s / items:.2f} ms CPU per call, "
                f"start {used[0].cpu_s - cpu_s / items * few:.1f} s CPU, {used[1].most_mb:.0f} MB, "
                f"{told['at_once']} calls at once"
            )


def _version(python: str, package: str) -> str:
    code = f"import importlib.metadata as m; print(m.version({package!r}))"
    said = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    return said.stdout.strip() or "(this tree)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=("discussion", "ledger", "beside"))
    parser.add_argument("--items", type=int, default=1000)
    parser.add_argument("--latency", type=float, default=1.0, help="seconds that each answer takes")
    parser.add_argument("--at-once", type=int, default=128)
    parser.add_argument("--times", type=int, default=3, help="how often both sides are measured")
    parser.add_argument("--calls", type=int, default=1_000_000, help="in the long ledger")
    parser.add_argument("--venvs", type=Path, default=Path("venvs"), help="folder with a venv for each other tool")
    options = parser.parse_args()
    sys.stdout.reconfigure(line_buffering=True)
    gc.set_threshold(NEW_OBJECTS_PER_COLLECTION)  # as every command does; both sides are measured so
    print(f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()} {platform.release()}")
    print(f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}")
    print(", ".join(f"{name} {version(name)}" for name in ("pydantic-ai-slim", "openai", "aiohttp", "sqlalchemy")))
    print(f"load average before: {os.getloadavg()[0]:.1f}")
    if options.only in (None, "discussion"):
        print(f"Discussion of three models over {options.items:,} items")
        overhead(options.items, options.at_once, options.latency, options.times)
        print(f"  most memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    if options.only in (None, "ledger"):
        print("A long ledger")
        long_ledger(options.calls)
    if options.only in (None, "beside"):
        print("Beside other tools")
        beside(options.venvs, options.items, options.at_once, options.latency)
    print(f"load average after: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
