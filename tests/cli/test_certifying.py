"""`crito certify` on the command line."""

import json
from pathlib import Path

import pytest

from crito.cli import run

Said = pytest.CaptureFixture[str]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Sixty items, two people who agree with the machine on all of them."""
    rows = ["item,annotator,annotator_kind,label,blind"]
    rows += [f"i{i},{who},human,{'yes' if i % 2 else 'no'},true" for i in range(60) for who in ("ana", "ben")]
    rows += [f"i{i},m,model,{'yes' if i % 2 else 'no'}," for i in range(60)]
    path = tmp_path / "labels.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


@pytest.fixture
def certified(table: Path, tmp_path: Path, capsys: Said) -> Path:
    out = tmp_path / "certificates"
    assert run(["certify", str(table), "--epsilon", "0.2", "--reference", "majority", "--out", str(out)]) == 0
    capsys.readouterr()
    return out


def test_each_question_gets_a_file_and_a_page(certified: Path) -> None:
    names = {file.name for file in certified.iterdir()}

    kinds = ("handoff", "automatic_labelling", "corpus_estimate", "annotator_replacement")
    assert names == {f"m-{kind}.{end}" for kind in kinds for end in ("json", "html")}


def test_a_certificate_holds_while_its_table_is_the_same(certified: Path, capsys: Said) -> None:
    for file in certified.glob("*.json"):
        assert run(["certify", "--check", str(file), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["holds"] is True


def test_a_certificate_does_not_hold_for_other_rows_and_says_what_changed(
    certified: Path, table: Path, capsys: Said
) -> None:
    table.write_text(table.read_text().replace("i1,ana,human,yes", "i1,ana,human,no"))

    assert run(["certify", "--check", str(certified / "m-annotator_replacement.json")]) == 1

    assert "evidence hash was" in capsys.readouterr().out


def test_a_changed_certificate_is_found_out(certified: Path, capsys: Said) -> None:
    file = certified / "m-handoff.json"
    file.write_text(file.read_text().replace('"granted": false', '"granted": true'))

    assert run(["certify", "--check", str(file)]) == 1

    assert "granted was True and is False" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (["--model", "other"], "the machines of this table are m"),
        (["--ask", "annotator_replacement"], "needs --epsilon"),
        (["--ask", "praise"], "no such certificate"),
        (["--rule", "hope"], "no such rule"),
        (["--reference", "king"], "no such reference"),
        (["--threshold", "1.5"], "inside (0, 1)"),
        (["--blind-rate", "0"], "above 0"),
        (["--task", "none"], "no such task"),
    ],
)
def test_what_cannot_be_certified_is_said_and_nothing_is_written(
    more: list[str], says: str, table: Path, tmp_path: Path, capsys: Said
) -> None:
    assert run(["certify", str(table), *more, "--out", str(tmp_path / "none")]) == 2

    assert says in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


def test_without_a_source_it_says_what_it_needs(capsys: Said) -> None:
    assert run(["certify"]) == 2

    assert "a study or a table" in capsys.readouterr().err
