"""`crito recruit` on a study that people have walked."""

import asyncio
import json
from pathlib import Path

import pytest

from crito.bootstrap import Settings, load_study, open_parts
from crito.cli import run
from crito.model.ids import Language
from crito.model.record import Identity
from crito.services import enrolment
from crito.services.publishing import publish
from tests.platforms.test_files import PROLIFIC_HEAD


@pytest.fixture
def served(study_file: Path) -> Path:
    """A study with two people under way who came from Prolific."""

    async def come() -> None:
        async with open_parts(Settings(f"sqlite:///{study_file.with_suffix('.db')}")) as parts:
            study = load_study(study_file)
            await publish(parts, study)
            for name in ("ana", "ben"):
                await enrolment.enrol(parts, study.name, Identity("prolific", name, f"s-{name}"), Language("en"))

    asyncio.run(come())
    return study_file


def facts(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    assert run([*arguments, "--json"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_what_a_worker_meets_is_checked_from_the_file_alone(
    study_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = facts(capsys, "recruit", "check", str(study_file), "--address", "https://example.org")

    assert str(found["address"]).startswith("https://example.org/s/")
    assert {"ending", "code", "return_url"} <= set(found["endings"][0])  # type: ignore[index]


def test_places_are_opened_and_counted(served: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = facts(capsys, "recruit", "open", str(served))
    after = facts(capsys, "recruit", "open", str(served), "3")

    assert (before["opened"], before["held"]) == (None, 2)
    assert (after["opened"], after["open"]) == (5, 3)
    assert run(["recruit", "open", str(served), "100000"]) == 2
    assert "open at most" in capsys.readouterr().err


def test_an_export_is_taken_in_decided_about_and_listed(
    served: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rest = "," * (PROLIFIC_HEAD.count(",") - 2)
    file = tmp_path / "export.csv"
    file.write_text(f"{PROLIFIC_HEAD}\ns-ana,ana,RETURNED{rest}\ns-ben,ben,AWAITING REVIEW{rest}\n", encoding="utf-8")

    taken = facts(capsys, "recruit", "import", str(served), str(file))
    decided = facts(capsys, "recruit", "decide", str(served), "approve", "ben")
    listed = facts(capsys, "recruit", "lists", str(served), "--out", str(tmp_path / "lists"))

    assert (taken["submissions"], taken["people"], taken["given_back"]) == (2, 2, 1)
    assert len(decided["reviewed"]) == 1  # type: ignore[arg-type]
    assert listed["decisions"] == 1
    assert (tmp_path / "lists/prolific-approve.txt").read_text(encoding="utf-8") == "s-ben\n"


def test_without_a_token_prolific_is_not_asked(
    served: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PROLIFIC_TOKEN", raising=False)

    assert run(["recruit", "fetch", str(served), "abc123"]) == 2
    assert "PROLIFIC_TOKEN" in capsys.readouterr().err


def test_a_token_stands_nowhere_when_prolific_is_not_there(
    served: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROLIFIC_TOKEN", "nobody-may-read-this")
    monkeypatch.setenv("PROLIFIC_BASE_URL", "http://127.0.0.1:9")

    assert run(["recruit", "fetch", str(served), "abc123"]) == 1

    said = capsys.readouterr()
    assert "cannot be asked" in said.err
    assert "nobody-may-read-this" not in said.out + said.err
    assert all(b"nobody-may-read-this" not in file.read_bytes() for file in served.parent.glob("*.db*"))


@pytest.mark.parametrize(
    "arguments",
    [["approve"], ["eat", "ben"], ["reject", "--finished"], ["reject", "ben"], ["approve", "ben", "--finished"]],
)
def test_a_decision_that_says_too_little_is_refused(
    served: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["recruit", "decide", str(served), *arguments]) == 2
