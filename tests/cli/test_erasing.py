"""`crito erase` and `crito retention` on a study that people came to."""

import json
from pathlib import Path

import pytest

from crito.cli import run
from tests.cli.test_recruiting import facts, served

__all__ = ["served"]


def test_nothing_is_erased_without_a_yes(served: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["erase", str(served), "ana"]) == 2
    assert "--yes" in capsys.readouterr().err


def test_a_person_is_erased_by_their_platforms_id_and_certified(
    served: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "certificate.json"

    told = facts(capsys, "erase", str(served), "ana", "--yes", "--out", str(file))

    written = json.loads(file.read_text(encoding="utf-8"))
    assert written["sha256"] == told["sha256"]
    assert (written["scope"], written["by"]) == ("whole", "command line")
    assert run(["verify", str(served)]) == 0


def test_an_unknown_person_is_refused(served: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["erase", str(served), "zoe", "--yes"]) == 1
    assert "nobody has the pseudonym 'zoe'" in capsys.readouterr().err


def test_retention_says_what_it_will_do_and_does_nothing(served: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = facts(capsys, "retention", str(served))

    assert (found["kept"], found["due"], found["erased"]) == (2, [], 0)
    assert run(["retention", str(served), "--yes"]) == 0
    assert "data of 2 people are kept" in capsys.readouterr().out


def test_a_check_says_until_when_data_are_kept(study_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(study_file)]) == 0
    assert "retention_days" in capsys.readouterr().out
