"""What judges made of a text, as one page of HTML or as Markdown."""

from collections.abc import Sequence

from markupsafe import Markup, escape

from crito.model.crit import CritReport, RatedArgument
from crito.model.crit_score import HIGHEST, CritScore
from crito.report.page import environment, template_text
from crito.services.judging import Judged

STOPPED = {
    "cycle": "its source leads back to itself",
    "depth": "its source lies too deep",
    "not_found": "its source was not given",
    "budget": "too few calls were left for its source",
    "no_score": "its source came out without a score",
}

BAR_WIDTH, BAR_HEIGHT, BAR_STEP, BAR_LEFT = 360, 14, 22, 36


def render_judgement(judged: Judged) -> str:
    """The whole page."""
    template = environment().get_template("judgement.html")
    return template.render(
        judged=judged, style=template_text("report.css"), bars=argument_bars, shown=shown_score, rated=shown_rating,
        stopped=STOPPED,
    )  # fmt: skip


def render_judgement_text(judged: Judged) -> str:
    """The same in Markdown."""
    parts = [f"# {judged.document.name}, read critically", _orders(judged)]
    for report in judged.reports:
        for reading in report.readings():
            parts += [f"## {reading.document}, read by {judged.judges[reading.judge]}", *_sections(reading)]
    return "\n\n".join(part for part in parts if part) + "\n"


def argument_bars(report: CritReport) -> Markup:
    """The arguments as bars: as long as they are valid, as dark as they are credible, rivals from the other colour."""
    rows = [_bar(place, one) for place, one in enumerate(report.arguments)]
    if not rows:
        return Markup('<p class="none">Nothing to draw: there are no arguments.</p>')
    height = BAR_STEP * len(rows) + 4
    told = "; ".join(f"{one.id}: {shown_rating(one)}" for one in report.arguments)
    head = f'<svg viewBox="0 0 {BAR_LEFT + BAR_WIDTH + 60} {height}" role="img" style="max-width:30rem;width:100%">'
    return Markup(f"{head}<title>Validity of each argument</title><desc>{escape(told)}</desc>{''.join(rows)}</svg>")  # noqa: S704


def shown_score(score: CritScore) -> str:
    """A score as it is printed, with why there is none."""
    return f"none ({score.reason})" if score.value is None else f"{score.value:.2f}"


def shown_rating(one: RatedArgument) -> str:
    """Validity and credibility in words; what could not be read says so."""
    validity = one.validity.replace("_", " ") if one.rating.validity is None else f"{one.rating.validity:.3g}"
    credibility = (
        one.credibility.replace("_", " ") if one.rating.credibility is None else f"{one.rating.credibility:.3g}"
    )
    return f"validity {validity}, credibility {credibility}"


def _bar(place: int, one: RatedArgument) -> str:
    validity, credibility = one.rating.validity, one.rating.credibility
    middle = place * BAR_STEP + BAR_HEIGHT / 2 + 6
    colour = "#0072B2" if one.id.startswith("r") else "#D55E00"
    words = f'<text x="0" y="{middle:g}" font-size="12" fill="currentColor">{escape(one.id)}</text>'
    if validity is None:
        return f'{words}<text x="{BAR_LEFT}" y="{middle:g}" font-size="12" fill="currentColor">not rated</text>'
    length = BAR_WIDTH * validity / HIGHEST
    strength = 0.25 + 0.75 * (credibility or HIGHEST / 2) / HIGHEST
    return (
        f'{words}<rect x="{BAR_LEFT}" y="{place * BAR_STEP + 2}" width="{length:.1f}" height="{BAR_HEIGHT}" fill="{colour}"'
        f' fill-opacity="{strength:.2f}"/><text x="{BAR_LEFT + length + 6:.1f}" y="{middle:g}" font-size="12"'
        f' fill="currentColor">{validity:.3g}</text>'
    )


def _orders(judged: Judged) -> str:
    lines = [
        f"- {name} orders the judge about ({order.kind}): “{order.passage}”"
        for name, found in judged.orders.items()
        for order in found
    ]
    return (
        "\n".join(["**Orders to the judge stand in the text. They were judged, not obeyed.**", *lines]) if lines else ""
    )


def _sections(report: CritReport) -> Sequence[str]:
    scores = report.scores()
    others = ", ".join(f"{mode} {shown_score(score)}" for mode, score in scores.items() if mode != "reflected")
    problems = "\n".join(f"- Problem: {problem}" for problem in report.problems)
    return [
        f"**Claim.** {report.claim or '(none found)'}",
        f"**Score.** {shown_score(scores['reflected'])} on a scale from 1 to 10 (other formulas: {others})",
        "\n".join(["**Reasons.**", *map(_line, report.reasons)]),
        "\n".join([f"**Rivals**, {_from(report)}.", *map(_line, report.rivals)]),
        f"**Account.** {report.justification}" if report.justification else "",
        f"**In other contexts.** {report.reflection}" if report.reflection else "",
        problems,
    ]


def _from(report: CritReport) -> str:
    return "as the opponent raises them" if report.rivals_from == "opponent" else "as the judge thinks of them"


def _line(one: RatedArgument) -> str:
    argument = one.argument
    marks: list[str] = [argument.type or "type unknown", argument.inference or "inference unknown"]
    marks += ["**speculative**"] if one.speculative else []
    marks += [STOPPED[one.recursion_stopped]] if one.recursion_stopped else []
    marks += [f"rated by its source {one.child.document}"] if one.child and not one.recursion_stopped else []
    why = f" {one.justification}" if one.justification else ""
    return f"- {one.id} ({shown_rating(one)}; {', '.join(marks)}): {argument.text}{why}"
