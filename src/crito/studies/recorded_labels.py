"""Suggestions in a study file: where they come from, labels recorded beforehand, and fields of items that give labels away."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from crito.model.errors import InvalidInput
from crito.model.study import Item, RecordedLabel, Suggestions, Task
from crito.studies.item_files import Row, cell_text, read_rows
from crito.studies.reading import Reading
from crito.studies.sections import ItemsSection, SourceSection, SuggestionsSection
from crito.studies.shape import one_of

AT = ("suggestions", "source")

LABEL_WORDS = frozenset((
    "label", "labels", "gold", "truth", "prediction", "predictions", "predicted", "pred", "suggestion", "suggested",
    "annotation", "annotations", "verdict", "model", "llm", "gpt", "chatgpt", "claude", "gemini", "llama", "mistral",
    "machine", "ai",
))  # fmt: skip
"""A field whose name has one of these words carries labels unless the study says otherwise."""

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")


def suggesting(section: SuggestionsSection, panels: Sequence[str], reading: Reading) -> Suggestions:
    """The suggestions of a study; a source that is no panel and no column is complained of."""
    source = section.source
    if source.panel is not None and source.model_fields_set != {"panel"}:
        reading.complain(AT, "a source is a panel or columns, not both", wanted="take one of them out")
    elif source.panel is not None and source.panel not in panels:
        wanted = one_of(source.panel, panels) or "describe one under `models`, or name the column of recorded labels"
        reading.complain(AT, "no panel of `models` has this name", source.panel, wanted)
    elif source.panel is None and source.label is None:
        reading.complain(AT, "this names neither a panel nor a column", wanted="write `panel: …` or `label: COLUMN`")
    return Suggestions(
        source=source.panel or source.name,
        recorded=source.panel is None,
        display=section.display,
        blind_rate=float(section.blind_rate),
        minimum_blind_sample=section.minimum_blind_sample,
        verify_visibility=section.verify_visibility,
        end_human_annotation_agreement=float(section.end_human_annotation_agreement),
        handoff=section.handoff,
    )


def without_labels(task: Task, section: SuggestionsSection) -> Task:
    """`task` with items that hold no field that gives a label away, by its name or by what stands in it."""
    answers = {name.casefold() for name in task.label_names}
    answers |= {words.casefold() for label in task.labels for words in label.text.by_language.values()}
    values: dict[str, set[str]] = {}
    for item in task.items:
        for name, value in item.context.items():
            values.setdefault(name, set()).add(value.strip().casefold())
    telling = {
        name
        for name, held in values.items()
        if name not in section.show_fields and (held <= answers or _is_named_like_a_label(name))
    }
    if not telling:
        return task
    items = tuple(
        replace(item, context={name: value for name, value in item.context.items() if name not in telling})
        for item in task.items
    )
    shown = tuple(name for name in task.context_fields if name not in telling)
    return replace(task, items=items, context_fields=shown, withheld_fields=tuple(sorted(telling)))


def _is_named_like_a_label(name: str) -> bool:
    return any(word.casefold() in LABEL_WORDS for word in _WORD.findall(name))


def with_recorded_labels(task: Task, own: ItemsSection, section: SuggestionsSection, reading: Reading) -> Task:
    """`task` with the labels that a model gave its items before, where the study names such."""
    source = section.source
    if source.label is None:
        return task
    file = source.file or own.file
    data = reading.content(file, (*AT, "file") if source.file else AT)
    if data is None:
        return task
    column = source.item or ("item" if source.file else own.id)
    try:
        rows = read_rows(data, file=file, wanted=(column, source.label))
    except InvalidInput as problem:
        reading.add(AT, problem)
        return task
    known = {words: label.name for label in task.labels for words in label.text.by_language.values()}
    known |= {name: name for name in task.label_names}
    recorded: dict[str, RecordedLabel] = {}
    for row in rows:
        if source.task and cell_text(row, source.task) != task.name:
            continue
        label = _label_in(row, source, known, file, reading)
        if label:
            recorded[cell_text(row, column)] = label
    items = tuple(_with(item, recorded) for item in task.items)
    if task.items and not any(item.recorded for item in items):
        missing = f"no item of task {task.name!r} has a recorded label here"
        wanted = f"give ids in {column!r} and labels in {source.label!r}"
        reading.complain(AT, missing, file, wanted)
    return replace(task, items=items)


def fingerprint(tasks: Sequence[Task]) -> str:
    """Tells these recorded labels from any others."""
    said = [[task.name, item.id, item.recorded.label] for task in tasks for item in task.items if item.recorded]
    return hashlib.sha256(json.dumps(said, ensure_ascii=False).encode()).hexdigest()[:16]


def _with(item: Item, recorded: Mapping[str, RecordedLabel]) -> Item:
    return replace(item, recorded=recorded[item.id]) if item.id in recorded else item


def _label_in(
    row: Row, source: SourceSection, known: Mapping[str, str], file: str, reading: Reading
) -> RecordedLabel | None:
    assert source.label is not None, "only columns are read"
    written = cell_text(row, source.label)
    if not written:
        return None
    if written not in known:
        wanted = f"use one of {', '.join(dict.fromkeys(known.values()))}"
        reading.add(AT, InvalidInput("this is none of the labels", written, wanted, file, row.line, source.label))
        return None
    sure = cell_text(row, source.confidence) if source.confidence else ""
    try:
        confidence = float(sure) if sure else None
    except ValueError:
        confidence = -1.0
    if confidence is not None and not 0 <= confidence <= 1:
        unsound = InvalidInput("this is no number from 0 to 1", sure, "", file, row.line, source.confidence or "")
        reading.add(AT, unsound)
        return None
    return RecordedLabel(known[written], confidence, cell_text(row, source.reason) if source.reason else "")
