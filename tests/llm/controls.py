"""Limits, budget and time of calls as a test wants them; waiting takes no time."""

import random
from dataclasses import dataclass, field

from crito.llm.ledger import Controls, InFlight
from crito.llm.limits import Backoff, Budget, Limits, Turnstile


@dataclass
class QuickTime:
    """A clock that runs only while somebody waits."""

    now: float = 1000.0
    waits: list[float] = field(default_factory=list)

    def seconds(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds


def make_controls(
    *,
    limits: Limits | None = None,
    budget: Budget | None = None,
    time: QuickTime | None = None,
    in_flight: InFlight = "hold",
) -> Controls:
    time = time or QuickTime()
    return Controls(Turnstile(limits or Limits(), time), budget or Budget(), Backoff(random.Random(1)), time, in_flight)
