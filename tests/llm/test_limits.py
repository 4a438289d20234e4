import asyncio
import random

import pytest

from crito.llm.limits import MOST_GETTING_READY, Backoff, Limits, Turnstile, limits_of
from crito.model.errors import InvalidInput
from tests.llm.controls import QuickTime


async def let_out(turnstile: Turnstile, times: int, tokens: int = 10) -> list[float]:
    """When each of some requests, one after the other, was let out."""
    at = []
    for _ in range(times):
        async with turnstile.out(tokens) as now:
            at.append(now)
    return at


async def test_without_limits_nobody_waits():
    time = QuickTime()

    await let_out(Turnstile(Limits(), time), 100)

    assert time.waits == []


async def test_requests_are_spread_over_the_minute():
    at = await let_out(Turnstile(Limits(requests_per_minute=60), QuickTime()), 5)

    assert [later - at[0] for later in at] == pytest.approx([0, 1, 2, 3, 4])


async def test_tokens_are_spread_over_the_minute():
    at = await let_out(Turnstile(Limits(tokens_per_minute=600), QuickTime()), 3, tokens=100)

    assert [later - at[0] for later in at] == pytest.approx([0, 10, 20])


async def test_a_busy_provider_is_asked_half_as_much_at_once_and_slowly_more_again():
    turnstile = Turnstile(Limits(in_flight=8), QuickTime())
    (at,) = await let_out(turnstile, 1)

    turnstile.was_busy(at, 0)
    halved = turnstile.width
    for _ in range(100):
        turnstile.went_well()

    assert halved == 4
    assert turnstile.width == 8


async def test_a_burst_of_refusals_halves_once():
    turnstile = Turnstile(Limits(in_flight=8), QuickTime())
    at = await let_out(turnstile, 5)

    for let_out_at in at:
        turnstile.was_busy(let_out_at, 0)

    assert turnstile.width == 4


async def test_at_least_one_request_is_let_out():
    time = QuickTime()
    turnstile = Turnstile(Limits(in_flight=2), time)

    for _ in range(5):
        time.now += 1
        turnstile.was_busy(time.now, 0)

    assert turnstile.width == 1
    assert len(await let_out(turnstile, 2)) == 2


async def test_a_few_requests_get_ready_at_a_time_and_the_next_as_one_leaves():
    turnstile, ready, leave = Turnstile(Limits(), QuickTime()), [], asyncio.Event()

    async def request(number: int) -> None:
        async with turnstile.getting_ready() as leaves:
            ready.append(number)
            await leave.wait()
            leaves()
            await asyncio.Event().wait()  # for the reply

    requests = [asyncio.create_task(request(number)) for number in range(MOST_GETTING_READY + 1)]
    await asyncio.sleep(0)
    before = len(ready)
    leave.set()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    for one in requests:
        one.cancel()

    assert (before, len(ready)) == (MOST_GETTING_READY, MOST_GETTING_READY + 1)


async def test_a_request_that_fails_before_it_leaves_gives_its_turn_back():
    turnstile = Turnstile(Limits(), QuickTime())

    for _ in range(MOST_GETTING_READY + 1):
        with pytest.raises(OSError, match="full"):
            async with asyncio.timeout(5), turnstile.getting_ready():
                raise OSError("the disk is full")


async def test_nobody_goes_before_the_pause_is_over():
    time = QuickTime()
    turnstile = Turnstile(Limits(), time)

    turnstile.was_busy(time.now, 30)
    (at,) = await let_out(turnstile, 1)

    assert at == 1030


async def test_one_who_gives_up_waiting_leaves_the_place_to_the_next():
    turnstile = Turnstile(Limits(in_flight=1), QuickTime())

    async with turnstile.out(1):
        tired = asyncio.create_task(let_out(turnstile, 1))
        patient = asyncio.create_task(let_out(turnstile, 1))
        await asyncio.sleep(0)
        tired.cancel()

    assert len(await patient) == 1


async def test_one_who_gives_up_just_as_a_place_comes_hands_it_on():
    turnstile = Turnstile(Limits(in_flight=1), QuickTime())

    async with turnstile.out(1):
        tired = asyncio.create_task(let_out(turnstile, 1))
        patient = asyncio.create_task(let_out(turnstile, 1))
        await asyncio.sleep(0)
    tired.cancel()

    assert len(await patient) == 1


def test_waits_differ_between_those_who_wait():
    backoff = Backoff(random.Random(3))

    assert len({backoff.wait_s(4, None) for _ in range(20)}) == 20


def test_waits_do_not_grow_for_ever():
    assert Backoff(random.Random(3)).wait_s(50, None) <= 60


def test_limits_are_read_from_the_environment():
    found = limits_of("our-lab", {"CRITO_LIMITS_OUR_LAB": "in_flight=4 tokens_per_minute=9000"})

    assert found == Limits(in_flight=4, tokens_per_minute=9000)


@pytest.mark.parametrize(
    "given", ["inflight=4", "in_flight", "in_flight=-1", "in_flight=0", "requests_per_minute=many"]
)
def test_a_limit_that_is_none_says_how_to_write_one(given):
    with pytest.raises(InvalidInput, match="write CRITO_LIMITS_LAB='in_flight=32"):
        limits_of("lab", {"CRITO_LIMITS_LAB": given})
