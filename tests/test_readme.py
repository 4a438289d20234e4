"""The commands of the README are run as they stand there."""

import re
import shlex
from pathlib import Path

import pytest

from crito.cli import run

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
TUTORIAL = [line for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL) for line in block.splitlines() if line]


def test_the_first_screen_has_the_two_commands() -> None:
    first_screen = "\n".join(README.splitlines()[:20])

    assert "make demo" in first_screen
    assert "make test" in first_screen


@pytest.mark.slow
def test_the_tutorial_does_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CRITO_DB", raising=False)

    statuses = {line: run(shlex.split(line)[1:]) for line in TUTORIAL}

    assert len(statuses) >= 6
    assert set(statuses.values()) == {0}, statuses
    assert (tmp_path / "my-study" / "export" / "annotations.csv").exists()
    assert (tmp_path / "my-study" / "report.html").exists()
