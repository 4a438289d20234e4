"""A study folder that exists only in memory, and the smallest study that stands in it."""

from collections.abc import Mapping

from crito.model.errors import InvalidInput, InvalidStudy
from crito.model.study import Study
from crito.studies.study_file import parse_study

ITEMS = b'{"id": "one", "text": "First words", "gold": "yes"}\n{"id": "two", "text": "Other words"}\n'

FILES: Mapping[str, bytes] = {
    "items.jsonl": ITEMS,
    "other.jsonl": ITEMS.replace(b"First", b"Changed"),
    "twice.jsonl": ITEMS + ITEMS.splitlines(keepends=True)[0],
    "empty.md": b" \n",
    "latin.md": "caffè".encode("latin-1"),
    "guide.md": "# Guide\n\nRead – then decide.\n".encode(),
}

SMALL = """\
study: small
tasks:
  - name: irony
    question: Is it ironic?
    labels: [yes, no]
    items: items.jsonl
"""


def parse(text: str, files: Mapping[str, bytes] = FILES) -> Study:
    def read(name: str) -> bytes:
        if name not in files:
            raise FileNotFoundError(2, "No such file or directory", name)
        return files[name]

    return parse_study(text, file="study.yaml", read=read)


def problems(text: str, files: Mapping[str, bytes] = FILES) -> tuple[InvalidInput, ...]:
    """What is wrong with `text`; empty when nothing is."""
    try:
        parse(text, files)
    except InvalidStudy as error:
        return error.problems
    return ()
