"""A released data set explains itself to Hugging Face's and Croissant's tools."""

import hashlib
import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from crito.formats.exporters import EXPORTERS
from crito.services.exporting import export_study
from tests.services.recorded import STUDY, Left, RecordedTx, make_assignment
from tests.services.test_exporting import left_by, parts_over


@pytest.fixture
async def folder(tmp_path: Path) -> Path:
    """A study of three people, one of whom failed the attention checks."""
    people = [left_by("ana"), left_by("bob"), left_by("cy", "attention_failed")]
    await export_study(parts_over(RecordedTx(people)), STUDY, EXPORTERS["huggingface"], tmp_path)
    return tmp_path


def croissant(folder: Path) -> Any:
    return json.loads((folder / "croissant.json").read_text(encoding="utf-8"))


def test_the_card_names_every_table_in_its_header(folder: Path) -> None:
    header = YAML(typ="safe").load((folder / "README.md").read_text(encoding="utf-8").split("---")[1])

    assert header["configs"][0] == {"config_name": "annotations", "data_files": "annotations.parquet", "default": True}
    assert {config["data_files"] for config in header["configs"]} == {path.name for path in folder.glob("*.parquet")}
    assert header["language"] == ["en"]
    assert header["size_categories"] == ["n<1K"]


def test_croissant_names_files_with_their_hashes_and_columns_with_their_types(folder: Path) -> None:
    metadata = croissant(folder)

    for file in metadata["distribution"]:
        assert file["sha256"] == hashlib.sha256((folder / file["contentUrl"]).read_bytes()).hexdigest()
    types = {field["@id"]: field["dataType"] for records in metadata["recordSet"] for field in records["field"]}
    assert types["annotations/label"] == "sc:Text"
    assert types["annotations/round"] == "sc:Integer"
    assert types["annotations/blind"] == "sc:Boolean"


def test_croissant_tells_blind_agreement_suggestions_and_the_gap_without_excluded_people(folder: Path) -> None:
    metadata = croissant(folder)

    analysis, biases = " ".join(metadata["rai:dataAnnotationAnalysis"]), " ".join(metadata["rai:dataBiases"])
    assert "2 labels of 2 annotators on 1 items" in analysis
    assert "krippendorff_alpha: undefined (no variation)" in analysis
    assert "suggestion_in_view = 0" in biases
    assert "anchoring_gap: not_applicable (no machine's labels are suggested" in biases
    assert metadata["rai:annotationsPerItem"] == "sarcasm: 2 to 2 labels an item in round 0"


async def test_labels_are_exported_without_excluded_people(tmp_path: Path) -> None:
    unseen = Left("dee", [make_assignment("dee")])
    people = [left_by("ana"), left_by("cy", "attention_failed"), unseen]

    await export_study(parts_over(RecordedTx(people)), STUDY, EXPORTERS["lewidi-2025"], tmp_path)

    entry = json.loads((tmp_path / "sarcasm.round-0.json").read_text(encoding="utf-8"))["i1"]
    assert entry["annotations"] == {"ana": "Sarcastic"}
    assert entry["other_info"]["states"] == {"dee": "unseen"}
    assert entry["text"]["text"] == "Great, rain again."
    assert "excluded by default: 2" in (tmp_path / "README.md").read_text(encoding="utf-8")


@pytest.mark.skipif(importlib.util.find_spec("mlcroissant") is None, reason="mlcroissant is not installed")
@pytest.mark.filterwarnings("ignore")
def test_mlcroissant_finds_no_fault_and_reads_the_labels(folder: Path) -> None:
    import mlcroissant  # type: ignore[import-not-found]  # here because it is not among the project's requirements

    dataset = mlcroissant.Dataset(folder / "croissant.json")

    assert not dataset.metadata.ctx.issues.errors
    assert dataset.metadata.ctx.conforms_to.value == "http://mlcommons.org/croissant/1.1"
    labels = [row["annotations/label"] for row in dataset.records("annotations")]
    assert labels.count(b"Sarcastic") + labels.count("Sarcastic") == 3
