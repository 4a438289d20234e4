"""What the owner sees of a study as it runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from crito.model.ids import StudyName
from crito.services.parts import Parts
from crito.services.ports.owner import ItemProgress, PersonRow, StatusCounts

RECENT = timedelta(minutes=10)
"""Whoever did something in this time is taking part, whether or not they hold a place."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a study is: places per item, assignments by status, people by ending (`active` for those who have none)."""

    items: Sequence[ItemProgress]
    assignments: Sequence[StatusCounts]
    people: Mapping[str, int]


async def progress(parts: Parts, study: StudyName) -> Progress:
    return await parts.store.survey(
        lambda tx: Progress(tx.progress(study), tx.status_counts(study), tx.count_people(study))
    )


async def people(parts: Parts, study: StudyName, *, after: str = "", limit: int = 50) -> Sequence[PersonRow]:
    """One page of people, newest first; `after` is the last pseudonym of the page before."""
    return await parts.store.survey(lambda tx: tx.people(study, after=after, limit=limit))


async def expire_leases(parts: Parts) -> int:
    """Give back the places of people whose time ran out; returns how many."""
    return await parts.store.write(lambda tx: tx.expire_leases(parts.now()))
