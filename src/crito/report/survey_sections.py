"""The parts of a study's report about what people said beside their labels."""

from collections.abc import Sequence

from crito.report.blocks import Beside, Block, Column, Figure, Section, Table
from crito.report.figures import Estimate, interval_plot
from crito.report.label_sections import group_name
from crito.report.wording import named
from crito.services.reporting.answers import Experience
from crito.services.reporting.study import ReportData
from crito.stats.workload import HIGHEST, LOWEST, SCALES


def answers_section(data: ReportData) -> Section | None:
    """Helpfulness expected and perceived, doubts against flips, experience by prior experience."""
    answers = data.answers
    blocks: list[Block] = []
    if answers.helpfulness:
        blocks.append(_helpfulness(data))
    if answers.self_reports:
        blocks.append(_self_reports(data))
    if told := [_experience(found, data) for found in answers.experience if any(found.counts.values())]:
        blocks.append(Beside(told))
    return Section("answers", "What people said about the talk", blocks) if blocks else None


def _helpfulness(data: ReportData) -> Figure:
    found = data.answers.helpfulness
    rows = [
        Estimate(f"{when}, {name}" if len(found) > 1 else when, value, data.conditions.index(name))
        for name, helped in found.items()
        for when, value in (("expected", helped.expected), ("perceived", helped.perceived))
    ]
    table = Table(
        "",
        [Column("Condition"), Column("Expected", "share"), Column("Perceived", "share"), Column("No, then yes", "share"),
         Column("Yes, then no", "share"), Column("Change", "points"), Column("p", "p")],
        [
            (group_name(name, data.conditions), helped.expected, helped.perceived, helped.improved, helped.worsened,
             helped.change, helped.change.p_value)
            for name, helped in found.items()
        ],
        folds=True,
    )  # fmt: skip
    drawing = interval_plot(rows, "Helpfulness expected and perceived", within=(0.0, 1.0))
    words = "share of yes, per annotation with both answers, with 95 % interval"
    return Figure("helpfulness", "Helpfulness, expected and perceived", words, drawing, "helpfulness", table)


def _self_reports(data: ReportData) -> Figure:
    reports = [(name, report) for name, found in data.answers.self_reports.items() for report in found]
    short = {"made_doubt": "doubt", "made_change": "change"}
    table = Table(
        "",
        [Column("Condition"), Column("Question"), Column("Said yes", "share"), Column("Flipped, of those", "share"),
         Column("Flipped, of those who said no", "share"), Column("Difference", "points"), Column("p", "p")],
        [
            (group_name(name, data.conditions), report.words, report.said, report.flipped_if_yes, report.flipped_if_no,
             report.difference, report.difference.p_value)
            for name, report in reports
        ],
        folds=True,
    )  # fmt: skip
    rows = [
        Estimate(f"{short[report.question]} {said}, {name}" if len(data.answers.self_reports) > 1 else f"{short[report.question]}: {said}",
                 value, data.conditions.index(name))
        for name, report in reports
        for said, value in (("yes", report.flipped_if_yes), ("no", report.flipped_if_no))
    ]  # fmt: skip
    drawing = interval_plot(rows, "Flips by self-reported doubt and change")
    words = "share of labels that flipped, by what people said the talk did, with 95 % interval"
    return Figure("self-reports", "Doubt and change, said and done", words, drawing, "self_reports", table)


def _experience(found: Experience, data: ReportData) -> Table:
    prior, answers = data.answers.prior
    heads = [answers.get(group, "did not say") if prior else "people" for group in found.groups]
    totals = {group: sum(counts.get(group, 0) for counts in found.counts.values()) for group in found.groups}
    rows: list[Sequence[object]] = [
        (words, *(found.counts[name].get(group, 0) for group in found.groups)) for name, words in found.options.items()
    ]
    rows.append(("Everyone", *(totals[group] for group in found.groups)))
    columns = [Column("Answer"), *(Column(head, "count") for head in heads)]
    note = f"Split by: {prior}" if prior and len(found.groups) > 1 else ""
    return Table(found.words, columns, rows, "experience", sums=frozenset({len(rows) - 1}), note=note)


def workload_section(data: ReportData) -> Section | None:
    """NASA-TLX by scale and condition."""
    found = data.answers.workload
    if not found:
        return None
    names = [name for name in found if name or len(found) == 1]
    rows = [
        Estimate(f"{named(scale)}, {name}" if name else named(scale), found[name].scales[scale],
                 data.conditions.index(name) if name else 0)
        for scale in SCALES
        for name in names
    ]  # fmt: skip
    columns = [Column("Scale"), *(Column(group_name(name, data.conditions) or "Everyone", "minutes") for name in found)]
    table = Table(
        "", columns,
        [
            *((named(scale), *(work.scales[scale] for work in found.values())) for scale in SCALES),
            ("All scales, 1 to 21", *(work.raw for work in found.values())),
            ("All scales, 0 to 100", *(work.rescaled for work in found.values())),
        ],
        folds=True,
    )  # fmt: skip
    drawing = interval_plot(rows, "Workload", unit="minutes", within=(LOWEST, HIGHEST))
    figure = Figure(
        "workload", "Workload by scale", "mean from 1 to 21, higher is worse on every scale, with 95 % interval",
        drawing, "workload", table,
    )  # fmt: skip
    return Section("workload", "Workload (NASA-TLX)", [figure])
