"""Languages without a table: only what can be told without knowing their words."""

import re
from dataclasses import fields
from re import Pattern

from crito.protocols.wording.table import Wording

_NOTHING = re.compile(r"(?!)")
_NO_WORDS: frozenset[str] = frozenset()


def unknown(language: str) -> Wording:
    """A table of which hardly any pattern finds anything."""
    patterns = {field.name: _NOTHING for field in fields(Wording) if field.type == Pattern[str]}
    return Wording(
        **patterns
        | {
            "typical": re.compile(""),
            "clause_breaks": re.compile(r"[;:—–]"),
            "question_end": re.compile(r"[?？‽;؟՞][\"”’»)\]!?.…]*$"),
        },
        language=language,
        name=language,
        known=False,
        scripts=(),
        spaced=True,
        stop_words=_NO_WORDS,
        particles=_NO_WORDS,
        thin_words=_NO_WORDS,
        question_words=_NO_WORDS,
        common_names=_NO_WORDS,
        numbers={},
        abbreviations=_NO_WORDS,
        quote_particles=(),
        fillers=_NO_WORDS,
        no_such=(),
    )
