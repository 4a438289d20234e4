"""Minutes of people, phase by phase, and what an hour comes to at the study's pay."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from statistics import median, quantiles
from typing import Literal, NamedTuple, get_args

from crito.model.ids import AnnotatorId, StudyName
from crito.model.record import PersonMinutes, PersonRecord
from crito.model.study import Pay, Study
from crito.services.parts import Parts
from crito.services.people_traits import large_enough, said_of_themselves
from crito.services.ports.owner import FinishedPerson
from crito.services.ports.store import Tx
from crito.services.suppression import shown_groups

Phase = Literal["instructions", "first_labels", "second_part", "survey"]
PHASES: tuple[Phase, ...] = get_args(Phase)

What = Literal["everyone", "condition", "language", "trait"]

IDLE = timedelta(minutes=5)
"""Of a longer time without any trace only this much counts as active."""

CAUGHT_UP = 200
"""People whose minutes are worked out when the page is asked for, at most: those who finished before minutes were kept."""

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


class GroupMinutes(NamedTuple):
    """Everyone, or those of one condition, language or answer about themselves; `per_hour` is None where no pay is known.

    `asked` says of an answer what was asked.
    """

    what: What
    group: str
    active: Spread
    per_hour: Spread | None
    phases: Mapping[Phase, Spread]
    longer: float = 0.0
    """How many times the median of the quickest group of its kind, where that is worth a warning; else 0."""
    asked: str = ""


@dataclass(frozen=True, slots=True)
class Load:
    """How long those who finished took.

    Attributes:
        hidden: how many groups are not shown, being small or making small ones known.
        missing: how many people finished of whom minutes have yet to be worked out.
    """

    pay: Pay | None
    people: Sequence[FinishedPerson]
    groups: Sequence[GroupMinutes]
    hidden: int = 0
    missing: int = 0

    @property
    def warnings(self) -> Sequence[GroupMinutes]:
        return [one for one in self.groups if one.longer]


async def load_of(parts: Parts, name: StudyName) -> Load:
    """The minutes of those who finished the study, by condition, language and what they said of themselves."""
    _, study = await parts.latest(name)
    await _catch_up(parts, name)

    def work(tx: Tx) -> Load:
        people = tx.minutes(name)
        missing = tx.count_people(name).get("done", 0) - len(people)
        return _load(study, people, said_of_themselves(tx.traits(name)) if people else {}, missing)

    return await parts.store.survey(work)


async def _catch_up(parts: Parts, name: StudyName) -> None:
    """Work out minutes of people who finished before they were kept, the newest first."""
    found = await parts.store.survey(
        lambda tx: [_minutes_in(tx, record) for record in tx.records(tx.without_minutes(name, CAUGHT_UP))]
    )
    if found:
        await parts.store.write(lambda tx: tx.keep_minutes(name, found))


def keep_minutes(tx: Tx, record: PersonRecord) -> None:
    """Work out the minutes of a person who has just finished, and keep them."""
    tx.keep_minutes(record.participant.study, [_minutes_in(tx, record)])


def _minutes_in(tx: Tx, record: PersonRecord) -> PersonMinutes:
    who = record.participant.id
    return minutes_of(record, tx.turn_times([who]).get(who, ()))


class _Kind(NamedTuple):
    """One way to group people: the groups that are shown, by what they are called, and how many are not."""

    what: What
    groups: Mapping[str, Sequence[FinishedPerson]]
    hidden: int
    asked: str = ""


def _load(
    study: Study, people: Sequence[FinishedPerson], said: Mapping[str, Mapping[AnnotatorId, str]], missing: int = 0
) -> Load:
    if not people:
        return Load(study.pay, (), (), missing=missing)
    groups, hidden = [_group("everyone", "", people, study.pay)], 0
    for kind in _kinds(study, people, said):
        hidden += kind.hidden
        if len(kind.groups) > 1:
            own = [_group(kind.what, name, some, study.pay, kind.asked) for name, some in kind.groups.items()]
            groups += _beside_each_other(own)
    return Load(study.pay, people, groups, hidden, missing)


def _kinds(
    study: Study, people: Sequence[FinishedPerson], said: Mapping[str, Mapping[AnnotatorId, str]]
) -> Iterator[_Kind]:
    if study.assign == "person":
        yield _shown("condition", _grouped(people, lambda one: one.condition))
    yield _shown("language", _grouped(people, lambda one: one.language))
    by_id = {one.minutes.annotator: one for one in people}
    for name, of_person in said.items():
        found = large_enough(study, name, {who: value for who, value in of_person.items() if who in by_id})
        by_value: dict[str, list[FinishedPerson]] = {}
        for who, value in found.of_person.items():
            by_value.setdefault(value, []).append(by_id[who])
        yield _Kind(
            "trait", {words: by_value[value] for value, words in found.answers.items()}, found.hidden, found.words
        )


def _shown(what: What, groups: Mapping[str, Sequence[FinishedPerson]]) -> _Kind:
    shown = shown_groups({name: len(some) for name, some in groups.items()}, FEWEST)
    return _Kind(what, {name: groups[name] for name in shown}, len(groups) - len(shown))


def _beside_each_other(groups: Sequence[GroupMinutes]) -> Iterator[GroupMinutes]:
    quickest = min(one.active.median for one in groups)
    for one in groups:
        longer = bool(quickest) and one.active.median >= LONGER * quickest
        yield one._replace(longer=one.active.median / quickest) if longer else one


def _grouped(people: Iterable[FinishedPerson], of: Callable[[FinishedPerson], str]) -> dict[str, list[FinishedPerson]]:
    found: dict[str, list[FinishedPerson]] = {}
    for one in people:
        found.setdefault(of(one), []).append(one)
    return dict(sorted(found.items()))


def _group(
    what: What,
    name: str,
    people: Sequence[FinishedPerson],
    pay: Pay | None,
    asked: str = "",
) -> GroupMinutes:
    active = [one.minutes.active for one in people]
    some = [minutes for minutes in active if minutes > 0]
    phases = {
        phase: [value for one in people if (value := getattr(one.minutes, phase)) is not None] for phase in PHASES
    }
    return GroupMinutes(
        what, name, spread(active),
        spread([pay.per_person * 60 / minutes for minutes in some]) if pay and some else None,
        {phase: spread(minutes) for phase, minutes in phases.items() if minutes}, asked=asked,
    )  # fmt: skip


def spread(values: Sequence[float]) -> Spread:
    """The median and the quartiles of at least one value."""
    low, _, high = quantiles(values, n=4, method="inclusive") if len(values) > 1 else (values[0],) * 3
    return Spread(len(values), median(values), low, high)


def minutes_of(record: PersonRecord, said: Sequence[datetime]) -> PersonMinutes:
    """The minutes of a person from their traces; `said` is when something was said in their dialogues."""
    person = record.participant
    ended = person.ended_at or person.arrived_at
    traces = sorted({person.arrived_at, ended, *said, *_moments(record)})
    active = sum((min(later - earlier, IDLE) for earlier, later in pairwise(traces)), timedelta())
    return PersonMinutes(person.id, _minutes(active), _minutes(ended - person.arrived_at), **dict(_phases(record)))


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
