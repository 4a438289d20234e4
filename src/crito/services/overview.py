"""What the owner sees of a study as it runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from crito.model.ids import StudyName
from crito.services.parts import Parts
from crito.services.ports import ItemProgress, PersonRow, StatusCounts, Tx


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a study is: places per item, assignments by status, people by ending (`active` for those who have none)."""

    items: Sequence[ItemProgress]
    assignments: Sequence[StatusCounts]
    people: Mapping[str, int]


async def progress(parts: Parts, study: StudyName) -> Progress:
    def work(tx: Tx) -> Progress:
        return Progress(tx.progress(study), tx.status_counts(study), tx.count_people(study))

    return await parts.store.read(work)


async def people(parts: Parts, study: StudyName, *, after: str = "", limit: int = 50) -> Sequence[PersonRow]:
    """One page of people, newest first; `after` is the last pseudonym of the page before."""
    return await parts.store.read(lambda tx: tx.people(study, after=after, limit=limit))


async def expire_leases(parts: Parts) -> int:
    """Give back the places of people whose time ran out; returns how many."""
    return await parts.store.write(lambda tx: tx.expire_leases(parts.now()))
