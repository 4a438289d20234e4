"""Publish a study file: its first edition, or a new one of a study that has begun."""

import hashlib
from collections.abc import Iterator

from crito.model.errors import Conflict
from crito.model.record import StudyVersion
from crito.model.study import Study
from crito.services.drawing import draw_blind_samples, new_secret
from crito.services.parts import Parts
from crito.services.ports.store import Tx
from crito.services.ports.studies import SlotNeed
from crito.services.standing import end_outdated
from crito.studies.definition import changes, dump, load


def text_hash(text: str) -> str:
    """SHA-256 of words of the study itself."""
    return hashlib.sha256(text.encode()).hexdigest()


def slot_needs(study: Study) -> Iterator[SlotNeed]:
    """`annotators_per_item` counts in each condition."""
    for task in study.tasks:
        for item in task.items:
            for condition in study.conditions:
                yield SlotNeed(task.name, condition.name, item.id, item.hash, task.annotators_per_item)


async def publish(parts: Parts, study: Study, *, changes_confirmed: bool = False) -> StudyVersion:
    """Make `study` the edition that newcomers get; the same file again changes nothing.

    People who have begun keep the edition they began with, and labels keep the edition they were given under.

    Raises:
        Conflict: labels or items differ from the last edition, people have labelled, and nobody confirmed it.
    """
    definition = dump(study)
    secrets = [new_secret(parts) for _ in study.tasks] if study.suggestions else []
    digest = text_hash(definition)

    def work(tx: Tx) -> StudyVersion:
        last = tx.latest_version(study.name)
        if last is not None and last.hash == digest:
            return last
        if last is not None and not changes_confirmed and tx.status_counts(study.name):
            _refuse_touching(load(last.definition), study)
        version = StudyVersion(study.name, last.number + 1 if last else 1, definition, digest, parts.now())
        tx.add_version(version)
        for task in study.tasks:
            tx.put_items(study.name, task.name, task.items)
        tx.make_slots(study.name, list(slot_needs(study)), seed=study.seed or int(digest[:15], 16))
        if study.suggestions:
            draw_blind_samples(tx, study, secrets, version.published_at)
        end_outdated(tx, study, version.published_at)
        return version

    return await parts.store.write(work)


async def note_on_display(parts: Parts, study: Study) -> str:
    """What to know when the display of suggestions changes under a study that has labels; empty when it does not.

    To be asked before the study is published.
    """

    def work(tx: Tx) -> str:
        last = tx.latest_version(study.name)
        old = load(last.definition).suggestions if last else None
        if old is None or study.suggestions is None or old.display == study.suggestions.display:
            return ""
        if not any(tx.labelled_items(study.name, task.name) for task in study.tasks):
            return ""
        return (
            f"suggestions were shown as {old.display} and will be as {study.suggestions.display}: labels that were given "
            "with a suggestion in view stay so for good, and the blind sample stays as it was drawn"
        )

    return await parts.store.read(work)


def _refuse_touching(old: Study, new: Study) -> None:
    touching = [change.says for change in changes(old, new) if change.needs_confirmation]
    if touching:
        raise Conflict(
            f"people have begun study {new.name!r}, and the file changes what they label: {'; '.join(touching)}. "
            "Labels given so far stay readable under the old edition; to go on, confirm with --confirm-changes"
        )
