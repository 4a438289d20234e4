"""What was erased of a person, told without the words themselves."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, get_args

from crito.model.ids import AnnotatorId

Scope = Literal["whole", "words", "retention"]
"""`whole`: nothing derived counts the person any more. `words`: labels stay and count. `retention`: as `words`, and who the
person is goes too, because the time of keeping is over."""
SCOPES: tuple[Scope, ...] = get_args(Scope)


@dataclass(frozen=True, slots=True)
class Erasure:
    """A certificate of erasure.

    Attributes:
        by: who did it: `the person`, or somebody who works on the study.
        erased: by kind of words, how many and the SHA-256 of their ids; of other things, how many.
        remains: what is kept and how much of it, and the files written before, which still hold what was erased.
        hash: the SHA-256 of all of this, so that a copy can be compared.
    """

    annotator: AnnotatorId
    scope: Scope
    by: str
    at: datetime
    erased: Mapping[str, Any]
    remains: Mapping[str, Any]
    hash: str


WHY_IT_REMAINS: Mapping[str, str] = {
    "labels": "chosen labels, for the accounts; left out of every page, report and file once everything is erased",
    "choices": "chosen answers, as the labels",
    "times": "the times of steps, for the accounts",
    "assignments": "which items the person had, so that places add up",
    "exposures": "what the person had been shown before each label, by its hash",
    "turns": "that there were turns, without their words",
    "identity": "who the pseudonym is at the platform, so that the person can be paid and does not come in twice",
    "decisions": "decisions about the person, without their reasons",
    "files": "files written before the erasure: they hold what was erased until they are deleted or written again",
}
"""The words of a certificate for what is kept."""
