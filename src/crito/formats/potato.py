"""JSON lines in the layout that Potato's documentation gives for its export: one annotator's answer to one item a line."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from crito.formats.label_formats import LabelReading, refuse_constant
from crito.services.given_labels import GivenLabel, TaskRound

DEFAULT_SCHEME = "label"
BESIDE = ("confidence", "rationale")


@dataclass(frozen=True, slots=True)
class PotatoFormat:
    """`{"id": …, "annotator": …, "annotations": {…}}` a line."""

    carries: frozenset[str] = frozenset({"confidence", "rationale", "kind"})
    remarks: tuple[str, ...] = (
        "One JSON object a line: `id` (our item), `annotator`, and `annotations` with the label under the task's name.",
        "A line without a label has `state`: `not_sure`, `skipped`, `abstained`, `missing` or `unseen`.",
    )

    def render(self, part: TaskRound) -> Mapping[str, str]:
        lines = [json.dumps(_line(part, row), ensure_ascii=False, allow_nan=False) + "\n" for row in part.given]
        return {"jsonl": "".join(lines)}

    def parse(self, text: str, reading: LabelReading) -> None:
        for line, written in enumerate(text.split("\n"), start=1):
            if written.strip():
                _read_line(written, line, reading)


def _line(part: TaskRound, row: GivenLabel) -> dict[str, Any]:
    answers: dict[str, Any] = {} if row.label is None else {part.task or DEFAULT_SCHEME: row.label}
    line: dict[str, Any] = {"id": row.item, "annotator": row.annotator, "annotations": answers}
    if row.label is None:
        line["state"] = row.state
    if row.kind == "model":
        line["annotator_kind"] = "model"
    # beside the annotations, so that no task of that name is overwritten
    return line | {name: getattr(row, name) for name in BESIDE if getattr(row, name) is not None}


def _read_line(written: str, line: int, reading: LabelReading) -> None:
    try:
        row = json.loads(written, parse_constant=refuse_constant)
    except (ValueError, RecursionError) as error:
        raise reading.wrong(
            f"this line is not JSON: {error}", line=line, wanted="write one object in each line"
        ) from error
    if (
        not isinstance(row, dict)
        or not {"id", "annotator"} <= row.keys()
        or not isinstance(row.get("annotations"), dict)
    ):
        raise reading.wrong("a line needs `id`, `annotator` and `annotations`", written[:80], line=line)
    answers = row["annotations"]
    label = answers.get(reading.task or DEFAULT_SCHEME, next(iter(answers.values()), None))
    if len(answers) > 1:
        reading.remark("several schemes were annotated; the task's own counts, or the first")
    if isinstance(label, dict):
        chosen = [name for name, is_chosen in label.get("labels", label).items() if is_chosen]
        if len(chosen) > 1:
            raise reading.wrong("several labels were chosen", chosen, "give one label", line=line)
        label = chosen[0] if chosen else None
    reading.add(
        row["id"], row["annotator"], label, reading.state(row.get("state", "labelled"), key="state", line=line),
        confidence=row.get("confidence"), rationale=row.get("rationale"),
        kind="model" if row.get("annotator_kind") == "model" else "human",
    )  # fmt: skip
