"""Tasks of a study file: labels, guideline, items, and prompts of the study's own."""

from collections.abc import Mapping, Sequence
from string import Template

from crito.model.ids import TaskName
from crito.model.study import STATES, Item, Label, Task, Text
from crito.studies.item_files import Columns, read_items
from crito.studies.reading import Reading
from crito.studies.sections import ItemsSection, LabelSection, TaskSection
from crito.studies.texts import as_words, long_words_of, names_once, plain_words, text_of_file, words_of
from crito.studies.yaml_text import KeyPath


def labels_of(sections: Sequence[LabelSection], path: KeyPath, reading: Reading) -> tuple[Label, ...]:
    """The labels of a task."""
    named = names_once(sections, path, reading)
    for place, (name, _) in enumerate(named):
        if name in STATES:
            wanted = "choose another name; people get *Not sure* in the second labelling by itself"
            reading.complain((*path, place), "this name is kept for a state that is no label", name, wanted)
    described = (
        words_of(section.description, (*path, place, "description"), reading) for place, section in enumerate(sections)
    )
    return tuple(Label(name, text, description) for (name, text), description in zip(named, described, strict=True))


def task_of(section: TaskSection, path: KeyPath, reading: Reading) -> Task:
    """The task that a section describes."""
    labels = labels_of(section.labels, (*path, "labels"), reading)
    items = _items(section.items, labels, (*path, "items"), reading)
    if items and section.items_per_person > len(items):
        reading.complain(
            (*path, "items_per_person"), f"there are only {len(items)} items", section.items_per_person,
            "ask for fewer, or add items",
        )  # fmt: skip
    columns = section.items.context
    fields = tuple(columns if columns is not None else dict.fromkeys(name for i in items for name in i.context))
    return Task(
        name=TaskName(section.name),
        title=words_of(section.title, (*path, "title"), reading, default=plain_words(as_words(section.name), reading)),
        question=words_of(section.question, (*path, "question"), reading),
        labels=labels,
        guideline=long_words_of(section.guideline, (*path, "guideline"), reading) or Text({}),
        items=items,
        context_fields=fields,
        context_names=_context_names(section.items, fields, (*path, "items", "context_names"), reading),
        items_per_person=section.items_per_person,
        annotators_per_item=section.annotators_per_item,
        explicit_only=section.explicit_only,
        prompts={
            name: _prompt(name, file, (*path, "prompts", name), reading) for name, file in section.prompts.items()
        },
    )


def _context_names(section: ItemsSection, fields: Sequence[str], path: KeyPath, reading: Reading) -> Mapping[str, Text]:
    """The words for names of fields, by name."""
    named = section.context_names or {}
    for name in named:
        if name not in fields:
            wanted = f"one of {', '.join(fields)}" if fields else "name the columns under `context` first"
            reading.complain((*path, name), "no field of this name is shown above the text", name, wanted)
    first = reading.languages[0]
    return {
        name: Text({first: name, **words_of(words, (*path, name), reading).by_language})
        for name, words in named.items()
    }


PROMPT_BLANKS: Mapping[str, frozenset[str]] = {
    "label": frozenset({"question", "guideline", "labels", "examples", "persona", "trigger"}),
    "review": frozenset({"draft"}),
    "refine": frozenset({"draft", "review"}),
    "discuss": frozenset({"history"}),
    "again": frozenset({"reply", "came", "labels"}),
}
"""The blanks that each prompt of a model that labels may have."""


PROMPT_NEEDS: Mapping[str, frozenset[str]] = {
    "label": frozenset({"labels"}), "refine": frozenset({"review"}), "discuss": frozenset({"history"}),
    "review": frozenset({"draft"}),
}  # fmt: skip
"""The blanks without which a prompt cannot do its work."""


def _prompt(name: str, file: str, path: KeyPath, reading: Reading) -> str:
    """The text of a prompt file of the owner's own."""
    text = text_of_file(file, path, reading)
    template = Template(text)
    if not template.is_valid():
        reading.complain(path, "a `$` stands alone in this prompt", file, "write `$$` for a dollar sign")
        return text
    blanks = set(template.get_identifiers())
    if unknown := sorted(blanks - PROMPT_BLANKS[name]):
        wanted = f"use {', '.join(f'${blank}' for blank in sorted(PROMPT_BLANKS[name]))}"
        reading.complain(path, "this prompt has a blank that nothing fills", f"${unknown[0]}", wanted)
    elif missing := sorted(PROMPT_NEEDS.get(name, frozenset()) - blanks) if text else []:
        reading.complain(path, "this prompt lacks a blank", file, f"put ${missing[0]} where it belongs")
    return text


def _items(section: ItemsSection, labels: Sequence[Label], path: KeyPath, reading: Reading) -> tuple[Item, ...]:
    at = (*path, "file") if (*path, "file") in reading.yaml.lines else path
    data = reading.content(section.file, at)
    if data is None:
        return ()
    gold_names = {text: label.name for label in labels for text in label.text.by_language.values()}
    gold_names |= {label.name: label.name for label in labels}
    columns = Columns(section.id, section.text, section.context, section.gold, section.where or {})
    items, problems = read_items(data, file=section.file, columns=columns, gold_names=gold_names)
    for problem in problems:
        reading.add(path, problem)
    return items


def check_tasks(tasks: Sequence[Task], places: Sequence[int], reading: Reading) -> None:
    """One name for one task, and one id for one item in the whole study."""
    first: dict[str, Item] = {}
    names: set[str] = set()
    for task, place in zip(tasks, places, strict=True):
        if task.name in names:
            reading.complain(("tasks", place, "name"), "two tasks have one name", task.name, "use another")
        names.add(task.name)
        clash = next((item for item in task.items if first.setdefault(item.id, item).text != item.text), None)
        if clash:
            wanted = "an id names one item in the whole study: put the task's name before it, as in `sarcasm-1`"
            problem = "an item of another task has this id and another text"
            reading.complain(("tasks", place, "items"), problem, clash.id, wanted)
