"""The debate on an item as a browser without scripts meets it: both sides, then the second labelling."""

from collections.abc import AsyncIterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from crito.model.study import Agent, ItemDebates, Panel, Study
from crito.store.schema import upgrade
from crito.studies.bundled import STUDY_FILE, template_folder
from crito.studies.study_file import parse_study
from tests.services.test_item_debates import Arguing
from tests.web.site import Site, opened_site


@cache
def debate_study() -> Study:
    """The bundled study with debates, its other conditions left out."""
    folder = template_folder("debate")
    text = (folder / STUDY_FILE).read_text(encoding="utf-8")
    study = parse_study(text, file=STUDY_FILE, read=lambda name: (folder / name).read_bytes())
    return replace(study, conditions=(study.condition("debate"),))


def argued_live() -> Study:
    """The same study with nothing prepared and two models that argue."""
    study = debate_study()
    task = replace(study.tasks[0], items=tuple(replace(item, debates=()) for item in study.tasks[0].items))
    panel = Panel("pair", "debate", (Agent("fake:for"), Agent("fake:against"), Agent("fake:judge")))
    return replace(study, tasks=(task,), models=(panel,), item_debates=ItemDebates("pair"))


@pytest.fixture
async def reading_site(tmp_path: Path) -> AsyncIterator[Site]:
    upgrade(f"sqlite:///{tmp_path / 'reading.db'}")
    async with opened_site(f"sqlite:///{tmp_path / 'reading.db'}", debate_study()) as opened:
        yield opened


async def test_both_sides_are_read_before_the_second_labelling_opens(reading_site: Site) -> None:
    browser = reading_site.browser()
    await browser.open()
    await browser.go_until(reading_site.study, "#read")

    assert browser.title == "Read both sides"
    assert len(browser.html.css(".argued-topic")) == 2
    assert len(browser.html.css(".argument")) == 4
    assert "authors of this template" in browser.text(".reading .hint")
    assert "disabled" in browser.html.css_first("#again").attributes
    assert "when you have read both sides" in browser.text("#gate")

    await browser.send("#read")

    assert len(browser.html.css(".argument")) == 4
    assert "disabled" not in browser.html.css_first("#again").attributes
    assert "After reading both sides" in browser.text("#again")
    assert not browser.html.css_first("#read")


async def test_someone_reads_their_way_to_the_code(reading_site: Site) -> None:
    browser = reading_site.browser()
    await browser.open()
    headings = []
    while not browser.html.css_first(".code"):
        headings.append(await browser.go_on(reading_site.study))

    assert headings.count("A short break") == 1
    assert headings.count("Read both sides") == 4
    assert browser.text(".code") == "READ-AND-DONE"


async def test_who_reads_is_at_the_same_debate_on_another_device(reading_site: Site) -> None:
    first = reading_site.browser()
    await first.open()
    await first.go_until(reading_site.study, "#read")
    shown = [node.text() for node in first.html.css(".argument")]

    second = reading_site.browser()
    second.client.cookies.update(first.client.cookies)
    await second.open()

    assert [node.text() for node in second.html.css(".argument")] == shown


async def test_a_debate_that_has_yet_to_be_written_is_waited_for(tmp_path: Path) -> None:
    upgrade(f"sqlite:///{tmp_path / 'live.db'}")
    async with opened_site(f"sqlite:///{tmp_path / 'live.db'}", argued_live(), models=Arguing()) as site:
        browser = site.browser()
        await browser.open()
        await browser.go_until(site.study, "#debate")
        waiting = browser.text("[role=status]")
        await browser.send("#debate")

        assert "being written" in waiting
        assert [node.text().strip() for node in browser.html.css(".argued-topic h2")] == [
            "Opening", "Reply to the other side", "What stands in the end",
        ]  # fmt: skip
        assert "fake:for / fake:against" in browser.text(".reading .hint")


async def test_reading_is_not_over_before_there_was_anything_to_read(tmp_path: Path) -> None:
    upgrade(f"sqlite:///{tmp_path / 'live.db'}")
    async with opened_site(f"sqlite:///{tmp_path / 'live.db'}", argued_live(), models=Arguing()) as site:
        browser = site.browser()
        await browser.open()
        await browser.go_until(site.study, "#debate")

        await browser.post(f"{site.base}read", browser.form("#debate"))

        assert browser.html.css_first("#debate")
        assert "disabled" in browser.html.css_first("#again").attributes
