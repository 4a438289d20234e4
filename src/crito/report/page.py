"""A report as one page of HTML that needs nothing else: no network, light and dark, fit to print."""

from collections.abc import Callable
from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup, escape

from crito.report import wording
from crito.report.blocks import Page
from crito.report.methods import METHODS, Method
from crito.report.wording import interval_of, left_out, shown, shown_interval, whole
from crito.stats.statistic import Statistic


def render_page(page: Page) -> str:
    """The whole page. At its end stands every method that a question mark on it opens, and no other."""
    used: dict[str, Method] = {}
    return environment().get_template("page.html").render(
        page=page, style=template_text("report.css"), script=template_text("report.js"),
        how=_how(used), cell=cell, is_number=lambda unit: unit in ("count", "p"),
        methods_used=lambda: used.values(),
    )  # fmt: skip


def environment() -> Environment:
    """What templates are rendered in, with the words of numbers as filters."""
    made = Environment(
        loader=FunctionLoader(template_text),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "percent": wording.percent, "signed": wording.signed, "points": wording.points, "whole": wording.whole,
        "counted": wording.counted, "p_value": wording.p_value, "utc": wording.utc, "named": wording.named,
        "left_out": wording.left_out, "interval_of": wording.interval_of,
    }  # fmt: skip
    return made


def template_text(name: str) -> str:
    """A file beside the templates."""
    return files("crito.report").joinpath("templates", name).read_text(encoding="utf-8")


def method_button(method: Method) -> Markup:
    """A question mark that opens how a number is worked out."""
    return Markup(
        '<details class="how"><summary aria-label="How this is worked out: {}">?</summary>'
        "<div><b>{}</b>{}</div></details>"
    ).format(method.title, method.title, method.words)


def _how(used: dict[str, Method]) -> Callable[[str], Markup]:
    return lambda key: method_button(used.setdefault(key, METHODS[key]))


def cell(value: object, unit: str, *, brief: bool = False) -> Markup:
    """What stands in a cell: a statistic with what it rests on, a number, or words."""
    if isinstance(value, Statistic):
        return _statistic(value, unit, brief)
    if unit == "text" or isinstance(value, str):
        return escape("" if value is None else value)
    return escape(shown(value, unit))


def _statistic(statistic: Statistic, unit: str, brief: bool) -> Markup:
    rests = [f"n\u00a0=\u00a0{whole(statistic.n)}"]
    if (dropped := left_out(statistic)) and not brief:
        rests.append(f"left out: {dropped}")
    if statistic.value is None:
        return Markup('<span class="untold">cannot be told: {}</span> <span class="rests">{}</span>').format(
            statistic.reason, "; ".join(rests)
        )
    if statistic.reason:
        rests.append(statistic.reason)
    interval = interval_of(statistic)
    before = f"{shown_interval(interval, unit)} " if interval else ""
    return Markup('<span class="value">{}</span> <span class="rests">{}{}</span>').format(
        shown(statistic.value, unit), before, "; ".join(rests)
    )
