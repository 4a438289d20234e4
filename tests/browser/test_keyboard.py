"""The whole study by the keyboard alone: everything is reached by Tab, chosen by arrows and Space, sent by Enter."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import TALK, Visitor
from tests.browser.serving import Served

pytestmark = pytest.mark.browser

MOST_TABS = 150
"""More than any page has places to stop at."""


class Keyboard:
    """A keyboard in front of a page, and the order in which Tab goes through it."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def tab_to(self, selector: str) -> None:
        """Press Tab until what has the focus is one of `selector`."""
        for _ in range(MOST_TABS):
            if self.focused(f"matches({selector!r})"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab never comes to {selector} on {self.page.url}")

    def focused(self, expression: str) -> bool:
        return bool(self.page.evaluate(f"document.activeElement.{expression}"))

    def press_button(self, name: str) -> None:
        self.page.get_by_role("button", name=name).first.evaluate("button => button.dataset.wanted = 'yes'")
        self.tab_to("[data-wanted]")
        with self.page.expect_navigation():
            self.page.keyboard.press("Enter")

    def answer(self, right: dict[str, str]) -> None:
        """Choose something in every group of the form; what is known to be right where that matters."""
        for ask in self.page.locator("#answers .ask:visible").all():
            name = ask.get_attribute("data-name") or ""
            if not ask.locator("input[type=radio]").count():
                continue
            self.tab_to(f"[name={name}]")
            self.page.keyboard.press("Space")
            for _ in range(ask.locator("input").count()):
                if name not in right or self.focused(f"value === {right[name]!r}"):
                    break
                self.page.keyboard.press("ArrowDown")
            assert ask.locator("input:checked").count() == 1


def test_someone_goes_through_the_whole_study_without_a_mouse(site: Served, visitor: Callable[..., Visitor]) -> None:
    someone = visitor(site)
    page, keyboard = someone.page, Keyboard(someone.page)
    right = {f"q_{check.question.key}": check.expected for check in site.study.attention_checks}

    someone.arrive("keyboard")
    keyboard.press_button("I agree, begin")
    keyboard.press_button("Start with")
    for _ in site.study.tasks:
        keyboard.answer(right)
        keyboard.press_button("Save label and go on")
    keyboard.press_button("Keep these labels")
    for number, _ in enumerate(site.study.tasks):
        if number:
            keyboard.press_button("Go on to the next text")
        expect(page.locator("h1")).to_have_text(TALK)
        for words in ("The last words give it away, I think.", "Nobody would write that and mean it."):
            lines = page.locator("#log .line").count()
            keyboard.tab_to("#words")
            page.keyboard.type(words)
            page.keyboard.press("Enter")
            expect(page.locator("#log .line")).to_have_count(lines + 2)
            expect(page.locator("#incoming")).to_have_count(0)
        keyboard.answer(right)
        keyboard.press_button("Save this label and go on")
    keyboard.answer(right)
    keyboard.press_button("Send the answers and finish")

    expect(page.locator(".code")).to_have_text(site.study.completion.codes["done"])


def test_what_has_the_focus_can_be_seen(site: Served, visitor: Callable[..., Visitor]) -> None:
    someone = visitor(site)
    someone.begin("focus")
    keyboard = Keyboard(someone.page)

    for selector in ("[name=label]", "[name=confidence]", "#answers button[type=submit]"):
        keyboard.tab_to(selector)
        # A radio button shows it on its row, which is the target.
        ring = someone.page.evaluate(
            "[document.activeElement, document.activeElement.closest('label')].some(element => element && "
            "getComputedStyle(element).outlineStyle !== 'none' && "
            "parseFloat(getComputedStyle(element).outlineWidth) >= 2)"
        )
        assert ring, f"no ring around {selector}"
