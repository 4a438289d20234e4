"""Builders of cases, turns and dialogues for the tests of the protocols."""

from collections.abc import Sequence

from crito.model.talk import Answer, Turn
from crito.protocols.case import Case, ShownLabel
from crito.protocols.driving import Finished, Pending, advance
from crito.protocols.socratic import Dialogue, socratic

SARCASM = (ShownLabel("sarcastic", "Sarcastic"), ShownLabel("not_sarcastic", "Not sarcastic"))

KETTLE = (
    "Best kettle I ever owned. It only took nine minutes to boil one cup, so I had time to read the whole manual "
    "in Dutch. Five stars for the lid that stayed on twice."
)


def make_case(**changes: object) -> Case:
    """A case about a sarcastic review in English, with anything changed."""
    values: dict[str, object] = {
        "language": "en",
        "question": "Is this review sarcastic?",
        "labels": SARCASM,
        "guideline": "A review is sarcastic when its author means something other than the words say.",
        "text": KETTLE,
        "label": "Sarcastic",
        "confidence": "Somewhat sure",
    }
    return Case(**(values | changes))  # type: ignore[arg-type]


def opening(text: str = "Hi there! What led you to your choice, and which words mattered most to you?") -> Turn:
    return Turn("partner", text, "fixed")


def person(text: str) -> Turn:
    return Turn("person", text, "person")


def partner(text: str) -> Turn:
    return Turn("partner", text, "model")


def talk(*texts: str) -> tuple[Turn, ...]:
    """A transcript: the opening, then the person and the partner by turns."""
    return (opening(), *(partner(text) if i % 2 else person(text) for i, text in enumerate(texts)))


def play(case: Case, answers: Sequence[Answer]) -> Pending | Finished[Dialogue]:
    """The Socratic dialogue after `answers`, one for each step."""
    recorded: dict[tuple[int, int], tuple[str, Answer]] = {}
    stand = advance(socratic(case), recorded)
    for answer in answers:
        assert isinstance(stand, Pending), f"the dialogue was over before {answer!r}"
        recorded[stand.step, 0] = (stand.asks[0].fingerprint, answer)
        stand = advance(socratic(case), recorded)
    return stand
