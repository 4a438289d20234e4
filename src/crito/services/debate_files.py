"""What is handed out of a debate: everything as JSON, and as Markdown for people."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from crito.model.debate import SIDES, Debate, DebateOutcome, DebateTurn, Phase
from crito.model.phrase import Phrase
from crito.protocols.debate import VERSION
from crito.protocols.debate.moderation import MODERATOR, read_intervention
from crito.services.verdict_files import plain_verdict, verdict_lines
from crito.services.verdicts import JudgedDebate

STRONGEST = 3
"""How many reasons of a side the brief names."""

HEADINGS: Mapping[Phase, str] = {
    "subject": Phrase("Is the subject balanced?"),
    "proposal_of_topics": Phrase("Topics proposed"),
    "choice_of_topics": Phrase("Topics kept"),
    "reconciliation": Phrase("One list of topics"),
    "description": Phrase("What each topic is about"),
    "opening": Phrase("Opening"),
    "refutation": Phrase("Refutation"),
    "readiness": Phrase("Ready to close?"),
    "closing": Phrase("Closings"),
    "concession": Phrase("Concessions"),
    "joint_proposal": Phrase("The joint proposal is written"),
}

FLAGS: Mapping[str, Phrase] = {
    "unbalanced_subject": Phrase("unbalanced subject"),
    "no_answer": Phrase("no answer"),
    "refused": Phrase("refused"),
    "unreadable": Phrase("unreadable"),
    "no_topics": Phrase("no topics"),
    "one_sided_topics": Phrase("one sided topics"),
    "topics_not_agreed": Phrase("topics not agreed"),
    "topics_added": Phrase("topics added"),
    "new_topic": Phrase("new topic"),
    "description_not_agreed": Phrase("description not agreed"),
    "proposal_not_agreed": Phrase("proposal not agreed"),
    "missing_topic": Phrase("missing topic"),
    "changed_stance": Phrase("changed stance"),
    "repeated_argument": Phrase("repeated argument"),
    "cut_off": Phrase("cut off"),
    "rounds_used_up": Phrase("rounds used up"),
    "closed_early": Phrase("closed early"),
    "injection": Phrase("injection"),
}
"""Marks of a debate by their kind."""


@dataclass(frozen=True, slots=True)
class HeldRun:
    """One holding of a debate: A first (`given`) or B first (`swapped`)."""

    order: str
    outcome: DebateOutcome


@dataclass(frozen=True, slots=True)
class DebateReport:
    """A debate with what came of it. `staged` says that scripted agents held it, for show; `judged` is what judges decided."""

    debate: Debate
    runs: tuple[HeldRun, ...]
    made_at: datetime
    staged: bool = False
    judged: JudgedDebate | None = None

    @property
    def outcome(self) -> DebateOutcome:
        """Of the debate in the order it was defined in."""
        return self.runs[0].outcome

    @property
    def markdown(self) -> str:
        """The whole debate as text, to be read."""
        return as_markdown(self)

    @property
    def brief(self) -> str:
        """The decision brief as text."""
        return brief_as_markdown(self)

    @property
    def judging_debaters(self) -> tuple[str, ...]:
        """Models that both argue and judge."""
        return tuple(sorted({debater.model for debater in self.debate.debaters} & set(self.debate.judges)))


@dataclass(frozen=True, slots=True)
class Scene:
    """Turns that belong together under one heading: a phase, in a round, on a topic."""

    heading: str
    turns: tuple[DebateTurn, ...]


def scenes(turns: Sequence[DebateTurn]) -> list[Scene]:
    """The turns of a transcript under headings, in order."""
    found: dict[str, list[DebateTurn]] = {}
    for turn in turns:
        # A moderator speaks into what is going on; both sides' words on a topic of a round stand together.
        heading = list(found)[-1] if turn.speaker == MODERATOR and found else _heading(turn)
        found.setdefault(heading, []).append(turn)
    return [Scene(heading, tuple(turns)) for heading, turns in found.items()]


def speaker_words(turn: DebateTurn) -> str:
    """Who speaks, as a reader knows them."""
    if turn.speaker == MODERATOR:
        return Phrase("Moderator")
    return Phrase("Agent %(side)s", side=turn.speaker.removeprefix("agent_").upper())


def turn_words(turn: DebateTurn) -> str:
    """What was said; a moderator's intervention in a sentence."""
    if turn.speaker != MODERATOR:
        return turn.text
    wanted = read_intervention(turn.text)
    if wanted is None:
        return turn.text
    return {
        "contentiousness": Phrase("sets contentiousness to %(value)s", value=wanted.value),
        "question": Phrase("asks: %(question)s", question=wanted.value),
        "add_topic": Phrase("adds the topic “%(topic)s”", topic=wanted.value),
        "strike_topic": Phrase("strikes the topic “%(topic)s”", topic=wanted.value),
        "close": Phrase("asks both for their closings"),
    }[wanted.kind]


def flag_words(kind: str) -> str:
    return FLAGS.get(kind, kind.replace("_", " "))


def as_json(report: DebateReport) -> str:
    """Everything about a debate, for programs."""
    plain: dict[str, Any] = {
        "crito": "debate",
        "protocol_version": VERSION,
        "made_at": report.made_at.isoformat(),
        "staged": report.staged,
        "debate": asdict(report.debate),
        "judging_debaters": list(report.judging_debaters),
        "runs": [{"order": run.order, "outcome": asdict(run.outcome)} for run in report.runs],
        "verdict": plain_verdict(report.judged) if report.judged else None,
    }
    return json.dumps(plain, ensure_ascii=False, indent=1) + "\n"


def as_markdown(report: DebateReport) -> str:
    """The whole debate, to be read."""
    lines = [*_head(report), *_brief_lines(report), *_verdict_lines(report)]
    for run in report.runs:
        lines += [f"## {'Transcript' if run.order == 'given' else 'Transcript of the debate with B first'}", ""]
        for scene in scenes(run.outcome.transcript.turns):
            lines += [f"### {scene.heading}", ""]
            for turn in scene.turns:
                lines += [
                    f"**{speaker_words(turn)}**{_level(turn)}: {turn_words(turn) or '(nothing)'}{_marks(turn)}",
                    "",
                ]
        lines += _flag_lines(run.outcome)
    return "\n".join(lines).rstrip() + "\n"


def brief_as_markdown(report: DebateReport) -> str:
    """The decision brief: what a committee is handed."""
    return "\n".join([*_head(report), *_brief_lines(report), *_verdict_lines(report)]).rstrip() + "\n"


def _head(report: DebateReport) -> list[str]:
    debate = report.debate
    lines = [f"# {debate.subject}", ""]
    if report.staged:
        lines += ["*Held by scripted agents to show what a debate looks like; no model said any of this.*", ""]
    for debater in debate.debaters:
        lines.append(f"- Agent {debater.side} ({debater.model}): {debater.stance.claim}")
    schedule = debate.settings.schedule
    lines += [f"- Contentiousness {schedule.debate:g} through the closings, {schedule.after:g} after", ""]
    lines += [f"**{words}**\n" for words in warnings(report)]
    return lines


def warnings(report: DebateReport) -> list[str]:
    """What has to be known before the result is read."""
    found = []
    if report.outcome.moderated:
        found.append("Moderated: a person added a question or a topic, so the agents did not choose all of it.")
    if report.judging_debaters:
        found.append(f"A debater is among the judges: {', '.join(report.judging_debaters)}.")
    return found


def _brief_lines(report: DebateReport) -> list[str]:
    outcome = report.outcome
    lines = ["## Decision brief", ""]
    for closing in outcome.closings:
        lines += [f"### Side {closing.side}: {outcome.debater(closing.side).stance.claim}", ""]
        if closing.by_topic:
            lines += [f"- **{title}** {text}" for title, text in closing.by_topic.items()]
        else:
            lines.append(closing.text)
        lines.append("")
    lines += _strongest_lines(report)
    if outcome.concessions:
        lines += ["### What each side grants", ""]
        lines += [f"- Side {conceded.side}: {conceded.text}" for conceded in outcome.concessions] + [""]
    if outcome.proposal:
        lines += ["### Joint proposal", "", outcome.proposal, ""]
    return lines


def strongest(report: DebateReport) -> list[tuple[str, str, float]]:
    """The reasons of each side that a judge rated highest: side, reason, validity times credibility (100 at most)."""
    found: dict[tuple[str, str], float] = {}
    for reading in report.judged.verdict.readings if report.judged else ():
        for one in reading.report.arguments:
            if one.id.startswith("r") and one.rating.validity is not None:
                key = (reading.side, one.argument.text)
                found[key] = max(one.rating.validity * (one.rating.credibility or 1), found.get(key, 0.0))
    ranked = sorted(found.items(), key=lambda pair: -pair[1])
    rows = [(side, text, weight) for (side, text), weight in ranked]
    return [row for side in SIDES for row in [one for one in rows if one[0] == side][:STRONGEST]]


def _strongest_lines(report: DebateReport) -> list[str]:
    rows = strongest(report)
    told = [f"- Side {side}: {text} ({weight:g} of 100)" for side, text, weight in rows]
    return ["### Strongest reasons, as judges rated them", "", *told, ""] if rows else []


def _verdict_lines(report: DebateReport) -> list[str]:
    return verdict_lines(report.judged) if report.judged else []


def _flag_lines(outcome: DebateOutcome) -> list[str]:
    if not outcome.flags:
        return []
    marks = []
    for flag in outcome.flags:
        speaker = f" ({flag.speaker})" if flag.speaker else ""
        marks.append(f"- {flag_words(flag.kind)}{speaker}: {flag.detail}")
    return ["### What was noticed", "", *marks, ""]


def _heading(turn: DebateTurn) -> str:
    heading = HEADINGS.get(turn.phase, turn.phase.replace("_", " ").capitalize())
    if turn.phase == "follow_up":
        heading = Phrase("Round %(round)s: a question", round=turn.round) if turn.round else Phrase("A question")
    elif turn.phase in ("opening", "refutation"):
        heading = Phrase("Round %(round)s: %(topic)s", round=turn.round, topic=turn.topic or heading)
    elif turn.phase == "description" and turn.topic:
        heading = Phrase("What it is about: %(topic)s", topic=turn.topic)
    elif turn.phase == "closing":
        heading = Phrase("Closing: %(topic)s", topic=turn.topic) if turn.topic else heading
    return heading


def _level(turn: DebateTurn) -> str:
    return "" if turn.contentiousness is None else f" ({turn.contentiousness:g})"


def _marks(turn: DebateTurn) -> str:
    return "".join(f" *[{flag_words(flag.kind)}]*" for flag in turn.flags)
