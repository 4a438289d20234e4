"""`crito bench experts` against a provider on this machine that knows what each model answers."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from crito.bootstrap import load_bench
from crito.cli import run
from crito.services.expert_tables import sampled
from crito.studies.bundled import experts_file
from tests.data_sets import DATA
from tests.provider import providing, said

FOLDERS = ("refind_sample", "fomc_hawkish_dovish", "cuad_clauses", "legalbench_small", "coda19_segments")

LAYOUT = """
study: experts-bench
tasks:
  - {name: fomc, title: FOMC, question: Which stance?, labels: [Up, Down], items: fomc/items.jsonl}
  - {name: other, question: Which side?, labels: [Left, Right], guideline: other/guide.md, items: other/items.jsonl}
"""


def answer(body: dict[str, Any]) -> str:
    """Models by what they are called: `a` says the first label, `b` the second, `t` the right one.

    `b` changes to the first label when it reasons. Every text ends in its right label.
    """
    system, asked = (str(body["messages"][place]["content"]) for place in (0, -1))
    first, second = re.findall(r"<label>(.*?)</label>", system)
    right = re.findall(r"It is (\w+)", asked)[0]
    label = {"a": first, "b": first if "Work through the item" in system else second, "t": right}[body["model"]]
    return "Well." if "Review the draft" in asked else said(label)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Ten items of a task with eight `Up`, and four of another with one `Left`."""
    for folder, labels in (("fomc", ["Up"] * 8 + ["Down"] * 2), ("other", ["Left"] + ["Right"] * 3)):
        (tmp_path / folder).mkdir()
        rows = [{"id": f"{folder}-{n}", "text": f"It is {label}.", "gold": label} for n, label in enumerate(labels)]
        (tmp_path / folder / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "other" / "guide.md").write_text("Look where it stands.")
    (tmp_path / "experts.yaml").write_text(LAYOUT)
    return tmp_path


def test_the_tables_have_the_shape_of_the_source_and_running_it_again_asks_nothing(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(data)
    command = ["bench", "experts", "--data", ".", "--models", "lab:a,lab:b", "--reasoning-models", "lab:t"]

    with providing(answer) as provider:
        monkeypatch.setenv("CRITO_ENDPOINT_LAB", provider.url)
        status = run([*command, "--json"])
        facts = json.loads(capsys.readouterr().out)
        again = run([*command, "--json"])
        more = json.loads(capsys.readouterr().out)
        shown = run(command)

    assert (status, again, shown, more["calls"]) == (0, 0, 0, 0)
    tables = facts["tables"]
    assert more["tables"] == tables
    accuracy = {
        (row["models"], row["method"]): (
            row["accuracy"]["fomc"]["value"],
            row["accuracy"]["other"]["value"],
            row["mean"],
        )
        for row in tables["methods"]
    }
    assert accuracy["lab:a", "vanilla"] == pytest.approx((0.8, 0.25, 0.525))
    assert accuracy["lab:b", "vanilla"] == pytest.approx((0.2, 0.75, 0.475))
    assert accuracy["lab:b", "cot"] == pytest.approx((0.8, 0.25, 0.525))
    assert [row["accuracy"]["fomc"]["value"] for row in tables["best"]] == [0.8, 0.8, 1.0]
    assert tables["best"][0]["who"] == {"fomc": "lab:a", "other": "lab:b"}
    # t is right on all: against a on 2 of 10 more, exact 2 · ½²; against b on 1 of 4 more
    vanilla, cot = tables["tests"]
    assert (vanilla["difference"]["fomc"]["p_value"], vanilla["difference"]["other"]["p_value"]) == (0.5, 1.0)
    assert cot["difference"]["other"]["p_value"] == 0.25
    assert cot["p_adjusted"]["other"] == 1.0
    (group, _) = tables["groups"]
    assert group["models"] == "lab:a, lab:b, lab:t"
    thinking = [body for body in provider.bodies if body["model"] == "t"]
    assert {body.get("reasoning_effort") for body in thinking} == {"medium"}
    words = capsys.readouterr().out
    assert "w/ self-consistency" in words
    assert "80.0 (↑ 60.0)" in words
    assert "lab:t vs. best CoT" in words
    assert "Down" not in words


def test_a_larger_sample_holds_the_smaller_one(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(data)
    command = [
        "bench",
        "experts",
        "--data",
        ".",
        "--models",
        "lab:a",
        "--method",
        "vanilla",
        "--task",
        "fomc",
        "--json",
    ]

    with providing(answer) as provider:
        monkeypatch.setenv("CRITO_ENDPOINT_LAB", provider.url)
        calls = []
        for limit in ("4", "7"):
            assert run([*command, "--limit", limit]) == 0
            calls.append(json.loads(capsys.readouterr().out)["calls"])

    assert calls == [4, 3]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([], "no model is named"),
        (["--models", "gpt"], "PROVIDER:NAME"),
        (["--models", "lab:a", "--task", "poems"], "fomc, other"),
        (["--models", "lab:a", "--method", "magic"], "vanilla, cot"),
        (["--models", "lab:a", "--group", "lab:z,lab:a"], "lab:z"),
        (["--models", "lab:a", "--reasoning-models", "lab:a"], "twice"),
        (["--reasoning-models", "lab:a", "--reasoning", "wild"], "low, medium"),
    ],
)
def test_wrong_usage_is_told_with_what_would_do(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], options: list[str], words: str
) -> None:
    monkeypatch.chdir(data)

    assert run(["bench", "experts", "--data", ".", *options]) == 2
    assert words in capsys.readouterr().err


def test_a_folder_that_lacks_the_tasks_is_told_which_files_are_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["bench", "experts", "--data", str(tmp_path), "--models", "lab:a"]) == 2
    said = capsys.readouterr().err
    assert all(f"{folder}/items.jsonl" in said for folder in FOLDERS)
    assert str(experts_file()) not in said


def test_the_declared_layout_reads_the_five_tasks_of_the_source() -> None:
    if missing := [folder for folder in FOLDERS if not (DATA / folder).is_dir()]:
        pytest.skip(f"there is no {missing[0]} in {DATA}")

    study = sampled(load_bench(DATA), 0)
    again = sampled(load_bench(DATA), 1)

    assert {task.name: (len(task.labels), len(task.items)) for task in study.tasks} == {
        "refind": (22, 643), "fomc": (3, 1447), "cuad": (33, 872), "fods": (7, 7), "coda19": (5, 625),
    }  # fmt: skip
    first, other = ({item.id for item in one.tasks[1].items[:200]} for one in (study, again))
    assert first != other
    golds = [item.gold for item in study.tasks[1].items[:200]]
    assert {label: golds.count(label) > 20 for label in ("dovish", "hawkish", "neutral")} == dict.fromkeys(
        ("dovish", "hawkish", "neutral"), True
    )
