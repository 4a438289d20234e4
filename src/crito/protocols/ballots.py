"""A judge's ballot as it was read from its reply: scores topic by topic, from JSON, tables, numbered lists or prose."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from crito.model.debate import Side
from crito.model.verdict import TopicScore, Winner
from crito.protocols.answers import LONGEST_READ, objects_in, without_thought
from crito.protocols.judge_answers import first_of, read_number

LOWEST = 0
"""A panel's scores begin at 0, unlike the ratings of a critical reading."""

_SIDE = re.compile(r"(?i)\b(?:agent|side)\s+(a|b)\b")
_SECTION = re.compile(r"(?im)^[ \t#*]*\d{1,2}\s*[.:)]|^[^\n]*\b(?:agent|side)\s+[ab](?:'s|’s)?\b[^\n]*:\s*$")
_COUNTER = re.compile(r"(?i)counter|opposition|opposing|refut")
_SCORE = r"[*_ \t]*(\d+(?:[.,]\d+)?(?:\s*(?:/|out of)\s*\d+)?)"
_WINS = (
    re.compile(r"(?i)\b(?:agent|side)\s+(a|b)\s+(?:wins|won|has won)\b"),
    re.compile(r"(?i)\b(?:agent|side)\s+(a|b)\s+(?:is|was|emerges|comes out)\b[^.\n]{0,40}?(?:\bwin|\bvictor|\bahead)"),
    re.compile(
        r"(?i)\bwinn(?:er|ing side)\b[^.\n]{0,30}?(?:\bis\b|\b(?:appears|seems) to be\b|:)[*_\s]*(?:agent|side)?\s*\b((?-i:A|B))\b"
    ),
    re.compile(r"(?i)\b(tie|draw)\b"),
)


class ReadBallot(NamedTuple):
    """Scores in the order of the topics, the winner that is named, and the words for it."""

    scores: tuple[TopicScore, ...]
    winner: Winner | None
    justification: str


def read_ballot(text: str, titles: Sequence[str], first: Side) -> ReadBallot:
    """The ballot that a reply is, on topics of these titles, where `first` is the side whose words came first.

    In lists and prose, what stands under a heading of counter-arguments belongs to the other side.
    """
    said = without_thought(text)[-LONGEST_READ:].strip()
    given = list(objects_in(said))
    if given:
        return _from_objects(given, titles)
    scores = _from_table(said, titles, first) or _from_sections(said, titles, first)
    return ReadBallot(scores, read_winner(said), _why(said))


def read_winner(said: str) -> Winner | None:
    """The winner that a text names last; None where it names none."""
    found = [(match.start(), match[1]) for pattern in _WINS for match in pattern.finditer(said)]
    return _winner(max(found)[1]) if found else None


def _winner(given: object) -> Winner | None:
    word = (
        re.sub(r"(?i)\b(?:agent|side|the|winner|is)\b|\W", " ", given).strip().upper() if isinstance(given, str) else ""
    )
    if word in ("TIE", "DRAW"):
        return "tie"
    return "A" if word == "A" else "B" if word == "B" else None


def _from_objects(given: Sequence[Mapping[str, Any]], titles: Sequence[str]) -> ReadBallot:
    rows: dict[int, TopicScore] = {}
    winner, words = None, ""
    for found in given:
        lists = [value for value in found.values() if isinstance(value, list)]
        inner = [one for many in lists for one in many if isinstance(one, dict)]
        for row in (found, *inner):
            named = {str(key).strip().lower().replace(" ", "_"): value for key, value in row.items()}
            place = _place(first_of(named, ("topic", "title", "number")), titles)
            if place is not None:
                rows.setdefault(place, TopicScore(_score(named, "a"), _score(named, "b")))
        winner = winner or _winner(first_of(found, ("winner", "winning_side", "winning side")))
        stated = first_of(found, ("justification", "why", "explanation"))
        words = words or (stated.strip() if isinstance(stated, str) and "topic" not in found else "")
    return ReadBallot(tuple(rows.get(place, TopicScore(None, None)) for place in range(len(titles))), winner, words)


def _score(row: Mapping[str, Any], side: str) -> float | None:
    return read_number(first_of(row, (side, f"agent_{side}", f"side_{side}", f"score_{side}")), LOWEST).value


def _place(given: object, titles: Sequence[str]) -> int | None:
    """The place of the topic that a row is about: by its number, or by its title."""
    if isinstance(given, int) and not isinstance(given, bool):
        return given - 1 if 1 <= given <= len(titles) else None
    if not isinstance(given, str):
        return None
    number = re.fullmatch(r"\D{0,8}(\d{1,2})\W*", given)
    if number:
        return _place(int(number[1]), titles)
    wanted = _key(re.sub(r"^\W*\d{1,2}\s*[.:)]", "", given))
    return next((place for place, title in enumerate(titles) if _key(title) == wanted), None)


def _from_table(said: str, titles: Sequence[str], first: Side) -> tuple[TopicScore, ...]:
    """Scores from lines that hold a title and two numbers, in columns or named after the sides; nothing where there are none."""
    rows: dict[int, TopicScore] = {}
    heads = [match for line in said.split("\n") if "|" in line for match in [re.findall(r"(?i)\b(a|b)\b", line)]]
    columns = next(
        (tuple(side.lower() for side in head) for head in heads if len(head) == 2), (first.lower(), _other(first))
    )
    for line in said.split("\n"):
        place = next((place for place, title in enumerate(titles) if _key(title) in _key(line)), None)
        if place is None or place in rows:
            continue
        rest = line[_end(line, titles[place]) :]
        named = {side.lower(): score for side, score in re.findall(rf"(?i)\b([ab])\b\W{{0,6}}{_SCORE}", rest)}
        if "|" in line:
            cells = [cell for cell in rest.split("|") if cell.strip(" *_-")]
            named = dict(zip(columns, cells, strict=True)) if len(cells) == 2 else named
        if len(named) == 2:
            rows[place] = TopicScore(read_number(named["a"], LOWEST).value, read_number(named["b"], LOWEST).value)
    return tuple(rows.get(place, TopicScore(None, None)) for place in range(len(titles))) if rows else ()


def _from_sections(said: str, titles: Sequence[str], first: Side) -> tuple[TopicScore, ...]:
    """Scores that follow their titles, each under the heading of its side."""
    starts = [0, *(match.start() for match in _SECTION.finditer(said))]
    found: dict[tuple[int, str], float | None] = {}
    side = first.lower()
    for start, end in zip(starts, [*starts[1:], len(said)], strict=True):
        section = said[start:end]
        side = _side_of(section, titles, first, side)
        for place, title in enumerate(titles):
            match = re.search(rf"(?i){_pattern(title)}[*_\s]*[:\-–—]{_SCORE}", section)
            if match:
                found.setdefault((place, side), read_number(match[1], LOWEST).value)
    return tuple(TopicScore(found.get((place, "a")), found.get((place, "b"))) for place in range(len(titles)))


def _side_of(section: str, titles: Sequence[str], first: Side, before: str) -> str:
    """Whose arguments a section is about, from what stands before its first title."""
    places = [match.start() for title in titles if (match := re.search(rf"(?i){_pattern(title)}", section))]
    head = section[: min(places, default=0)]
    counter = _COUNTER.search(head)
    named = _SIDE.search(head)
    if named:
        return named[1].lower()
    if counter:
        return _other(first)
    return first.lower() if re.search(r"(?i)argument", head) else before


def _other(side: Side) -> str:
    return "b" if side == "A" else "a"


def _key(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))


def _pattern(title: str) -> str:
    """A title however it is spaced and punctuated."""
    return r"\W+".join(map(re.escape, re.findall(r"[^\W_]+", title)))


def _end(line: str, title: str) -> int:
    match = re.search(rf"(?i){_pattern(title)}", line)
    return match.end() if match else 0


def _why(said: str) -> str:
    """The last section of a reply, which is where a judge says who wins."""
    last = list(re.finditer(r"(?m)^[ \t#*]*5\s*[.:)][ \t]*", said))
    return re.sub(r"\s+", " ", said[last[-1].end() :] if last else "").strip()
