"""Someone comes: consent, a pseudonym, a drawn condition, and items of their own."""

import random
from collections.abc import Callable
from datetime import datetime

from crito.model.errors import Conflict, Forbidden, PartClosed
from crito.model.ids import AnnotatorId, Language, StudyName
from crito.model.record import Event, Identity, Participant
from crito.model.study import Ending, Study
from crito.services.assigning import Given, assign
from crito.services.openings import has_room
from crito.services.parts import Parts
from crito.services.ports.store import Tx
from crito.services.visit import Visit


async def find(parts: Parts, study: StudyName, identity: Identity) -> AnnotatorId | None:
    """Who this link belongs to, if they were here before."""
    return await parts.store.read(lambda tx: tx.find_person(study, identity))


async def is_expert(parts: Parts, annotator: AnnotatorId) -> bool:
    """Whether this person came by a personal link, to work through a queue."""
    return await parts.store.read(lambda tx: tx.participant(annotator).role == "expert")


async def enrol(parts: Parts, name: StudyName, identity: Identity | None, language: Language) -> AnnotatorId:
    """Consent was given: a pseudonym, a condition, assignments; the ending is `over_quota` when no place is left.

    The same identity gets the same pseudonym, however often and from however many windows it comes.

    Raises:
        Forbidden: the study is open to invited experts only.
        PartClosed: the study is paused or archived.
    """
    number, study = await parts.latest(name)
    if study.open_to == "experts":
        raise Forbidden("this study is open to invited experts only; they come in by a link of their own")
    seed, now = parts.new_seed(), parts.now()

    def add(tx: Tx) -> AnnotatorId:
        if tx.state(name) != "open":
            raise PartClosed(f"study {name!r} takes nobody new at the moment")
        newcomer = _participant(parts, study, number, seed, now, language)
        tx.expire_leases(now)
        given = assign(tx, study, newcomer) if has_room(tx, name, parts.origin) else Given(newcomer, (), ())
        tx.add_participant(given.participant, identity)
        tx.add_event(Event(newcomer.id, "consented", "", now, {"release": study.release}))
        for draw in given.draws:
            tx.add_draw(draw)
        tx.add_assignments(name, given.assignments)
        if given.assignments:
            Visit.begin(parts, tx, newcomer.id).move_on()
        else:
            _end_at_once(tx, newcomer.id, "over_quota", now)
        return newcomer.id

    return await _once_per_identity(parts, name, identity, add)


async def decline(parts: Parts, name: StudyName, identity: Identity | None, language: Language) -> AnnotatorId:
    """Consent was refused: the person is counted, and nothing else is kept about them."""
    number, study = await parts.latest(name)
    seed, now = parts.new_seed(), parts.now()

    def add(tx: Tx) -> AnnotatorId:
        if tx.state(name) == "archived":
            raise PartClosed(f"study {name!r} is closed")
        newcomer = _participant(parts, study, number, seed, now, language)
        tx.add_participant(newcomer, identity)
        tx.add_event(Event(newcomer.id, "declined", "", now))
        _end_at_once(tx, newcomer.id, "no_consent", now)
        return newcomer.id

    return await _once_per_identity(parts, name, identity, add)


async def _once_per_identity(
    parts: Parts, name: StudyName, identity: Identity | None, add: Callable[[Tx], AnnotatorId]
) -> AnnotatorId:
    """Whoever came with this identity before, or else the one that `add` adds."""

    def work(tx: Tx) -> AnnotatorId:
        known = identity and tx.find_person(name, identity)
        return known or add(tx)

    try:
        return await parts.store.write(work)
    except Conflict:
        # Two windows consented at once and the other one was first.
        known = identity and await find(parts, name, identity)
        if known:
            return known
        raise


def _participant(parts: Parts, study: Study, number: int, seed: int, now: datetime, language: Language) -> Participant:
    pseudonym = AnnotatorId(f"p-{random.Random(seed).getrandbits(60):015x}")
    return Participant(pseudonym, study.name, number, parts.origin, language, "", seed, now)


def _end_at_once(tx: Tx, annotator: AnnotatorId, ending: Ending, now: datetime) -> None:
    tx.end_participation(annotator, ending, now)
    tx.add_event(Event(annotator, "ended", ending, now))
