"""The JSON of the shared tasks on learning with disagreements: the layouts of 2023 and 2025."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from crito.formats.label_formats import LabelReading, as_text, by_annotator, parse_json, render_json, stated
from crito.model.errors import InvalidInput
from crito.model.study import Item
from crito.services.given_labels import GivenLabel, TaskRound

SEPARATOR = ","
CLOSE_ENOUGH = 0.01
"""How far a soft label of a file may lie from its annotations: published files are rounded."""


@dataclass(frozen=True, slots=True)
class LewidiFormat:
    """One JSON object an item, by the item's id."""

    edition: Literal[2023, 2025]
    carries: frozenset[str] = frozenset({"items", "text", "context", "gold", "confidence", "rationale", "kind"})

    @property
    def remarks(self) -> tuple[str, ...]:
        return (
            f"The layout of the {self.edition} edition: an object by item with `annotators`, `annotations`, `soft_label`.",
            "`annotations` holds labels only; who was not sure, skipped, abstained, gave nothing or never saw the item "
            "is in `other_info`, under `states`.",
            "`soft_label` is the share of each declared label among the labels given; it is empty where there is none.",
        )

    def render(self, part: TaskRound) -> Mapping[str, str]:
        entries = {item.id: self._entry(part, item, given) for item, given in part.by_item()}
        return {"json": render_json(entries)}

    def _entry(self, part: TaskRound, item: Item, given: Sequence[GivenLabel]) -> dict[str, Any]:
        labelled = [(row.annotator, row.label) for row in given if row.label is not None]
        for annotator, label in labelled:
            _refuse_separator(annotator, "annotator", item)
            if self.edition == 2023:
                _refuse_separator(label, "label", item)
        counts = Counter(label for _, label in labelled)
        entry: dict[str, Any] = {
            "annotation task": part.task,
            "number of annotations": len(labelled),
            "annotators": SEPARATOR.join(annotator for annotator, _ in labelled),
            "soft_label": {label: counts[label] / len(labelled) for label in part.labels} if labelled else {},
            "split": "train",
            "lang": part.language,
            "other_info": _other_info(item, given),
        }
        if self.edition == 2023:
            entry["text"], entry["hard_label"] = item.text, _majority(counts)
            entry["annotations"] = SEPARATOR.join(label for _, label in labelled)
            entry["other_info"]["context"] = dict(item.context)
        else:
            entry["text"] = {**item.context, "text": item.text}
            entry["number of annotators"] = len(labelled)
            entry["annotations"] = dict(labelled)
        return entry

    def parse(self, text: str, reading: LabelReading) -> None:
        entries = parse_json(text, reading)
        if isinstance(entries, list):
            reading.remark("the items are a list; a place in it stands for an id where there is none")
            entries = {
                str(entry.get("id", place)) if isinstance(entry, dict) else str(place): entry
                for place, entry in enumerate(entries)
            }
        if not isinstance(entries, dict) or not all(isinstance(entry, dict) for entry in entries.values()):
            raise reading.wrong("the file must hold an object by item", wanted='write {"ITEM": {"annotations": …}}')
        sets: dict[str, None] = {}
        for name, entry in entries.items():
            _read_entry(name, entry, reading)
            shares = entry.get("soft_label")
            sets.update(dict.fromkeys(shares if isinstance(shares, dict) else ()))
        occurring = {row.label for row in reading.given if row.label is not None}
        if occurring <= set(sets):
            reading.labels.update(sets)
        elif sets:
            reading.remark("soft labels have other names than the annotations; the annotations count")


def _refuse_separator(text: str, what: str, item: Item) -> None:
    if SEPARATOR in text or text != text.strip():
        raise InvalidInput(
            f"the layout joins {what}s by commas, so none may hold one, or begin or end with a blank",
            text, "rename it, or take another format", key=item.id,
        )  # fmt: skip


def _majority(counts: Counter[str]) -> str | None:
    top = counts.most_common(2)
    return top[0][0] if len(top) == 1 or (len(top) == 2 and top[0][1] > top[1][1]) else None


def _other_info(item: Item, given: Sequence[GivenLabel]) -> dict[str, Any]:
    return {
        "states": stated(given),
        "explanations": by_annotator(given, lambda row: row.rationale),
        "confidence": by_annotator(given, lambda row: row.confidence),
        "models": [row.annotator for row in given if row.kind == "model"],
        "gold": item.gold,
    }


def _read_entry(name: str, entry: Mapping[str, Any], reading: LabelReading) -> None:
    if not reading.task and isinstance(entry.get("annotation task"), str) and entry["annotation task"]:
        reading.remark(f"the task is {entry['annotation task']!r}")
    other = entry.get("other_info")
    info = other if isinstance(other, dict) else {}
    text, context = _text_of(entry.get("text", ""), info)
    item = reading.add_item(name, text, context, info.get("gold"))
    states, models = _object(info.get("states")), info.get("models") or ()
    explanations, confidence = _object(info.get("explanations")), _object(info.get("confidence"))

    def add(annotator: str, label: object, written: object = "labelled") -> None:
        reading.add(
            item, annotator, label, reading.state(written, key=f"{name}.other_info.states"),
            confidence=confidence.get(annotator), rationale=explanations.get(annotator),
            kind="model" if annotator in models else "human",
        )  # fmt: skip

    annotations = _annotations(name, entry, reading)
    for annotator, label in annotations.items():
        if as_text(label) == "":
            reading.remark("annotations without a label are missing ones")
        add(annotator, label)
    for annotator, state in states.items():
        if annotator in annotations:
            raise reading.wrong("an annotator has both a label and a state", annotator, key=name)
        add(annotator, None, state)
    _compare_shares([as_text(label) for label in annotations.values() if as_text(label)], entry, reading)
    number = entry.get("number of annotations")
    if number is not None and as_text(number) != str(len(annotations)):
        reading.remark("`number of annotations` is not how many there are; those that are there count")


def _annotations(name: str, entry: Mapping[str, Any], reading: LabelReading) -> dict[str, object]:
    """Labels by annotator: an object in 2025, two lists joined by commas in 2023."""
    written = entry.get("annotations")
    if isinstance(written, dict):
        return {str(annotator): label for annotator, label in written.items()}
    if not isinstance(written, str | int | None) or not isinstance(entry.get("annotators"), str):
        raise reading.wrong("an item needs `annotators` and `annotations`", written, key=name)
    labels, annotators = _split(as_text(written)), _split(entry["annotators"])
    if len(labels) != len(annotators):
        raise reading.wrong(
            f"there are {len(annotators)} annotators and {len(labels)} annotations", as_text(written), key=name,
            wanted="give each annotator one label",
        )  # fmt: skip
    if len(set(annotators)) < len(annotators):
        raise reading.wrong("an annotator labelled this item twice", entry["annotators"], key=name)
    return dict(zip(annotators, labels, strict=True))


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(SEPARATOR)] if text else []


def _text_of(text: object, info: Mapping[str, Any]) -> tuple[object, Mapping[str, Any]]:
    if isinstance(text, str) and text.startswith("{"):
        try:
            parsed = json.loads(text)
        except ValueError:
            parsed = None
        text = parsed if isinstance(parsed, dict) and "context" not in info else text
    if isinstance(text, dict):
        # the last field is what is judged, the others are what it is judged in
        own = "text" if "text" in text else next(reversed(text), "")
        return text.get(own, ""), {key: value for key, value in text.items() if key != own}
    return text, _object(info.get("context"))


def _compare_shares(labels: Sequence[str], entry: Mapping[str, Any], reading: LabelReading) -> None:
    shares = entry.get("soft_label")
    if not labels or not isinstance(shares, dict) or not set(labels) <= set(shares):
        return
    counts = Counter(labels)
    for label, share in shares.items():
        if not isinstance(share, int | float) or abs(share - counts[label] / len(labels)) > CLOSE_ENOUGH:
            reading.remark("a soft label is not the share of the annotations; the annotations count")
            return


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
