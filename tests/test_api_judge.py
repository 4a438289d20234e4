"""`crito.judge`, and debates with judges, from Python against a provider on this machine."""

from pathlib import Path
from typing import Any

import pytest

import crito
from crito.model.debate import DebateSettings
from crito.model.errors import InvalidInput
from crito.report.debate_page import render_debate
from tests.debating_model import debate_reply
from tests.judging_model import judge_reply
from tests.provider import providing

ESSAY = "Every school kettle needs a lock. Steam burned twelve children last year."


def answer(body: dict[str, Any]) -> str:
    form, words = (
        body.get("response_format", {}).get("json_schema", {}).get("schema"),
        str(body["messages"][-1]["content"]),
    )
    return judge_reply(words, form) if "<document>" in words else debate_reply(words, form)


def test_a_text_is_judged_and_nothing_is_asked_twice(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    with providing(answer) as provider:
        monkeypatch.setenv("CRITO_ENDPOINT_LAB", provider.url)
        first = crito.judge(ESSAY, ["lab:m", "lab:n"])
    again = crito.judge(ESSAY, ["lab:m", "lab:n"])

    assert [report.judge for report in first.reports] == ["judge_1", "judge_2"]
    assert first.reports[0].score().value == pytest.approx(85 / 15)
    assert again.reports == first.reports


def test_a_debate_is_decided_in_both_orders_and_its_page_says_how(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    settings = DebateSettings(rounds=2, max_rounds=2, topics=2, topics_proposed=3)
    with providing(answer) as provider:
        monkeypatch.setenv("CRITO_ENDPOINT_LAB", provider.url)
        held = crito.debate(
            "Should the town close its old bridge to cars?",
            "lab:m",
            judges=["lab:x", "lab:y"],
            settings=settings,
            swap="judging",
        )

    assert held.judged is not None
    assert held.judged.findings.winner == "A"
    assert held.judged.verdict.orders == ("A first", "B first")
    assert len(held.judged.verdict.readings) == 4
    page = render_debate(held)
    assert "Verdict: Side A" in page
    assert "Krippendorff" in page
    assert "## Verdict" in held.markdown


def test_what_names_no_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="names no model"):
        crito.judge(ESSAY, "m", database=tmp_path / "j.db")
