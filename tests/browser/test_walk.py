"""The whole study in a real browser: every page is looked at in both themes and both sizes, and axe finds nothing."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from crito.model.record import Identity
from crito.protocols.driving import Finished, Pending
from crito.protocols.socratic import Dialogue
from crito.services import accounts, runs
from crito.services.ports.store import Tx
from tests.browser.conftest import TALK, Visitor
from tests.browser.serving import Served

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("narrow", [False, True], ids=["1280", "390"])
def test_someone_walks_the_whole_study(
    site: Served, visitor: Callable[..., Visitor], narrow: bool, scheme: str
) -> None:
    someone = visitor(site, narrow=narrow, color_scheme=scheme)
    page, seen = someone.page, list[str]()

    def look(name: str) -> None:
        seen.append(name)
        someone.look(f"{len(seen):02}-{name}-{390 if narrow else 1280}-{scheme}")
        someone.check_access()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} is wider than the window"

    someone.arrive()
    look("consent")
    someone.press("I agree, begin")
    expect(page).to_have_url(site.address)
    look("instructions")
    someone.press("Start with")
    for _ in site.study.tasks:
        expect(page.locator("#answers")).to_be_visible()
        look("annotate")
        someone.answer()
        someone.save()
    look("confirm")
    someone.press("Keep these labels")
    for number, _ in enumerate(site.study.tasks):
        if number:
            look("pause")
            someone.press("Go on to the next text")
        expect(page.locator("h1")).to_have_text(TALK)
        if not number:
            look("talk")
        someone.say("The last words give it away, I think.")
        someone.say("Nobody would write that and mean it.")
        look("talk-open")
        someone.answer(label=2)
        someone.save()
    look("survey")
    parent, answers = next(question.only_if for question in site.study.survey if question.only_if)
    expect(page.locator(".branch").first).to_be_hidden()
    page.locator(f"[name=q_{parent}][value={answers[0]}]").check()
    expect(page.locator(".branch").first).to_be_visible()
    look("survey-branch")
    someone.answer()
    someone.save()
    expect(page.locator(".code")).to_have_text(site.study.completion.codes["done"])
    look("end")


def test_a_dialogue_held_in_the_browser_replays_from_its_record(site: Served, visitor: Callable[..., Visitor]) -> None:
    someone = visitor(site)
    someone.to_the_talk("replayed")
    someone.say("The last words give it away, I think.")
    someone.say("Nobody would write that and mean it.")
    on_screen = [" ".join(line.split()) for line in someone.page.locator("#log .line").all_inner_texts()]
    someone.answer(label=1)
    someone.save()

    async def replay() -> Finished[Dialogue] | Pending:
        def work(tx: Tx) -> Finished[Dialogue] | Pending:
            person = tx.find_person(site.study.name, Identity("prolific", "replayed"))
            assert person
            record = tx.person(person)
            (talked,) = (a for a in record.assignments if a.status == "done")
            run = tx.run_of(talked.id)
            assert run
            return runs.stand(tx, site.study, record, talked, run).state

        return await site.parts.store.read(work)

    replayed = site.run(replay())

    assert isinstance(replayed, Finished)
    speakers = {"person": "You", "partner": "Partner"}
    said = [f"{speakers[turn.speaker]}: {turn.text}" for turn in replayed.result.transcript]
    assert [" ".join(line.split()) for line in said] == on_screen


def test_a_reply_comes_into_view_on_a_phone(site: Served, visitor: Callable[..., Visitor]) -> None:
    someone = visitor(site, narrow=True)
    page, lines = someone.page, someone.page.locator("#log .line")
    someone.to_the_talk("phone")
    for number, words in enumerate(["The last words give it away, I think.", "Nobody would write that and mean it."]):
        page.locator("#words").fill(words)
        someone.press("Send")
        expect(lines).to_have_count(3 + 2 * number)
        expect(page.locator("#incoming")).to_have_count(0)
    expect(lines.last).to_be_in_viewport(ratio=1)
    edges = (
        "document.querySelector('.line:last-child').getBoundingClientRect().bottom, message.getBoundingClientRect().top"
    )
    above_composer = f"(([line, composer]) => line <= composer)([{edges}])"
    assert page.evaluate(above_composer)

    page.reload()

    expect(lines.last).to_be_in_viewport(ratio=1)
    assert page.evaluate(above_composer)


def test_without_javascript_sending_leads_to_the_reply(site: Served, visitor: Callable[..., Visitor]) -> None:
    someone = visitor(site, narrow=True, java_script_enabled=False)
    someone.to_the_talk()
    for words in ("The last words give it away, I think.", "Nobody would write that and mean it."):
        someone.page.locator("#words").fill(words)
        someone.press("Send")

    expect(someone.page.locator("#log .line")).to_have_count(5)
    expect(someone.page.locator("#log .line").last).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("narrow", [False, True], ids=["1280", "390"])
def test_the_pages_beside_the_way(site: Served, visitor: Callable[..., Visitor], narrow: bool, scheme: str) -> None:
    someone = visitor(site, narrow=narrow, color_scheme=scheme)
    page, size = someone.page, f"{390 if narrow else 1280}-{scheme}"
    someone.begin()

    page.get_by_role("link", name="Withdraw my data").click()
    expect(page.locator("h1")).to_have_text("Withdraw your data?")
    someone.look(f"side-withdraw-{size}")
    someone.check_access()
    page.get_by_role("link", name="Keep my data").click()
    someone.press("Leave for now")
    expect(page.locator("h1")).to_have_text("You have left for now")
    someone.look(f"side-left-{size}")
    someone.check_access()

    link = site.run(accounts.make_owner_link(site.parts, site.study.name))
    page.goto(f"{site.address}owner/enter/{link}")
    page.goto(f"{site.address}owner/tokens")
    page.locator("#name").fill("nightly")
    someone.press("Make an API token")
    expect(page.locator("#token")).to_be_visible()
    expect(page.locator("tbody time").first).not_to_contain_text("UTC")
    expect(page.locator("tbody time").first).to_have_attribute("title", re.compile("UTC$"))
    someone.look(f"side-owner-{size}")
    someone.check_access()

    page.goto(site.origin + "/")
    expect(page.locator("h1")).to_have_text("Studies")
    someone.look(f"side-studies-{size}")
    someone.check_access()
    page.goto(site.address + "nowhere")
    someone.look(f"side-error-{size}")
    someone.check_access()
    someone.complaints = [line for line in someone.complaints if "404" not in line]


def test_the_whole_study_works_without_javascript(site: Served, visitor: Callable[..., Visitor]) -> None:
    someone = visitor(site, java_script_enabled=False)
    page = someone.page

    someone.to_the_talk()
    for number, _ in enumerate(site.study.tasks):
        if number:
            someone.press("Go on to the next text")
        expect(page.locator("#again button")).to_be_disabled()
        for words in ("The last words give it away, I think.", "Nobody would write that and mean it."):
            page.locator("#words").fill(words)
            someone.press("Send")
        expect(page.locator("#log .line")).to_have_count(5)
        someone.answer(label=2)
        someone.save()
    expect(page.locator(".when").first).to_be_visible()
    someone.answer()
    page.locator("#answers button[type=submit]").click()

    expect(page.locator(".code")).to_have_text(site.study.completion.codes["done"])


def test_the_first_labelling_goes_by_keys_alone(site: Served, visitor: Callable[..., Visitor]) -> None:
    someone = visitor(site)
    someone.begin()
    page = someone.page
    text = page.locator(".item-text").inner_text()
    right = {f"q_{check.question.key}": check.expected for check in site.study.attention_checks}

    for ask in page.locator("#answers .choice").all():
        values = [node.get_attribute("value") for node in ask.locator("input").all()]
        wanted = right.get(ask.get_attribute("data-name") or "", values[0])
        page.keyboard.press(str(values.index(wanted) + 1))
    page.keyboard.press("Enter")

    expect(page.locator(".item-text")).not_to_have_text(text)
    expect(page.locator(".here")).to_have_text("text 2 of 2")
