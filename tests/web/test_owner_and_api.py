"""The owner's page behind its one-time link, and the API behind its token."""

import asyncio
import shutil
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from crito.cli import run
from crito.model.access import READING
from crito.model.ids import StudyName
from crito.model.study import Study
from crito.services import access, accounts, participation, tokens
from crito.services.publishing import publish
from crito.web.settings import WebSettings
from tests.web.site import Browser, Site, opened_site

ANA = {"PROLIFIC_PID": "ana-at-prolific"}


async def owner(site: Site) -> Browser:
    token = await accounts.make_owner_link(site.parts, site.study.name)
    browser = site.browser()
    await browser.open(f"{site.base}owner/enter/{token}")
    return browser


async def arrived(site: Site, selector: str, pid: str = "ana-at-prolific") -> Browser:
    browser = site.browser()
    await browser.open(PROLIFIC_PID=pid)
    await browser.go_until(site.study, selector)
    return browser


async def reader(site: Site) -> Browser:
    token = await tokens.make_api_token(site.parts, site.study.name)
    return site.browser(Authorization=f"Bearer {token}")


async def test_the_owners_link_opens_once(site: Site) -> None:
    token = await accounts.make_owner_link(site.parts, site.study.name)
    address = f"{site.base}owner/enter/{token}"
    first, second = site.browser(), site.browser()

    await first.client.head(address)
    await first.open(address)
    await second.open(address)

    assert (first.page.status_code, first.title) == (200, "Overview")
    assert str(first.page.url).endswith("/owner")
    assert (second.page.status_code, second.title) == (401, "Please come in by your link")


async def test_the_owners_page_is_shut_to_everyone_else(site: Site) -> None:
    browser = await arrived(site, "#answers")

    await browser.open(site.base + "owner")

    assert browser.page.status_code == 401
    assert "p-" not in browser.text("main")


async def test_a_fresh_study_shows_the_link_that_people_take(site: Site) -> None:
    browser = await owner(site)

    assert browser.text(".commands code") == f"http://crito.test{site.base}"


async def test_every_room_of_the_owners_navigation_opens_and_says_where_one_is(site: Site) -> None:
    browser = await owner(site)
    rooms = [link.attributes["href"] or "" for link in browser.html.css(".rooms a")]

    for room in rooms:
        await browser.open(room)
        assert (browser.page.status_code, browser.html.css_first("[aria-current]").attributes["href"]) == (200, room)

    assert rooms[0] == site.base + "owner"


async def test_the_owners_page_says_how_to_get_the_data_out(
    fresh_database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(fresh_database, tmp_path / "study.db")
    url = f"sqlite:///{tmp_path / 'study.db'}"
    async with opened_site(url, settings=WebSettings(record=url)) as site:
        browser = await owner(site)
        await browser.open(site.base + "owner/data")
        commands = [node.text() for node in browser.html.css(".commands code")]
    monkeypatch.chdir(tmp_path)

    statuses = [await asyncio.to_thread(run, command.split()[1:]) for command in commands]

    assert [command.split()[:2] for command in commands] == [["crito", word] for word in ("export", "report", "verify")]
    assert statuses == [0, 0, 0], capsys.readouterr().err


async def test_a_token_for_the_api_is_shown_once(site: Site) -> None:
    browser = await owner(site)

    await browser.open(site.base + "owner/tokens")
    await browser.send('form[action$="/owner/tokens"]', name="nightly", days="30")
    text = browser.text("#token")
    await browser.open(site.base + "owner/tokens")

    token = await tokens.token_of(site.parts, text)
    assert token
    assert (token.name, token.scopes) == ("nightly", READING)
    assert token.until - token.at == timedelta(days=30)
    assert "nightly" in browser.text("table")
    assert text not in browser.page.text


@pytest.mark.parametrize("path", ["studies", "studies/{study}", "studies/{study}/people", "studies/nope"])
@pytest.mark.parametrize("header", [{}, {"Authorization": "Bearer wrong"}, {"Authorization": "Basic eDp5"}])
async def test_the_api_wants_a_token(site: Site, path: str, header: dict[str, str]) -> None:
    answer = await site.browser().client.get(f"/api/v1/{path.replace('{study}', site.study.name)}", headers=header)

    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert "detail" in answer.json()


async def test_a_token_reads_its_own_study_and_no_other(site: Site) -> None:
    other = replace(site.study, name=StudyName("other"))
    await publish(site.parts, other)
    client = (await reader(site)).client

    listed = (await client.get("/api/v1/studies")).json()

    assert [study["name"] for study in listed["studies"]] == [site.study.name]
    assert (await client.get("/api/v1/studies/other/people")).status_code == 403
    assert (await client.get("/api/v1/studies/nope/people")).status_code == 404
    assert (await client.get(f"/api/v1/studies/{site.study.name}/people")).status_code == 200


async def test_a_participants_cookie_is_no_token(site: Site) -> None:
    browser = await arrived(site, "#answers")
    cookie = browser.client.cookies["crito"]

    answer = await browser.client.get("/api/v1/studies", headers={"Authorization": f"Bearer {cookie}"})

    assert answer.status_code == 401


@pytest.mark.parametrize("query", ["limit=0", "limit=201", "limit=many", "after=" + "x" * 500])
async def test_a_page_that_cannot_be_is_refused_with_the_reason(site: Site, query: str) -> None:
    client = (await reader(site)).client

    answer = await client.get(f"/api/v1/studies/{site.study.name}/items?{query}")

    assert answer.status_code == 422
    assert answer.json()["detail"][0]["loc"][0] == "query"


async def test_items_come_page_by_page_with_their_reference_labels(site: Site) -> None:
    client = (await reader(site)).client
    rows: list[dict[str, object]] = []
    after = ""

    while True:
        page = (
            await client.get(f"/api/v1/studies/{site.study.name}/items", params={"limit": 7, "after": after})
        ).json()
        rows += page["items"]
        after = page["next"]
        if not after:
            break

    expected = {(task.name, item.id): item.gold for task in site.study.tasks for item in task.items}
    assert {(row["task"], row["item"]): row["gold"] for row in rows} == expected
    assert len(rows) == len(expected) * len(site.study.conditions)


async def test_annotations_leave_out_who_withdrew(site: Site) -> None:
    stays, goes = await arrived(site, ".given", "stays"), await arrived(site, ".given", "goes")
    who = await access.signed_in(site.parts, site.study.name, goes.client.cookies["crito"])
    kept = await access.signed_in(site.parts, site.study.name, stays.client.cookies["crito"])
    assert who
    await participation.withdraw(site.parts, who)
    client = (await reader(site)).client

    pages = [(await client.get(f"/api/v1/studies/{site.study.name}/annotations", params={"limit": 1})).json()]
    while pages[-1]["next"]:
        params = {"limit": 1, "after": pages[-1]["next"]}
        pages.append((await client.get(f"/api/v1/studies/{site.study.name}/annotations", params=params)).json())

    rows = [row for page in pages for row in page["annotations"]]
    assert len(pages) == 2
    assert [row["annotator"] for row in rows] == [kept, kept]
    assert {row["round"] for row in rows} == {0}


async def test_people_of_the_api_are_pseudonyms(site: Site) -> None:
    await arrived(site, "#answers")
    client = (await reader(site)).client

    people = (await client.get(f"/api/v1/studies/{site.study.name}/people")).json()

    assert [person["ending"] for person in people["people"]] == [None]
    assert "ana-at-prolific" not in str(people)
    state = (await client.get(f"/api/v1/studies/{site.study.name}")).json()
    assert state["people"] == {"active": 1}
    assert state["assignments"] == {"open": 2}


async def test_the_description_of_the_api_holds_the_api_and_nothing_else(site: Site) -> None:
    described = (await site.browser().client.get("/api/v1/openapi.json")).json()

    assert described["paths"]
    assert all(path.startswith("/api/v1/studies") for path in described["paths"])
    written = {path for path, methods in described["paths"].items() if set(methods) != {"get"}}
    assert written == {"/api/v1/studies/{study}/state"}


async def test_the_first_page_names_studies_only_where_the_settings_say_so(site: Site, tmp_path: Path) -> None:
    study: Study = site.study
    browser = site.browser()
    await browser.open("/")
    assert browser.title == "Crito is running"
    assert study.name not in browser.page.text

    async with opened_site(f"sqlite:///{tmp_path / 'o.db'}", settings=WebSettings(list_studies=True)) as listing:
        visitor = listing.browser()
        await visitor.open("/")
        assert visitor.html.css_first(".studies a").attributes["href"] == listing.base
