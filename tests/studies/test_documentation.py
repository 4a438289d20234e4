"""The reference and the schema say what a study file may say."""

from pathlib import Path

from crito.studies.documentation import REFERENCE_FILE, json_schema, reference
from crito.studies.sections import TITLES

PROJECT = Path(__file__).parents[2]


def test_the_reference_in_the_docs_is_current() -> None:
    kept = (PROJECT / REFERENCE_FILE).read_text(encoding="utf-8")

    assert kept == reference(), f"write what crito.studies.documentation.reference() returns to {REFERENCE_FILE}"


def test_every_key_is_described() -> None:
    undescribed = [
        f"{section.__name__}.{key}"
        for section in TITLES
        for key, known in section.model_fields.items()
        if not known.description
    ]

    assert undescribed == []


def test_the_schema_knows_the_short_forms() -> None:
    schema = json_schema()
    label = schema["$defs"]["TaskSection"]["properties"]["labels"]["items"]

    assert {"type": "string"} in label["anyOf"]
    assert {"$ref": "#/$defs/LabelSection"} in label["anyOf"]
    assert schema["additionalProperties"] is False
    assert schema["required"] == ["study", "tasks"]
