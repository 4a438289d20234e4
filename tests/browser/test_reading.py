"""A debate on an item in a real browser: read in both themes and sizes, waited for, and in three languages."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from crito.model.ids import Language
from tests.browser.conftest import Visitor
from tests.browser.serving import Served
from tests.services.test_item_debates import Arguing
from tests.web.test_reading import argued_live, debate_study

pytestmark = pytest.mark.browser

READ = "Read both sides"


def to_the_debate(someone: Visitor, pid: str = "reader") -> None:
    someone.begin(pid)
    for _ in range(2):
        someone.answer()
        someone.save()
    someone.press("Keep these labels")
    expect(someone.page.locator("h1")).to_have_text(READ)


def tops(someone: Visitor, selector: str) -> list[float]:
    boxes = [found.bounding_box() for found in someone.page.locator(selector).all()]
    return [box["y"] for box in boxes if box]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("narrow", [False, True], ids=["1280", "390"])
def test_someone_reads_both_sides_and_labels_again(
    site_with: Callable[..., Served], visitor: Callable[..., Visitor], narrow: bool, scheme: str
) -> None:
    someone = visitor(site_with(debate_study()), narrow=narrow, color_scheme=scheme)
    page = someone.page

    def look(name: str) -> None:
        someone.look(f"{name}-{390 if narrow else 1280}-{scheme}")
        someone.check_access()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} is wider than the window"

    to_the_debate(someone)
    look("debate")
    first, second = tops(someone, ".argued-topic:first-of-type .argued")
    assert (first == second) != narrow
    expect(page.locator("#again[disabled]")).to_have_count(1)
    before = page.locator(".argument").all_inner_texts()

    someone.press("I have read both sides")
    expect(page.locator("#again:enabled")).to_have_count(1)
    assert page.locator(".argument").all_inner_texts() == before
    look("debate-read")
    someone.answer(label=1)
    someone.save()
    expect(page.locator("h1")).to_have_text("A short break")


def test_a_debate_that_is_being_written_comes_by_itself(
    site_with: Callable[..., Served], visitor: Callable[..., Visitor]
) -> None:
    models = Arguing(gate=asyncio.Event())
    running = site_with(argued_live(), models=models)
    someone = visitor(running)
    to_the_debate(someone)
    expect(someone.page.locator("[role=status]").first).to_contain_text("being written")
    someone.look("debate-waiting-1280-light")
    someone.check_access()

    async def go_on() -> None:
        models.gate.set()  # type: ignore[union-attr]

    running.run(go_on())

    expect(someone.page.locator(".argument")).to_have_count(6)
    someone.check_access()


@pytest.mark.parametrize(("language", "heading"), [("it", "Leggi le due parti"), ("ja", "両方の主張を読む")])
def test_the_page_speaks_the_language_of_its_reader(
    site_with: Callable[..., Served], visitor: Callable[..., Visitor], language: str, heading: str
) -> None:
    study = replace(debate_study(), languages=(Language(language),), attention_checks=())
    someone = visitor(site_with(study), narrow=True)
    someone.arrive()
    someone.page.locator("button[name=consent][value=yes]").click()
    for _ in range(9):
        if someone.page.locator("#read").count():
            break
        with someone.page.expect_navigation():
            if someone.page.locator("#answers").count():
                someone.answer()
                someone.page.locator("#answers button[type=submit]").click()
            else:
                someone.page.locator("form.decide button").first.click()

    assert someone.heading == heading
    someone.look(f"debate-390-{language}")
    someone.check_access()
