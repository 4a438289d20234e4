"""A crowd of scripted people in one study, several at once, and what became of them."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median, quantiles
from urllib.parse import urlencode

import aiohttp

from crito.rehearsal.browser import Browser, Tally
from crito.rehearsal.people import STUCK, Person, Walked
from crito.rehearsal.tempers import REASONS, Mind, Temper


@dataclass(frozen=True, slots=True)
class Crowd:
    """How many come, how many of them at a time, and how they are.

    `known` are the answers to attention checks, by field. `seed` decides everything that they choose.
    """

    people: int
    at_once: int = 10
    seed: int = 1
    temper: Temper = field(default_factory=Temper)
    known: Mapping[str, str] = field(default_factory=dict)
    messages: Sequence[str] = REASONS
    patience_s: float = 30.0
    prefix: str = "rehearsal"


@dataclass(frozen=True, slots=True)
class StepTimes:
    """How long people waited for the page after a step, in seconds."""

    step: str
    n: int
    median_s: float
    p95_s: float
    most_s: float


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """What became of a crowd."""

    walked: Sequence[Walked]
    tally: Tally
    wall_s: float

    @property
    def endings(self) -> Mapping[str, int]:
        return Counter(walk.ending for walk in self.walked)

    @property
    def stuck(self) -> Sequence[Walked]:
        return [walk for walk in self.walked if walk.ending == STUCK]

    def times(self) -> Sequence[StepTimes]:
        return [
            StepTimes(step, len(seconds), median(seconds), _p95(seconds), max(seconds))
            for step, seconds in self.tally.seconds.items()
        ]


def invitation(address: str, who: str) -> str:
    """The link by which a platform sends someone."""
    return f"{address}?{urlencode({'PROLIFIC_PID': who, 'STUDY_ID': 'rehearsal', 'SESSION_ID': f'{who}-1'})}"


async def rehearse(address: str, crowd: Crowd, tally: Tally | None = None) -> Rehearsed:
    """Send a crowd through the study whose page for people is at `address`."""
    tally = tally or Tally()
    places = asyncio.Semaphore(crowd.at_once)
    began = time.perf_counter()
    async with aiohttp.TCPConnector(limit=0) as connector:

        async def one(number: int) -> Walked:
            who = f"{crowd.prefix}-{crowd.seed}-{number}"
            mind = Mind(random.Random(who), crowd.temper, crowd.known, crowd.messages)
            async with places:
                person = Person(
                    who, invitation(address, who), mind, lambda: Browser(who, connector, tally, crowd.patience_s)
                )
                return await person.walk()

        walked = await asyncio.gather(*(one(number) for number in range(crowd.people)))
    return Rehearsed(walked, tally, time.perf_counter() - began)


def _p95(seconds: Sequence[float]) -> float:
    return quantiles(seconds, n=20, method="inclusive")[-1] if len(seconds) > 1 else seconds[0]
