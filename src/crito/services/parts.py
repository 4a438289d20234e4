"""The parts a use case works with, built once by `bootstrap` and passed in."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from crito.model.errors import NotFound
from crito.model.ids import StudyName
from crito.model.record import Origin
from crito.model.study import Study
from crito.services.ports.models import ChatModels
from crito.services.ports.recruiting import SubmissionSource
from crito.services.ports.store import Store, Tx
from crito.studies.definition import load


@dataclass(frozen=True)
class Parts:
    """Store, models, clock and chance.

    `new_seed` gives a fresh 63-bit number; a use case that draws stores the number it used.
    `origin` marks the people who enrol through these parts. `prolific` is there where a token for it is.
    """

    store: Store
    models: ChatModels
    now: Callable[[], datetime]
    new_seed: Callable[[], int]
    origin: Origin = "real"
    prolific: SubmissionSource | None = None
    _editions: dict[tuple[StudyName, int], Study] = field(default_factory=dict)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def in_background(self, work: Coroutine[Any, Any, None]) -> None:
        """Carry on with `work` whoever stops waiting for it; `drain` waits for what is left."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def drain(self) -> None:
        """Wait for the work in the background, so that a server can stop without losing it."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def edition(self, tx: Tx, name: StudyName, number: int) -> Study:
        """One edition of a study; editions never change, so each is read once."""
        key = (name, number)
        if key not in self._editions:
            self._editions[key] = load(tx.version(name, number).definition)
        return self._editions[key]

    async def latest(self, name: StudyName) -> tuple[int, Study]:
        """The number and content of the edition that newcomers get.

        Raises:
            NotFound: no study of this name was published here.
        """

        def work(tx: Tx) -> tuple[int, Study]:
            number = tx.latest_number(name)
            if number is None:
                raise NotFound(f"there is no study {name!r} here")
            return number, self.edition(tx, name, number)

        return await self.store.read(work)
