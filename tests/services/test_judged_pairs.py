"""Pairs of arguments by CRIT: a recorded pair goes the way of the benchmark, and real pairs and debates can be read."""

import json
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.pairs import drawn, judge, told, winner
from crito.engine.local import LocalEngine
from crito.model.study import Agent
from crito.protocols.orders import orders_to_judge
from crito.services.asking import Calling
from crito.services.judging import Manner
from crito.services.parts import Parts
from crito.services.ports.models import CallContext, ChatRequest, Completion, Reply
from crito.services.verdicts import Docket, outcome_in
from tests.data_sets import DATA

RECORDED = json.loads((Path(__file__).parents[1] / "recorded" / "pair.json").read_text(encoding="utf-8"))


@dataclass
class Recording:
    """Gives the recorded replies about each argument in their order."""

    name: str = "recorded:judge"
    local: bool = True
    asked: list[str] = field(default_factory=list)

    async def stream(self, request: ChatRequest, context: CallContext) -> AsyncGenerator[str | Completion, None]:
        yield (await self.complete(request, context)).text

    async def complete(self, request: ChatRequest, context: CallContext) -> Reply:
        words = request.messages[0].text
        about = next(name for name, text in RECORDED["arguments"].items() if text in words)
        self.asked.append(about)
        return Reply(RECORDED["replies"][about][context.step], Completion("stop", self.name))


async def test_a_recorded_pair_comes_to_the_crowd_s_winner_again(parts: Parts) -> None:
    model = Recording()
    calling = Calling(LocalEngine(1).turnstile, lambda spent: None)
    pair = {"id": "ours", "gold": RECORDED["gold"], **RECORDED["arguments"]}

    scored = await judge(
        pair, Agent(model.name), replace(parts, models=lambda name: model), calling, Manner(account=False)
    )

    # a1: (8·7 + 7·6 + 7·5 + 8·6) / 24; a2, where an unknown credibility counts as the known 2: (3·2 + 4·2) / 4
    assert scored["scores"] == pytest.approx([181 / 24, 3.5])
    assert model.asked == ["a1"] * 3 + ["a2"] * 3
    assert told(scored) == "ours: crowd a1, CRIT a1 (7.54 : 3.50)"


@pytest.mark.parametrize(
    ("scores", "won"),
    [([7.0, 3.0], "a1"), ([3.0, 7.0], "a2"), ([5.0, 5.0], None), ([None, 5.0], None), ([None, None], None)],
)
def test_a_tie_or_a_missing_score_has_no_winner(scores: list[float | None], won: str | None) -> None:
    assert winner({"scores": scores}) == won


def test_only_pairs_that_people_decided_are_drawn(tmp_path: Path) -> None:
    arguments = [{"id": name, "text": f"Text {name}."} for name in "abc"]
    golds = ("a1", "a2", "equal", None)
    items = [{"id": f"p{n}", "context": {"a1": "a", "a2": "b"}, "gold": gold} for n, gold in enumerate(golds)]
    for name, rows in (("arguments", arguments), ("items", items)):
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    found = drawn(tmp_path, 10, 1)

    assert sorted(pair["id"] for pair in found) == ["p0", "p1"]
    assert found[0]["a1"] == "Text a."
    assert drawn(tmp_path, 1, 1) == drawn(tmp_path, 1, 1)


def real(file: str) -> list[dict[str, Any]]:
    path = DATA / file
    if not path.is_file():
        pytest.skip(f"{path} is not here")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_class_debate_can_be_put_before_judges() -> None:
    debates = real("socrasynth_class_debates/debates.jsonl")

    dockets = [Docket(outcome) for debate in debates if (outcome := outcome_in(debate))]

    assert len(dockets) == len(debates) == 49
    assert all(len(docket.outcome.closings) == 2 for docket in dockets)
    assert sum(len(docket.topics("B first")) for docket in dockets) == 294
    assert all(
        docket.text("B first").index("Agent B:") < docket.text("B first").rindex("Agent A:") for docket in dockets
    )


def test_arguments_of_people_hardly_ever_look_like_orders() -> None:
    arguments = real("convincing_arguments/arguments.jsonl")

    assert [one["id"] for one in arguments if orders_to_judge(one["text"])] == []
