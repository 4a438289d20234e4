"""What a partner's turn is measured against: the case, and what has been said so far."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from crito.model.talk import PARTNER_KINDS, Turn
from crito.protocols.case import Case
from crito.protocols.guard.sentences import sentences
from crito.protocols.guard.text import content_words, normal, quotations, tokens, without_quotations, words_of
from crito.protocols.wording import wording
from crito.protocols.wording.table import Wording

PATIENCE = 3
"""After so many curt messages in a row a person is no longer pressed for a reason."""
PATIENCE_IN_ALL = 8
"""After so many curt messages in one talk a person is no longer pressed either."""


@dataclass(frozen=True)
class Talk:
    """The case and the transcript that a turn answers."""

    case: Case
    transcript: tuple[Turn, ...]

    @cached_property
    def table(self) -> Wording:
        return wording(self.case.language)

    @cached_property
    def person(self) -> tuple[str, ...]:
        """The person's messages."""
        return tuple(turn.text for turn in self.transcript if turn.kind == "person")

    @cached_property
    def last(self) -> str:
        return self.person[-1] if self.person else ""

    @cached_property
    def asked(self) -> tuple[str, ...]:
        """The questions the partner has asked."""
        turns = (turn.text for turn in self.transcript if turn.kind in PARTNER_KINDS)
        return tuple(s for text in turns for s in sentences(text, self.case.language) if is_question(s, self.table))

    @cached_property
    def may_hand_over(self) -> bool:
        return len(self.person) >= self.case.min_messages

    @cached_property
    def curt(self) -> bool:
        """Whether the last message gives no reason where one was due.

        It does not count when the person was pressed too often already, when the message asks for something itself,
        or when it ends a talk in which reasons were given.
        """
        if not self.person or not is_curt(self.last, self.case):
            return False
        curt = [is_curt(message, self.case) for message in self.person]
        pressed = (len(curt) >= PATIENCE and all(curt[-PATIENCE:])) or sum(curt) > PATIENCE_IN_ALL
        ended = self.may_hand_over and self.table.finished.search(self.last) and self.gave_reasons
        return not (pressed or ended or any(p.search(self.last) for p in self.table.requests))

    @cached_property
    def gave_reasons(self) -> bool:
        """Whether any message was more than curt."""
        return not all(is_curt(message, self.case) for message in self.person)

    @cached_property
    def wants_rephrasing(self) -> bool:
        return bool(self.table.asks_clarification.search(self.last))

    @cached_property
    def reasons(self) -> frozenset[str]:
        """The content words of what the person said, without messages that give no reason."""
        given = (message for message in self.person if not is_curt(message, self.case))
        return frozenset().union(*(content_words(message, self.table) for message in given))

    @cached_property
    def given_words(self) -> frozenset[str]:
        """The words of the case and of the person, in whatever language they are."""
        return _words_of_case(self.case).union(*(words_of(message) for message in self.person))

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word that may be used as a name or number without inventing it."""
        said = (words_of(turn.text) for turn in self.transcript)
        return frozenset().union(_words_of_case(self.case), *said)

    @cached_property
    def case_labels(self) -> tuple[str, ...]:
        """The labels as shown."""
        return tuple(label.text for label in self.case.labels)

    @cached_property
    def of_item(self) -> tuple[str, ...]:
        """The texts of the item and its context, as they are compared."""
        return _quotable_of_case(self.case)

    @cached_property
    def quotable(self) -> tuple[str, ...]:
        """The texts that may be quoted, as they are compared: the item, its context, the person's messages."""
        return (*self.of_item, *(normal(message) for message in self.person))


@dataclass(frozen=True)
class Sentence:
    """One sentence of a partner's turn; `index` is its place in the turn."""

    text: str
    index: int
    table: Wording

    @cached_property
    def bare(self) -> str:
        """The sentence with its quotations emptied."""
        return without_quotations(self.text)

    @cached_property
    def question(self) -> bool:
        return is_question(self.text, self.table)

    @cached_property
    def hypothetical(self) -> bool:
        return bool(self.table.hypothetical.search(self.bare))

    @cached_property
    def quotations(self) -> list[str]:
        return quotations(self.text)

    @cached_property
    def clauses(self) -> tuple[str, ...]:
        return tuple(c.strip(" ,") for c in self.table.clause_breaks.split(self.bare) if c.strip(" ,.?!“”"))

    @cached_property
    def claims(self) -> tuple[str, ...]:
        """The clauses that state something as the partner's own word: not asked, supposed or said to be another's view."""
        clauses = self.clauses[:-1] if self.question else self.clauses
        table = self.table
        return tuple(
            clause
            for clause in clauses
            if not (table.hypothetical.search(clause) or table.attributed.search(clause))
            and not (self.question and table.asks.match(clause))
        )


def is_question(sentence: str, table: Wording) -> bool:
    """Whether a sentence asks."""
    return bool(table.question_end.search(sentence.rstrip()))


def is_curt(message: str, case: Case) -> bool:
    """Whether a message is one word, or nothing but labels and words that give no reason."""
    table = wording(case.language)
    if table.spaced:
        said = tokens(normal(message))
        labels = (word for label in case.labels for word in tokens(normal(label.text)))
        return len(said) <= 1 or set(said) <= table.fillers.union(labels)
    plain = _plain(message)
    return len(plain) <= 3 or plain in table.fillers or any(plain == _plain(label.text) for label in case.labels)


def _plain(text: str) -> str:
    return re.sub(r"[\W_]", "", text)


@lru_cache(maxsize=64)
def _words_of_case(case: Case) -> frozenset[str]:
    labels = (text for label in case.labels for text in (label.name, label.text, label.description))
    fields = (text for field in case.context for text in field)
    texts = (case.text, case.question, case.guideline, case.label, case.confidence, *labels, *fields)
    return frozenset().union(*(words_of(text) for text in texts))


@lru_cache(maxsize=64)
def _quotable_of_case(case: Case) -> tuple[str, ...]:
    return (normal(case.text), *(normal(value) for _, value in case.context))


def talk_of(case: Case, transcript: Sequence[Turn]) -> Talk:
    """The talk of a case so far."""
    return Talk(case, tuple(transcript))
