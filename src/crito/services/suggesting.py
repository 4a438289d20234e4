"""What a model says of an item, who may be shown it, and what was shown to whom."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from crito.model.errors import Forbidden
from crito.model.ids import AnnotatorId, ItemId, LabellingId, StudyName, TaskName
from crito.model.record import BLIND_PURPOSES, Exposure, Labelling
from crito.model.study import Study, Task
from crito.services.pages import ShownSuggestion
from crito.services.ports.record import Seen
from crito.services.ports.store import Tx

RESOLVE = "resolve"
"""The route of what is shown after a difference."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A label that a machine proposes for one item.

    `version` names the machine with everything that decides its labels; `source` is its answer on this item.
    """

    label: str
    confidence: float | None
    reason: str
    version: str
    source: str


def machine_version(tx: Tx, study: Study, task: TaskName, *, until: datetime | None = None) -> str:
    """The machine whose labels are suggested now, or were then: the last labelling of the panel, or the labels recorded
    beforehand.
    """
    if study.suggestions is None:
        return ""
    if study.suggestions.recorded:
        return recorded_version(study)
    labelling = _labelling(tx, study, task, until)
    return labelling.id if labelling else ""


def recorded_version(study: Study) -> str:
    """The name of a machine whose labels were recorded beforehand."""
    assert study.suggestions is not None, "the caller has asked for suggestions"
    return f"{study.suggestions.source}-{study.suggestions.fingerprint}"


def was_said_by(version: str, source: str) -> bool:
    """Whether the answer that an exposure or an accepted label names as its source is that of a version."""
    return source.startswith((f"{version}/", f"{version}-"))


def suggestion_for(tx: Tx, study: Study, task: TaskName, item: ItemId, item_hash: str) -> Suggestion | None:
    """What the present machine says of a text; None where it has not answered, or has no label."""
    if study.suggestions is None:
        return None
    if study.suggestions.recorded:
        return _recorded(study, task, item, item_hash, machine_version(tx, study, task))
    labelling = _labelling(tx, study, task)
    outcome = tx.outcome_on(labelling.id, item, item_hash) if labelling else None
    if labelling is None or outcome is None or outcome.vote.label is None:
        return None
    label = outcome.vote.label
    confidence, reason = _said_by_agents(tx, labelling, item, item_hash, label)
    return Suggestion(label, confidence, reason, labelling.id, outcome.run)


def _recorded(study: Study, task: TaskName, item: ItemId, item_hash: str, version: str) -> Suggestion | None:
    found = next((one for one in study.task(task).items if one.id == item), None)
    if found is None or found.recorded is None or found.hash != item_hash:
        return None
    said = found.recorded
    return Suggestion(said.label, said.confidence, said.reason, version, f"{version}/{item}")


def _labelling(tx: Tx, study: Study, task: TaskName, until: datetime | None = None) -> Labelling | None:
    assert study.suggestions is not None
    own = [one for one in tx.labellings(study.name) if one.task == task and one.panel.name == study.suggestions.source]
    return next((one for one in reversed(own) if until is None or one.begun_at <= until), None)


def _said_by_agents(tx: Tx, labelling: Labelling, item: ItemId, item_hash: str, label: str) -> tuple[float | None, str]:
    """How sure the first agent was that gave the panel's label last, and why."""
    for agent in labelling.agents:
        given = [one for one in tx.seen(labelling.study, agent, item).annotations if one.item_hash == item_hash]
        last = next((one for one in reversed(given) if one.label == label), None)
        if last is not None:
            words = tx.words([last.rationale]) if last.rationale else {}
            reason = (last.rationale and words[last.rationale]) or ""
            return (float(last.confidence) if last.confidence else None), reason
    return None, ""


def is_withheld(tx: Tx, study: Study, annotator: AnnotatorId, item: ItemId) -> bool:
    """Whether no machine's answer on the item may reach this person: it is in a blind sample of the study, or they hold
    or have answered a blind request for it. Of an item with several tasks one is enough.
    """
    if study.suggestions and study.suggestions.display == "blind_sample":
        drawn = tx.draws_of_item(study.name, item)
        if any(draw.purpose == "label" and one.drawn for draw, one in drawn):
            return True
    return bool(BLIND_PURPOSES & set(tx.purposes_met(annotator, item)))


def expose(
    tx: Tx,
    study: Study,
    annotator: AnnotatorId,
    task: TaskName,
    item: ItemId,
    told: Suggestion,
    route: str,
    now: datetime,
) -> None:
    """Record that a suggestion is about to be shown.

    Raises:
        Forbidden: it is withheld from this person.
    """
    if is_withheld(tx, study, annotator, item):
        raise Forbidden(
            f"item {item!r} is blind for annotator {annotator!r}: no machine's answer may be shown before or after the "
            "annotation is recorded"
        )
    content = {"label": told.label, "confidence": told.confidence, "reason": told.reason, "version": told.version}
    tx.add_exposure(
        study.name,
        Exposure(
            annotator=annotator,
            item=item,
            task=task,
            kind="suggestion",
            # What was in view already is shown anew on the page of a difference.
            source=f"{told.source}/{RESOLVE}" if route == RESOLVE else told.source,
            part=-1,
            content=tx.keep_words(annotator, json.dumps(content, ensure_ascii=False)),
            route=route,
            seq=tx.next_seq(annotator, item),
            at=now,
        ),
    )


def shown_suggestion(tx: Tx, seen: Seen, task: TaskName) -> Suggestion | None:
    """The suggestion that was shown last in this task; a page shows none that is not on record."""
    shown = [one for one in seen.exposures if one.kind == "suggestion" and one.task == task]
    return read_suggestion(tx, shown[-1]) if shown else None


def as_shown(task: Task, told: Suggestion) -> ShownSuggestion:
    """A suggestion in the words of its task."""
    return ShownSuggestion(task.label(told.label).text, told.label, told.confidence, told.reason)


def read_suggestion(tx: Tx, exposure: Exposure) -> Suggestion | None:
    """What an exposure showed; None where its words were erased."""
    words = tx.words([exposure.content])[exposure.content]
    if words is None:
        return None
    told = json.loads(words)
    return Suggestion(told["label"], told["confidence"], told["reason"], told["version"], exposure.source)


class MachineLabel(NamedTuple):
    """What a version of the machine said of a text; `source` names the answer as exposures do."""

    label: str
    confidence: float | None
    item_hash: str
    source: str


class MachineLabels(NamedTuple):
    """Everything a version has said by a moment: its labels by item, and every text that it has answered on at all."""

    labels: Mapping[ItemId, MachineLabel]
    answered: frozenset[tuple[ItemId, str]]


def machine_labels(
    tx: Tx, study: Study, task: TaskName, version: str, *, until: datetime | None = None
) -> MachineLabels:
    """Every answer that a version of the machine gave, up to `until`."""
    if study.suggestions is None:
        return MachineLabels({}, frozenset())
    if study.suggestions.recorded:
        items = [(item, item.hash) for item in study.task(task).items]
        said = {
            item.id: MachineLabel(item.recorded.label, item.recorded.confidence, digest, f"{version}/{item.id}")
            for item, digest in items
            if item.recorded and version == recorded_version(study)
        }
        return MachineLabels(said, frozenset((item.id, digest) for item, digest in items))
    hashes = {run.id: run.item_hash for run in tx.label_runs(LabellingId(version))}
    agents = next((one.agents for one in tx.labellings(study.name) if one.id == version), ())
    sure = _confidences(tx, study.name, agents)
    outcomes = [one for one in tx.outcomes(LabellingId(version)) if until is None or one.at <= until]
    labels = {
        one.item: MachineLabel(one.vote.label, sure.get((one.item, one.vote.label)), hashes[one.run], one.run)
        for one in outcomes
        if one.vote.label is not None
    }
    return MachineLabels(labels, frozenset((one.item, hashes[one.run]) for one in outcomes))


def _confidences(tx: Tx, study: StudyName, agents: Sequence[AnnotatorId]) -> dict[tuple[ItemId, str], float | None]:
    return {
        (one.item, one.label): float(one.confidence) if one.confidence else None
        for one in tx.annotation_history(study, agents)
        if one.label
    }
