"""Study folders that come with the package: starting points for `crito init`, and the study of `crito demo`."""

from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable

from crito.model.errors import NotFound
from crito.model.study import Study
from crito.studies.study_file import parse_study

TEMPLATES: tuple[str, ...] = ("socratic",)
"""Names that `crito init --template` takes."""

DEMO = "socratic"
"""The template that `crito demo` serves."""

STUDY_FILE = "study.yaml"


def template_files(name: str) -> dict[str, bytes]:
    """The files of a template by their path in the study folder.

    Raises:
        NotFound: there is no such template.
    """
    if name not in TEMPLATES:
        raise NotFound(f"there is no template {name!r}; the templates are {', '.join(TEMPLATES)}")
    return dict(_walk(files("crito.studies") / "templates" / name, ""))


def _walk(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for entry in sorted(folder.iterdir(), key=lambda found: found.name):
        if entry.is_dir():
            yield from _walk(entry, f"{path}{entry.name}/")
        else:
            yield f"{path}{entry.name}", entry.read_bytes()


def demo_study() -> Study:
    """The bundled study."""
    content = template_files(DEMO)

    def read(name: str) -> bytes:
        if name not in content:
            raise FileNotFoundError(name)
        return content[name]

    return parse_study(content[STUDY_FILE].decode(), file=STUDY_FILE, read=read)
