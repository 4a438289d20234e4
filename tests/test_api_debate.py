"""`crito.debate` in a notebook, against a provider on this machine."""

from pathlib import Path
from typing import Any

import pytest

import crito
from crito.model.debate import DebateSettings
from crito.model.errors import InvalidInput
from tests.debating_model import debate_reply
from tests.provider import providing

SUBJECT = "Should the town close its old bridge to cars?"
SMALL = DebateSettings(rounds=2, max_rounds=2, topics=2, topics_proposed=3)


def answer(body: dict[str, Any]) -> str:
    form = body.get("response_format", {}).get("json_schema", {}).get("schema")
    return debate_reply(str(body["messages"][-1]["content"]), form)


def test_a_debate_comes_back_whole_and_asks_nothing_twice(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    with providing(answer) as provider:
        monkeypatch.setenv("CRITO_ENDPOINT_LAB", provider.url)
        first = crito.debate(SUBJECT, "lab:m", settings=SMALL)
    again = crito.debate(SUBJECT, "lab:m", settings=SMALL)

    assert [topic.title for topic in first.outcome.topics] == ["Safety vs. speed", "Trade in town"]
    assert again.outcome == first.outcome
    assert SUBJECT in first.brief
    assert "Round 2" in first.markdown


def test_a_debater_is_no_judge_unless_that_is_allowed(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="among the judges"):
        crito.debate(SUBJECT, "lab:m", judges="lab:m", database=tmp_path / "d.db")
