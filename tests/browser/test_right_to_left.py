"""Texts that run from right to left inside an English page: item, labels, dialogue."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from crito.model.ids import Language
from crito.model.study import Item, Label, Study, Text
from tests.browser.conftest import Visitor
from tests.browser.serving import Served
from tests.bundled import demo_study

TEXTS = {
    "ar": ("وصل المصباح مكسورًا، وهذا رائع حقًا. (5/5)", "ساخر", "ليس ساخرًا", "هل هذا النص ساخر؟", "كلمة «رائع» لا تناسب مصباحًا مكسورًا"),
    "he": ("המנורה הגיעה שבורה, פשוט נפלא. (5/5)", "סרקסטי", "לא סרקסטי", "האם הטקסט סרקסטי?", "המילה „נפלא“ לא מתאימה למנורה שבורה"),
}  # fmt: skip


def study_in(tag: str) -> Study:
    """The bundled study with one task whose texts are in another writing, as its owner wrote them in an English study."""
    item, yes, no, question, _ = TEXTS[tag]
    english = Language("en")
    task = demo_study().tasks[0]
    labels = tuple(
        Label(label.name, Text({english: words}), Text({})) for label, words in zip(task.labels, (yes, no), strict=True)
    )
    items = tuple(Item(one.id, item, {}, None) for one in task.items)
    changed = replace(task, labels=labels, question=Text({english: question}), items=items, context_fields=())
    return replace(demo_study(), tasks=(changed,))


@pytest.mark.parametrize("tag", list(TEXTS))
@pytest.mark.parametrize("narrow", [False, True], ids=["wide", "narrow"])
def test_each_text_runs_its_own_way_and_the_page_keeps_its(
    tag: str, *, narrow: bool, site_with: Callable[..., Served], visitor: Callable[..., Visitor]
) -> None:
    someone = visitor(site_with(study_in(tag)), narrow=narrow)
    page = someone.page

    someone.begin("someone")
    expect(page.locator("html")).to_have_attribute("dir", "ltr")
    expect(page.locator("html")).to_have_css("direction", "ltr")
    for part in (".item-text", "fieldset.labels legend", "fieldset.labels .word >> nth=0"):
        expect(page.locator(part)).to_have_css("direction", "rtl")
    someone.look(f"right-to-left-{tag}-label-{'narrow' if narrow else 'wide'}")
    someone.check_access()
    someone.answer()
    someone.save()
    someone.press("Keep these labels")
    expect(page.locator("#log .line")).to_have_count(1)
    someone.say(TEXTS[tag][4])

    own = page.locator("#log .line.own p").last
    expect(own).to_have_css("direction", "rtl")
    someone.look(f"right-to-left-{tag}-talk-{'narrow' if narrow else 'wide'}")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
