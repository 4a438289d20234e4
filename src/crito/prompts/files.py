"""Prompt files: versioned, hashed, in each language, with blanks that are glossary words."""

import hashlib
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Template
from xml.sax.saxutils import escape

from crito.model.errors import InvalidInput, NotFound

_HEAD = re.compile(r"version: (\d+)\n---\n")
_MARKED = re.compile(r"^\[(\w+)\] ?(.*)$")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Prompt:
    """One text of one version. `language` is the one it is written in, which is English where the wanted one is missing."""

    name: str
    version: int
    language: str
    text: str
    hash: str

    @property
    def id(self) -> str:
        """Name, version and language, as a turn stores them."""
        return f"{self.name}@{self.version}.{self.language}"


@dataclass(frozen=True, slots=True)
class Rendered:
    """A prompt with its blanks filled."""

    text: str
    prompt: Prompt


@cache
def load(name: str, language: str) -> Prompt:
    """The prompt of this name, in `language` (`en-GB` reads `en`) or else in English.

    Raises:
        NotFound: there is no prompt of this name.
    """
    folder = files("crito.prompts")
    for code in dict.fromkeys((language.split("-")[0].casefold(), "en")):
        file = folder.joinpath(f"{name}.{code}.txt")
        if file.is_file():
            raw = file.read_text(encoding="utf-8")
            head = _HEAD.match(raw)
            assert head, f"{file.name} begins with its version"
            text = raw[head.end() :].strip()
            return Prompt(name, int(head[1]), code, text, hashlib.sha256(raw.encode()).hexdigest())
    raise NotFound(f"there is no prompt {name!r}; there are {', '.join(names())}")


def own_prompt(name: str, raw: str) -> Prompt:
    """A prompt of a study's owner, which stands in for the one of this name; without a version it is the first."""
    head = _HEAD.match(raw)
    text = raw[head.end() :] if head else raw
    digest = hashlib.sha256(raw.encode("utf-8", "surrogatepass")).hexdigest()
    return Prompt(name, int(head[1]) if head else 1, "own", text.strip(), digest)


@cache
def names() -> tuple[str, ...]:
    """The names of all prompts."""
    folder = files("crito.prompts")
    found = [file.name for file in folder.iterdir() if file.name.endswith(".txt")]
    for part in folder.iterdir():
        if part.is_dir():
            found += [f"{part.name}/{file.name}" for file in part.iterdir() if file.name.endswith(".txt")]
    return tuple(sorted({name.rsplit(".", 2)[0] for name in found}))


def languages(name: str) -> tuple[str, ...]:
    """The languages a prompt is written in."""
    folder = files("crito.prompts")
    path = folder.joinpath(name.rpartition("/")[0]) if "/" in name else folder
    stem = name.rpartition("/")[2]
    return tuple(sorted(f.name.split(".")[1] for f in path.iterdir() if f.name.startswith(f"{stem}.")))


def render(prompt: Prompt, values: Mapping[str, str], *, keep: Collection[str] = ()) -> Rendered:
    """Fill a prompt's blanks. A line that is marked (`[name] …`) stays only if `keep` holds its name.

    Raises:
        InvalidInput: a blank has no value.
    """
    lines = (_kept(line, keep) for line in prompt.text.split("\n"))
    text = "\n".join(line for line in lines if line is not None)
    try:
        return Rendered(Template(text).substitute(values), prompt)
    except KeyError as missing:
        raise InvalidInput(f"prompt {prompt.name!r} needs {missing.args[0]!r}", sorted(values)) from missing


def marked(prompt: Prompt) -> dict[str, list[str]]:
    """The lines of a prompt by their mark; those without one under the empty name."""
    found: dict[str, list[str]] = {}
    for line in filter(None, prompt.text.split("\n")):
        match = _MARKED.match(line)
        found.setdefault(match[1] if match else "", []).append(match[2] if match else line)
    return found


def fenced(text: str) -> str:
    """A text as data inside tags: it can neither close the tag it stands in nor hide anything."""
    return escape(_CONTROL.sub(" ", text))


def _kept(line: str, keep: Collection[str]) -> str | None:
    match = _MARKED.match(line)
    if match is None:
        return line
    return match[2] if match[1] in keep else None
