"""Who people are, as far as they or their platform say: kept apart from what they answer about items."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from crito.model.ids import AnnotatorId

PREFER_NOT = "prefer_not_to_say"
"""Given on purpose, and in no group."""


@dataclass(frozen=True, slots=True)
class Trait:
    """One thing about a person, such as an age band; a later one of the same name counts instead of it."""

    annotator: AnnotatorId
    name: str
    value: str
    source: Literal["asked", "platform"]
    at: datetime
