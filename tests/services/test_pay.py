"""Minutes of people and what an hour comes to."""

from datetime import timedelta

import pytest

from crito.model.ids import AnnotatorId
from crito.model.record import Event, PersonRecord
from crito.model.study import Pay
from crito.services.pay import PersonMinutes, _load, _minutes_of
from tests.builders import NOON, make_annotation, make_condition, make_participant, make_study


def at(minutes: float) -> timedelta:
    return timedelta(minutes=minutes)


def event(kind: str, minutes: float, about: str = "") -> Event:
    return Event(AnnotatorId("p-1"), kind, about, NOON + at(minutes))  # type: ignore[arg-type]


def person(name: str, active: float, condition: str = "socratic", language: str = "en") -> PersonMinutes:
    return PersonMinutes(AnnotatorId(name), condition, language, active, active, {"survey": 1.0})


def test_a_long_pause_counts_for_five_minutes_only() -> None:
    record = PersonRecord(
        make_participant(ending="done", ended_at=NOON + at(63)),
        annotations=(
            make_annotation(shown_at=NOON + at(2), submitted_at=NOON + at(3)),
            make_annotation(round=1, shown_at=NOON + at(3), submitted_at=NOON + at(62)),
        ),
        events=(
            event("consented", 0),
            event("instructed", 2),
            event("opened", 3, "talk:a-1"),
            event("opened", 62, "survey"),
            event("surveyed", 63),
        ),
    )

    silent, talking = _minutes_of(record, ()), _minutes_of(record, [NOON + at(n) for n in range(4, 62)])

    assert (silent.active, silent.whole) == (9.0, 63.0)
    assert talking.active == 63.0
    assert silent.phases == {"instructions": 2.0, "first_labels": 1.0, "second_part": 59.0, "survey": 1.0}


def test_pay_of_an_hour_is_the_median_over_people() -> None:
    load = _load(make_study(pay=Pay(3.0, "GBP")), [person(f"p-{n}", minutes) for n, minutes in enumerate((10, 20, 30))])

    (everyone,) = load.groups
    assert (everyone.active.n, everyone.active.median) == (3, 20)
    assert everyone.per_hour is not None
    assert everyone.per_hour.median == 9.0


def test_without_pay_there_are_minutes_alone() -> None:
    load = _load(make_study(), [person("p-1", 10)])

    assert load.groups[0].per_hour is None
    assert load.groups[0].active.n == 1


@pytest.mark.parametrize(("slow", "times"), [(14.0, 1.4), (11.0, 0.0)])
def test_a_condition_that_takes_longer_for_the_same_pay_is_warned_of(slow: float, times: float) -> None:
    study = make_study(conditions=(make_condition("control"), make_condition("socratic")))
    people = [person(f"c-{n}", 10.0, "control") for n in range(5)] + [person(f"s-{n}", slow) for n in range(5)]

    load = _load(study, people)

    assert [one.longer for one in load.groups if one.group == "socratic"] == [pytest.approx(times)]
    assert [one.group for one in load.warnings] == (["socratic"] if times else [])


def test_groups_of_fewer_than_five_are_counted_and_not_shown() -> None:
    people = [person(f"e-{n}", 10.0) for n in range(5)] + [person("i-1", 40.0, language="it")]

    load = _load(make_study(), people)

    assert [(one.what, one.group) for one in load.groups] == [("everyone", ""), ("language", "en")]
    assert load.hidden == 1
