"""Hand items over to the machine when the gate allows it, label and accept the rest, watch it by audits, take it back."""

import asyncio
import hashlib
from collections.abc import Collection
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from math import ceil
from typing import Any, NamedTuple

from crito.evidence.certificates import handoff_certificate
from crito.evidence.comparisons import evidence
from crito.model.certificate import Certificate
from crito.model.errors import Conflict
from crito.model.ids import HandoffId, ItemId, StudyName, TaskName
from crito.model.phrase import Phrase
from crito.model.record import Handoff, LabelOutcome, Revocation
from crito.model.study import Panel, Study
from crito.services import labelling
from crito.services.asking import Stopped
from crito.services.drawing import new_secret
from crito.services.labelling import Job
from crito.services.parts import Parts
from crito.services.ports.store import Tx
from crito.services.requesting import Chance, draw_requests, held_by_experts
from crito.services.standing import Standing, accept, in_force, standings
from crito.services.study_evidence import Audited, TaskEvidence, study_evidence
from crito.services.suggesting import machine_labels, machine_version
from crito.stats.statistic import as_json

AUDITS = 60
"""How many accepted items are drawn for audits at once, unless somebody says otherwise: half of the falls from 3 to
15 % of errors are found within as many."""


@dataclass(frozen=True, slots=True)
class HandedOver:
    """What a handing over did: the decision, the labels accepted at once, the audits asked for, and what is left to label."""

    handoff: Handoff
    accepted: int
    audits: int
    unlabelled: int


async def hand_over(parts: Parts, name: StudyName, task: TaskName, *, by: str, audits: int = AUDITS) -> HandedOver:
    """Leave the items that remain to the present machine: record the decision, accept what it has said, draw audits.

    Raises:
        NotFound: there is no such study.
        InvalidInput: it has no such task, suggests nothing, or no machine has labelled the task.
        Conflict: the gate does not allow it, it was done already, or audits have brought this version down.
    """
    found = await study_evidence(parts, name, task)
    if found.uncompared:
        raise Conflict(
            Phrase.counted(
                "%(num)s label that people gave on drawn items waits for the machine's, so nothing is known of the items it has "
                "not labelled; let `crito handoff --over` or `crito label` label them first",
                "%(num)s labels that people gave on drawn items wait for the machine's, so nothing is known of the items it has "
                "not labelled; let `crito handoff --over` or `crito label` label them first",
                found.uncompared,
            )
        )
    # The numeric libraries take seconds to load and to work: not on the loop that serves people.
    certificate = await asyncio.to_thread(handoff_certificate, found.rows.subject, found.rows.comparisons, found.rule)
    if certificate.results["decision"] != "hand_over":
        raise Conflict(
            Phrase(
                "task %(task)s may not be handed over: %(reason)s",
                task=repr(task),
                reason=certificate.results["reason"],
            )
        )
    number, study = await parts.latest(name)
    chance, now = Chance(new_secret(parts), parts.new_seed()), parts.now()

    def work(tx: Tx) -> HandedOver:
        _refuse_again(tx, study, task, found)
        handoff = _decided(found, certificate, number, by, now, place=len(tx.handoffs(name)))
        tx.add_handoff(handoff)
        accepted = accept(tx, handoff, found.machine, now)
        asked = _draw_audits(tx, study, handoff, audits, chance, now)
        return HandedOver(handoff, len(accepted), asked, found.rows.subject.n_items - len(found.machine.labels))

    return await parts.store.write(work)


def _refuse_again(tx: Tx, study: Study, task: TaskName, found: TaskEvidence) -> None:
    if machine_version(tx, study, task) != found.version:
        raise Conflict(Phrase("another version of the machine came in the meantime; look at what is known of it first"))
    for one in standings(tx, study.name):
        if one.handoff.task != task or one.handoff.version != found.version:
            continue
        if one.revocation is None:
            raise Conflict(
                Phrase(
                    "task %(task)s is handed over already, since %(time)s UTC",
                    task=repr(task),
                    time=f"{one.handoff.at:%Y-%m-%d %H:%M}",
                )
            )
        if one.revocation.reason == "audits":
            raise Conflict(
                Phrase(
                    "audits have shown that this version became worse, and no earlier label can unsay that; change the model, "
                    "its prompt or the guideline, and begin with new evidence"
                )
            )


def _decided(
    found: TaskEvidence, certificate: Certificate, number: int, by: str, now: datetime, *, place: int
) -> Handoff:
    rule, results, subject = found.rule, certificate.results, found.rows.subject
    about = f"{subject.study}/{subject.task}/{found.version}/{place}/{certificate.evidence_hash}"
    return Handoff(
        id=HandoffId(f"h-{hashlib.sha256(about.encode()).hexdigest()[:16]}"),
        study=subject.study,
        study_version=number,
        task=subject.task,
        version=found.version,
        number=subject.machine.number,
        rule=rule.rule,
        threshold=rule.threshold,
        level=rule.level,
        certified=bool(results["certified"]),
        n_items=subject.n_items,
        n_blind=certificate.n_evidence,
        agreeing=evidence(found.rows.comparisons).agreeing,
        bound=results["bound"]["value"],
        settings=asdict(rule),
        reading=results,
        evidence_hash=certificate.evidence_hash,
        evidence_until=certificate.evidence_until,
        by=by,
        at=now,
    )


async def ask_audits(parts: Parts, handoff: Handoff, n: int) -> int:
    """Draw audits among what is accepted, up to `n` once everything is; how many were asked for now.

    Audits come in step with the labels, so that they speak for all of them.
    """
    _, study = await parts.latest(handoff.study)
    chance, now = Chance(new_secret(parts), parts.new_seed()), parts.now()
    return await parts.store.write(lambda tx: _draw_audits(tx, study, handoff, n, chance, now))


def _draw_audits(tx: Tx, study: Study, handoff: Handoff, n: int, chance: Chance, now: datetime) -> int:
    task = study.task(handoff.task)
    items = {one.item for one in tx.accepted_labels(study.name) if one.handoff == handoff.id}
    requests = [one for one in tx.requests(study.name) if one.task == task.name]
    asked = sum(one.purpose == "audit" and one.requested_at >= handoff.at for one in requests)
    rest = max(1, handoff.n_items - len(tx.labelled_items(study.name, task.name)), len(items))
    missing = ceil(n * len(items) / rest) - asked
    taken = {one.item for one in requests} | tx.labelled_items(study.name, task.name) | held_by_experts(tx, study.name)
    population = [one for one in task.items if one.id in items - taken]
    if missing <= 0 or not population:
        return 0
    return len(draw_requests(tx, study, task, "audit", population, missing, chance, now).requests)


async def begin_comparisons(parts: Parts, name: StudyName, task: TaskName) -> Job | None:
    """The panel's work on items that people have labelled and it has not: what a decision rests on, before anything else
    is paid for. None where labels were recorded beforehand.
    """
    _, study = await parts.latest(name)
    if study.suggestions is None or (panel := _panel(study)) is None:
        return None
    labelled = await parts.store.read(lambda tx: tx.labelled_items(name, task))
    job = await labelling.begin(parts, study, panel, task=task)
    return replace(job, waiting=tuple(one for one in job.waiting if one.id in labelled))


async def begin_rest(parts: Parts, handoff: Handoff, *, limit: int | None = None) -> Job | None:
    """The panel's work on the items that are left to it and that it has not labelled; None where labels were recorded
    beforehand.

    Raises:
        Conflict: the handoff has ended.
    """
    _, study = await parts.latest(handoff.study)
    panel = _panel(study)
    if panel is None:
        return None

    def theirs(tx: Tx) -> Collection[ItemId]:
        _require(tx, handoff)
        return tx.labelled_items(handoff.study, handoff.task)

    labelled = await parts.store.read(theirs)
    job = await labelling.begin(parts, study, panel, task=handoff.task)
    if job.labelling.id != handoff.version:
        raise Conflict("the panel of the study file is not the one that was handed over to")
    return replace(job, waiting=tuple(one for one in job.waiting if one.id not in labelled)[:limit])


def _panel(study: Study) -> Panel | None:
    assert study.suggestions is not None, "nothing is handed over without suggestions"
    source = study.suggestions.source
    return None if study.suggestions.recorded else next(one for one in study.models if one.name == source)


def _require(tx: Tx, handoff: Handoff) -> None:
    standing = in_force(tx, handoff.study, handoff.task)
    if standing is None or standing.id != handoff.id:
        raise Conflict(f"the handoff of task {handoff.task!r} has ended; no label is accepted any more")


async def accept_outcome(parts: Parts, handoff: Handoff, outcome: LabelOutcome) -> None:
    """Accept the label that a run came to, if it came to one.

    Raises:
        Stopped: the handoff has ended, so nothing more is to be labelled under it.
    """
    await accept_rest(parts, handoff, only=[outcome.item])


async def accept_rest(parts: Parts, handoff: Handoff, *, only: Collection[ItemId] | None = None) -> int:
    """Accept what the machine has said of the items left to it; how many labels there were.

    Raises:
        Stopped: the handoff has ended.
    """
    _, study = await parts.latest(handoff.study)
    now = parts.now()

    def work(tx: Tx) -> int:
        standing = in_force(tx, handoff.study, handoff.task)
        if standing is None or standing.id != handoff.id:
            raise Stopped
        return len(accept(tx, handoff, machine_labels(tx, study, handoff.task, handoff.version), now, only=only))

    return await parts.store.write(work)


async def watch(parts: Parts, name: StudyName, task: TaskName) -> Audited | None:
    """Read the audits of the handoff in force, and revoke it when they show a fall; None where nothing is handed over."""
    handoff = await parts.store.read(lambda tx: in_force(tx, name, task))
    if handoff is None:
        return None
    found = await study_evidence(parts, name, task)
    audited = await asyncio.to_thread(found.audits, handoff.at)
    if audited.reading.fallen and found.version == handoff.version:
        fall = Revocation(
            handoff.id,
            "audits",
            audited.reading.reason,
            as_json(audited.reading),
            audited.evidence_hash,
            "",
            parts.now(),
        )
        await parts.store.write(lambda tx: tx.add_revocation(name, fall))
    return audited


class Watched(NamedTuple):
    """A handoff as it stands, with what the audits of one that is in force say."""

    standing: Standing
    audited: Audited | None


async def watched(parts: Parts, name: StudyName) -> tuple[Watched, ...]:
    """Every handoff of a study, latest first, its audits read anew."""
    stand = await parts.store.survey(lambda tx: standings(tx, name))
    read = {one.handoff.id: await watch(parts, name, one.handoff.task) for one in stand if one.revocation is None}
    if any(audited and audited.reading.fallen for audited in read.values()):
        stand = await parts.store.survey(lambda tx: standings(tx, name))
    return tuple(Watched(one, read.get(one.handoff.id)) for one in reversed(stand))


def facts_of(one: Watched) -> dict[str, Any]:
    """A handoff as JSON."""
    handoff, end, n_accepted = one.standing
    return {
        **as_json(handoff),
        "accepted": n_accepted,
        "audits": as_json(one.audited.reading) if one.audited else None,
        "ended": as_json(end) if end else None,
    }


async def take_back(parts: Parts, name: StudyName, task: TaskName, *, by: str, why: str) -> Handoff:
    """End the handoff in force by hand: no label is accepted any more, and people get the items again.

    Raises:
        Conflict: nothing is handed over.
    """
    now = parts.now()

    def work(tx: Tx) -> Handoff:
        handoff = in_force(tx, name, task)
        if handoff is None:
            raise Conflict(Phrase("nothing of task %(task)s is handed over", task=repr(task)))
        tx.add_revocation(name, Revocation(handoff.id, "taken_back", why, {}, "", by, now))
        return handoff

    return await parts.store.write(work)
