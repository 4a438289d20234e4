"""Certificates from the rows of a study or a table, and the same computed again to be compared."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from crito.evidence.certificates import (
    Subject,
    automatic_certificate,
    differences,
    estimate_certificate,
    handoff_certificate,
    replacement_certificate,
)
from crito.evidence.comparisons import Comparison
from crito.evidence.handoff import HandoffRule
from crito.model.certificate import Certificate, CertificateKind


@dataclass(frozen=True, slots=True)
class EvidenceRows:
    """What people and one version of a machine said of the items of one task.

    `answers` are item, annotator and blind answer of people on any item, drawn or not; `machine_labels` are those of
    all items that the machine labelled.
    """

    subject: Subject
    comparisons: tuple[Comparison, ...]
    answers: tuple[tuple[str, str, str], ...]
    machine_labels: Mapping[str, str]


Certifier = Callable[[EvidenceRows, Mapping[str, Any]], Certificate]


def _handoff(rows: EvidenceRows, settings: Mapping[str, Any]) -> Certificate:
    return handoff_certificate(rows.subject, rows.comparisons, HandoffRule(**settings))


def _automatic(rows: EvidenceRows, settings: Mapping[str, Any]) -> Certificate:
    return automatic_certificate(rows.subject, rows.comparisons, **settings)


def _estimate(rows: EvidenceRows, settings: Mapping[str, Any]) -> Certificate:
    return estimate_certificate(rows.subject, rows.comparisons, rows.machine_labels, **settings)


def _replacement(rows: EvidenceRows, settings: Mapping[str, Any]) -> Certificate:
    return replacement_certificate(rows.subject, rows.answers, rows.machine_labels, **settings)


CERTIFIERS: Mapping[CertificateKind, Certifier] = {
    "handoff": _handoff,
    "automatic_labelling": _automatic,
    "corpus_estimate": _estimate,
    "annotator_replacement": _replacement,
}


def certify(rows: EvidenceRows, wanted: Mapping[CertificateKind, Mapping[str, Any]]) -> tuple[Certificate, ...]:
    """A certificate for each question asked, granted or not; `wanted` are the declared settings by kind."""
    return tuple(CERTIFIERS[kind](rows, settings) for kind, settings in wanted.items())


def check_again(issued: Certificate, rows: EvidenceRows) -> Sequence[str]:
    """What `issued` says otherwise than the rows do now, with the settings it was issued under; empty where it holds."""
    return differences(issued, CERTIFIERS[issued.kind](rows, issued.settings))
