"""What a moderator may do between turns; without one the debate goes on at once (`socrasynth`, section 3)."""

import json
from dataclasses import replace
from typing import Any

from crito.model.debate import INTERVENTIONS, DebateTurn, Intervention, Phase, Topic
from crito.model.talk import Ask, NoAnswer
from crito.protocols.debate.floor import Floor, Speaking, topic_values
from crito.protocols.debate.reading import distinct, key_of
from crito.protocols.debate.speaking import argument
from crito.protocols.side_by_side import side_by_side

MODERATOR = "moderator"

MOST_INTERVENTIONS = 20
"""How many interventions are taken in a row: agents that are never let speak would argue nothing."""


def moderation(floor: Floor, *, phase: Phase, in_round: int, topic: Topic | None = None) -> Speaking[Floor]:
    """Take what a moderator has to say, one intervention after another, until there is nothing more.

    The ask is optional: whoever drives the debate answers it at once, with `NoAnswer` where nobody intervenes.
    """
    for number in range(MOST_INTERVENTIONS):
        (answer,) = yield [ask_moderator(floor, phase, in_round, number)]
        intervention = None if isinstance(answer, NoAnswer) else read_intervention(answer.text)
        if intervention is None:
            break
        turn = DebateTurn(phase, in_round, "", MODERATOR, None, as_text(intervention))
        floor = replace(floor.and_turns(turn), moderated=floor.moderated or intervention.adds_content)
        floor = yield from _taken(floor, intervention, phase, in_round, topic)
        if floor.closed:
            break
    return floor


def ask_moderator(floor: Floor, phase: Phase, in_round: int, number: int) -> Ask:
    values = {
        "phase": phase, "round": in_round, "turns": len(floor.turns), "number": number,
        "topics": [topic.title for topic in floor.topics],
    }  # fmt: skip
    return Ask(MODERATOR, "debate/moderator", values)


def as_text(intervention: Intervention) -> str:
    return json.dumps({"kind": intervention.kind, "value": intervention.value}, ensure_ascii=False)


def read_intervention(text: str) -> Intervention | None:
    """The intervention that `as_text` wrote; None for anything that is none, or cannot be carried out."""
    try:
        given: Any = json.loads(text)
    except ValueError:
        return None
    return intervention_of(str(given.get("kind")), str(given.get("value", ""))) if isinstance(given, dict) else None


def intervention_of(kind_given: str, value_given: str) -> Intervention | None:
    """An intervention by the name of its kind and what was typed; None where it cannot be carried out."""
    kind = next((known for known in INTERVENTIONS if known == kind_given), None)
    value = value_given.strip()
    if kind is None or (kind != "close" and not value) or (kind == "contentiousness" and level_of(value) is None):
        return None
    return Intervention(kind, value)


def level_of(value: str) -> float | None:
    """A contentiousness in [0, 1] as it was typed; None for anything else."""
    try:
        level = float(value)
    except ValueError:
        return None
    return level if 0 <= level <= 1 else None


def _taken(
    floor: Floor, intervention: Intervention, phase: Phase, in_round: int, topic: Topic | None
) -> Speaking[Floor]:
    if intervention.kind == "contentiousness":
        return replace(floor, level=level_of(intervention.value))
    if intervention.kind == "close":
        detail = "the moderator ended the rounds"
        return replace(floor, closed=True).and_flag("closed_early", detail, phase=phase, speaker=MODERATOR)
    if intervention.kind == "add_topic":
        return replace(floor, topics=distinct((*floor.topics, Topic(intervention.value))))
    if intervention.kind == "strike_topic":
        struck = key_of(intervention.value)
        return replace(floor, topics=tuple(t for t in floor.topics if key_of(t.title) != struck))
    return (yield from follow_up(floor, intervention.value, in_round, topic))


def follow_up(floor: Floor, question: str, in_round: int, topic: Topic | None) -> Speaking[Floor]:
    """Both answer a moderator's question, each without the other's answer."""
    about = topic.title if topic else ""
    values = {"question": question, "topic": topic_values(topic) if topic else None}
    turns = yield from side_by_side(
        [argument(floor, debater, "follow_up", values, topic=about, in_round=in_round) for debater in floor.debaters]
    )
    return floor.and_turns(*turns)
