"""Who reads a page in which language: the study's words in the study's, our own in one that the visitor reads."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from crito.model.ids import Language
from crito.model.study import Text
from crito.services import accounts, queue
from crito.store.schema import upgrade
from tests.builders import make_study
from tests.web import gallery, samples
from tests.web.site import Browser, Site, opened_site

EN, IT, JA, AR = (Language(tag) for tag in ("en", "it", "ja", "ar"))
QUESTION = "هل هذا النص ساخر؟"


@pytest.fixture
async def expert_site(tmp_path: Path) -> AsyncIterator[Site]:
    url = f"sqlite:///{tmp_path / 'expert.db'}"
    upgrade(url)
    async with opened_site(url, make_study(open_to="experts")) as opened:
        yield opened


async def expert(site: Site, **headers: str) -> Browser:
    _, token = await queue.invite(site.parts, site.study.name, "Ana")
    browser = site.browser(**headers)
    await browser.open(f"{site.base}expert/enter/{token}")
    return browser


def language_of(browser: Browser) -> str | None:
    return browser.html.css_first("html").attributes["lang"]


async def test_an_error_is_told_in_the_language_of_the_browser(site: Site) -> None:
    browser = site.browser(**{"Accept-Language": "ja,en;q=0.5"})

    await browser.open("/s/nothing/")

    assert (language_of(browser), browser.title) == ("ja", "このアドレスには何もありません")


async def test_an_expert_reads_our_words_in_the_browsers_language_and_the_studys_in_its_own(expert_site: Site) -> None:
    browser = await expert(expert_site, **{"Accept-Language": "it"})

    await browser.send("form.decide")

    assert language_of(browser) == "it"
    assert "etichettati" in browser.html.css_first(".here").text()
    assert browser.html.css_first("h1 span").attributes["lang"] == "en"
    assert browser.html.css_first(".item-text").attributes["lang"] == "en"


async def test_a_language_chosen_once_stays(expert_site: Site) -> None:
    browser = await expert(expert_site)

    chosen = next(link.attributes["href"] for link in browser.html.css(".languages a") if link.text() == "日本語")
    await browser.open(f"{expert_site.base}expert{chosen}")
    await browser.open(f"{expert_site.base}expert")

    assert language_of(browser) == "ja"
    assert browser.html.css_first(".languages [aria-current]").text() == "日本語"


async def test_a_language_that_pages_do_not_speak_changes_nothing(expert_site: Site) -> None:
    browser = await expert(expert_site)

    await browser.open(f"{expert_site.base}expert", lang="tlh")

    assert (language_of(browser), "crito_language" in browser.client.cookies) == ("en", False)


def test_a_study_in_a_language_without_our_words_has_english_ones_around_it() -> None:
    page = replace(samples.ANNOTATE, question=Text({AR: QUESTION}), item=replace(samples.ITEM, language=AR))

    html = LexborHTMLParser(gallery.RENDERER.render("annotate", AR, "", page=page, **gallery.PARTICIPANT))

    assert html.css_first("html").attributes == {"lang": "en", "dir": "ltr"}
    assert (html.css_first("legend span").text(), html.css_first("legend span").attributes) == (
        QUESTION,
        {"lang": "ar"},
    )
    assert html.css_first(".item-text").attributes["lang"] == "ar"
    assert html.css_first(".item-text").attributes["dir"] == "auto"


@pytest.mark.parametrize("language", [EN, IT, JA])
def test_no_language_is_named_twice_where_page_and_study_speak_the_same(language: Language) -> None:
    page = replace(samples.PAUSE, text=Text({language: "…"}))

    html = LexborHTMLParser(gallery.RENDERER.render("pause", language, "", page=page, **gallery.PARTICIPANT))

    assert [node.tag for node in html.css("[lang]")] == ["html"]


async def test_an_owner_reads_in_the_language_chosen_there(site: Site) -> None:
    token = await accounts.make_owner_link(site.parts, site.study.name)
    browser = site.browser(**{"Accept-Language": "fr, it;q=0.5"})

    await browser.open(f"{site.base}owner/enter/{token}")
    before = language_of(browser)
    chosen = next(link.attributes["href"] for link in browser.html.css(".languages a") if link.text() == "日本語")
    await browser.open(f"{site.base}owner{chosen}")
    await browser.open(f"{site.base}owner/people")

    assert (before, language_of(browser)) == ("it", "ja")


def test_the_name_of_a_field_is_in_the_language_of_the_page_and_its_value_in_that_of_the_items() -> None:
    item = replace(
        samples.ITEM,
        context={"Product": "Lamp", "Stars": "5"},
        names={"Product": Text({EN: "Product", IT: "Prodotto"})},
    )

    page = replace(samples.ANNOTATE, item=item)
    html = LexborHTMLParser(gallery.RENDERER.render("annotate", IT, "", page=page, **gallery.PARTICIPANT))

    named, bare = html.css(".context dt")
    assert (named.text(), named.attributes.get("lang")) == ("Prodotto", None)
    assert (bare.text(), bare.attributes["lang"]) == ("Stars", "en")
    assert html.css_first(".context dd").attributes["lang"] == "en"
