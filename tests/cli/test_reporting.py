"""`crito report` on tables: side by side, against another, with figures, and on tables that hardly say anything."""

import re
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from crito.cli import run as cli

HEAD = "item,annotator,round,label,site,confidence\n"
TWO_SITES = HEAD + "".join(
    f"i{item},{site}{person},{number},{label},{site},{0.5 + number / 2}\n"
    for site in ("north", "south")
    for person in range(6)
    for item in range(4)
    for number, label in enumerate(
        ("yes" if (item + person) % 2 else "no", "yes" if site == "north" or person % 3 else "no")
    )
)


def run(*words: object) -> int:
    return cli([str(word) for word in words])


def text_of(page: Path) -> str:
    body = LexborHTMLParser(page.read_text(encoding="utf-8")).body
    assert body is not None
    return re.sub(r"\s+", " ", body.text())


@pytest.fixture
def sites(tmp_path: Path) -> Path:
    table = tmp_path / "labels.csv"
    table.write_text(TWO_SITES, encoding="utf-8")
    return table


def test_values_of_a_column_stand_side_by_side_with_difference_interval_and_test(sites: Path, tmp_path: Path) -> None:
    assert run("report", sites, "--by", "site", "--out", tmp_path / "r.html") == 0

    page = LexborHTMLParser((tmp_path / "r.html").read_text(encoding="utf-8"))
    flows = [node.attributes["id"] for node in page.css("figure") if (node.attributes["id"] or "").endswith("-labels")]
    assert flows == ["task-labels-0-north-labels", "task-labels-0-south-labels"]
    text = text_of(tmp_path / "r.html")
    assert "north − south" in text
    assert "pooled z test" in text
    assert "Wilcoxon" in text


def test_a_table_stands_beside_another_one(sites: Path, tmp_path: Path) -> None:
    other = tmp_path / "benchmark.csv"
    other.write_text(TWO_SITES.replace(",no,", ",yes,"), encoding="utf-8")

    assert run("report", sites, "--against", other, "--out", tmp_path / "r.html") == 0

    text = text_of(tmp_path / "r.html")
    assert "labels.csv and benchmark.csv" in text
    assert "labels − benchmark" in text


def test_people_of_a_table_of_their_own_part_the_labels(sites: Path, tmp_path: Path) -> None:
    people = tmp_path / "people.csv"
    rows = [
        f"{site}{person},{'old' if person < 3 else 'young'}\n" for site in ("north", "south") for person in range(6)
    ]
    people.write_text("annotator,age\n" + "".join(rows), encoding="utf-8")

    assert run("report", sites, "--by", "age", "--people", people, "--out", tmp_path / "r.html") == 0

    assert "old − young" in text_of(tmp_path / "r.html")
    assert "Do groups of annotators see the same items differently?" in text_of(tmp_path / "r.html")


def test_every_figure_is_written_as_svg_and_png(sites: Path, tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")

    assert run("report", sites, "--by", "site", "--out", tmp_path / "r.html", "--figures", tmp_path / "figures") == 0

    drawn = LexborHTMLParser((tmp_path / "r.html").read_text(encoding="utf-8")).css("figure svg.figure")
    written = sorted((tmp_path / "figures").iterdir())
    assert len(written) == 2 * len(drawn)
    for file in written:
        if file.suffix == ".svg":
            assert "var(" not in file.read_text(encoding="utf-8")
        else:
            assert file.read_bytes().startswith(b"\x89PNG")


def test_a_label_that_was_not_given_again_counts_as_kept_where_that_is_asked_for(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("item,annotator,round,label\ni,a,0,x\ni,a,1,y\ni,b,0,x\ni,c,0,x\ni,d,0,x\n", encoding="utf-8")

    assert run("report", table, "--unrevisited", "kept", "--out", tmp_path / "kept.html") == 0
    assert run("report", table, "--out", tmp_path / "missing.html") == 0

    assert re.search(r"Flipped .{0,900}25 % ", text_of(tmp_path / "kept.html"))
    assert re.search(r"Flipped .{0,900}100 % .{0,40}n = 1; left out: 3 missing", text_of(tmp_path / "missing.html"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--by", "nowhere"), "there is no column 'nowhere'"),
        (("--by", "site", "--against", "x.csv"), "not both"),
        (("--people", "x.csv"), "--by"),
        (("--unrevisited", "maybe"), "missing, kept"),
    ],
)
def test_wrong_use_says_what_would_do(
    sites: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    assert run("report", sites, *words) == 2
    assert said in capsys.readouterr().err


POOR = {
    "one annotator": "item,annotator,label\ni1,a,x\ni2,a,y\n",
    "one label": "item,annotator,label\ni1,a,x\ni1,b,x\ni2,a,x\ni2,b,x\n",
    "no overlap": "item,annotator,label\ni1,a,x\ni2,b,y\n",
    "all missing": "item,annotator,label\ni1,a,\ni1,b,\n",
    "mixed types": "item,annotator,label\ni1,a,1\ni1,b,one\ni2,a,2.5\ni2,b,true\n",
    "one label, twice": "item,annotator,round,label\ni1,a,0,x\ni1,a,1,x\ni1,b,0,x\ni1,b,1,x\n",
    "nobody twice": "item,annotator,round,label\ni1,a,0,x\ni1,b,1,y\n",
    "one row": "item,annotator,label\ni1,a,x\n",
}


@pytest.mark.parametrize("table", POOR.values(), ids=POOR)
def test_poor_tables_give_reasons_and_never_a_nan(table: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(table, encoding="utf-8")

    assert run("report", tmp_path / "t.csv", "--out", tmp_path / "r.html") == 0

    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert not re.search(r"(?i)\b(nan|inf|infinity)\b", page.partition("<body>")[2].partition("<script>")[0])
    assert ("cannot be told" in page) == (table != POOR["mixed types"])


def test_two_labels_by_one_person_in_one_round_are_refused_with_both_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "t.csv"
    table.write_text("item,annotator,label\ni1,a,x\ni1,b,x\ni1,a,y\n", encoding="utf-8")

    assert run("report", table) == 2

    said = capsys.readouterr().err
    assert "a second label for item 'i1' in round 0, first in line 2" in said
    assert "--repeats" in said


def test_a_table_of_heads_only_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "t.csv").write_text("item,annotator,label\n", encoding="utf-8")

    assert run("report", tmp_path / "t.csv") == 2
    assert "no rows" in capsys.readouterr().err
