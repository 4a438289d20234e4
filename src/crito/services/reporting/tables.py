"""What the report of tables of labels says, as data: the same as of a study, as far as the columns go."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

import numpy as np

from crito.model.errors import InvalidInput
from crito.model.ids import ItemId, TaskName
from crito.model.study import STATES, Item
from crito.services.given_labels import GivenLabel, LabelTable, TaskRound, in_order
from crito.services.reporting.columns import WRITTEN_STATES, Effort, GroupLabels, TaskFacts
from crito.services.reporting.comparing import Comparison, between, comparisons
from crito.services.reporting.groups import TaskReport, group_report
from crito.stats.ratings import Pairs, Ratings, pairs_from_rounds, ratings_from

MOST_STEPS = 7
"""Up to so many different values, confidence is taken for a scale of steps; beyond, it is not reported."""

Unrevisited = Literal["missing", "kept"]
UNREVISITED: tuple[Unrevisited, ...] = get_args(Unrevisited)

MODELS = "models"
PEOPLE = "people"
"""Groups of a table in which both kinds of annotators label."""


@dataclass(frozen=True, slots=True)
class TableReport:
    """Everything the report of tables shows. `groups` are the names of what stands beside each other; one may be empty."""

    name: str
    made_at: datetime
    remarks: tuple[str, ...]
    groups: tuple[str, ...]
    tasks: tuple[TaskReport, ...]
    comparisons: tuple[Comparison, ...]


def grouped(table: LabelTable, groups: Sequence[str]) -> dict[str, LabelTable]:
    """A table taken apart by the group of each of its rows, in the order of the groups' names.

    Raises:
        InvalidInput: there is another number of groups than of rows.
    """
    if len(groups) != len(table.given):
        raise InvalidInput("every row needs a group", len(groups), f"give {len(table.given)}")
    rows: dict[str, list[GivenLabel]] = {}
    for row, group in zip(table.given, groups, strict=True):
        rows.setdefault(group, []).append(row)
    return {name: LabelTable(tuple(rows[name]), table.items, table.labels, table.languages) for name in in_order(rows)}


def report_tables(
    groups: Mapping[str, LabelTable],
    name: str,
    now: datetime,
    remarks: Sequence[str] = (),
    *,
    unrevisited: Unrevisited = "missing",
) -> TableReport:
    """The report of one table, or of several beside each other.

    Args:
        groups: the tables by the name of what they are: a value of a column, or a file.
        name: of the report.
        now: when it is made.
        remarks: what the reader of the tables had to say.
        unrevisited: whether a label that was not given again is `missing` in the end, or counts as `kept`.
    """
    if len(groups) == 1:
        groups = _kinds_apart(next(iter(groups.values())), next(iter(groups)))
    tasks = list(dict.fromkeys(task for table in groups.values() for task in table.tasks))
    parts = {group: _rounds(table) for group, table in groups.items()}
    facts = {task: _facts(task, groups) for task in tasks}
    items = {task: _items(task, groups) for task in tasks}
    labels = {
        task: [
            _labels(group, rounds[task], facts[task], unrevisited) for group, rounds in parts.items() if task in rounds
        ]
        for task in tasks
    }
    return TableReport(
        name, now, (*remarks, *_strangers(tasks, groups)), tuple(groups),
        tuple(
            TaskReport(
                task, task or "Labels", "", facts[task].labels, len(items[task]), len(facts[task].gold),
                tuple(group_report(task, group, facts[task]) for group in labels[task]),
                {item.id: item.text for item in items[task].values()},
                between(labels[task]),
            )
            for task in tasks
        ),
        comparisons((task, labels[task], facts[task]) for task in tasks),
    )  # fmt: skip


def _strangers(tasks: Sequence[TaskName], groups: Mapping[str, LabelTable]) -> list[str]:
    """What to say of tasks whose groups have no label in common: they are likely to be named differently."""
    sets = {task: [set(table.labels.get(task, ())) for table in groups.values()] for task in tasks}
    return [
        f"no label of task {task!r} is in every group, so that hardly anything about its labels can be compared"
        for task, found in sets.items()
        if len(found) > 1 and all(found) and not set.intersection(*found)
    ]


def _kinds_apart(table: LabelTable, name: str) -> dict[str, LabelTable]:
    """People's labels are never mixed with those of models."""
    if len({row.kind for row in table.given}) < 2:
        return {name: table}
    return grouped(table, [MODELS if row.kind == "model" else PEOPLE for row in table.given])


def _rounds(table: LabelTable) -> dict[TaskName, list[TaskRound]]:
    found: dict[TaskName, list[TaskRound]] = {}
    for part in table.parts():
        found.setdefault(part.task, []).append(part)
    return found


def _items(task: TaskName, groups: Mapping[str, LabelTable]) -> dict[ItemId, Item]:
    return {name: item for table in groups.values() for (of, name), item in table.items.items() if of == task}


def _facts(task: TaskName, groups: Mapping[str, LabelTable]) -> TaskFacts:
    sets = [table.labels[task] for table in groups.values() if task in table.labels]
    # declared sets keep their order; sets that were only met have one that does not depend on the rows
    labels = sets[0] if len({*map(frozenset, sets)}) == 1 else in_order({label for names in sets for label in names})
    gold = {
        name: item.gold
        for table in groups.values()
        for (of, name), item in table.items.items()
        if of == task and item.gold is not None
    }
    by_models: dict[str, dict[ItemId, str]] = {}
    for table in groups.values():
        for row in table.given:
            if row.kind == "model" and row.task == task and row.label is not None and row.round == 0:
                by_models.setdefault(row.annotator, {})[row.item] = row.label
    return TaskFacts({label: label for label in labels}, gold, by_models)


def _labels(name: str, rounds: Sequence[TaskRound], facts: TaskFacts, unrevisited: Unrevisited) -> GroupLabels:
    labels = tuple(facts.labels)
    ratings = {part.round: _ratings(part.given, labels) for part in rounds}
    minutes = {part.round: _minutes(part.given) for part in rounds}
    if len(rounds) < 2:
        return GroupLabels(name, ratings, minutes=minutes)
    given = [row for part in rounds for row in part.given]
    pairs = pairs_from_rounds(
        [row.item for row in given], [row.annotator for row in given], [row.round for row in given], _written(given),
        label_set=labels, states=WRITTEN_STATES, unrevisited=unrevisited,
    )  # fmt: skip
    return GroupLabels(name, ratings, pairs, _confidence(given, unrevisited), _effort(pairs, rounds[-1]), minutes)


def _minutes(given: Sequence[GivenLabel]) -> list[tuple[str, float]]:
    return [(row.annotator, row.seconds / 60) for row in given if row.seconds is not None]


def _effort(pairs: Pairs, last: TaskRound) -> Effort | None:
    """What the last labels took, as far as their times are known; what was said before them is not in a table."""
    took = {(row.item, row.annotator): row.seconds / 60 for row in last.given if row.seconds is not None}
    if not took:
        return None
    keys = zip(pairs.item.tolist(), pairs.annotator.tolist(), strict=True)
    minutes = np.array([took.get((pairs.items[i], pairs.annotators[a]), np.nan) for i, a in keys], np.float64)
    return Effort(minutes)


def _ratings(given: Sequence[GivenLabel], labels: Sequence[str]) -> Ratings:
    return ratings_from(
        [row.item for row in given], [row.annotator for row in given], _written(given),
        label_set=labels, states=WRITTEN_STATES,
    )  # fmt: skip


def _written(given: Sequence[GivenLabel]) -> list[Hashable]:
    """Missing and unseen labels are both missing to the statistics."""
    return [
        row.label if row.state == "labelled" else ("state", row.state) if row.state in STATES else None for row in given
    ]


def _confidence(given: Sequence[GivenLabel], unrevisited: Unrevisited) -> Pairs | None:
    values = sorted({row.confidence for row in given if row.confidence is not None})
    if not 2 <= len(values) <= MOST_STEPS:
        return None
    return pairs_from_rounds(
        [row.item for row in given], [row.annotator for row in given], [row.round for row in given],
        [None if row.confidence is None else str(row.confidence) for row in given],
        label_set=[str(value) for value in values], states={}, unrevisited=unrevisited,
    )  # fmt: skip
