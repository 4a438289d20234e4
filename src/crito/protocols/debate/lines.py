"""A debate as it is watched: what each answer says, while the debate is under way."""

from collections.abc import Sequence

from crito.model.debate import AFTER_CLOSINGS, PHASES, Debaters, DebateTurn, Flag, Phase, Topic
from crito.model.talk import Answer, Ask, NoAnswer
from crito.protocols.debate.agenda import as_list
from crito.protocols.debate.moderation import MODERATOR
from crito.protocols.debate.reading import choice_in, prose, sections_in, text_in, topics_in

UNSPOKEN: frozenset[Phase] = frozenset({"choice_of_topics", "overlaps"})
"""Phases whose answers are numbers, which say nothing by themselves."""

_WORDS = {"subject": "reason", "readiness": "reason", "description": "description", "joint_proposal": "proposal"}


def lines_of(ask: Ask, answer: Answer, debaters: Debaters) -> list[DebateTurn]:
    """What an answer adds to the debate as it is watched; nothing for a moderator who did not intervene."""
    if ask.speaker == MODERATOR:
        if isinstance(answer, NoAnswer):
            return []
        return [DebateTurn(_phase(ask.values["phase"]), ask.values["round"], "", MODERATOR, None, answer.text)]
    phase = _phase(ask.prompt.removeprefix("debate/"))
    topic = (ask.values.get("topic") or {}).get("title", "")
    in_round = int(ask.values.get("round", 1 if phase == "opening" else 0))
    level = float(ask.values["contentiousness"])

    def line(text: str, about: str = topic, flags: tuple[Flag, ...] = ()) -> DebateTurn:
        return DebateTurn(phase, in_round, about, ask.speaker, level, text, flags)

    if isinstance(answer, NoAnswer):
        return [line("", flags=(Flag("no_answer", answer.reason, ask.speaker, phase),))]
    if phase in UNSPOKEN:
        return []
    if phase in ("opening", "closing"):
        topics = [Topic(given["title"], given["description"]) for given in ask.values["topics"]]
        sections = sections_in(answer.text, topics)
        return [line(text, title) for title, text in sections.items()] or [line(prose(answer.text))]
    return [line(_said(phase, answer.text))]


def _said(phase: Phase, text: str) -> str:
    if phase in ("proposal_of_topics", "reconciliation"):
        return as_list(topics_in(text)) or _agreement(text)
    if phase in _WORDS:
        return text_in(text, _WORDS[phase]) or _agreement(text)
    return prose(text)


def _agreement(text: str) -> str:
    return "Agreed." if choice_in(text, "agree") else prose(text)


def _phase(name: str) -> Phase:
    return next(phase for phase in PHASES if phase == name)


def stage_of(lines: Sequence[DebateTurn], *, over: bool) -> str:
    """Where a debate stands: `topics`, `debate`, `after` or `over`."""
    if over:
        return "over"
    if any(line.phase in AFTER_CLOSINGS for line in lines):
        return "after"
    return "debate" if any(line.phase in ("opening", "refutation", "closing") for line in lines) else "topics"
