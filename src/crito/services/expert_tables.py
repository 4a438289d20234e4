"""The tables of `experts` from what models came to on its tasks: methods beside the direct answer, reasoning models beside
the best of the others, groups beside their plain vote."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from crito.model.ids import LabellingId, TaskName
from crito.model.study import GROUP_METHODS, Item, Method, Study
from crito.services.model_reporting import ModelReport, PanelReport, adjusted, compare
from crito.stats.statistic import Statistic

DOMAINS: Mapping[str, str] = {
    "refind": "Finance", "fomc": "Finance", "cuad": "Law", "fods": "Law", "coda19": "Biomedicine",
}  # fmt: skip
"""The fields that the source groups its tasks by; a task of another name stands in none."""

Baseline = Literal["vanilla", "cot"]
SHORT: Mapping[Baseline, str] = {"vanilla": "vanilla", "cot": "CoT"}
BASELINES: tuple[Baseline, ...] = ("vanilla", "cot")


@dataclass(frozen=True, slots=True)
class Entry:
    """A model with a method, or a group, and its work on each task. `models` are its members, `reasoning` that it thinks."""

    models: str
    method: Method
    reasoning: bool
    labellings: Mapping[TaskName, LabellingId]


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """The source's Table 1, one line: accuracy by task.

    Attributes:
        mean: of the accuracies; None unless every task has one.
        change: accuracy minus that of the same model asked directly, by task; empty for the direct answer itself.
        mean_change: the same of the means.
    """

    models: str
    method: Method
    accuracy: Mapping[TaskName, Statistic]
    mean: float | None
    change: Mapping[TaskName, float]
    mean_change: float | None


@dataclass(frozen=True, slots=True)
class BestRow:
    """The source's Table 3, one line: the best of the models that do not reason, or one that does."""

    title: str
    accuracy: Mapping[TaskName, Statistic]
    who: Mapping[TaskName, str]


@dataclass(frozen=True, slots=True)
class ReasoningRow:
    """The source's Table 4, one line: a reasoning model against the best of the others, by exact McNemar tests."""

    models: str
    against: Baseline
    difference: Mapping[TaskName, Statistic]
    p_adjusted: Mapping[TaskName, float | None]


@dataclass(frozen=True, slots=True)
class GroupRow:
    """A group on one task (the source's Figures 2 and 3): its vote before and after talking, and what it could reach."""

    models: str
    method: Method
    task: TaskName
    plain: Statistic
    accuracy: Statistic
    upper_bound: Statistic
    gap: Statistic
    kappa: tuple[Statistic, ...]
    difference: Statistic
    p_adjusted: float | None


@dataclass(frozen=True, slots=True)
class ExpertTables:
    """All of them, with the titles of the tasks in order and how many items each has a label of somebody for."""

    tasks: Mapping[TaskName, str]
    items: Mapping[TaskName, int]
    methods: tuple[ScoreRow, ...]
    best: tuple[BestRow, ...]
    tests: tuple[ReasoningRow, ...]
    groups: tuple[GroupRow, ...]


def sampled(study: Study, seed: int) -> Study:
    """The study with the items that have a reference label, in an order drawn from `seed`.

    Any number of them from the front is a random sample, and a larger one holds every smaller one.
    """

    def place(task: str, item: Item) -> str:
        return hashlib.sha256(f"{seed}\x1f{task}\x1f{item.id}".encode("utf-8", "surrogatepass")).hexdigest()

    tasks = tuple(
        replace(
            task,
            items=tuple(
                sorted((item for item in task.items if item.gold is not None), key=lambda item: place(task.name, item))
            ),
        )
        for task in study.tasks
    )
    return replace(study, tasks=tasks, seed=seed, conditions=(), survey=())


def expert_tables(report: ModelReport, entries: Sequence[Entry]) -> ExpertTables:
    """The tables from a report on the work of `entries`; what nobody has finished an item of is left out."""
    made = _Tables(report)
    alone = [entry for entry in entries if entry.method not in GROUP_METHODS]
    return ExpertTables(
        tasks={task.name: task.title for task in report.tasks},
        items={task.name: made.items_of(task.name, entries) for task in report.tasks},
        methods=tuple(made.score_row(entry, alone) for entry in alone if not entry.reasoning),
        best=tuple(made.best_rows(alone)),
        tests=tuple(made.reasoning_rows(alone)),
        groups=tuple(made.group_rows([entry for entry in entries if entry.method == "discussion"])),
    )


class _Tables:
    def __init__(self, report: ModelReport) -> None:
        self._gold = {task.name: task.gold for task in report.tasks}
        self._panels = {panel.id: panel for task in report.tasks for panel in task.panels}

    def items_of(self, task: TaskName, entries: Sequence[Entry]) -> int:
        panels = (self._panel(entry, task) for entry in entries)
        return max((len(panel.answers) for panel in panels if panel is not None), default=0)

    def score_row(self, entry: Entry, alone: Sequence[Entry]) -> ScoreRow:
        accuracy = self._accuracy(entry)
        direct = next((one for one in alone if one.models == entry.models and one.method == "vanilla"), None)
        before = self._accuracy(direct) if direct is not None and direct is not entry else {}
        mean, mean_before = self._mean(accuracy), self._mean(before)
        change = {task: _value(accuracy[task]) - _value(before[task]) for task in accuracy if task in before}
        mean_change = mean - mean_before if mean is not None and mean_before is not None else None
        return ScoreRow(entry.models, entry.method, accuracy, mean, change, mean_change)

    def best_rows(self, alone: Sequence[Entry]) -> list[BestRow]:
        rows = []
        for method in BASELINES:
            best = self._best(alone, method)
            accuracy = {task: found.score.accuracy for task, found in best.items() if found.score}
            rows.append(
                BestRow(f"Best {SHORT[method]}", accuracy, {task: found.models for task, found in best.items()})
            )
        for entry in alone:
            if entry.reasoning:
                accuracy = self._accuracy(entry)
                rows.append(BestRow(entry.models, accuracy, dict.fromkeys(accuracy, entry.models)))
        return [row for row in rows if row.accuracy]

    def reasoning_rows(self, alone: Sequence[Entry]) -> list[ReasoningRow]:
        rows: list[tuple[str, Baseline, dict[TaskName, Statistic]]] = []
        for entry in alone:
            if not entry.reasoning:
                continue
            for method in BASELINES:
                found = {
                    task: compare(best.answers, mine.answers, self._gold[task])
                    for task, best in self._best(alone, method).items()
                    if (mine := self._panel(entry, task)) is not None
                }
                if found:
                    rows.append((entry.models, method, found))
        # One family, as the source's 20 tests are.
        every = iter(adjusted([difference for _, _, found in rows for difference in found.values()]))
        return [
            ReasoningRow(models, method, found, {task: next(every) for task in found}) for models, method, found in rows
        ]

    def group_rows(self, groups: Sequence[Entry]) -> list[GroupRow]:
        found = [
            (entry, task, panel, compare(panel.plain, panel.answers, gold))
            for entry in groups
            for task, gold in self._gold.items()
            if (panel := self._panel(entry, task)) is not None and panel.plain is not None
        ]
        rows = []
        for (entry, task, panel, difference), p in zip(found, adjusted([row[-1] for row in found]), strict=True):
            if panel.score is None or panel.plain_score is None or panel.bound is None:
                continue
            rows.append(
                GroupRow(
                    entry.models, entry.method, task, panel.plain_score.accuracy, panel.score.accuracy,
                    panel.bound.upper_bound, panel.bound.gap, tuple(one.fleiss_kappa for one in panel.rounds), difference, p,
                )
            )  # fmt: skip
        return rows

    def _panel(self, entry: Entry, task: TaskName) -> PanelReport | None:
        found = self._panels.get(entry.labellings.get(task, LabellingId("")))
        return found if found is not None and found.score is not None else None

    def _accuracy(self, entry: Entry) -> dict[TaskName, Statistic]:
        panels = {task: self._panel(entry, task) for task in self._gold}
        return {task: panel.score.accuracy for task, panel in panels.items() if panel and panel.score}

    def _mean(self, accuracy: Mapping[TaskName, Statistic]) -> float | None:
        if not accuracy or accuracy.keys() != self._gold.keys():
            return None
        return sum(map(_value, accuracy.values())) / len(accuracy)

    def _best(self, alone: Sequence[Entry], method: Baseline) -> dict[TaskName, PanelReport]:
        """Whoever of those that do not reason was right most often on each task; equally right ones by name."""
        best = {}
        for task in self._gold:
            panels = [
                panel
                for entry in alone
                if entry.method == method and not entry.reasoning and (panel := self._panel(entry, task)) is not None
            ]
            if panels:
                best[task] = min(panels, key=lambda one: (-_value(one.score.accuracy) if one.score else 0, one.models))
        return best


def _value(statistic: Statistic) -> float:
    assert statistic.value is not None, "a panel with a score has judged items"
    return statistic.value
