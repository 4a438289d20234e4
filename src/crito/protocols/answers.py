"""A label read from an agent's reply: leniently in its form, strictly in its label, and never guessed."""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from crito.model.talk import ReadLabel
from crito.protocols.case import ShownLabel

LONGEST_READ = 20_000
"""How many characters at the end of a reply are looked through: an answer comes last."""

MOST_OBJECTS = 50
"""How many openings of an object are tried: a reply full of braces must not take long."""

LABEL_KEYS = ("label", "answer", "annotation", "category", "class")
REASON_KEYS = ("reason", "reasoning", "rationale", "explanation", "justification")

_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_STATED = re.compile(
    r"(?:^|[\s*_(])(?:final\s+)?(?P<key>label|answer|annotation|confidence|reason(?:ing)?)[*_\s]*(?::|=|\bis\b)[ \t*_:]*(?P<value>[^\n]*)",
    re.IGNORECASE,
)
_EDGES = re.compile(r"^[\s\"'`*_(\[{<“”‘’«».,;:!-]+|[\s\"'`*_)\]}>“”‘’«».,;:!-]+$")


def read_label(text: str, labels: Sequence[ShownLabel]) -> ReadLabel:
    """The label that a reply gives: from an object with a label, a line such as `Label: …`, or a reply that is a label alone.

    What the reply says last counts. A label is known by its name or its words, whatever their case.
    A reply that merely mentions labels is unreadable.
    """
    said = without_thought(text)[-LONGEST_READ:].strip()
    given = _object_with_label(said)
    if given is not None:
        return _from_object(given, labels)
    stated = {_kind_of(match["key"].lower()): match["value"] for match in _STATED.finditer(said)}
    if "label" in stated:
        value = stated["label"]
        label = _label_of(value, labels) or _label_at_start(value, labels)
        return _read(label, value, stated.get("confidence"), stated.get("reason", ""))
    label = _label_of(said, labels)
    return ReadLabel("ok", label) if label else ReadLabel("unreadable", reason=said)


def without_thought(text: str) -> str:
    """A reply without what a model thought aloud before it."""
    return _THOUGHT.sub("", text)


def _kind_of(key: str) -> str:
    return "label" if key in LABEL_KEYS else "reason" if key in REASON_KEYS else key


def _object_with_label(said: str) -> Mapping[str, Any] | None:
    """The last JSON object that has a label in it."""
    return next((found for found in reversed(list(objects_in(said))) if _first(found, LABEL_KEYS) is not None), None)


def objects_in(said: str) -> Iterator[Mapping[str, Any]]:
    """Every JSON object in a text that is not part of another, in order; keys in lower case, without space around them."""
    decoder = json.JSONDecoder(strict=False)
    place = said.find("{")
    for _ in range(MOST_OBJECTS):
        if place < 0:
            return
        try:
            found, end = decoder.raw_decode(said, place)
        except (ValueError, RecursionError):
            end = place + 1
        else:
            yield {str(key).strip().lower(): value for key, value in found.items()}
        place = said.find("{", end)


def _from_object(given: Mapping[str, Any], labels: Sequence[ShownLabel]) -> ReadLabel:
    value = _first(given, LABEL_KEYS)
    if isinstance(value, list) and len(value) == 1:
        (value,) = value
    reason = _first(given, REASON_KEYS)
    shown = value if isinstance(value, str | int | float) else json.dumps(value, ensure_ascii=False)
    label = _label_of(str(shown), labels)
    return _read(label, str(shown), given.get("confidence"), reason if isinstance(reason, str) else "")


def _read(label: str | None, value: str, confidence: object, reason: str) -> ReadLabel:
    if label is None:
        came = _bare(value)
        return ReadLabel("outside_label_set" if came else "unreadable", reason=reason.strip(), came=came[:200])
    return ReadLabel("ok", label, read_confidence(confidence), reason.strip())


def read_confidence(given: object) -> float | None:
    """A confidence in [0, 1] from a share, a percentage or a text of either; None for anything else."""
    if isinstance(given, bool) or not isinstance(given, str | int | float):
        return None
    if isinstance(given, str):
        found = re.match(r"\s*[*_]*\s*(\d+(?:\.\d+)?)\s*(%?)", given)
        if found is None:
            return None
        number, percent = float(found[1]), bool(found[2])
    else:
        number, percent = float(given), False
    if not math.isfinite(number):
        return None
    share = number / 100 if percent or number > 1 else number
    return share if 0 <= share <= 1 else None


def _label_of(value: str, labels: Sequence[ShownLabel]) -> str | None:
    """The label that `value` is, without what stands around it."""
    wanted = _bare(value)
    return next((label.name for label in labels if wanted in (_bare(label.text), _bare(label.name)) and wanted), None)


def _label_at_start(value: str, labels: Sequence[ShownLabel]) -> str | None:
    """The label that `value` begins with, the longest one where several do."""
    said = _bare(value)
    words = [(word, label.name) for label in labels for word in {_bare(label.text), _bare(label.name)} if word]
    fitting = [(word, name) for word, name in words if re.match(re.escape(word) + r"(?!\w)", said)]
    return max(fitting, key=lambda pair: len(pair[0]), default=("", None))[1]


def _bare(text: str) -> str:
    return re.sub(r"[\s_]+", " ", _EDGES.sub("", text)).casefold().strip()


def _first(given: Mapping[str, Any], keys: Sequence[str]) -> Any:
    return next((given[key] for key in keys if given.get(key) is not None), None)
