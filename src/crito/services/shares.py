"""What each person left behind, read from the record some people at a time."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeVar

from crito.model.ids import AnnotatorId, AssignmentId, ItemId, RunId, StudyName, WordsId
from crito.model.record import (
    Annotation,
    Assignment,
    Draw,
    Exclusion,
    Exposure,
    GivenAnswer,
    PersonRecord,
    RecordedTurn,
    Run,
)
from crito.model.recruitment import flag_of
from crito.model.study import Study
from crito.model.talk import PARTNER_KINDS, TurnKind
from crito.services.flow import failed_checks
from crito.services.parts import Parts
from crito.services.ports.store import Tx

PEOPLE_AT_A_TIME = 100

BY_DECISION = "by_decision"
"""The reason of an exclusion that somebody decided; their words stand with the decision."""

Fate = Literal["own", "shown", "cut", "draft", "no_answer"]
"""Of a turn: by the person, shown whole, stopped after its first sentences, never shown, or never given."""

Theirs = TypeVar("Theirs", Annotation, Exposure, Draw, Exclusion)
Key = TypeVar("Key", bound=str | None)


@dataclass(frozen=True)
class Share:
    """One person's part of the record. `study` is the edition they enrolled under; `words` holds the words by id."""

    record: PersonRecord
    study: Study
    history: tuple[Annotation, ...]
    exposures: tuple[Exposure, ...]
    draws: tuple[Draw, ...]
    runs: Mapping[AssignmentId, Run]
    turns: Mapping[RunId, Sequence[RecordedTurn]]
    words: Mapping[WordsId, str | None]
    decisions: tuple[Exclusion, ...] = ()
    """What was decided about leaving this person out, in the order of deciding; the last one stands."""
    submission_flag: str = ""
    """Why the person's submission at their platform does not count; empty where it does."""

    @property
    def annotator(self) -> AnnotatorId:
        return self.record.participant.id

    @property
    def withdrawn(self) -> bool:
        """Whether the person took their data back."""
        return self.record.participant.ending == "withdrawn" or self.record.event("withdrew") is not None

    @property
    def exclusion(self) -> str:
        """Why an analysis leaves this person out unless told otherwise; empty when it does not.

        Somebody's decision, either way, stands above the rule.
        """
        if self.decisions:
            return BY_DECISION if self.decisions[-1].excluded else ""
        return "attention_failed" if self.record.participant.ending == "attention_failed" else self.submission_flag

    @property
    def failed_checks(self) -> int:
        """How many attention checks they answered wrongly."""
        return failed_checks(self.study, self.record)

    @property
    def answers(self) -> Mapping[tuple[str, str], GivenAnswer]:
        """The answers that count, by form and question: the last one given."""
        return {(answer.about, answer.question): answer for answer in self.record.answers}

    def answer_text(self, answer: GivenAnswer) -> str | None:
        """What was chosen or written; None where the words were erased."""
        return self.words.get(answer.words) if answer.words else answer.choice

    def rounds(self, assignment: Assignment) -> tuple[int, ...]:
        """The rounds the assignment's condition asks for, and any other that was answered."""
        condition = self.study.condition(assignment.condition)
        expert = self.record.participant.role == "expert"
        asked = {0: condition.has("annotate"), 1: condition.has("reannotate") and not expert}
        answered = {a.round for a in self._given.get(assignment.id, ())}
        return tuple(sorted(answered | {number for number, is_asked in asked.items() if is_asked}))

    def revisions(self, assignment: Assignment, number: int) -> tuple[Annotation, ...]:
        """Every answer to one round, the one that counts last."""
        given = (a for a in self._given.get(assignment.id, ()) if a.round == number)
        return tuple(sorted(given, key=lambda annotation: annotation.revision))

    # Experts give thousands of labels, and each is asked about by itself.
    @cached_property
    def _given(self) -> Mapping[AssignmentId | None, Sequence[Annotation]]:
        return _grouped(self.history, lambda one: one.assignment)

    @cached_property
    def _shown(self) -> Mapping[ItemId, Sequence[Exposure]]:
        return _grouped(self.exposures, lambda one: one.item)

    @cached_property
    def _opened(self) -> frozenset[str]:
        return frozenset(e.about.rpartition(":")[2] for e in self.record.events if e.kind == "opened")

    @cached_property
    def _accepted(self) -> frozenset[str]:
        return frozenset(e.about for e in self.record.events if e.kind == "accepted")

    def by_button(self, annotation: Annotation) -> bool:
        """Whether the label was taken over from the suggestion in view by the button for it."""
        return f"{annotation.round}:{annotation.assignment}" in self._accepted

    def exposures_before(self, annotation: Annotation) -> tuple[Exposure, ...]:
        """What of others the annotator had been shown on this item, in any task, before giving this label."""
        return tuple(e for e in self._shown.get(annotation.item, ()) if e.seq < annotation.seq)

    def has_seen(self, assignment: Assignment) -> bool:
        """Whether the assignment's item was ever shown to the person."""
        return assignment.id in self._opened or assignment.id in self._given

    def shown_words(self, turn: RecordedTurn) -> str | None:
        """The words of a partner's turn as they stood on the screen in the end; None where it was never there."""
        pieces = self._exposures_to(turn)
        whole = [piece for piece in pieces if piece.part < 0] or pieces
        return " ".join(self.words.get(piece.content) or "" for piece in whole) if whole else None

    def fate(self, turn: RecordedTurn) -> Fate:
        """What became of a turn."""
        if turn.no_answer:
            return "no_answer"
        if turn.kind not in PARTNER_KINDS:
            return "own"
        pieces = self._exposures_to(turn)
        return "draft" if not pieces else "shown" if pieces[0].part < 0 else "cut"

    def shown_kind(self, turn: RecordedTurn) -> TurnKind | None:
        """The kind of a turn as it was shown: `trimmed` when it was mended first; None where it was not shown whole."""
        if self.fate(turn) != "shown":
            return None
        return "trimmed" if turn.kind == "model" and self.shown_words(turn) != turn.text else turn.kind

    def _exposures_to(self, turn: RecordedTurn) -> list[Exposure]:
        source = f"{turn.run}/{turn.step}/{turn.index}"
        return sorted((e for e in self.exposures if e.source == source), key=lambda e: e.part)

    def turns_of(self, assignment: Assignment) -> Sequence[RecordedTurn]:
        run = self.runs.get(assignment.id)
        return self.turns.get(run.id, ()) if run else ()


def editions(parts: Parts, tx: Tx, study: StudyName) -> dict[int, Study]:
    """Every edition of a study, by its number."""
    return {number: parts.edition(tx, study, number) for number in range(1, (tx.latest_number(study) or 0) + 1)}


def shares(tx: Tx, study: StudyName, by_number: Mapping[int, Study]) -> Iterator[Share]:
    """Everyone's share in the order of their pseudonyms: a fixed number of queries for each hundred people."""
    after = ""
    while records := tx.persons(study, after=after, limit=PEOPLE_AT_A_TIME):
        yield from shares_of(tx, study, by_number, records)
        after = records[-1].participant.id


def shares_of(
    tx: Tx, study: StudyName, by_number: Mapping[int, Study], records: Sequence[PersonRecord]
) -> Iterator[Share]:
    """The shares of these people, in a fixed number of queries."""
    people = [record.participant.id for record in records]
    history = _by_annotator(tx.annotation_history(study, people))
    exposures = _by_annotator(tx.exposures(study, people))
    draws = _by_annotator(tx.draws(study, people))
    runs = {run.assignment: run for run in tx.runs([a.id for record in records for a in record.assignments])}
    turns = tx.turns([run.id for run in runs.values()])
    decisions = _by_annotator(tx.exclusions(study, people))
    words = tx.words(sorted(_words_needed(records, history, exposures)))
    news, reviews = tx.submission_news(study, people), tx.reviews(study, people)
    for record in records:
        person = record.participant
        yield Share(
            record, by_number[person.study_version],
            tuple(history.get(person.id, ())), tuple(exposures.get(person.id, ())), tuple(draws.get(person.id, ())),
            runs, turns, words, tuple(decisions.get(person.id, ())),
            flag_of(news.get(person.id), reviews.get(person.id)),
        )  # fmt: skip


def _by_annotator(things: Iterable[Theirs]) -> dict[AnnotatorId, list[Theirs]]:
    return _grouped(things, lambda one: one.annotator)


def _grouped(things: Iterable[Theirs], key: Callable[[Theirs], Key]) -> dict[Key, list[Theirs]]:
    grouped: dict[Key, list[Theirs]] = {}
    for thing in things:
        grouped.setdefault(key(thing), []).append(thing)
    return grouped


def _words_needed(
    records: Iterable[PersonRecord],
    history: Mapping[AnnotatorId, Sequence[Annotation]],
    exposures: Mapping[AnnotatorId, Sequence[Exposure]],
) -> set[WordsId]:
    given = {a.rationale for kept in history.values() for a in kept if a.rationale}
    written = {answer.words for record in records for answer in record.answers if answer.words}
    return given | written | {e.content for kept in exposures.values() for e in kept}
