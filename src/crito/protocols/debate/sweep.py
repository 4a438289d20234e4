"""What contentiousness does: the same claims argued at several levels, and how judges find them argued (section 5.3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from crito.model.debate import Debaters, Side
from crito.model.talk import Answer, Ask, NoAnswer
from crito.protocols.answers import objects_in, without_thought
from crito.protocols.debate.checks import finished
from crito.protocols.debate.floor import Speaking
from crito.protocols.debate.reading import prose
from crito.protocols.guard.text import normal

NAME = "sweep"
VERSION = 1

LEVELS = (0.9, 0.7, 0.5, 0.3, 0.0)
"""The levels that the source compares."""

LEAST_AGREEABLE, MOST_AGREEABLE = 1, 10


@dataclass(frozen=True, slots=True)
class Manners:
    """How one judge finds an argument argued; words are empty, and `agreeableness` None, where nothing could be read.

    `key_phrases` are those that stand in the argument. `agreeableness` is from 1 (yields nothing) to 10.
    """

    judge: str
    tone: str = ""
    emphasis: str = ""
    language: str = ""
    key_phrases: tuple[str, ...] = ()
    attitude: str = ""
    agreeableness: int | None = None


@dataclass(frozen=True, slots=True)
class SweptArgument:
    """One side's argument at one level, as each judge read it. `text` is empty where the agent gave none."""

    level: float
    side: Side
    text: str
    readings: tuple[Manners, ...]


def sweep(debaters: Debaters, levels: Sequence[float], judges: Sequence[str]) -> Speaking[tuple[SweptArgument, ...]]:
    """Each agent argues at each level without having heard anything else; judges read one argument at a time, and are
    not told its level."""
    cells = [(level, debater) for level in levels for debater in debaters]
    answers = yield [Ask(debater.name, "debate/sweep_argue", {"contentiousness": level}) for level, debater in cells]
    texts = [_argument(answer) for answer in answers]
    pairs = [(place, judge) for place, text in enumerate(texts) if text for judge in judges]
    readings: list[Answer] = []
    if pairs:
        asks = [Ask(judge, "debate/sweep_judge", {"argument": texts[place], "n": place}) for place, judge in pairs]
        readings = list((yield asks))
    read: dict[int, list[Manners]] = {}
    for (place, judge), answer in zip(pairs, readings, strict=True):
        read.setdefault(place, []).append(read_manners(judge, answer, texts[place]))
    return tuple(
        SweptArgument(level, debater.side, texts[place], tuple(read.get(place, ())))
        for place, (level, debater) in enumerate(cells)
    )


def read_manners(judge: str, answer: Answer, argument: str) -> Manners:
    """What a judge's reply says of an argument; phrases that do not stand in it are left out."""
    if isinstance(answer, NoAnswer):
        return Manners(judge)
    given: Mapping[str, Any] = next((one for one in objects_in(without_thought(answer.text)) if "tone" in one), {})
    words = {key: _words(given.get(key)) for key in ("tone", "emphasis", "language", "attitude")}
    phrases = given.get("key_phrases")
    kept = [_words(phrase) for phrase in phrases] if isinstance(phrases, list) else []
    known = normal(argument)
    return Manners(
        judge,
        key_phrases=tuple(phrase for phrase in kept if phrase and normal(phrase).strip('".') in known),
        agreeableness=_agreeableness(given.get("agreeableness")),
        **words,
    )


def _argument(answer: Answer) -> str:
    return "" if isinstance(answer, NoAnswer) else finished(prose(answer.text))[0]


def _words(value: object) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""


def _agreeableness(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except ValueError:
        return None
    return int(number) if number.is_integer() and LEAST_AGREEABLE <= number <= MOST_AGREEABLE else None
