"""How an agent argues: one argument, or one on each topic, heard, checked, and asked for once more where it does not do."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from crito.model.debate import SIDES, Debater, DebateTurn, Flag, FlagKind, Phase, Side, Topic
from crito.model.talk import Answer, Ask, NoAnswer
from crito.protocols.debate.checks import PARROTED, PARROTS, check_argument, overlap, refused
from crito.protocols.debate.floor import Floor, Speaking, topic_values
from crito.protocols.debate.reading import prose, sections_in, text_in

ASKED_AGAIN_FOR: frozenset[FlagKind] = frozenset(
    {"refused", "changed_stance", "repeated_argument", "missing_topic", "unreadable"}
)

WRONG_POSITION: Mapping[Side, frozenset[str]] = {
    "A": frozenset({"against", "contro", "contrario", "contraria", "反対"}),
    "B": frozenset({"for", "a favore", "favorevole", "pro", "賛成"}),
}
"""Words for a position that an agent of this side does not have."""


def argument(
    floor: Floor,
    debater: Debater,
    phase: Phase,
    values: Mapping[str, Any],
    *,
    topic: str = "",
    in_round: int = 0,
    may_yield: bool = False,
) -> Speaking[DebateTurn]:
    """One argument in prose. One that does not do is asked for again, with what is wrong; the better of both counts.

    With `may_yield` the agent is asked to grant the other side something, and is not held to its stance.
    """
    best: DebateTurn | None = None
    found: tuple[Flag, ...] = ()
    for attempt in range(2):
        (answer,) = yield [_again(floor.ask(debater, phase, values), attempt, found)]
        turn = _heard(floor, debater, phase, answer, topic=topic, in_round=in_round, may_yield=may_yield)
        if best is None or _weight(turn) < _weight(best):
            best = turn
        found = tuple(flag for flag in turn.flags if flag.kind in ASKED_AGAIN_FOR)
        if not found:
            break
    assert best is not None, "an argument is asked for at least once"
    return best


def statement(floor: Floor, debater: Debater, phase: Phase, *, in_round: int = 0) -> Speaking[tuple[DebateTurn, ...]]:
    """An argument on each topic in one go; what is missing is asked for once more, and flagged if it stays missing."""
    sections: dict[str, str] = {}
    flags: tuple[Flag, ...] = ()
    said, missing = "", floor.topics
    for attempt in range(2):
        values = _known(floor, debater, phase, missing)
        (answer,) = yield [_again(floor.ask(debater, phase, values), attempt, flags)]
        if isinstance(answer, NoAnswer):
            flags = (Flag("no_answer", answer.reason, debater.name, phase),)
            break
        said = answer.text
        sections |= sections_in(said, missing)
        missing = tuple(topic for topic in floor.topics if topic.title not in sections)
        flags = _flags_of(said, debater, phase, missing)
        parroted = [] if attempt else _parroted(floor, debater, sections)
        flags += tuple(Flag("repeated_argument", PARROTS, debater.name, phase) for _ in parroted[:1])
        missing += tuple(parroted)
        if not missing:
            break
        flags = flags if not attempt else _flags_of(said, debater, phase, missing)
    return _turns(floor, debater, phase, sections, said, flags, in_round)


def _known(floor: Floor, debater: Debater, phase: Phase, topics: Sequence[Topic]) -> dict[str, Any]:
    """Topics with what was said on them: by the other side in its opening, or by each side last."""
    said: Any
    if phase == "opening":
        opponent = floor.opponent_of(debater).side
        said = {topic.title: text for topic in topics if (text := floor.last_on(topic, opponent))}
    else:
        said = [{side: floor.last_on(topic, side) for side in SIDES} for topic in topics]
    return {"topics": [topic_values(topic) for topic in topics], "said": said}


def _parroted(floor: Floor, debater: Debater, sections: Mapping[str, str]) -> list[Topic]:
    """The topics on which a statement says what the other side has said on them."""
    other = floor.opponent_of(debater)
    return [
        topic
        for topic in floor.topics
        if topic.title in sections
        and any(
            overlap(sections[topic.title], turn.text) >= PARROTED
            for turn in floor.said_on(topic)
            if turn.speaker == other.name
        )
    ]


def _turns(
    floor: Floor,
    debater: Debater,
    phase: Phase,
    sections: Mapping[str, str],
    said: str,
    flags: Sequence[Flag],
    in_round: int,
) -> tuple[DebateTurn, ...]:
    """A turn for each topic; the flags of the statement as a whole stand at the first."""
    whole = tuple(flag for flag in flags if flag.kind != "missing_topic")
    if not sections:
        return (floor.turn(debater, phase, prose(said), in_round=in_round, flags=whole),)
    turns = []
    own = floor.said_by(debater)
    for topic in floor.topics:
        text = sections.get(topic.title, "")
        other = floor.opponent_of(debater).name
        checked = check_argument(
            text,
            speaker=debater.name,
            side=debater.side,
            phase=phase,
            own=own if phase == "opening" else (),
            opposing=[turn.text for turn in floor.said_on(topic) if turn.speaker == other],
            subject=floor.subject,
        )
        turns.append(
            floor.turn(debater, phase, checked.text, topic=topic.title, in_round=in_round, flags=checked.flags)
        )
    return (replace(turns[0], flags=(*whole, *turns[0].flags)), *turns[1:])


def _flags_of(said: str, debater: Debater, phase: Phase, missing: Sequence[Topic]) -> tuple[Flag, ...]:
    flags = []
    if refused(said):
        flags.append(Flag("refused", "it does not want to argue", debater.name, phase))
    position = text_in(said, "position").strip().casefold()
    if position in WRONG_POSITION[debater.side]:
        detail = f"it gives its position as {position!r}"
        flags.append(Flag("changed_stance", detail, debater.name, phase))
    flags += [Flag("missing_topic", f"nothing on {topic.title!r}", debater.name, phase) for topic in missing]
    return tuple(flags)


def _heard(
    floor: Floor, debater: Debater, phase: Phase, answer: Answer, *, topic: str, in_round: int, may_yield: bool
) -> DebateTurn:
    if isinstance(answer, NoAnswer):
        flags = (Flag("no_answer", answer.reason, debater.name, phase),)
        return floor.turn(debater, phase, "", topic=topic, in_round=in_round, flags=flags)
    checked = check_argument(
        prose(answer.text),
        speaker=debater.name,
        side=debater.side,
        phase=phase,
        own=() if may_yield else floor.said_by(debater),
        opposing=floor.said_by(floor.opponent_of(debater)),
        subject=floor.subject,
    )
    kept = tuple(flag for flag in checked.flags if not (may_yield and flag.kind == "changed_stance"))
    return floor.turn(debater, phase, checked.text, topic=topic, in_round=in_round, flags=kept)


def _again(ask: Ask, attempt: int, found: Sequence[Flag]) -> Ask:
    details = [flag.detail for flag in found]
    return replace(ask, attempt=attempt, values={**ask.values, "found": details}) if details else ask


def _weight(turn: DebateTurn) -> int:
    """How little a turn can be used: something said on the wrong side is worse than something said twice."""
    heavy = {"no_answer": 8, "missing_topic": 8, "refused": 6, "changed_stance": 4, "repeated_argument": 2}
    return sum(heavy.get(flag.kind, 0) for flag in turn.flags)
