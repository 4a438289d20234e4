"""Scripted agents, and a driver that answers a protocol from their scripts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from crito.model.talk import Answer, Ask, NoAnswer, ReadLabel, Turn
from crito.protocols.labelling import Outcome, Protocol

DEAD = "dead"
"""Stands in a script for an agent that does not answer."""


def labelled(agent: str, label: str, reason: str = "") -> Turn:
    """A readable reply."""
    return Turn(
        agent, f'{{"label": "{label}"}}', "model", labelled=ReadLabel("ok", label, 0.5, reason or f"{agent} says so")
    )


def unread(agent: str, reading: str = "unreadable", came: str = "") -> Turn:
    return Turn(agent, "hm", "model", labelled=ReadLabel(reading, came=came))  # type: ignore[arg-type]


@dataclass
class Played:
    """What was asked, step by step, and what came of it."""

    outcome: Outcome
    steps: list[tuple[Ask, ...]] = field(default_factory=list)

    @property
    def n_calls(self) -> int:
        return sum(map(len, self.steps))


def play(protocol: Protocol, answer: Callable[[Ask], Answer]) -> Played:
    """Answer every ask until the protocol is over."""
    steps: list[tuple[Ask, ...]] = []
    asks = tuple(next(protocol))
    while True:
        steps.append(asks)
        try:
            asks = tuple(protocol.send([answer(ask) for ask in asks]))
        except StopIteration as end:
            return Played(end.value, steps)


def scripted(script: Mapping[str, Sequence[str]]) -> Callable[[Ask], Answer]:
    """Agents that go through their own words, one for each ask: a label, `dead`, `?` (unreadable) or `!` (outside the set)."""
    waiting = {agent: list(words) for agent, words in script.items()}

    def answer(ask: Ask) -> Answer:
        word = waiting[ask.speaker].pop(0)
        if word == DEAD:
            return NoAnswer(ask.speaker, "unreachable")
        if word == "?":
            return unread(ask.speaker)
        if word == "!":
            return unread(ask.speaker, "outside_label_set", "Maybe")
        return labelled(ask.speaker, word)

    return answer
