"""`crito debate` against a provider on this machine."""

import asyncio
import json
import os
import re
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from aiohttp import web
from selectolax.lexbor import LexborHTMLParser as HTMLParser

import crito
from tests.debating_model import debate_reply

SUBJECT = "Should the town close its old bridge to cars?"
SMALL = ("--rounds", "2", "--max-rounds", "2", "--topics", "2", "--topics-proposed", "3")
READING = {
    "tone": "sharp", "emphasis": "harm", "language": "absolute", "key_phrases": ["The reason is", "never said this"],
    "attitude": "sure of itself", "agreeableness": 2,
}  # fmt: skip


@dataclass
class Provider:
    """Debates sensibly and counts what it is asked; after `open_for` calls it answers none until it is told to."""

    url: str = ""
    asked: list[str] = field(default_factory=list)
    open_for: int = 10**9
    heard: asyncio.Event = field(default_factory=asyncio.Event)
    gate: asyncio.Event = field(default_factory=asyncio.Event)

    async def answer(self, request: web.Request) -> web.Response:
        body = await request.json()
        words = str(body["messages"][-1]["content"])
        self.asked.append(words)
        if len(self.asked) > self.open_for:
            self.heard.set()
            await self.gate.wait()
        schema = body.get("response_format", {}).get("json_schema", {}).get("schema")
        reply = json.dumps(READING) if schema and "tone" in schema["properties"] else debate_reply(words, schema)
        choice = {"index": 0, "message": {"role": "assistant", "content": reply}, "finish_reason": "stop"}
        usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
        head = {"id": "c", "object": "chat.completion", "created": 1, "model": "lab-1"}
        return web.json_response({**head, "choices": [choice], "usage": usage})


@asynccontextmanager
async def served() -> AsyncIterator[Provider]:
    provider = Provider()
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
async def provider() -> AsyncIterator[Provider]:
    async with served() as made:
        yield made


async def started(folder: Path, provider: Provider, *arguments: str) -> Process:
    source = str(Path(crito.__file__).parents[1])
    variables = {**os.environ, "PYTHONPATH": source, "CRITO_ENDPOINT_LAB": provider.url}
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "crito",
        "debate",
        *arguments,
        "--json",
        cwd=folder,
        env=variables,
        stdout=PIPE,
        stderr=PIPE,
    )


async def debated(folder: Path, provider: Provider, *arguments: str) -> tuple[int | None, list[dict[str, Any]], str]:
    process = await started(folder, provider, *arguments)
    out, err = await process.communicate()
    return process.returncode, [json.loads(line) for line in out.decode().splitlines()], err.decode()


async def test_a_subject_is_debated_and_written_down(tmp_path: Path, provider: Provider) -> None:
    status, (facts,), news = await debated(tmp_path, provider, SUBJECT, "--model", "lab:m", *SMALL)

    assert (status, facts["rounds"], facts["flags"]) == (0, 2, []), news
    folder = tmp_path / "debate-should-the-town-close-its-old-bridge-to"
    assert {file.name for file in folder.iterdir()} >= {"debate.json", "debate.md", "debate.html", "brief.md"}
    content = json.loads((folder / "debate.json").read_text())
    assert [topic["title"] for topic in content["runs"][0]["outcome"]["topics"]] == facts["topics"]
    page = (folder / "debate.html").read_text()
    assert SUBJECT in page
    assert "http" not in page.replace("http://www.w3.org", "")


async def test_the_same_command_again_asks_nothing(tmp_path: Path, provider: Provider) -> None:
    await debated(tmp_path, provider, SUBJECT, "--model", "lab:m", *SMALL)
    n_asked = len(provider.asked)

    status, (facts,), _ = await debated(tmp_path, provider, SUBJECT, "--model", "lab:m", *SMALL)

    assert (status, facts["calls"], len(provider.asked)) == (0, 0, n_asked)


async def test_a_debate_that_was_killed_goes_on_and_asks_again_only_what_was_open(
    tmp_path: Path, provider: Provider
) -> None:
    provider.open_for = 9
    process = await started(tmp_path, provider, SUBJECT, "--model", "lab:m", *SMALL, "--at-once", "1")
    await provider.heard.wait()
    process.kill()
    await process.communicate()
    provider.open_for = 10**9
    provider.gate.set()

    again = ("--model", "lab:m", *SMALL, "--in-flight", "resend")
    status, (facts,), news = await debated(tmp_path, provider, SUBJECT, *again)

    assert (status, facts["flags"]) == (0, []), news
    assert len(provider.asked) == facts["calls"] + 10


async def test_the_whole_debate_in_both_orders(tmp_path: Path, provider: Provider) -> None:
    arguments = ("--model", "lab:m", *SMALL, "--swap", "debate", "--out", "both")

    status, _, news = await debated(tmp_path, provider, SUBJECT, *arguments)

    assert status == 0, news
    runs = json.loads((tmp_path / "both" / "debate.json").read_text())["runs"]
    assert [run["order"] for run in runs] == ["given", "swapped"]
    assert [closing["side"] for closing in runs[1]["outcome"]["closings"]] == ["B", "A"]


async def test_a_sweep_compares_levels_and_keeps_only_phrases_that_were_said(
    tmp_path: Path, provider: Provider
) -> None:
    arguments = ("--model", "lab:m", "--judge", "lab:j", "--sweep", "0.9,0.0", "--out", "levels")

    status, (facts,), news = await debated(tmp_path, provider, SUBJECT, *arguments)

    assert (status, facts["agreeableness"]) == (0, {"0.9": 2, "0": 2}), news
    content = json.loads((tmp_path / "levels" / "sweep.json").read_text())
    assert [(row["level"], row["side"], row["key_phrases"]) for row in content["rows"]] == [
        (level, side, ["The reason is"]) for level in (0.9, 0.0) for side in "AB"
    ]
    page = (tmp_path / "levels" / "sweep.html").read_text()
    assert "Agreeableness by contentiousness" in page
    judged = [words for words in provider.asked if "<argument>" in words]
    assert not any("Contentiousness" in words for words in judged)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ((SUBJECT,), "two agents"),
        ((SUBJECT, "--model", "gpt"), "names no model"),
        ((SUBJECT, "--model", "lab:m", "--judge", "lab:m"), "among the judges"),
        ((SUBJECT, "--model", "lab:m", "--rounds", "3", "--max-rounds", "2"), "max_rounds"),
        ((SUBJECT, "--model", "lab:m", "--level", "dinner=0.5"), "no level"),
        ((SUBJECT, "--model", "lab:m", "--swap", "everything"), "no such swap"),
        ((SUBJECT, "--model", "lab:m", "--sweep", "2"), "no levels"),
    ],
)
async def test_what_cannot_be_held_is_refused_with_what_would_do(
    tmp_path: Path, provider: Provider, arguments: tuple[str, ...], problem: str
) -> None:
    status, _, news = await debated(tmp_path, provider, *arguments)

    assert (status, problem in news) == (2, True), news
    assert provider.asked == []


async def test_the_owner_moderates_a_debate_that_is_served_while_it_is_held(tmp_path: Path, provider: Provider) -> None:
    provider.open_for = 9
    process = await started(tmp_path, provider, SUBJECT, "--model", "lab:m", *SMALL, "--at-once", "1", "--serve", "0")
    assert process.stderr is not None
    assert process.stdout is not None
    link = ""
    while not link:
        link = next(iter(re.findall(r"http://\S+", (await process.stderr.readline()).decode())), "")
    await provider.heard.wait()

    async with httpx.AsyncClient(follow_redirects=True) as browser:
        await browser.get(link)
        listed = HTMLParser((await browser.get(f"{link.partition('/enter/')[0]}/debates")).text)
        address = str(httpx.URL(link).join(listed.css_first("ul.studies a").attributes["href"]))
        page = HTMLParser((await browser.get(address)).text)
        csrf = page.css_first("input[name=csrf]").attributes["value"]
        sent = await browser.post(address, data={"csrf": csrf, "kind": "question", "value": "And in winter?"})
        assert "And in winter?" in sent.text
        provider.gate.set()
        facts = json.loads(await process.stdout.readline())
        after = (await browser.get(address)).text

    process.send_signal(signal.SIGINT)
    await process.communicate()
    assert (process.returncode, facts["moderated"]) == (0, True)
    assert "asks: And in winter?" in after
