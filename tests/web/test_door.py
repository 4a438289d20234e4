"""The door for those who work on studies: signing in, invitations, what each role finds behind it, and how it shuts."""

from datetime import UTC, datetime

import pytest

from crito.model.access import SCOPES
from crito.services import access, accounts, hosting, members, queue, reading, tokens
from crito.services.reading import Reader
from crito.web.rendering import when
from crito.web.roles import ACCOUNT
from tests.web.members import browser_as, browser_of, session_of
from tests.web.site import Browser, Site

PASSWORD = "a kettle sings"


@pytest.fixture(autouse=True)
def quick_scrypt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accounts, "SCRYPT_N", 2)


async def talked(site: Site, pid: str = "ana") -> Browser:
    browser = site.browser()
    await browser.open(PROLIFIC_PID=pid)
    await browser.go_until(site.study, "#message")
    await browser.send("#message", message=f"The tone of {pid} gives it away.")
    return browser


async def invitation(site: Site, role: str, name: str) -> str:
    owner = await browser_as(site, "owner", f"Who invites {name}")
    await owner.open(site.base + "owner/access")
    await owner.send('form[action$="/access/invite"]', name=name, role=role)
    return owner.text("#link")


async def test_an_owner_invites_and_whoever_follows_the_link_is_in(site: Site) -> None:
    link = await invitation(site, "reader", "Ken Mori")
    guest, late = site.browser(), site.browser()

    await guest.client.head(link)
    await guest.open(link)
    assert (guest.title, guest.form("form.plain-form")["name"]) == ("You are invited", "Ken Mori")
    await guest.send("form.plain-form", password=PASSWORD)
    await late.open(link)

    assert str(guest.page.url).endswith("/studies")
    assert "reader of transcripts" in guest.text("tbody")
    assert late.page.status_code == 404


async def test_a_link_is_shown_once(site: Site) -> None:
    owner = await browser_as(site, "owner", "Ada")
    await owner.open(site.base + "owner/access")
    await owner.send('form[action$="/access/invite"]', name="Ken", role="expert")
    assert "/enter/" in owner.text("#link")

    await owner.open(site.base + "owner/access")

    assert not owner.html.css_first("#link")
    assert "Ken" in owner.text("#invitations ~ .table-box")


async def test_signing_in_leads_to_the_page_that_was_asked_for(site: Site) -> None:
    await session_of(site, "owner", "Ada", password=PASSWORD)
    browser = site.browser()
    await browser.open(site.base + "owner/access")
    assert browser.page.status_code == 401

    await browser.open(browser.html.css_first('a[href*="/sign-in"]').attributes["href"] or "")
    await browser.send("form", called="ada", password=PASSWORD)

    assert browser.title == "People with access"


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example/s/", "/s/../../evil", "/studies\\evil"])
async def test_signing_in_leads_nowhere_else(site: Site, elsewhere: str) -> None:
    await session_of(site, "owner", "Ada", password=PASSWORD)
    browser = site.browser()
    await browser.open("/sign-in", next=elsewhere)

    answer = await browser.client.post("/sign-in", data={**browser.form("form"), "called": "Ada", "password": PASSWORD})

    assert answer.status_code == 303
    assert answer.headers["location"].startswith(("/studies", "/s/"))


async def test_wrong_passwords_are_told_apart_from_nothing_and_end_in_a_wait(site: Site) -> None:
    await session_of(site, "owner", "Ada", password=PASSWORD)
    browser = site.browser()
    said = set()
    for name in ("Ada", "Nobody at all"):
        await browser.open("/sign-in")
        await browser.send("form", called=name, password="wrong password")
        said.add((browser.page.status_code, browser.text(".notice")))
    assert len(said) == 1

    for _ in range(accounts.MOST_FAILURES_OF_NAME):
        await browser.open("/sign-in")
        await browser.send("form", called="Ada", password="wrong password")

    assert browser.page.status_code == 429
    assert int(browser.page.headers["retry-after"]) > 0
    assert PASSWORD not in browser.page.text


async def test_signing_out_ends_the_session_itself(site: Site) -> None:
    session = await session_of(site, "owner", "Ada")
    browser = browser_of(site, session)
    await browser.open("/account")

    await browser.send('form[action$="/sign-out"]')

    assert browser.title == "Sign in"
    assert ACCOUNT not in browser.client.cookies
    assert await accounts.signed_in(site.parts, session) is None


@pytest.mark.parametrize("mark", ["", "0" * 64])
async def test_the_forms_of_the_door_want_the_mark_of_their_browser(site: Site, mark: str) -> None:
    session = await session_of(site, "owner", "Ada", password=PASSWORD)
    for browser, path in (
        (site.browser(), "/sign-in"),
        (browser_of(site, session), "/sign-out"),
        (browser_of(site, session), "/account"),
    ):
        fields = {"csrf": mark, "called": "Ada", "password": PASSWORD, "name": "Eve"}
        assert (await browser.client.post(path, data=fields)).status_code == 403

    assert await accounts.signed_in(site.parts, session)


async def test_the_cookie_of_an_account_is_out_of_reach_of_scripts(site: Site) -> None:
    link = await accounts.make_owner_link(site.parts, site.study.name)

    answer = await site.browser().client.get(f"{site.base}owner/enter/{link}")

    (cookie,) = answer.headers.get_list("set-cookie")
    assert cookie.startswith(f"{ACCOUNT}=")
    assert all(part in cookie for part in ("HttpOnly", "SameSite=lax", "Path=/;"))


async def test_the_first_page_leads_home_who_is_signed_in(site: Site) -> None:
    browser = await browser_as(site, "owner", "Ada")

    await browser.open("/")

    assert browser.title == "Studies"
    assert site.study.name in browser.text("tbody")


async def test_a_reader_reads_each_reading_is_noted_and_the_owner_sees_it(site: Site) -> None:
    await talked(site)
    reader, owner = await browser_as(site, "reader", "Ken Mori"), await browser_as(site, "owner", "Ada")

    await reader.open(site.base + "transcripts")
    address = reader.html.css_first("tbody a").attributes["href"] or ""
    assert "gives it away" not in reader.page.text
    assert (await reader.client.head(address)).status_code == 405
    await reader.open(address)
    await owner.open(site.base + "owner/readings")

    assert "The tone of ana gives it away." in reader.page.text
    assert [node.text() for node in reader.html.css(".rooms a")] == ["Transcripts"]
    assert [row.css("td")[0].text() for row in owner.html.css("tbody tr")] == ["Ken Mori"]
    assert owner.html.css_first("tbody time").attributes["title"].endswith("UTC")


async def test_transcripts_of_who_withdrew_are_gone(site: Site) -> None:
    ana = await talked(site)
    reader = await browser_as(site, "reader", "Ken Mori")
    await reader.open(site.base + "transcripts")
    address = reader.html.css_first("tbody a").attributes["href"] or ""
    await ana.open(site.base + "withdraw")
    await ana.send("form.decide")

    answer = await reader.open(address)

    assert answer.status_code == 404
    await reader.open(site.base + "transcripts")
    assert not reader.html.css("tbody a")
    assert await reading.count_readings(site.parts, site.study.name) == 0


async def test_a_program_reads_transcripts_under_the_name_of_its_token(site: Site) -> None:
    await talked(site, "ana")
    await talked(site, "ben")
    token = await tokens.make_api_token(site.parts, site.study.name, "nightly", ("read:transcripts",))
    client = site.browser(Authorization=f"Bearer {token}").client
    address = f"/api/v1/studies/{site.study.name}/transcripts"

    first = (await client.get(address, params={"limit": 1})).json()
    rest = (await client.get(address, params={"after": first["next"]})).json()

    said = [turn["text"] for page in (first, rest) for one in page["transcripts"] for turn in one["turns"]]
    assert {"The tone of ana gives it away.", "The tone of ben gives it away."} <= set(said)
    assert rest["next"] == ""
    found = await reading.readings(site.parts, site.study.name)
    assert [one.reader for _, one in found] == ["nightly", "nightly"]


async def test_readings_come_page_by_page(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crito.web.transcripts.PER_PAGE", 1)
    await talked(site)
    (talk,) = await reading.talks(site.parts, site.study.name)
    owner = await browser_as(site, "owner", "Ada")
    for name in ("Ken", "Eva"):
        await reading.read_transcript(site.parts, site.study.name, talk.assignment, Reader(accounts.COMMAND_LINE, name))

    await owner.open(site.base + "owner/readings")
    first = owner.text("tbody td")
    await owner.open(owner.html.css_first("a[rel=next]").attributes["href"] or "")

    assert (first.split()[0], owner.text("tbody td").split()[0]) == ("Eva", "Ken")
    assert "2 readings in all" in owner.text(".pager")


async def test_an_expert_with_an_account_labels_without_another_link(site: Site) -> None:
    browser = await browser_as(site, "expert", "Eva Weber")
    await browser.open("/studies")

    await browser.open(browser.html.css_first("tbody a").attributes["href"] or "")
    await browser.send("form.decide")

    assert browser.html.css_first("button[name=label]")
    label = browser.html.css_first("button[name=label]").attributes["value"] or ""
    form = browser.html.css_first("form:has(button[name=label])")
    sent = await browser.post(form.attributes["action"] or "", {**browser.form("form"), "label": label})
    assert sent.status_code == 200
    people = await site.parts.store.read(lambda tx: tx.experts(site.study.name))
    assert len(await site.parts.store.read(lambda tx: tx.annotation_history(site.study.name, [people[0][0].id]))) == 1


async def test_whose_role_is_ended_is_refused_with_the_next_request(site: Site) -> None:
    owner, other = await browser_as(site, "owner", "Ada"), await browser_as(site, "owner", "Eva")
    await other.open(site.base + "owner")
    await owner.open(site.base + "owner/access")
    accounts_of = {row.css_first("th").text().strip(): row for row in owner.html.css("tbody tr")}

    form = accounts_of["Eva"].css_first('form[action$="/end"]')
    await owner.post(
        form.attributes["action"] or "",
        {"csrf": form.css_first("input").attributes["value"] or "",
         "account": form.css_first("button").attributes["value"] or ""},
    )  # fmt: skip

    assert (await other.open(site.base + "owner")).status_code == 403
    assert "Eva" in owner.text("#former ~ .table-box")


async def test_the_last_owner_cannot_leave(site: Site) -> None:
    owner = await browser_as(site, "owner", "Ada")
    await owner.open(site.base + "owner/access")
    button = owner.html.css_first('form[action$="/end"] button')

    await owner.send('form[action$="/access/end"]', account=button.attributes["value"] or "")

    assert owner.page.status_code == 409
    assert "one owner" in owner.text(".notice")


async def test_a_paused_study_takes_nobody_new_and_lets_the_others_finish(site: Site) -> None:
    ana, owner = await talked(site), await browser_as(site, "owner", "Ada")
    new = site.browser()
    await new.open(PROLIFIC_PID="zoe")
    consent = new.form("form.decide")
    await owner.open("/studies")
    await owner.send('form[action$="/owner/state"]', state="paused")

    await new.post(site.base + "consent", {**consent, "consent": "yes"})
    assert new.title == "This study is resting"
    await new.open(PROLIFIC_PID="zoe")
    assert (new.page.status_code, new.title) == (200, "This study is resting")
    assert (await ana.open(PROLIFIC_PID="ana")).status_code == 200
    await ana.go_until(site.study, "#code, .code")
    assert len(await site.parts.store.read(lambda tx: tx.people(site.study.name))) == 1


async def test_an_archived_study_is_read_only_and_wakes_up_as_it_was(site: Site) -> None:
    ana, owner = await talked(site), await browser_as(site, "owner", "Ada")
    here = ana.form("#message")
    await hosting.set_state(site.parts, site.study.name, "archived")
    before = await site.parts.store.read(lambda tx: tx.people(site.study.name))

    await ana.post(site.base + "message", {**here, "message": "One more."})
    await ana.open()
    assert ana.title == "This study is over"
    await owner.open("/studies")
    assert site.study.name not in owner.text("main")
    await owner.open("/studies", archived="1")
    assert site.study.name in owner.text("tbody")
    assert (await owner.open(site.base + "owner/people")).status_code == 200
    await owner.open(site.base + "owner/tokens")
    await owner.send('form[action$="/owner/tokens"]', name="late", days="3")
    assert (owner.page.status_code, owner.title) == (423, "This study is archived")
    token = await tokens.make_api_token(site.parts, site.study.name, "nightly", SCOPES)
    client = site.browser(Authorization=f"Bearer {token}").client
    address = f"/api/v1/studies/{site.study.name}"
    assert (await client.post(f"{address}/state", json={"state": "open"})).status_code == 409
    assert (await client.get(address)).json()["state"] == "archived"
    assert await site.parts.store.read(lambda tx: tx.people(site.study.name)) == before

    await hosting.set_state(site.parts, site.study.name, "open")
    await ana.open()
    assert ana.html.css_first("#message")
    assert "One more." not in ana.text(".talk, main")


async def test_a_clone_is_made_from_the_list(site: Site) -> None:
    owner = await browser_as(site, "owner", "Ada")
    await owner.open("/studies")

    await owner.send('form[action$="/owner/clone"]', name="second")

    assert "second" in owner.text("tbody")
    assert (await owner.open("/s/second/owner")).status_code == 200
    assert (await site.browser().open("/s/second/")).status_code == 200
    await owner.open("/studies")
    await owner.send('form[action$="/owner/clone"]', name="second")
    assert "this name already" in owner.text(".notice")


async def test_an_account_page_shows_none_of_what_an_owners_link_does_not_prove(site: Site) -> None:
    session = await session_of(site, "reader", "Ken", password=PASSWORD)
    who = await accounts.signed_in(site.parts, session)
    assert who
    await accounts.change(site.parts, who, "Ken", "ken@example.org", "", "")
    owner = await members.member(site.parts, site.study.name, await session_of(site, "owner", "Ada"))
    assert owner
    _, token = await members.let_in_again(site.parts, site.study.name, who.account.id, owner.account)
    narrow = browser_of(site, await accounts.follow_link(site.parts, token))

    await narrow.open("/account")

    assert "ken@example.org" not in narrow.page.text
    assert not narrow.html.css("#sessions")
    answer = await narrow.post("/account/end-session", {**narrow.form("form"), "session": who.session.id})
    assert answer.status_code == 403
    assert await accounts.signed_in(site.parts, session)


async def test_the_personal_link_of_an_expert_is_ended_from_the_page(site: Site) -> None:
    expert, token = await queue.invite(site.parts, site.study.name, "Lea")
    owner = await browser_as(site, "owner", "Ada")
    await owner.open(site.base + "owner/access")

    await owner.send('form[action$="/end-personal-link"]', expert=expert)

    assert await access.signed_in(site.parts, site.study.name, token) is None


def test_a_moment_is_written_with_its_exact_time_in_utc() -> None:
    text = when(datetime(2026, 5, 4, 9, 30, 15, tzinfo=UTC))

    assert text == (
        '<time datetime="2026-05-04T09:30:15+00:00" title="2026-05-04 09:30:15 UTC" data-local>2026-05-04 09:30 UTC</time>'
    )
