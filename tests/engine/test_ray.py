"""A labelling on a Ray cluster of three nodes on this machine, of which one is lost in the middle."""

import asyncio
import json
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg
import pytest
from aiohttp import web

import crito
from tests.surroundings import unavailable

TASK = "question: Is it ironic?\nlabels: [Ironic, Plain]\nguideline: Judge the tone.\n"
N_ITEMS = 160


@dataclass
class Provider:
    """Labels every text, and counts how often each model was asked about each; answers wait while `gate` is closed."""

    url: str = ""
    open_for: int = 10**9
    """So many calls are answered before the gate counts."""
    asked: Counter[tuple[str, str]] = field(default_factory=Counter)
    waits: asyncio.Event = field(default_factory=asyncio.Event)
    gate: asyncio.Event = field(default_factory=asyncio.Event)

    async def answer(self, request: web.Request) -> web.Response:
        body = await request.json()
        self.asked[body["model"], body["messages"][-1]["content"]] += 1
        if self.asked.total() > self.open_for:
            self.waits.set()
            await self.gate.wait()
        reply = json.dumps({"label": "Ironic", "confidence": 0.5, "reason": "so"})
        choice = {"index": 0, "message": {"role": "assistant", "content": reply}, "finish_reason": "stop"}
        usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
        head = {"id": "c", "object": "chat.completion", "created": 1, "model": body["model"]}
        return web.json_response({**head, "choices": [choice], "usage": usage})


@pytest.fixture
async def provider() -> AsyncIterator[Provider]:
    made = Provider()
    app = web.Application()
    app.router.add_post("/{path:.*}", made.answer)
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    made.url = "http://{}:{}/v1".format(*runner.addresses[0][:2])
    yield made
    made.gate.set()
    await runner.cleanup()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "irony.yaml").write_text(TASK)
    items = (json.dumps({"id": f"i{n}", "text": f"Text number {n}."}) + "\n" for n in range(N_ITEMS))
    (tmp_path / "items.jsonl").write_text("".join(items))
    return tmp_path


def surroundings(provider: Provider) -> dict[str, str]:
    """The variables of every node and of the command."""
    source = str(Path(crito.__file__).parents[1])
    return {**os.environ, "PYTHONPATH": source, "CRITO_ENDPOINT_LAB": provider.url}


async def started(folder: Path, provider: Provider, *options: str) -> asyncio.subprocess.Process:
    given = ["--items", "items.jsonl", "--task", "irony.yaml", "--engine", "ray", "--json"]
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "crito", "label", *given, *options,
        cwd=folder, env=surroundings(provider), stdout=PIPE, stderr=PIPE,
    )  # fmt: skip


def recorded(url: str) -> tuple[Counter[tuple[str, str]], Counter[tuple[str, str]], Counter[str]]:
    """From the raw rows: the calls and the answers by model and request, the outcomes by item."""
    calls, answers = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    with psycopg.connect(url.replace("postgresql+psycopg", "postgresql")) as connection:
        for body, status in connection.execute("SELECT body, status FROM calls JOIN words ON words.id = calls.request"):
            sent: dict[str, Any] = json.loads(body)
            asked = (sent["model"], sent["messages"][-1]["content"])
            calls[asked] += 1
            answers[asked] += status == "answered"
        outcomes = Counter(item for (item,) in connection.execute("SELECT item FROM outcomes"))
    return calls, answers, outcomes


@asynccontextmanager
async def three_nodes(provider: Provider) -> AsyncIterator[tuple[str, Callable[[], Awaitable[None]]]]:
    """The address of a cluster, and what kills one of its nodes."""
    if find_spec("ray") is None:
        unavailable("a Ray cluster", "Ray is not installed")
    script = str(Path(__file__).with_name("three_nodes.py"))
    cluster = await asyncio.create_subprocess_exec(
        sys.executable, script, env=surroundings(provider), stdin=PIPE, stdout=PIPE, stderr=DEVNULL
    )
    assert cluster.stdin is not None
    assert cluster.stdout is not None
    address = (await cluster.stdout.readline()).decode().strip()
    assert address, "the cluster has not started"

    async def lose_one() -> None:
        assert cluster.stdin is not None
        assert cluster.stdout is not None
        cluster.stdin.write(b"\n")
        assert await cluster.stdout.readline() == b"lost\n"

    try:
        yield address, lose_one
    finally:
        cluster.stdin.close()
        await cluster.wait()


@pytest.mark.slow
@pytest.mark.postgres
async def test_a_node_that_is_lost_leaves_no_item_undone_and_no_recorded_answer_is_asked_for_again(
    folder: Path, provider: Provider, postgres_url: str
) -> None:
    provider.open_for = N_ITEMS
    async with three_nodes(provider) as (address, lose_one):
        command = await started(
            folder, provider, "--db", postgres_url, "--ray-address", address, "--in-flight", "resend",
            "--method", "discussion", "--model", "lab:a", "--model", "lab:b", "--at-once", "60",
        )  # fmt: skip
        told, waits = asyncio.create_task(command.communicate()), asyncio.create_task(provider.waits.wait())
        await asyncio.wait({told, waits}, return_when=asyncio.FIRST_COMPLETED)
        assert not told.done(), told.result()

        await lose_one()
        provider.gate.set()
        out, err = await told

    calls, answers, outcomes = recorded(postgres_url)
    assert command.returncode == 0, err.decode()
    (facts,) = [json.loads(line) for line in out.decode().splitlines()]
    assert facts["done"] == N_ITEMS
    assert outcomes == Counter({f"i{n}": 1 for n in range(N_ITEMS)})
    # the node may have been lost between an intent and its request
    assert provider.asked <= calls
    assert set(answers.values()) == {1}
    assert len(answers) == 2 * N_ITEMS


async def test_a_record_that_other_machines_do_not_reach_is_refused(folder: Path, provider: Provider) -> None:
    command = await started(folder, provider, "--model", "lab:a")

    _, err = await command.communicate()

    assert command.returncode == 2
    assert "PostgreSQL" in err.decode()
