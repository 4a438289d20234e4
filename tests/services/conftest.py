"""The use cases over real databases, with a clock that tests move."""

from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from itertools import count

import pytest

from crito.model.errors import InvalidInput
from crito.services.parts import Parts
from crito.services.ports.models import ChatModel
from crito.store.opening import open_store
from tests.builders import NOON


class Clock:
    """Time that stands still unless it is moved."""

    def __init__(self) -> None:
        self.time = NOON

    def __call__(self) -> datetime:
        return self.time

    def move(self, **by: float) -> None:
        self.time += timedelta(**by)


def no_models(name: str) -> ChatModel:
    raise InvalidInput("this test has no models", came=name)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def parts(record_url: str, clock: Clock) -> AsyncIterator[Parts]:
    seeds = count(1)
    made = Parts(open_store(record_url), no_models, clock, lambda: next(seeds))
    yield made
    await made.drain()
    await made.store.close()
