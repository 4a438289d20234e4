"""A model that debates sensibly by the form of what it is asked: the same request gives the same reply."""

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from crito.services.ports.models import CallContext, ChatRequest
from tests.fake_model import FakeModels

TITLES = (
    "Safety vs. speed", "Trade in town", "Cost of repairs", "Clean air", "Ways to work", "Quiet nights", "Fog",
    "Ambulances", "Tourist buses", "School runs",
)  # fmt: skip


def debate_reply(words: str, schema: Mapping[str, Any] | None) -> str:
    """A reply in the form of `schema`; without one, an argument of its own for each request."""
    if not schema:
        return argument(words)
    return json.dumps({name: _value(name, form, words) for name, form in schema["properties"].items()})


def argument(words: str) -> str:
    mark = hashlib.sha256(words.encode()).hexdigest()
    return f"The reason is this: {' '.join(mark[place : place + 6] for place in range(0, 48, 6))}."


def _value(name: str, form: Mapping[str, Any], words: str) -> object:
    fixed = {
        "balanced": True, "ready": True, "agree": True, "keep": [1, 2, 3, 4, 5], "pairs": [{"a": 1, "b": 1}],
        "topics": [{"title": title, "description": f"About {title.lower()}."} for title in TITLES],
        "position": "against" if '"against"' in words else "for",
    }  # fmt: skip
    if name in fixed:
        return fixed[name]
    return argument(f"{name} {words}") if form.get("type") == "string" else []


def debating(
    answer: Callable[[str, ChatRequest, CallContext], str | None] = lambda name, request, context: None,
) -> FakeModels:
    """Models that debate sensibly, unless `answer` says something else."""

    def reply(name: str, request: ChatRequest, context: CallContext) -> str:
        given = answer(name, request, context)
        return debate_reply(request.messages[0].text, request.schema) if given is None else given

    return FakeModels(reply)
