"""What the documents promise about each other and about the repository."""

import re
from pathlib import Path

import pytest

from docs.build import PAGES as MADE_PAGES

ROOT = Path(__file__).parent.parent
PAGES = sorted({*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "changelog.d").glob("*.md")})
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")


def in_root(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=in_root)
def test_links_lead_to_files(page: Path) -> None:
    targets = [link for link in LINK.findall(page.read_text(encoding="utf-8")) if "://" not in link]

    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_every_decision_is_listed_under_its_number_and_title() -> None:
    listed = re.findall(
        r"\| \[(\d+)\]\((\S+)\) \| (.+) \|", (ROOT / "docs/decisions/README.md").read_text(encoding="utf-8")
    )

    decisions = [
        (number, path.name, title)
        for path in sorted((ROOT / "docs/decisions").glob("0*.md"))
        for number, title in re.findall(r"\A# (\d+)\. (.+)", path.read_text(encoding="utf-8"))
    ]
    assert listed == decisions
    assert all(name.startswith(f"{int(number):04}-") for number, name, _ in decisions)


def test_news_is_named_by_subject_and_kind() -> None:
    news = [path.name for path in (ROOT / "changelog.d").iterdir() if path.name != "README.md"]

    assert [name for name in news if not re.fullmatch(r"[\w-]+\.(added|changed|fixed|removed)\.md", name)] == []


def test_contributing_names_every_command_of_the_makefile() -> None:
    commands = re.findall(r"(?m)^([a-z]+):.*## ", (ROOT / "Makefile").read_text(encoding="utf-8"))

    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert [command for command in commands if f"make {command}" not in contributing] == []


@pytest.mark.parametrize("place", MADE_PAGES)
def test_pages_made_from_the_code_are_up_to_date(place: str) -> None:
    assert (ROOT / place).read_text(encoding="utf-8") == MADE_PAGES[place](), "run `make docs`"
