"""The methods paragraph of a report, ready to be pasted, with its citations as BibTeX."""

import re
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files

from crito.report.blocks import Copied, Section
from crito.report.wording import counted
from crito.services.reporting.groups import GroupReport
from crito.services.reporting.study import ReportData
from crito.services.reporting.tables import TableReport

REFERENCES: Mapping[str, str] = {
    entry[1]: entry[0]
    for entry in re.finditer(
        r"^@\w+\{(\w+),.*?^\}",
        files("crito.report").joinpath("references.bib").read_text(encoding="utf-8"),
        re.M | re.S,
    )
}
"""Entries of BibTeX, by the key under which `docs/sources.md` lists the work."""

INTRODUCTION = (
    "The paragraph says what this page did, in words that can be changed; keys in square brackets are those of the BibTeX "
    "below. Numbers of people and labels are those of the record as it stood."
)


def cited_section(data: ReportData) -> Section:
    """The methods paragraph of a study."""
    groups = [group for task in data.tasks for group in task.groups]
    sentences = [
        _who(data), _what(data), *_measured(groups, agreement=True),
        *(_compared() if data.comparisons else []), *_beside(data), _by_what(),
    ]  # fmt: skip
    return _section(sentences)


def cited_table_section(data: TableReport) -> Section:
    """The methods paragraph of a table."""
    groups = [group for task in data.tasks for group in task.groups]
    n = sum(sum(group.before.labels.values()) for group in groups)
    items = sum(task.n_items for task in data.tasks)
    among = f" in {counted(len(data.groups), 'group', 'groups')}" if len(data.groups) > 1 else ""
    sentences = [
        f"We analysed {counted(n, 'first label', 'first labels')} of {counted(items, 'item', 'items')}{among}.",
        *_measured(groups, agreement=True), *(_compared() if data.comparisons else []), _by_what(),
    ]  # fmt: skip
    return _section(sentences)


def bibtex(text: str) -> str:
    """The BibTeX entries of the keys that a text cites, in the order of their first citation."""
    keys = [key.strip().removeprefix("@") for cited in re.findall(r"\[(@[^\]]+)\]", text) for key in cited.split(";")]
    return "\n\n".join(REFERENCES[key] for key in dict.fromkeys(keys))


def _section(sentences: Sequence[str]) -> Section:
    text = " ".join(sentence for sentence in sentences if sentence)
    blocks = [Copied("the methods paragraph", text), Copied("the BibTeX", bibtex(text), plain=True)]
    return Section("cite", "Methods paragraph", blocks, INTRODUCTION)


def _who(data: ReportData) -> str:
    sample = data.sample
    done, came = sample.endings.get("done", 0), sample.n_people
    scripts = "scripted participants (a rehearsal)" if data.origins.get("rehearsal") else "people"
    parts = [f"Of {came:,} {scripts} who opened the study, {done:,} finished it"]
    if withdrawn := sample.endings.get("withdrawn"):
        parts.append(f"{withdrawn:,} took their data back and are in no analysis")
    if excluded := sum(sample.excluded.values()):
        parts.append(f"{excluded:,} were left out because they failed attention checks")
    return "; ".join(parts) + "."


def _what(data: ReportData) -> str:
    tasks = counted(len(data.tasks), "task", "tasks")
    words = f"They labelled items of {tasks}"
    talking = data.partners
    if talking:
        partners = ", ".join(sorted({"a scripted partner" if p.model == "script" else p.model for p in talking}))
        words += f", talked about them with a Socratic partner ({partners}) and labelled them again, as in [@socratic]"
    if data.readings:
        either = "or " if talking else ""
        words += f", {either}read what two sides argue about each of them [@socrasynth] and labelled them again"
    if len(data.conditions) > 1:
        words += f"; conditions ({', '.join(data.conditions)}) were drawn at random"
    return words + "."


def _measured(groups: Sequence[GroupReport], *, agreement: bool) -> list[str]:
    sentences = []
    if any(group.flips for group in groups):
        sentences.append(
            "A label counts as flipped when the final differs from the initial label, over annotations with a label on both "
            "sides; answers of not sure and missing ones are left out and counted [@socratic]."
        )
    if agreement:
        sentences.append(
            "Agreement is Krippendorff's alpha [@krippendorff2018] with Fleiss' kappa [@fleiss1971] beside it."
        )
    if any(group.accuracy and group.accuracy.change for group in groups):
        sentences.append(
            "Accuracy before and after was compared on the same annotations with McNemar's exact test [@mcnemar1947]."
        )
    sentences.append(
        "Shares have 95 % Wilson intervals [@wilson1927]; where items or people contribute more than once, intervals are "
        "percentile bootstraps over items or people [@efron1993]."
    )
    return sentences


def _compared() -> list[str]:
    return [
        "Shares were compared with the pooled z test (Fisher's exact test where an expected count is below 5) and Newcombe "
        "intervals [@newcombe1998], flips by item with Wilcoxon's signed-rank test over items that both have "
        "[@wilcoxon1945], and changes of confidence with Student's t; p-values are two-sided and adjusted by Holm's method "
        "within each measure [@holm1979]."
    ]


def _beside(data: ReportData) -> list[str]:
    if not data.answers.workload:
        return []
    return [
        "Workload was asked with five scales of the NASA-TLX (1 to 21, without the physical one) [@hart1988; @socratic]."
    ]


def _by_what() -> str:
    try:
        named = f"Crito {version('crito')}"
    except PackageNotFoundError:  # run from its source without being installed
        named = "Crito"
    return f"All numbers were computed by {named}."
