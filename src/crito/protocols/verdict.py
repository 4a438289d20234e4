"""Judges decide a debate: each scores it topic by topic, in one or both orders of speaking, and reads both sides critically."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any

from crito.model.debate import SIDES, Side, Topic
from crito.model.talk import Answers, Ask, Asks, NoAnswer
from crito.model.verdict import Ballot, Order, SideReading
from crito.protocols.ballots import read_ballot
from crito.protocols.crit import Brief, crit
from crito.protocols.side_by_side import side_by_side

NAME = "verdict"
VERSION = 1

Decision = tuple[tuple[Ballot, ...], tuple[SideReading, ...]]


@dataclass(frozen=True, slots=True)
class Bundle:
    """What judges are to decide about, and how.

    The words are known to whoever renders the asks: `A first` and `B first` are the debate in one order, `closing_A` and
    `closing_B` what a side says in the end.

    Attributes:
        topics: by order, since titles are mirrored when B comes first.
        hashes: a hash of each side's closing.
        read_critically: the sides that have a closing, each of which is read by CRIT with the other as its opponent.
    """

    judges: tuple[str, ...]
    topics: "dict[Order, tuple[Topic, ...]]"
    hashes: dict[Side, str]
    read_critically: tuple[Side, ...] = SIDES
    per_reason: bool = False


def verdict(bundle: Bundle) -> Generator[Asks, Answers, Decision]:
    """All ballots and readings side by side, each from an empty context: no judge hears of another, or of its own last ballot."""
    ballots = [_ballot(judge, order, bundle.topics[order]) for judge in bundle.judges for order in bundle.topics]
    readings = [_reading(judge, side, bundle) for judge in bundle.judges for side in bundle.read_critically]
    decided = yield from side_by_side([*ballots, *readings])
    return (
        tuple(one for one in decided if isinstance(one, Ballot)),
        tuple(one for one in decided if isinstance(one, SideReading)),
    )


def _ballot(judge: str, order: Order, topics: Sequence[Topic]) -> Generator[Asks, Answers, Ballot | SideReading]:
    first = order[0]
    shown = [{"title": topic.title, "description": topic.description} for topic in topics]
    (answer,) = yield [Ask(judge, "judging/score", {"document": order, "topics": shown, "first": first})]
    if isinstance(answer, NoAnswer):
        scores, winner, words = read_ballot("", [topic.title for topic in topics], _side(first))
        return Ballot(judge, order, scores, winner, words, f"no answer: {answer.reason}")
    scores, winner, words = read_ballot(answer.text, [topic.title for topic in topics], _side(first))
    void = winner is None and all(score.a is None and score.b is None for score in scores)
    return Ballot(judge, order, scores, winner, words, "no score and no winner could be read" if void else "")


def _reading(judge: str, side: Side, bundle: Bundle) -> Generator[Asks, Answers, Ballot | SideReading]:
    other: Side = "B" if side == "A" else "A"
    document, opponent = f"closing_{side}", f"closing_{other}" if other in bundle.read_critically else ""
    report = yield from crit(
        Brief(judge, document, {document: bundle.hashes[side]}, opponent, per_reason=bundle.per_reason)
    )
    return SideReading(judge, side, report)


def _side(letter: Any) -> Side:
    return "A" if letter == "A" else "B"
