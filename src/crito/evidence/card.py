"""The Blind Agreement card: what blind and visible labels say of the machine and of its pull, on one page."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from crito.evidence.comparisons import Comparison
from crito.evidence.handoff import HandoffReading, HandoffRule, handoff
from crito.model.phrase import Phrase, Value
from crito.stats.anchoring import anchoring_gap
from crito.stats.ceiling import Ceiling, ceiling
from crito.stats.proportions import share
from crito.stats.ratings import ratings_from
from crito.stats.statistic import Statistic

LARGE_GAP = 0.10
"""From here on the card advises more blind items, or suggestions after the label only."""


@dataclass(frozen=True, slots=True)
class AgreementCard:
    """What the card shows.

    Attributes:
        blind, visible: share of labels equal to the machine's, given without and with anything in view.
        gap: visible minus blind.
        by_button, by_hand: of the labels given with a suggestion and its button in view, the share that took it over
            with the button, and the share that gave the same label by hand.
        kept: of the verify requests, the share that kept the label in view.
        ceiling: agreement among people, and the band in which the best possible machine lies.
        gate: what the rule for handing over says now.
        meaning: the one sentence that says what it comes to.
        advice: what to do about it; empty where nothing.
    """

    blind: Statistic
    visible: Statistic
    gap: Statistic
    by_button: Statistic
    by_hand: Statistic
    kept: Statistic
    ceiling: Ceiling
    gate: HandoffReading
    meaning: str
    advice: str


def agreement_card(
    comparisons: Sequence[Comparison], labels: Sequence[str], n_items: int, rule: HandoffRule
) -> AgreementCard:
    """The card of one task and one version of the machine.

    Args:
        comparisons: first labels and verify answers of people on items that the machine labelled.
        labels: the label set of the task; the machine's labels are among them.
        n_items: all items that the machine labels.
        rule: of the handoff.

    Raises:
        ValueError: a label is not in `labels`.

    Source: `blind`, the Blind Agreement card; STATISTICS 5.2–5.5, 5.8.
    """
    labelled = [one for one in comparisons if one.purpose != "verify"]
    unseen = [one for one in labelled if one.blind and one.inclusion is not None]
    seen = [one for one in labelled if not one.blind]
    offered = [one for one in seen if one.taken is not None or not one.agrees]
    verified = [one for one in comparisons if one.purpose == "verify"]
    blind = _share("blind_agreement", unseen, Phrase("no label on a drawn item was given blind"))
    visible = _share("visible_agreement", seen, Phrase("no label was given with a suggestion in view"))
    gap = anchoring_gap(
        [one.agrees for one in seen], [one.agrees for one in unseen],
        shown_items=[one.item for one in seen], blind_items=[one.item for one in unseen],
    )  # fmt: skip
    gate = handoff(comparisons, n_items, rule)
    people = _ceiling([one for one in labelled if one.blind], labels)
    return AgreementCard(
        blind, visible, gap,
        by_button=_count("taken_by_button", offered, sum(one.taken == "button" for one in offered)),
        by_hand=_count("agreed_by_hand", offered, sum(one.taken == "hand" for one in offered)),
        kept=_share("kept_rate", verified, Phrase("nothing was verified")),
        ceiling=people,
        gate=gate,
        meaning=_meaning(blind, gap, gate),
        advice=_advice(gap, gate, people.band_high, rule.threshold),
    )  # fmt: skip


def _share(name: str, comparisons: Sequence[Comparison], empty: str) -> Statistic:
    return share(name, sum(one.agrees for one in comparisons), len(comparisons), empty=empty)


def _count(name: str, offered: Sequence[Comparison], taken: int) -> Statistic:
    return share(name, taken, len(offered), empty=Phrase("no suggestion with a button was in view"))


def _ceiling(blind: Sequence[Comparison], labels: Sequence[str]) -> Ceiling:
    ratings = ratings_from(
        [one.item for one in blind], [one.annotator for one in blind], [one.answer for one in blind], label_set=labels
    )
    machine = {one.item: labels.index(one.machine) for one in blind}
    return ceiling(ratings, np.array([machine[str(item)] for item in ratings.items], np.int64))


def _meaning(blind: Statistic, gap: Statistic, gate: HandoffReading) -> Phrase:
    if blind.value is None:
        return Phrase("Nothing can be said yet: no label was given blind on an item that was drawn for it.")
    seen: dict[str, Value] = {"percent": round(100 * blind.value), "n": blind.n}
    if gap.value is None or gap.interval is None:
        return Phrase(
            "Unseen, people and the machine agree on %(percent)s%% of %(n)s items; whether seeing the suggestion pulls people "
            "cannot be told yet.", **seen,
        )  # fmt: skip
    if gap.interval.low > 0:
        return Phrase(
            "Unseen, people and the machine agree on %(percent)s%% of %(n)s items; in view they agree %(points)s points more "
            "often, so the suggestion pulls people.", **seen, points=_points(gap.value),
        )  # fmt: skip
    if gap.interval.high < 0:
        return Phrase(
            "Unseen, people and the machine agree on %(percent)s%% of %(n)s items; in view they agree %(points)s points less "
            "often, so the suggestion pushes people away.", **seen, points=_points(-gap.value),
        )  # fmt: skip
    return Phrase(
        "Unseen, people and the machine agree on %(percent)s%% of %(n)s items; seeing the suggestion may change that by %(low)s "
        "to %(high)s points, so a pull cannot be told from chance.",
        **seen, low=_points(gap.interval.low), high=_points(gap.interval.high),
    )  # fmt: skip


def _points(difference: float) -> int:
    return round(difference * 100)


def _advice(gap: Statistic, gate: HandoffReading, highest: Statistic, threshold: float) -> str:
    if highest.value is not None and highest.value < threshold:
        return Phrase(
            "People agree among themselves so seldom that no machine could reach %(threshold)s: the best possible one reaches "
            "%(highest)s at most.", threshold=threshold, highest=round(highest.value, 2),
        )  # fmt: skip
    if gap.value is not None and gap.value >= LARGE_GAP:
        return Phrase("The pull is large: label more items blind, or show suggestions only after the label.")
    if gate.decision == "wait" and gate.still_needed is None:
        return Phrase("Not even agreement on all items that are left could show the threshold to be exceeded.")
    return ""
