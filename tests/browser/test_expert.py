"""An expert's queue in a real browser: keys go from item to item without building the page again."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from crito.bootstrap import load_study
from crito.services import queue
from crito.studies.bundled import STUDY_FILE, template_folder
from tests.browser.conftest import Visitor
from tests.browser.serving import Served

pytestmark = pytest.mark.browser

STAYS = "document.body.dataset.stays = 'yes'"


@pytest.fixture
def at_the_queue(site_with: Callable[..., Served], visitor: Callable[..., Visitor]) -> Visitor:
    """The first item in front of an expert, on a page that is marked."""
    site = site_with(load_study(template_folder("solo") / STUDY_FILE))
    _, token = site.run(queue.invite(site.parts, site.study.name, "Ana"))  # type: ignore[misc]
    someone = visitor(site)
    page = someone.page
    page.goto(f"{site.address}expert/enter/{token}")
    page.get_by_role("button", name="Show the next item").click()
    expect(page.locator("form.expert")).to_be_visible()
    page.evaluate(STAYS)
    return someone


def label_next(page: Page, key: str = "n") -> None:
    """Press a key and wait for what it brings."""
    before = page.locator("main").inner_text()
    page.keyboard.press(key)
    expect(page.locator("main")).not_to_have_text(before, use_inner_text=True)


def test_a_key_brings_the_next_item_in_place(at_the_queue: Visitor) -> None:
    page = at_the_queue.page
    for number in range(1, 4):
        label_next(page)
        expect(page.locator(".progress")).to_contain_text(f"{number} labelled")

    assert page.evaluate("document.body.dataset.stays") == "yes"
    assert page.evaluate("document.activeElement.id") == "main"


def test_without_an_answer_the_form_goes_the_plain_way_and_is_kept_once(at_the_queue: Visitor) -> None:
    page = at_the_queue.page
    once = iter([True])
    page.route("**/expert/label", lambda route: route.abort() if next(once, False) else route.continue_())
    label_next(page)

    expect(page.locator(".progress")).to_contain_text("1 labelled")
    assert page.evaluate("document.body.dataset.stays") is None
    assert ["ERR_FAILED" in complaint for complaint in at_the_queue.complaints] == [True]
    at_the_queue.complaints.clear()


def test_a_key_that_is_held_down_labels_one_item(at_the_queue: Visitor) -> None:
    page = at_the_queue.page
    page.keyboard.down("n")
    expect(page.locator(".progress")).to_contain_text("1 labelled")
    for _ in range(3):
        page.keyboard.down("n")  # a key that is down already repeats
    page.keyboard.up("n")
    page.reload()

    expect(page.locator(".progress")).to_contain_text("1 labelled")


def test_what_was_labelled_is_still_there_after_a_reload(at_the_queue: Visitor) -> None:
    page = at_the_queue.page
    label_next(page)
    shown = page.locator("main").inner_text()

    page.reload()

    expect(page.locator("main")).to_have_text(shown, use_inner_text=True)
