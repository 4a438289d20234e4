"""What the report of a table of labels says, as data: labels, agreement by round, flips, accuracy, items that divide."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from crito.model.ids import ItemId, TaskName
from crito.model.study import STATES, Item
from crito.services.given_labels import GivenLabel, LabelTable, TaskRound, is_number
from crito.services.reporting import WRITTEN_STATES
from crito.stats.accuracy import accuracy_change, confusion
from crito.stats.agreement import fleiss_kappa, krippendorff_alpha, percent_agreement
from crito.stats.flips import Flips, flips, flips_toward, item_flips, majority_of_others
from crito.stats.ratings import MISSING, Ratings, pairs_from_rounds, ratings_from
from crito.stats.soft_labels import entropy, mean_entropy, soft_labels
from crito.stats.statistic import Statistic

MOST_DIVIDED = 10
"""How many items are listed."""


class DividedItem(NamedTuple):
    """An item, its normalised entropy, and how often each label was given."""

    item: Item
    entropy: float
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class RoundReport:
    """One round of one task.

    Attributes:
        agreement: by name, in the order shown; alpha for numbers on the interval scale too where all labels are numbers.
        divided: the items with the highest entropy, at most `MOST_DIVIDED`.
    """

    round: int
    n_annotators: int
    n_items: int
    labels: Mapping[str, int]
    states: Mapping[str, int]
    agreement: Mapping[str, Statistic]
    entropy: Statistic
    accuracy: Statistic | None
    divided: tuple[DividedItem, ...]


@dataclass(frozen=True, slots=True)
class FlipReport:
    """From round 0 to the last round. `toward_majority` is toward what most others said at first."""

    flips: Flips
    item_flip_rate: Statistic
    toward_majority: Statistic
    away_from_majority: Statistic
    toward_gold: Statistic | None
    accuracy_change: Statistic | None


@dataclass(frozen=True, slots=True)
class TableTaskReport:
    """One task of a table. `flips` is None where no annotator has a second round."""

    name: TaskName
    labels: tuple[str, ...]
    n_items: int
    n_gold: int
    rounds: tuple[RoundReport, ...]
    flips: FlipReport | None


@dataclass(frozen=True, slots=True)
class TableReport:
    """Everything the report of a table shows."""

    name: str
    made_at: datetime
    remarks: tuple[str, ...]
    tasks: tuple[TableTaskReport, ...]


def report_table(table: LabelTable, name: str, now: datetime, remarks: Sequence[str] = ()) -> TableReport:
    """The report of a table; `remarks` are what its reader had to say."""
    parts: dict[TaskName, list[TaskRound]] = {}
    for part in table.parts():
        parts.setdefault(part.task, []).append(part)
    return TableReport(name, now, tuple(remarks), tuple(_task(rounds) for rounds in parts.values()))


def _task(rounds: Sequence[TaskRound]) -> TableTaskReport:
    part = rounds[0]
    gold = {item.id: item.gold for item in part.items if item.gold is not None}
    return TableTaskReport(
        part.task, part.labels, len(part.items), len(gold),
        tuple(_round(part, gold) for part in rounds),
        _flips(rounds, gold) if len(rounds) > 1 else None,
    )  # fmt: skip


def _round(part: TaskRound, gold: Mapping[ItemId, str]) -> RoundReport:
    ratings = _ratings(part)
    per_label = ratings.counts().sum(axis=0)
    agreement = {
        "Krippendorff's alpha, nominal": krippendorff_alpha(ratings),
        **_alpha_of_numbers(ratings),
        "Fleiss' kappa": fleiss_kappa(ratings),
        "Pairs that agree": percent_agreement(ratings),
    }
    return RoundReport(
        part.round, len({row.annotator for row in part.given}), len({row.item for row in part.given}),
        {str(label): int(count) for label, count in zip(ratings.labels, per_label, strict=True)},
        Counter(row.state for row in part.given if row.state != "labelled"),
        agreement,
        mean_entropy(soft_labels(ratings)),
        confusion(ratings, gold).accuracy if gold else None,
        _divided(part, ratings),
    )  # fmt: skip


def _ratings(part: TaskRound) -> Ratings:
    columns = ([row.item for row in part.given], [row.annotator for row in part.given], _written(part.given))
    return ratings_from(*columns, label_set=part.labels, states=WRITTEN_STATES)


def _written(given: Sequence[GivenLabel]) -> list[object]:
    """Missing and unseen labels are both missing to the statistics."""
    return [("state", row.state) if row.state in STATES else row.label for row in given]


def _alpha_of_numbers(ratings: Ratings) -> dict[str, Statistic]:
    names = [str(label) for label in ratings.labels]
    if len(names) < 3 or not all(is_number(name) for name in names):
        return {}
    values = [float(name) for name in names]
    return {"Krippendorff's alpha, interval": krippendorff_alpha(ratings, "interval", values=values)}


def _divided(part: TaskRound, ratings: Ratings) -> tuple[DividedItem, ...]:
    soft = soft_labels(ratings)
    spread = entropy(soft.shares)
    items = {item.id: item for item in part.items}
    counts: dict[str, Counter[str]] = {}
    for row in part.given:
        if row.label is not None:
            counts.setdefault(row.item, Counter())[row.label] += 1
    # by name where entropies are equal, so that the order of rows decides nothing
    order = sorted(range(len(soft.items)), key=lambda place: (-spread[place], str(soft.items[place])))
    listed = [(str(soft.items[place]), float(spread[place])) for place in order[:MOST_DIVIDED] if spread[place] > 0]
    return tuple(DividedItem(items[ItemId(name)], value, counts[name]) for name, value in listed)


def _flips(rounds: Sequence[TaskRound], gold: Mapping[ItemId, str]) -> FlipReport:
    given = [row for part in rounds for row in part.given]
    pairs = pairs_from_rounds(
        [row.item for row in given], [row.annotator for row in given], [row.round for row in given], _written(given),
        label_set=rounds[0].labels, states=WRITTEN_STATES,
    )  # fmt: skip
    again = flips(pairs)
    majority = flips_toward(pairs, majority_of_others(pairs), "majority")
    places = {label: code for code, label in enumerate(rounds[0].labels)}
    target = [places.get(gold.get(ItemId(str(pairs.items[item])), ""), MISSING) for item in pairs.item.tolist()]
    return FlipReport(
        again, item_flips(pairs).mean(), majority.to, majority.away,
        flips_toward(pairs, pairs.item * 0 + target, "gold").to if gold else None,
        accuracy_change(pairs, gold) if gold else None,
    )  # fmt: skip
