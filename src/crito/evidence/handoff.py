"""May the machine label the rest? The decision from blind agreement, and the watch over it afterwards."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from crito.evidence.comparisons import Comparison, Evidence, audit_evidence, evidence, shares_by_item
from crito.model.phrase import Phrase, Value
from crito.model.study import HandoffRuleName
from crito.stats.anytime import alpha_at_look, anytime_corpus_lower, graded_lower, log_e_value, still_needed
from crito.stats.bounds import ALPHA, hypergeometric_lower
from crito.stats.proportions import share
from crito.stats.statistic import Statistic

RULES: tuple[HandoffRuleName, ...] = get_args(HandoffRuleName)

Decision = Literal["hand_over", "wait", "refuse"]

ERRORS_ARE_RARE = (1.0, 5.0)
"""Beta prior of the audits' bet: what a fall would look like is a few errors in ten, not nine in ten."""


@dataclass(frozen=True, slots=True)
class HandoffRule:
    """When the rest may be handed over.

    Attributes:
        threshold: what blind agreement on the rest has to exceed, inside (0, 1); `end_human_annotation_agreement`.
        rule: `anytime` may be looked at after every label; `fixed` looks once, when the declared number is complete;
            `point` compares the plain rate, as the guides do, and certifies nothing.
        minimum_blind_sample: comparisons below which nothing is decided.
        declared: for `fixed` the number of blind comparisons at which one looks.
        version: which version of the machine this is on the corpus, from 1.
        alpha: chance that any version is ever handed over wrongly; each version gets its part of it.
        audit_error: share of disagreements that audits afterwards may show; evidence for more revokes the certificate.
    """

    threshold: float = 0.90
    rule: HandoffRuleName = "anytime"
    minimum_blind_sample: int = 20
    declared: int | None = None
    version: int = 1
    alpha: float = ALPHA
    audit_error: float = 0.05

    def __post_init__(self) -> None:
        if not (0 < self.threshold < 1 and 0 < self.alpha < 1 and 0 < self.audit_error < 1):
            raise ValueError(
                "HandoffRule: threshold, alpha and audit_error must be inside (0, 1), "
                f"but got {self.threshold!r}, {self.alpha!r}, {self.audit_error!r}"
            )
        if self.rule == "fixed" and not self.declared:
            raise ValueError("HandoffRule: the rule 'fixed' needs `declared`, the number of blind items to look at")

    @property
    def level(self) -> float:
        """The part of alpha that this version may use."""
        return alpha_at_look(self.alpha, self.version)


@dataclass(frozen=True, slots=True)
class HandoffReading:
    """What the rule says now.

    Attributes:
        decision: `hand_over`; `wait` for more blind labels; `refuse` where no further label would make it sound.
        certified: whether the decision is a proof; false for the rule `point`.
        bound: lower bound for the agreement on the items that remain, at this version's level.
        blind: the plain blind agreement.
        still_needed: blind items that would do if all of them agreed; None where no number would.
        reason: in words, what decided.
    """

    decision: Decision
    certified: bool
    bound: Statistic
    blind: Statistic
    still_needed: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class AuditReading:
    """What audits say of a handoff.

    Attributes:
        fallen: the evidence for more disagreement than allowed is strong enough; stop accepting and revoke.
        disagreement: share of audits in which the person disagrees with the machine.
        strongest: the largest e-value, over the audits from whichever batch on, as a share of what would revoke:
            1 or more revokes.
        reason: in words.
    """

    fallen: bool
    disagreement: Statistic
    strongest: float
    reason: str


def handoff(comparisons: Sequence[Comparison], n_items: int, rule: HandoffRule) -> HandoffReading:
    """Whether the items that remain may be left to the machine.

    Args:
        comparisons: every comparison with one version of the machine; those that are no evidence are dropped and
            counted. Agreement on items in view never takes the place of blind agreement.
        n_items: all items that the machine labels.
        rule: what has to be shown.

    Returns:
        The decision with its bound. Of one answer an item, the bound is for the items outside the sample of a closed
        corpus; of several, for the mean share of people who agree.

    Raises:
        ValueError: there is evidence on more items than there are.

    Source: `blind`; STATISTICS 5.5–5.6. Departs: the guides compare the plain rate with the threshold at 20 items and,
    before that, the agreement in view; that hands over wrongly in most studies whose true rate is the threshold itself.
    """
    found = evidence(comparisons)
    n = len(found.counted)
    blind = share("blind_agreement", found.agreeing, n, dropped=found.dropped, empty=Phrase("no blind comparison"))
    graded = len({one.item for one in found.counted}) < n
    bound = _bound(found, n_items, rule, graded=graded)
    needed = None if graded else _needed(found.agreeing, n, n_items, rule)

    def reading(decision: Decision, reason: str) -> HandoffReading:
        return HandoffReading(decision, decision == "hand_over" and rule.rule != "point", bound, blind, needed, reason)

    unequal = len({one.inclusion for one in found.counted}) > 1
    leaked = sum(one.inclusion is not None and not one.blind for one in comparisons)
    if leaked:
        return reading(
            "refuse",
            Phrase.counted(
                "%(num)s drawn item was labelled after something had been shown, so the sample is not blind",
                "%(num)s drawn items were labelled after something had been shown, so the sample is not blind",
                leaked,
            ),
        )
    if unequal:
        return reading("refuse", Phrase("items were drawn with different probabilities; estimate the corpus instead"))
    if n < rule.minimum_blind_sample:
        return reading(
            "wait", Phrase("%(n)s of at least %(least)s blind comparisons", n=n, least=rule.minimum_blind_sample)
        )
    if rule.rule == "point":
        assert blind.value is not None
        passed = blind.value > rule.threshold
        return reading(
            "hand_over" if passed else "wait",
            Phrase(
                "plain rate %(rate)s against %(threshold)s; nothing is certified by it",
                rate=round(blind.value, 3),
                threshold=rule.threshold,
            ),
        )
    if rule.rule == "fixed" and n != rule.declared:
        if n < (rule.declared or 0):
            return reading(
                "wait",
                Phrase(
                    "%(n)s of the %(declared)s blind comparisons at which one looks", n=n, declared=rule.declared or 0
                ),
            )
        return reading(
            "refuse",
            Phrase("%(n)s blind comparisons, but one was to look at %(declared)s", n=n, declared=rule.declared or 0),
        )
    if bound.value is None:
        return reading("refuse", bound.reason)
    told: dict[str, Value] = {"bound": round(bound.value, 3), "threshold": rule.threshold}
    if bound.value > rule.threshold:
        return reading(
            "hand_over", Phrase("agreement on the rest is above %(bound)s, the threshold is %(threshold)s", **told)
        )
    if rule.rule == "fixed":
        return reading(
            "refuse", Phrase("the bound %(bound)s is not above %(threshold)s, and one looks only once", **told)
        )
    return reading(
        "wait", Phrase("agreement on the rest is above %(bound)s, which does not exceed %(threshold)s", **told)
    )


def audits(comparisons: Sequence[Comparison], rule: HandoffRule, *, starts: tuple[int, ...] = (0,)) -> AuditReading:
    """Whether audits after a handoff show that the machine has become worse.

    A bet against "at most `audit_error` of answers disagree", by the mixture of STATISTICS 5.6 with the roles of
    agreement and disagreement exchanged. A bet begins with each batch of audits and goes on through the later ones, so
    that a long good time does not hide a fall; the j-th uses its part of alpha.

    Args:
        comparisons: of the accepted version; only audits count.
        rule: the rule of the certificate.
        starts: where each batch of audits begins in the sequence, rising, from 0.

    Returns:
        `fallen` is final: what was found once may not be waited away.
    """
    found = audit_evidence(comparisons)
    wrong = np.array([not one.agrees for one in found.counted], bool)
    disagreement = share(
        "audit_disagreement", int(wrong.sum()), len(wrong), dropped=found.dropped, empty=Phrase("no audit yet")
    )
    strongest = max(
        (
            _strongest(wrong[start:], rule.audit_error, alpha_at_look(rule.alpha, batch))
            for batch, start in enumerate(starts, start=1)
        ),
        default=0.0,
    )
    if strongest >= 1:
        return AuditReading(True, disagreement, strongest, fall_words(rule.audit_error))
    return AuditReading(
        False, disagreement, strongest, Phrase("no evidence of a fall") if len(wrong) else Phrase("no audit yet")
    )


def fall_words(audit_error: float) -> Phrase:
    """Why a handoff was revoked."""
    return Phrase("more than %(share)s of audited answers disagree", share=audit_error)


def _bound(found: Evidence, n_items: int, rule: HandoffRule, *, graded: bool) -> Statistic:
    n = len(found.counted)
    if graded:
        return graded_lower(shares_by_item(found.counted), alpha=rule.level)
    bound = hypergeometric_lower if rule.rule == "fixed" else anytime_corpus_lower
    return bound(found.agreeing, n, n_items, alpha=rule.level).rest


def _needed(agreeing: int, n: int, n_items: int, rule: HandoffRule) -> int | None:
    if rule.rule == "anytime":
        more = still_needed(agreeing, n, rule.threshold, corpus=n_items, alpha=rule.level)
        return None if more is None else max(more, rule.minimum_blind_sample - n)
    return max((rule.declared or rule.minimum_blind_sample) - n, 0)


def _strongest(wrong: npt.NDArray[np.bool_], allowed: float, alpha: float) -> float:
    needed = -math.log(alpha)
    return max(
        (_log_e(int(total), n, allowed) / needed for n, total in enumerate(np.cumsum(wrong), start=1)), default=0.0
    )


def _log_e(errors: int, n: int, allowed: float) -> float:
    value = log_e_value(errors, n, allowed, prior=ERRORS_ARE_RARE).value
    assert value is not None
    return value
