"""The JSON that Label Studio imports and exports: tasks with annotations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from crito.formats.label_formats import LabelReading, parse_json, render_json, stated
from crito.model.study import Item
from crito.services.given_labels import GivenLabel, TaskRound

CHOICES, REASONS, SHOWN = "choices", "textarea", "text"
ITEM = "item"


@dataclass(frozen=True, slots=True)
class LabelStudioFormat:
    """A list of tasks; each label is an annotation with a `choices` result."""

    carries: frozenset[str] = frozenset({"items", "text", "context", "gold", "rationale", "confidence", "kind"})
    remarks: tuple[str, ...] = (
        "Label Studio's task format: our item is `data` (with `item`, `text` and the context), each label an annotation with "
        "a `choices` result from a control named like the task; a rationale is a `textarea` result.",
        "`completed_by` holds our pseudonyms: put the ids of your users there before you import it.",
        "Skipped items are annotations with `was_cancelled`; every other state is in the task's `meta`, under `states`.",
    )

    def render(self, part: TaskRound) -> Mapping[str, str]:
        tasks = [_task(part, number, item, given) for number, (item, given) in enumerate(part.by_item(), start=1)]
        return {"json": render_json(tasks)}

    def parse(self, text: str, reading: LabelReading) -> None:
        tasks = parse_json(text, reading)
        if not isinstance(tasks, list) or not all(isinstance(task, dict) for task in tasks):
            raise reading.wrong("the file must hold a list of tasks", wanted='write [{"data": …, "annotations": […]}]')
        for place, task in enumerate(tasks):
            _read_task(task, f"[{place}]", reading)


def _task(part: TaskRound, number: int, item: Item, given: Sequence[GivenLabel]) -> dict[str, Any]:
    kept = [row for row in given if row.state in ("labelled", "skipped")]
    return {
        "id": number,
        "data": {ITEM: item.id, SHOWN: item.text, "context": dict(item.context)},
        "meta": {
            "gold": item.gold,
            "labels": list(part.labels),
            "states": stated(row for row in given if row.state != "skipped"),
            "confidence": {row.annotator: row.confidence for row in given if row.confidence is not None},
            "models": [row.annotator for row in given if row.kind == "model"],
            "rationales": {
                row.annotator: row.rationale for row in given if row not in kept and row.rationale is not None
            },
        },
        "annotations": [_annotation(part, row) for row in kept],
        "predictions": [],
    }


def _annotation(part: TaskRound, row: GivenLabel) -> dict[str, Any]:
    place = {"to_name": SHOWN, "origin": "manual"}
    result = []
    if row.label is not None:
        result.append({**place, "from_name": part.task or "label", "type": CHOICES, "value": {"choices": [row.label]}})
    if row.rationale is not None:
        result.append({**place, "from_name": "rationale", "type": REASONS, "value": {"text": [row.rationale]}})
    return {
        "completed_by": row.annotator, "was_cancelled": row.state == "skipped", "ground_truth": False, "result": result,
    }  # fmt: skip


def _read_task(task: Mapping[str, Any], key: str, reading: LabelReading) -> None:
    shown = task.get("data")
    if not isinstance(shown, dict):
        raise reading.wrong("a task has no `data`", key=key, wanted='write {"data": …, "annotations": […]}')
    meta: dict[str, Any] = task.get("meta") or {}
    reading.labels.update(dict.fromkeys(meta.get("labels", ())))
    context = shown.get("context")
    item = reading.add_item(
        shown.get(ITEM, task.get("id", key)), shown.get(SHOWN, ""), context if isinstance(context, dict) else {},
        meta.get("gold"),
    )  # fmt: skip
    confidence, models, rationales = (meta.get(name) or {} for name in ("confidence", "models", "rationales"))

    def add(annotator: str, label: object, state: object, rationale: str | None) -> None:
        reading.add(
            item, annotator, label, reading.state(state, key=f"{key}.meta.states"),
            confidence=confidence.get(annotator), rationale=rationale, kind="model" if annotator in models else "human",
        )  # fmt: skip

    for place, annotation in enumerate(task.get("annotations", ())):
        where = f"{key}.annotations[{place}]"
        annotator = _annotator(annotation.get("completed_by"))
        chosen = [part["value"][CHOICES] for part in annotation.get("result", ()) if part.get("type") == CHOICES]
        reasons = [part["value"]["text"] for part in annotation.get("result", ()) if part.get("type") == REASONS]
        if len(chosen) > 1 or (chosen and len(chosen[0]) != 1):
            raise reading.wrong("an annotation has several choices", chosen, "give one choice", key=where)
        if not chosen and not annotation.get("was_cancelled"):
            reading.remark("annotations without a choice are missing ones")
        state = "skipped" if annotation.get("was_cancelled") else "labelled"
        written = reasons[0] if reasons else None
        rationale = "\n".join(written) if isinstance(written, list) else written
        add(annotator, chosen[0][0] if chosen and state == "labelled" else None, state, rationale)
    for annotator, state in (meta.get("states") or {}).items():
        add(annotator, None, state, rationales.get(annotator))


def _annotator(completed_by: object) -> str:
    if isinstance(completed_by, dict):
        return str(completed_by.get("email") or completed_by.get("id"))
    return str(completed_by)
