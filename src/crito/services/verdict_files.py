"""What is handed out of a verdict: everything in JSON types, and as Markdown for people."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from crito.model.verdict import Ballot, Verdict, Winner
from crito.services.judgement_files import plain_report
from crito.services.verdicts import Findings, JudgedDebate
from crito.stats.panel import JudgeAgreement
from crito.stats.statistic import Statistic


def plain_verdict(judged: JudgedDebate) -> dict[str, Any]:
    """The verdict with its ballots, what they come to, and the record it can be gone through again from."""
    verdict, found = judged.verdict, judged.findings
    return {
        "run": judged.run,
        "at": judged.at.isoformat(),
        "winner": found.winner,
        "decided_by": found.decided_by,
        "warnings": list(found.warnings),
        "subject": verdict.subject,
        "topics": list(verdict.topics),
        "judges": dict(verdict.judges),
        "read": verdict.read,
        "debate_swapped": verdict.debate_swapped,
        "debaters_judging": list(verdict.debaters_judging),
        "ballots": [_ballot(ballot) for ballot in verdict.ballots],
        "readings": [
            {"judge": one.judge, "side": one.side, **plain_report(one.report)} for one in verdict.readings
        ],
        "effects": _effects(found),
        "agreement": {about: _agreement(agreed) for about, agreed in found.agreement.items()},
        "orders": {name: [order._asdict() for order in orders] for name, orders in judged.orders.items()},
        "record": [asdict(turn) for turn in judged.record],
    }  # fmt: skip


def verdict_lines(judged: JudgedDebate) -> list[str]:
    """The verdict in Markdown."""
    verdict, found = judged.verdict, judged.findings
    lines = ["## Verdict", "", f"**{winner_words(found.winner)}**, by {found.decided_by}. {agreement_words(found)}", ""]
    lines += [f"- **Beware.** {warning}" for warning in found.warnings]
    lines += [
        f"- **Beware.** {name} orders the judge about ({order.kind}): “{order.passage}”"
        for name, orders in judged.orders.items()
        for order in orders
    ]
    for order in verdict.orders:
        lines += ["", f"### Scores, {order}", "", *_score_table(verdict, verdict.in_order(order)), ""]
        for ballot in verdict.in_order(order):
            said = ballot.justification or ballot.problem or "no reason given"
            lines.append(f"- {verdict.judges[ballot.judge]} names {named(ballot.winner)}: {said}")
    if verdict.readings:
        lines += [
            "",
            "### Read critically",
            "",
            "| judge | side | Γ (1 to 10) | literal sum | claim |",
            "|---|---|---|---|---|",
        ]
        for reading in verdict.readings:
            reflected, literal = reading.report.score(), reading.report.score("literal")
            cells = (
                verdict.judges[reading.judge], reading.side, shown(reflected.value), shown(literal.value, 1),
                _cell(reading.report.claim or "none found"),
            )  # fmt: skip
            lines.append(f"| {' | '.join(cells)} |")
    return [*lines, ""]


def winner_words(winner: Winner | None) -> str:
    return "No winner" if winner is None else "A tie" if winner == "tie" else f"Side {winner}"


def named(winner: Winner | None) -> str:
    """A winner within a sentence."""
    words = winner_words(winner)
    return words[0].lower() + words[1:]


def agreement_words(found: Findings) -> str:
    """How far the judges agree, to stand beside the verdict."""
    agreed = list(found.agreement.values())[-1]
    if agreed.alpha_ordinal.value is None and agreed.kendall_w.value is None:
        return "How far the judges agree on the scores cannot be told: no topic was scored by two of them."
    alpha, w = _told(agreed.alpha_ordinal), _told(agreed.kendall_w)
    return f"Agreement of the judges on the scores: Krippendorff's alpha (ordinal) {alpha}, Kendall's W {w}."


def shown(value: float | None, digits: int = 2) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def _told(statistic: Statistic) -> str:
    return f"not to be told ({statistic.reason})" if statistic.value is None else f"{statistic.value:.2f}"


def _score_table(verdict: Verdict, ballots: tuple[Ballot, ...]) -> list[str]:
    heads = [f"{verdict.judges[ballot.judge]} {side}" for ballot in ballots for side in "AB"]
    rows = [["topic", *heads], ["---"] * (len(heads) + 1)]
    for place, title in enumerate(verdict.topics):
        scores = [ballot.scores[place] for ballot in ballots]
        rows.append([_cell(title), *(shown(number, 0) for score in scores for number in (score.a, score.b))])
    rows.append(["**total**", *(shown(total, 0) for ballot in ballots for total in ballot.totals)])
    return [f"| {' | '.join(row)} |" for row in rows]


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "/").split())


def _ballot(ballot: Ballot) -> Mapping[str, Any]:
    total_a, total_b = ballot.totals
    return {
        **asdict(ballot), "total_a": total_a, "total_b": total_b, "computed_winner": ballot.computed_winner,
        "contradicts_itself": ballot.contradicts_itself,
    }  # fmt: skip


def _effects(found: Findings) -> Mapping[str, Any] | None:
    effects = found.effects
    if effects is None:
        return None
    return {
        "swap_consistency": _plain(effects.consistency),
        "cell_consistency": _plain(effects.cell_consistency),
        "position_effect": _plain(effects.position.overall),
        "position_effect_by_judge": list(effects.position.by_judge),
        "position_effect_by_topic": list(effects.position.by_topic),
        "side_effect": _plain(effects.side.overall),
        "side_effect_by_judge": list(effects.side.by_judge),
    }


def _agreement(agreed: JudgeAgreement) -> Mapping[str, Any]:
    return {
        "kendall_w": _plain(agreed.kendall_w), "krippendorff_alpha_nominal": _plain(agreed.alpha_nominal),
        "krippendorff_alpha_ordinal": _plain(agreed.alpha_ordinal),
        "krippendorff_alpha_interval": _plain(agreed.alpha_interval),
    }  # fmt: skip


def _plain(statistic: Statistic) -> Mapping[str, Any]:
    found = {"value": statistic.value, "n": statistic.n, "status": statistic.status, "reason": statistic.reason}
    return {**found, "p_value": statistic.p_value, "details": dict(statistic.details)}
