"""A study file while it is read: what it says, what can be asked of it, what was found wrong."""

from collections.abc import Callable
from dataclasses import dataclass, field

from crito.model.errors import InvalidInput
from crito.model.ids import Language
from crito.studies.yaml_text import KeyPath, YamlText, render_key

Read = Callable[[str], bytes]
"""Gives the bytes of a file that a study file names, seen from the study file; raises `OSError` where there is none."""

LONGEST_SHOWN = 80
"""How many characters of a wrong text an error repeats."""


@dataclass
class Reading:
    """Collects the problems of one study file, or of a file that holds only the part of one at the path `part`."""

    file: str
    yaml: YamlText
    read: Read
    part: KeyPath = ()
    languages: tuple[Language, ...] = ()
    problems: list[tuple[KeyPath, InvalidInput]] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)

    def complain(self, path: KeyPath, problem: str, came: object = None, wanted: str = "") -> None:
        came = came[:LONGEST_SHOWN] if isinstance(came, str) else came
        key = render_key(path[len(self.part) :] if path[: len(self.part)] == self.part else path)
        self.add(path, InvalidInput(problem, came, wanted, self.file, self.yaml.line(path), key))

    def add(self, path: KeyPath, problem: InvalidInput) -> None:
        """Keep a problem of a file that the key at `path` names."""
        self.problems.append((path, problem))

    def content(self, name: str, path: KeyPath) -> bytes | None:
        """The bytes of the file `name`; None, with a complaint, when it cannot be read."""
        if name not in self.files:
            try:
                self.files[name] = self.read(name)
            except OSError as error:
                missing = isinstance(error, FileNotFoundError)
                problem = "there is no such file" if missing else f"the file cannot be read ({error.strerror or error})"
                self.complain(path, problem, name, "give its path as seen from the study file")
                return None
        return self.files[name]

    def in_order(self) -> tuple[InvalidInput, ...]:
        """All problems, in the order of the study file."""
        return tuple(problem for _, problem in sorted(self.problems, key=lambda found: self.yaml.line(found[0])))
