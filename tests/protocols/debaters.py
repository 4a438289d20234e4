"""Scripted agents that debate: they answer every phase sensibly, and a test overrides what it is about."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from crito.model.debate import DebateOutcome, Debater, DebateSettings, Intervention, Stance
from crito.model.talk import Answer, Ask, NoAnswer, Turn
from crito.protocols.debate import debate
from crito.protocols.debate.moderation import as_text
from crito.protocols.driving import Finished, Recorded, advance

SUBJECT = "Should the town close its old bridge to cars?"
SIDES = (
    Debater(Stance("A", "The bridge should be closed to cars."), "fake:a"),
    Debater(Stance("B", "The bridge should stay open to cars."), "fake:b"),
)
THEMES = {
    "agent_a": [
        "Safety vs. speed",
        "Noise at night",
        "Cost of repairs",
        "Room for cyclists",
        "Clean air",
        "Quiet banks",
    ],
    "agent_b": ["Speed vs. safety", "Trade in town", "Repair costs", "Ways to work", "Ambulances", "Tourist buses"],
}
Say = Callable[[Ask], str | None]
"""What an agent replies to an ask; None when it does not answer."""


def as_json(**given: Any) -> str:
    return json.dumps(given)


def sensible(ask: Ask) -> str:
    """A reply that does what the ask wants."""
    values, phase = ask.values, ask.prompt.removeprefix("debate/")
    if phase == "subject":
        return as_json(reason="Both cases can be made.", balanced=True)
    if phase == "proposal_of_topics":
        titles = THEMES[ask.speaker][: values["n"]]
        return as_json(topics=[{"title": title, "description": f"About {title.lower()}."} for title in titles])
    if phase == "choice_of_topics":
        return as_json(keep=list(range(1, values["n"] + 1)))
    if phase == "overlaps":
        return as_json(pairs=[{"a": 1, "b": 1}, {"a": 3, "b": 3}])
    if phase == "reconciliation":
        if values["draft"]:
            return as_json(agree=True, topics=[])
        own, other = values["A"], values["B"]
        mixed = [own[0], *other[1:], *own[1:]]
        return as_json(topics=mixed[: values["n"]])
    if phase == "description":
        if values["draft"]:
            return as_json(agree=True, description="")
        return as_json(description=f"What {values['topic']['title']} means to either side.")
    if phase in ("opening", "closing"):
        slots = {f"topic_{place}": said(ask, place) for place, _ in enumerate(values["topics"], 1)}
        return as_json(position="for" if ask.speaker == "agent_a" else "against", **slots)
    if phase == "readiness":
        return as_json(reason="All is said.", ready=True)
    if phase == "joint_proposal":
        return as_json(agree=True, proposal="") if values["draft"] else as_json(proposal="Close one lane for a year.")
    return said(ask, 0)


def said(ask: Ask, place: int) -> str:
    """An argument that is another one for each speaker, phase, round and topic."""
    topic = (ask.values.get("topic") or {"title": f"theme {place}"})["title"]
    about = [ask.speaker, ask.prompt, ask.values.get("round", 0), topic, place]
    mark = hashlib.sha256(as_json(about=about).encode()).hexdigest()
    return f"On {topic}: {' '.join(mark[place : place + 6] for place in range(0, 60, 6))}."


@dataclass
class Stage:
    """Agents that are sensible but for `replies`: by phase, or by agent and phase. `interventions` are taken in order,
    one at each pause that the moderator is asked at, None where nothing is done."""

    replies: Mapping[str | tuple[str, str], Say | str | None] = field(default_factory=dict)
    interventions: Sequence[Intervention | None] = ()
    asked: list[Ask] = field(default_factory=list)

    def answer(self, ask: Ask) -> Answer:
        self.asked.append(ask)
        phase = ask.prompt.removeprefix("debate/")
        if phase == "moderator":
            return self._moderate(ask)
        given: Say | str | None = self.replies.get((ask.speaker, phase), self.replies.get(phase, sensible))
        text = given(ask) if callable(given) else given
        return NoAnswer(ask.speaker, "nobody there") if text is None else Turn(ask.speaker, text, "model")

    def phases(self, *, speaker: str = "") -> list[str]:
        """What was asked, in order."""
        return [ask.prompt.removeprefix("debate/") for ask in self.asked if speaker in ("", ask.speaker)]

    def asks(self, phase: str) -> list[Ask]:
        return [ask for ask in self.asked if ask.prompt == f"debate/{phase}"]

    def _moderate(self, ask: Ask) -> Answer:
        place = len(self.asks("moderator")) - 1
        given = self.interventions[place] if place < len(self.interventions) else None
        if given is None:
            return NoAnswer(ask.speaker, "nobody intervenes")
        return Turn(ask.speaker, as_text(given), "person")


def hold(
    replies: Mapping[Any, Say | str | None] | None = None,
    interventions: Sequence[Intervention | None] = (),
    **settings: Any,
) -> tuple[DebateOutcome, Stage]:
    """Hold a whole debate; a small one unless `settings` say otherwise."""
    stage = Stage(replies or {}, interventions)
    chosen = DebateSettings(**{"rounds": 2, "max_rounds": 2, "topics": 2, "topics_proposed": 4, **settings})
    return finish(stage, chosen, {}), stage


def finish(
    stage: Stage, settings: DebateSettings, recorded: dict[tuple[int, int], Recorded], *, most_steps: int = 1000
) -> DebateOutcome:
    """Carry a debate on from what is recorded to its end; `recorded` holds every answer afterwards."""
    for _ in range(most_steps):
        state = advance(debate(SUBJECT, SIDES, settings), recorded)
        if isinstance(state, Finished):
            return state.result
        for index in state.missing:
            ask = state.asks[index]
            recorded[state.step, index] = Recorded(ask.fingerprint, stage.answer(ask))
    raise AssertionError("the debate never ends")
