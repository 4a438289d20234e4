"""Asks turned into words: the fixed texts of a dialogue, and the request that is sent to a model."""

from dataclasses import dataclass

from crito.model.ids import CallKey
from crito.model.talk import Answer


@dataclass(frozen=True, slots=True)
class Said:
    """An answer to an ask, with where it came from."""

    answer: Answer
    model: str = ""
    prompt: str = ""
    prompt_hash: str = ""
    call: CallKey | None = None
    latency_ms: int = 0
