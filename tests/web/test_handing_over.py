"""Handing over on the owner's page: the gate's button, what is on record, the fall that every page tells."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from crito.services import accounts, queue, requesting
from crito.services.standing import standings
from crito.store.schema import upgrade
from tests.services.test_queue import corpus, say
from tests.services.walking import NAME
from tests.web.site import Browser, Site, opened_site

N_ITEMS, N_BLIND = 120, 58


@pytest.fixture
async def ready(tmp_path: Path) -> AsyncIterator[Site]:
    """A study whose expert has agreed with the machine on all that was drawn."""
    url = f"sqlite:///{tmp_path / 'crito.db'}"
    upgrade(url)
    async with opened_site(url, corpus(N_ITEMS, rate=0.0001)) as site:
        await requesting.request_labels(site.parts, NAME, "certification", n=N_BLIND)
        who, _ = await queue.invite(site.parts, NAME, "Ana")
        await queue.begin(site.parts, who)
        for _ in range(N_BLIND):
            await say(site.parts, who, label="sarcastic")
        yield site


async def owner(site: Site) -> Browser:
    browser = site.browser()
    await browser.open(f"{site.base}owner/enter/{await accounts.make_owner_link(site.parts, NAME)}")
    await browser.open(f"{site.base}owner/blind")
    return browser


async def expert(site: Site) -> Browser:
    _, token = await queue.invite(site.parts, NAME, "Ana")
    browser = site.browser()
    await browser.open(f"{site.base}expert/enter/{token}")
    return browser


async def audited(site: Site, *labels: str) -> None:
    who, _ = await queue.invite(site.parts, NAME, "Ana")
    for label in labels:
        while (page := await queue.page(site.parts, who)).purpose != "audit":
            await queue.answer(site.parts, who, page.form, {"label": "sarcastic"}, {})
        await queue.answer(site.parts, who, page.form, {"label": label}, {})


async def test_the_owner_hands_over_by_the_button_and_the_page_shows_what_the_gate_read(ready: Site) -> None:
    browser = await owner(ready)
    button = browser.text("form.decide button")

    await browser.send("form.decide", audits="5")

    ((handoff, _, n_accepted),) = await ready.parts.store.read(lambda tx: standings(tx, NAME))
    assert button == f"Leave the other {N_ITEMS - N_BLIND} items to the machine"
    assert n_accepted == N_ITEMS - N_BLIND
    assert handoff.by not in ("", "command")
    assert "58 of 58 blind labels agreed, on 120 items" in browser.text(".handoff")
    assert handoff.evidence_hash in browser.text(".handoff")
    assert browser.html.css_first('form[action$="hand-over"]') is None
    assert "left to the model" in (await told(await expert(ready)))


async def told(browser: Browser) -> str:
    await browser.open(f"{browser.base}expert")
    while browser.html.css_first("#answers"):
        await browser.send("#answers", label="sarcastic")
        await browser.open(f"{browser.base}expert")
    return browser.text("main")


async def test_a_form_that_is_forged_or_comes_too_early_hands_nothing_over(site: Site, ready: Site) -> None:
    early = await owner(site)
    fields = {"csrf": "wrong", "task": "sarcasm", "audits": "5"}
    stranger = ready.browser()
    by_hand = await owner(ready)
    mark = by_hand.form("form.decide")["csrf"]

    refused = await by_hand.post(f"{ready.base}owner/blind/hand-over", fields)
    outside = await stranger.post(f"{ready.base}owner/blind/hand-over", fields | {"csrf": mark})
    by_expert = await (await expert(ready)).post(f"{ready.base}owner/blind/hand-over", fields | {"csrf": mark})
    unknown = await by_hand.post(f"{ready.base}owner/blind/hand-over", {"csrf": mark, "task": "nothing"})

    assert early.html.css_first('form[action$="hand-over"]') is None
    assert [refused.status_code, outside.status_code, by_expert.status_code] == [403, 403, 403]
    assert (unknown.status_code, "no such task" in unknown.text) == (409, True)
    assert await ready.parts.store.read(lambda tx: tx.handoffs(NAME)) == []


async def test_a_fall_is_told_on_every_page_of_the_owner_and_to_experts(ready: Site) -> None:
    browser = await owner(ready)
    await browser.send("form.decide", audits="8")
    await audited(ready, *["not_sarcastic"] * 5)

    rooms = []
    for room in ("", "/people", "/blind", "/debates", "/data"):
        await browser.open(f"{ready.base}owner{room}")
        rooms.append("no longer accepted" in browser.text("main"))
    by_expert = await expert(ready)
    await by_expert.open(f"{ready.base}expert")

    await browser.open(f"{ready.base}owner/blind")
    facts = (await browser.open(f"{ready.base}owner/blind.json")).json()
    assert rooms == [True] * 5
    assert "no longer accepted" in by_expert.text("main")
    assert facts["handoffs"][0]["ended"]["reason"] == "audits"


async def test_the_owner_takes_it_back_with_a_reason(ready: Site) -> None:
    browser = await owner(ready)
    await browser.send("form.decide", audits="0")

    await browser.send('form[action$="take-back"]', why="a better guideline")

    assert "taken back" in browser.text(".handoff h3")
    assert "a better guideline" in browser.text(".handoff")
    again = await browser.post(f"{ready.base}owner/blind/take-back", browser.form("form.decide"))
    assert again.status_code == 409
