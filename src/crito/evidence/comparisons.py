"""A person's answer beside the machine's on the same item, and whether it may count as evidence."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from crito.model.record import Purpose
from crito.stats.ratings import FloatArray

EVIDENCE_PURPOSES: frozenset[Purpose] = frozenset({"label", "calibration", "certification"})
"""An `audit` is evidence of its own sequence; `verify` never is any, not even when it was served blind."""

Taken = Literal["button", "hand"]

Refused = Literal["exposed", "not_drawn", "purpose", "tuned_on"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One answer of a person on an item that the machine labelled too.

    Attributes:
        answer: the person's first label of the item, or the state in its place.
        machine: the machine's label, as it stood before the person answered.
        confidence: the machine's, in [0, 1]; None where it gave none.
        blind: nothing that anyone answered or argued about the item was shown to this person before.
        inclusion: probability with which the item was drawn into the blind set; None where it was not drawn.
        tuned_on: the label helped to make this version of the machine.
        taken: how an answer equal to a suggestion in view came about; None where no suggestion was in view.
        order: of answers in time; ties do not occur.
    """

    item: str
    annotator: str
    answer: str
    machine: str
    blind: bool
    order: int
    purpose: Purpose = "label"
    inclusion: float | None = None
    confidence: float | None = None
    tuned_on: bool = False
    taken: Taken | None = None

    @property
    def agrees(self) -> bool:
        """Whether the label is the machine's; a state such as *not sure* is no agreement."""
        return self.answer == self.machine

    @property
    def refused(self) -> Refused | None:
        """Why this comparison is no evidence for certifying; None where it is."""
        if self.purpose not in EVIDENCE_PURPOSES:
            return "purpose"
        return self.no_random_blind_label

    @property
    def no_random_blind_label(self) -> Refused | None:
        """What of a blind label on an item drawn at random is missing, whatever it was asked for."""
        if not self.blind:
            return "exposed"
        if self.inclusion is None:
            return "not_drawn"
        return "tuned_on" if self.tuned_on else None


class Evidence(NamedTuple):
    """The comparisons that count, in the order of the answers, and why the others do not."""

    counted: tuple[Comparison, ...]
    dropped: dict[str, int]

    @property
    def agreeing(self) -> int:
        return sum(comparison.agrees for comparison in self.counted)


def evidence(comparisons: Iterable[Comparison]) -> Evidence:
    """What of `comparisons` may prove something about the machine before a handoff."""
    return _sorted_out((comparison, comparison.refused) for comparison in comparisons)


def audit_evidence(comparisons: Iterable[Comparison]) -> Evidence:
    """What of `comparisons` may prove something about the machine after a handoff: audits only."""
    return _sorted_out((one, one.no_random_blind_label) for one in comparisons if one.purpose == "audit")


def shares_by_item(comparisons: Sequence[Comparison]) -> FloatArray:
    """The share of people who agree with the machine on each item, in the order in which items were completed, shape (n_items,).

    An item stands where its last answer stands, so that its share does not change any more.
    """
    by_item: dict[str, list[Comparison]] = {}
    for comparison in sorted(comparisons, key=lambda one: one.order):
        by_item.setdefault(comparison.item, []).append(comparison)
    complete = sorted(by_item.values(), key=lambda answers: answers[-1].order)
    return np.array([sum(one.agrees for one in answers) / len(answers) for answers in complete], np.float64)


def _sorted_out(judged: Iterable[tuple[Comparison, Refused | None]]) -> Evidence:
    pairs = list(judged)
    counted = sorted((one for one, reason in pairs if reason is None), key=lambda one: one.order)
    return Evidence(tuple(counted), dict(Counter(reason for _, reason in pairs if reason is not None)))
