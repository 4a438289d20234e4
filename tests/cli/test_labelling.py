"""`crito label` as a process of its own, against a provider on this machine that counts what it is asked."""

import asyncio
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

import crito
from crito.cli import run

TASK = "question: Is it ironic?\nlabels: [Ironic, Plain]\nguideline: Judge the tone.\n"
ITEMS = "".join(
    json.dumps({"id": f"i{n}", "text": f"Text number {n}.", "gold": "Ironic" if n % 2 else "Plain"}) + "\n"
    for n in range(6)
)


@dataclass
class Counting:
    """Labels every text, and counts how often it was asked about each; answers wait while `gate` is closed."""

    url: str = ""
    label: str = "Ironic"
    tokens: tuple[int, int] = (10, 5)
    asked: Counter[str] = field(default_factory=Counter)
    answered: Counter[str] = field(default_factory=Counter)
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    heard: asyncio.Event = field(default_factory=asyncio.Event)
    open_for: int = 10**9
    """So many calls are answered before the gate counts."""

    async def answer(self, request: web.Request) -> web.Response:
        body = await request.json()
        words = body["messages"][-1]["content"]
        text = next(f"Text number {n}." for n in range(6) if f"Text number {n}." in str(words))
        self.asked[text] += 1
        if self.asked.total() > self.open_for:
            self.heard.set()
            await self.gate.wait()
        self.answered[text] += 1
        reply = json.dumps({"label": self.label, "confidence": 0.5, "reason": "so"})
        choice = {"index": 0, "message": {"role": "assistant", "content": reply}, "finish_reason": "stop"}
        sent, received = self.tokens
        usage = {"prompt_tokens": sent, "completion_tokens": received, "total_tokens": sent + received}
        head = {"id": "c", "object": "chat.completion", "created": 1, "model": "lab-1"}
        return web.json_response({**head, "choices": [choice], "usage": usage})


@asynccontextmanager
async def counting() -> AsyncIterator[Counting]:
    provider = Counting()
    app = web.Application()
    app.router.add_post("/{path:.*}", provider.answer)
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    provider.url = f"http://{host}:{port}/v1"
    try:
        yield provider
    finally:
        provider.gate.set()
        await runner.cleanup()


@pytest.fixture
async def provider() -> AsyncIterator[Counting]:
    async with counting() as made:
        yield made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "irony.yaml").write_text(TASK)
    (tmp_path / "items.jsonl").write_text(ITEMS)
    return tmp_path


async def started(folder: Path, provider: Counting, *more: str, command: str = "label") -> Process:
    source = str(Path(crito.__file__).parents[1])
    given = ["--items", "items.jsonl", "--task", "irony.yaml", "--model", "lab:m", "--json"]
    options = [*(given if command == "label" else []), *more]
    variables = {**os.environ, "PYTHONPATH": source, "CRITO_ENDPOINT_LAB": provider.url}
    if (folder / "prices.yaml").exists():
        variables["CRITO_PRICES"] = "prices.yaml"
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "crito", command, *options, cwd=folder, env=variables, stdout=PIPE, stderr=PIPE
    )


async def until_waiting(process: Process, provider: Counting) -> None:
    """Return when a call waits at the gate; fail when the command ends before that."""
    ended, heard = asyncio.create_task(process.wait()), asyncio.create_task(provider.heard.wait())
    await asyncio.wait({ended, heard}, return_when=asyncio.FIRST_COMPLETED)
    assert heard.done(), await finished(process)
    ended.cancel()


async def finished(process: Process) -> tuple[int | None, list[dict[str, Any]], str]:
    out, err = await process.communicate()
    return process.returncode, [json.loads(line) for line in out.decode().splitlines()], err.decode()


async def labelled(folder: Path, provider: Counting, *more: str) -> tuple[int | None, list[dict[str, Any]], str]:
    return await finished(await started(folder, provider, *more))


async def test_items_are_labelled_and_running_it_again_asks_only_for_the_rest(folder: Path, provider: Counting) -> None:
    status, (facts,), _ = await labelled(folder, provider, "--limit", "4", "--out", "rounds.jsonl")
    again, (more,), _ = await labelled(folder, provider)

    assert (status, facts["done"], facts["calls"], facts["right"], facts["with_gold"]) == (0, 4, 4, 2, 4)
    assert (again, more["done"], more["calls"]) == (0, 6, 2)
    assert set(provider.asked.values()) == {1}
    rows = [json.loads(line) for line in (folder / "rounds.jsonl").read_text().splitlines()]
    assert [(row["item"], row["label"], row["reading"]) for row in rows] == [
        (f"i{n}", "ironic", "ok") for n in range(4)
    ]


async def test_what_was_labelled_replays_exports_and_verifies(folder: Path, provider: Counting) -> None:
    _, (facts,), _ = await labelled(
        folder, provider, "--method", "discussion", "--persona", "red_hat", "--persona", "black_hat"
    )
    database = ["--db", facts["database"]]

    replayed, (again,), _ = await finished(
        await started(folder, provider, facts["labelling"], *database, "--json", command="replay")
    )
    statuses = [
        await asyncio.to_thread(run, ["export", "irony", *database, "--format", "jsonl", "--out", str(folder / "out")]),
        await asyncio.to_thread(run, ["verify", "irony", *database]),
    ]

    assert (replayed, again["rows"], again["same"], statuses) == (0, 12, True, [0, 0])
    exported = [json.loads(line) for line in (folder / "out" / "annotations.jsonl").read_text().splitlines()]
    assert {(row["annotator_kind"], row["label"], row["blind"]) for row in exported} == {("model", "ironic", True)}
    assert len({row["annotator"] for row in exported}) == 2
    assert provider.asked.total() == 12


async def test_the_database_of_labelled_items_is_enough_for_a_report(folder: Path, provider: Counting) -> None:
    await labelled(folder, provider)

    status = await asyncio.to_thread(run, ["report", str(folder / "items.db"), "--out", str(folder / "report.html")])

    assert status == 0
    page = (folder / "report.html").read_text()
    assert "Models on Irony" in page
    assert "unknown price" in page
    assert "Who came" not in page


@pytest.mark.parametrize("signals", [[signal.SIGTERM], [signal.SIGINT, signal.SIGINT]])
async def test_a_signal_lets_the_calls_in_flight_end_and_keeps_them(
    folder: Path, provider: Counting, signals: list[signal.Signals]
) -> None:
    provider.open_for = 1
    process = await started(folder, provider, "--at-once", "2")
    await until_waiting(process, provider)
    for number in signals:
        process.send_signal(number)
    assert process.stderr is not None
    assert b"12 calls" in await process.stderr.readline()
    assert b"in flight" in await process.stderr.readline()
    provider.gate.set()

    status, (facts,), _ = await finished(process)
    again, (rest,), _ = await labelled(folder, provider)

    assert (status, again) == (1, 0)
    assert 0 < facts["done"] < 6
    assert (rest["done"], rest["calls"]) == (6, 6 - facts["done"])
    assert set(provider.asked.values()) == {1}


async def test_calls_in_flight_at_a_kill_are_held_and_everything_else_goes_on(folder: Path, provider: Counting) -> None:
    provider.open_for = 2
    process = await started(folder, provider, "--at-once", "1")
    await until_waiting(process, provider)
    process.kill()
    await process.wait()
    provider.gate.set()

    status, (facts,), message = await labelled(folder, provider)
    resent, (rest,), _ = await labelled(folder, provider, "--in-flight", "resend")

    assert (status, facts["done"], facts["held"], facts["calls"]) == (1, 5, 1, 3)
    assert "--in-flight resend" in message
    assert (resent, rest["done"], rest["calls"]) == (0, 6, 1)
    assert sorted(provider.asked.values()) == [1, 1, 1, 1, 1, 2]


async def test_a_budget_stops_before_the_call_that_would_cross_it_and_keeps_the_work(
    folder: Path, provider: Counting
) -> None:
    (folder / "prices.yaml").write_text(
        "".join(f"lab:{m}: {{input: 10, cached: 10, output: 10}}\n" for m in ("m", "lab-1"))
    )
    provider.tokens = (1000, 500)

    status, (facts,), message = await labelled(folder, provider, "--budget", "0.05", "--at-once", "1")
    again, (nothing,), _ = await labelled(folder, provider, "--budget", "0.05", "--at-once", "1")

    assert (status, again, 0 < facts["done"] < 6, nothing["calls"]) == (3, 3, True, 0)
    assert facts["cost_usd"] == pytest.approx(0.015 * facts["done"])
    assert "budget of 0.05 USD" in message


async def test_a_model_that_cannot_be_reached_ends_it_with_one_line_and_leaves_no_label(
    folder: Path, provider: Counting
) -> None:
    away = Counting(url="http://127.0.0.1:9/v1")

    status, (facts,), message = await labelled(folder, away, "--limit", "1")
    again, (rest,), _ = await labelled(folder, provider, "--limit", "1")

    assert (status, facts["done"]) == (1, 0)
    assert "Traceback" not in message
    assert (again, rest["done"]) == (0, 1)


async def test_a_second_process_on_the_same_labelling_is_refused(folder: Path, provider: Counting) -> None:
    provider.open_for = 1
    first = await started(folder, provider)
    await until_waiting(first, provider)

    status, _, message = await labelled(folder, provider)
    provider.gate.set()

    assert (status, (await finished(first))[0]) == (1, 0)
    assert "another process is at work" in message
    assert set(provider.asked.values()) == {1}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--items", "items.jsonl"], "--task"),
        (["--items", "items.jsonl", "--task", "irony.yaml"], "no model is named"),
        (["--items", "items.jsonl", "--task", "irony.yaml", "--model", "gpt"], "PROVIDER:NAME"),
        (["--items", "items.jsonl", "--task", "irony.yaml", "--model", "a:b", "--method", "magic"], "vanilla, cot"),
        (["--items", "items.jsonl", "--task", "irony.yaml", "--model", "a:b", "--model", "a:c"], "one model"),
        (["--items", "items.jsonl", "--task", "irony.yaml", "--model", "a:b", "--out", "x.pdf"], ".csv"),
        (["--items", "none.jsonl", "--task", "irony.yaml", "--model", "a:b"], "no such file"),
        ([], "name a study"),
    ],
)
def test_wrong_usage_is_told_with_what_would_do(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    options: list[str],
    words: str,
) -> None:
    monkeypatch.chdir(folder)

    assert run(["label", *options]) == 2
    assert words in capsys.readouterr().err
