"""Every route of the app, asked for by everyone there is, of its study and of another: who may, and what strangers learn."""

import re
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from httpx import Response

from crito.model.access import SCOPES, Scope, StudyRole
from crito.model.ids import StudyName
from crito.services import accounts, hosting, tokens
from crito.web.audience import Row, Visitor, table
from crito.web.desk import SESSION, VISIT, csrf_of
from crito.web.door import DOOR
from crito.web.roles import ACCOUNT
from tests.web.members import session_of
from tests.web.site import HOST, Browser, Site

OTHER = StudyName("other")
SECRET = "CANARY"
ROLES: tuple[StudyRole, ...] = ("owner", "expert", "reader")
STRANGERS = ("nobody", *(f"{kind} of another study" for kind in ("participant", *ROLES, "token")))


@dataclass
class World:
    """A site with two studies of the same items, and what stands for everyone who is in one of them."""

    site: Site
    path: Path
    accounts: dict[str, str]
    people: dict[str, str]
    secrets: list[str]
    assignment: str
    annotator: str

    async def ask(self, row: Row, who: str, scopes: tuple[Scope, ...] = SCOPES) -> list[Response]:
        """What `who` gets from a route of the first study, once with each of the marks that pages give to them."""
        study = OTHER if who.endswith("of another study") else self.site.study.name
        client = self.site.browser().client
        cookies = {}
        if who in self.accounts:
            cookies[ACCOUNT] = self.accounts[who]
        if who in self.people:
            cookies[SESSION] = self.people[who]
        if who == "nobody":
            cookies = {VISIT: "v", DOOR: "d"}
        for name, value in cookies.items():
            client.cookies.set(name, value, domain=HOST.partition("//")[2], path="/")
        if who.startswith("token"):
            text = await tokens.make_api_token(self.site.parts, study, "a program", scopes)
            client.headers["Authorization"] = f"Bearer {text}"
        marks = [csrf_of(value) for value in cookies.values()] or [""]
        return [
            await client.request(row.method, self._address(row.path), **self._form(row, mark))
            for mark in (marks if row.method == "POST" else marks[:1])
        ]

    def _address(self, path: str) -> str:
        known = {"study": self.site.study.name, "assignment": self.assignment, "annotator": self.annotator}
        return re.sub(r"{(\w+)(:\w+)?}", lambda blank: known.get(blank[1], "1"), path)

    def told(self, answer: Response) -> list[str]:
        """The secrets of the first study in an answer's head and body, but for what stood in the address that was asked."""
        said = answer.content + b"".join(b"%s: %s\n" % header for header in answer.headers.raw)
        return [one for one in self.secrets if one.encode() in said and one not in str(answer.request.url)]

    def _form(self, row: Row, mark: str) -> dict[str, Any]:
        if row.method != "POST":
            return {}
        if row.path.startswith("/api/"):
            return {"json": {"state": "paused"}}
        return {"data": {"csrf": mark, "assignment": self.assignment, "message": "Mine now.", "consent": "maybe"}}

    def record(self) -> list[tuple[str, object]]:
        """Every row of the first study."""
        with sqlite3.connect(self.path) as connection:
            names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            own = [
                name
                for name in names
                if any(column[1] == "study" for column in connection.execute(f"PRAGMA table_info({name})"))
            ]
            # Tokens are what this test makes itself.
            return [
                (name, row)
                for name in own
                if name != "api_tokens"
                for row in connection.execute(f"SELECT * FROM {name} WHERE study = ?", [self.site.study.name])
            ]


async def participant(site: Site, base: str, pid: str) -> Browser:
    browser = site.browser()
    await browser.open(base, PROLIFIC_PID=pid)
    await browser.go_until(site.study, "#message")
    await browser.send("#message", message=f"{SECRET} of {pid}: the tone gives it away.")
    return browser


@pytest.fixture
async def world(site: Site, tmp_path: Path) -> World:
    await hosting.clone(site.parts, site.study.name, OTHER)
    sessions = {role: await session_of(site, role, f"{SECRET} {role}") for role in ROLES}
    for role in ROLES:
        sessions[f"{role} of another study"] = await session_of(site, role, f"Other {role}", OTHER)
    ana = await participant(site, site.base, "ana")
    ben = await participant(site, f"/s/{OTHER}/", "ben")
    await tokens.make_api_token(site.parts, site.study.name, f"{SECRET} token", SCOPES)
    people = {"participant": ana.client.cookies[SESSION], "participant of another study": ben.client.cookies[SESSION]}
    assignment = ana.html.css_first("[name=assignment]").attributes["value"] or ""
    talks = await site.parts.store.read(lambda tx: tx.talks(site.study.name))
    assert [talk.assignment for talk in talks] == [assignment]
    secrets = [SECRET, talks[0].annotator]
    return World(site, tmp_path / "site.db", sessions, people, secrets, assignment, talks[0].annotator)


def may(row: Row, who: str) -> bool:
    return "anyone" in row.visitors or who in row.visitors or _works_anywhere(row, who)


def _works_anywhere(row: Row, who: str) -> bool:
    """Pages of an account and the list of studies name no study, and neither does that of a token."""
    about_no_study = "{study}" not in row.path
    kind: Visitor | str = who.partition(" ")[0]
    return about_no_study and kind in row.visitors


def is_refused(row: Row, answer: Response) -> bool:
    """Forms of people who take part and of experts lead strangers to a page that says so."""
    if answer.status_code in (401, 403, 404):
        return True
    led_away = answer.status_code == 303 and answer.headers["location"].rpartition("/")[2] in ("", "expert")
    gives_words_back = answer.status_code == 200 and "<h1>You had been signed out</h1>" in answer.text
    says_nothing = answer.status_code == 204 and not answer.content
    return (led_away or gives_words_back or says_nothing) and row.visitors in (("participant",), ("expert",))


async def test_strangers_are_refused_at_every_route_and_change_and_learn_nothing(world: World) -> None:
    rows = table(world.site.app.router.routes)
    before, asked, let_in = world.record(), 0, []

    for who in (*STRANGERS, "participant", *ROLES):
        for row in rows:
            if may(row, who):
                continue
            for answer in await world.ask(row, who):
                asked += 1
                if not is_refused(row, answer):
                    let_in.append((who, row.method, row.path, answer.status_code))
                assert world.told(answer) == [], (who, row)

    assert let_in == []
    assert asked > 300
    assert world.record() == before


async def test_what_anyone_may_open_tells_strangers_nothing_of_a_study(world: World) -> None:
    for who in STRANGERS:
        for row in table(world.site.app.router.routes):
            if may(row, who):
                for answer in await world.ask(row, who):
                    assert answer.status_code < 500, (who, row)
                    assert world.told(answer) == [], (who, row)


async def test_everyone_is_let_in_where_the_table_says_so(world: World) -> None:
    rows = table(world.site.app.router.routes)
    before = {name: world.accounts[name] for name in ROLES}

    for who in ("participant", *ROLES):
        for row in rows:
            if not may(row, who) or row.path == "/sign-out":
                continue
            statuses = [answer.status_code for answer in await world.ask(row, who)]
            assert max(statuses) < 500, (who, row)
            if "anyone" not in row.visitors:
                assert set(statuses) - {401, 403}, (who, row)

    for session in before.values():
        assert await accounts.signed_in(world.site.parts, session)


@pytest.mark.parametrize("scope", SCOPES)
async def test_a_token_does_what_its_scope_says_and_nothing_else(world: World, scope: Scope) -> None:
    asked = [row for row in table(world.site.app.router.routes) if "token" in row.visitors]

    answers = {row.path: (row.scope, (await world.ask(row, "token", (scope,)))[0].status_code) for row in asked}

    assert len(answers) >= 7
    assert {path: status for path, (wanted, status) in answers.items() if wanted in ("", scope) and status != 200} == {}
    assert {
        path: status for path, (wanted, status) in answers.items() if wanted not in ("", scope) and status != 403
    } == {}


async def test_a_token_opens_no_page(world: World) -> None:
    for row in table(world.site.app.router.routes):
        if "token" not in row.visitors and "anyone" not in row.visitors:
            assert is_refused(row, (await world.ask(row, "token"))[0]), row


def test_every_scope_opens_something(site: Site) -> None:
    assert {row.scope for row in table(site.app.router.routes) if row.scope} == set(SCOPES)


def test_a_route_that_nobody_has_spoken_for_is_an_error() -> None:
    class Forgotten:
        path, methods = "/forgotten", frozenset({"GET"})

    with pytest.raises(LookupError, match="/forgotten"):
        table([Forgotten()])
