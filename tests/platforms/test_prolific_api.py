"""Prolific's API, as a loopback server speaks it."""

import json
from collections.abc import AsyncIterator

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from crito.model.errors import CritoError, Forbidden, InvalidInput, NotFound, TooMany
from crito.platforms.prolific_api import Prolific

TOKEN = "a-token-that-is-nobodys"
PER_PAGE = 20


class Platform:
    """Answers as Prolific does: `submissions` on pages, to who brings the token."""

    def __init__(self) -> None:
        self.submissions = [
            {
                "id": f"s{n}", "participant_id": f"p{n}", "status": "RETURNED" if n % 2 else "AWAITING REVIEW",
                "started_at": "2026-10-25T12:27:09Z", "completed_at": None, "study_code": "C1" if n % 2 == 0 else None,
            }
            for n in range(205)
        ]  # fmt: skip
        self.says = len(self.submissions)
        self.asked: list[str] = []
        self.elsewhere = ""
        self.answer: web.Response | None = None

    async def list(self, request: web.Request) -> web.Response:
        self.asked.append(str(request.rel_url))
        if self.answer is not None:
            return self.answer
        if request.headers.get("Authorization") != f"Token {TOKEN}":
            return web.json_response({"error": {"status": 401}}, status=401)
        if request.match_info["study"] != "abc123":
            return web.json_response({"error": {"status": 404}}, status=404)
        page = int(request.query.get("page", "1"))
        some = self.submissions[(page - 1) * PER_PAGE : page * PER_PAGE]
        following = f"{self.elsewhere or request.url.origin()}{request.path}?page={page + 1}"
        more = page * PER_PAGE < len(self.submissions)
        return web.json_response(
            {"results": some, "_links": {"next": {"href": following if more else None}}, "meta": {"count": self.says}}
        )


@pytest.fixture
def platform() -> Platform:
    return Platform()


@pytest.fixture
async def address(platform: Platform) -> AsyncIterator[str]:
    app = web.Application()
    app.router.add_get("/api/v1/studies/{study}/submissions/", platform.list)
    async with TestServer(app) as server:
        yield str(server.make_url("/"))


async def test_every_page_of_submissions_is_fetched(address: str) -> None:
    found = await Prolific(TOKEN, address).submissions("abc123")

    assert [submission.id for submission in found] == [f"s{n}" for n in range(205)]
    assert (found[0].person, found[0].status, found[0].code) == ("p0", "awaiting_review", "C1")
    assert (found[1].status, found[1].code) == ("returned", "")


async def test_a_list_that_ends_at_a_page_is_refused(address: str, platform: Platform) -> None:
    platform.says = 300

    with pytest.raises(CritoError, match="300 submissions and sent 205"):
        await Prolific(TOKEN, address).submissions("abc123")


async def test_the_token_is_sent_to_no_other_server(address: str, platform: Platform) -> None:
    platform.elsewhere = "http://elsewhere.test"

    with pytest.raises(CritoError, match="another server"):
        await Prolific(TOKEN, address).submissions("abc123")

    assert len(platform.asked) == 1


@pytest.mark.parametrize(
    ("study", "token", "error"),
    [("abc123", "wrong", Forbidden), ("zzz", TOKEN, NotFound), ("../users", TOKEN, InvalidInput)],
)
async def test_what_prolific_refuses_is_told_without_the_token(
    address: str, study: str, token: str, error: type[CritoError]
) -> None:
    with pytest.raises(error) as told:
        await Prolific(token, address).submissions(study)

    assert token not in str(told.value)


@pytest.mark.parametrize(
    ("status", "body", "error"),
    [
        (429, "", TooMany),
        (500, "", CritoError),
        (302, "", CritoError),
        (200, "<html>", CritoError),
        (200, json.dumps({"results": [{"id": "s1"}]}), CritoError),
        (200, json.dumps([]), CritoError),
    ],
)
async def test_an_answer_that_is_no_list_changes_nothing_and_is_said(
    address: str, platform: Platform, status: int, body: str, error: type[CritoError]
) -> None:
    platform.answer = web.Response(status=status, text=body, headers={"Retry-After": "7", "Location": "/"})

    with pytest.raises(error) as told:
        await Prolific(TOKEN, address).submissions("abc123")

    assert TOKEN not in str(told.value)


async def test_a_server_that_is_not_there_is_said() -> None:
    with pytest.raises(CritoError, match="cannot be asked now"):
        await Prolific(TOKEN, "http://127.0.0.1:9/").submissions("abc123")
