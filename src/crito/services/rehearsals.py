"""Keeps scripted people and real ones apart: a study's record holds one kind only."""

from crito.model.errors import Conflict
from crito.model.ids import StudyName
from crito.services.parts import Parts


async def require_no_rehearsal(parts: Parts, study: StudyName) -> None:
    """Refuse to let real people into a record that scripted ones have been in.

    Raises:
        Conflict: rows of a rehearsal remain.
    """
    people = await parts.store.read(lambda tx: tx.count_origin(study, "rehearsal"))
    if people:
        raise Conflict(
            f"{people} scripted people of a rehearsal are still in study {study!r}; "
            "remove them with --discard-rehearsal, or serve the study from another database"
        )


async def require_no_people(parts: Parts, study: StudyName) -> None:
    """Refuse to rehearse where real people have been.

    Raises:
        Conflict: somebody real takes part or took part.
    """
    people = await parts.store.read(lambda tx: tx.count_origin(study, "real"))
    if people:
        raise Conflict(
            f"{people} real people are in study {study!r} already, and a rehearsal would mix with them; "
            "rehearse in another database with --db"
        )


async def discard_rehearsal(parts: Parts, study: StudyName) -> int:
    """Delete everything that scripted people left; returns how many there were."""
    return await parts.store.write(lambda tx: tx.discard_rehearsal(study))
