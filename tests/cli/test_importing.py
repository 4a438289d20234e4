"""`crito import` on the command line."""

import json
from pathlib import Path

import pytest

from crito.cli import run

Said = pytest.CaptureFixture[str]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "labels.csv"
    path.write_text("item,annotator,label\ni1,ana,yes\ni1,bob,no\ni2,ana,not_sure\n")
    return path


def test_a_table_is_told_by_task_and_round(table: Path, capsys: Said) -> None:
    assert run(["import", str(table), "--json"]) == 0

    (part,) = json.loads(capsys.readouterr().out)["parts"]
    assert (part["items"], part["annotators"], part["labelled"], part["not_sure"]) == (2, 2, 2, 1)
    assert part["labels"] == ["no", "yes"]


def test_a_table_is_written_in_another_format_and_read_from_it(table: Path, tmp_path: Path, capsys: Said) -> None:
    assert run(["import", str(table), "--to", "lewidi-2025", "--out", str(tmp_path / "out")]) == 0
    capsys.readouterr()

    assert run(["import", str(tmp_path / "out" / "round-0.json"), "--format", "lewidi-2025", "--json"]) == 0

    (part,) = json.loads(capsys.readouterr().out)["parts"]
    assert (part["labelled"], part["not_sure"]) == (2, 1)


@pytest.mark.parametrize(
    "more", [["--to", "nothing", "--out", "x"], ["--to", "potato"], ["--format", "nothing"], ["--repeats", "often"], ["--item", "no"]]
)  # fmt: skip
def test_wrong_options_end_with_two(table: Path, more: list[str], capsys: Said) -> None:
    assert run(["import", str(table), *more]) == 2

    assert "Traceback" not in capsys.readouterr().err


def test_a_table_gets_its_report(table: Path, tmp_path: Path) -> None:
    assert run(["report", str(table), "--out", str(tmp_path / "report.html")]) == 0

    assert "Krippendorff" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_a_table_that_is_not_there_is_told(tmp_path: Path, capsys: Said) -> None:
    assert run(["report", str(tmp_path / "none.csv")]) == 2

    assert "none.csv" in capsys.readouterr().err
