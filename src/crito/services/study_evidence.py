"""Evidence from a study's own record: first labels of people beside one version of the machine, with draws and exposures."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from crito.evidence.card import AgreementCard, agreement_card
from crito.evidence.certificates import Subject, hash_of_comparisons
from crito.evidence.comparisons import EVIDENCE_PURPOSES, Comparison, Taken, audit_evidence
from crito.evidence.handoff import AuditReading, HandoffRule, audits
from crito.model.certificate import MachineVersion
from crito.model.errors import InvalidInput, NotFound
from crito.model.ids import DrawId, StudyName, TaskName
from crito.model.phrase import Phrase
from crito.model.record import BLIND_PURPOSES, Annotation, Assignment, BlindDraw, LabelRequest
from crito.model.study import Item, Study
from crito.services.certifying import EvidenceRows
from crito.services.drawing import blind_sample
from crito.services.parts import Parts
from crito.services.ports.store import Tx
from crito.services.publishing import text_hash
from crito.services.shares import Share, editions, shares
from crito.services.suggesting import (
    MachineLabel,
    MachineLabels,
    machine_labels,
    machine_version,
    recorded_version,
    was_said_by,
)
from crito.stats.anytime import still_needed


@dataclass(frozen=True, slots=True)
class TaskEvidence:
    """Everything that one task's record says about the present version of the machine.

    Attributes:
        version: of the machine, as suggestions and handoffs name it.
        rule: of the handoff, as the study declares it, at this version's level.
        audit_draws: the draw by which an item was asked about for an audit, with its time.
        machine: all that this version has said.
        n_drawn: items drawn to be labelled blind before a handoff.
        uncompared: labels on drawn items that wait for the machine's; until it has answered there, what is known speaks
            for the items that it labelled, and not for the others.
    """

    version: str
    rows: EvidenceRows
    rule: HandoffRule
    audit_draws: Mapping[str, tuple[DrawId, datetime]]
    machine: MachineLabels
    n_drawn: int
    uncompared: int

    def card(self) -> AgreementCard:
        """The Blind Agreement card."""
        subject = self.rows.subject
        return agreement_card(self.rows.comparisons, subject.labels, subject.n_items, self.rule)

    @property
    def n_rest(self) -> int:
        """Items that nobody labelled whom the machine was compared with."""
        return self.rows.subject.n_items - len({one.item for one in self.rows.comparisons})

    def out_of_reach(self) -> str:
        """Why the blind sample cannot come to what a handoff needs, whatever people say; empty where it can."""
        rule, drawn = self.rule, self.n_drawn
        if drawn < rule.minimum_blind_sample:
            return Phrase(
                "%(drawn)s items are drawn to be labelled blind, and a handoff needs at least %(least)s",
                drawn=drawn,
                least=rule.minimum_blind_sample,
            )
        if rule.rule != "anytime":
            return ""
        least = still_needed(0, 0, rule.threshold, corpus=self.rows.subject.n_items, alpha=rule.level)
        if least is not None and least <= drawn:
            return ""
        if least is None:
            return Phrase(
                "%(drawn)s items are drawn to be labelled blind; to show agreement above %(threshold)s on the rest takes more "
                "than there are, even if all agree", drawn=drawn, threshold=rule.threshold,
            )  # fmt: skip
        return Phrase(
            "%(drawn)s items are drawn to be labelled blind; to show agreement above %(threshold)s on the rest takes at least "
            "%(least)s, even if all agree", drawn=drawn, threshold=rule.threshold, least=least,
        )  # fmt: skip

    def audits(self, since: datetime) -> "Audited":
        """What the audits that were drawn from a moment on say: those of the handoff decided then."""
        wanted = {item: draw for item, (draw, at) in self.audit_draws.items() if at >= since}
        own = [one for one in self.rows.comparisons if one.purpose == "audit" and one.item in wanted]
        counted = audit_evidence(own).counted
        batches = [wanted[one.item] for one in counted]
        starts = tuple(place for place, draw in enumerate(batches) if draw not in batches[:place])
        return Audited(audits(own, self.rule, starts=starts or (0,)), hash_of_comparisons(counted), len(counted))


class Audited(NamedTuple):
    """What audits say, the hash of the rows that say it, and how many these are."""

    reading: AuditReading
    evidence_hash: str
    n: int


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
    study = by_number[_in_force(tx, name, by_number, until)]
    names = [one.name for one in study.tasks]
    if task not in names:
        raise InvalidInput(Phrase("the study has no such task"), task, f"one of {', '.join(names)}")
    if study.suggestions is None:
        raise InvalidInput(
            Phrase("this study proposes no machine's labels, so there is nothing to compare with"),
            wanted=Phrase("add `suggestions`"),
        )
    version = machine_version(tx, study, task, until=until)
    said = machine_labels(tx, study, task, version, until=until) if version else None
    if not said or not said.labels:
        raise InvalidInput(
            Phrase("no machine has labelled task %(task)s yet", task=repr(task)),
            wanted=Phrase("run `crito label` first"),
        )
    reading = _Reading(tx, study, task, version, said, until)
    comparisons = tuple(_numbered(reading.comparisons(shares(tx, name, by_number))))
    draws = [draw for draw in tx.blind_draws(name) if draw.task == task and draw.drawn_at <= until]
    labelled = len(said.labels)
    # What is drawn at random from all items speaks for those not labelled yet, once every drawn one was compared.
    waiting = [] if reading.uncompared else [one for one in study.task(task).items if _waits(one, said)]
    population = f"the {labelled:,} items of task {task} that {study.suggestions.source} labelled"
    if waiting:
        population = f"the {labelled + len(waiting):,} items of task {task}; {study.suggestions.source} labelled {labelled:,} so far"
    subject = Subject(
        name, task, _machine(tx, study, task, version, by_number, until), study.task(task).label_names,
        labelled + len(waiting), population, _design(draws), {"study": name, "task": task}, until,
    )  # fmt: skip
    rule = HandoffRule(
        study.suggestions.end_human_annotation_agreement, study.suggestions.handoff,
        study.suggestions.minimum_blind_sample,
        max(1, sum(draw.n_drawn for draw in draws if draw.purpose == "label")), subject.machine.number,
    )  # fmt: skip
    n_drawn = sum(draw.n_drawn for draw in draws if draw.purpose in EVIDENCE_PURPOSES)
    answers = tuple(
        (one.item, one.annotator, one.answer) for one in comparisons if one.blind and one.answer in subject.labels
    )
    rows = EvidenceRows(subject, comparisons, answers, {item: one.label for item, one in said.labels.items()})
    return TaskEvidence(version, rows, rule, reading.audit_draws, said, n_drawn, reading.uncompared)


def _in_force(tx: Tx, name: StudyName, by_number: Mapping[int, Study], until: datetime) -> int:
    """The edition that newcomers got at a moment; the first one before there was any."""
    if len(by_number) == 1:
        return next(iter(by_number))
    return max((n for n in by_number if tx.version(name, n).published_at <= until), default=min(by_number))


def _waits(item: Item, said: MachineLabels) -> bool:
    return item.id not in said.labels and (item.id, item.hash) not in said.answered


class _Reading:
    """People's first labels of one task as comparisons."""

    def __init__(
        self,
        tx: Tx,
        study: Study,
        task: TaskName,
        version: str,
        said: MachineLabels,
        until: datetime,
    ) -> None:
        self._task, self._version, self._said, self._until = task, version, said, until
        self.uncompared = 0
        """Labels given blind on drawn items on which the machine has not answered yet."""
        self._drawn = blind_sample(tx, study.name, task)
        self._draws = {draw.id: draw for draw in tx.blind_draws(study.name)}
        requests = [one for one in tx.requests(study.name) if one.task == task]
        self._requests = {one.assignment: one for one in requests if one.assignment}
        self.audit_draws: Mapping[str, tuple[DrawId, datetime]] = {
            one.item: (one.draw, one.requested_at) for one in requests if one.purpose == "audit" and one.draw
        }
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
                yield from self._compared(share, assignment, given[-1])

    def _compared(
        self, share: Share, assignment: Assignment, given: Annotation
    ) -> Iterator[tuple[datetime, int, Comparison]]:
        said = self._said.labels.get(assignment.item)
        if said and said.item_hash == given.item_hash:
            comparison = self._comparison(share, assignment, given, said)
            if comparison is not None:
                yield given.submitted_at, given.seq, comparison
        elif (assignment.item, given.item_hash) not in self._said.answered:
            drawn = self._inclusion(assignment, self._requests.get(assignment.id), given.submitted_at)
            self.uncompared += drawn is not None

    def _comparison(
        self, share: Share, assignment: Assignment, given: Annotation, said: MachineLabel
    ) -> Comparison | None:
        """None for a label that was given with the suggestion of another version in view: it says nothing of this one."""
        before = share.exposures_before(given)
        suggested = [one.source for one in before if one.kind == "suggestion" and one.task == self._task]
        if suggested and not was_said_by(self._version, suggested[-1]):
            return None
        request = self._requests.get(assignment.id)
        return Comparison(
            item=assignment.item, annotator=share.annotator, answer=given.answer, machine=said.label, blind=not before,
            order=0, purpose=request.purpose if request else "label",
            inclusion=self._inclusion(assignment, request, given.submitted_at), confidence=said.confidence,
            tuned_on=assignment.item in self._tuned,
            taken=_taken(share, given, said) if suggested else None,
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


def _taken(share: Share, given: Annotation, said: MachineLabel) -> Taken | None:
    if given.answer != said.label:
        return None
    return "button" if share.by_button(given) else "hand"


def _numbered(found: Iterator[tuple[datetime, int, Comparison]]) -> Iterator[Comparison]:
    """In the order in which the answers came."""
    ordered = sorted(found, key=lambda one: (one[0], one[2].annotator, one[1]))
    yield from (replace(comparison, order=place) for place, (_, _, comparison) in enumerate(ordered))


def _machine(
    tx: Tx, study: Study, task: TaskName, version: str, by_number: Mapping[int, Study], until: datetime
) -> MachineVersion:
    assert study.suggestions is not None, "the caller has asked for suggestions"
    source, number = study.suggestions.source, _versions(tx, study.name, task, by_number, until).index(version) + 1
    if study.suggestions.recorded:
        guideline = study.task(task).guideline.in_language(study.languages[0])
        return MachineVersion(source, version, "", text_hash(guideline), number)
    labelling = next(one for one in tx.labellings(study.name) if one.id == version)
    agents = [one for one in tx.model_annotators(study.name) if one.id in labelling.agents]
    return MachineVersion(
        source, ", ".join(dict.fromkeys(one.model for one in agents)),
        ", ".join(dict.fromkeys(one.prompt_hash for one in agents)), agents[0].guideline_hash if agents else "", number,
    )  # fmt: skip


def _versions(tx: Tx, name: StudyName, task: TaskName, by_number: Mapping[int, Study], until: datetime) -> list[str]:
    """Every machine whose labels were ever suggested on a task, by the time it came: another name is no new beginning."""
    settings = {n: study.suggestions for n, study in by_number.items() if study.suggestions}
    panels = {one.source for one in settings.values() if not one.recorded}
    came = [(one.begun_at, str(one.id)) for one in tx.labellings(name) if one.task == task and one.panel.name in panels]
    recorded = [n for n, one in settings.items() if one.recorded]
    if len(recorded) == 1 and not came:
        return [recorded_version(by_number[recorded[0]])]
    came += [(tx.version(name, n).published_at, recorded_version(by_number[n])) for n in recorded]
    return list(dict.fromkeys(version for at, version in sorted(came) if at <= until))


def _design(draws: Sequence[BlindDraw]) -> str:
    if not draws:
        return "no blind sample was drawn"
    kinds = {"simple": "a simple random sample", "independent": "items drawn one by one"}
    return "; ".join(
        f"{kinds[draw.rule]}: {draw.n_drawn:,} of {draw.n_items:,} items for {draw.purpose}, seed SHA-256 {draw.seed_hash}"
        for draw in draws
    )
