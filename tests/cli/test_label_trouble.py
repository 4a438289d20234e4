"""What `crito label` says and does when input, provider or disk are not as they should be."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from crito.cli import run
from tests.provider import providing, said

TASK = "question: Is it ironic?\nlabels: [Ironic, Plain]\n"
KEY = "sk-do-not-show-this"
Said = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CRITO_ENDPOINT_LAB_KEY", KEY)
    (tmp_path / "t.yaml").write_text(TASK)
    write_items(tmp_path, *({"id": f"i{n}", "text": f"Text {n}."} for n in range(3)))
    return tmp_path


def write_items(folder: Path, *items: dict[str, str]) -> None:
    (folder / "items.jsonl").write_text("".join(json.dumps(item) + "\n" for item in items))


def label(
    monkeypatch: pytest.MonkeyPatch, capsys: Said, answer: Callable[[dict[str, Any]], str | web.Response], *more: str
) -> tuple[int, dict[str, Any], str, int]:
    """Exit status, facts, what stood on standard error, and how often the provider was asked."""
    with providing(answer) as provider:
        monkeypatch.setenv("CRITO_ENDPOINT_LAB", provider.url)
        status = run(["label", "--items", "items.jsonl", "--task", "t.yaml", "--model", "lab:m", "--json", *more])
    out, err = capsys.readouterr()
    return status, json.loads(out) if out else {}, err, len(provider.bodies)


def refusing(status: int, message: str, code: str) -> web.Response:
    return web.json_response({"error": {"message": message, "type": "error", "code": code}}, status=status)


def test_a_text_longer_than_the_window_is_said_with_its_item_and_the_others_go_on(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    write_items(folder, {"id": "huge", "text": "word " * 200_000}, {"id": "small", "text": "A word."})

    def answer(body: dict[str, Any]) -> str | web.Response:
        if len(str(body["messages"])) > 900_000:
            return refusing(400, "This model's maximum context length is 8192 tokens", "context_length_exceeded")
        return said("Plain")

    status, facts, err, _ = label(monkeypatch, capsys, answer)

    assert (status, facts["done"], facts["by_status"]) == (0, 2, {"missing": 1, "consensus": 1})
    assert "item 'huge'" in err
    assert "more text than its window holds" in err
    assert "small" not in err


def test_a_wrong_key_is_one_line_without_the_key_and_is_not_tried_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    status, facts, err, asked = label(
        monkeypatch, capsys, lambda body: refusing(401, f"bad key {KEY}", "invalid_api_key"), "--at-once", "1"
    )

    assert (status, facts["done"], asked) == (1, 0, 1)
    assert err.count("did not accept the key in CRITO_ENDPOINT_LAB_KEY") == 1
    assert KEY not in err
    assert KEY.encode() not in b"".join(file.read_bytes() for file in folder.glob("items.db*"))


def test_a_label_of_another_task_is_asked_for_once_more_and_then_none(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    status, facts, _, asked = label(monkeypatch, capsys, lambda body: said("Hawkish"), "--out", "rounds.jsonl")

    assert (status, facts["by_status"], asked) == (0, {"missing": 3}, 6)
    assert facts["unusable"] == {"outside_label_set": 6}
    rows = [json.loads(line) for line in (folder / "rounds.jsonl").read_text().splitlines()]
    assert {(row["label"], row["reading"], row["came"]) for row in rows} == {(None, "outside_label_set", "hawkish")}


def test_a_reply_of_ten_megabytes_is_not_read_to_its_end(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Said
) -> None:
    status, facts, err, _ = label(monkeypatch, capsys, lambda body: said("Plain", "x" * 10 * 1024**2), "--limit", "1")

    assert (status, facts["by_status"]) == (0, {"missing": 1})
    assert "item 'i0': lab:m gave a reply of more than 8 MB" in err


@pytest.mark.parametrize(
    ("task", "items", "words"),
    [
        ("question: Q?\nlabels: [Only]\n", [{"id": "a", "text": "x"}], "at least 2"),
        (TASK, [{"id": "a", "text": "x"}, {"id": "a", "text": "y"}], "two items have one id"),
        (TASK, [{"id": "a", "text": " "}], "the text is empty"),
    ],
)
def test_what_cannot_be_labelled_is_refused_before_anything_is_asked(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Said, task: str, items: list[dict[str, str]], words: str
) -> None:
    (folder / "t.yaml").write_text(task)
    write_items(folder, *items)

    status, _, err, asked = label(monkeypatch, capsys, lambda body: said("Plain"))

    assert (status, asked) == (2, 0)
    assert words in err
