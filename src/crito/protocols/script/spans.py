"""The words that an item and a message share, fit to be quoted."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from crito.protocols.case import Case
from crito.protocols.guard.text import content_words, normal, tokens
from crito.protocols.wording import wording
from crito.protocols.wording.table import Wording

MAX_WORDS = 8
MAX_WIDE = 16
MAX_CLAUSE_WORDS = 14
MAX_CLAUSE_WIDE = 30
_ITEM_CHARACTERS = 20_000
_MESSAGE_CHARACTERS = 2_000

_SPACED = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_WIDE = re.compile(r"[^\W_]")
_WIDE_TOKEN = re.compile(r"[\u3400-\u9fff々]+|[\u30a1-\u30ffー]+|[A-Za-z]+")
_CLAUSES = re.compile(r"[.!?;:\n。！？]+")
_UNQUOTABLE = re.compile(r"[\"“”«»„「」『』‘’*_#`|<>~^\\{}\[\]]|(?<!\w)'|'(?!\w)")
_EDGES = " ,、-–—"
_JOINS = re.compile(r"(?:[ \-]|, )?")


class _Piece(NamedTuple):
    start: int
    end: int
    word: str


def shared_span(case: Case, message: str) -> str:
    """The longest run of whole words that stands in the item and in `message`, without function words at its ends.

    Empty when they share no run worth quoting: one content word of six letters or more, or several words.
    """
    table = wording(case.language)
    text = case.text[:_ITEM_CHARACTERS]
    theirs = _pieces(message[:_MESSAGE_CHARACTERS], table)
    runs = (_trimmed(run, text, table) for run in _shared_runs(_pieces(text, table), theirs, text, table))
    worth = [span for span in runs if span and _is_worth_quoting(span, case, table)]
    return max(worth, key=lambda span: (len(content_words(span, table)), len(span)), default="")


def own_clause(case: Case, messages: Sequence[str]) -> str:
    """The clause of the person's messages that says most, cut to a quotable length; empty when none says anything."""
    table = wording(case.language)
    clauses = (clause for message in messages for clause in _CLAUSES.split(message[:_MESSAGE_CHARACTERS]))
    cut = (_cut(clause.strip(_EDGES), table) for clause in clauses if not _UNQUOTABLE.search(clause))
    return max(cut, key=lambda clause: len(content_words(clause, table)), default="")


def own_word(case: Case, messages: Sequence[str]) -> str:
    """The longest content word that the person used, as they wrote it; empty when there is none."""
    table = wording(case.language)
    found = (text for message in messages for text in _whole_tokens(message, table) if content_words(text, table))
    return max(found, key=len, default="")


def _cut(clause: str, table: Wording) -> str:
    """A clause, or its first part with dots where it is long."""
    if table.spaced:
        said = clause.split()
        return clause if len(said) <= MAX_CLAUSE_WORDS else " ".join(said[:MAX_CLAUSE_WORDS]) + "…"
    return clause if len(clause) <= MAX_CLAUSE_WIDE else clause[:MAX_CLAUSE_WIDE] + "…"


def _whole_tokens(message: str, table: Wording) -> list[str]:
    pattern = _SPACED if table.spaced else _WIDE_TOKEN
    return [token for token in pattern.findall(message[:_MESSAGE_CHARACTERS]) if len(token) <= 24]


def _pieces(text: str, table: Wording) -> list[_Piece]:
    pattern = _SPACED if table.spaced else _WIDE
    return [_Piece(m.start(), m.end(), normal(m[0])) for m in pattern.finditer(text)]


def _shared_runs(item: list[_Piece], message: list[_Piece], text: str, table: Wording) -> list[list[_Piece]]:
    """Runs of item pieces, unbroken in the item by more than a space, that stand in the message in the same order."""
    places: dict[str, list[int]] = {}
    for i, piece in enumerate(message):
        places.setdefault(piece.word, []).append(i)
    limit = MAX_WORDS if table.spaced else MAX_WIDE
    runs, lengths = [], dict[int, int]()
    for i, piece in enumerate(item):
        joined = i > 0 and _joined(text[item[i - 1].end : piece.start], table)
        lengths = {j: (lengths.get(j - 1, 0) if joined else 0) + 1 for j in places.get(piece.word, ())}
        if lengths:
            longest = min(max(lengths.values()), limit)
            runs.append(item[i + 1 - longest : i + 1])
    return runs


def _joined(gap: str, table: Wording) -> bool:
    return bool(_JOINS.fullmatch(gap)) if table.spaced else not gap


def _trimmed(run: list[_Piece], text: str, table: Wording) -> str:
    while run and _is_edge(run[0].word, table):
        run = run[1:]
    while run and _is_edge(run[-1].word, table):
        run = run[:-1]
    return text[run[0].start : run[-1].end] if run else ""


def _is_edge(word: str, table: Wording) -> bool:
    return word in table.stop_words if table.spaced else word in table.particles


def _is_worth_quoting(span: str, case: Case, table: Wording) -> bool:
    asked = (case.question, *(label.text for label in case.labels), *(name for name, _ in case.context))
    content = content_words(span, table) - table.thin_words - content_words(" ".join(asked), table)
    if not content:
        return False
    single = len(tokens(span)) == 1
    return (len(span) >= 6 or not single) if table.spaced else len(span) >= 2
