"""Whether a study file has the right keys with the right kinds of values, and words for what is not so."""

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, get_args, get_origin

from pydantic import ValidationError

from crito.studies.reading import Reading
from crito.studies.sections import (
    CompletionSection,
    ConditionSection,
    PartnerSection,
    PaySection,
    Section,
    StudyFile,
    TaskSection,
    reads,
)
from crito.studies.yaml_text import KeyPath

KINDS: Mapping[str, str] = {
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "a map of keys and values",
    "model_type": "a map of keys and values",
    "greater_than": "above {gt:g}",
    "greater_than_equal": "{ge:g} or more",
    "less_than_equal": "{le:g} or less",
    "finite_number": "a finite number",
    "string_pattern_mismatch": "of another form",
}
"""What a value must be, by the kind of error that Pydantic found."""

ELSEWHERE: Mapping[str, type[Section]] = {
    "at the top of the file": StudyFile,
    "in a task": TaskSection,
    "in `partner`": PartnerSection,
    "in `completion`": CompletionSection,
    "in `pay`": PaySection,
    "in a condition": ConditionSection,
}
"""Where a key may belong that stands in the wrong place."""


class Shape(NamedTuple):
    """The sections that have the right shape, the places of their tasks in the file, and the parts that were left out."""

    sections: StudyFile | None
    places: tuple[int, ...]
    broken: frozenset[KeyPath]


def shape_of(value: Mapping[str, Any], reading: Reading) -> Shape:
    """Check `value`; what is wrong is told to `reading`, and its part is left out so that the rest can be checked further."""
    tasks = value.get("tasks")
    places = tuple(range(len(tasks))) if isinstance(tasks, list) else ()
    for path in _empty(value, ()):
        reading.complain(path, "is empty", wanted="write a value, or take it out")
    try:
        sections = StudyFile.model_validate(value)
        if not reading.problems:
            return Shape(sections, places, frozenset())
    except ValidationError as error:
        for found in error.errors():
            _complain(found["type"], found["loc"], found["input"], found.get("ctx", {}), found["msg"], reading)
    broken = frozenset(path[:2] if path[:1] == ("tasks",) else path[:1] for path, _ in reading.problems)
    # Every text of the file depends on the languages.
    if ("languages",) in broken or not isinstance(tasks, list):
        return Shape(None, (), broken)
    places = tuple(place for place in places if ("tasks", place) not in broken)
    sound = {key: part for key, part in value.items() if (key,) not in broken}
    try:
        kept = StudyFile.model_validate({"study": "unnamed", **sound, "tasks": [tasks[place] for place in places]})
    except ValidationError:
        return Shape(None, (), broken)
    return Shape(kept, places, broken)


def _empty(value: object, path: KeyPath) -> Iterator[KeyPath]:
    """Where nothing is written; a condition may be empty, for then nothing is different in it."""
    if value is None and not (len(path) == 2 and path[0] == "conditions"):
        yield path
    elif isinstance(value, dict):
        for key, inside in value.items():
            yield from _empty(inside, (*path, key))
    elif isinstance(value, list):
        for place, inside in enumerate(value):
            yield from _empty(inside, (*path, place))


def _complain(
    kind: str, location: Sequence[str | int], came: object, ctx: Mapping[str, Any], message: str, reading: Reading
) -> None:
    path = tuple(part for part in location if part != "[key]")
    if any(told == path for told, _ in reading.problems):
        return
    shown = came if isinstance(came, str | int | float) else None
    instead = ", not a list" if isinstance(came, list) else ", not a map" if isinstance(came, dict) else ""
    if kind == "extra_forbidden":
        reading.complain(path, "there is no such key", wanted=_right_key(path))
    elif kind == "missing":
        reading.complain(path, "this key is missing", wanted=_what_would_do(path))
    elif kind == "refused":
        reading.complain(path, ctx["problem"], wanted=ctx["wanted"])
    elif kind == "literal_error":
        problem = f"must be one choice{instead}" if instead else "there is no such choice"
        reading.complain(path, problem, shown, one_of(came, _choices(ctx["expected"])))
    elif kind == "too_short":
        reading.complain(path, f"there must be at least {ctx['min_length']} entries", ctx["actual_length"])
    elif kind in KINDS:
        reading.complain(path, f"must be {KINDS[kind].format(**ctx)}{instead}", shown, _what_would_do(path))
    else:
        reading.complain(path, message[:1].lower() + message[1:], shown, _what_would_do(path))


def _choices(expected: str) -> list[str]:
    return re.findall(r"'([^']*)'", expected)


def one_of(came: object, choices: Sequence[str]) -> str:
    """What would do instead of `came`: the nearest choice, and all of them."""
    if not choices:
        return ""
    near = difflib.get_close_matches(str(came), choices, n=1, cutoff=0.6)
    listed = f"use one of {', '.join(choices)}"
    return f"did you mean {near[0]!r}? {listed}" if near else listed


def _right_key(path: KeyPath) -> str:
    section = section_at(path[:-1])
    if section is None:
        return ""
    key, known = str(path[-1]), list(section.model_fields)
    near = difflib.get_close_matches(key, known, n=1, cutoff=0.6)
    elsewhere = next(
        (place for place, other in ELSEWHERE.items() if other is not section and key in other.model_fields), ""
    )
    if elsewhere:
        return f"`{key}` belongs {elsewhere}"
    return f"did you mean `{near[0]}`?" if near else f"the keys here are {', '.join(known)}"


def _what_would_do(path: KeyPath) -> str:
    annotation, metadata = _annotation_at(path)
    return f"write {reads(annotation, metadata)}" if annotation else ""


def section_at(path: Sequence[str | int]) -> type[Section] | None:
    """The section that stands at `path` of a study file, if one does."""
    here = _bare(_annotation_at(path)[0])
    return here if _is_section(here) else None


def _annotation_at(path: Sequence[str | int]) -> tuple[Any, Sequence[Any]]:
    """What may stand at `path`, and the metadata that Pydantic took off it."""
    here: Any = StudyFile
    metadata: Sequence[Any] = ()
    for part in path:
        around = _bare(here)
        known = around.model_fields.get(str(part)) if _is_section(around) else None
        if known:
            here, metadata = known.annotation, known.metadata
        else:
            here = _inside(around.__annotations__.get("__pydantic_extra__") if _is_section(around) else around)
            metadata = ()
    return here, metadata


def _is_section(annotation: Any) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, Section)


def _inside(annotation: Any) -> Any:
    """What a list or map holds."""
    return get_args(annotation)[-1] if get_origin(annotation) in (list, dict) else None


def _bare(annotation: Any) -> Any:
    """`annotation` without its metadata and without None."""
    while get_origin(annotation) not in (None, list, dict):
        annotation = next(part for part in get_args(annotation) if part is not type(None))
    return annotation
