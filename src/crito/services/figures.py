"""What stands in the record right now, in numbers that say nothing about anybody: for those who watch a server."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from crito.model.ids import StudyName
from crito.services.overview import RECENT
from crito.services.parts import Parts
from crito.services.ports.agents import CallTotals
from crito.services.ports.owner import KeptPlaces
from crito.services.ports.store import Tx


@dataclass(frozen=True, slots=True)
class StudyFigures:
    """One study: people by ending (`active` for those without), present ones, assignments by status, kept places, calls."""

    study: StudyName
    people: Mapping[str, int]
    present: int
    assignments: Mapping[str, int]
    kept: KeptPlaces
    calls: Sequence[CallTotals]


async def figures(parts: Parts) -> Sequence[StudyFigures]:
    """The figures of each study on record."""
    now = parts.now()
    return await parts.store.survey(lambda tx: [_of_study(tx, study, now) for study in tx.study_names()])


def _of_study(tx: Tx, study: StudyName, now: datetime) -> StudyFigures:
    assignments: dict[str, int] = {}
    for count in tx.status_counts(study):
        assignments[count.status] = assignments.get(count.status, 0) + count.assignments
    return StudyFigures(
        study,
        people=tx.count_people(study),
        present=tx.count_present(study, now, now - RECENT),
        assignments=assignments,
        kept=tx.count_kept(study, now),
        calls=tx.call_totals(study),
    )
