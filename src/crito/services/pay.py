"""Minutes of people, phase by phase, and what an hour comes to at the study's pay."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from statistics import median, quantiles
from typing import Literal, NamedTuple, get_args

from crito.model.ids import AnnotatorId, StudyName
from crito.model.record import PersonRecord
from crito.model.study import Pay, Study
from crito.services.parts import Parts
from crito.services.ports import PeopleWanted, Tx

Phase = Literal["instructions", "first_labels", "second_part", "survey"]
PHASES: tuple[Phase, ...] = get_args(Phase)

IDLE = timedelta(minutes=5)
"""Of a longer time without any trace only this much counts as active."""

MOST_PEOPLE = 1_000
"""Of more people who finished, the newest are enough for a median, and older ones no longer say how long it takes."""

PEOPLE_AT_A_TIME = 100

FEWEST = 5
"""Fewer people than this make no group to compare, and are not shown as one."""

LONGER = 1.2
"""A group whose median is this many times that of the quickest group takes longer for the same pay."""


class Spread(NamedTuple):
    """A median with the middle half of the values around it, over `n` people."""

    n: int
    median: float
    low: float
    high: float


class PersonMinutes(NamedTuple):
    """Minutes of someone who finished: active ones, from coming to ending, and by phase."""

    annotator: AnnotatorId
    condition: str
    language: str
    active: float
    whole: float
    phases: Mapping[Phase, float]


class GroupMinutes(NamedTuple):
    """Everyone, or those of one condition or language; `per_hour` is None where no pay is known."""

    what: Literal["everyone", "condition", "language"]
    group: str
    active: Spread
    per_hour: Spread | None
    phases: Mapping[Phase, Spread]
    longer: float = 0.0
    """How many times the median of the quickest group of its kind, where that is worth a warning; else 0."""


@dataclass(frozen=True, slots=True)
class Load:
    """How long those who finished took; groups of fewer than five are counted in `hidden` and not shown."""

    pay: Pay | None
    people: Sequence[PersonMinutes]
    groups: Sequence[GroupMinutes]
    hidden: int = 0

    @property
    def warnings(self) -> Sequence[GroupMinutes]:
        return [one for one in self.groups if one.longer]


async def load_of(parts: Parts, name: StudyName) -> Load:
    """The minutes of those who finished the study, the newest thousand where there are more, and by condition and language."""
    _, study = await parts.latest(name)

    def work(tx: Tx) -> list[PersonMinutes]:
        rows = tx.people(name, limit=MOST_PEOPLE, wanted=PeopleWanted(ending="done"))
        ids = [row.participant.id for row in rows]
        found: list[PersonMinutes] = []
        for begin in range(0, len(ids), PEOPLE_AT_A_TIME):
            some = ids[begin : begin + PEOPLE_AT_A_TIME]
            said = tx.turn_times(some)
            found += [_minutes_of(record, said.get(record.participant.id, ())) for record in tx.records(some)]
        return found

    people = await parts.store.survey(work)
    return _load(study, people)


def _load(study: Study, people: Sequence[PersonMinutes]) -> Load:
    if not people:
        return Load(study.pay, (), ())
    conditions = _grouped(people, lambda one: one.condition) if study.assign == "person" else {}
    languages = _grouped(people, lambda one: one.language)
    kinds: list[tuple[Literal["condition", "language"], Mapping[str, list[PersonMinutes]]]] = [
        ("condition", conditions), ("language", languages),
    ]  # fmt: skip
    groups, hidden = [_group("everyone", "", people, study.pay)], 0
    for what, by_name in kinds:
        if len(by_name) < 2:
            continue
        shown = [_group(what, name, some, study.pay) for name, some in by_name.items() if len(some) >= FEWEST]
        hidden += sum(len(some) < FEWEST for some in by_name.values())
        quickest = min((one.active.median for one in shown), default=0.0)
        groups += [
            one._replace(longer=one.active.median / quickest)
            if quickest and one.active.median >= LONGER * quickest
            else one
            for one in shown
        ]
    return Load(study.pay, people, groups, hidden)


def _grouped(people: Iterable[PersonMinutes], of: Callable[[PersonMinutes], str]) -> dict[str, list[PersonMinutes]]:
    found: dict[str, list[PersonMinutes]] = {}
    for one in people:
        found.setdefault(of(one), []).append(one)
    return dict(sorted(found.items()))


def _group(
    what: Literal["everyone", "condition", "language"], name: str, people: Sequence[PersonMinutes], pay: Pay | None
) -> GroupMinutes:
    active = [one.active for one in people if one.active > 0]
    phases = {phase: [one.phases[phase] for one in people if phase in one.phases] for phase in PHASES}
    return GroupMinutes(
        what, name, spread([one.active for one in people]),
        spread([pay.per_person * 60 / minutes for minutes in active]) if pay and active else None,
        {phase: spread(minutes) for phase, minutes in phases.items() if minutes},
    )  # fmt: skip


def spread(values: Sequence[float]) -> Spread:
    """The median and the quartiles of at least one value."""
    low, _, high = quantiles(values, n=4, method="inclusive") if len(values) > 1 else (values[0],) * 3
    return Spread(len(values), median(values), low, high)


def _minutes_of(record: PersonRecord, said: Sequence[datetime]) -> PersonMinutes:
    person = record.participant
    ended = person.ended_at or person.arrived_at
    traces = sorted({person.arrived_at, ended, *said, *_moments(record)})
    active = sum((min(later - earlier, IDLE) for earlier, later in pairwise(traces)), timedelta())
    return PersonMinutes(
        person.id, person.condition, person.language, _minutes(active), _minutes(ended - person.arrived_at),
        dict(_phases(record)),
    )  # fmt: skip


def _moments(record: PersonRecord) -> Iterator[datetime]:
    yield from (event.at for event in record.events)
    for given in record.annotations:
        yield from (given.shown_at, given.submitted_at)


def _phases(record: PersonRecord) -> Iterator[tuple[Phase, float]]:
    """Minutes of each phase that the person went through; of labels and dialogues the sum over items."""
    consented, instructed = record.event("consented"), record.event("instructed")
    if consented and instructed:
        yield "instructions", _minutes(instructed.at - consented.at)
    first = [one.submitted_at - one.shown_at for one in record.annotations if not one.round]
    if first:
        yield "first_labels", _minutes(sum(first, timedelta()))
    second = [
        one.submitted_at - (opened.at if opened else one.shown_at)
        for one in record.annotations
        if one.round
        for opened in [record.event("opened", f"talk:{one.assignment}")]
    ]
    if second:
        yield "second_part", _minutes(sum(second, timedelta()))
    opened, surveyed = record.event("opened", "survey"), record.event("surveyed")
    if opened and surveyed:
        yield "survey", _minutes(surveyed.at - opened.at)


def _minutes(span: timedelta) -> float:
    return max(0.0, span.total_seconds() / 60)
