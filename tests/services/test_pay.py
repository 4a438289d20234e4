"""Minutes of people and what an hour comes to."""

from datetime import timedelta

import pytest

from crito.model.ids import AnnotatorId
from crito.model.record import Event, PersonMinutes, PersonRecord
from crito.model.study import Pay, Study
from crito.services.pay import Load, _load, minutes_of
from crito.services.ports.owner import FinishedPerson
from tests.builders import NOON, make_annotation, make_condition, make_participant, make_study


def at(minutes: float) -> timedelta:
    return timedelta(minutes=minutes)


def event(kind: str, minutes: float, about: str = "") -> Event:
    return Event(AnnotatorId("p-1"), kind, about, NOON + at(minutes))  # type: ignore[arg-type]


def person(name: str, active: float, condition: str = "socratic", language: str = "en") -> FinishedPerson:
    return FinishedPerson(PersonMinutes(AnnotatorId(name), active, active, survey=1.0), condition, language)


def load_of(people: list[FinishedPerson], study: Study | None = None, **said: dict[str, str]) -> Load:
    traits = {name: {AnnotatorId(who): value for who, value in values.items()} for name, values in said.items()}
    return _load(study or make_study(), people, traits)


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

    silent, talking = minutes_of(record, ()), minutes_of(record, [NOON + at(n) for n in range(4, 62)])

    assert (silent.active, silent.whole) == (9.0, 63.0)
    assert talking.active == 63.0
    assert (silent.instructions, silent.first_labels, silent.second_part, silent.survey) == (2.0, 1.0, 59.0, 1.0)


def test_pay_of_an_hour_is_the_median_over_people() -> None:
    load = load_of(
        [person(f"p-{n}", minutes) for n, minutes in enumerate((10, 20, 30))], make_study(pay=Pay(3.0, "GBP"))
    )

    (everyone,) = load.groups
    assert (everyone.active.n, everyone.active.median) == (3, 20)
    assert everyone.per_hour is not None
    assert everyone.per_hour.median == 9.0


def test_without_pay_there_are_minutes_alone() -> None:
    load = load_of([person("p-1", 10)])

    assert load.groups[0].per_hour is None
    assert load.groups[0].active.n == 1


@pytest.mark.parametrize(("slow", "times"), [(14.0, 1.4), (11.0, 0.0)])
def test_a_condition_that_takes_longer_for_the_same_pay_is_warned_of(slow: float, times: float) -> None:
    study = make_study(conditions=(make_condition("control"), make_condition("socratic")))
    people = [person(f"c-{n}", 10.0, "control") for n in range(5)] + [person(f"s-{n}", slow) for n in range(5)]

    load = load_of(people, study)

    assert [one.longer for one in load.groups if one.group == "socratic"] == [pytest.approx(times)]
    assert [one.group for one in load.warnings] == (["socratic"] if times else [])


def test_a_small_group_is_not_found_by_taking_the_others_from_everyone() -> None:
    people = [
        *(person(f"e-{n}", 10.0) for n in range(9)),
        *(person(f"f-{n}", 20.0, language="fr") for n in range(6)),
        person("i-1", 40.0, language="it"),
    ]

    two, three = load_of([one for one in people if one.language != "fr"]), load_of(people)

    # One language beside everyone would tell the other one, so neither is told.
    assert [(one.what, one.active.n) for one in two.groups] == [("everyone", 10)]
    assert [(one.what, one.active.n) for one in three.groups] == [("everyone", 16)]
    assert (two.hidden, three.hidden) == (2, 2)


def test_people_are_compared_by_what_they_said_of_themselves() -> None:
    people = [person(f"p-{n}", 10.0 if n < 6 else 15.0) for n in range(14)]
    sizes = (("women", range(6)), ("men", range(6, 11)), ("others", range(11, 13)))
    gender = {f"p-{n}": value for value, numbers in sizes for n in numbers}
    without_small = {who: value for who, value in gender.items() if value != "others"}

    told, attacked = load_of(people, gender=without_small), load_of(people, gender=gender)

    assert [(one.group, one.active.n, one.longer, one.asked) for one in told.groups[1:]] == [
        ("Men", 5, 1.5, "Gender"),
        ("Women", 6, 0.0, "Gender"),
    ]
    # With the two others hidden, men are hidden too; women alone would say how many both are, and are compared with nobody.
    assert [one.what for one in attacked.groups] == ["everyone"]
