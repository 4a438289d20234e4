"""The JSON of the alternative annotator test: labels by annotator and item, people and models apart."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from crito.formats.label_formats import LabelReading, parse_json, render_json
from crito.services.given_labels import AnnotatorKind, GivenLabel, TaskRound

PEOPLE, MODELS, STATES = "human_annotations.json", "llm_annotations.json", "states.json"


@dataclass(frozen=True, slots=True)
class AlternativeTestFormat:
    """`human_annotations.json` and `llm_annotations.json`, and beside them who gave no label."""

    carries: frozenset[str] = frozenset({"kind"})
    remarks: tuple[str, ...] = (
        "`…human_annotations.json` and `…llm_annotations.json` hold labels by annotator and item, as the test's code takes "
        "them; every annotator is there, those without a label too.",
        "`…states.json` has who was not sure, skipped, abstained, gave nothing or never saw the item.",
    )

    def render(self, part: TaskRound) -> Mapping[str, str]:
        people = [row for row in part.given if row.kind == "human"]
        models = [row for row in part.given if row.kind == "model"]
        others: dict[str, dict[str, str]] = {}
        for row in part.given:
            if row.label is None:
                others.setdefault(row.annotator, {})[row.item] = row.state
        kinds = {row.annotator: row.kind for row in part.given if row.label is None}
        states = {name: {"kind": kinds[name], "states": items} for name, items in others.items()}
        return {PEOPLE: _by_annotator(people), MODELS: _by_annotator(models), STATES: render_json(states)}

    def parse(self, text: str, reading: LabelReading) -> None:
        content = parse_json(text, reading)
        if not isinstance(content, dict) or not all(isinstance(items, dict) for items in content.values()):
            raise reading.wrong(
                "the file must hold labels by annotator and item", wanted='write {"ANNOTATOR": {"ITEM": …}}'
            )
        name = PurePath(reading.file).name
        kind: AnnotatorKind = "model" if name.endswith(MODELS) else "human"
        if name.endswith(STATES):
            for annotator, entry in content.items():
                kind = "model" if entry.get("kind") == "model" else "human"
                for item, state in entry.get("states", {}).items():
                    reading.add(item, annotator, None, reading.state(state, key=annotator), kind=kind)
            return
        for annotator, labels in content.items():
            for item, label in labels.items():
                reading.add(item, annotator, label, kind=kind)


def _by_annotator(given: Iterable[GivenLabel]) -> str:
    annotators: dict[str, dict[str, Any]] = {}
    for row in given:
        labels = annotators.setdefault(row.annotator, {})
        if row.label is not None:
            labels[row.item] = row.label
    return render_json(annotators)
