"""The items of a study, for its owner: which labels each got, how far people agree, and who gave which."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from crito.model.errors import NotFound
from crito.model.ids import AnnotatorId, ItemId, StudyName, TaskName
from crito.model.study import Item, Study, Task
from crito.services.parts import Parts
from crito.services.ports.owner import LabelCount
from crito.services.ports.store import Tx

ItemState = Literal["", "missing", "disputed", "agreed"]
ITEM_STATES: tuple[ItemState, ...] = ("missing", "disputed", "agreed")


@dataclass(frozen=True, slots=True)
class ItemFilter:
    """Which items of a task are meant; empty is any.

    `search` is a part of the id or of the text. `missing` ones lack labels that the study asks for; on `disputed` ones
    people's initial labels differ, on `agreed` ones at least two people gave the same.
    """

    task: TaskName
    search: str = ""
    state: ItemState = ""


class ListedItem(NamedTuple):
    """One line of the list: initial labels with how many people gave each, the commonest first."""

    item: Item
    labels: Sequence[LabelCount]
    places: int
    done: int
    open: int

    @property
    def n(self) -> int:
        """How many people labelled it."""
        return sum(one.people for one in self.labels)

    @property
    def agreeing(self) -> float | None:
        """The share of the commonest label; None without two people."""
        return self.labels[0].people / self.n if self.n > 1 else None


class ItemPage(NamedTuple):
    """A page of the list: how many are meant, of how many the task has, and the cursor of the next page, if there is one."""

    items: Sequence[ListedItem]
    meant: int
    n_items: int
    next: str


async def item_page(parts: Parts, name: StudyName, which: ItemFilter, *, after: str = "", limit: int = 50) -> ItemPage:
    """The items that `which` means, in the order of the study, from the one behind `after` on."""
    _, study = await parts.latest(name)
    task = _task(study, which.task)

    def work(tx: Tx) -> ItemPage:
        meant = _meant(tx, study, task, which)
        ids = [item.id for item in meant]
        begin = ids.index(ItemId(after)) + 1 if after in ids else 0
        shown = meant[begin : begin + limit]
        return ItemPage(
            _listed(tx, study, task, shown), len(meant), len(task.items),
            shown[-1].id if begin + limit < len(meant) else "",
        )  # fmt: skip

    return await parts.store.survey(work)


def _task(study: Study, name: str) -> Task:
    found = next((task for task in study.tasks if task.name == name), None)
    if found is None:
        raise NotFound(f"this study has no task {name!r}")
    return found


def _meant(tx: Tx, study: Study, task: Task, which: ItemFilter) -> Sequence[Item]:
    search = which.search.casefold()
    found = [item for item in task.items if search in item.id.casefold() or search in item.text.casefold()]
    if not which.state:
        return found
    labels = _by_item(tx.label_counts(study.name, task.name, None))
    if which.state == "missing":
        places = task.annotators_per_item * len(study.conditions)
        return [item for item in found if sum(one.people for one in labels.get(item.id, ())) < places]
    if which.state == "disputed":
        return [item for item in found if len(labels.get(item.id, ())) > 1]
    agreed = {item for item, given in labels.items() if len(given) == 1 and given[0].people > 1}
    return [item for item in found if item.id in agreed]


def _listed(tx: Tx, study: Study, task: Task, items: Sequence[Item]) -> list[ListedItem]:
    ids = [item.id for item in items]
    labels = _by_item(tx.label_counts(study.name, task.name, ids))
    held: dict[tuple[ItemId, str], int] = {}
    for condition in study.conditions:
        for one in tx.held_places(study.name, task.name, condition.name, ids):
            held[one.item, one.status] = held.get((one.item, one.status), 0) + one.places
    places = task.annotators_per_item * len(study.conditions)
    return [
        ListedItem(
            item, labels.get(item.id, ()), places, held.get((item.id, "done"), 0), held.get((item.id, "open"), 0)
        )
        for item in items
    ]


def _by_item(counts: Sequence[LabelCount]) -> Mapping[ItemId, list[LabelCount]]:
    found: dict[ItemId, list[LabelCount]] = {}
    for one in counts:
        found.setdefault(one.item, []).append(one)
    return found


class LabelledBy(NamedTuple):
    """One person's labels of an item: the initial one, and the last one if there is another round."""

    annotator: AnnotatorId
    condition: str
    first: str
    confidence: str
    last: str
    last_confidence: str


class OneItem(NamedTuple):
    """An item of a task with everybody's labels."""

    task: Task
    listed: ListedItem
    people: Sequence[LabelledBy]


async def one_item(parts: Parts, name: StudyName, task: str, item: str) -> OneItem:
    """
    Raises:
        NotFound: the study has no such task, or the task no such item.
    """
    _, study = await parts.latest(name)
    of_task = _task(study, task)
    found = next((one for one in of_task.items if one.id == item), None)
    if found is None:
        raise NotFound(f"task {task!r} has no item {item!r}")

    def work(tx: Tx) -> OneItem:
        people: dict[AnnotatorId, LabelledBy] = {}
        for given in tx.labels_on(name, of_task.name, found.id):
            first = people.get(given.annotator)
            people[given.annotator] = (
                first._replace(last=given.answer, last_confidence=given.confidence or "")
                if first
                else LabelledBy(given.annotator, given.condition, given.answer, given.confidence or "", "", "")
            )
        return OneItem(of_task, _listed(tx, study, of_task, [found])[0], list(people.values()))

    return await parts.store.survey(work)
