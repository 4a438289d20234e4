"""What programs read of a study: the studies themselves, and the labels of people who have not taken them back."""

from collections.abc import Sequence
from typing import NamedTuple

from crito.model.ids import StudyName
from crito.model.record import Annotation
from crito.model.study import Study
from crito.services.parts import Parts
from crito.services.ports.store import Tx


class AnnotationPage(NamedTuple):
    """Labels of some people; `next` names the last of them while more follow, else it is empty."""

    annotations: Sequence[Annotation]
    next: str


async def studies(parts: Parts) -> Sequence[Study]:
    """The latest edition of every study served here, by name."""

    def work(tx: Tx) -> list[Study]:
        numbered = [(name, tx.latest_number(name)) for name in sorted(tx.study_names())]
        return [parts.edition(tx, name, number) for name, number in numbered if number is not None]

    return await parts.store.survey(work)


async def annotations(parts: Parts, study: StudyName, *, after: str = "", limit: int = 50) -> AnnotationPage:
    """Every revision of every label of the `limit` people that follow `after` in the order of their pseudonyms."""

    def work(tx: Tx) -> AnnotationPage:
        people = [record.participant for record in tx.persons(study, after=after, limit=limit + 1)]
        shown = [person.id for person in people[:limit] if person.ending != "withdrawn"]
        history = tx.annotation_history(study, shown) if shown else ()
        return AnnotationPage(history, people[limit - 1].id if len(people) > limit else "")

    return await parts.store.survey(work)
