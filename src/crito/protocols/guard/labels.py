"""Which labels a sentence names."""

import re
from functools import lru_cache
from re import Pattern

from crito.protocols.case import Case
from crito.protocols.guard.text import tokens
from crito.protocols.wording import wording

_GAP = r"\W+(?:\w+\W+){0,2}?"


def labels_named(text: str, case: Case) -> tuple[str, ...]:
    """The labels whose shown words stand in `text`; a label within another's name is not found there."""
    found = []
    for label, pattern in _patterns(case):
        if pattern.search(text):
            found.append(label)
            text = pattern.sub(" ", text)
    return tuple(found)


def without_labels(text: str, case: Case) -> str:
    """`text` with the labels it names taken out."""
    for _, pattern in _patterns(case):
        text = pattern.sub(" ", text)
    return text


def speaks_of_labels(text: str, case: Case) -> bool:
    """Whether `text` names a label, or uses a word of one (`sarcasm` for `Sarcastic`)."""
    if any(pattern.search(text) for _, pattern in _patterns(case)) or any(p.search(text) for p in _loose(case)):
        return True
    fronts = _fronts(case)
    return any(len(word) >= 7 and word.casefold()[:6] in fronts for word in tokens(text))


def names_another_label(text: str, case: Case) -> str:
    """The first label named that is not this person's own; a denied label counts as its opposite."""
    negation = wording(case.language).negation
    own_is_denial = bool(negation.search(case.label))
    for label in labels_named(text, case):
        if label == case.label:
            continue
        before = text[: text.casefold().find(label.casefold())]
        if own_is_denial and negation.search(" ".join(before.split()[-4:])):
            continue
        return label
    return ""


@lru_cache(maxsize=64)
def _patterns(case: Case) -> tuple[tuple[str, Pattern[str]], ...]:
    texts = sorted({label.text for label in case.labels if any(c.isalnum() for c in label.text)}, key=len, reverse=True)
    return tuple((text, _pattern(text)) for text in texts)


def _pattern(label: str) -> Pattern[str]:
    """A label as it may stand in a sentence; very short ones only as they are written, and not as its first word."""
    start, end = (r"(?<!\w)" if label[0].isascii() else ""), (r"(?!\w)" if label[-1].isascii() else "")
    body = r"\s+".join(re.escape(part) for part in label.split())
    if len(label) <= 3 and label.isascii():
        return re.compile(rf"(?<=\w[ ,“\"]){body}{end}")
    return re.compile(start + body + end, re.IGNORECASE)


@lru_cache(maxsize=64)
def _loose(case: Case) -> tuple[Pattern[str], ...]:
    """Labels of several words, with up to two words in between (`the relation is not expressed`)."""
    parts = (tokens(label.text) for label in case.labels)
    return tuple(
        re.compile(r"(?<!\w)" + _GAP.join(re.escape(word) for word in words) + r"(?!\w)", re.IGNORECASE)
        for words in parts
        if len(words) > 1
    )


@lru_cache(maxsize=64)
def _fronts(case: Case) -> frozenset[str]:
    words = (word.casefold() for label in case.labels for word in tokens(label.text))
    return frozenset(word[:6] for word in words if len(word) >= 7)
