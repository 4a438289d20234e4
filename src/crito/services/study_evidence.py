"""Evidence from a study's own record: first labels of people beside one version of the machine, with draws and exposures."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from crito.evidence.card import AgreementCard, agreement_card
from crito.evidence.certificates import Subject
from crito.evidence.comparisons import Comparison, Taken
from crito.evidence.handoff import AuditReading, HandoffRule, audits
from crito.model.certificate import MachineVersion
from crito.model.errors import InvalidInput, NotFound
from crito.model.ids import DrawId, ItemId, LabellingId, StudyName, TaskName
from crito.model.record import BLIND_PURPOSES, Annotation, Assignment, BlindDraw, LabelRequest
from crito.model.study import Study
from crito.services.certifying import EvidenceRows
from crito.services.drawing import blind_sample
from crito.services.parts import Parts
from crito.services.ports import Tx
from crito.services.publishing import text_hash
from crito.services.shares import Share, editions, shares
from crito.services.suggesting import machine_labels, machine_version


@dataclass(frozen=True, slots=True)
class TaskEvidence:
    """Everything that one task's record says about the present version of the machine.

    Attributes:
        rule: of the handoff, as the study declares it, at this version's level.
        audit_starts: where each batch of audits begins among the audits, in order.
    """

    rows: EvidenceRows
    rule: HandoffRule
    audit_starts: tuple[int, ...]

    def card(self) -> AgreementCard:
        """The Blind Agreement card."""
        subject = self.rows.subject
        return agreement_card(self.rows.comparisons, subject.labels, subject.n_items, self.rule)

    def audits(self) -> AuditReading:
        """What audits say of a handoff."""
        return audits(self.rows.comparisons, self.rule, starts=self.audit_starts or (0,))


async def study_evidence(
    parts: Parts, study: StudyName, task: TaskName, *, until: datetime | None = None
) -> TaskEvidence:
    """The evidence of one task, of answers given `until` then (now, if left out).

    Raises:
        NotFound: no study of this name was published here.
        InvalidInput: it has no such task, proposes no labels, or no machine has labelled the task yet.
    """
    moment = until or parts.now()
    return await parts.store.survey(lambda tx: evidence_of(parts, tx, study, task, moment))


def evidence_of(parts: Parts, tx: Tx, name: StudyName, task: TaskName, until: datetime) -> TaskEvidence:
    """As `study_evidence`, inside a transaction."""
    by_number = editions(parts, tx, name)
    if not by_number:
        raise NotFound(f"there is no study {name!r} here")
    study = by_number[max(by_number)]
    names = [one.name for one in study.tasks]
    if task not in names:
        raise InvalidInput("the study has no such task", task, f"one of {', '.join(names)}")
    if study.suggestions is None:
        raise InvalidInput(
            "this study proposes no machine's labels, so there is nothing to compare with", wanted="add `suggestions`"
        )
    version = machine_version(tx, study, task)
    labels = machine_labels(tx, study, task, version) if version else {}
    if not labels:
        raise InvalidInput(f"no machine has labelled task {task!r} yet", wanted="run `crito label` first")
    reading = _Reading(tx, study, task, labels, until)
    comparisons = tuple(_numbered(reading.comparisons(shares(tx, name, by_number))))
    draws = [draw for draw in tx.blind_draws(name) if draw.task == task]
    subject = Subject(
        name, task, _machine(tx, study, task, version), study.task(task).label_names, len(labels),
        f"the {len(labels):,} items of task {task} that {study.suggestions.source} labelled",
        _design(draws), {"study": name, "task": task}, until,
    )  # fmt: skip
    rule = HandoffRule(
        study.suggestions.end_human_annotation_agreement, study.suggestions.handoff,
        study.suggestions.minimum_blind_sample,
        max(1, sum(draw.n_drawn for draw in draws if draw.purpose == "label")), subject.machine.number,
    )  # fmt: skip
    answers = tuple(
        (one.item, one.annotator, one.answer) for one in comparisons if one.blind and one.answer in subject.labels
    )
    rows = EvidenceRows(subject, comparisons, answers, {item: label for item, (label, _, _) in labels.items()})
    return TaskEvidence(rows, rule, reading.audit_starts(comparisons))


class _Reading:
    """People's first labels of one task as comparisons."""

    def __init__(
        self,
        tx: Tx,
        study: Study,
        task: TaskName,
        labels: Mapping[ItemId, tuple[str, float | None, str]],
        until: datetime,
    ) -> None:
        self._task, self._labels, self._until = task, labels, until
        self._drawn = blind_sample(tx, study.name, task)
        self._draws = {draw.id: draw for draw in tx.blind_draws(study.name)}
        self._requests = {one.assignment: one for one in tx.requests(study.name) if one.assignment}
        self._tuned = {one.item for one in tx.tunings(study.name) if one.task == task}

    def comparisons(self, people: Iterator[Share]) -> Iterator[tuple[datetime, int, Comparison]]:
        """Each with its time and its number among the person's, to be put in order."""
        for share in people:
            if share.withdrawn or share.exclusion:
                continue
            for assignment in share.record.assignments:
                given = share.revisions(assignment, 0)
                if assignment.task != self._task or not given or given[-1].submitted_at > self._until:
                    continue
                machine = self._labels.get(assignment.item)
                if machine and machine[2] == given[-1].item_hash:
                    yield given[-1].submitted_at, given[-1].seq, self._comparison(share, assignment, given[-1], machine)

    def audit_starts(self, comparisons: Sequence[Comparison]) -> tuple[int, ...]:
        """Where each draw of audits has its first answer among the audits."""
        batches = [self._batch(one) for one in comparisons if one.purpose == "audit"]
        return tuple(place for place, batch in enumerate(batches) if batch not in batches[:place])

    def _batch(self, comparison: Comparison) -> DrawId | None:
        asked = [
            one.draw
            for one in self._requests.values()
            if (one.purpose, one.item, one.task) == ("audit", comparison.item, self._task)
        ]
        return asked[-1] if asked else None

    def _comparison(
        self, share: Share, assignment: Assignment, given: Annotation, machine: tuple[str, float | None, str]
    ) -> Comparison:
        before = share.exposures_before(given)
        request = self._requests.get(assignment.id)
        label, confidence, _ = machine
        return Comparison(
            item=assignment.item, annotator=share.annotator, answer=given.answer, machine=label, blind=not before,
            order=0, purpose=request.purpose if request else "label",
            inclusion=self._inclusion(assignment, request, given.submitted_at), confidence=confidence,
            tuned_on=assignment.item in self._tuned,
            taken=_taken(share, assignment, agrees=given.answer == label)
            if any(one.kind == "suggestion" and one.task == self._task for one in before) else None,
        )  # fmt: skip

    def _inclusion(self, assignment: Assignment, request: LabelRequest | None, at: datetime) -> float | None:
        """With which probability the item was drawn; None where it was not, or the secret of the draw was out by then."""
        if request and request.purpose not in BLIND_PURPOSES:
            return None
        if request:
            draw, probability = request.draw, request.probability
        elif drawn := self._drawn.get(assignment.item):
            draw, probability = drawn.draw, drawn.probability
        else:
            return None
        told = self._draws[draw].revealed_at if draw in self._draws else None
        return None if told and at > told else probability


def _taken(share: Share, assignment: Assignment, *, agrees: bool) -> Taken | None:
    if not agrees:
        return None
    return "button" if share.record.event("accepted", f"0:{assignment.id}") else "hand"


def _numbered(found: Iterator[tuple[datetime, int, Comparison]]) -> Iterator[Comparison]:
    """In the order in which the answers came."""
    ordered = sorted(found, key=lambda one: (one[0], one[2].annotator, one[1]))
    yield from (replace(comparison, order=place) for place, (_, _, comparison) in enumerate(ordered))


def _machine(tx: Tx, study: Study, task: TaskName, version: str) -> MachineVersion:
    assert study.suggestions is not None, "the caller has asked for suggestions"
    source = study.suggestions.source
    if study.suggestions.recorded:
        return MachineVersion(
            source, version, "", text_hash(study.task(task).guideline.in_language(study.languages[0]))
        )
    own = [one for one in tx.labellings(study.name) if (one.task, one.panel.name) == (task, source)]
    number = [one.id for one in own].index(LabellingId(version)) + 1
    agents = [one for one in tx.model_annotators(study.name) if one.id in own[number - 1].agents]
    return MachineVersion(
        source, ", ".join(dict.fromkeys(one.model for one in agents)),
        ", ".join(dict.fromkeys(one.prompt_hash for one in agents)), agents[0].guideline_hash if agents else "", number,
    )  # fmt: skip


def _design(draws: Sequence[BlindDraw]) -> str:
    if not draws:
        return "no blind sample was drawn"
    kinds = {"simple": "a simple random sample", "independent": "items drawn one by one"}
    return "; ".join(
        f"{kinds[draw.rule]}: {draw.n_drawn:,} of {draw.n_items:,} items for {draw.purpose}, seed SHA-256 {draw.seed_hash}"
        for draw in draws
    )
