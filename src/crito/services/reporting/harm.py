"""The harm monitor: whether talking pulls labels to a model, to the majority or to gold, and whom it wears down."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from crito.model.ids import ItemId
from crito.services.reporting.columns import GroupLabels, TaskFacts
from crito.stats.flips import Toward, flips_toward, majority_of_others
from crito.stats.means import compare_means, mean
from crito.stats.minorities import MinorityReport, at_majority, minority_report
from crito.stats.ratings import BoolArray, FloatArray, IntArray, Pairs, reference_codes
from crito.stats.statistic import Statistic

FEWEST = 10
"""With fewer annotations that could have moved, a share is not stated."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What the second part took from those who began in the minority, and from those who began with the majority."""

    minority: Statistic
    majority: Statistic
    difference: Statistic


@dataclass(frozen=True, slots=True)
class HarmReport:
    """What talking may have done to labels of one group.

    Attributes:
        toward: flips toward and away from a target, by its words: each model's own label, the majority, gold.
        minority: whether labels that few gave at first were given up.
        minutes, messages: of the second part; None where they are not recorded.
    """

    toward: Mapping[str, Toward]
    minority: MinorityReport
    minutes: Taken | None
    messages: Taken | None


MAJORITY, GOLD = "what most others had said", "the reference label"


def harm_report(labels: GroupLabels, facts: TaskFacts) -> HarmReport:
    """The harm monitor of a group that labelled twice."""
    pairs, effort = labels.pairs, labels.effort
    assert pairs is not None
    targets = {
        **{f"the label of {name}": _codes(pairs, given) for name, given in facts.by_models.items()},
        MAJORITY: majority_of_others(pairs),
    }
    if facts.gold:
        targets[GOLD] = _codes(pairs, facts.gold)
    standing = at_majority(pairs)
    return HarmReport(
        {name: _told(flips_toward(pairs, target, _key(name))) for name, target in targets.items()},
        minority_report(pairs, fewest=FEWEST),
        _taken("minutes", effort.minutes, standing) if effort else None,
        _taken("messages", effort.messages, standing) if effort and effort.messages is not None else None,
    )


def _told(toward: Toward) -> Toward:
    return Toward(toward.to.withheld_below(FEWEST), toward.away.withheld_below(FEWEST))


def _key(target: str) -> str:
    return {MAJORITY: "majority", GOLD: "gold"}.get(target, "model")


def _codes(pairs: Pairs, labels: Mapping[ItemId, str]) -> IntArray:
    known = {item: label for item, label in labels.items() if label in pairs.labels}
    return reference_codes(pairs.items, pairs.labels, known)[pairs.item]


def _taken(what: str, values: FloatArray, standing: IntArray) -> Taken:
    sides: list[BoolArray] = [(standing == code) & np.isfinite(values) for code in (0, 1)]
    few, many = (values[side] for side in sides)
    return Taken(
        mean(f"{what}_minority", few).withheld_below(FEWEST), mean(f"{what}_majority", many).withheld_below(FEWEST),
        compare_means(few, many, name=f"{what}_difference", equal_variances=False).withheld_below(
            FEWEST, min(len(few), len(many))
        ),
    )  # fmt: skip
