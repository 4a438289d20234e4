"""A sweep of contentiousness as one page: how agreeable each level was found, how it was argued, and the arguments."""

from datetime import datetime

from markupsafe import Markup

from crito.report.page import environment, template_text
from crito.services.sweeping import Sweep, agreeableness

LEFT, TOP, STEP, HIGH = 40, 16, 90, 18
"""Room for the scale and above it, the distance of two levels, the height of a step of the scale."""

FEWEST, MOST = 1, 10
COLOURS = {"A": "#0072B2", "B": "#D55E00"}


def render_sweep(found: Sweep, made_at: datetime) -> str:
    """The whole page."""
    return environment().get_template("sweep.html").render(
        sweep=found, made_at=made_at, means=agreeableness(found), figure=agreeableness_figure(found),
        judges=found.judges,
        style=template_text("report.css"), debate_style=template_text("debate.css"),
    )  # fmt: skip


def agreeableness_figure(found: Sweep) -> Markup:
    """Agreeableness at each level: a square for each reading of A, a circle for one of B, a line through the means."""
    places = {level: LEFT + STEP * (place + 0.5) for place, level in enumerate(found.levels)}
    marks = [
        _mark(one.side, places[one.level], _height(reading.agreeableness))
        for one in found.arguments
        for reading in one.readings
        if reading.agreeableness is not None
    ]
    if not marks:
        return Markup('<p class="none">Nothing to draw: no judge gave a number that could be read.</p>')
    means = {level: value for level, value in agreeableness(found).items() if value is not None}
    line = " ".join(f"{places[level]:g},{_height(value):g}" for level, value in means.items())
    told = "; ".join(f"level {level:g}: mean {value:.1f}" for level, value in means.items())
    width, low = LEFT + STEP * len(found.levels), _height(FEWEST)
    scale = "".join(
        f'<path d="M{LEFT} {_height(number):g}H{width}" stroke="currentColor" stroke-opacity=".2"/>'
        f'<text x="{LEFT - 8}" y="{_height(number) + 4:g}" font-size="11" text-anchor="end" fill="currentColor">{number}</text>'
        for number in (FEWEST, 4, 7, MOST)
    )
    names = "".join(
        f'<text x="{x:g}" y="{low + 22:g}" font-size="11" text-anchor="middle" fill="currentColor">{level:g}</text>'
        for level, x in places.items()
    )
    return Markup(  # noqa: S704 (made of numbers)
        f'<svg viewBox="0 0 {width + 10} {low + 30:g}" role="img" style="max-width:34rem;width:100%">'
        f"<title>Agreeableness by contentiousness</title><desc>{told}</desc>{scale}{names}"
        f'<polyline points="{line}" fill="none" stroke="currentColor" stroke-width="1.5"/>{"".join(marks)}</svg>'
    )


def _height(number: float) -> float:
    return TOP + HIGH * (MOST - number)


def _mark(side: str, x: float, y: float) -> str:
    if side == "A":
        return f'<rect x="{x - 16:g}" y="{y - 5:g}" width="10" height="10" fill="{COLOURS["A"]}" fill-opacity=".85"/>'
    return f'<circle cx="{x + 11:g}" cy="{y:g}" r="5" fill="{COLOURS["B"]}" fill-opacity=".85"/>'
