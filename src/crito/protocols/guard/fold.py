"""The guard of a partner's turn: a fold over its sentences, so that each can be shown as soon as it has passed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from crito.model.talk import Turn, Violation
from crito.protocols.case import Case
from crito.protocols.guard.rules import SENTENCE_RULES, TURN_RULES
from crito.protocols.guard.sentences import sentences
from crito.protocols.guard.talk import Sentence, Talk, talk_of
from crito.protocols.guard.text import content_words


@dataclass
class Guard:
    """One turn being checked: `next` takes each sentence in order, `end` the turn as a whole.

    Rules that the case switches off are not checked.
    """

    talk: Talk
    passed: list[Sentence] = field(default_factory=list)
    """The sentences so far, whether they passed or not."""

    @classmethod
    def of(cls, case: Case, transcript: Sequence[Turn]) -> "Guard":
        return cls(talk_of(case, transcript))

    def next(self, sentence: str) -> tuple[Violation, ...]:
        """What is wrong with the next sentence."""
        read = Sentence(sentence, len(self.passed), self.talk.table)
        found = tuple(
            Violation(rule, read.index, detail)
            for rule, broken in SENTENCE_RULES.items()
            if rule not in self.talk.case.rules_off and (detail := broken(read, self.talk, self.passed))
        )
        self.passed.append(read)
        return found

    def end(self) -> tuple[Violation, ...]:
        """What is wrong with the turn as a whole, once its last sentence has been read."""
        return tuple(
            Violation(rule, -1, detail)
            for rule, broken in TURN_RULES.items()
            if rule not in self.talk.case.rules_off and (detail := broken(self.passed, self.talk))
        )


def check(text: str, case: Case, transcript: Sequence[Turn]) -> tuple[Violation, ...]:
    """Everything that is wrong with a partner's turn that answers `transcript`; empty when it may be shown."""
    return violations(text, talk_of(case, transcript))


def violations(text: str, talk: Talk) -> tuple[Violation, ...]:
    """Everything that is wrong with a turn in a talk; for many candidates of one turn."""
    return _check(sentences(text, talk.case.language), talk)


def mend(text: str, case: Case, transcript: Sequence[Turn], *, shown: Sequence[str] = ()) -> str:
    """What is left of a turn when the sentences that fail are cut, if that passes as a whole; else nothing.

    `shown` are its first sentences, where those are on the screen already and so cannot be cut.
    """
    talk = talk_of(case, transcript)
    kept = list(shown)
    for sentence in sentences(text, case.language)[len(shown) :]:
        if not _sentence_violations([*kept, sentence], talk):
            kept.append(sentence)
    gap = " " if talk.table.spaced else ""
    if kept and not _check(kept, talk):
        return gap.join(kept)
    questions = [] if shown else [s for s in kept if Sentence(s, 0, talk.table).question]
    return questions[0] if questions and not _check(questions[:1], talk) else ""


def only_question(text: str, case: Case, transcript: Sequence[Turn]) -> str:
    """The last question about the item, a label or the person's words: all that is kept of a small model's reply.

    Empty where it asks none: small models fall back on offers of help and on the examples of their prompt.
    """
    talk = talk_of(case, transcript)
    subject = content_words(
        " ".join((case.text, *dict(case.context).values(), *talk.case_labels, *talk.person)), talk.table
    )
    asked = (s for s in reversed(sentences(text, case.language)) if Sentence(s, 0, talk.table).question)
    return next((s for s in asked if not talk.table.spaced or content_words(s, talk.table) & subject), "")


def _check(said: Iterable[str], talk: Talk) -> tuple[Violation, ...]:
    guard = Guard(talk)
    found = tuple(violation for sentence in said for violation in guard.next(sentence))
    return found + guard.end()


def _sentence_violations(said: Sequence[str], talk: Talk) -> tuple[Violation, ...]:
    guard = Guard(talk)
    for sentence in said[:-1]:
        guard.next(sentence)
    return guard.next(said[-1])
