"""How long each phase took, and how attention checks were answered."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Literal, get_args

from crito.model.record import Assignment
from crito.services.shares import Share
from crito.stats.means import mean
from crito.stats.proportions import share
from crito.stats.ratings import encode
from crito.stats.statistic import Statistic

Phase = Literal["instructions", "first_label", "talk_and_second_label", "survey", "whole_study"]
PHASES: tuple[Phase, ...] = get_args(Phase)

Minutes = Mapping[Phase, Iterable[tuple[str, float]]]
"""By phase: an annotator and their minutes, once per item where the phase is about items."""


def minutes_of(person: Share) -> Iterator[tuple[Phase, float]]:
    """Minutes of each phase; of labelling and talking one figure per item."""
    record = person.record
    consented, instructed = record.event("consented"), record.event("instructed")
    if consented and instructed:
        yield "instructions", _minutes_between(consented.at, instructed.at)
    for assignment in record.assignments:
        if given := person.revisions(assignment, 0):
            yield "first_label", _minutes_between(given[0].shown_at, given[0].submitted_at)
        if (minutes := second_part_minutes(person, assignment)) is not None:
            yield "talk_and_second_label", minutes
    opened, surveyed = record.event("opened", "survey"), record.event("surveyed")
    if opened and surveyed:
        yield "survey", _minutes_between(opened.at, surveyed.at)
    if record.participant.ending == "done" and record.participant.ended_at:
        yield "whole_study", _minutes_between(record.participant.arrived_at, record.participant.ended_at)


def second_part_minutes(person: Share, assignment: Assignment) -> float | None:
    """From the partner's opening, or the debate, to the second label; None where there is none."""
    talk, again = person.turns_of(assignment), person.record.annotation(assignment.id, 1)
    reading = person.record.event("opened", f"debate:{assignment.id}")
    if again is None:
        return None
    begun = talk[0].at if talk else reading.at if reading else again.shown_at
    return _minutes_between(begun, again.submitted_at)


def mean_minutes(phases: Minutes) -> dict[Phase, Statistic]:
    """The mean of each phase; where items are counted, the interval resamples people."""
    return {phase: mean_over_people(f"minutes_{phase}", list(phases.get(phase, ()))) for phase in PHASES}


def mean_over_people(name: str, minutes: Sequence[tuple[str, float]]) -> Statistic:
    """The mean of annotators' minutes; where one has several, the interval resamples annotators."""
    codes, _ = encode([annotator for annotator, _ in minutes])
    return mean(name, [taken for _, taken in minutes], cluster=codes, what="people")


def checks_of(person: Share) -> Iterator[tuple[str, bool]]:
    """Each attention check that was answered, and whether rightly."""
    expected = {check.question.key: check.expected for check in person.study.attention_checks}
    given = {answer.question: answer.choice for answer in person.record.answers if answer.question in expected}
    yield from ((key, choice == expected[key]) for key, choice in given.items())


def failure_rates(checks: Mapping[str, Counter[bool]]) -> Mapping[str, Statistic]:
    """Of the people who answered a check, the share that answered it wrongly."""
    return {key: share(f"failed_{key}", right[False], right.total()) for key, right in checks.items()}


def _minutes_between(begin: datetime, end: datetime) -> float:
    return (end - begin).total_seconds() / 60
