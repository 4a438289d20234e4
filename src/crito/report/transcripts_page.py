"""Transcripts without labels as a page: what each speaker says, and what such a file cannot tell."""

from datetime import datetime

from markupsafe import Markup

from crito.report.blocks import Column, Figure, Note, Page, Section, Table
from crito.report.figures import Estimate, interval_plot
from crito.report.page import render_page
from crito.report.wording import utc
from crito.services.reporting.transcripts import CANNOT, TranscriptReport

MOST_DRAWN = 12
"""So many speakers are drawn; the table has all of them."""


def render_transcripts(found: TranscriptReport, made_at: datetime) -> str:
    """The whole page."""
    words = "This file has no labels. What is said in it can be counted; what labels would show cannot be told."
    return render_page(
        Page(
            title=found.name,
            kicker=Markup("Crito report · transcripts · as of {}").format(utc(made_at)),
            counts={
                "dialogues": found.n_dialogues, "messages": found.n_messages, "speakers": len(found.speakers),
            },
            notes=[Note("No labels.", words)],
            sections=[_said(found), _cannot()],
            footer="All numbers were computed by Crito. Intervals resample dialogues.",
        )
    )  # fmt: skip


def _said(found: TranscriptReport) -> Section:
    table = Table(
        "",
        [Column("Speaker"), Column("Messages", "count"), Column("Per dialogue", "minutes"),
         Column("Characters per message", "minutes"), Column("Share of characters", "share"), Column("Messages that ask", "share")],
        [(one.speaker, one.n_messages, one.messages, one.characters, one.share, one.questions) for one in found.speakers],
        folds=True,
    )  # fmt: skip
    rows = [Estimate(one.speaker, one.share, place) for place, one in enumerate(found.speakers[:MOST_DRAWN])]
    figure = Figure(
        "shares", "Who speaks how much", "share of a dialogue's characters, mean over dialogues, with 95 % interval",
        interval_plot(rows, "Share of characters by speaker", within=(0.0, 1.0)), "transcripts", table,
    )  # fmt: skip
    return Section("said", "What is said", [figure])


def _cannot() -> Section:
    rows = [(what, why) for what, why in CANNOT.items()]
    return Section(
        "cannot", "What cannot be told", [Table("", [Column("Number"), Column("Why not")], rows, folds=True)]
    )
