"""A debate as one page that needs nothing else: its brief, its scoreboard, its transcript; fit to print."""

from markupsafe import Markup

from crito.report.page import environment, template_text
from crito.report.scoreboard import scoreboard
from crito.services.debate_files import DebateReport, flag_words, scenes, strongest, turn_words, warnings


def render_debate(report: DebateReport) -> str:
    """The whole page."""
    made = environment()
    made.filters |= {
        "flagged": flag_words,
        "spoken": lambda name: f"agent {name[-1].upper()}" if name[-2:-1] == "_" else name,
    }
    judged = scoreboard(report.judged) if report.judged else Markup()
    return made.get_template("debate.html").render(
        report=report, warnings=warnings(report), scenes=scenes, strongest=strongest(report), words_of=turn_words, scoreboard=judged,
        style=template_text("report.css"), debate_style=template_text("debate.css"),
    )  # fmt: skip
