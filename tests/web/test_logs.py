"""The log of a server tells those who run it what happened, and nobody who took part."""

import asyncio
import io
import json
import logging
from collections.abc import Iterator

import pytest

from crito.web import logs
from crito.web.app import create_app
from crito.web.settings import WebSettings
from tests.web.site import Browser, Site

ANA = "ana-at-prolific"
WORDS = "my dear words about the lamp"


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """What is logged as JSON in this test."""
    stream = io.StringIO()
    root, before = logging.getLogger(), logging.getLogger().level
    handler = logs.configure(as_json=True, stream=stream)
    yield stream
    root.removeHandler(handler)
    root.setLevel(before)
    logs.REQUESTS.setLevel(logging.NOTSET)


@pytest.fixture
def logged(site: Site) -> Site:
    return Site(create_app(site.parts, WebSettings(log_requests=True)), site.parts, site.study)


def entries(stream: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


async def played(site: Site) -> Browser:
    """Somebody in the middle of a dialogue, with words of theirs on record."""
    browser = site.browser(**{"User-Agent": "a browser of ana"})
    await browser.open(PROLIFIC_PID=ANA, SESSION_ID="session-of-ana", STUDY_ID="study-of-ana")
    await browser.go_until(site.study, "#message")
    await browser.send("#message", message=WORDS)
    return browser


async def test_a_request_is_one_line_of_json_with_its_route_and_its_id(logged: Site, written: io.StringIO) -> None:
    answer = await logged.browser().client.get(logged.base)

    (entry,) = entries(written)
    assert {name: entry[name] for name in ("event", "method", "route", "status", "level")} == {
        "event": "request", "method": "GET", "route": "/s/{study}/", "status": 200, "level": "info",
    }  # fmt: skip
    assert entry["request"] == answer.headers["x-request-id"]
    assert isinstance(entry["ms"], float)
    assert str(entry["time"]).endswith("+00:00")


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("0123456789abcdef0123456789abcdef", True),
        ("ana@example.org", False),
        ("short", False),
        ("0123456789abcdef\x80", False),
    ],
)
async def test_the_id_of_a_proxy_is_taken_if_it_is_one(site: Site, given: str, kept: bool) -> None:
    answer = await site.browser().client.get("/healthz", headers={"X-Request-Id": given.encode("latin-1")})

    assert (answer.headers["x-request-id"] == given) == kept


async def test_a_played_study_leaves_no_word_token_or_id_in_the_log(
    logged: Site, written: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = await played(logged)
    token, mark = browser.client.cookies["crito"], browser.html.css_first("[name=csrf]").attributes["value"]
    await browser.open(f"{logged.base}r/{token}")
    await browser.open(f"{logged.base}nothing-of-ana")

    async def fails(*_: object) -> None:
        raise RuntimeError(WORDS)

    monkeypatch.setattr(logged.parts.store, "write", fails)
    await browser.open()
    await browser.send("#message", message=WORDS)

    said = written.getvalue()
    assert {entry["route"] for entry in entries(written) if "route" in entry} >= {"/s/{study}/message", "/s/{study}/"}
    assert "RuntimeError" in said
    for hidden in (
        WORDS,
        "dear words",
        ANA,
        "session-of-ana",
        "study-of-ana",
        token,
        mark,
        "browser of ana",
        "nothing-of",
    ):
        assert hidden not in said


async def test_what_others_log_is_cut_to_what_holds_nothing(written: io.StringIO) -> None:
    async def forgotten() -> None:
        raise ValueError(WORDS)

    task = asyncio.create_task(forgotten())
    await asyncio.wait([task])
    context = {"message": f"Task exception was never retrieved\nfuture: {WORDS}", "exception": task.exception()}
    asyncio.get_running_loop().default_exception_handler(context)
    logging.getLogger("driver").error("could not store %s", WORDS)
    try:
        raise KeyError(WORDS)
    except KeyError:
        logging.getLogger("driver").exception("failed")

    assert WORDS not in written.getvalue()
    assert [(entry["event"], entry.get("error")) for entry in entries(written)] == [
        ("Task exception was never retrieved", "ValueError"),
        ("could not store %s", None),
        ("failed", "KeyError"),
    ]


def test_a_plain_log_has_no_requests_and_tells_the_same_of_failures() -> None:
    stream = io.StringIO()
    handler = logs.configure(as_json=False, stream=stream)
    try:
        logs.note_request(logs.Answered("0" * 16, "GET", "/", 200, 0.1))
        logging.getLogger("driver").error("could not store %s", WORDS)
    finally:
        logging.getLogger().removeHandler(handler)
        logs.REQUESTS.setLevel(logging.NOTSET)

    (line,) = stream.getvalue().splitlines()
    assert line.endswith("error could not store %s")
