"""The judges' part of a debate's page: verdict, scores per topic and judge, Γ per reason, and how far to trust them."""

from markupsafe import Markup, escape

from crito.model.verdict import Ballot, Verdict
from crito.report.judgement_page import argument_bars
from crito.report.page import environment, template_text
from crito.services.verdict_files import agreement_words, named, shown, winner_words
from crito.services.verdicts import JudgedDebate

LEFT, STEP, LINE, TOP = 150, 24, 22, 20
"""Room for titles, width of a point, height of a line, room for the scale."""

COLOURS = {"A": "#0072B2", "B": "#D55E00"}


def scoreboard(judged: JudgedDebate) -> Markup:
    """A section to stand in the page of a debate."""
    made = environment()
    made.filters |= {"winner": winner_words, "within": named}
    text = made.get_template("scoreboard.html").render(
        judged=judged, agreement=agreement_words(judged.findings), figure=score_figure, bars=argument_bars, shown=shown,
        zip=zip,
    )  # fmt: skip
    return Markup(text)  # noqa: S704 (the template escapes what it is given)


def render_verdict(judged: JudgedDebate) -> str:
    """The verdict as a page of its own, for a debate whose transcript is elsewhere."""
    template = environment().get_template("verdict.html")
    return template.render(judged=judged, scoreboard=scoreboard(judged), style=template_text("report.css"))


def score_figure(verdict: Verdict, ballot: Ballot) -> Markup:
    """One judge's scores in one order: a line per topic from 0 to 10, a square for A, a circle for B."""
    lines = [_line(place, title, ballot) for place, title in enumerate(verdict.topics)]
    height = TOP + LINE * len(lines) + 6
    scale = "".join(
        f'<text x="{LEFT + STEP * number}" y="12" font-size="10" text-anchor="middle" fill="currentColor">{number}</text>'
        for number in (0, 5, 10)
    )
    told = "; ".join(
        f"{title}: A {shown(score.a, 0)}, B {shown(score.b, 0)}"
        for title, score in zip(verdict.topics, ballot.scores, strict=True)
    )
    head = f'<svg viewBox="0 0 {LEFT + STEP * 10 + 20} {height}" role="img" style="max-width:30rem;width:100%">'
    title = (
        f"<title>Scores by {escape(verdict.judges[ballot.judge])}, {ballot.order}</title><desc>{escape(told)}</desc>"
    )
    return Markup(f"{head}{title}{scale}{''.join(lines)}</svg>")  # noqa: S704 (escaped above and in each line)


def _line(place: int, title: str, ballot: Ballot) -> str:
    middle = TOP + LINE * place + LINE / 2
    short = title if len(title) <= 24 else f"{title[:23]}…"
    words = f'<text x="0" y="{middle + 4:g}" font-size="11" fill="currentColor">{escape(short)}</text>'
    rule = f'<path d="M{LEFT} {middle:g}h{STEP * 10}" stroke="currentColor" stroke-opacity=".2"/>'
    score = ballot.scores[place]
    marks = ""
    if score.a is not None:
        marks += (
            f'<rect x="{LEFT + STEP * score.a - 5:g}" y="{middle - 5:g}" width="10" height="10" fill="{COLOURS["A"]}"/>'
        )
    if score.b is not None:
        marks += (
            f'<circle cx="{LEFT + STEP * score.b:g}" cy="{middle:g}" r="5" fill="{COLOURS["B"]}" fill-opacity=".85"/>'
        )
    return words + rule + marks
