"""Study folders that come with the package: starting points for `crito init`, and the study of `crito demo`."""

from importlib.resources import files
from importlib.resources.abc import Traversable

from crito.model.errors import NotFound

TEMPLATES: tuple[str, ...] = ("socratic", "solo", "models", "debate")
"""Names that `crito init --template` takes."""

DEMO = "socratic"
"""The template whose study `crito demo` serves, in every language that the pages speak."""

STUDY_FILE = "study.yaml"
"""What the study file is called in every template."""

EXPERTS_FILE = "experts.yaml"
"""What the file is called that declares the tasks of `crito bench experts`."""


def demo_file(name: str) -> Traversable:
    """A file of the study of `crito demo`: its own, or else that of its template."""
    own = files("crito.studies").joinpath("demo", *name.split("/"))
    return own if own.is_file() else template_folder(DEMO).joinpath(*name.split("/"))


def experts_file() -> Traversable:
    """The declaration that comes with the package; its folders are seen from where the data stand."""
    return files("crito.studies") / "benches" / EXPERTS_FILE


def staged_debate() -> Traversable:
    """The script of the debate that `crito demo` shows, to be read by the caller."""
    return files("crito.studies") / "staged" / "debate.json"


def template_folder(name: str) -> Traversable:
    """The folder of a template, to be read or copied by the caller.

    Raises:
        NotFound: there is no such template.
    """
    if name not in TEMPLATES:
        raise NotFound(f"there is no template {name!r}; the templates are {', '.join(TEMPLATES)}")
    return files("crito.studies") / "templates" / name
