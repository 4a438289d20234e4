"""What a scripted judge replies, by the form it is asked for."""

import json
import re
from collections.abc import Mapping
from typing import Any

ARGUMENT = {"evidence": "a count", "type": "statistics", "inference": "inductive"}


def judge_reply(words: str, schema: Mapping[str, Any]) -> str:
    """A sensible reply to a question put to a judge; side A gets 7 on every topic and side B 5."""
    wanted = schema["properties"]
    if "winner" in wanted:
        topics = re.findall(r"(?m)^(\d+)\. ", words)
        rows = [{"topic": int(number), "why": "so", "A": 7, "B": 5} for number in topics]
        return json.dumps({"topics": rows, "justification": "A rests on counts.", "winner": "A"})
    if "claim" in wanted:
        reasons = [
            {"reason": "It was counted.", **ARGUMENT, "source": ""},
            {"reason": "It is the best guess.", "inference": "abductive"},
        ]
        return json.dumps({"claim": "Kettles need locks.", "reasons": reasons})
    if "rivals" in wanted:
        return json.dumps({"rivals": [{"rival": "Tea gets cold.", **ARGUMENT}]})
    if "ratings" in wanted:
        ids = re.findall(r'<argument id="(\w+)"', words)
        return json.dumps(
            {"ratings": [{"id": id_, "justification": "so", "validity": 6, "credibility": 5} for id_ in ids]}
        )
    return json.dumps({"justification": "It leans on one count.", "reflection": "Less so at home."})
