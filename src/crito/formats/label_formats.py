"""What a format of labels must do: render the labels of one task and round, and read such files back."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, Protocol
from urllib.parse import quote, unquote

from crito.model.errors import InvalidInput
from crito.model.ids import ItemId, TaskName
from crito.model.study import Item
from crito.services.given_labels import LABEL_STATES, AnnotatorKind, GivenLabel, LabelState, LabelTable, TaskRound

OUR_NAME = re.compile(r"(?:(?P<task>.+)\.)?round-(?P<round>\d+)\.(?P<rest>.+)")


class LabelFormat(Protocol):
    """One format. Its files hold one task and round each; `carries` names what survives besides label and state."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a reader of its files should know."""

    @property
    def carries(self) -> frozenset[str]:
        """Of `items`, `text`, `context`, `gold`, `confidence`, `rationale`, `kind`."""

    def render(self, part: TaskRound) -> Mapping[str, str]:
        """The texts of the files, by the end of their names.

        Raises:
            InvalidInput: a label or name that the format has no way to write.
        """

    def parse(self, text: str, reading: "LabelReading") -> None:
        """Add what a file holds.

        Raises:
            InvalidInput: the file is not of this format.
        """


@dataclass
class LabelReading:
    """What is being read from one file.

    `remarks` say what the file has otherwise than its format prescribes, and how it was read.
    """

    file: str
    task: TaskName
    round: int
    given: list[GivenLabel] = field(default_factory=list)
    items: dict[tuple[TaskName, ItemId], Item] = field(default_factory=dict)
    labels: dict[str, None] = field(default_factory=dict)
    remarks: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, file: str) -> "LabelReading":
        """A reading of a file; a name of ours tells task and round."""
        name = OUR_NAME.fullmatch(PurePath(file).name)
        task = unquote(name["task"] or "") if name else ""
        return cls(file, TaskName(task), int(name["round"]) if name else 0)

    def remark(self, what: str) -> None:
        self.remarks[what] = self.remarks.get(what, 0) + 1

    def wrong(
        self, problem: str, came: object = None, wanted: str = "", *, line: int = 0, key: str = ""
    ) -> InvalidInput:
        """The error to raise where the file cannot be read."""
        return InvalidInput(problem, came, wanted, self.file, line, key)

    def add_item(
        self, name: object, text: object = "", context: Mapping[str, Any] | None = None, gold: object = None
    ) -> ItemId:
        """Know an item, whatever JSON wrote its parts as."""
        item = ItemId(as_text(name))
        shown = {str(key): as_text(value) for key, value in (context or {}).items()}
        self.items[self.task, item] = Item(item, as_text(text), shown, None if gold is None else as_text(gold))
        return item

    def add(
        self,
        item: object,
        annotator: object,
        label: object,
        state: LabelState = "labelled",
        *,
        confidence: Any = None,
        rationale: Any = None,
        kind: AnnotatorKind = "human",
    ) -> None:
        """Add a label; an empty one is missing."""
        text = None if state != "labelled" or label is None else as_text(label)
        if state == "labelled" and not text:
            state, text = "missing", None
        self.given.append(
            GivenLabel(
                self.task,
                ItemId(as_text(item)),
                as_text(annotator),
                self.round,
                state,
                text,
                confidence,
                rationale,
                kind,
            )
        )

    def state(self, written: object, *, key: str = "", line: int = 0) -> LabelState:
        """A state that a file of ours wrote.

        Raises:
            InvalidInput: it is none.
        """
        for state in LABEL_STATES:
            if written == state:
                return state
        raise self.wrong("this is no state", written, f"use one of {', '.join(LABEL_STATES)}", key=key, line=line)

    def table(self) -> LabelTable:
        """All that was read.

        Raises:
            InvalidInput: one annotator labelled an item twice.
        """
        declared = {self.task: tuple(self.labels)} if self.labels else {}
        try:
            return LabelTable.of(self.given, self.items, declared)
        except InvalidInput as problem:
            raise InvalidInput(problem.problem, problem.came, problem.wanted, self.file) from problem


def file_name(part: TaskRound, suffix: str) -> str:
    """`sarcasm.round-0.json`."""
    task = quote(part.task, safe=" ")
    return f"{task}.round-{part.round}.{suffix}" if task else f"round-{part.round}.{suffix}"


def as_text(value: object) -> str:
    """A label, name or text as text: JSON's numbers as they would be written, sets without their order."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, list):
        return json.dumps(sorted(value, key=repr), ensure_ascii=False)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def parse_json(text: str, reading: LabelReading) -> Any:
    """JSON of a file.

    Raises:
        InvalidInput: it is none.
    """
    try:
        return json.loads(text, parse_constant=refuse_constant)
    except json.JSONDecodeError as error:
        raise reading.wrong(f"this is not JSON: {error.msg}", line=error.lineno) from error
    except (ValueError, RecursionError) as error:
        raise reading.wrong(f"this is not JSON: {error}") from error


def refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no number")


def render_json(value: object) -> str:
    """Indented JSON, ended by a line feed."""
    return json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def stated(given: Iterable[GivenLabel]) -> dict[str, str]:
    """The states that stand in place of labels, by annotator."""
    return {row.annotator: row.state for row in given if row.state != "labelled"}


def by_annotator(given: Iterable[GivenLabel], what: Callable[[GivenLabel], Any]) -> dict[str, Any]:
    """Something that not every annotator gave, by annotator."""
    return {row.annotator: value for row in given if (value := what(row)) is not None}
