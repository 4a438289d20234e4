"""Places for people: opened some at a time, never more than people are missing, and never taken by who is gone."""

import asyncio

import pytest

from crito.model.errors import InvalidInput
from crito.model.study import Study
from crito.services import openings, overview, participation, showing
from crito.services.openings import Places
from crito.services.parts import Parts
from crito.services.publishing import publish
from tests.builders import make_condition, make_study, make_task
from tests.services.conftest import Clock
from tests.services.walking import NAME, enrol, step, walk


def small(n_items: int = 4, **more: object) -> Study:
    """A study of one label for each person: two for each item."""
    flow = make_condition("solo", ("consent", "annotate"))
    task = make_task("sarcasm", n_items, annotators_per_item=2)
    return make_study(tasks=(task,), conditions=(flow,), attention_checks=(), expectations=(), **more)


async def endings(parts: Parts) -> dict[str, int]:
    return dict((await overview.progress(parts, NAME)).people)


async def test_everyone_for_whom_there_are_items_is_let_in_until_places_are_opened(parts: Parts) -> None:
    await publish(parts, small())

    assert await openings.places(parts, NAME) == Places(None, 0, 8)
    assert (await openings.places(parts, NAME)).open == 8


async def test_who_comes_beyond_the_opened_places_is_told_that_all_are_taken(parts: Parts) -> None:
    await publish(parts, small())
    await openings.open_places(parts, NAME, 3, "owner")

    await asyncio.gather(*(enrol(parts, f"pid-{n}") for n in range(7)))

    assert await endings(parts) == {"active": 3, "over_quota": 4}
    assert (await openings.places(parts, NAME)).open == 0


async def test_who_came_too_late_does_not_get_in_by_the_same_link_when_places_are_opened_again(parts: Parts) -> None:
    await publish(parts, small())
    await openings.open_places(parts, NAME, 1, "owner")
    await enrol(parts, "first")
    late = await enrol(parts, "late")
    await openings.open_places(parts, NAME, 2, "owner")

    assert await enrol(parts, "late") == late
    assert (await showing.page(parts, late)).ending == "over_quota"


async def test_never_more_places_are_open_than_people_are_missing(parts: Parts) -> None:
    await publish(parts, small())
    await openings.open_places(parts, NAME, 5, "owner")
    await enrol(parts, "first")

    with pytest.raises(InvalidInput, match="open at most 3: 7 people are missing, 4 places are open"):
        await openings.open_places(parts, NAME, 4, "owner")

    assert (await openings.open_places(parts, NAME, 3, "owner")).open == 7


async def test_a_drop_out_holds_no_place_once_their_time_ran_out(parts: Parts, clock: Clock) -> None:
    await publish(parts, small(lease_minutes=10))
    await openings.open_places(parts, NAME, 1, "owner")
    gone = await enrol(parts, "gone")
    clock.move(minutes=11)

    next_one = await enrol(parts, "next")

    assert (await walk(parts, next_one)).ending == "done"
    assert (await showing.page(parts, gone)).ending == "timed_out"


async def test_who_comes_back_late_takes_no_second_place_of_the_batch(parts: Parts, clock: Clock) -> None:
    await publish(parts, small(lease_minutes=10))
    await openings.open_places(parts, NAME, 1, "owner")
    gone = await enrol(parts, "gone")
    clock.move(minutes=11)
    await overview.expire_leases(parts)

    await participation.come_back(parts, gone)
    late = await enrol(parts, "late")

    assert (await showing.page(parts, late)).ending == "over_quota"
    assert (await openings.places(parts, NAME)).held == 1


async def test_who_did_half_and_went_leaves_their_place_to_somebody_else(parts: Parts, clock: Clock) -> None:
    study = small(lease_minutes=10)
    two = make_task("relation", 4, annotators_per_item=2)
    await publish(parts, make_study(tasks=(*study.tasks, two), conditions=study.conditions, lease_minutes=10))
    await openings.open_places(parts, NAME, 1, "owner")
    gone = await enrol(parts, "gone")
    await step(parts, gone, await showing.page(parts, gone))
    await step(parts, gone, await showing.page(parts, gone))
    clock.move(minutes=11)
    await overview.expire_leases(parts)

    assert (await openings.places(parts, NAME)) == Places(1, 0, 7)
    assert (await showing.page(parts, await enrol(parts, "next"))).__class__.__name__ == "InstructionsPage"


async def test_closing_leaves_the_places_that_are_held(parts: Parts) -> None:
    await publish(parts, small())
    await openings.open_places(parts, NAME, 5, "owner")
    await enrol(parts, "first")

    assert (await openings.open_places(parts, NAME, 0, "owner")).open == 0
    assert (await showing.page(parts, await enrol(parts, "second"))).ending == "over_quota"
    assert (await openings.places(parts, NAME)).held == 1
