"""The owner's pages in a real browser: they keep themselves up to date under the reader's eyes, and what is pasted is counted."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from crito.services import accounts
from tests.browser.conftest import Visitor
from tests.browser.serving import Served

pytestmark = pytest.mark.browser


def owner(visitor: Callable[..., Visitor], site: Served, **options: object) -> Visitor:
    token = site.run(accounts.make_owner_link(site.parts, site.study.name))
    someone = visitor(site, **options)
    someone.page.goto(f"{site.address}owner/enter/{token}")
    return someone


def test_the_first_page_follows_what_happens_and_keeps_what_one_reads(
    site: Served, visitor: Callable[..., Visitor]
) -> None:
    visitor(site).begin("ana")
    watching = owner(visitor, site, narrow=True)
    watching.page.evaluate("document.querySelector('.task-strip:last-of-type').kept = true; scrollTo(0, 300)")
    before = watching.page.evaluate("scrollY")
    visitor(site).begin("ben")

    expect(watching.page.locator(".facts dd").first).to_have_text("2")

    assert watching.page.evaluate("scrollY") == before > 0
    assert watching.page.evaluate("document.querySelector('.task-strip:last-of-type').kept") is True


def test_a_dialogue_shows_its_turns_as_they_come(site: Served, visitor: Callable[..., Visitor]) -> None:
    talking, watching = visitor(site), owner(visitor, site)
    talking.to_the_talk("ana")
    watching.page.goto(f"{site.address}transcripts?live=yes")
    watching.page.locator("tbody a").first.click()
    expect(watching.page.locator(".said li")).to_have_count(1)

    talking.say("Nobody rates tape.")

    expect(watching.page.locator(".said li")).to_have_count(3)
    expect(watching.page.locator(".said")).to_contain_text("Nobody rates tape.")


def test_what_is_pasted_into_a_message_is_counted(site: Served, visitor: Callable[..., Visitor]) -> None:
    talking = visitor(site)
    talking.to_the_talk("ana")
    talking.page.locator("#words").evaluate(
        "field => { const carried = new DataTransfer(); carried.setData('text/plain', 'From elsewhere');"
        " field.dispatchEvent(new ClipboardEvent('paste', {bubbles: true, clipboardData: carried})) }"
    )
    talking.say("From elsewhere, I think.")
    watching = owner(visitor, site)

    watching.page.goto(f"{site.address}owner/people")
    watching.page.locator("tbody a").first.click()

    expect(watching.page.locator(".timeline .pasted")).to_contain_text("14 characters")


def test_the_figures_appear_once_the_page_stands(site: Served, visitor: Callable[..., Visitor]) -> None:
    talking = visitor(site)
    talking.to_the_talk("ana")
    watching = owner(visitor, site)

    watching.page.goto(f"{site.address}owner/numbers")

    expect(watching.page.locator("figure.multiple").first).to_be_visible()
    watching.check_access()
