"""The engine on one machine: how many calls at a time, and how it comes to rest."""

import asyncio

import pytest

from crito.engine.local import LocalEngine


class Calls:
    """Work of one call each, which waits until it is let go."""

    def __init__(self, engine: LocalEngine) -> None:
        self.engine = engine
        self.under_way = 0
        self.most = 0
        self.go = asyncio.Event()

    async def work(self, number: int) -> int:
        return await self.engine.turnstile(lambda: self._call(number))

    async def _call(self, number: int) -> int:
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        await self.go.wait()
        self.under_way -= 1
        return number


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_as_many_calls_as_allowed_are_made_at_a_time_and_all_of_them_in_the_end() -> None:
    engine, results = LocalEngine(3), list[int]()
    calls = Calls(engine)
    driving = asyncio.create_task(engine.drive(range(10), calls.work, results.append))
    await settle()
    assert calls.under_way == 3

    calls.go.set()
    await driving

    assert (sorted(results), calls.most) == (list(range(10)), 3)


async def test_when_it_is_told_to_stop_calls_in_flight_end_and_no_other_begins() -> None:
    engine, results = LocalEngine(2), list[int]()
    calls = Calls(engine)
    driving = asyncio.create_task(engine.drive(range(10), calls.work, results.append))
    await settle()

    engine.stop()
    calls.go.set()
    await driving

    assert (sorted(results), engine.stopped) == ([0, 1], True)


async def test_the_first_error_stops_it_once_calls_in_flight_have_ended() -> None:
    engine, results = LocalEngine(2), list[int]()
    calls = Calls(engine)

    async def work(number: int) -> int:
        if number == 1:
            raise ValueError("one")
        return await calls.work(number)

    driving = asyncio.create_task(engine.drive(range(10), work, results.append))
    await settle()
    calls.go.set()

    with pytest.raises(ValueError, match="one"):
        await driving
    assert results == [0]
