"""Debates on items in a study file: where they come from, and those that were prepared, read from a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from crito.model.errors import InvalidInput
from crito.model.study import Argument, Condition, Item, ItemDebates, Panel, PreparedDebate, Task
from crito.studies.item_files import Row, cell_text, read_rows
from crito.studies.reading import Reading
from crito.studies.sections import ItemDebatesSection
from crito.studies.shape import one_of

AT = ("item_debates",)
N_SIDES = 2
NAMED = 3
"""How many items are named where many lack something."""


def item_debates(
    section: ItemDebatesSection | None, panels: Sequence[Panel], conditions: Sequence[Condition], reading: Reading
) -> ItemDebates | None:
    """Where the debates come from; a step `debate` with nothing to read is complained of."""
    reads = [condition.name for condition in conditions if condition.has("debate")]
    if section is None:
        if reads:
            wanted = "add `item_debates:` with a `file` of prepared ones, or a `panel` that debates"
            at = ("conditions", reads[0]) if ("conditions", reads[0]) in reading.yaml.lines else ("flow",)
            reading.complain(at, "people read a debate here, and the study has none", "debate", wanted)
        return None
    if section.file is None and section.panel is None:
        reading.complain(AT, "this names neither a file nor a panel", wanted="write `file: …`, `panel: …`, or both")
    debating = [panel.name for panel in panels if panel.method == "debate"]
    if section.panel is not None and section.panel not in debating:
        wanted = one_of(section.panel, debating) or "describe one under `models`, with `method: debate`"
        reading.complain((*AT, "panel"), "no panel of this name debates", section.panel, wanted)
    return ItemDebates(section.panel or "")


def with_prepared_debates(
    tasks: Sequence[Task], section: ItemDebatesSection, conditions: Sequence[Condition], reading: Reading
) -> list[Task]:
    """The tasks with the debates that were prepared on their items; items without one are complained of where people would
    come to nothing."""
    rows = _rows(section, reading)
    with_debates = [_with_debates(task, rows, section, reading) for task in tasks]
    known = {name for task in tasks for name in task.label_names}
    known |= {words for task in tasks for label in task.labels for words in label.text.by_language.values()}
    ids = {str(item.id) for task in tasks for item in task.items}
    for row in rows:
        item, label = cell_text(row, section.item), cell_text(row, section.label)
        if item not in ids:
            _complain(row, section.item, "no task has an item of this id", item, section, reading)
        elif label not in known:
            _complain(row, section.label, "this is none of the labels", label, section, reading)
    read = any(condition.has("debate") for condition in conditions)
    if read and section.file is not None and section.panel is None and not reading.problems:
        _complain_of_missing(with_debates, section, reading)
    return with_debates


def _rows(section: ItemDebatesSection, reading: Reading) -> tuple[Row, ...]:
    if section.file is None:
        return ()
    data = reading.content(section.file, (*AT, "file"))
    if data is None:
        return ()
    try:
        return read_rows(data, file=section.file, wanted=(section.item, section.label))
    except InvalidInput as problem:
        reading.add((*AT, "file"), problem)
        return ()


@dataclass
class _Found:
    """What one debate says so far: by topic the argument of each label, with the first row it stands in."""

    row: Row
    topics: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(label for sides in self.topics.values() for label in sides))


def _with_debates(task: Task, rows: Sequence[Row], section: ItemDebatesSection, reading: Reading) -> Task:
    names = {words: label.name for label in task.labels for words in label.text.by_language.values()}
    names |= {name: name for name in task.label_names}
    ids = {str(item.id) for item in task.items}
    found: dict[str, dict[str, _Found]] = {}
    for row in rows:
        item, label = cell_text(row, section.item), names.get(cell_text(row, section.label))
        if item not in ids or label is None or (section.task and cell_text(row, section.task) != task.name):
            continue
        number = cell_text(row, section.debate) if section.debate else ""
        debate = found.setdefault(item, {}).setdefault(number, _Found(row))
        sides = debate.topics.setdefault(cell_text(row, section.topic), {})
        argument = cell_text(row, section.argument)
        if not argument:
            _complain(row, section.argument, "this argument is empty", None, section, reading)
        elif label in sides:
            _complain(row, section.topic, "this side has its argument on this topic already", label, section, reading)
        sides.setdefault(label, argument)
    return replace(task, items=tuple(_with(item, found.get(item.id, {}), section, reading) for item in task.items))


def _with(item: Item, found: Mapping[str, _Found], section: ItemDebatesSection, reading: Reading) -> Item:
    return replace(item, debates=tuple(_prepared(one, section, reading) for one in found.values())) if found else item


def _prepared(found: _Found, section: ItemDebatesSection, reading: Reading) -> PreparedDebate:
    labels = found.labels
    if len(labels) != N_SIDES:
        problem = f"a debate on an item has two sides, and this one has {len(labels)}"
        _complain(found.row, section.label, problem, ", ".join(labels), section, reading)
        labels = (*labels, "", "")
    lacking = next((topic for topic, sides in found.topics.items() if len(sides) < N_SIDES), None)
    if lacking is not None and len(found.labels) == N_SIDES:
        _complain(found.row, section.topic, "only one side says something on this topic", lacking, section, reading)
    arguments = (
        Argument(topic, label, sides[label])
        for topic, sides in found.topics.items()
        for label in labels[:N_SIDES]
        if label in sides
    )
    return PreparedDebate((labels[0], labels[1]), tuple(arguments), section.author)


def _complain(
    row: Row, column: str, problem: str, came: str | None, section: ItemDebatesSection, reading: Reading
) -> None:
    wanted = "give each topic one argument for each of two labels of the item's task"
    reading.add((*AT, "file"), InvalidInput(problem, came, wanted, section.file or "", row.line, column))


def _complain_of_missing(tasks: Sequence[Task], section: ItemDebatesSection, reading: Reading) -> None:
    for task in tasks:
        without = [str(item.id) for item in task.items if not item.debates]
        if without:
            named = ", ".join(without[:NAMED]) + (", …" if len(without) > NAMED else "")
            problem = f"{len(without)} of {len(task.items)} items of task {task.name!r} have no debate: {named}"
            wanted = "prepare them, or name a `panel` whose agents argue where nothing is prepared"
            reading.complain((*AT, "file"), problem, section.file, wanted)
