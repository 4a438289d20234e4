"""Handoffs as they stand: which are in force, what was accepted under them, and how they end."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from crito.model.ids import ItemId, StudyName, TaskName
from crito.model.record import AcceptedLabel, Handoff, Revocation, RevocationReason
from crito.model.study import Study
from crito.services.ports.store import Tx
from crito.services.suggesting import MachineLabels, machine_version


class Standing(NamedTuple):
    """A handoff, how it ended if it has, and how many labels were accepted under it."""

    handoff: Handoff
    revocation: Revocation | None
    n_accepted: int


def standings(tx: Tx, study: StudyName) -> list[Standing]:
    """Every handoff of a study, in the order in which they were decided."""
    ends = {one.handoff: one for one in tx.revocations(study)}
    accepted = tx.count_accepted(study)
    return [Standing(one, ends.get(one.id), accepted.get(one.id, 0)) for one in tx.handoffs(study)]


def in_force(tx: Tx, study: StudyName, task: TaskName) -> Handoff | None:
    """The handoff under which labels of a task are accepted now."""
    ended = {one.handoff for one in tx.revocations(study)}
    own = [one for one in tx.handoffs(study) if one.task == task and one.id not in ended]
    return own[-1] if own else None


def fallen(tx: Tx, study: StudyName) -> tuple[TaskName, ...]:
    """Tasks whose machine labels are accepted no more because audits showed a fall, until they are handed over anew."""
    return tuple(task for task, reason in ended_by_record(tx, study).items() if reason == "audits")


def ended_by_record(tx: Tx, study: StudyName) -> Mapping[TaskName, RevocationReason]:
    """Tasks whose last handoff has ended, with the reason; those that somebody took back by hand are left out."""
    last = {one.task: one.id for one in tx.handoffs(study)}
    ends = {one.handoff: one.reason for one in tx.revocations(study)}
    return {task: ends[id_] for task, id_ in last.items() if ends.get(id_, "taken_back") != "taken_back"}


def end_outdated(tx: Tx, study: Study, now: datetime) -> None:
    """End handoffs to machines that are no longer the present one: what they proved, they proved of another version."""
    for task in study.tasks:
        handoff = in_force(tx, study.name, task.name)
        if handoff is None or machine_version(tx, study, task.name) == handoff.version:
            continue
        words = "another version of the machine came; evidence about it begins anew"
        tx.add_revocation(study.name, Revocation(handoff.id, "new_version", words, {}, "", "", now))


def accept(
    tx: Tx, handoff: Handoff, said: MachineLabels, now: datetime, *, only: Collection[ItemId] | None = None
) -> Sequence[AcceptedLabel]:
    """Accept what the machine says of items that no person has labelled, unless the handoff has ended.

    Args:
        said: by the handoff's own version.
        only: these items; all, if left out.
    """
    standing = in_force(tx, handoff.study, handoff.task)
    if standing is None or standing.id != handoff.id:
        return ()
    theirs = tx.labelled_items(handoff.study, handoff.task)
    labels = [
        AcceptedLabel(handoff.id, handoff.task, item, one.item_hash, one.label, one.confidence, one.source, now)
        for item, one in said.labels.items()
        if item not in theirs and (only is None or item in only)
    ]
    tx.accept_labels(handoff.study, labels)
    return labels
