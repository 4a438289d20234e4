"""Labels of many annotators in one long table, whether they come from a study's record or from a file."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple, Self, get_args

from crito.model.errors import InvalidInput
from crito.model.ids import ItemId, TaskName
from crito.model.study import Item, Study
from crito.services.tables import Outgoing

LabelState = Literal["labelled", "not_sure", "skipped", "abstained", "missing", "unseen"]
"""`missing`: the item was shown and got no answer. `unseen`: it was assigned and never shown."""

LABEL_STATES: tuple[LabelState, ...] = get_args(LabelState)
AnnotatorKind = Literal["human", "model"]
ItemKey = tuple[TaskName, ItemId]


class GivenLabel(NamedTuple):
    """What one annotator gave one item in one round: a label, or the state that stands in its place.

    `confidence` is in [0, 1] where a study says so, and otherwise what the file says.
    `seconds` is how long the annotator took, where the file says so.
    `suggestion` is a machine's label of the item that the row names; `visible` says whether anyone's answer was in view
    when the label was given, None where nothing is known of it.
    """

    task: TaskName
    item: ItemId
    annotator: str
    round: int = 0
    state: LabelState = "labelled"
    label: str | None = None
    confidence: float | None = None
    rationale: str | None = None
    kind: AnnotatorKind = "human"
    suggestion: str | None = None
    visible: bool | None = None
    seconds: float | None = None


class TaskRound(NamedTuple):
    """The labels that one task got in one round. `items` are all of the task, `labels` its label set in order.

    `language` is the tag of the study's first language; empty if unknown.
    """

    task: TaskName
    round: int
    given: tuple[GivenLabel, ...]
    items: tuple[Item, ...]
    labels: tuple[str, ...]
    language: str = ""

    def by_item(self) -> Iterator[tuple[Item, list[GivenLabel]]]:
        """Every item with what it was given, in the order of the items."""
        per_item: dict[ItemId, list[GivenLabel]] = {item.id: [] for item in self.items}
        for given in self.given:
            per_item[given.item].append(given)
        for item in self.items:
            yield item, per_item[item.id]


@dataclass(frozen=True)
class LabelTable:
    """Labels with their items; nothing is aggregated.

    Attributes:
        given: one row per annotator, item and round of a task; a table without rows holds items only.
        items: by task and id, everything that `given` names included; a text that is not known is empty.
        labels: the label set of each task in its order, unused labels included.
        languages: tags of the languages that the items were labelled in, if known.
    """

    given: tuple[GivenLabel, ...]
    items: Mapping[ItemKey, Item]
    labels: Mapping[TaskName, tuple[str, ...]]
    languages: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        given: Iterable[GivenLabel],
        items: Mapping[ItemKey, Item] | None = None,
        labels: Mapping[TaskName, Sequence[str]] | None = None,
        languages: Sequence[str] = (),
    ) -> Self:
        """A table whose items and label sets cover its rows.

        A task without a declared label set takes the labels that occur (reference labels included): numbers by value,
        words by alphabet.

        Raises:
            InvalidInput: one annotator labelled an item twice in a round, or a label is not in the declared set.
        """
        rows, known = tuple(given), dict(items or {})
        seen: set[tuple[TaskName, ItemId, str, int]] = set()
        for row in rows:
            known.setdefault((row.task, row.item), Item(row.item, ""))
            if (key := (row.task, row.item, row.annotator, row.round)) in seen:
                raise InvalidInput(
                    f"annotator {row.annotator!r} labelled item {row.item!r} twice in round {row.round}",
                    wanted="one label per annotator, item and round",
                )
            seen.add(key)
        return cls(rows, known, _label_sets(rows, known, labels or {}), tuple(languages))

    @cached_property
    def tasks(self) -> tuple[TaskName, ...]:
        """Every task that has items, in the order of first occurrence."""
        return tuple(dict.fromkeys(task for task, _ in self.items))

    def parts(self) -> Iterator[TaskRound]:
        """Each task's rounds; a task whose items nobody labelled has an empty round 0."""
        for task in self.tasks:
            rows = [row for row in self.given if row.task == task]
            items = tuple(item for (of, _), item in self.items.items() if of == task)
            for number in sorted({row.round for row in rows}) or [0]:
                in_round = tuple(row for row in rows if row.round == number)
                yield TaskRound(task, number, in_round, items, self.labels[task], next(iter(self.languages), ""))

    def merged(self, other: "LabelTable") -> "LabelTable":
        """Both tables as one; label sets and facts about items are joined.

        Raises:
            InvalidInput: both have a label by the same annotator for the same item and round.
        """
        items = dict(self.items)
        for key, item in other.items.items():
            items[key] = _joined(items[key], item) if key in items else item
        sets = {
            task: tuple(dict.fromkeys((*self.labels.get(task, ()), *other.labels.get(task, ()))))
            for task in (*self.labels, *other.labels)
        }
        languages = tuple(dict.fromkeys((*self.languages, *other.languages)))
        return LabelTable.of((*self.given, *other.given), items, sets, languages)


def label_table(outgoing: Outgoing) -> tuple[LabelTable, int]:
    """The labels of a study's export that an analysis keeps, and how many rows of excluded people were left out."""
    given, n_excluded = [], 0
    for table, row in outgoing.rows:
        if table.name != "annotations":
            continue
        cells = dict(zip((column.name for column in table.columns), row, strict=True))
        if cells["excluded_by_default"]:
            n_excluded += 1
            continue
        given.append(_given(cells))
    studies = outgoing.editions.values()
    items = {(task.name, item.id): item for study in studies for task in study.tasks for item in task.items}
    languages = dict.fromkeys(language for study in studies for language in study.languages)
    return LabelTable.of(given, items, _declared(studies), tuple(languages)), n_excluded


def _given(cells: Mapping[str, Any]) -> GivenLabel:
    return GivenLabel(
        cells["task"], cells["item"], cells["annotator"], cells["round"], cells["state"], cells["label"],
        cells["confidence_value"], cells["rationale"], cells["annotator_kind"],
    )  # fmt: skip


def in_order(labels: Iterable[str]) -> tuple[str, ...]:
    """Labels in an order that does not depend on the rows: numbers by value, everything else by alphabet."""
    names = sorted(set(labels))
    return tuple(sorted(names, key=float)) if names and all(is_number(name) for name in names) else tuple(names)


def is_number(text: str) -> bool:
    """Whether a label is a finite number in digits."""
    try:
        return abs(float(text)) < float("inf") and not text.isalpha() and "_" not in text
    except ValueError:
        return False


def _label_sets(
    rows: Sequence[GivenLabel], items: Mapping[ItemKey, Item], declared: Mapping[TaskName, Sequence[str]]
) -> dict[TaskName, tuple[str, ...]]:
    found: dict[TaskName, set[str]] = {task: set() for task, _ in items}
    for row in rows:
        if row.label is not None:
            found[row.task].add(row.label)
    for (task, _), item in items.items():
        if item.gold is not None:
            found[task].add(item.gold)
    for task, names in declared.items():
        if strange := sorted(found.get(task, set()) - set(names)):
            raise InvalidInput(
                f"a label of task {task!r} is not in its label set", strange[0], f"use one of {', '.join(names)}"
            )
    return {task: tuple(declared[task]) if declared.get(task) else in_order(names) for task, names in found.items()}


def _declared(studies: Iterable[Study]) -> dict[TaskName, tuple[str, ...]]:
    sets: dict[TaskName, dict[str, None]] = {}
    for study in studies:
        for task in study.tasks:
            sets.setdefault(task.name, {}).update(dict.fromkeys(task.label_names))
    return {task: tuple(names) for task, names in sets.items()}


def _joined(one: Item, other: Item) -> Item:
    return replace(
        one, text=one.text or other.text, context=one.context or other.context, gold=one.gold or other.gold
    )  # fmt: skip
