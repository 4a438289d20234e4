"""A certificate as one page that can be printed and handed on."""

from collections.abc import Iterator, Mapping
from typing import Any

from crito.model.certificate import Certificate
from crito.report.page import environment, template_text

TITLES = {
    "handoff": "May the machine label the rest?",
    "automatic_labelling": "From which confidence on may it label alone?",
    "corpus_estimate": "What would people have said of the whole corpus?",
    "annotator_replacement": "May the machine stand in for a person?",
}


def render_certificate_page(certificate: Certificate) -> str:
    """The whole page."""
    template = environment().get_template("certificate.html")
    return template.render(
        certificate=certificate, title=TITLES[certificate.kind], results=list(_flat(certificate.results)),
        settings=list(_flat(certificate.settings)), style=template_text("report.css"),
    )  # fmt: skip


def _flat(values: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    """Names and values of nested objects, one line each; what is empty is left out."""
    for name, value in values.items():
        path = f"{before} {name.replace('_', ' ')}".strip()
        if isinstance(value, Mapping):
            yield from _flat(value, path)
        elif isinstance(value, list | tuple) and value and isinstance(value[0], Mapping):
            for place, part in enumerate(value, start=1):
                yield from _flat(part, f"{path} {place}")
        elif value not in (None, "", [], ()):
            yield path, _shown(value)


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
