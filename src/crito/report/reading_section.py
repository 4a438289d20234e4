"""The part of a study's report about debates that people read."""

from collections.abc import Sequence

from crito.report.blocks import Beside, Block, Column, Figure, Section, Table
from crito.report.figures import Estimate, interval_plot
from crito.report.label_sections import group_name
from crito.services.reporting.readings import ReadingReport
from crito.services.reporting.study import ReportData

SAID = {
    "debate_helped": "It became clearer",
    "debate_doubt": "It made them doubt",
    "debate_change": "It changed their label",
}


def reading_section(data: ReportData) -> Section | None:
    """How many debates were read, by whom they were written, and whether the order of the sides shows in the labels."""
    if not data.readings:
        return None
    blocks: list[Block] = [_read(data), _first(data)]
    if any(found.said for found in data.readings):
        blocks.append(_said(data))
    if missed := [_missed(found, data) for found in data.readings if found.missed]:
        blocks.append(Beside(missed))
    return Section("debates", "Debates that people read", blocks)


def _read(data: ReportData) -> Table:
    rows: list[Sequence[object]] = [
        (group_name(found.condition, data.conditions), found.shown, found.read, found.minutes,
         "; ".join(f"{author or 'not named'} ({count})" for author, count in found.authors.items()))
        for found in data.readings
    ]  # fmt: skip
    columns = [Column("Condition"), Column("Shown", "count"), Column("Read", "count"),
               Column("Minutes of reading, mean", "minutes"), Column("Written by")]  # fmt: skip
    return Table("Debates on items", columns, rows, "readings", folds=True)


def _first(data: ReportData) -> Figure:
    rows = [
        Estimate(
            f"{what}, {found.condition}" if len(data.readings) > 1 else what,
            value,
            data.conditions.index(found.condition),
        )
        for found in data.readings
        for what, value in (("second labels", found.first_after), ("flips", found.first_flips))
    ]
    table = Table(
        "",
        [Column("Condition"), Column("Second labels for the side shown first", "share"),
         Column("Flips to the side shown first", "share")],
        [(group_name(found.condition, data.conditions), found.first_after, found.first_flips) for found in data.readings],
        folds=True,
    )  # fmt: skip
    drawing = interval_plot(rows, "Labels that are the side shown first", within=(0.0, 1.0))
    return Figure(
        "first-side", "Whether the side shown first wins", "share of labels that are the side shown first, with 95 % interval",
        drawing, "readings", table,
    )  # fmt: skip


def _said(data: ReportData) -> Table:
    rows: list[Sequence[object]] = [
        (group_name(found.condition, data.conditions), words, found.said[key])
        for found in data.readings
        for key, words in SAID.items()
        if key in found.said
    ]
    columns = [Column("Condition"), Column("What people said of it"), Column("Said yes", "share")]
    return Table("What people said about the debate", columns, rows, "readings", folds=True)


def _missed(found: ReadingReport, data: ReportData) -> Table:
    rows = [(reason, count) for reason, count in sorted(found.missed.items())]
    title = f"Items without a debate, {found.condition}" if len(data.readings) > 1 else "Items without a debate"
    return Table(title, [Column("Reason"), Column("Items", "count")], rows, "readings")
