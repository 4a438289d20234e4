"""Transcripts in a JSON or JSONL file: rows with turns by speakers, or with what each side of a debate says on its topics."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from crito.services.reporting.transcripts import Spoken

NOT_SPEAKERS = frozenset({"topic", "title", "description"})
"""Fields of a topic that say what it is about, and not what somebody says."""


def read_transcripts(file: Path) -> tuple[Spoken, ...]:
    """Everything that is said in a file of transcripts; nothing where it holds none, or is no JSON."""
    try:
        text = file.read_text(encoding="utf-8-sig")
        rows = (
            json.loads(text)
            if file.suffix.lower() == ".json"
            else [json.loads(line) for line in text.splitlines() if line.strip()]
        )
    except (OSError, ValueError):
        return ()
    rows = rows if isinstance(rows, list) else [rows]
    return tuple(spoken for place, row in enumerate(rows) if isinstance(row, dict) for spoken in _spoken(row, place))


def _spoken(row: Mapping[str, Any], place: int) -> Iterator[Spoken]:
    dialogue = str(row.get("id", place))
    for turn in _objects(row.get("turns")):
        if isinstance(turn.get("speaker"), str) and isinstance(turn.get("text"), str) and turn["text"].strip():
            yield Spoken(dialogue, turn["speaker"], turn["text"])
    for topic in _objects(row.get("topics")):
        for name, text in topic.items():
            if name not in NOT_SPEAKERS and isinstance(text, str) and text.strip():
                yield Spoken(dialogue, name, text)


def _objects(found: object) -> list[Mapping[str, Any]]:
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
