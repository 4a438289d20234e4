"""The card of a Hugging Face `datasets` folder: a README with a YAML header that names the tables."""

import json
from collections.abc import Sequence

from crito.formats.readme import dictionaries, opening
from crito.formats.release_facts import task_facts
from crito.formats.row_formats import Written
from crito.services.tables import Outgoing

SIZES = (1_000, 10_000, 100_000, 1_000_000)
SIZE_NAMES = ("n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M")
FIRST_SHOWN = "annotations"


def render_card(written: Written) -> str:
    """Markdown with a YAML header that `datasets.load_dataset` and the hub understand."""
    outgoing = written.outgoing
    facts = "\n".join(f"- {sentence}" for task in task_facts(written) for sentence in task.sentences())
    parts = [
        _header(written),
        opening(outgoing, written.form.remarks, written.files),
        "## How the labels came about",
        facts or "Nobody has labelled anything yet.",
        *_models(outgoing),
        dictionaries(outgoing.tables),
    ]
    return "\n\n".join(parts) + "\n"


def _header(written: Written) -> str:
    outgoing = written.outgoing
    languages = list(dict.fromkeys(lang for study in outgoing.editions.values() for lang in study.languages))
    rows = next((file.rows for file in written.files if file.table == FIRST_SHOWN), 0)
    lines = [
        f"pretty_name: {_scalar(outgoing.study)}",
        *(_list("language", languages) if languages else ()),
        *_list("annotations_creators", ["crowdsourced"]),
        *_list("task_categories", ["text-classification"]),
        *_list("size_categories", [SIZE_NAMES[sum(rows >= size for size in SIZES)]]),
        *_list("tags", ["perspectivism", "annotator disagreement", "croissant"]),
        "configs:",
    ]
    for file in written.files:
        lines += [f"- config_name: {_scalar(file.table)}", f"  data_files: {_scalar(file.name)}"]
        if file.table == FIRST_SHOWN:
            lines.append("  default: true")
    return "\n".join(["---", *lines, "---"])


def _models(outgoing: Outgoing) -> Sequence[str]:
    models = partner_models(outgoing)
    return ("Partners in dialogues: " + ", ".join(f"`{model}`" for model in models) + ".",) if models else ()


def partner_models(outgoing: Outgoing) -> Sequence[str]:
    """Who talked with people, in any edition."""
    named = (
        condition.partner.model
        for study in outgoing.editions.values()
        for condition in study.conditions
        if condition.has("discuss")
    )
    return tuple(dict.fromkeys(named))


def _list(key: str, values: Sequence[str]) -> tuple[str, ...]:
    return (f"{key}:", *(f"- {_scalar(value)}" for value in values))


def _scalar(text: str) -> str:
    # a JSON string is a YAML string, whatever it holds; `no` stays a language
    return json.dumps(text, ensure_ascii=False)
