"""Words, quotations and likeness of texts, as the guard and the script compare them."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from crito.protocols.wording import wording
from crito.protocols.wording.table import Wording

_WORD = re.compile(r"[^\W_]+(?:['’.\-][^\W_]+)*")
_WIDE = re.compile(r"[\u3041-\u30ff\u3400-\u9fff々ー]")
_WIDE_CONTENT = re.compile(r"[\u3400-\u9fff々]+|[\u30a1-\u30ff]+")
_QUOTED = re.compile(
    r"“([^”\n]+)”|«([^»\n]+)»|「([^」\n]+)」|『([^』\n]+)』|„([^“”\n]+)[“”]|\"([^\"\n]+)\"|(?<!\w)['‘]([^'‘’\n]+(?:['’]\w[^'‘’\n]*)*)['’](?!\w)"
)
_MARKS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "«": '"', "»": '"', "–": "-", "—": "-", "…": "..."})
_EDGES = " \t\n.,;:!?…。、，．！？\"'「」『』()（）-"


def normal(text: str) -> str:
    """A text as it is compared: one case, one kind of quotation mark and dash, single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).translate(_MARKS).casefold().split())


def tokens(text: str) -> list[str]:
    """The words of a text as they stand, in order."""
    return _WORD.findall(text)


@lru_cache(maxsize=256)
def words_of(text: str) -> frozenset[str]:
    """The words of a text as they are compared; a compound counts whole and in its parts, a genitive also without its 's."""
    found: set[str] = set()
    for token in tokens(normal(text)):
        found.update((token, token.removesuffix("'s")), re.split(r"['.\-]", token))
    return frozenset(found)


def content_words(text: str, table: Wording) -> frozenset[str]:
    """The words that carry content, cut to a rough stem; for text without spaces, its runs of kanji and katakana."""
    spaced = (word for word in tokens(normal(text)) if not _WIDE.search(word))
    stems = {stem(word) for word in spaced if word not in table.stop_words and (len(word) > 2 or word.isdigit())}
    return frozenset(stems | {run for run in _WIDE_CONTENT.findall(text) if run not in table.stop_words})


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """The front of a word, so that its inflected forms compare equal."""
    word = word.removesuffix("'s")
    for ending in ("ingly", "edly", "ing", "ed", "ly", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            word = word.removesuffix(ending)
            break
    return word[:8].rstrip("e") if len(word) > 4 else word


def quotations(text: str) -> list[str]:
    """What stands in quotation marks."""
    return [next(part for part in match if part) for match in _QUOTED.findall(text)]


def without_quotations(text: str) -> str:
    """The text with empty quotation marks."""
    return _QUOTED.sub("“”", text)


def has_stray_quote(text: str) -> bool:
    """Whether a quotation mark is left over that opens or closes nothing."""
    return any(mark in _QUOTED.sub("", text) for mark in '“”«»「」『』"')


def stands_in(quotation: str, sources: Iterable[str]) -> bool:
    """Whether every part of a quotation (parts are set apart by dots) stands in one of the normal `sources`, as whole words."""
    parts = [part.strip(_EDGES) for part in normal(quotation).split("...")]
    places = tuple(sources)
    return all(any(_whole_words(part, source) for source in places) for part in parts if part)


def _whole_words(part: str, source: str) -> bool:
    at = source.find(part)
    while at >= 0:
        before, after = source[at - 1 : at] if at else "", source[at + len(part) : at + len(part) + 1]
        if not (_joins(before, part[0]) or _joins(part[-1], after)):
            return True
        at = source.find(part, at + 1)
    return False


def _joins(left: str, right: str) -> bool:
    return bool(left and right) and left.isalnum() and right.isalnum() and not _WIDE.search(left + right)


def likeness(one: str, other: str, language: str) -> float:
    """How alike two questions are in their words, in [0, 1]; words without content count a quarter."""
    left, right = _weighed(one, language), _weighed(other, language)
    both = sum(min(left[word], right[word]) for word in left.keys() & right.keys())
    every = sum(max(left.get(word, 0.0), right.get(word, 0.0)) for word in left.keys() | right.keys())
    return both / every if every else 1.0


@lru_cache(maxsize=1024)
def _weighed(text: str, language: str) -> dict[str, float]:
    table = wording(language)
    if len(_WIDE.findall(text)) * 2 > len(text):
        plain = "".join(character for character in normal(text) if character.isalnum())
        return {plain[i : i + 2]: 1.0 for i in range(len(plain) - 1)}
    return {
        stem(word): 0.5 if word in table.question_words else 0.25 if word in table.stop_words else 1.0
        for word in tokens(normal(text))
    }
