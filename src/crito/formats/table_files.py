"""Labels from any table that people keep them in: CSV, TSV, Excel, JSON, JSON Lines or Parquet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from crito.formats.cells import unguard
from crito.formats.label_formats import as_text
from crito.model.errors import InvalidInput
from crito.model.ids import ItemId, TaskName
from crito.model.study import Item
from crito.services.given_labels import LABEL_STATES, AnnotatorKind, GivenLabel, ItemKey, LabelState, LabelTable
from crito.studies.item_files import Row, read_rows

Repeats = Literal["refused", "first", "last", "apart"]
REPEATS: tuple[Repeats, ...] = get_args(Repeats)

NAMES: Mapping[str, tuple[str, ...]] = {
    "item": ("item", "item_id", "instance", "instance_id", "id"),
    "annotator": ("annotator", "annotator_id", "worker", "worker_id", "performer", "user", "user_id"),
    "label": ("label", "annotation", "answer"),
    "round": ("round",),
    "task": ("task",),
    "state": ("state",),
    "revision": ("revision", "repeat"),
    "confidence": ("confidence_value", "confidence"),
    "rationale": ("rationale", "explanation", "justification", "reason"),
    "gold": ("gold",),
    "kind": ("annotator_kind",),
    "suggestion": ("suggestion",),
    "visible": ("suggestion_visible",),
    "blind": ("blind",),
    "seconds": ("time_s", "seconds", "duration_s", "seconds_spent", "lead_time"),
    "shown": ("shown_at",),
    "submitted": ("submitted_at",),
    "text": ("text",),
    "context": ("context",),
    "labels": ("labels",),
}
"""What each column may be called; the first that a file has counts."""

NO_GROUP = "not stated"
"""The group of labels for which the column that parts them is empty."""

FORMER_ANNOTATORS = {"worker", "performer"}
ROUNDS = {"pre": 0, "initial": 0, "before": 0, "post": 1, "final": 1, "after": 1}
YES, NO = {"true", "yes", "1"}, {"false", "no", "0"}
OUR_COLUMNS = {"state", "missing_reason", "rationale_state"}
"""By these a table that Crito exported is known; in its CSV a text may have a guard in front."""


@dataclass(frozen=True, slots=True)
class TableOptions:
    """How to read a table whose columns do not say it all.

    Attributes:
        columns: names of columns by what they hold (a key of `NAMES`).
        not_sure: labels that mean *not sure*.
        repeats: what several labels by one annotator for one item in one round are: `refused`, or the `first` or the
            `last` counts, or each counts as of an annotator of its own (`apart`). A column of revisions comes before.
        by: a column whose values part the labels into groups; of the table, or else of the people in it.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    not_sure: frozenset[str] = frozenset()
    repeats: Repeats = "refused"
    by: str = ""


class ReadTable(NamedTuple):
    """Labels, and remarks on what was read otherwise than it stands in the file.

    `groups` are the values of the column that `by` names, one for each of the table's labels; empty without one.
    """

    table: LabelTable
    remarks: tuple[str, ...]
    groups: tuple[str, ...] = ()


def read_table(
    path: Path, options: TableOptions = TableOptions(), *, items: Path | None = None, people: Path | None = None
) -> ReadTable:
    """The labels of a table, or its items if nobody labelled any there.

    Args:
        items: a table with texts, reference labels or label sets of the same items.
        people: a table with one row per annotator, for what `options.by` names.

    Raises:
        InvalidInput: a file cannot be read or used; says the line and the column.
    """
    known = _Items({}, {}) if items is None else _read_items(items, options)
    rows = _rows(path, options)
    columns = _columns(rows, options, path)
    if "annotator" not in columns and "label" not in columns:
        own = _items_of(rows, columns, path, options)
        return ReadTable(LabelTable.of((), {**known.items, **own.items}, {**known.labels, **own.labels}), ())
    group_of_person = _read_people(people, options) if people else {}
    if options.by and not people and not any(options.by in row.cells for row in rows):
        raise InvalidInput(
            f"there is no column {options.by!r} to part the labels by",
            wanted=f"the columns are: {', '.join(dict.fromkeys(name for row in rows for name in row.cells))}",
            file=str(path),
        )
    reading = _TableReading(path, columns, options, known, group_of_person)
    for row in rows:
        reading.add(row)
    return reading.result()


class _Items(NamedTuple):
    items: dict[ItemKey, Item]
    labels: dict[TaskName, tuple[str, ...]]

    def tasks(self) -> dict[str, TaskName]:
        """The task of each item, for rows that name none; empty for an item of several."""
        found: dict[str, TaskName] = {}
        for task, name in self.items:
            found[name] = task if found.get(name, task) == task else TaskName("")
        return found


def _read_items(path: Path, options: TableOptions) -> _Items:
    rows = _rows(path, TableOptions())
    return _items_of(rows, _columns(rows, TableOptions(), path), path, options)


def _read_people(path: Path, options: TableOptions) -> dict[str, str]:
    """The value of the column `by` for each annotator of a table of people."""
    rows = _rows(path, TableOptions())
    there = dict.fromkeys(name for row in rows for name in row.cells)
    name = next((name for name in NAMES["annotator"] if name in there), None)
    if name is None or options.by not in there:
        raise InvalidInput(
            f"a table of people needs a column for the annotator and one called {options.by!r}",
            wanted=f"the columns are: {', '.join(there)}", file=str(path),
        )  # fmt: skip
    return {as_text(row.cells.get(name)): as_text(row.cells.get(options.by)) for row in rows}


def _items_of(rows: Sequence[Row], columns: Mapping[str, str], path: Path, options: TableOptions) -> _Items:
    found, sets = dict[ItemKey, Item](), dict[TaskName, dict[str, None]]()
    for row in rows:
        cells = _named(row, columns)
        name = as_text(cells.get("item"))
        if not name:
            raise InvalidInput("a row needs an item", file=str(path), line=row.line, key=columns.get("item", "item"))
        task, context, gold = TaskName(as_text(cells.get("task"))), cells.get("context"), as_text(cells.get("gold"))
        shown = {str(key): as_text(value) for key, value in context.items()} if isinstance(context, dict) else {}
        found[task, ItemId(name)] = Item(ItemId(name), as_text(cells.get("text")), shown, gold or None)
        declared = cells.get("labels")
        if isinstance(declared, list):
            sets.setdefault(task, {}).update(dict.fromkeys(as_text(label) for label in declared))
    return _Items(found, {task: tuple(names) for task, names in sets.items()})


def _rows(path: Path, options: TableOptions) -> tuple[Row, ...]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InvalidInput(f"the file cannot be read ({error.strerror or error})", file=str(path)) from error
    wanted = options.columns.get("item", "item"), options.columns.get("label", "label")
    rows = read_rows(data, file=str(path), wanted=wanted)
    if not rows:
        raise InvalidInput("the table holds no rows", file=str(path))
    if path.suffix.lower() in (".csv", ".tsv", ".xlsx") and rows[0].cells.keys() >= OUR_COLUMNS:
        return tuple(Row(row.line, {name: _unguarded(cell) for name, cell in row.cells.items()}) for row in rows)
    return rows


def _unguarded(cell: Any) -> Any:
    return unguard(cell) if isinstance(cell, str) and cell else cell


def _columns(rows: Sequence[Row], options: TableOptions, path: Path) -> dict[str, str]:
    """Which column holds what."""
    there = dict.fromkeys(name for row in rows for name in row.cells)
    for what, name in options.columns.items():
        if name not in there:
            raise InvalidInput(
                f"there is no column {name!r} for the {what}",
                wanted=f"the columns are: {', '.join(there)}",
                file=str(path),
            )
    columns = {what: name for what, names in NAMES.items() if (name := next((n for n in names if n in there), ""))}
    if "item" not in columns and FORMER_ANNOTATORS & there.keys() and "task" in columns:
        columns["item"] = columns.pop("task")  # as crowd-kit calls them
    columns |= options.columns
    labelled = "annotator" in columns or "label" in columns
    for what in ("item", "annotator", "label") if labelled else ("item",):
        if what not in columns:
            raise InvalidInput(
                f"no column holds the {what}", wanted=f"name one with --{what}; the columns are: {', '.join(there)}",
                file=str(path),
            )  # fmt: skip
    return columns


def _named(row: Row, columns: Mapping[str, str]) -> dict[str, Any]:
    return {what: row.cells.get(name) for what, name in columns.items()}


def _suggested(cells: Mapping[str, Any]) -> str | None:
    """The label of a suggestion, which is a plain one or part of an object."""
    written = cells.get("suggestion")
    return as_text(written.get("label") if isinstance(written, Mapping) else written) or None


class _TableReading:
    """Labels of a table, row by row."""

    def __init__(
        self, path: Path, columns: Mapping[str, str], options: TableOptions, known: _Items, of_person: Mapping[str, str]
    ) -> None:
        self._path, self._columns, self._options, self._known = path, columns, options, known
        self._of_person, self._task_of = of_person, known.tasks()
        self._groups: dict[tuple[TaskName, ItemId, str, int], str] = {}
        self._given: dict[tuple[TaskName, ItemId, str, int], tuple[GivenLabel, int, int]] = {}
        self._gold: dict[ItemKey, str] = {}
        self._remarks: dict[str, int] = {}

    def add(self, row: Row) -> None:
        cells = _named(row, self._columns)
        item, annotator = ItemId(as_text(cells["item"])), as_text(cells["annotator"])
        if not (item and annotator):
            raise self._wrong(row, "annotator" if item else "item", "a row needs an item and an annotator")
        task = TaskName(as_text(cells.get("task"))) or self._task_of.get(item, TaskName(""))
        state, label = self._label(row, cells)
        kind: AnnotatorKind = "model" if as_text(cells.get("kind")) in ("model", "llm") else "human"
        given = GivenLabel(
            task, item, annotator, self._round(row, cells), state, label,
            self._number(row, cells, "confidence"), as_text(cells.get("rationale")) or None, kind,
            _suggested(cells), self._visible(row, cells), self._seconds(row, cells),
        )  # fmt: skip
        if gold := as_text(cells.get("gold")):
            self._gold[task, item] = gold
        self._keep(row, given, int(self._number(row, cells, "revision") or 0))
        if self._options.by:
            group = self._of_person.get(given.annotator, "") or as_text(row.cells.get(self._options.by))
            self._groups[given.task, given.item, given.annotator, given.round] = group or NO_GROUP

    def result(self) -> ReadTable:
        groups = tuple(self._groups.get(key, NO_GROUP) for key in self._given) if self._options.by else ()
        given = [row for row, _, _ in self._given.values()]
        if (first := min((row.round for row in given), default=0)) > 0:
            self._remark(f"round {first} is the first one and counts as round 0", len(given))
            given = [row._replace(round=row.round - first) for row in given]
        items = {**{(row.task, row.item): Item(row.item, "") for row in given}, **self._known.items}
        for key, gold in self._gold.items():
            items[key] = replace(items[key], gold=gold)
        labels = dict(self._known.labels)
        occurring: dict[TaskName, set[str]] = {}
        for row in given:
            if row.label is not None:
                occurring.setdefault(row.task, set()).add(row.label)
        for task, names in occurring.items():
            if strange := sorted(names - set(labels.get(task, names))):
                self._remark(f"label {strange[0]!r} of task {task!r} is not in its declared set, which is not used", 1)
                del labels[task]
        table = LabelTable.of(given, items, labels)
        return ReadTable(table, tuple(f"{what} ({count} rows)" for what, count in self._remarks.items()), groups)

    def _label(self, row: Row, cells: Mapping[str, Any]) -> tuple[LabelState, str | None]:
        text = as_text(cells["label"])
        written = as_text(cells.get("state"))
        if written:
            state = next((state for state in LABEL_STATES if state == written), None)
            if state is None:
                raise self._wrong(row, "state", "this is no state", f"use one of {', '.join(LABEL_STATES)}")
            if (state == "labelled") != bool(text):
                raise self._wrong(row, "label", f"a row with the state {state!r} has {'a' if text else 'no'} label")
            return state, text or None
        if text in self._options.not_sure:
            return "not_sure", None
        for state in LABEL_STATES[1:4]:
            if text == state:
                return state, None
        return ("labelled", text) if text else ("missing", None)

    def _round(self, row: Row, cells: Mapping[str, Any]) -> int:
        if "round" not in cells:
            return 0
        text = as_text(cells["round"])
        if text in ROUNDS:
            return ROUNDS[text]
        if text and not text.isdecimal():
            raise self._wrong(row, "round", "this is no round", f"use a whole number, or one of {', '.join(ROUNDS)}")
        return int(text or 0)

    def _visible(self, row: Row, cells: Mapping[str, Any]) -> bool | None:
        visible, blind = (self._yes_no(row, cells, what) for what in ("visible", "blind"))
        return visible if blind is None else not blind

    def _yes_no(self, row: Row, cells: Mapping[str, Any], what: str) -> bool | None:
        text = as_text(cells.get(what)).casefold()
        if not text:
            return None
        if text not in YES | NO:
            raise self._wrong(row, what, "this is neither yes nor no", "use true or false")
        return text in YES

    def _seconds(self, row: Row, cells: Mapping[str, Any]) -> float | None:
        """How long a label took: a column of seconds, or from a table of ours the time between two moments."""
        if "seconds" in cells:
            seconds = self._number(row, cells, "seconds")
            if seconds is not None and not 0 <= seconds < float("inf"):
                raise self._wrong(row, "seconds", "this is no length of time", "use seconds, 0 or more")
            return seconds
        if "shown" not in cells or "submitted" not in cells:
            return None
        shown, submitted = (self._moment(row, cells, what) for what in ("shown", "submitted"))
        return max(0.0, (submitted - shown).total_seconds()) if shown and submitted else None

    def _moment(self, row: Row, cells: Mapping[str, Any], what: str) -> datetime | None:
        written = cells.get(what)
        if isinstance(written, datetime):
            return written
        text = as_text(written)
        try:
            return datetime.fromisoformat(text) if text else None
        except ValueError:
            raise self._wrong(row, what, "this is no moment", "write it as 2026-12-01T14:30:00+00:00") from None

    def _number(self, row: Row, cells: Mapping[str, Any], what: str) -> float | None:
        if what not in cells:
            return None
        text = as_text(cells[what])
        try:
            return float(text) if text else None
        except ValueError:
            if what == "confidence":  # words for a confidence stay out: no place in [0, 1] is known for them
                self._remark("a confidence in words is left out", 1)
                return None
            raise self._wrong(row, what, "this is no number") from None

    def _keep(self, row: Row, given: GivenLabel, revision: int) -> None:
        key = (given.task, given.item, given.annotator, given.round)
        if key not in self._given:
            self._given[key] = given, revision, row.line
            return
        _, former, line = self._given[key]
        if former != revision:
            self._remark("revisions: the last one of an item counts", 1)
        elif self._options.repeats == "refused":
            raise self._wrong(
                row, "annotator", f"a second label for item {given.item!r} in round {given.round}, first in line {line}",
                "tell them apart by another column, or say with --repeats which one counts",
            )  # fmt: skip
        elif self._options.repeats == "apart":
            number = 2
            while (apart := (given.task, given.item, f"{given.annotator} ({number})", given.round)) in self._given:
                number += 1
            self._remark("a further label of an annotator counts as another annotator's", 1)
            self._given[apart] = given._replace(annotator=apart[2]), revision, row.line
            self._groups[apart] = self._groups.get(key, NO_GROUP)
            return
        else:
            self._remark(f"of several labels the {self._options.repeats} one counts", 1)
        if revision > former or (revision == former and self._options.repeats == "last"):
            self._given[key] = given, revision, row.line

    def _remark(self, what: str, count: int) -> None:
        self._remarks[what] = self._remarks.get(what, 0) + count

    def _wrong(self, row: Row, what: str, problem: str, wanted: str = "") -> InvalidInput:
        name = self._columns.get(what, what)
        came = row.cells.get(name)
        came = came[:80] if isinstance(came, str) else came
        return InvalidInput(problem, came, wanted, str(self._path), row.line, name)
