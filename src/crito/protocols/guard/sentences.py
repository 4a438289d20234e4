"""Where the sentences of a turn end, while it comes and when it is whole."""

import re
from functools import lru_cache
from typing import NamedTuple

from crito.protocols.wording import wording

QUOTES = {"“": "”", "«": "»", "「": "」", "『": "』", '"': '"', "„": "“"}
_ENDS = ".!?…。．！？‽"
_WIDE_ENDS = "。．！？"
_CLOSERS = '"”’»」』)]）*_'
_LAST_WORD = re.compile(r"(\S+)$")


class Finished(NamedTuple):
    """The sentences that later text cannot change, and the rest."""

    sentences: tuple[str, ...]
    rest: str


@lru_cache(maxsize=256)
def sentences(text: str, language: str) -> tuple[str, ...]:
    """The sentences of a whole text, without the space around them."""
    done, rest = _cut(text, language, whole=True)
    return (*done, rest) if rest else done


def finished(text: str, language: str) -> Finished:
    """The sentences of a text that is still coming: only those that are certain, then what may still grow."""
    return _cut(text, language, whole=False)


def _cut(text: str, language: str, *, whole: bool) -> Finished:
    done: list[str] = []
    start = i = 0
    while i < len(text):
        if text[i] in QUOTES and (end := _closing(text, i)) is not None:
            i = end if text[end - 1] in _ENDS else end + 1
            after_quote = text[end - 1] in _ENDS
            if after_quote and _ends_here(text, end - 1, end + 1, language, whole=whole, quoted=True):
                done.append(text[start : end + 1].strip())
                start = end + 1
            i = end + 1
            continue
        if text[i] in QUOTES and not whole and "\n" not in text[i:]:
            break
        if text[i] == "\n":
            done.append(text[start:i].strip())
            start = i + 1
        elif text[i] in _ENDS:
            after = _after_end(text, i)
            if _ends_here(text, i, after, language, whole=whole, quoted=False):
                done.append(text[start:after].strip())
                start = after
            i = after
            continue
        i += 1
    return Finished(tuple(sentence for sentence in done if sentence), text[start:].strip())


def _closing(text: str, opening: int) -> int | None:
    """Where the quotation that opens here is closed, within its line."""
    closer = QUOTES[text[opening]]
    end = text.find(closer, opening + 1)
    return end if end > opening + 1 and "\n" not in text[opening:end] else None


def _after_end(text: str, i: int) -> int:
    while i < len(text) and text[i] in _ENDS:
        i += 1
    while i < len(text) and text[i] in _CLOSERS:
        i += 1
    return i


def _ends_here(text: str, mark: int, after: int, language: str, *, whole: bool, quoted: bool) -> bool:
    """Whether the end mark at `mark` ends a sentence; `after` is the place behind it and its closing marks."""
    following = text[after:].lstrip()
    if not following:
        return whole
    if text[mark] in _WIDE_ENDS:
        return not quoted or not _goes_on(following, language)
    if not text[after].isspace() and not _is_wide(following[0]):
        return False
    if text[mark] in "!?‽":
        return not (quoted and following[0].islower())
    if following[0].islower():
        return False
    return text[mark] == "…" or text[mark - 1 : mark] == "." or not _is_abbreviation(text[: mark + 1], language)


def _goes_on(following: str, language: str) -> bool:
    """Whether a sentence goes on behind a quotation, as it does in Japanese with a particle."""
    return following.startswith(wording(language).quote_particles)


def _is_wide(character: str) -> bool:
    return "\u2e80" <= character <= "\uffef"


def _is_abbreviation(text: str, language: str) -> bool:
    word = _LAST_WORD.search(text)
    if word is None:
        return False
    last = word[1].lstrip('("“‘[').casefold()
    return last in wording(language).abbreviations or bool(re.fullmatch(r"(?:[^\W\d_]\.)+|\d{1,2}\.", last))
