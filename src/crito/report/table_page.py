"""The report of tables of labels as one page, in the look of a study's report."""

from markupsafe import Markup

from crito.report.blocks import Note, Page
from crito.report.cite import cited_table_section
from crito.report.harm_section import harm_section
from crito.report.label_sections import comparisons_section, slugged, task_section
from crito.report.page import render_page
from crito.report.wording import utc
from crito.services.reporting.tables import TableReport


def render_table_report(data: TableReport) -> str:
    """The report of tables, as HTML."""
    return render_page(table_page(data))


def table_page(data: TableReport) -> Page:
    """The report of tables, as blocks."""
    notes = [Note("Read otherwise than it stands there.", f"{remark}.") for remark in data.remarks]
    sections = [
        task_section(task, data.groups, {}, f"task-{slugged(task.name or 'labels')}-{place}")
        for place, task in enumerate(data.tasks)
    ]
    if data.comparisons:
        sections.append(comparisons_section(data.comparisons, data.tasks, data.groups))
    models_known = any(
        "the label of " in target
        for task in data.tasks
        for group in task.groups
        if group.harm
        for target in group.harm.toward
    )
    if harm := harm_section(data.tasks, data.groups, models_known=models_known):
        sections.append(harm)
    sections.append(cited_table_section(data))
    given = [group for task in data.tasks for group in task.groups]
    counts = {
        "first labels": sum(sum(group.before.labels.values()) for group in given),
        "items": sum(task.n_items for task in data.tasks),
    }
    footer = (
        f"Made by Crito at {utc(data.made_at)}. Intervals are at 95\u00a0%; seeds of resampling are fixed, so the same table "
        "gives the same page."
    )
    kicker = Markup("Crito report · table · as of {}").format(utc(data.made_at))
    return Page(data.name, kicker, counts, notes, sections, footer)
