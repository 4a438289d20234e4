"""The bundled study, read from the package."""

from functools import cache

from crito.model.study import Study
from crito.studies.bundled import DEMO, STUDY_FILE, template_folder
from crito.studies.study_file import parse_study


@cache
def demo_study() -> Study:
    """The study of the template that `crito demo` serves, in English."""
    folder = template_folder(DEMO)
    text = (folder / STUDY_FILE).read_text(encoding="utf-8")
    return parse_study(text, file=STUDY_FILE, read=lambda name: (folder / name).read_bytes())
