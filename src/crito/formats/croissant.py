"""Croissant 1.1 metadata with the responsible-AI vocabulary, written by hand."""

import json
from typing import Any

from crito.formats.dataset_card import partner_models
from crito.formats.release_facts import TaskFacts, task_facts
from crito.formats.row_formats import Written
from crito.services.tables import Column, ColumnKind, Outgoing, Table, WrittenFile

CROISSANT = "croissant.json"
CONFORMS_TO = ["http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0"]

ENCODINGS = {"parquet": "application/x-parquet", "csv": "text/csv"}
DATA_TYPES: dict[ColumnKind, str] = {
    "text": "sc:Text", "integer": "sc:Integer", "number": "sc:Float", "yes_no": "sc:Boolean", "time": "sc:DateTime",
    "json": "sc:Text",
}  # fmt: skip

OWN_TERMS = (
    "arrayShape", "citeAs", "column", "containedIn", "equivalentProperty", "extract", "field", "fileProperty", "fileObject",
    "fileSet", "format", "includes", "isArray", "isLiveDataset", "jsonPath", "key", "md5", "parentField", "path", "recordSet",
    "references", "regex", "repeated", "replace", "samplingRate", "separator", "source", "subField", "transform",
)  # fmt: skip
CONTEXT: dict[str, Any] = {
    "@language": "en", "@vocab": "https://schema.org/", "sc": "https://schema.org/", "dct": "http://purl.org/dc/terms/",
    "cr": "http://mlcommons.org/croissant/", "rai": "http://mlcommons.org/croissant/RAI/",
    "conformsTo": "dct:conformsTo", "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"}, "examples": {"@id": "cr:examples", "@type": "@json"},
    "name": {"@container": "@language"}, "description": {"@container": "@language"},
    **{term: f"cr:{term}" for term in OWN_TERMS},
}  # fmt: skip


def render_croissant(written: Written) -> str:
    """JSON-LD: the files, the columns, and how the labels came about."""
    outgoing = written.outgoing
    tables = {table.name: table for table in outgoing.tables}
    title = next((study.title.in_language(study.languages[0]) for study in outgoing.editions.values()), "")
    dataset = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": outgoing.study,
        "description": f"{title or outgoing.study}: the record of an annotation study, every annotator's labels kept.",
        "datePublished": outgoing.exported_at.date().isoformat(),
        "version": f"{max(outgoing.editions, default=1)}.0.0",
        **_responsible(outgoing, task_facts(written)),
        "distribution": [_file(file, written.form.suffix) for file in written.files],
        "recordSet": [_record_set(tables[file.table], file) for file in written.files],
    }
    return json.dumps(dataset, ensure_ascii=False, indent=2) + "\n"


def _file(file: WrittenFile, suffix: str) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject", "@id": file.name, "name": file.name, "contentUrl": file.name,
        "encodingFormat": ENCODINGS[suffix], "sha256": file.sha256,
    }  # fmt: skip


def _record_set(table: Table, file: WrittenFile) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet", "@id": table.name, "name": table.name, "description": table.meaning,
        "field": [_field(table.name, column, file) for column in table.columns],
    }  # fmt: skip


def _field(table: str, column: Column, file: WrittenFile) -> dict[str, Any]:
    return {
        "@type": "cr:Field", "@id": f"{table}/{column.name}", "name": column.name, "description": column.meaning,
        "dataType": DATA_TYPES[column.kind],
        "source": {"fileObject": {"@id": file.name}, "extract": {"column": column.name}},
    }  # fmt: skip


def _responsible(outgoing: Outgoing, facts: tuple[TaskFacts, ...]) -> dict[str, Any]:
    studies = list(outgoing.editions.values())
    questions = {task.name: task.question.in_language(study.languages[0]) for study in studies for task in study.tasks}
    flows = {condition.name: ", ".join(condition.flow) for study in studies for condition in study.conditions}
    models = [model for model in partner_models(outgoing) if model != "script"]
    return {
        "rai:dataCollection": "People labelled items in a browser; what anyone was shown of others before a label is recorded.",
        "rai:dataCollectionType": "Crowdsourced annotation",
        "rai:dataAnnotationPlatform": "Crito",
        "rai:dataAnnotationProtocol": " ".join([
            *(f"Task {name}: {question}" for name, question in questions.items()),
            *(f"Condition {name}: {flow}." for name, flow in flows.items()),
        ]),
        "rai:dataAnnotationAnalysis": [sentence for task in facts for sentence in task.sentences()],
        "rai:annotationsPerItem": "; ".join(
            f"{task.task}: {task.per_item[0]} to {task.per_item[1]} labels an item in round 0" for task in facts
        ),
        "rai:annotatorDemographics": "Whatever the survey asked is in the table `answers`.",
        "rai:machineAnnotationTools": ", ".join(models) if models else "No model labelled or talked.",
        "rai:dataBiases": [
            f"Task {task.task}: labels given with a suggestion in view: {task.suggested}; "
            f"anchoring gap: {task.gap}."
            for task in facts
        ],
        "rai:dataLimitations": list(outgoing.notes),
        "rai:personalSensitiveInformation": "Pseudonyms stand for people; words that people wrote are as they wrote them.",
    }  # fmt: skip
