"""YAML 1.2 text as plain values that remember where and how they were written."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from crito.model.errors import InvalidInput, InvalidStudy

KeyPath = tuple[str | int, ...]
"""Where a value stands: keys and places in lists, from the outside in."""

MOST_VALUES = 100_000
"""More than any study file holds; aliases that multiply each other pass it at once."""


class WrittenInt(int):
    """A whole number with the text it was written as, so that a code such as `0123` loses nothing."""

    written: str


class WrittenFloat(float):
    """A number with the text it was written as."""

    written: str


@dataclass(frozen=True)
class YamlText:
    """What a YAML file says, and the line of each key and list entry (from 1)."""

    value: Any
    lines: Mapping[KeyPath, int]

    def line(self, path: KeyPath) -> int:
        """The line of `path`, or of the nearest thing around it that is written down."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)


@dataclass
class _Walk:
    file: str
    lines: dict[KeyPath, int] = field(default_factory=dict)
    problems: list[InvalidInput] = field(default_factory=list)
    n_values: int = 0


def parse_yaml(text: str, *, file: str) -> YamlText:
    """Read one YAML 1.2 document: `yes`, `no`, `on`, `off` and dates are text, only `true` and `false` are truth values.

    Raises:
        InvalidStudy: the text is not YAML, or says something twice.
    """
    try:
        root = YAML(typ="safe", pure=True).compose(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = f"this is not YAML: {error.problem or error.context}"
        raise InvalidStudy((InvalidInput(problem, file=file, line=mark.line + 1 if mark else 0),)) from error
    except YAMLError as error:
        raise InvalidStudy((InvalidInput(f"this is not YAML: {error}", file=file),)) from error
    except RecursionError as error:
        raise InvalidStudy((InvalidInput("lists and maps stand too deep inside one another", file=file),)) from error
    if root is None:
        return YamlText(None, {})
    walk = _Walk(file)
    value = _value(root, (), (), walk)
    if walk.problems:
        raise InvalidStudy(tuple(walk.problems))
    return YamlText(value, walk.lines)


def _value(node: Node, path: KeyPath, around: tuple[Node, ...], walk: _Walk) -> Any:
    walk.lines.setdefault(path, node.start_mark.line + 1)
    walk.n_values += 1
    if any(node is outer for outer in around):
        walk.problems.append(_problem("this alias contains itself", node, path, walk))
        return None
    if walk.n_values > MOST_VALUES:
        raise InvalidStudy((_problem("the file holds too many values", node, path, walk),))
    inside = (*around, node)
    if isinstance(node, MappingNode):
        return _mapping(node, path, inside, walk)
    if isinstance(node, SequenceNode):
        return [_value(entry, (*path, place), inside, walk) for place, entry in enumerate(node.value)]
    return _scalar(str(node.tag), str(node.value))


def _mapping(node: MappingNode, path: KeyPath, inside: tuple[Node, ...], walk: _Walk) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key_node, value_node in node.value:
        if not isinstance(key_node, ScalarNode):
            walk.problems.append(_problem("a key must be one word or text", key_node, path, walk))
            continue
        key = key_node.value
        if key in values:
            first = walk.lines[(*path, key)]
            walk.problems.append(
                _problem(f"this key stands here twice, first in line {first}", key_node, (*path, key), walk)
            )
            continue
        walk.lines[(*path, key)] = key_node.start_mark.line + 1
        values[key] = _value(value_node, (*path, key), inside, walk)
    return values


def _scalar(tag: str, written: str) -> Any:
    kind = tag.rpartition(":")[2]
    if kind == "null":
        return None
    if kind == "bool" and written.lower() in ("true", "false"):
        return written.lower() == "true"
    if kind in ("int", "float"):
        return _number(kind, written)
    return written


def _number(kind: str, written: str) -> Any:
    try:
        number = WrittenFloat(written) if kind == "float" else WrittenInt(written)
    except ValueError:
        return written
    number.written = written
    return number


def _problem(problem: str, node: Node, path: KeyPath, walk: _Walk) -> InvalidInput:
    return InvalidInput(problem, file=walk.file, line=node.start_mark.line + 1, key=render_key(path))


def render_key(path: KeyPath) -> str:
    """`tasks[0].labels[1].name`: a key path as people write it."""
    rendered = ""
    for part in path:
        if isinstance(part, int):
            rendered += f"[{part}]"
        else:
            rendered += f".{part}" if rendered else part
    return rendered
