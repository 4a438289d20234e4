"""The section `suggestions` of a study file, labels recorded beforehand, and fields that give labels away."""

import pytest

from crito.model.study import RecordedLabel, Suggestions
from crito.studies.definition import dump, load
from crito.studies.planning import plan
from tests.studies.folder import SMALL, parse, problems

PANEL = SMALL + "models: [{name: reader, panel: a:b}]\n"
ROWS = """\
{"id": "a", "text": "Fine.", "context": {"gpt_label": "yes", "place": "Turin", "verified": "no"}, \
"said": "yes", "sure": 0.9, "why": "it is"}
{"id": "b", "text": "Not so.", "context": {"gpt_label": "no", "place": "Rome", "verified": "yes"}, \
"said": "", "sure": "", "why": ""}
"""
FILES = {"items.jsonl": ROWS.encode(), "beside.csv": b"item,label\nb,no\n"}


def test_a_source_is_a_panel_of_the_study_by_its_name() -> None:
    study = parse(PANEL + "suggestions: {source: reader}\n")

    assert study.suggestions == Suggestions("reader", display="blind_sample", blind_rate=0.2, minimum_blind_sample=20)


def test_labels_recorded_with_the_items_are_kept_with_confidence_and_reason() -> None:
    study = parse(SMALL + "suggestions: {source: {label: said, confidence: sure, reason: why, name: gpt}}\n", FILES)

    assert study.suggestions is not None
    assert study.suggestions == Suggestions("gpt", recorded=True, fingerprint=study.suggestions.fingerprint)
    assert study.suggestions.fingerprint
    assert [item.recorded for item in study.tasks[0].items] == [RecordedLabel("yes", 0.9, "it is"), None]
    assert load(dump(study)) == study


def test_recorded_labels_may_stand_in_a_file_beside_the_items() -> None:
    study = parse(SMALL + "suggestions: {source: {file: beside.csv, label: label}}\n", FILES)

    assert [item.recorded for item in study.tasks[0].items] == [None, RecordedLabel("no")]


def test_fields_that_carry_labels_by_name_or_by_value_are_in_no_item() -> None:
    study = parse(SMALL + "suggestions: {source: {label: said}}\n", FILES)

    assert [dict(item.context) for item in study.tasks[0].items] == [{"place": "Turin"}, {"place": "Rome"}]
    assert study.tasks[0].withheld_fields == ("gpt_label", "verified")
    assert any("gpt_label, verified" in note for note in plan(study).notes)


def test_a_field_that_only_looks_like_a_label_can_be_shown() -> None:
    study = parse(SMALL + "suggestions: {source: {label: said}, show_fields: [verified]}\n", FILES)

    assert study.tasks[0].items[0].context == {"place": "Turin", "verified": "no"}


def test_the_plan_warns_when_the_items_cannot_give_the_minimum() -> None:
    notes = plan(parse(PANEL + "suggestions: {source: reader}\n")).notes

    assert any("blind sample has 1, and a handoff needs 20" in note for note in notes)


@pytest.mark.parametrize(
    ("section", "key", "words"),
    [
        ("{source: writer}", "suggestions.source", "no panel"),
        ("{source: {name: gpt}}", "suggestions.source", "neither a panel nor a column"),
        ("{source: {panel: reader, label: said}}", "suggestions.source", "not both"),
        ("{source: reader, blind_rate: 0}", "suggestions.blind_rate", "above 0"),
        ("{source: reader, display: never}", "suggestions.display", "no such choice"),
        ("{display: blind_sample}", "suggestions.source", "missing"),
    ],
)
def test_what_cannot_be_is_said_with_its_key(section: str, key: str, words: str) -> None:
    (problem,) = problems(PANEL + f"suggestions: {section}\n", FILES)

    assert problem.key == key
    assert words in problem.problem


def test_a_recorded_label_that_is_none_of_the_labels_is_refused_with_its_line() -> None:
    files = {"items.jsonl": b'{"id": "a", "text": "Fine.", "said": "perhaps"}\n'}

    found = problems(SMALL + "suggestions: {source: {label: said}}\n", files)

    assert (found[0].came, found[0].line) == ("perhaps", 1)
