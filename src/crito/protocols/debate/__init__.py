"""A debate between two agents, from its subject to a joint proposal (`socrasynth`, sections 2, 3 and 5.4)."""

from crito.model.debate import (
    Closing,
    Concession,
    DebateOutcome,
    Debaters,
    DebateSettings,
    DebateTurn,
    Flag,
    Transcript,
)
from crito.protocols.debate.afterwards import closings_of, concede, propose_jointly
from crito.protocols.debate.agenda import check_subject, form_topics, whole_subject
from crito.protocols.debate.floor import Floor, Speaking
from crito.protocols.debate.moderation import moderation
from crito.protocols.debate.rounds import close, open_debate, refute

__all__ = ["NAME", "SOURCE", "VERSION", "Floor", "Speaking", "debate", "outcome"]

NAME = "debate"
VERSION = 1

SOURCE = DebateSettings()
"""Settings as in the source."""


def debate(subject: str, debaters: Debaters, settings: DebateSettings = SOURCE) -> Speaking[DebateOutcome]:
    """Agree on topics, argue, refute, close, and then, less contentious, concede and propose something together.

    Departs: the source's agents open on all topics in one message and refute on all of them in one; here they refute
    topic by topic, so that each argument answers one. The subject is not changed when an agent finds it one-sided.
    """
    floor = Floor(subject, debaters, settings)
    floor = yield from check_subject(floor)
    floor = yield from form_topics(floor)
    floor = yield from moderation(floor, phase="opening", in_round=1)
    floor = floor if floor.topics else whole_subject(floor)
    floor = yield from open_debate(floor)
    floor = floor if floor.closed else (yield from refute(floor))
    floor = floor if floor.topics else whole_subject(floor)
    floor = yield from close(floor)
    floor = (yield from concede(floor)) if settings.concessions else floor
    floor, proposal = (yield from propose_jointly(floor)) if settings.joint_proposal else (floor, "")
    return outcome(floor, proposal)


def outcome(floor: Floor, proposal: str) -> DebateOutcome:
    """What is left of a debate when it is over."""
    closings = []
    for debater in floor.debaters:
        text = closings_of(floor)[debater.side]
        turns = [turn for turn in floor.turns if turn.phase == "closing" and turn.speaker == debater.name]
        if text:
            by_topic = {turn.topic: turn.text for turn in turns if turn.topic and turn.text}
            closings.append(Closing(debater.side, text, by_topic))
    concessions = [
        Concession(debater.side, turn.text)
        for debater in floor.debaters
        for turn in floor.turns
        if turn.phase == "concession" and turn.speaker == debater.name and turn.text
    ]
    return DebateOutcome(
        subject=floor.subject,
        debaters=floor.debaters,
        topics=floor.topics,
        transcript=Transcript(floor.subject, floor.topics, floor.turns),
        closings=tuple(closings),
        concessions=tuple(concessions),
        proposal=proposal,
        moderated=floor.moderated,
        flags=(*floor.flags, *_of_turns(floor.turns)),
    )


def _of_turns(turns: tuple[DebateTurn, ...]) -> tuple[Flag, ...]:
    return tuple(flag for turn in turns for flag in turn.flags if flag.kind != "description_not_agreed")
