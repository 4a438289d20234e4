"""Argilla's records as JSON: fields, metadata, and responses by question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from crito.formats.label_formats import LabelReading, parse_json, render_json, stated
from crito.model.study import Item
from crito.services.given_labels import GivenLabel, TaskRound

SHOWN = "text"


@dataclass(frozen=True, slots=True)
class ArgillaFormat:
    """A list of records; each label is a response to a question named like the task."""

    carries: frozenset[str] = frozenset({"items", "text", "context", "gold", "rationale", "confidence", "kind"})
    remarks: tuple[str, ...] = (
        "Records with `fields` (`text` and the context), `metadata`, and `responses` to a question named like the task.",
        "Argilla's users are UUIDs: each of ours stands for a pseudonym that `metadata` gives under `annotators`; "
        "put your users' ids in their place before you log the records.",
        "A skipped item is a response with the status `discarded`; every other state is in `metadata`, under `states`.",
    )

    def render(self, part: TaskRound) -> Mapping[str, str]:
        return {"json": render_json([_record(part, item, given) for item, given in part.by_item()])}

    def parse(self, text: str, reading: LabelReading) -> None:
        records = parse_json(text, reading)
        if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
            raise reading.wrong("the file must hold a list of records", wanted='write [{"fields": …, "responses": …}]')
        for place, record in enumerate(records):
            _read_record(record, f"[{place}]", reading)


def _record(part: TaskRound, item: Item, given: Sequence[GivenLabel]) -> dict[str, Any]:
    kept = [row for row in given if row.state in ("labelled", "skipped")]
    question = part.task or "label"
    return {
        "id": item.id,
        "fields": {SHOWN: item.text, "context": dict(item.context)},
        "metadata": {
            "gold": item.gold,
            "labels": list(part.labels),
            "annotators": {_user(row.annotator): row.annotator for row in kept},
            "states": stated(row for row in given if row.state != "skipped"),
            "confidence": {row.annotator: row.confidence for row in given if row.confidence is not None},
            "rationales": {row.annotator: row.rationale for row in given if row.rationale is not None},
            "models": [row.annotator for row in given if row.kind == "model"],
        },
        "suggestions": {},
        "responses": {
            question: [
                {
                    "value": row.label, "user_id": _user(row.annotator),
                    "status": "discarded" if row.state == "skipped" else "submitted",
                }
                for row in kept
            ]
        },
        "vectors": {},
    }  # fmt: skip


def _user(annotator: str) -> str:
    return str(uuid5(NAMESPACE_URL, annotator))


def _read_record(record: Mapping[str, Any], key: str, reading: LabelReading) -> None:
    fields, meta = record.get("fields"), record.get("metadata") or {}
    responses = record.get("responses") or {}
    if not isinstance(fields, dict) or not isinstance(responses, dict):
        raise reading.wrong("a record needs `fields` and `responses`", key=key)
    reading.labels.update(dict.fromkeys(meta.get("labels", ())))
    context = fields.get("context")
    shown = context if isinstance(context, dict) else {name: value for name, value in fields.items() if name != SHOWN}
    item = reading.add_item(record.get("id", key), fields.get(SHOWN, ""), shown, meta.get("gold"))
    names, confidence, rationales, models = (
        meta.get(name) or {} for name in ("annotators", "confidence", "rationales", "models")
    )

    def add(annotator: str, label: object, state: object) -> None:
        reading.add(
            item, annotator, label, reading.state(state, key=f"{key}.metadata.states"),
            confidence=confidence.get(annotator), rationale=rationales.get(annotator),
            kind="model" if annotator in models else "human",
        )  # fmt: skip

    if len(responses) > 1:
        reading.remark("several questions were answered; the task's own counts, or the first")
    answers = responses.get(reading.task or "label", next(iter(responses.values()), []))
    for response in answers:
        if response.get("status") == "draft":
            reading.remark("drafts are missing labels")
        user = str(response.get("user_id"))
        status = response.get("status", "submitted")
        state = "skipped" if status == "discarded" else "missing" if status == "draft" else "labelled"
        add(names.get(user, user), response.get("value"), state)
    for annotator, state in (meta.get("states") or {}).items():
        add(annotator, None, state)
