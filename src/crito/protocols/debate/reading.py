"""What agents answer in a debate, read leniently in its form: topics, a yes or no, arguments topic by topic."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from crito.model.debate import Topic
from crito.protocols.answers import objects_in, without_thought

LONGEST_TITLE = 120

_LISTED = re.compile(r"^\s*(?:[-*•–]|\(?\d{1,2}[.):])\s+(?P<entry>\S.*)$", re.MULTILINE)
_TITLED = re.compile(r"^[\s*_\"“]*(?P<title>[^:\n]+?)[\s*_\"”]*(?::|\s[–—-]\s)[*_\s]*(?P<description>.*)$", re.DOTALL)
_KEYED = re.compile(r'"(?P<key>[^"\n]{1,160})"\s*:\s*"(?P<value>(?:[^"\\]|\\.)*)', re.DOTALL)
_NUMBER = re.compile(r"(?:topic)?\W{0,3}(\d{1,2})$", re.IGNORECASE)
_HEADING = re.compile(r"^[\s#*_>-]*(?:(?:topic\s*)?\(?(?P<number>\d{1,2})[.):]\s*)?(?P<rest>.*)$", re.IGNORECASE)
_MARKS = "*_#\"“”'` \t"
_FENCE = re.compile(r"^```\w*\s*|\s*```\s*$")
_WORDS = re.compile(r"[^\W_]+")

YES = frozenset({"yes", "true", "y", "agree", "agreed", "ready", "balanced"})
NO = frozenset({"no", "false", "n", "disagree", "not"})


def key_of(title: str) -> str:
    """A title as it is compared: its letters and digits in one case."""
    return " ".join(_WORDS.findall(title.casefold()))


def topics_in(text: str) -> tuple[Topic, ...]:
    """The topics that a reply lists, as JSON or as lines of a list; each once, in order."""
    said = without_thought(text)
    given = [entry for found in objects_in(said) for entry in _listed(found)]
    if not given:
        given = [_titled(match["entry"]) for match in _LISTED.finditer(said)]
    return distinct(Topic(_title(title), " ".join(description.split())) for title, description in given)


def distinct(topics: Iterable[Topic]) -> tuple[Topic, ...]:
    """The topics that have a title, each title once."""
    kept: dict[str, Topic] = {}
    for topic in topics:
        key = key_of(topic.title)
        if key:
            kept.setdefault(key, topic)
    return tuple(kept.values())


def numbers_in(text: str, n: int) -> tuple[int, ...]:
    """The whole numbers from 1 to `n` that a reply names, each once, in order."""
    numbers = (int(number) for number in re.findall(r"\d+", without_thought(text)))
    return tuple(dict.fromkeys(number for number in numbers if 1 <= number <= n))


def pairs_in(text: str, n: int) -> tuple[tuple[int, int], ...]:
    """The pairs of numbers from 1 to `n` that a reply names, from objects or lists of two, or lines with two numbers."""
    said = without_thought(text)
    found = [_pair(entry) for given in objects_in(said) for value in given.values() for entry in _entries(value)]
    if not any(found):
        found = [_pair(re.findall(r"\d+", line)) for line in said.splitlines()]
    pairs = (pair for pair in found if pair and all(1 <= number <= n for number in pair))
    return tuple(dict.fromkeys(pairs))


def choice_in(text: str, key: str) -> bool | None:
    """The yes or no that a reply gives under `key`, or in its first word; None where it gives none."""
    said = without_thought(text)
    for found in objects_in(said):
        if key in found:
            return _choice(found[key])
    match = re.search(rf"\"?{key}\"?\W*[:=]\W*(\w+)", said, re.IGNORECASE)
    if match:
        return _choice(match[1])
    first = _WORDS.search(said)
    return _choice(first[0]) if first else None


def text_in(text: str, key: str) -> str:
    """The words that a reply gives under `key`, even if the object they stand in never ends; else nothing."""
    return next((value for name, value in _keyed(without_thought(text)) if name.strip().casefold() == key), "").strip()


def prose(text: str) -> str:
    """A reply as one says it: without thought, code fences, and the speaker's name in front."""
    said = _FENCE.sub("", without_thought(text).strip())
    said = re.sub(r"^[*_\s]*(?:agent|side|debater)\s+[ab][*_\s]*:[*_\s]*", "", said, flags=re.IGNORECASE)
    given = next((str(found["argument"]) for found in objects_in(said) if "argument" in found), "")
    return "\n".join(line.rstrip() for line in (given or said).strip().splitlines())


def sections_in(text: str, topics: Sequence[Topic]) -> dict[str, str]:
    """What a reply says on each of the `topics`, by title: from keys of an object, or from headings in prose.

    A heading is a line that begins with a topic's number or title. A single topic is what the whole reply is about.
    """
    said = without_thought(text)
    found: dict[str, str] = {}
    for name, value in _keyed(said):
        topic = _topic_named(name, topics)
        if topic and value.strip():
            found.setdefault(topic.title, value.strip())
    found = found or _headed(said, topics)
    if not found and len(topics) == 1 and "{" not in said and said.strip():
        found = {topics[0].title: prose(text)}
    return found


def _listed(found: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Titles and descriptions of the topics in an object, which may be one itself."""
    if isinstance(found.get("title"), str):
        return [(found["title"], _string(found.get("description")))]
    entries = next((value for value in found.values() if isinstance(value, list)), [])
    return [
        (_string(entry.get("title") or entry.get("topic")), _string(entry.get("description")))
        if isinstance(entry, dict)
        else _titled(_string(entry))
        for entry in entries
    ]


def _titled(entry: str) -> tuple[str, str]:
    match = _TITLED.match(entry)
    return (match["title"], match["description"]) if match else (entry, "")


def _title(title: str) -> str:
    short = " ".join(title.split()).strip(_MARKS + ".:;,")
    return short if len(short) <= LONGEST_TITLE else short[:LONGEST_TITLE].rsplit(" ", 1)[0] + "…"


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""


def _entries(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _pair(entry: Any) -> tuple[int, int] | None:
    values = list(entry.values()) if isinstance(entry, dict) else entry if isinstance(entry, list) else []
    numbers = [int(number) for value in values for number in re.findall(r"\d{1,4}", str(value))]
    return (numbers[0], numbers[1]) if len(numbers) == 2 else None


def _choice(value: object) -> bool | None:
    if isinstance(value, bool):
        return value
    match = _WORDS.search(value.casefold()) if isinstance(value, str) else None
    word = match[0] if match else ""
    return True if word in YES else False if word in NO else None


def _keyed(said: str) -> list[tuple[str, str]]:
    """Keys and texts of all objects in a text; one that was cut off gives what it has."""
    whole = [(name, value) for found in objects_in(said) for name, value in _flat(found)]
    return whole or [(match["key"], _unescaped(match["value"])) for match in _KEYED.finditer(said)]


def _flat(found: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    for name, value in found.items():
        if isinstance(value, str):
            yield name, value
        elif isinstance(value, dict):
            named = [_string(value.get(key)) for key in ("argument", "text", "statement")]
            yield name, next(filter(None, named), " ".join(part for part in value.values() if isinstance(part, str)))
        elif isinstance(value, list):
            for entry in value:
                if isinstance(entry, dict):
                    title = _string(entry.get("topic") or entry.get("title")) or str(entry.get("number", ""))
                    yield title, next((_string(entry[key]) for key in ("argument", "text") if key in entry), "")


def _unescaped(value: str) -> str:
    try:
        return str(json.loads(f'"{value}"', strict=False))
    except ValueError:
        return value.rstrip("\\")


def _topic_named(name: str, topics: Sequence[Topic]) -> Topic | None:
    """The topic of a number (`topic_2`, `2`) or a title."""
    match = _NUMBER.fullmatch(name.strip().replace("_", " "))
    if match:
        number = int(match[1])
        return topics[number - 1] if 1 <= number <= len(topics) else None
    key = key_of(name)
    return next((topic for topic in topics if key and key_of(topic.title) == key), None)


def _headed(said: str, topics: Sequence[Topic]) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    lines: list[str] | None = None
    for line in said.splitlines():
        topic, rest = _heading(line, topics)
        if topic:
            lines = found.setdefault(topic.title, [])
            line = rest
        if lines is not None and line.strip():
            lines.append(line.strip())
    return {title: "\n".join(lines) for title, lines in found.items() if lines}


def _heading(line: str, topics: Sequence[Topic]) -> tuple[Topic | None, str]:
    """The topic whose heading a line is or begins with, and the rest of the line."""
    match = _HEADING.match(line)
    assert match, "every part of a heading is optional"
    rest = match["rest"].strip(_MARKS)
    for topic in topics:
        if rest.casefold().startswith(topic.title.casefold()):
            return topic, rest[len(topic.title) :].lstrip(_MARKS + ".:–—-")
    number = int(match["number"] or 0)
    if 1 <= number <= len(topics):
        return topics[number - 1], rest
    return None, ""
