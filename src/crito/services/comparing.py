"""People's answers beside the machine's: what evidence, the Blind Agreement card and certificates are made of."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from crito.evidence.card import AgreementCard, agreement_card
from crito.evidence.comparisons import Comparison, Taken
from crito.evidence.handoff import HandoffRule
from crito.model.ids import AnnotatorId, AssignmentId, ItemId, StudyName, TaskName
from crito.model.record import (
    Annotation,
    BlindDraw,
    DrawnItem,
    Exposure,
    LabelRequest,
    PersonRecord,
)
from crito.model.study import Study
from crito.services.parts import Parts
from crito.services.ports import Tx
from crito.services.suggesting import machine_labels, machine_version, read_suggestion

PEOPLE_AT_A_TIME = 100


@dataclass(frozen=True, slots=True)
class TaskComparisons:
    """The comparisons of one task with one version of the machine.

    `number` counts the versions that were tried on the task, from 1; `n_items` is how many items the version labelled.
    """

    task: TaskName
    version: str
    number: int
    n_items: int
    n_drawn: int
    comparisons: tuple[Comparison, ...]


@dataclass(frozen=True, slots=True)
class TaskCard:
    """The Blind Agreement card of one task, with what it was made of."""

    made_of: TaskComparisons
    card: AgreementCard


@dataclass(frozen=True, slots=True)
class _Design:
    """How the items of a task were chosen: its blind sample, its requests, what was used for tuning."""

    sample: Mapping[ItemId, tuple[BlindDraw, DrawnItem]]
    requests: Mapping[AssignmentId, LabelRequest]
    tuned: frozenset[ItemId]


def comparisons(tx: Tx, study: Study, task: TaskName, version: str = "") -> TaskComparisons:
    """Every first answer of a person, not withdrawn, on an item that the machine labelled; `version` is the present one
    unless it is named.

    The machine's label is the one that was in view, else the one on record. An answer that was given under another
    version's suggestion says nothing about this one and is left out.
    """
    version = version or machine_version(tx, study, task)
    labels = machine_labels(tx, study, task, version) if version else {}
    design = _design(tx, study.name, task)
    found = [
        comparison
        for record in _people(tx, study.name)
        for comparison in _of_person(tx, study.name, task, record, labels, version, design)
    ]
    found.sort(key=lambda pair: pair[0])
    ordered = tuple(_numbered(comparison, place) for place, (_, comparison) in enumerate(found))
    return TaskComparisons(task, version, _number(tx, study, task, version), len(labels), len(design.sample), ordered)


async def agreement_cards(parts: Parts, name: StudyName) -> tuple[TaskCard, ...]:
    """The card of every task of a study that suggests labels; empty for a study that does not."""

    def work(tx: Tx) -> tuple[Study, list[TaskComparisons]] | None:
        number = tx.latest_number(name)
        study = parts.edition(tx, name, number) if number else None
        if study is None or study.suggestions is None:
            return None
        return study, [comparisons(tx, study, task.name) for task in study.tasks]

    found = await parts.store.read(work)
    if found is None:
        return ()
    study, made_of = found
    # The numeric libraries take seconds to load and to work: not on the loop that serves people.
    return tuple([TaskCard(one, await asyncio.to_thread(_card, study, one)) for one in made_of])


def _card(study: Study, made_of: TaskComparisons) -> AgreementCard:
    return agreement_card(
        made_of.comparisons, study.task(made_of.task).label_names, made_of.n_items, handoff_rule(study, made_of)
    )


def handoff_rule(study: Study, made_of: TaskComparisons) -> HandoffRule:
    """The rule that the study file sets, for this version."""
    settings = study.suggestions
    assert settings is not None, "only a machine with suggestions can be handed something"
    return HandoffRule(
        threshold=settings.end_human_annotation_agreement,
        rule=settings.handoff,
        minimum_blind_sample=settings.minimum_blind_sample,
        declared=made_of.n_drawn if settings.handoff == "fixed" and made_of.n_drawn else None,
        version=max(1, made_of.number),
    )


def _design(tx: Tx, study: StudyName, task: TaskName) -> _Design:
    draws = {draw.id: draw for draw in tx.blind_draws(study) if draw.task == task and draw.purpose == "label"}
    drawn = tx.drawn_items(study, list(draws))
    return _Design(
        sample={one.item: (draws[one.draw], one) for one in drawn if one.drawn},
        requests={one.assignment: one for one in tx.requests(study) if one.task == task and one.assignment},
        tuned=frozenset(one.item for one in tx.tunings(study) if one.task == task),
    )


def _people(tx: Tx, study: StudyName) -> Iterator[PersonRecord]:
    after = ""
    while records := tx.persons(study, after=after, limit=PEOPLE_AT_A_TIME):
        yield from (record for record in records if record.participant.ending != "withdrawn")
        after = records[-1].participant.id


Key = tuple[object, AnnotatorId, ItemId]


def _of_person(
    tx: Tx,
    study: StudyName,
    task: TaskName,
    record: PersonRecord,
    labels: Mapping[ItemId, tuple[str, float | None, str]],
    version: str,
    design: _Design,
) -> Iterator[tuple[Key, Comparison]]:
    who = record.participant.id
    exposures: dict[ItemId, list[Exposure]] = {}
    for exposure in tx.exposures(study, [who]):
        exposures.setdefault(exposure.item, []).append(exposure)
    accepted = {event.about for event in record.events if event.kind == "accepted"}
    for given in record.annotations:
        if given.task != task or given.round or given.item not in labels:
            continue
        machine, confidence, item_hash = labels[given.item]
        if item_hash != given.item_hash:
            continue
        before = [one for one in exposures.get(given.item, ()) if one.seq < given.seq]
        shown = [one for one in before if one.kind == "suggestion" and one.task == task]
        told = read_suggestion(tx, shown[-1]) if shown else None
        if told and told.version != version:
            continue
        label = told.label if told else machine
        taken: Taken | None = None
        if told and given.label == label:
            taken = "button" if f"0:{given.assignment}" in accepted else "hand"
        request = design.requests.get(given.assignment) if given.assignment else None
        yield (
            (given.submitted_at, who, given.item),
            Comparison(
                item=given.item,
                annotator=who,
                answer=given.answer,
                machine=label,
                blind=not before,
                order=0,
                purpose=request.purpose if request else "label",
                inclusion=request.probability if request else _inclusion(design, given),
                confidence=confidence,
                tuned_on=given.item in design.tuned,
                taken=taken,
            ),
        )


def _inclusion(design: _Design, given: Annotation) -> float | None:
    """The probability with which the blind sample drew the item; None once its secret was told."""
    drawn = design.sample.get(given.item)
    if drawn is None:
        return None
    draw, one = drawn
    told = draw.revealed_at is not None and given.submitted_at >= draw.revealed_at
    return None if told else one.probability


def _numbered(comparison: Comparison, place: int) -> Comparison:
    return replace(comparison, order=place)


def _number(tx: Tx, study: Study, task: TaskName, version: str) -> int:
    if study.suggestions is None or study.suggestions.recorded:
        return 1
    own: Sequence[str] = [
        one.id for one in tx.labellings(study.name) if one.task == task and one.panel.name == study.suggestions.source
    ]
    return own.index(version) + 1 if version in own else len(own)
