"""Signals of how somebody worked, for the owner to look at: none of them says that an answer is wrong."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Literal

from crito.model.ids import ItemId
from crito.model.record import RecordedTurn
from crito.services.flow import failed_checks
from crito.services.shares import Share
from crito.services.timing import AnnotatorTiming, text_lengths, timing_of

TYPED_PER_S = 12.0
"""Characters a second beyond which hardly anyone types: 140 words a minute. Fewer are typed on a phone, more are pasted."""

CURT_CHARACTERS = 15
"""A message of fewer characters than this says little; some say all there is to say with it."""

REPEATED_FROM = 12
"""Shorter texts, such as *yes, I am sure*, are repeated by anybody."""

MOSTLY = 0.5

Notable = Literal["checks", "reading", "typing", "pastes", "curt", "repeated"]


@dataclass(frozen=True, slots=True)
class Signals:
    """How one person worked.

    Attributes:
        timing: of their initial labels.
        checks_failed: attention checks answered wrongly, of `checks` answered.
        typed_per_s: characters a second of the message that was written fastest after the partner's turn; None without one.
        message_characters: the median length of a message; None without any.
        pastes: how often something was pasted into a form, by the browser's own word, and how many characters in all.
        repeated: texts of theirs that say the same as an earlier one.
    """

    timing: AnnotatorTiming
    checks_failed: int
    checks: int
    dialogues: int
    messages: int
    typed_per_s: float | None
    message_characters: float | None
    pastes: int
    pasted_characters: int
    repeated: int

    @property
    def notable(self) -> tuple[Notable, ...]:
        """What is worth a look."""
        fast = self.timing.signals.below_reading.value
        found: Mapping[Notable, bool] = {
            "checks": self.checks_failed > 0,
            "reading": fast is not None and fast >= MOSTLY,
            "typing": self.typed_per_s is not None and self.typed_per_s > TYPED_PER_S,
            "pastes": self.pastes > 0,
            "curt": self.message_characters is not None and self.message_characters < CURT_CHARACTERS,
            "repeated": self.repeated > 0,
        }
        return tuple(kind for kind, is_so in found.items() if is_so)


def signals_of(share: Share, lengths: Mapping[ItemId, int] | None = None) -> Signals:
    """The signals of one person's share."""
    record = share.record
    keys = {check.question.key for check in share.study.attention_checks}
    talks = [turns for assignment in record.assignments if (turns := share.turns_of(assignment))]
    messages = [turn for turns in talks for turn in turns if turn.kind == "person" and not turn.erased]
    rates = [rate for turns in talks for rate in _typing(turns)]
    pasted = [event for event in record.events if event.kind == "pasted"]
    return Signals(
        timing=timing_of(record, share.study, text_lengths(share.study) if lengths is None else lengths),
        checks_failed=failed_checks(share.study, record),
        checks=len({answer.question for answer in record.answers if answer.question in keys}),
        dialogues=len(talks),
        messages=len(messages),
        typed_per_s=max(rates, default=None),
        message_characters=median(len(turn.text) for turn in messages) if messages else None,
        pastes=sum(int(event.data.get("times", 1)) for event in pasted),
        pasted_characters=sum(int(event.data.get("characters", 0)) for event in pasted),
        repeated=_repeated([turn.text for turn in messages] + list(_written(share))),
    )


def _typing(turns: Sequence[RecordedTurn]) -> Iterator[float]:
    """Characters a second of each message, counted from the turn before it."""
    for before, turn in pairwise(turns):
        seconds = (turn.at - before.at).total_seconds()
        if turn.kind == "person" and turn.text and seconds > 0:
            yield len(turn.text) / seconds


def _written(share: Share) -> Iterator[str]:
    """Reasons and answers in their own words, as they stand."""
    given = [one.rationale for one in share.record.annotations] + [one.words for one in share.answers.values()]
    yield from (share.words.get(id_) or "" for id_ in given if id_)


def _repeated(texts: Sequence[str]) -> int:
    said = Counter(" ".join(text.casefold().split()) for text in texts)
    return sum(times - 1 for text, times in said.items() if len(text) >= REPEATED_FROM)
