"""What can be said of transcripts that come without labels: how much each speaker says, and what cannot be told, with why."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from crito.stats.means import mean
from crito.stats.ratings import encode
from crito.stats.statistic import Statistic

CANNOT: Mapping[str, str] = {
    "Agreement, entropy and the map of items": "they compare labels that several people gave to one item, and here is none",
    "Flips and change of confidence": "they need a label before the talk and one after it",
    "Accuracy": "it needs labels and reference labels of the same items",
    "Who convinced whom": "only judges can say: crito judge FILE --judge PROVIDER:NAME reads each debate",
}
"""What a report of labels has and one of transcripts has not, with the reason."""


class Spoken(NamedTuple):
    """One message: in which dialogue, by whom, and its words."""

    dialogue: str
    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class SpeakerReport:
    """What one speaker says.

    Attributes:
        messages: mean number per dialogue, over all dialogues, those without a word of theirs too.
        characters: mean length of a message, resampled by dialogue.
        share: mean over dialogues of the speaker's share of all characters.
        questions: mean over messages of whether they hold a question mark.
    """

    speaker: str
    n_messages: int
    messages: Statistic
    characters: Statistic
    share: Statistic
    questions: Statistic


@dataclass(frozen=True, slots=True)
class TranscriptReport:
    """Transcripts without labels: how many, and what each speaker says, whoever speaks most first."""

    name: str
    n_dialogues: int
    n_messages: int
    speakers: tuple[SpeakerReport, ...]


def report_transcripts(spoken: Sequence[Spoken], name: str) -> TranscriptReport:
    """Count what was said, by speaker."""
    dialogues = list(dict.fromkeys(one.dialogue for one in spoken))
    by_speaker = Counter(one.speaker for one in spoken)
    return TranscriptReport(
        name,
        len(dialogues),
        len(spoken),
        tuple(_speaker(who, spoken, dialogues) for who, _ in by_speaker.most_common()),
    )


def _speaker(who: str, spoken: Sequence[Spoken], dialogues: Sequence[str]) -> SpeakerReport:
    theirs = [one for one in spoken if one.speaker == who]
    messages = Counter(one.dialogue for one in theirs)
    own, everyone = Counter[str](), Counter[str]()
    for one in spoken:
        everyone[one.dialogue] += len(one.text)
        own[one.dialogue] += len(one.text) * (one.speaker == who)
    codes, _ = encode([one.dialogue for one in theirs])
    asks = [float(any(mark in one.text for mark in "?？؟")) for one in theirs]
    return SpeakerReport(
        who, len(theirs),
        mean("messages", [messages[dialogue] for dialogue in dialogues]),
        mean("characters", [len(one.text) for one in theirs], cluster=codes, what="dialogues"),
        mean("share_of_characters", [own[d] / everyone[d] for d in dialogues], within=(0.0, 1.0)),
        mean("questions", asks, cluster=codes, what="dialogues", within=(0.0, 1.0)),
    )  # fmt: skip
