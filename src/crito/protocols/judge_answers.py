"""What a judge's replies say: claim, reasons, ratings; leniently in their form, and never guessed.

A judge may keep to the JSON it was asked for or write numbered lists or prose. What is no number from 1 to 10 is no rating.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from crito.model.crit import EVIDENCE_TYPES, INFERENCES, Argument, RatingReading
from crito.model.crit_score import HIGHEST, LOWEST
from crito.protocols.answers import LONGEST_READ, objects_in, without_thought

MOST_ARGUMENTS = 12
"""So many reasons of a text are read; a judge that lists more repeats itself."""

CLAIM_KEYS = ("claim", "conclusion", "main_claim", "main claim", "thesis")
TEXT_KEYS = ("reason", "rival", "argument", "text", "counterargument", "claim")
VALIDITY_KEYS = ("validity", "strength", "gamma", "γ")
CREDIBILITY_KEYS = ("credibility", "source_credibility", "source credibility", "theta", "θ")
JUSTIFICATION_KEYS = ("justification", "why", "explanation", "reason", "comment")

_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_FIELD_NAMES = {"evidence", "reason", "rival", "argument", "claim"}
_ABSENT = {"", "-", "–", "n/a", "na", "none", "null", "unknown", "not available"}
_NUMBER = rf"[-+−]?\d+(?:[.,]\d+)?|\b(?:{'|'.join(_WORDS)})\b"
_OF_TEN = r"(?:\s*(?:/|out of|of|on)\s*(?P<most>\d+))?"
_GIVEN = re.compile(rf"(?P<number>{_NUMBER}){_OF_TEN}(?P<percent>\s*%)?", re.IGNORECASE)
_ITEM = re.compile(r"(?m)^[ \t]*(?:\(?[a-z0-9]{1,2}[.):]|[-*•–])[ \t]+")
_CLAIM = re.compile(
    r"(?:claim|conclusion|thesis)\b(?:[^\n:.]{0,60}?:\s*|\s+(?:of|in)\s+(?:the|this)\s+(?:document|text)\s+(?:is|was)\s+(?:that\s+)?)"
    r"(?P<claim>[^\n]+(?:\n(?![ \t#*]*\d{1,2}\s*[.:)]|[ \t]*[-*•–]|[^\n]{0,60}:[ \t*]*(?:\n|$)|\s*\n)[^\n]+)*)",
    re.IGNORECASE,
)
_CUT_OFF_CLAIM = re.compile(r'"(?:claim|conclusion)"\s*:\s*"((?:[^"\\]|\\["\\/bfnrt])*)"')
_SAYING = re.compile(
    r"^(?:the\s+)?(?:main\s+)?(?:claim|conclusion)(?:\s+or\s+conclusion)?(?:\s+of\s+th(?:e|is)\s+(?:document|text))?\s+is\s+(?:that\s+)?",
    re.IGNORECASE,
)
_HEADING = re.compile(
    r"(?im)^[ \t#*]*(?:(?P<number>\d{1,2})\s*[.:)])?[ \t*]*[^\n:.]*(?:argument|reason|rival|support)[^\n:]{0,60}:[ \t*]*"
)
_NAMED = re.compile(
    r"(?i)(validity|credibility)\b(?:\W|\bis\b|\bof\b|\bat\b|\bas\b|\brated?\b|\bscore\b){0,12}"
    rf"((?:{_NUMBER})(?:\s*(?:/|out of|[-–]|to)\s*\d+)?(?:\s*%)?)"
)
_OUT_OF = re.compile(rf"(?i)(?:{_NUMBER})\s*(?:/|out of)\s*\d+")
_REFLECTION = re.compile(r"(?im)^[ \t#*\d.):]*reflection\b[^\n:]*:?[ \t*]*")
_JUSTIFICATION = re.compile(r"(?i)^\W*justification\W*")
_EDGES = " \t\r\n*_\"'`“”.:;-"


class Analysis(NamedTuple):
    """The claim of a text and the reasons it gives; both empty where the reply could not be read."""

    claim: str
    reasons: tuple[Argument, ...]


class ReadNumber(NamedTuple):
    """A number from a judge, or what stood in its place."""

    value: float | None
    reading: RatingReading


class ReadRating(NamedTuple):
    """Validity and credibility of one argument as a judge gave them."""

    validity: ReadNumber
    credibility: ReadNumber
    justification: str = ""


class Conclusion(NamedTuple):
    """A judge's account of a score, and of how the argument would fare elsewhere."""

    justification: str
    reflection: str


NOTHING = ReadNumber(None, "missing")


def read_analysis(text: str) -> Analysis:
    """The claim and the reasons that a reply names: from an object with a claim, or from a numbered list."""
    said = _said(text)
    given = next((found for found in objects_in(said) if isinstance(first_of(found, CLAIM_KEYS), str)), None)
    if given is not None:
        listed = first_of(given, ("reasons", "arguments", "supporting_reasons", "supporting reasons"))
        return Analysis(str(first_of(given, CLAIM_KEYS)).strip(), _arguments(listed))
    if "{" in said:
        return _cut_off_analysis(said)
    stated = _CLAIM.search(said)
    if stated is None:
        return Analysis("", ())
    claim = _SAYING.sub("", _flat(stated["claim"])).strip(_EDGES)
    return Analysis(claim, _listed(said[stated.end() :]))


def read_rivals(text: str) -> tuple[Argument, ...]:
    """The rival reasons that a reply names; none where it says that there are none, or cannot be read."""
    said = _said(text)
    for found in objects_in(said):
        listed = first_of(found, ("rivals", "counterarguments", "counter_arguments", "arguments", "reasons"))
        if isinstance(listed, list):
            return _arguments(listed)
    return () if "{" in said else _listed(said)


def read_ratings(text: str, ids: Sequence[str]) -> Mapping[str, ReadRating]:
    """The rating of each of `ids` that a reply gives; one it does not speak of is not in the result.

    A reply without ids counts by its order, and only if it rates exactly as many arguments as were asked about.
    """
    said = _said(text)
    rated = [found for outer in objects_in(said) for found in _inside(outer) if _is_rating(found)]
    if rated:
        return _of_ids([(str(first_of(one, ("id", "argument", "name")) or ""), _of_object(one)) for one in rated], ids)
    if "{" in said:
        return {}
    parts = _parts(said, ids)
    return _of_ids([(name, _of_words(part)) for name, part in parts], ids)


def read_conclusion(text: str) -> Conclusion:
    """The account of a score in words; a reply without the form is all justification."""
    said = _said(text)
    for found in objects_in(said):
        justification = first_of(found, ("justification", "explanation", "analysis"))
        if isinstance(justification, str):
            reflection = first_of(found, ("reflection", "other_contexts", "contexts"))
            return Conclusion(justification.strip(), reflection.strip() if isinstance(reflection, str) else "")
    if "{" in said:
        return Conclusion("", "")
    head, _, tail = _REFLECTION.sub("\x1f", said, count=1).partition("\x1f")
    return Conclusion(_JUSTIFICATION.sub("", head).strip(), tail.strip())


def read_number(given: object, low: int = LOWEST, high: int = HIGHEST) -> ReadNumber:
    """A rating from `low` to `high` from a number or a text of one, such as `8`, `8/10` or `eight out of 10`.

    A range, a share of anything but `high`, or several numbers are no rating.
    """
    if given is None:
        return NOTHING
    if isinstance(given, bool) or not isinstance(given, int | float | str):
        return ReadNumber(None, "unreadable")
    if isinstance(given, str):
        return _number_in(given, low, high)
    return _in_range(float(given), low, high)


def _number_in(said: str, low: int, high: int) -> ReadNumber:
    if said.strip(_EDGES).casefold() in _ABSENT:
        return NOTHING
    found = list(_GIVEN.finditer(said))
    if len(found) != 1 or found[0]["percent"] or (found[0]["most"] and int(found[0]["most"]) != high):
        return ReadNumber(None, "unreadable")
    word = found[0]["number"].lower()
    number = _WORDS[word] if word in _WORDS else float(word.replace(",", ".").replace("−", "-"))
    return _in_range(float(number), low, high)


def _in_range(number: float, low: int, high: int) -> ReadNumber:
    if not math.isfinite(number):
        return ReadNumber(None, "unreadable")
    return ReadNumber(number, "ok") if low <= number <= high else ReadNumber(None, "out_of_range")


def _said(text: str) -> str:
    return without_thought(text)[-LONGEST_READ:].strip()


def _cut_off_analysis(said: str) -> Analysis:
    """What there is of an object that never ends: its claim, and the reasons that are whole."""
    stated = _CUT_OFF_CLAIM.search(said)
    if stated is None:
        return Analysis("", ())
    whole = [found for found in objects_in(said[stated.end() :]) if "reason" in found]
    return Analysis(json.loads(f'"{stated[1]}"', strict=False).strip(), _arguments(whole))


def _arguments(listed: object) -> tuple[Argument, ...]:
    given = listed if isinstance(listed, list) else []
    found = [_argument(one) for one in given[:MOST_ARGUMENTS]]
    return tuple(argument for argument in found if argument.text)


def _argument(given: object) -> Argument:
    if not isinstance(given, dict):
        return Argument(_flat(str(given)) if isinstance(given, str) else "")
    known = {str(key).strip().lower(): value for key, value in given.items()}
    kind = _known(first_of(known, ("type", "evidence_type", "evidence type")), EVIDENCE_TYPES)
    inference = _known(first_of(known, ("inference", "reasoning", "reasoning_type")), INFERENCES)
    evidence, source = known.get("evidence"), known.get("source")
    text, grounds = _flat(str(first_of(known, TEXT_KEYS) or "")), _flat(evidence) if isinstance(evidence, str) else ""
    # Small models write the name of a field into it, and what they mean into the next one.
    return Argument(
        text=grounds if text.casefold() in _FIELD_NAMES else text,
        evidence=grounds,
        type=kind,  # type: ignore[arg-type]
        inference=inference,  # type: ignore[arg-type]
        source=source.strip() if isinstance(source, str) and source.strip().casefold() not in _ABSENT else "",
    )


def _known(given: object, choices: Sequence[str]) -> str | None:
    """The one of `choices` that a judge named, whatever stands around it; None where it named none or several."""
    if not isinstance(given, str):
        return None
    named = [choice for choice in choices if re.search(rf"\b{choice[:7]}", given.casefold())]
    return named[0] if len(named) == 1 else None


def _listed(said: str) -> tuple[Argument, ...]:
    """The arguments of a text without the form: the items under a heading that names them, else its first list."""
    headed = _HEADING.search(said)
    body = said[headed.end() :] if headed else said
    if headed and headed["number"] and not body.lstrip().startswith("1"):
        following = re.search(rf"(?m)^[ \t#*]*{int(headed['number']) + 1}\s*[.:)]", body)
        body = body[: following.start()] if following else body
    pieces = [_flat(piece) for _, piece in _cut(_ITEM, body)]
    if not pieces:
        return (Argument(_flat(body)),) if headed and body.strip(_EDGES) else ()
    return tuple(Argument(piece) for piece in pieces[:MOST_ARGUMENTS] if piece.strip(_EDGES))


def _cut(mark: re.Pattern[str], text: str) -> list[tuple[str, str]]:
    """Every mark in a text with what follows it up to the next one."""
    marks = list(mark.finditer(text))
    ends = [*(match.start() for match in marks), len(text)][1:]
    return [(match[0], text[match.end() : end]) for match, end in zip(marks, ends, strict=False)]


def _inside(found: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """An object and those in lists within it."""
    lists = [value for value in found.values() if isinstance(value, list)]
    inner = [one for many in lists for one in many if isinstance(one, dict)]
    return [found, *({str(key).strip().lower(): value for key, value in one.items()} for one in inner)]


def _is_rating(found: Mapping[str, Any]) -> bool:
    return any(key in found for key in (*VALIDITY_KEYS, *CREDIBILITY_KEYS))


def _of_object(found: Mapping[str, Any]) -> ReadRating:
    words = first_of(found, JUSTIFICATION_KEYS)
    return ReadRating(
        read_number(first_of(found, VALIDITY_KEYS)),
        read_number(first_of(found, CREDIBILITY_KEYS)),
        words.strip() if isinstance(words, str) else "",
    )


def _of_words(part: str) -> ReadRating:
    """Validity and credibility by their names; without names the first two numbers out of ten, in this order."""
    named = {name.casefold()[:8]: value for name, value in _NAMED.findall(part)}
    if named:
        validity, credibility = named.get("validity"), named.get("credibil")
    else:
        out_of = _OUT_OF.findall(part)
        validity, credibility = (*out_of, None, None)[:2] if len(out_of) <= 2 else ("?", "?")
    return ReadRating(read_number(validity), read_number(credibility), _flat(part))


def _parts(said: str, ids: Sequence[str]) -> list[tuple[str, str]]:
    """The passages of a text that speak of one argument each, with the id each begins with or nothing."""
    named = _cut(re.compile(rf"(?i)\b(?:{'|'.join(map(re.escape, ids))})\b"), said) if ids else []
    if named:
        return [(name.lower(), piece) for name, piece in named]
    pieces = [piece for _, piece in _cut(_ITEM, said)] or [said]
    return [("", piece) for piece in pieces if _OUT_OF.search(piece) or _NAMED.search(piece)]


def _of_ids(rated: Sequence[tuple[str, ReadRating]], ids: Sequence[str]) -> Mapping[str, ReadRating]:
    """By id where ids are given; what is rated twice differently is unreadable, since nobody can say which counts."""
    if not any(name for name, _ in rated):
        return dict(zip(ids, (rating for _, rating in rated), strict=True)) if len(rated) == len(ids) else {}
    found: dict[str, ReadRating] = {}
    for name, rating in rated:
        wanted = next((id_ for id_ in ids if id_ == name.strip(_EDGES + "[]()#").lower()), None)
        if wanted is None or (rating.validity is NOTHING and rating.credibility is NOTHING):
            continue
        earlier = found.get(wanted)
        if earlier is None or (earlier.validity, earlier.credibility) == (rating.validity, rating.credibility):
            found[wanted] = rating
        else:
            doubtful = ReadNumber(None, "unreadable")
            found[wanted] = ReadRating(doubtful, doubtful, earlier.justification)
    return found


def _flat(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def first_of(given: Mapping[str, Any], keys: Sequence[str]) -> Any:
    """What stands under the first of `keys` that has anything."""
    return next((given[key] for key in keys if given.get(key) is not None), None)
