"""Places for people, opened by the owner some at a time: who comes when all are held meets a full study."""

from collections.abc import Mapping
from dataclasses import dataclass

from crito.model.errors import InvalidInput
from crito.model.ids import StudyName, TaskName
from crito.model.phrase import Phrase
from crito.model.record import Origin
from crito.model.recruitment import Opening
from crito.model.study import Study
from crito.services.parts import Parts
from crito.services.ports.store import Tx


@dataclass(frozen=True, slots=True)
class Places:
    """How many people may still come.

    Attributes:
        opened: places opened in all; None where the owner never opened any, so that everyone is let in for whom there
            are items.
        held: people who finished, as far as that counts, or are under way.
        missing: for how many more people there are items; more places than these are never open.
    """

    opened: int | None
    held: int
    missing: int

    @property
    def open(self) -> int:
        """How many people who come now are let in."""
        return self.missing if self.opened is None else max(0, min(self.opened - self.held, self.missing))


async def places(parts: Parts, name: StudyName) -> Places:
    """How many places for people there are, and how many of them are held.

    Raises:
        NotFound: no study of this name was published here.
    """
    _, study = await parts.latest(name)
    return await parts.store.survey(lambda tx: _places(tx, study, parts.origin))


async def open_places(parts: Parts, name: StudyName, n: int, by: str) -> Places:
    """Open `n` more places, or close all that nobody holds with `n` 0.

    Raises:
        InvalidInput: there would be more open places than people missing.
        NotFound: no study of this name was published here.
    """
    _, study = await parts.latest(name)

    def work(tx: Tx) -> Places:
        tx.expire_leases(parts.now())
        before = _places(tx, study, parts.origin, lock=True)
        left = 0 if before.opened is None else max(0, before.opened - before.held)
        if n < 0 or left + n > before.missing:
            raise InvalidInput(
                Phrase("more places would be open than people are missing"), came=n, key="n",
                wanted=Phrase(
                    "open at most %(most)s: %(missing)s people are missing, %(open)s places are open",
                    most=max(0, before.missing - left), missing=before.missing, open=left,
                ),
            )  # fmt: skip
        opened = before.held + (left + n if n else 0)
        tx.add_opening(Opening(name, opened - (before.opened or 0), by, parts.now()))
        return Places(opened, before.held, before.missing)

    return await parts.store.write(work)


def has_room(tx: Tx, study: StudyName, origin: Origin) -> bool:
    """Whether one more person may hold a place; others who ask wait until this transaction ends."""
    openings = tx.openings(study, lock=True)
    return not openings or tx.count_holders(study, origin) < sum(opening.places for opening in openings)


def _places(tx: Tx, study: Study, origin: Origin, *, lock: bool = False) -> Places:
    openings = tx.openings(study.name, lock=lock)
    return Places(
        sum(opening.places for opening in openings) if openings else None,
        tx.count_holders(study.name, origin),
        people_missing(study, tx.free_places(study.name)),
    )


def people_missing(study: Study, free: Mapping[tuple[TaskName, str], int]) -> int:
    """For how many more people the free places suffice, each taking their items of every task."""

    def people(*conditions: str) -> int:
        return min(
            sum(free.get((task.name, condition), 0) for condition in conditions) // task.items_per_person
            for task in study.tasks
        )

    names = [condition.name for condition in study.conditions]
    if not names:
        return 0
    return sum(people(name) for name in names) if study.assign == "person" else people(*names)
