"""How probable a model found each label, from the log-probabilities of the tokens in which it gave one."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from crito.protocols.case import ShownLabel
from crito.services.ports.models import Token

TOP = 20
"""How many alternatives to a token are asked for: the most that all providers with log-probabilities give."""

ENOUGH = 0.5
"""With less of the probability on labels than this, the rest says more than the labels do."""

_LABEL_BEGINS = re.compile(r'"label"\s*:\s*"')


@dataclass(frozen=True, slots=True)
class Chances:
    """Probabilities by label name that sum to 1; empty with the reason why there are none."""

    of: Mapping[str, float]
    missing: str = ""


AFTER_REASONS = Chances({}, "the label stands after the reasons")
NOT_GIVEN = Chances({}, "the provider gave no log-probabilities")
NOT_FOUND = Chances({}, "the label does not stand among the first tokens of the reply")
ELSEWHERE = Chances({}, "less than half of the probability fell on labels")


class _Place(NamedTuple):
    """Where the label begins: in which token, and what of that token stands before it."""

    token: int
    lead: str


def label_chances(tokens: Sequence[Token] | None, labels: Sequence[ShownLabel]) -> Chances:
    """The probability of each label, normalised over the label set.

    Labels that begin alike are told apart further on, along the tokens that the model chose; what went to another
    beginning that several labels share cannot be divided and counts for none.

    Args:
        tokens: the first ones of the reply, each with its likeliest alternatives; None where the provider gave none.
        labels: in the words in which the model was given them.
    """
    if not tokens:
        return NOT_GIVEN
    place = _label_begins(tokens)
    if place is None:
        return NOT_FOUND
    weights = dict.fromkeys((label.name for label in labels), 0.0)
    for name, weight in _weights(tokens[place.token :], place.lead, labels):
        weights[name] += weight
    total = sum(weights.values())
    if total < ENOUGH:
        return ELSEWHERE
    return Chances({name: round(weight / total, 6) for name, weight in weights.items()})


def _label_begins(tokens: Sequence[Token]) -> _Place | None:
    text = "".join(token.text for token in tokens)
    found = _LABEL_BEGINS.search(text)
    if found is None and "{" in text:
        return None
    begin = found.end() if found else len(text) - len(text.lstrip())
    passed = 0
    for number, token in enumerate(tokens):
        if passed + len(token.text) > begin:
            return _Place(number, token.text[: begin - passed])
        passed += len(token.text)
    return None


def _weights(tokens: Sequence[Token], lead: str, labels: Sequence[ShownLabel]) -> Iterator[tuple[str, float]]:
    said, mass = "", 1.0
    for token in tokens:
        likely = {other.text: other.logprob for other in token.alternatives} | {token.text: token.logprob}
        further = None
        for text, logprob in likely.items():
            if not text.startswith(lead):
                continue
            begun = said + text[len(lead) :]
            fitting = _fitting(begun, labels)
            if len(fitting) == 1:
                yield fitting[0], mass * math.exp(logprob)
            elif fitting and text == token.text:
                further = begun, mass * math.exp(logprob)
        if further is None:
            return
        (said, mass), lead = further, ""


def _fitting(begun: str, labels: Sequence[ShownLabel]) -> list[str]:
    """The labels that a reply that has begun so may be: those it may go on to, or else those that it has ended."""
    said = begun.casefold()
    going_on = [label.name for label in labels if label.text.casefold().startswith(said)]
    return going_on or [label.name for label in labels if _ended(said, label.text.casefold())]


def _ended(said: str, whole: str) -> bool:
    return said.startswith(whole) and not said[len(whole)].isalnum()
