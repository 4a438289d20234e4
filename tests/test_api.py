"""The verbs of a notebook, against a provider on this machine."""

import json
import math
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import crito
from crito.cli import run
from crito.model.errors import BudgetReached, InvalidInput, InvalidStudy, ModelDenied
from tests.provider import Provider, completion, providing, said

ROOT = Path(__file__).parent.parent
TASK = {"question": "Is it ironic?", "labels": ["Ironic", "Plain"], "guideline": "Judge the tone."}
TEXTS = ["Great, rain again.", "It is raining.", "Lovely, another queue."]


def answer(body: dict[str, Any]) -> str:
    text = str(body["messages"][-1]["content"])
    return said("Ironic" if re.search("Great|Lovely", text) else "Plain")


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Provider]:
    monkeypatch.chdir(tmp_path)
    with providing(answer) as made:
        monkeypatch.setenv("CRITO_ENDPOINT_LAB", made.url)
        yield made


def test_texts_come_back_with_their_labels_as_a_data_frame(provider: Provider) -> None:
    found = crito.label(TEXTS, TASK, models="lab:m")

    frame = found.frame
    assert list(frame["item"]) == ["item-1", "item-2", "item-3"]
    assert list(frame["label"]) == ["ironic", "plain", "ironic"]
    assert list(frame["text"]) == TEXTS
    assert (found.calls, found.cost_usd) == (3, None)
    assert list(found.rounds["reading"]) == ["ok"] * 3
    assert repr(found).startswith("<vanilla on task: 3 of 3 items, 3 calls, cost not known; .frame has the labels")
    assert "Great, rain again." in found._repr_html_()


def test_the_same_call_again_asks_nothing(provider: Provider) -> None:
    crito.label(TEXTS, TASK, models="lab:m", limit=2)
    again = crito.label(TEXTS, TASK, models="lab:m")

    assert (len(provider.bodies), again.calls) == (3, 1)
    assert list(again.frame["label"]) == ["ironic", "plain", "ironic"]


def test_rows_of_a_data_frame_may_have_ids_and_references(provider: Provider) -> None:
    frame = pd.DataFrame({"id": ["a", "b"], "text": TEXTS[:2], "gold": ["Ironic", None], "note": [1.5, float("nan")]})

    found = crito.label(frame, TASK, models="lab:m", method="cot")

    assert list(found.frame["gold"].fillna("")) == ["ironic", ""]
    assert found.report.score is not None
    assert (found.report.score.accuracy.value, found.report.score.accuracy.n) == (1.0, 1)


async def test_it_works_where_an_event_loop_is_running(provider: Provider) -> None:
    found = crito.label([{"id": "x", "text": TEXTS[0]}], TASK, models=["lab:m", "lab:n"], method="discussion")

    assert found.outcomes["x"].vote.status == "consensus"  # type: ignore[index]
    assert list(found.rounds["agent"]) == ["agent_1", "agent_2"]


def test_a_task_may_be_a_file_and_so_may_the_items(provider: Provider, tmp_path: Path) -> None:
    (tmp_path / "irony.yaml").write_text(json.dumps({**TASK, "guideline": "guide.md"}))
    (tmp_path / "guide.md").write_text("Judge the tone.")
    (tmp_path / "items.csv").write_text("id,text\nq,It is raining.\n")

    by_file = crito.label("items.csv", tmp_path / "irony.yaml", models="lab:m")
    by_text = crito.label(TEXTS[1:2], "irony.yaml", models="lab:m")
    mixed = crito.label("items.csv", TASK, models="lab:m")

    assert [list(found.frame["label"]) for found in (by_file, by_text, mixed)] == [["plain"]] * 3


def test_what_cannot_be_used_is_an_error_of_ours(provider: Provider) -> None:
    with pytest.raises(InvalidStudy, match="two items have one id"):
        crito.label([{"id": "x", "text": "a"}, {"id": "x", "text": "b"}], TASK, models="lab:m")
    with pytest.raises(InvalidStudy, match="label"):
        crito.label(TEXTS, {**TASK, "labels": ["Only"]}, models="lab:m")
    with pytest.raises(InvalidInput, match="no items"):
        crito.label([], TASK, models="lab:m")
    with pytest.raises(InvalidInput, match="PROVIDER:NAME"):
        crito.label(TEXTS, TASK, models="gpt")
    assert provider.bodies == []


def test_a_budget_and_a_wrong_key_end_it(provider: Provider, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "prices.yaml").write_text("lab:m: {input: 10, cached: 10, output: 10}\n")
    monkeypatch.setenv("CRITO_PRICES", "prices.yaml")
    with pytest.raises(BudgetReached):
        crito.label(TEXTS, TASK, models="lab:m", budget_usd=0.0001)

    provider.answer = lambda body: completion("m", "").__class__(status=401, text='{"error": {"message": "no"}}')
    with pytest.raises(ModelDenied):
        crito.label(TEXTS, TASK, models="lab:m")


def test_labels_of_many_are_read_as_a_data_frame(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text("item,worker,answer\ni1,ana,yes\ni1,bob,no\ni2,ana,unclear\n")
    (tmp_path / "items.csv").write_text("id,text,gold\ni1,Rain.,yes\n")

    found = crito.read(tmp_path / "labels.csv", items=tmp_path / "items.csv", not_sure=["unclear"])

    assert repr(found) == "<3 labels of 2 items by 2 annotators; .frame has them>"
    frame = found.frame
    assert list(frame["annotator"]) == ["ana", "bob", "ana"]
    assert list(frame["state"]) == ["labelled", "labelled", "not_sure"]
    assert list(frame["gold"].fillna("")) == ["yes", "yes", ""]


def test_importing_loads_no_verb_before_it_is_used() -> None:
    code = "import sys, crito; print('crito.api' in sys.modules, 'label' in dir(crito)); crito.read; print('crito.api' in sys.modules)"

    shown = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONPATH": str(ROOT / "src")}
    )

    assert shown.stdout.split() == ["False", "True", "True"]
    with pytest.raises(AttributeError, match="no attribute 'labels'"):
        crito.labels  # noqa: B018


def test_the_how_to_runs_as_it_stands_there(
    provider: Provider, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "prices.yaml").write_text("".join(f"lab:{m}: {{input: 1, output: 1}}\n" for m in "mn"))
    monkeypatch.setenv("CRITO_PRICES", "prices.yaml")
    page = (ROOT / "docs" / "how-to" / "label-in-a-notebook.md").read_text(encoding="utf-8")
    (tmp_path / "labels.csv").write_text("item,annotator,label\ni1,ana,yes\ni1,bob,no\n")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)

    names: dict[str, Any] = {}
    for block in blocks:
        exec(
            compile(
                block.replace("openai:gpt-4o", "lab:m").replace("google:gemini-2.5-flash", "lab:n"), "how-to", "exec"
            ),
            names,
        )

    assert len(blocks) >= 4
    assert list(names["found"].frame["label"]) == ["ironic", "plain", "ironic"]


def test_probabilities_of_labels_come_from_the_tokens_and_again_from_the_record(
    provider: Provider, capsys: pytest.CaptureFixture[str]
) -> None:
    def likely(token: str, **shares: float) -> dict[str, Any]:
        given = shares or {token: 1.0}
        top = [{"token": text, "logprob": math.log(share), "bytes": None} for text, share in given.items()]
        return {"token": token, "logprob": math.log(given[token]), "bytes": None, "top_logprobs": top}

    tokens = [likely('{"label": "'), likely("Iron", Iron=0.6, Plain=0.2, Hm=0.2), likely("ic")]
    provider.answer = lambda body: completion("m", said("Ironic"), logprobs={"content": tokens, "refusal": None})

    found = crito.label(TEXTS[:1], TASK, models="lab:m", probabilities=True)
    status = run(["replay", "vanilla", "--db", found.database, "--json"])

    assert provider.bodies[0]["top_logprobs"] == 20
    assert found.rounds["probabilities"][0] == pytest.approx({"ironic": 0.75, "plain": 0.25})
    assert status == 0
    assert json.loads(capsys.readouterr().out)["same"]
