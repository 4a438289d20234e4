"""Transcripts without labels: what is said is counted, and what cannot be told is named with the reason."""

import json
from pathlib import Path

import pytest

from crito.cli import run
from crito.formats.transcript_files import read_transcripts
from crito.report.transcripts_page import render_transcripts
from crito.services.reporting.transcripts import CANNOT, Spoken, report_transcripts
from tests.builders import NOON

TALKS = [
    {"id": "one", "turns": [{"speaker": "ana", "text": "Why?"}, {"speaker": "bob", "text": "So it is."}]},
    {
        "id": "two",
        "turns": [{"speaker": "ana", "text": "Yes."}, {"speaker": "ana", "text": " "}, {"speaker": 3, "text": "x"}],
    },
]
DEBATES = [{"id": "d", "topics": [{"topic": "Cost", "agent_a": "Low.", "agent_b": "High."}]}]


def written(folder: Path, rows: object, name: str = "talks.jsonl") -> Path:
    file = folder / name
    lines = json.dumps(rows) if name.endswith(".json") else "\n".join(map(json.dumps, rows))  # type: ignore[call-overload]
    file.write_text(lines, encoding="utf-8")
    return file


def test_turns_and_sides_of_topics_are_read_as_messages(tmp_path: Path) -> None:
    assert read_transcripts(written(tmp_path, TALKS)) == (
        Spoken("one", "ana", "Why?"), Spoken("one", "bob", "So it is."), Spoken("two", "ana", "Yes."),
    )  # fmt: skip
    assert read_transcripts(written(tmp_path, DEBATES, "debates.json")) == (
        Spoken("d", "agent_a", "Low."), Spoken("d", "agent_b", "High."),
    )  # fmt: skip


@pytest.mark.parametrize("content", ["", "no json", '{"item": "1", "label": "x"}', '{"turns": "none"}', "[1, 2]"])
def test_a_file_without_transcripts_holds_none(tmp_path: Path, content: str) -> None:
    file = tmp_path / "other.jsonl"
    file.write_text(content, encoding="utf-8")

    assert read_transcripts(file) == ()


def test_each_speaker_is_counted_over_all_dialogues() -> None:
    spoken = [Spoken("one", "ana", "Why?"), Spoken("one", "bob", "So it is."), Spoken("two", "ana", "Yes.")]

    found = report_transcripts(spoken, "talks")

    ana, bob = found.speakers
    assert (found.n_dialogues, found.n_messages) == (2, 3)
    assert (ana.speaker, ana.n_messages, ana.messages.value, bob.messages.value) == ("ana", 2, 1.0, 0.5)
    assert (ana.characters.value, bob.characters.value) == (4.0, 9.0)
    assert ana.share.value == pytest.approx((4 / 13 + 1) / 2)
    assert (ana.questions.value, bob.questions.value) == (0.5, 0.0)


def test_the_page_says_what_it_cannot_tell_and_lets_no_words_of_the_file_run() -> None:
    page = render_transcripts(report_transcripts([Spoken("one", "<script>", "Hello.")], "<b>talks"), NOON)

    assert "No labels." in page
    assert all(what in page for what in CANNOT)
    assert "<b>talks" not in page


def test_the_command_reports_a_file_of_transcripts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out = written(tmp_path, TALKS), tmp_path / "report.html"

    assert run(["report", str(file), "--out", str(out)]) == 0

    assert "has no labels" in capsys.readouterr().err
    assert "Who speaks how much" in out.read_text(encoding="utf-8")
