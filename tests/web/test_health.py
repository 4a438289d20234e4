"""What those who run a server ask it, and what its metrics tell them."""

import asyncio
import sys

import pytest
import uvicorn
from uvicorn.server import ServerState

from crito.model.errors import DatabaseMismatch
from crito.web import health, patience
from crito.web.app import create_app
from crito.web.metrics import Metrics
from crito.web.settings import WebSettings
from tests.web.site import Browser, Site

TOKEN = "scrape-me"
ANA = "ana-at-prolific"


@pytest.fixture
def watched(site: Site) -> Site:
    return Site(create_app(site.parts, WebSettings(), Metrics(TOKEN)), site.parts, site.study)


async def walked(site: Site) -> Browser:
    browser = site.browser()
    await browser.open(PROLIFIC_PID=ANA)
    await browser.go_until(site.study, "#message")
    return browser


async def test_a_worker_that_can_take_people_in_is_ready(site: Site) -> None:
    answers = [await site.browser().client.get(path) for path in ("/healthz", "/readyz")]

    assert [answer.status_code for answer in answers] == [204, 204]


@pytest.mark.parametrize(
    ("problem", "reason"),
    [
        (DatabaseMismatch("of schema 0001 at postgresql://ana@db"), "of another schema"),
        (OSError("no route to ana@db"), "cannot be reached"),
        (TimeoutError(), "cannot be reached"),
    ],
)
async def test_a_worker_whose_record_cannot_be_used_is_not_ready_and_names_no_host(
    site: Site, monkeypatch: pytest.MonkeyPatch, problem: Exception, reason: str
) -> None:
    async def fails() -> None:
        raise problem

    monkeypatch.setattr(site.parts.store, "check", fails)

    answer = await site.browser().client.get("/readyz")

    assert (answer.status_code, reason in answer.text, "ana" in answer.text) == (503, True, False)


async def test_a_record_that_does_not_answer_makes_nobody_wait_for_ever(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "ANSWERS_WITHIN_S", 0.01)
    monkeypatch.setattr(site.parts.store, "check", asyncio.Event().wait)

    assert (await site.browser().client.get("/readyz")).status_code == 503


async def test_a_worker_that_leaves_is_alive_but_not_ready(site: Site) -> None:
    site.app.state.leaving = True

    answers = [await site.browser().client.get(path) for path in ("/healthz", "/readyz")]

    assert [answer.status_code for answer in answers] == [204, 503]


async def test_without_a_token_there_are_no_metrics(site: Site) -> None:
    answer = await site.browser(Authorization="Bearer ").client.get("/metrics")

    assert answer.status_code == 404


@pytest.mark.parametrize("given", ["", "Bearer wrong", f"Basic {TOKEN}", TOKEN])
async def test_metrics_are_kept_from_whoever_does_not_know_the_token(watched: Site, given: str) -> None:
    answer = await watched.browser(Authorization=given).client.get("/metrics")

    assert (answer.status_code, "crito_requests" in answer.text) == (404, False)


async def test_metrics_count_requests_by_route_and_tell_the_record_without_anybody(watched: Site) -> None:
    browser = await walked(watched)
    await browser.client.get("/wp-admin/secret-of-somebody")

    told = (await watched.browser(Authorization=f"Bearer {TOKEN}").client.get("/metrics")).text

    study = watched.study.name
    lines = dict(line.rsplit(" ", 1) for line in told.splitlines() if not line.startswith("#"))
    consent = 'crito_requests_total{method="POST",route="/s/{study}/consent",status="303"}'
    assert lines[consent] == "1.0"
    assert lines['crito_requests_total{method="GET",route="none",status="404"}'] == "1.0"
    assert lines['crito_request_seconds_count{route="/s/{study}/consent"}'] == "1.0"
    assert lines[f'crito_people{{ending="active",study="{study}"}}'] == "1.0"
    assert lines[f'crito_people_present{{study="{study}"}}'] == "1.0"
    assert lines[f'crito_leases{{study="{study}"}}'] == "2.0"
    assert float(lines[f'crito_dialogues_open{{study="{study}"}}']) <= 2
    token = browser.client.cookies["crito"]
    for hidden in (ANA, "secret-of-somebody", token):
        assert hidden not in told


async def test_the_library_of_metrics_is_not_imported_where_nobody_asks() -> None:
    code = "import sys, crito.web.app, crito.bootstrap; sys.exit('prometheus_client' in sys.modules)"
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code)

    assert await process.wait() == 0


async def half_a_head(writer: asyncio.StreamWriter) -> None:
    writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nX-Half: ")
    await writer.drain()


@pytest.mark.parametrize("says", ["nothing", "half", "half after an answer"])
async def test_a_connection_that_never_says_what_it_wants_is_closed(
    site: Site, monkeypatch: pytest.MonkeyPatch, says: str
) -> None:
    monkeypatch.setattr(patience, "HEAD_WITHIN_S", 0.05)
    config, state = uvicorn.Config(site.app, log_config=None, lifespan="off"), ServerState()
    config.load()
    server = await asyncio.get_running_loop().create_server(
        lambda: patience.PatientProtocol(config, state, {}), "127.0.0.1", 0
    )
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())

    if says == "half after an answer":
        writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert b"204" in await reader.readuntil(b"\r\n\r\n")
    if says != "nothing":
        await half_a_head(writer)
    rest = await asyncio.wait_for(reader.read(), 20)

    assert rest == b""
    writer.close()
    server.close()
