"""Drives many runs at once in this process, and comes to rest between two calls when it is told to stop."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import TypeVar

from crito.services.asking import Stopped

Work = TypeVar("Work")
Result = TypeVar("Result")


class LocalEngine:
    """At most `at_once` calls, and as many runs, at a time.

    Runs that wait for each other's calls would keep the engine from being full, so there are as many of them as calls.
    """

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._calls = asyncio.Semaphore(at_once)
        self._stopping = False

    def stop(self) -> None:
        """Make no further call; `drive` returns when those in flight are recorded."""
        self._stopping = True

    @property
    def stopped(self) -> bool:
        """Whether it was told to stop."""
        return self._stopping

    async def turnstile(self, call: Callable[[], Awaitable[Result]]) -> Result:
        """Make a call when there is room for it.

        Raises:
            Stopped: the engine was told to stop.
        """
        async with self._calls:
            if self._stopping:
                raise Stopped
            return await call()

    async def drive(
        self, waiting: Iterable[Work], work: Callable[[Work], Awaitable[Result]], done: Callable[[Result], None]
    ) -> None:
        """Do the `work` on all that is waiting, in its order, and tell each result.

        Raises:
            Exception: the first one that `work` raised; the calls in flight were recorded before.
        """
        queue = iter(waiting)
        workers = [asyncio.create_task(self._worker(queue, work, done)) for _ in range(self._at_once)]
        ended = await asyncio.gather(*workers, return_exceptions=True)
        problem = next((problem for problem in ended if isinstance(problem, BaseException)), None)
        if problem is not None:
            raise problem

    async def _worker(
        self, queue: Iterator[Work], work: Callable[[Work], Awaitable[Result]], done: Callable[[Result], None]
    ) -> None:
        for one in queue:
            if self._stopping:
                return
            try:
                done(await work(one))
            except Stopped:
                return
            except BaseException:
                self.stop()
                raise
