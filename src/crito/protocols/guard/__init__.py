"""Checks of a partner's turn before it is shown."""

from crito.protocols.guard.fold import Guard, check, mend, only_question, violations
from crito.protocols.guard.sentences import Finished, finished, sentences
from crito.protocols.guard.talk import Talk, is_curt, talk_of

__all__ = [
    "Finished",
    "Guard",
    "Talk",
    "check",
    "finished",
    "is_curt",
    "mend",
    "only_question",
    "sentences",
    "talk_of",
    "violations",
]
