"""More than one server process on one record, and one of them dies while a partner speaks."""

import asyncio
import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest
from httpx import AsyncClient, HTTPError
from sqlalchemy import text

from crito.bootstrap import load_study
from crito.cli.rehearsing import known_answers
from crito.rehearsal.crowds import Crowd, rehearse
from crito.rehearsal.server import RunningServer, running_server
from crito.store.engines import open_engine
from tests.bots.test_whole_study import LIVELY, NAME, contradicted, edit
from tests.llm.loopback import Loopback, Says, loopback
from tests.web.site import Browser


async def test_two_servers_on_one_record_are_as_good_as_one(store_url: str, study_file: Path) -> None:
    edit(study_file, min_messages="2\n  messages_per_minute: 100")
    crowd = Crowd(people=6, at_once=4, temper=LIVELY, known=known_answers(load_study(study_file)))
    options = ("--rehearsal", "--port", "0", "--db", store_url)

    async with (
        running_server([str(study_file)], *options) as first,
        running_server([str(study_file)], *options) as second,
    ):
        walks = await asyncio.gather(
            rehearse(first.people[NAME], replace(crowd, prefix="first")),
            rehearse(second.people[NAME], replace(crowd, prefix="second", seed=2)),
        )
        # Whoever came by the one is known to the other.
        again = await rehearse(second.people[NAME], replace(crowd, prefix="first"))

    assert [done.stuck for done in (*walks, again)] == [[], [], []]
    assert [done.tally.faults for done in (*walks, again)] == [[], [], []]
    assert sum(done.endings["done"] for done in walks) > 0
    assert people_in(store_url) == 12
    assert contradicted(store_url) == []


def people_in(url: str) -> int:
    engine = open_engine(url)
    with engine.connect() as connection:
        (n_people,) = connection.execute(text("SELECT COUNT(*) FROM participants")).one()
    engine.dispose()
    return int(n_people)


def worker_that_asks(server: RunningServer, provider: Loopback) -> int:
    """The process from whose port the provider was asked last."""
    port = provider.peers[-1][1]
    inodes = {
        fields[9]
        for line in Path("/proc/net/tcp").read_text().splitlines()[1:]
        if int((fields := line.split())[1].rpartition(":")[2], 16) == port
    }
    main = server.process.pid
    workers = [int(pid) for pid in Path(f"/proc/{main}/task/{main}/children").read_text().split()]
    for pid in workers:
        for descriptor in Path(f"/proc/{pid}/fd").iterdir():
            if str(descriptor.readlink()).removeprefix("socket:[").removesuffix("]") in inodes:
                return pid
    raise AssertionError(f"none of {workers} holds port {port}")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="who holds a port is read from /proc")
async def test_a_reply_outlives_the_worker_that_was_bringing_it(
    store_url: str, study_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(study_file, model="lab:slow\n  first_sentence_s: 200")
    study = load_study(study_file)
    options = ("--rehearsal", "--port", "0", "--db", store_url, "--workers", "2")
    async with loopback() as provider:
        monkeypatch.setenv("CRITO_ENDPOINT_LAB", f"{provider.url}/v1")
        async with (
            running_server([str(study_file)], *options) as server,
            AsyncClient(base_url=server.address, timeout=250) as client,
        ):
            browser = Browser(client, f"/s/{NAME}/")
            await browser.open(PROLIFIC_PID="ana", STUDY_ID="s", SESSION_ID="1")
            await browser.go_until(study, "#message")
            message = {**browser.form("#message"), "message": "The last words give it away."}
            provider.next = [Says(after=asyncio.Event())]

            sending = asyncio.create_task(client.post(f"/s/{NAME}/message", data=message))
            async with asyncio.timeout(200):
                await provider.asked.wait()
            os.kill(worker_that_asks(server, provider), signal.SIGKILL)
            with pytest.raises(HTTPError):
                await sending
            # The same form once more, as a browser that got no answer sends it.
            await browser.open()
            lines_before = [line.attributes["class"] for line in browser.html.css(".line")]
            await client.post(f"/s/{NAME}/message", data=message)
            await browser.open()
            lines = [line.attributes["class"] for line in browser.html.css(".line")]
            await browser.go_on(study)

            assert lines_before == ["line partner", "line own", "line partner waiting"]
            assert lines == ["line partner", "line own", "line partner"]
            assert len(browser.html.css(".line")) == 5
    assert contradicted(store_url) == []
    assert said(store_url) == ["partner", "person", "partner", "person", "partner"]


def said(url: str) -> list[str]:
    engine = open_engine(url)
    with engine.connect() as connection:
        turns = connection.execute(text("SELECT kind FROM turns WHERE no_answer = '' ORDER BY step")).all()
    engine.dispose()
    return ["person" if turn.kind == "person" else "partner" for turn in turns]
