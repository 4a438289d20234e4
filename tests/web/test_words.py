"""Which language a visitor gets, and whether the catalogue holds every word of the pages."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.pofile import read_po

from crito.model.ids import Language
from crito.web.words import OURS, direction, negotiated, own_name

ROOT = Path(__file__).parents[2]
TRANSLATIONS = ROOT / "src/crito/web/translations"
TRANSLATED = [language for language in OURS if language != "en"]
PLURAL_FORMS = {"it": 2, "ja": 1}
THE_SAME: dict[str, set[str]] = {"it": {"“%(words)s”", "Password"}, "ja": set[str]()}
"""What a language writes as English does."""

KEYWORDS = {**DEFAULT_KEYWORDS, "Phrase": None, "counted": (1, 2)}
"""The names by which sentences are collected, those of the floors below the pages among them."""

BLANK = re.compile(r"%(?:\(\w+\))?[sd%]")
OFFERED = [Language("en"), Language("it"), Language("pt-BR")]


@pytest.mark.parametrize(
    ("asked", "accepted", "spoken"),
    [
        ("", "", "en"),
        ("it", "en", "it"),
        ("fr", "it-CH, en;q=0.5", "it"),
        ("", "fr, it;q=0.4, en;q=0.8", "en"),
        ("", "PT-br", "pt-BR"),
        ("", "de;q=oops, it", "it"),
        ("<script>", "*", "en"),
    ],
)
def test_a_visitor_gets_the_language_asked_for_or_the_first_one_they_read(
    asked: str, accepted: str, spoken: str
) -> None:
    assert negotiated(OFFERED, asked, accepted) == spoken


def test_languages_know_their_name_and_direction() -> None:
    assert (own_name(Language("it")), direction(Language("it"))) == ("italiano", "ltr")
    assert direction(Language("ar")) == "rtl"
    assert (own_name(Language("qqq")), direction(Language("qqq"))) == ("English", "ltr")


class Sentence(NamedTuple):
    """One form of a message: the English words and the translated ones; `singular` if they speak of one thing."""

    english: str
    translated: str
    singular: bool


@cache
def catalogue_file(language: str) -> Catalog:
    with (TRANSLATIONS / language / "LC_MESSAGES/messages.po").open("rb") as lines:
        return read_po(lines, locale=language, abort_invalid=True)


def messages(language: str) -> list[Message]:
    return [message for message in catalogue_file(language) if message.id]


def sentences(language: str) -> Iterator[Sentence]:
    for message in messages(language):
        if isinstance(message.id, str):
            yield Sentence(message.id, str(message.string), singular=False)
            continue
        one, many = message.id
        *first, last = message.string
        yield from (Sentence(one, form, singular=True) for form in first)
        yield Sentence(many, last, singular=False)


def test_the_catalogue_of_source_words_is_what_the_pages_say() -> None:
    with (ROOT / "babel.cfg").open("rb") as lines:
        methods, options = parse_mapping_cfg(lines.read().decode().splitlines())  # type: ignore[arg-type]
    said = {message for _, _, message, _, _ in extract_from_dir(ROOT, methods, options, KEYWORDS)}
    kept = {message.id for message in messages("en")}

    missing = said - kept
    assert (missing, kept - said) == (set(), set())


def test_the_languages_of_the_pages_are_those_with_a_catalogue() -> None:
    assert set(OURS) == {folder.name for folder in TRANSLATIONS.iterdir()}
    assert OURS[0] == "en"


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_catalogue_holds_every_sentence_of_the_pages_and_no_other(language: str) -> None:
    english, translated = ({message.id for message in messages(tag)} for tag in ("en", language))

    missing, unused = english - translated, translated - english
    assert (missing, unused) == (set(), set())


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_sentence_is_translated(language: str) -> None:
    untranslated = {
        english for english, translated, _ in sentences(language)
        if not translated.strip() or (translated == english and english not in THE_SAME[language])
    }  # fmt: skip

    assert untranslated == set()
    assert [message.id for message in messages(language) if message.fuzzy] == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_has_the_blanks_of_its_sentence(language: str) -> None:
    different = [
        (english, translated)
        for english, translated, singular in sentences(language)
        # "One step left" need not say its number.
        if sorted(BLANK.findall(english)) != sorted(BLANK.findall(translated))
        and not (singular and set(BLANK.findall(translated)) < set(BLANK.findall(english)))
    ]

    assert different == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_catalogue_has_the_plural_forms_of_its_language(language: str) -> None:
    plural = [message.string for message in messages(language) if not isinstance(message.id, str)]

    assert catalogue_file(language).num_plurals == PLURAL_FORMS[language]
    assert {len(forms) for forms in plural} == {PLURAL_FORMS[language]}
