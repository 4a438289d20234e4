"""Every page in a made-up language that marks what is translated: whatever stands bare is the study's, or was forgotten."""

import re
from collections.abc import Iterator
from gettext import NullTranslations

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from crito.model.errors import Conflict, InvalidInput
from crito.model.phrase import Phrase
from crito.web import rendering
from crito.web.rendering import Pages
from crito.web.telling import telling
from crito.web.words import babel_locale
from tests.web import gallery, samples

STUDYS = (
    "[dir=auto], [lang], bdi, code, time, kbd, .pseudonym, .code, .token, .hash, .mark, .status-code, .mark-line, "
    ".share-name, .reason, .ruler"
)
"""Where a study's own words stand, names and marks: none of these is ours to translate."""

SPOKEN = (
    "aria-label",
    "title",
    "placeholder",
    "data-head",
    "data-done",
    "data-saved",
    "data-trying",
    "data-saving",
    "data-back",
)

KEPT = frozenset(
    [
        "n",
        "s",
        "USD",
        "SHA",
        "CSV",
        "SVG",
        "PNG",
        "JSON",
        "UTC",
        "GBP",
        "API",
        "Crito",
        "crito",
        "Prolific",
        "Mechanical",
        "Turk",
        "English",
        "italiano",
    ]
)
"""What every language writes the same way."""

MARKED = re.compile(r"⟦[^⟦⟧]*⟧")
WORD = re.compile(r"[^\W\d_]+")


class Marking(NullTranslations):
    """Marks every sentence that was looked up."""

    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"⟦{msgid1 if n == 1 else msgid2}⟧"


def bare(words: str) -> list[str]:
    """The words that nobody marked."""
    while MARKED.search(words):
        words = MARKED.sub(" ", words)
    return [word for word in WORD.findall(words) if word not in KEPT]


def spoken(html: LexborHTMLParser) -> Iterator[str]:
    """Every text of a page, and every attribute that is read out or shown, but for the study's own."""
    body = html.body
    assert body is not None
    for node in body.css(STUDYS):
        node.decompose()
    for node in body.css("*"):
        yield from (value for key in SPOKEN if (value := node.attributes.get(key)))
    yield from texts(body)


def texts(node: LexborNode) -> Iterator[str]:
    for child in node.iter(include_text=True):
        if child.tag == "-text":
            yield child.text_content or ""
        elif child.tag != "script":
            yield from texts(child)


@pytest.fixture(scope="module")
def pseudo() -> Iterator[Pages]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(rendering, "catalogue", lambda language: Marking())
        yield Pages(gallery.STATIC)


@pytest.mark.parametrize("name", gallery.NAMES)
def test_no_word_of_ours_stands_bare_on_a_page(pseudo: Pages, name: str) -> None:
    html = LexborHTMLParser(gallery.rendered(name, pseudo))

    forgotten = [(words.strip(), found) for words in spoken(html) if (found := bare(words))]

    assert forgotten == []


def test_a_phrase_is_english_as_text_and_keeps_what_a_catalogue_needs() -> None:
    phrase = Phrase.counted("%(num)s label of %(share)s", "%(num)s labels of %(share)s", 1200, share=0.25)

    assert phrase == "1,200 labels of 0.25"
    assert (phrase.pattern, phrase.plural) == ("%(num)s label of %(share)s", "%(num)s labels of %(share)s")


def test_numbers_in_a_phrase_are_written_as_the_language_does() -> None:
    tell = telling(NullTranslations(), babel_locale(samples.Language("it")))

    assert tell(Phrase("%(n)s above %(bound)s", n=12000, bound=0.922)) == "12.000 above 0,922"


def test_a_phrase_inside_a_phrase_is_told_as_well() -> None:
    tell = telling(Marking(), babel_locale(samples.ENGLISH))

    said = tell(Phrase("not now: %(reason)s", reason=Phrase("too few")))

    assert said == "⟦not now: ⟦too few⟧⟧"


def test_an_error_is_told_with_where_it_is_and_what_would_do() -> None:
    tell = telling(Marking(), babel_locale(samples.ENGLISH))

    assert (
        tell(InvalidInput(Phrase("no list"), 7, Phrase("give one"), file="a.csv", line=2))
        == "a.csv:2: ⟦no list⟧ (7); ⟦give one⟧"
    )
    assert tell(Conflict(Phrase("done already"))) == "⟦done already⟧"
