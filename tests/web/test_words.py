"""Which language a visitor gets, and whether the catalogue holds every word of the pages."""

from pathlib import Path

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.pofile import read_po

from crito.model.ids import Language
from crito.web.words import direction, negotiated, own_name

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src/crito/web/translations/en/LC_MESSAGES/messages.po"
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


def test_the_catalogue_of_source_words_is_what_the_pages_say() -> None:
    with (ROOT / "babel.cfg").open("rb") as lines:
        methods, options = parse_mapping_cfg(lines.read().decode().splitlines())  # type: ignore[arg-type]
    said = {message for _, _, message, _, _ in extract_from_dir(ROOT, methods, options)}
    with SOURCE.open("rb") as lines:
        kept = {message.id for message in read_po(lines) if message.id}

    missing = said - kept
    assert (missing, kept - said) == (set(), set())
