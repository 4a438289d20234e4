"""What comes out of a study that people went through."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from crito.cli import run
from crito.formats.exporters import EXPORTERS
from crito.formats.label_files import LABEL_FORMATS

NAME = "sarcasm-and-relation"
Said = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def rehearsed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a study that four scripted people went through, one after another."""
    folder = tmp_path_factory.mktemp("rehearsed")
    with redirect_stdout(StringIO()):
        assert run(["init", str(folder / "study")]) == 0
        assert run(["rehearse", str(folder / "study"), "--people", "4", "--concurrency", "2"]) == 0
    return folder / "study"


@pytest.fixture
def change(rehearsed: Path, tmp_path: Path) -> Callable[[str], str]:
    """Runs one statement on a copy of the record and gives the copy's address."""

    def changed(statement: str) -> str:
        copy = tmp_path / "copy.db"
        with closing(sqlite3.connect(rehearsed / "study.db")) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
            target.execute(statement)
            target.commit()
        return f"sqlite:///{copy}"

    return changed


@pytest.mark.parametrize("form", EXPORTERS)
def test_a_study_leaves_in_every_format(form: str, rehearsed: Path, tmp_path: Path, capsys: Said) -> None:
    assert run(["export", str(rehearsed), "--format", form, "--out", str(tmp_path / form), "--json"]) == 0

    files = {file["name"]: file for file in json.loads(capsys.readouterr().out)["files"]}
    assert set(files) == {path.name for path in (tmp_path / form).iterdir()}
    rows = {name: file["rows"] for name, file in files.items() if file["rows"] is not None}
    people = [n_rows for name, n_rows in rows.items() if name.startswith("people.")]
    assert people == ([] if form in LABEL_FORMATS else [4])
    assert sum(rows.values()) > 0


def test_an_unknown_format_is_answered_with_the_known_ones(rehearsed: Path, capsys: Said) -> None:
    assert run(["export", str(rehearsed), "--format", "punched-cards"]) == 2

    assert "csv" in capsys.readouterr().err


def test_the_report_is_one_page(rehearsed: Path, tmp_path: Path) -> None:
    assert run(["report", str(rehearsed), "--out", str(tmp_path / "report.html")]) == 0

    assert (tmp_path / "report.html").read_text().lower().startswith("<!doctype html>")


def test_a_record_that_adds_up_is_said_to(rehearsed: Path, capsys: Said) -> None:
    assert run(["verify", str(rehearsed), "--json"]) == 0

    assert json.loads(capsys.readouterr().out)["holds"]


def test_a_record_that_does_not_add_up_fails(change: Callable[[str], str], capsys: Said) -> None:
    database = change("DELETE FROM annotations WHERE ordinal = 1")

    assert run(["verify", NAME, "--db", database]) == 1

    said = capsys.readouterr()
    assert "does not add up" in said.out
    assert "done is labelled" in said.err


def test_studies_are_named_by_file_or_with_their_database(rehearsed: Path) -> None:
    assert run(["verify", str(rehearsed / "study.yaml")]) == 0
    assert run(["verify", NAME, "--db", f"sqlite:///{rehearsed / 'study.db'}"]) == 0


def test_an_unknown_study_fails(rehearsed: Path, capsys: Said) -> None:
    assert run(["verify", "unheard-of", "--db", f"sqlite:///{rehearsed / 'study.db'}"]) == 1

    assert "unheard-of" in capsys.readouterr().err


def test_real_people_do_not_come_after_scripted_ones(rehearsed: Path, capsys: Said) -> None:
    assert run(["serve", str(rehearsed), "--port", "0"]) == 1

    assert "--discard-rehearsal" in capsys.readouterr().err


def test_nothing_is_rehearsed_once_real_people_came(
    rehearsed: Path, change: Callable[[str], str], capfd: pytest.CaptureFixture[str]
) -> None:
    database = change("UPDATE participants SET origin = 'real'")

    assert run(["rehearse", str(rehearsed), "--people", "1", "--db", database]) == 1

    assert "4 real people" in capfd.readouterr().err


def test_the_owner_gets_a_new_link(rehearsed: Path, capsys: Said) -> None:
    assert run(["owner", str(rehearsed), "--address", "https://example.org/crito/"]) == 0

    assert capsys.readouterr().out.startswith(f"https://example.org/crito/s/{NAME}/owner/enter/")


def test_who_the_people_are_is_forgotten_only_when_that_is_confirmed(
    rehearsed: Path, change: Callable[[str], str], capsys: Said
) -> None:
    copy = change("SELECT 1")
    assert run(["db", "forget", NAME, "--db", copy]) == 2
    assert "--yes" in capsys.readouterr().err

    assert run(["db", "forget", NAME, "--db", copy, "--yes"]) == 0

    with closing(sqlite3.connect(copy.removeprefix("sqlite:///"))) as database:
        assert database.execute("SELECT count(*) FROM identities").fetchone() == (0,)
        assert database.execute("SELECT count(*) FROM participants").fetchone() == (4,)
    assert run(["verify", NAME, "--db", copy]) == 0
