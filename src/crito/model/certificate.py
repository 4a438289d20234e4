"""A statement about a machine's labels that somebody else can check."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, get_args

from crito.model.ids import StudyName, TaskName

CertificateKind = Literal["handoff", "automatic_labelling", "corpus_estimate", "annotator_replacement"]
CERTIFICATE_KINDS: tuple[CertificateKind, ...] = get_args(CertificateKind)


@dataclass(frozen=True, slots=True)
class MachineVersion:
    """Whose labels are certified: a model with its prompt, guideline and parameters; any change is another version.

    `number` counts the versions that were tried on this task, from 1.
    """

    name: str
    model: str
    prompt_hash: str
    guideline_hash: str
    number: int = 1


@dataclass(frozen=True, slots=True)
class Certificate:
    """What the evidence proves, how that was found, and what it does not cover.

    Attributes:
        granted: whether the question was answered with yes; estimates are granted when they have a value.
        statement: one sentence.
        population: which items it is about.
        n_items, n_evidence: items of the population, and blind labels (or items) it rests on.
        design: how the items of the evidence were chosen.
        inclusion: smallest and largest probability with which they were drawn; None where all people labelled all items.
        source: where its rows are found again.
        settings: everything that was declared; with the evidence it gives the results again.
        results: the statistics, as JSON.
        needed: what would be needed where it is not granted; empty otherwise.
        not_covered: what nobody should read into it.
        evidence_hash: SHA-256 of the rows it rests on.
        evidence_until: answers given later played no part.
    """

    kind: CertificateKind
    study: StudyName
    task: TaskName
    machine: MachineVersion
    granted: bool
    statement: str
    population: str
    n_items: int
    n_evidence: int
    design: str
    inclusion: tuple[float, float] | None
    source: Mapping[str, Any]
    settings: Mapping[str, Any]
    results: Mapping[str, Any]
    needed: str
    not_covered: tuple[str, ...]
    evidence_hash: str
    evidence_until: datetime
