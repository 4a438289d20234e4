"""What models did, as sections of a page."""

import re
from datetime import UTC, datetime

import pytest
from selectolax.lexbor import LexborHTMLParser

from crito.model.ids import ItemId, LabellingId, StudyName, TaskName
from crito.model.study import Agent, Panel
from crito.report.models_page import models_sections, render_models_report
from crito.report.round_figure import round_figure
from crito.services.model_reporting import (
    AgentReport,
    Effort,
    ModelReport,
    ModelTaskReport,
    PanelComparison,
    PanelReport,
    compare,
    score,
)
from crito.stats.discussion import by_round, moved, recoverable, revisions, right_and_wrong
from crito.stats.means import mean

NOW = datetime(2026, 3, 1, tzinfo=UTC)
GOLD = {ItemId("i"): "X", ItemId("j"): "Y", ItemId("k"): "X"}
TALKS = {
    ItemId("i"): [{"agent_1": "X", "agent_2": "Y"}, {"agent_1": "X", "agent_2": "X"}],
    ItemId("j"): [{"agent_1": "X", "agent_2": "Y"}, {"agent_1": "X", "agent_2": "Y"}, {"agent_1": "X", "agent_2": "X"}],
    ItemId("k"): [{"agent_1": "X", "agent_2": "X"}],
}
ANSWERS = {ItemId("i"): "X", ItemId("j"): "X", ItemId("k"): "X"}
PLAIN = {ItemId("i"): None, ItemId("j"): None, ItemId("k"): "X"}


def make_agent(name: str, model: str) -> AgentReport:
    first = {item: rounds[0][name] for item, rounds in TALKS.items()}
    last = {item: rounds[-1][name] for item, rounds in TALKS.items()}
    return AgentReport(
        name, Agent(model), first, score(last, GOLD), {"ok": 6, "refused": 1}, 0, revisions(TALKS, GOLD, agent=name),
        moved(TALKS, agent=name), tuple(right_and_wrong(TALKS, GOLD, agent=name)),
    )  # fmt: skip


def make_report(*, cost_usd: float = 0.5, unpriced: int = 0) -> ModelReport:
    effort = Effort(12, 1, 0, 900, 300, 80, 0, cost_usd, unpriced, mean("seconds_per_item", [1.0, 2.0, 3.0]))
    panel = PanelReport(
        LabellingId("l-1"), Panel("<pair>", "discussion", (Agent("lab:a"), Agent("lab:b"))), 4, {"consensus": 3},
        ANSWERS, PLAIN, score(ANSWERS, GOLD), score(PLAIN, GOLD), (make_agent("agent_1", "lab:a"), make_agent("agent_2", "lab:b")),
        tuple(by_round(TALKS, GOLD)), recoverable(TALKS, GOLD), effort,
    )  # fmt: skip
    task = ModelTaskReport(TaskName("t"), "Letters", {"X": "X", "Y": "Y"}, GOLD, (panel,))
    row = PanelComparison(
        task.name, "<pair>", "plain_vote", "plain vote of round 0", compare(PLAIN, ANSWERS, GOLD), 1.0
    )
    return ModelReport(StudyName("s"), "Study", NOW, (task,), (row,))


def text_of(page: str) -> str:
    body = LexborHTMLParser(page).body
    assert body is not None
    return re.sub(r"\s+", " ", body.text())


def test_the_page_stands_alone_escapes_names_and_explains_every_mark() -> None:
    page = render_models_report(make_report())

    assert "<pair>" not in page
    assert "http" not in page.replace("http://www.w3.org", "")
    assert "{{" not in page
    asked = set(re.findall(r'How this is worked out: ([^"]+)"', page))
    explained = {node.text() for node in LexborHTMLParser(page).css("dl.methods dt")}
    assert asked <= explained


def test_figures_come_with_what_they_rest_on() -> None:
    said = text_of(render_models_report(make_report()))

    assert "66.7 % [20.8 %, 93.9 %] n = 3" in said  # accuracy 2 of 3, Wilson
    assert "lab:a kept its label in all of 3 steps" in said
    assert "3 of 4" in said
    assert "12" in said
    assert "0.5000 USD" in said


@pytest.mark.parametrize(
    ("cost_usd", "unpriced", "words"),
    [(0.0, 11, "unknown price"), (0.5, 4, "0.5000 USD and 4 calls of unknown price"), (0.0, 0, "0.0000 USD")],
)
def test_an_unknown_price_is_never_nothing(cost_usd: float, unpriced: int, words: str) -> None:
    said = text_of(render_models_report(make_report(cost_usd=cost_usd, unpriced=unpriced)))

    assert words in said
    assert ("0.0000 USD" in said) == (not unpriced)


def test_where_no_model_labelled_there_is_no_section() -> None:
    nothing = ModelReport(StudyName("s"), "Study", NOW, (), ())

    assert models_sections(nothing) == ""
    assert "No model has labelled anything yet" in render_models_report(nothing)


def test_the_figure_of_an_agent_tells_its_counts_in_words() -> None:
    drawn = round_figure(right_and_wrong(TALKS, GOLD, agent="agent_2"), "lab:b")

    assert "lab:b. round 0 to 1: right to right 1, wrong to right 1; round 1 to 2: right to wrong 1" in drawn
    assert drawn.count('class="moved"') == 2
    assert "Nothing to draw" in round_figure([], "lab:b")
