"""What the owner sees of a study as it runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from crito.model.ids import StudyName
from crito.services.parts import Parts
from crito.services.ports import ItemProgress, PersonRow, StatusCounts, Tx

RECENT = timedelta(minutes=10)
"""Whoever did something in this time is taking part, whether or not they hold a place."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a study is: places per item, assignments by status, people by ending (`active` for those who have none).

    `present` of the active people are taking part now; the others are away.
    """

    items: Sequence[ItemProgress]
    assignments: Sequence[StatusCounts]
    people: Mapping[str, int]
    present: int

    @property
    def away(self) -> int:
        return self.people.get("active", 0) - self.present


async def progress(parts: Parts, study: StudyName) -> Progress:
    now = parts.now()

    def work(tx: Tx) -> Progress:
        present = tx.count_present(study, now, now - RECENT)
        return Progress(tx.progress(study), tx.status_counts(study), tx.count_people(study), present)

    return await parts.store.survey(work)


async def people(parts: Parts, study: StudyName, *, after: str = "", limit: int = 50) -> Sequence[PersonRow]:
    """One page of people, newest first; `after` is the last pseudonym of the page before."""
    return await parts.store.survey(lambda tx: tx.people(study, after=after, limit=limit))


def is_present(row: PersonRow, now: datetime) -> bool:
    """Whether this person is taking part now: nothing ended it, and a place of theirs is kept or they did something lately."""
    alive = row.lease_until is not None and row.lease_until > now
    return row.participant.ending is None and (alive or row.last_seen_at >= now - RECENT)


async def expire_leases(parts: Parts) -> int:
    """Give back the places of people whose time ran out; returns how many."""
    return await parts.store.write(lambda tx: tx.expire_leases(parts.now()))
