"""What a language's bank holds: everything the scripted partner can say."""

from dataclasses import dataclass
from typing import Literal

Move = Literal[
    "warrant", "evidence", "counter_evidence", "change_mind", "boundary", "other_reader", "definition", "wrap_up", "reason", "restate"
]  # fmt: skip

Route = Literal[
    "distress", "contact", "abuse", "orders", "clarification", "answer", "facts", "who", "finish", "off_topic"
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Bank:
    """The sentences of one language.

    Questions hold the blanks `{label}` (this person's), `{other}` (one of the others) and `{span}` (words that item and
    message share); one without blanks is always possible. Statements come before a question.

    Attributes:
        moves: the questions of each move, best first.
        heard: statements that take up the shared words; plain: statements that take up nothing; short: those for a curt message.
        routed: for each route, statements that answer it, and questions that lead back.
        hand_over: whole turns that sum up with `{words}`, quoted from the item; in_own_words: with a clause of the person.
        farewell: whole turns for a person who gave no reason to sum up.
    """

    moves: dict[Move, tuple[str, ...]]
    heard: tuple[str, ...]
    plain: tuple[str, ...]
    short: tuple[str, ...]
    routed: dict[Route, tuple[str, ...]]
    led_back: dict[Route, tuple[str, ...]]
    hand_over: tuple[str, ...]
    hand_over_in_own_words: tuple[str, ...]
    farewell: tuple[str, ...]
    quote: str
    """How a quotation of several parts is joined, with `{}` where each stands."""
    join: str
