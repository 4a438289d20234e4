"""How fast a provider may be asked, and how much money a run may spend."""

import asyncio
import math
import random
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import astuple, dataclass, fields, replace
from typing import Protocol

from crito.model.errors import BudgetReached, InvalidInput

LIMITS_PREFIX = "CRITO_LIMITS_"
"""`CRITO_LIMITS_OPENAI="in_flight=32 requests_per_minute=500 tokens_per_minute=200000"`, each of them optional."""


MOST_GETTING_READY = 16
"""How many requests to one provider are made at the same time; the others wait for a turn."""


class Time(Protocol):
    """The time that passes, by a clock that nobody sets, and waiting for it."""

    def seconds(self) -> float: ...
    async def sleep(self, seconds: float) -> None: ...


class RealTime:
    """The time of this machine."""

    def seconds(self) -> float:
        return asyncio.get_running_loop().time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


@dataclass(frozen=True, slots=True)
class Limits:
    """What a provider may be asked at once and in a minute; 0 is no limit."""

    in_flight: int = 128
    requests_per_minute: int = 0
    tokens_per_minute: int = 0

    @property
    def sharers(self) -> int:
        """Among how many they can be shared out, so that each gets something and all together no more."""
        return min(limit for limit in (self.in_flight, self.requests_per_minute, self.tokens_per_minute) if limit)

    def share(self, sharers: int) -> "Limits":
        """An even share of each."""
        return Limits(*(limit // sharers for limit in astuple(self)))

    def __str__(self) -> str:
        """As the environment has them."""
        return " ".join(f"{field.name}={getattr(self, field.name)}" for field in fields(self))


def limits_variable(provider: str) -> str:
    """The variable that sets the limits of a provider."""
    return f"{LIMITS_PREFIX}{provider.upper().replace('-', '_')}"


def limits_of(provider: str, environment: Mapping[str, str], usual: Limits = Limits()) -> Limits:
    """The limits that the environment sets for a provider, over the usual ones.

    Raises:
        InvalidInput: they are written in another way.
    """
    variable = limits_variable(provider)
    names = {field.name for field in fields(Limits)}
    given: dict[str, int] = {}
    for word in environment.get(variable, "").split():
        name, _, number = word.partition("=")
        if name not in names or not number.isdecimal() or (name == "in_flight" and not int(number)):
            wanted = f"write {variable}='in_flight=32 requests_per_minute=500 tokens_per_minute=200000'"
            raise InvalidInput("this is no limit of a provider", came=word, wanted=wanted)
        given[name] = int(number)
    return replace(usual, **given)


class Turnstile:
    """Lets requests to one provider out: so many at once, so many a minute, fewer when it says that it is busy.

    After an answer that says *busy*, half as many are let out at once as before; with each good answer a little more
    again, up to the limit. Whoever waits goes in the order of coming.
    """

    def __init__(self, limits: Limits, time: Time) -> None:
        self._limits = limits
        self._time = time
        self._width = float(limits.in_flight)
        self._inside = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._paused_until = 0.0
        self._next_request_at = 0.0
        self._next_tokens_at = 0.0
        self._halved_at = -math.inf
        self._ready = asyncio.Semaphore(MOST_GETTING_READY)

    @property
    def width(self) -> int:
        """How many may be out at once now."""
        return max(1, int(self._width))

    @asynccontextmanager
    async def out(self, tokens: int) -> AsyncIterator[float]:
        """A place for one request of about so many tokens; gives the time at which it was let out."""
        await self._take_place()
        try:
            await self._wait_for_rates(tokens)
            yield self._time.seconds()
        finally:
            self._inside -= 1
            self._admit()

    @asynccontextmanager
    async def getting_ready(self) -> AsyncIterator[Callable[[], None]]:
        """A turn to make a request and record it; call what it gives once the request is about to leave.

        Requests that all got ready side by side would all leave at the last one's moment, and their replies would come
        together again: the work on a whole crowd would be added to the time of each.
        """
        await self._ready.acquire()
        turn = [self._ready]
        try:
            yield lambda: turn.pop().release() if turn else None
        finally:
            if turn:
                turn.pop().release()

    def went_well(self) -> None:
        self._width = min(float(self._limits.in_flight), self._width + 1 / self._width)
        self._admit()

    def was_busy(self, let_out_at: float, pause_s: float) -> None:
        """The provider refused a request let out at `let_out_at`; nobody goes before the pause it asked for is over."""
        now = self._time.seconds()
        self._paused_until = max(self._paused_until, now + pause_s)
        if let_out_at > self._halved_at:  # one burst of refusals halves once
            self._width, self._halved_at = max(1.0, self._width / 2), now

    async def _take_place(self) -> None:
        if self._inside < self.width and not self._waiting:
            self._inside += 1
            return
        place = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self._inside -= 1
                self._admit()
            raise

    def _admit(self) -> None:
        while self._waiting and self._inside < self.width:
            place = self._waiting.popleft()
            if not place.done():
                self._inside += 1
                place.set_result(None)

    async def _wait_for_rates(self, tokens: int) -> None:
        """Requests go evenly over the minute, so that no minute, wherever it begins, has more than the limit."""
        now, at = self._time.seconds(), 0.0
        if self._limits.requests_per_minute:
            at = max(at, self._next_request_at)
            self._next_request_at = max(now, self._next_request_at) + 60 / self._limits.requests_per_minute
        if self._limits.tokens_per_minute:
            at = max(at, self._next_tokens_at)
            self._next_tokens_at = max(now, self._next_tokens_at) + 60 * tokens / self._limits.tokens_per_minute
        while (wait_s := max(at, self._paused_until) - self._time.seconds()) > 0:
            await self._time.sleep(wait_s)


class Backoff:
    """How long to wait before a call is sent again."""

    def __init__(self, rng: random.Random, first_s: float = 1.0, longest_s: float = 60.0) -> None:
        self._rng = rng
        self._first_s = first_s
        self._longest_s = longest_s

    def wait_s(self, tries: int, retry_after_s: float | None) -> float:
        """At least what the provider asked for; otherwise twice as long each time; never the same for all who wait."""
        step_s = min(self._longest_s, self._first_s * 2.0**tries)
        if retry_after_s is not None:
            return retry_after_s + self._rng.uniform(0, step_s / 2)
        return self._rng.uniform(step_s / 2, step_s)


class Budget:
    """Money that may be spent: set aside before a call for the most it can cost, settled after it for what it did.

    `spent_usd` begins with what was spent before; None for no limit.
    """

    def __init__(self, usd: float | None = None, spent_usd: float = 0.0) -> None:
        self._usd = usd
        self.spent_usd = spent_usd
        self._aside: list[float] = []
        self._settled = asyncio.Event()

    async def set_aside(self, model: str, most: Callable[[], float | None]) -> float:
        """The sum set aside: the most that the call can cost, which is worked out only where there is a limit.

        A call that would cross the limit waits for those under way, which mostly cost less.

        Raises:
            BudgetReached: the limit would be crossed even so.
            InvalidInput: there is a limit, and the price is not known.
        """
        if self._usd is None:
            return 0.0
        most_usd = most()
        if most_usd is None:
            raise InvalidInput(
                f"the price of {model} is not known, so no budget can be kept",
                wanted="give its price in a file that CRITO_PRICES names, or leave the budget out",
            )
        while self.spent_usd + sum(self._aside) + most_usd > self._usd:
            if not self._aside:
                raise BudgetReached(self._usd, self.spent_usd, most_usd)
            self._settled.clear()
            await self._settled.wait()
        self._aside.append(most_usd)
        return most_usd

    def settle(self, aside_usd: float, cost_usd: float) -> None:
        self.spent_usd += cost_usd
        if self._usd is not None:
            self._aside.remove(aside_usd)
            self._settled.set()
