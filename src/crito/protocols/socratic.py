"""The Socratic dialogue (`socratic`, sections 3.1–3.2 and appendix A): a person explains a label, a partner asks on."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from crito.model.talk import ATTEMPTS, Answer, Answers, Ask, Asks, NoAnswer, Turn, Violation
from crito.protocols.case import Case

NAME = "socratic"
VERSION = 1

Transcript = tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A dialogue that is over: what was shown, in order, and the label it ended with.

    `label` is the name of the label or state chosen last; None when the person ended it without one.
    """

    transcript: Transcript
    label: str | None


def socratic(case: Case) -> Generator[Asks, Answers, Dialogue]:
    """Open with a fixed text, then let person and partner take turns until the person labels the item again."""
    opening = yield from _turn_for(ask_opening(case))
    transcript: Transcript = (opening,)
    while True:
        (said,) = yield [ask_person(case, transcript)]
        if isinstance(said, NoAnswer):
            return Dialogue(transcript, None)
        if said.kind == "label":
            return Dialogue(transcript, said.text)
        transcript += (said,)
        transcript += ((yield from partner_turn(transcript)),)


def partner_turn(transcript: Transcript) -> Generator[Asks, Answers, Turn]:
    """The partner's next turn as it is shown: asked again when it breaks a rule, then mended, then a fixed question."""
    found: tuple[Violation, ...] = ()
    for attempt in range(ATTEMPTS):
        (turn,) = yield [ask_partner(transcript, attempt, found)]
        if isinstance(turn, NoAnswer):
            break
        if turn.streamed:
            return (yield from _finish_streamed(turn, transcript))
        if not turn.violations:
            return turn
        if turn.mended and attempt == ATTEMPTS - 1:
            return replace(turn, text=turn.mended, kind="trimmed")
        found += turn.violations
    return (yield from _turn_for(ask_fixed(transcript)))


def opens_relabelling(transcript: Sequence[Turn], case: Case) -> bool:
    """Whether the person has sent enough messages to label the item again, and the partner may hand over to that."""
    return person_messages(transcript) >= case.min_messages


def person_messages(transcript: Sequence[Turn]) -> int:
    """How many messages the person has sent."""
    return sum(turn.kind == "person" for turn in transcript)


def ask_opening(case: Case) -> Ask:
    return Ask("partner", "socratic/opening", {"label": case.label, "confidence": case.confidence})


def ask_person(case: Case, transcript: Transcript) -> Ask:
    """The person's move; its values hold all that was shown, so that a page can be drawn from the ask alone."""
    values = {"transcript": as_values(transcript)}
    if opens_relabelling(transcript, case):
        return Ask("person", "socratic/person", values, accepts=("text", "label"))
    return Ask("person", "socratic/person", values)


def ask_partner(transcript: Transcript, attempt: int, found: Sequence[Violation]) -> Ask:
    violations = [{"rule": violation.rule, "detail": violation.detail} for violation in found]
    values = {"transcript": as_values(transcript), "violations": violations}
    return Ask("partner", "socratic/partner", values, attempt=attempt)


def ask_fixed(transcript: Transcript, streamed: str = "") -> Ask:
    """A question from the prompt file; `streamed` are words of this turn that are on the screen already."""
    return Ask("partner", "socratic/fixed", {"transcript": as_values(transcript), "streamed": streamed})


def as_values(transcript: Sequence[Turn]) -> list[dict[str, Any]]:
    """The transcript in JSON types, as the asks carry it."""
    return [{"speaker": turn.speaker, "text": turn.text, "kind": turn.kind} for turn in transcript]


def _finish_streamed(turn: Turn, transcript: Transcript) -> Generator[Asks, Answers, Turn]:
    if turn.mended:
        return replace(turn, text=turn.mended, kind="trimmed")
    fixed = yield from _turn_for(ask_fixed(transcript, turn.streamed))
    gap = "" if turn.streamed.endswith(("。", "！", "？", "」")) else " "
    return replace(turn, text=turn.streamed + gap + fixed.text, kind="trimmed")


def _turn_for(ask: Ask) -> Generator[Asks, Answers, Turn]:
    answers: Sequence[Answer] = yield [ask]
    (turn,) = answers
    assert isinstance(turn, Turn), f"{ask.prompt!r} is rendered and always answered, came {turn!r}"
    return turn
