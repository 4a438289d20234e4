"""`crito handoff` from the gate to the last label, against a provider on this machine, on both databases."""

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

import crito
from crito.bootstrap import Settings, load_study, open_parts
from crito.model.ids import StudyName
from crito.services import queue, requesting
from crito.services.publishing import publish

N_ITEMS, N_BLIND = 120, 58
STUDY = """\
study: notes
tasks:
  - name: irony
    question: Is it ironic?
    labels: [Ironic, Plain]
    items: items.jsonl
    annotators_per_item: 1
flow: [annotate]
consent: none
models:
  - {name: reader, method: vanilla, panel: "lab:m"}
suggestions: {source: reader, blind_rate: 0.0001}
"""
NAME = StudyName("notes")


@pytest.fixture
async def provider() -> AsyncIterator[tuple[str, list[str]]]:
    """Where a model is that finds everything ironic, and what it was asked."""
    asked: list[str] = []

    async def answer(request: web.Request) -> web.Response:
        asked.append(str((await request.json())["messages"][-1]["content"]))
        reply = json.dumps({"label": "Ironic", "confidence": 0.9, "reason": "so"})
        choice = {"index": 0, "message": {"role": "assistant", "content": reply}, "finish_reason": "stop"}
        usage = {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18}
        head = {"id": "c", "object": "chat.completion", "created": 1, "model": "lab-1"}
        return web.json_response({**head, "choices": [choice], "usage": usage})

    app = web.Application()
    app.router.add_post("/{path:.*}", answer)
    runner = web.AppRunner(app, shutdown_timeout=1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    yield f"http://{host}:{port}/v1", asked
    await runner.cleanup()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    items = [json.dumps({"id": f"i{n}", "text": f"Text number {n}."}) for n in range(N_ITEMS)]
    (tmp_path / "items.jsonl").write_text("\n".join(items))
    (tmp_path / "study.yaml").write_text(STUDY)
    return tmp_path


@asynccontextmanager
async def opened(folder: Path, url: str) -> AsyncIterator[Any]:
    async with open_parts(Settings(url)) as parts:
        yield parts


async def labelled_blind(folder: Path, url: str) -> None:
    """An expert has found every drawn item ironic, before any model has answered."""
    async with opened(folder, url) as parts:
        await publish(parts, load_study(folder / "study.yaml"))
        await requesting.request_labels(parts, NAME, "certification", n=N_BLIND)
        who, _ = await queue.invite(parts, NAME, "Ana")
        await queue.begin(parts, who)
        for _ in range(N_BLIND):
            page = await queue.page(parts, who)
            await queue.answer(parts, who, page.form, {"label": "ironic"}, {})


async def audits_by_draw(folder: Path, url: str) -> list[int]:
    async with opened(folder, url) as parts:
        draws = await parts.store.read(lambda tx: tx.blind_draws(NAME))
    return [one.n_drawn for one in draws if one.purpose == "audit"]


async def crito_(folder: Path, provider: str, *words: str) -> tuple[int | None, str, str]:
    source = str(Path(crito.__file__).parents[1])
    variables = {**os.environ, "PYTHONPATH": source, "CRITO_ENDPOINT_LAB": provider}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "crito", *words, cwd=folder, env=variables, stdout=PIPE, stderr=PIPE
    )
    out, err = await process.communicate()
    return process.returncode, out.decode(), err.decode()


async def test_from_blind_labels_to_the_last_accepted_one_and_nothing_paid_twice(
    folder: Path, provider: tuple[str, list[str]], store_url: str
) -> None:
    endpoint, asked = provider
    at = ["study.yaml", "--db", store_url]
    await labelled_blind(folder, store_url)

    some, said, _ = await crito_(folder, endpoint, "handoff", *at, "--over", "--limit", "3", "--audits", "31", "--json")
    after_some = len(asked)
    rest, said_again, _ = await crito_(folder, endpoint, "handoff", *at, "--over", "--audits", "31", "--json")
    _, shown, _ = await crito_(folder, endpoint, "handoff", *at)
    verified, checks, _ = await crito_(folder, endpoint, "verify", *at)
    back, said_back, _ = await crito_(folder, endpoint, "handoff", *at, "--take-back", "enough", "--json")

    assert (some, rest, verified, back) == (0, 0, 0, 0), checks
    first, second, last = (json.loads(one)["handoffs"][0] for one in (said, said_again, said_back))
    assert (after_some, len(asked), len(set(asked))) == (N_BLIND + 3, N_ITEMS, N_ITEMS)
    assert (first["accepted"], second["accepted"]) == (3, N_ITEMS - N_BLIND)
    assert (first["n_blind"], first["n_items"], first["certified"], first["by"]) == (N_BLIND, N_ITEMS, True, "command")
    assert await audits_by_draw(folder, store_url) == [2, 29]
    assert "62 labels accepted; in force" in shown
    assert (last["ended"]["reason"], last["ended"]["words"]) == ("taken_back", "enough")


async def test_before_the_gate_allows_it_nothing_is_handed_over_and_only_the_sample_is_paid_for(
    folder: Path, provider: tuple[str, list[str]], sqlite_url: str
) -> None:
    endpoint, asked = provider
    await labelled_blind(folder, sqlite_url)
    text = (folder / "study.yaml").read_text()
    (folder / "study.yaml").write_text(text.replace("0.0001}", "0.0001, end_human_annotation_agreement: 0.99}"))
    async with opened(folder, sqlite_url) as parts:
        await publish(parts, load_study(folder / "study.yaml"))

    status, _, problem = await crito_(folder, endpoint, "handoff", "study.yaml", "--db", sqlite_url, "--over")

    assert (status, len(asked)) == (1, N_BLIND)
    assert "may not be handed over" in problem
