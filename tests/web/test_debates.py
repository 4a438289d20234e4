"""A debate's page: the owner watches and moderates, nobody else sees it."""

from dataclasses import replace
from pathlib import Path

from crito.engine.local import LocalEngine
from crito.model.debate import Debate, Debater, DebateSettings, Stance
from crito.services import accounts
from crito.services.asking import Calling
from crito.services.debating import DebateRun, begin_debate, hold_debate, standing_of
from crito.services.ports.models import CallContext, ChatRequest
from crito.services.whole_debate import hold_and_judge, report_of, study_of
from tests.debating_model import debating
from tests.judging_model import judge_reply
from tests.web.site import Browser, Site, opened_site

SIDES = (
    Debater(Stance("A", "It should be closed."), "fake:a"),
    Debater(Stance("B", "It should <b>stay</b> open."), "fake:b"),
)
SMALL = DebateSettings(rounds=2, max_rounds=2, topics=2, topics_proposed=3)
BRIDGE = Debate("bridge", "Should the <i>bridge</i> be closed?", SIDES, SMALL)


async def begun(site: Site) -> DebateRun:
    return await begin_debate(site.parts, replace(site.study, debates=(BRIDGE,)), BRIDGE)


def judging(name: str, request: ChatRequest, context: CallContext) -> str | None:
    return judge_reply(request.messages[0].text, request.schema or {}) if name in ("fake:j", "fake:k") else None


async def owner(site: Site) -> Browser:
    browser = site.browser()
    await browser.open(f"{site.base}owner/enter/{await accounts.make_owner_link(site.parts, site.study.name)}")
    return browser


async def held(site: Site, run: DebateRun) -> None:
    calling = Calling(LocalEngine(4).turnstile, lambda spent: None)
    await hold_debate(replace(site.parts, models=debating()), run, calling)


async def test_the_owner_finds_debates_on_the_owners_page_and_sees_that_one_has_not_begun(site: Site) -> None:
    run = await begun(site)
    browser = await owner(site)
    await browser.open(site.base + "owner/debates")

    link = browser.html.css_first(".studies a")
    await browser.open(link.attributes["href"])

    assert str(browser.page.url).endswith(f"/owner/debates/{run.run.id}")
    assert browser.title == "Should the <i>bridge</i> be closed?"
    assert "<i>bridge</i>" not in browser.page.text
    assert "Nothing was said yet" in browser.text("#turns")
    assert browser.html.css_first("#turns").attributes["hx-get"].endswith("/turns")


async def test_a_debate_that_is_over_shows_all_turns_and_takes_no_interventions(site: Site) -> None:
    run = await begun(site)
    await held(site, run)
    browser = await owner(site)

    await browser.open(f"{site.base}owner/debates/{run.run.id}")

    assert "The debate is over" in browser.text("#turns")
    assert "Closing" in browser.text("#turns")
    assert browser.html.css_first("#moderate") is None
    assert "hx-get" not in browser.html.css_first("#turns").attributes


async def test_what_the_owner_sends_waits_and_is_taken(site: Site) -> None:
    run = await begun(site)
    browser = await owner(site)
    await browser.open(f"{site.base}owner/debates/{run.run.id}")

    await browser.send("form:has([value=question])", value="And in winter?")
    assert "And in winter?" in browser.text(".queue")
    await held(site, run)
    await browser.open(f"{site.base}owner/debates/{run.run.id}")

    assert "asks: And in winter?" in browser.text("#turns")
    assert "Moderated" in browser.text("main")
    standing = await standing_of(site.parts, site.study.name, run.run.id)
    assert standing.outcome is not None
    assert standing.outcome.moderated


async def test_a_debate_that_was_judged_shows_its_verdict_and_is_taken_along_whole(site: Site) -> None:
    wanted = replace(BRIDGE, judges=("fake:j", "fake:k"), swap="judging")
    run = await begin_debate(site.parts, replace(site.study, debates=(wanted,)), wanted)
    browser = await owner(site)
    address = f"{site.base}owner/debates/{run.run.id}"
    assert (await browser.open(f"{address}/whole")).status_code == 404

    calling = Calling(LocalEngine(4).turnstile, lambda spent: None)
    judged = await hold_and_judge(replace(site.parts, models=debating(judging)), run, calling)
    await browser.open(address)

    assert judged.judged is not None
    assert "Side A, by the mean of both orders" in browser.text("section:has(#verdict)")
    whole = await browser.open(f"{address}/whole")
    assert whole.headers["content-disposition"].startswith("attachment")
    assert "A rests on counts." in whole.text
    again = await report_of(site.parts, site.study.name, run.run.id)
    assert again is not None
    assert again.judged is not None
    assert again.judged.verdict == judged.judged.verdict


async def test_the_turns_alone_are_a_part_of_the_page(site: Site) -> None:
    run = await begun(site)
    browser = await owner(site)

    await browser.open(f"{site.base}owner/debates/{run.run.id}/turns")

    assert browser.page.text.lstrip().startswith('<div id="turns"')


async def test_nobody_but_the_owner_sees_or_moderates(site: Site) -> None:
    run = await begun(site)
    address = f"{site.base}owner/debates/{run.run.id}"
    stranger = site.browser()

    for path in (address, f"{address}/turns"):
        await stranger.open(path)
        assert stranger.page.status_code == 401
        assert "bridge" not in stranger.page.text
    response = await stranger.post(address, {"kind": "close", "value": "", "csrf": "x"})

    assert response.status_code == 403
    assert (await standing_of(site.parts, site.study.name, run.run.id)).waiting == ()


async def test_a_form_of_another_site_moderates_nothing(site: Site) -> None:
    run = await begun(site)
    browser = await owner(site)

    response = await browser.post(f"{site.base}owner/debates/{run.run.id}", {"kind": "close", "value": ""})

    assert response.status_code == 403


async def test_an_unknown_debate_is_not_found(site: Site) -> None:
    browser = await owner(site)

    await browser.open(f"{site.base}owner/debates/d-none-given")

    assert browser.page.status_code == 404


async def test_nobody_takes_part_in_a_study_of_debates_alone(tmp_path: Path) -> None:
    async with opened_site(f"sqlite:///{tmp_path}/d.db", study_of(BRIDGE)) as site:
        browser = site.browser()

        await browser.open(site.base)

        assert browser.page.status_code == 404
