"""A debate as far as it has come, and how its agents are asked."""

from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from crito.model.debate import (
    AFTER_CLOSINGS,
    Debater,
    Debaters,
    DebateSettings,
    DebateTurn,
    Flag,
    FlagKind,
    Phase,
    Side,
    Topic,
)
from crito.model.talk import Answers, Ask, Asks

Result = TypeVar("Result")
Speaking = Generator[Asks, Answers, Result]


@dataclass(frozen=True, slots=True)
class Floor:
    """What was said and settled so far.

    `flags` are those of the debate as a whole; a turn's own are with the turn. `level` is the contentiousness that a
    moderator has set for what is left of the debate, its closings included.
    """

    subject: str
    debaters: Debaters
    settings: DebateSettings
    topics: tuple[Topic, ...] = ()
    turns: tuple[DebateTurn, ...] = ()
    flags: tuple[Flag, ...] = ()
    level: float | None = None
    moderated: bool = False
    closed: bool = False

    def contentiousness(self, phase: Phase) -> float:
        if self.level is not None and phase not in AFTER_CLOSINGS:
            return self.level
        return self.settings.schedule.at(phase)

    def and_turns(self, *turns: DebateTurn) -> "Floor":
        return replace(self, turns=(*self.turns, *turns))

    def and_flag(self, kind: FlagKind, detail: str, *, phase: Phase, speaker: str = "") -> "Floor":
        return replace(self, flags=(*self.flags, Flag(kind, detail, speaker, phase)))

    def said_by(self, debater: Debater) -> list[str]:
        """This agent's arguments so far."""
        return [turn.text for turn in self.turns if turn.speaker == debater.name and turn.round and turn.text]

    def said_on(self, topic: Topic) -> list[DebateTurn]:
        """Both agents' arguments on a topic so far."""
        return [turn for turn in self.turns if turn.round and turn.topic == topic.title and turn.text]

    def last_on(self, topic: Topic, side: Side) -> str:
        name = self.debater(side).name
        return next((turn.text for turn in reversed(self.said_on(topic)) if turn.speaker == name), "")

    def debater(self, side: Side) -> Debater:
        return self.debaters[0] if side == self.debaters[0].side else self.debaters[1]

    def opponent_of(self, debater: Debater) -> Debater:
        first, second = self.debaters
        return second if debater.side == first.side else first

    def side_of(self, speaker: str) -> str:
        """The side that a speaker argues; a moderator's name for a moderator."""
        return next((debater.side for debater in self.debaters if debater.name == speaker), speaker)

    def ask(self, debater: Debater, phase: Phase, values: Mapping[str, Any] | None = None, attempt: int = 0) -> Ask:
        """What an agent is asked in a phase, as contentious as it is to be there."""
        return Ask(
            debater.name,
            f"debate/{phase}",
            {**(values or {}), "contentiousness": self.contentiousness(phase)},
            attempt=attempt,
        )

    def turn(
        self,
        debater: Debater,
        phase: Phase,
        text: str,
        *,
        topic: str = "",
        in_round: int = 0,
        flags: tuple[Flag, ...] = (),
    ) -> DebateTurn:
        return DebateTurn(phase, in_round, topic, debater.name, self.contentiousness(phase), text, flags)


def topic_values(topic: Topic) -> dict[str, str]:
    """A topic in JSON types, as the asks carry it."""
    return {"title": topic.title, "description": topic.description}
