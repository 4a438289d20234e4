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


@pytest.mark.parametrize("decision", sorted((ROOT / "docs/decisions").glob("0*.md")), ids=in_root)
def test_a_decision_has_its_number_and_its_parts(decision: Path) -> None:
    text = decision.read_text(encoding="utf-8")

    number = re.match(r"# (\d+)\. ", text)
    assert number is not None
    assert decision.name.startswith(f"{int(number[1]):04}-")
    missing = [
        part for part in ("Status", "Context", "Decision", "Considered", "Consequences") if f"{part}:" not in text
    ]
    assert [part for part in missing if f"**{part}.**" not in text] == []


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
