"""The report as one page of HTML that needs nothing else: no network, no script, light and dark, fit to print."""

from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Literal

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from crito.report import wording
from crito.report.figures import COLOURS, LETTERS, Estimate, interval_plot, sankey, shape
from crito.report.methods import METHODS
from crito.services.reporting import MILESTONES, PHASES, GroupReport, PartnerReport, ReportData

STATUSES = ("done", "open", "expired", "ended", "withdrawn")


def render_report(data: ReportData, *, sections: Markup | None = None) -> str:
    """The whole page; `sections` are what other parts have to say, before how the numbers are worked out."""
    template = environment().get_template("report.html")
    return template.render(
        data=data, methods=METHODS, milestones=MILESTONES, phases=PHASES, statuses=STATUSES,
        style=template_text("report.css"), summary=_summary(data), assignments=_assignments(data),
        sections=sections or Markup(),
    )  # fmt: skip


def environment() -> Environment:
    """What templates are rendered in: their filters and figures."""
    made = Environment(
        loader=FunctionLoader(template_text),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "percent": wording.percent, "signed": wording.signed, "points": wording.points, "whole": wording.whole, "counted": wording.counted,
        "p_value": wording.p_value, "utc": wording.utc, "named": wording.named, "left_out": wording.left_out,
        "interval_of": wording.interval_of,
    }  # fmt: skip
    made.globals |= {
        "sankey": sankey, "shape": shape, "interval_plot": interval_plot, "estimates": estimates,
        "rules_of": rules_of, "kinds_of": kinds_of, "colours": COLOURS, "letters": LETTERS,
    }  # fmt: skip
    return made


def template_text(name: str) -> str:
    """A file beside the templates."""
    return files("crito.report").joinpath("templates", name).read_text(encoding="utf-8")


def _summary(data: ReportData) -> Mapping[str, int]:
    groups = [group for task in data.tasks for group in task.groups]
    return {
        "people who came": data.sample.n_people,
        "finished": data.sample.endings.get("done", 0),
        "first labels": sum(sum(group.before.labels.values()) for group in groups),
        "second labels": sum(sum(group.after.labels.values()) for group in groups if group.after),
        "dialogues": sum(partner.dialogues for partner in data.partners),
    }


def _assignments(data: ReportData) -> Mapping[tuple[str, str], Mapping[str, int]]:
    table: dict[tuple[str, str], Counter[str]] = {}
    for row in data.assignments:
        table.setdefault((row.task, row.condition), Counter())[row.status] += row.assignments
    return table


def estimates(
    groups: Sequence[GroupReport], what: Literal["flip_rate", "item_flip_rate"], conditions: Sequence[str]
) -> list[Estimate]:
    """One row per condition that has the statistic: `flip_rate` or `item_flip_rate`."""
    rows = []
    for group in groups:
        found = group.item_flip_rate if what == "item_flip_rate" else group.flips.rate if group.flips else None
        if found is not None:
            rows.append(Estimate(group.condition, found, conditions.index(group.condition)))
    return rows


def kinds_of(partner: PartnerReport) -> Sequence[str]:
    """Every kind of turn that was made or shown, in a fixed order."""
    return [
        kind
        for kind in ("script", "model", "trimmed", "routed", "fixed")
        if partner.made.get(kind) or partner.shown.get(kind)
    ]


def rules_of(partner: PartnerReport) -> Sequence[str]:
    """Every rule that was broken at least once, by a turn as made or as shown."""
    return sorted({broken.rule for broken in (*partner.broken_made, *partner.broken_shown)})
