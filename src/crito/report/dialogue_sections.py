"""The parts of a study's report about dialogues: the partner's turns, and how much was said by whom."""

from collections.abc import Sequence

from markupsafe import Markup

from crito.report.blocks import Beside, Block, Column, Figure, Prose, Section, Stack, Table
from crito.report.figures import Bar, Estimate, bars, interval_plot
from crito.report.label_sections import group_name
from crito.report.wording import counted, named
from crito.services.reporting.study import ReportData
from crito.services.reporting.talks import PartnerReport, TalkReport

KINDS = ("script", "model", "trimmed", "routed", "fixed")
LONGEST = 12
"""Dialogues with so many messages of the person, or more, share a bar."""


def partner_section(data: ReportData) -> Section:
    """What the partner said, by kind, and which rules it broke."""
    if not data.partners:
        return Section("partner", "The partner", [Prose("No dialogue has begun yet.")])
    parts = [_partner(partner, data) for partner in data.partners]
    return Section("partner", "The partner", [Beside(parts)])


def _partner(partner: PartnerReport, data: ReportData) -> Stack:
    size = f"{counted(partner.dialogues, 'dialogue', 'dialogues')}, partner: {partner.model}"
    title = Markup('{} <span class="small">{}</span>').format(group_name(partner.condition, data.conditions), size)
    turns: list[Sequence[object]] = [
        (named(kind), partner.made.get(kind, 0), partner.shown.get(kind, 0))  # type: ignore[call-overload]
        for kind in _kinds(partner)
    ]
    turns += [(f"no answer: {reason}", count, None) for reason, count in partner.unanswered.items()]
    made = Table("Turns by kind", [Column("Kind"), Column("made", "count"), Column("shown", "count")], turns, "turns")
    return Stack([made, _broken(partner)], title)


def _kinds(partner: PartnerReport) -> list[str]:
    return [kind for kind in KINDS if partner.made.get(kind) or partner.shown.get(kind)]  # type: ignore[call-overload]


def _broken(partner: PartnerReport) -> Table:
    made = {(row.rule, row.kind): row.rate for row in partner.broken_made}
    shown = {(row.rule, row.kind): row.rate for row in partner.broken_shown}
    rows = [
        (named(rule), named(kind), made.get((rule, kind), "–"), shown.get((rule, kind)) or _never(partner, kind))
        for rule, kind in sorted({*made, *shown})
        if any(found.value for found in (made.get((rule, kind)), shown.get((rule, kind))) if found)
    ]
    turns = counted(sum(partner.made.values()), "turn", "turns")
    return Table(
        "Rules broken", [Column("Rule"), Column("Kind"), Column("as made", "share"), Column("as shown", "share")],
        rows, "broken", folds=True, empty=f"No rule was found broken in {turns}.",
    )  # fmt: skip


def _never(partner: PartnerReport, kind: str) -> str:
    count = partner.shown.get(kind)  # type: ignore[call-overload]
    return f"0\u00a0%, n\u00a0=\u00a0{count}" if count else "none shown"


def talk_section(data: ReportData) -> Section | None:
    """Messages and characters by side, and who leads."""
    if not data.talks:
        return None
    lengths: list[Block] = [_lengths(talk, data) for talk in data.talks]
    blocks: list[Block] = [
        *(lengths if len(lengths) == 1 else [Beside(lengths)]),
        _said(data.talks, data),
        _leads(data),
    ]
    if data.talk_comparisons:
        rows = [
            (row.what, Markup("{} − {}").format(group_name(row.first, data.conditions), group_name(row.second, data.conditions)),
             row.difference, row.difference.p_value)
            for row in data.talk_comparisons
        ]  # fmt: skip
        columns = [Column("Measure"), Column("First − second"), Column("Difference", "signed"), Column("p", "p")]
        blocks.append(Table("Conditions compared", columns, rows, "talk_compared", folds=True))
    return Section("dialogues", "Dialogues", blocks)


def _lengths(talk: TalkReport, data: ReportData) -> Figure:
    counts: dict[str, int] = {}
    for messages, dialogues in talk.by_length.items():
        name = f"{LONGEST} or more" if messages >= LONGEST else str(messages)
        counts[name] = counts.get(name, 0) + dialogues
    n = sum(counts.values())
    several = f", {talk.condition}" if len(data.talks) > 1 else ""
    table = Table("", [Column("Messages by the person"), Column("Dialogues", "count")], list(counts.items()))
    drawing = bars([Bar(name, count) for name, count in counts.items()], f"Messages per dialogue{several}", of=n)
    return Figure(
        f"dialogue-lengths-{data.conditions.index(talk.condition)}", f"Messages by the person, per dialogue{several}",
        counted(n, "dialogue", "dialogues"), drawing, "engagement", table,
    )  # fmt: skip


def _said(talks: Sequence[TalkReport], data: ReportData) -> Table:
    rows = [
        (group_name(talk.condition, data.conditions), side, messages, characters)
        for talk in talks
        for side, messages, characters in (
            ("person", talk.engagement.messages_person, talk.engagement.characters_person),
            ("partner", talk.engagement.messages_agent, talk.engagement.characters_agent),
            ("both", talk.engagement.messages_both, talk.engagement.characters_both),
        )
    ]
    columns = [Column("Condition"), Column("Side"), Column("Messages per dialogue", "minutes"),
               Column("Characters per message", "minutes")]  # fmt: skip
    return Table("How much was said", columns, rows, "engagement", folds=True)


def _leads(data: ReportData) -> Figure:
    estimates = [
        Estimate(talk.condition, talk.person_share, data.conditions.index(talk.condition)) for talk in data.talks
    ]
    table = Table(
        "",
        [Column("Condition"), Column("Person's share of characters", "share"), Column("Dialogues in which the person wrote more", "share"),
         Column("Person's messages that ask", "share"), Column("Partner's messages that ask", "share")],
        [
            (group_name(talk.condition, data.conditions), talk.person_share, talk.person_leads, talk.questions_person,
             talk.questions_partner)
            for talk in data.talks
        ],
        folds=True,
    )  # fmt: skip
    drawing = interval_plot(estimates, "Who leads: the person's share of what was written", within=(0.0, 1.0))
    return Figure(
        "who-leads", "Who leads", "the person's share of all characters, mean over dialogues, with 95 % interval",
        drawing, "leads", table,
    )  # fmt: skip
