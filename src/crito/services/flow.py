"""Where a person is in a study, worked out from what is recorded about them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from crito.model.record import Assignment, PersonRecord
from crito.model.study import AttentionCheck, Question, Step, Study

Kind = Literal[
    "instructions", "annotate", "resolve", "confirm", "pause", "debate", "talk", "survey", "about_you", "end"
]


SECOND_PART: tuple[Step, ...] = ("discuss", "debate", "reannotate")
"""The steps that come once the first labels are confirmed."""


@dataclass(frozen=True, slots=True)
class Place:
    """One place of the flow. `number` counts the person's items from 1; `done` of `steps` places are behind them."""

    kind: Kind
    assignment: Assignment | None = None
    number: int = 0
    done: int = 0
    steps: int = 1

    @property
    def name(self) -> str:
        """Names the place in events and forms."""
        return f"{self.kind}:{self.assignment.id}" if self.assignment else self.kind


def held(record: PersonRecord) -> tuple[Assignment, ...]:
    """The assignments that are the person's to work on or were finished by them, in their own order."""
    return tuple(a for a in record.assignments if a.status in ("open", "done"))


def has_second_part(study: Study, assignment: Assignment) -> bool:
    condition = study.condition(assignment.condition)
    return any(condition.has(step) for step in SECOND_PART)


def walk(study: Study, record: PersonRecord) -> Iterator[tuple[Place, bool]]:
    """Every place of this person's way in order, each with whether it is behind them."""
    assignments = held(record)
    labelled = {annotation.assignment for annotation in record.annotations if annotation.round == 0}
    yield Place("instructions"), record.event("instructed") is not None
    for number, assignment in enumerate(assignments, 1):
        yield Place("annotate", assignment, number), assignment.id in labelled
        if record.event("resolving", assignment.id):
            yield Place("resolve", assignment, number), record.annotation(assignment.id, 1) is not None
    later = [(n, a) for n, a in enumerate(assignments, 1) if has_second_part(study, a)]
    if later:
        yield Place("confirm"), record.event("confirmed") is not None
    for place, (number, assignment) in enumerate(later):
        reads = holds_debate(study, record, assignment)
        if place > 0 and (reads or holds_dialogue(study, record, assignment)):
            yield Place("pause", assignment, number), record.event("paused", assignment.id) is not None
        if reads:
            yield Place("debate", assignment, number), record.event("read", assignment.id) is not None
        yield Place("talk", assignment, number), talk_is_over(study, record, assignment)
    if any(study.condition(a.condition).has("survey") for a in assignments) and survey_questions(study, record):
        yield Place("survey"), record.event("surveyed") is not None
    if study.about_you and assignments:
        yield Place("about_you"), record.event("introduced") is not None


def holds_dialogue(study: Study, record: PersonRecord, assignment: Assignment) -> bool:
    """Whether the person talks about this item: the condition says so, and no routing by disagreement said otherwise."""
    routed = record.event("routed", assignment.id)
    return study.condition(assignment.condition).has("discuss") and (routed is None or routed.data["dialogue"])


def holds_debate(study: Study, record: PersonRecord, assignment: Assignment) -> bool:
    """Whether the person reads a debate on this item: the condition says so, and it was not withheld or out of reach."""
    routed = record.event("routed", assignment.id)
    return study.condition(assignment.condition).has("debate") and (routed is None or routed.data.get("debate", True))


def meets(study: Study, record: PersonRecord, assignment: Assignment, question: Question) -> bool:
    """Whether this assignment has the step that `question` is about."""
    if question.only_with == "discuss":
        return holds_dialogue(study, record, assignment)
    if question.only_with == "debate":
        return holds_debate(study, record, assignment)
    return question.only_with is None or study.condition(assignment.condition).has(question.only_with)


def second_questions(study: Study, record: PersonRecord, assignment: Assignment) -> tuple[Question, ...]:
    """What is asked with the second label of this assignment."""
    return tuple(question for question in study.reconsiderations if meets(study, record, assignment, question))


def survey_questions(study: Study, record: PersonRecord) -> tuple[Question, ...]:
    """What is asked at the end: a question about a step, if any of the person's items had it."""
    mine = held(record)
    return tuple(q for q in study.survey if q.only_with is None or any(meets(study, record, a, q) for a in mine))


def talk_is_over(study: Study, record: PersonRecord, assignment: Assignment) -> bool:
    if study.condition(assignment.condition).has("reannotate"):
        return record.annotation(assignment.id, 1) is not None
    return record.event("talked", assignment.id) is not None or not holds_dialogue(study, record, assignment)


def place_of(study: Study, record: PersonRecord) -> Place:
    """The first place that is not behind the person; `end` when all are or an ending is recorded."""
    way = list(walk(study, record))
    done = sum(behind for _, behind in way)
    if record.participant.ending is None:
        for place, behind in way:
            if not behind:
                return Place(place.kind, place.assignment, place.number, done, len(way))
    return Place("end", done=done, steps=len(way))


def attention_check(study: Study, assignment: Assignment) -> AttentionCheck | None:
    """The check that stands beside a person's n-th annotation: one each, in the study's order."""
    checks = study.attention_checks
    return checks[assignment.position] if assignment.position < len(checks) else None


def failed_checks(study: Study, record: PersonRecord) -> int:
    """How many attention checks this person answered wrongly; the last answer to each counts."""
    expected = {check.question.key: check.expected for check in study.attention_checks}
    given = {answer.question: answer.choice for answer in record.answers if answer.question in expected}
    return sum(choice != expected[key] for key, choice in given.items())
