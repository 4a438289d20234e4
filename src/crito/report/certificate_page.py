"""A certificate as one page that can be printed and handed on."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from crito.model.certificate import Certificate
from crito.report.page import environment, template_text

TITLES = {
    "handoff": "May the machine label the rest?",
    "automatic_labelling": "From which confidence on may it label alone?",
    "corpus_estimate": "What would people have said of the whole corpus?",
    "annotator_replacement": "May the machine stand in for a person?",
}


class StatisticRow(NamedTuple):
    """One statistic: its name, its value or why there is none, its interval, what it rests on."""

    name: str
    value: str
    interval: str
    n: str
    method: str


class Listed(NamedTuple):
    """Results of one kind, one a row: steps of a search, people of a group."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def render_certificate_page(certificate: Certificate) -> str:
    """The whole page."""
    template = environment().get_template("certificate.html")
    return template.render(
        certificate=certificate, title=TITLES[certificate.kind], statistics=list(_statistics(certificate.results)),
        lists=list(_lists(certificate.results)), plain=list(_plain(certificate.results)),
        settings=list(_plain(certificate.settings)), style=template_text("report.css"),
    )  # fmt: skip


def _statistics(results: Mapping[str, Any], before: str = "") -> Iterator[StatisticRow]:
    for name, value in results.items():
        if not isinstance(value, Mapping):
            continue
        title = _words(f"{before} {name}")
        if not {"value", "n", "method"} <= value.keys():
            yield from _statistics(value, title)
            continue
        interval, told = value.get("interval"), value["value"]
        yield StatisticRow(
            title, f"cannot be told: {value['reason']}" if told is None else _shown(told),
            f"{_shown(interval['low'])} to {_shown(interval['high'])}" if interval else "", f"{value['n']:,}",
            value["method"],
        )  # fmt: skip


def _lists(results: Mapping[str, Any], before: str = "") -> Iterator[Listed]:
    for name, value in results.items():
        title = _words(f"{before} {name}")
        if isinstance(value, Mapping):
            yield from _lists(value, title)
        elif isinstance(value, list) and value and isinstance(value[0], Mapping):
            columns = tuple(value[0])
            rows = tuple(tuple(_shown(row[column]) for column in columns) for row in value)
            yield Listed(title, tuple(map(_words, columns)), rows)


def _plain(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in values.items():
        if not isinstance(value, Mapping) and not (isinstance(value, list) and value and isinstance(value[0], Mapping)):
            yield _words(name), _shown(value)


def _words(name: str) -> str:
    return name.strip().replace("_", " ")


def _shown(value: Any) -> str:
    if value is None or value in ("", []):
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    return ", ".join(map(_shown, value)) if isinstance(value, list | tuple) else str(value)
