"""A study as one line of text that reads back as the same study, and how two editions differ."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Literal

from pydantic import TypeAdapter

from crito.model.debate import Debate
from crito.model.study import Item, Study, Task

_STUDY = TypeAdapter(Study)
_DEBATE = TypeAdapter(Debate)


def dump(study: Study) -> str:
    """`study` as canonical JSON: equal studies give equal text, and `load` gives the study back."""
    plain = _STUDY.dump_python(study, mode="json")
    for task in plain["tasks"]:
        # Left out, so that a study without any stays the edition it was.
        if not task["context_names"]:
            del task["context_names"]
    for condition in plain["conditions"]:
        condition["partner"]["rules_off"].sort()
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))


def load(text: str) -> Study:
    """The study that `dump` wrote."""
    return _STUDY.validate_json(text)


def dump_debate(debate: Debate) -> str:
    """`debate` as canonical JSON, which `load_debate` reads back."""
    return json.dumps(_DEBATE.dump_python(debate, mode="json"), ensure_ascii=False, separators=(",", ":"))


def load_debate(text: str) -> Debate:
    """The debate that `dump_debate` wrote."""
    return _DEBATE.validate_json(text)


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two editions of a study.

    `touches` says what labels given before may suffer: `labels` (other answers to choose from), `items`
    (other texts to label), `nothing`. `key` is the place in the study file, `says` a sentence without full stop.
    """

    key: str
    touches: Literal["labels", "items", "nothing"]
    says: str

    @property
    def needs_confirmation(self) -> bool:
        return self.touches != "nothing"


def changes(old: Study, new: Study) -> tuple[Change, ...]:
    """How `new` differs from `old`; empty when they are equal."""
    return (*_task_changes(old.tasks, new.tasks), *_other_changes(old, new))


def _task_changes(old: Sequence[Task], new: Sequence[Task]) -> Iterator[Change]:
    before, after = {task.name: task for task in old}, {task.name: task for task in new}
    for name in before:
        if name not in after:
            yield Change(f"tasks.{name}", "labels", f"task {name!r} is gone; its labels stay readable")
    for name, task in after.items():
        if name not in before:
            yield Change(f"tasks.{name}", "items", f"task {name!r} is new, with {len(task.items)} items")
        else:
            yield from _changes_of_task(before[name], task)
    if list(before) != [name for name in after if name in before] and before.keys() <= after.keys():
        yield Change("tasks", "nothing", "the tasks stand in another order")


def _changes_of_task(old: Task, new: Task) -> Iterator[Change]:
    key = f"tasks.{new.name}"
    if old.label_names != new.label_names:
        says = f"labels were {', '.join(old.label_names)} and are {', '.join(new.label_names)}"
        yield Change(f"{key}.labels", "labels", says)
    elif old.labels != new.labels:
        yield Change(f"{key}.labels", "labels", "labels keep their names, but what people read has changed")
    for name in ("question", "guideline", "explicit_only"):
        if getattr(old, name) != getattr(new, name):
            yield Change(f"{key}.{name}", "labels", f"{name} has changed, so labels may mean something else")
    yield from _item_changes(old.items, new.items, f"{key}.items")
    for name in ("title", "context_fields", "context_names", "items_per_person", "annotators_per_item"):
        if getattr(old, name) != getattr(new, name):
            yield Change(f"{key}.{name}", "nothing", f"{name} has changed")


def _item_changes(old: Sequence[Item], new: Sequence[Item], key: str) -> Iterator[Change]:
    before, after = _by_id(old), _by_id(new)
    gone, added = before.keys() - after.keys(), after.keys() - before.keys()
    shared = before.keys() & after.keys()
    reworded = [i for i in shared if before[i].hash != after[i].hash]
    for ids, what in ((gone, "taken out"), (added, "added"), (reworded, "given another text or context")):
        if ids:
            yield Change(key, "items", f"{len(ids)} items {what}: {_few(sorted(ids))}")
    regolded = sorted(i for i in shared if before[i].gold != after[i].gold)
    if regolded:
        yield Change(key, "nothing", f"{len(regolded)} items given another reference label: {_few(regolded)}")


def _by_id(items: Sequence[Item]) -> Mapping[str, Item]:
    return {item.id: item for item in items}


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (", …" if len(names) > 3 else "")


def _other_changes(old: Study, new: Study) -> Iterator[Change]:
    for part in fields(Study):
        if part.name != "tasks" and getattr(old, part.name) != getattr(new, part.name):
            yield Change(part.name, "nothing", f"{part.name} has changed")
