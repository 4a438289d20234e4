"""Writes the pages of the reference that are made from the code: `make docs`."""

import json
from collections.abc import Callable
from pathlib import Path

from crito.formats.readme import render_reference
from crito.studies.documentation import REFERENCE_FILE, json_schema, reference

ROOT = Path(__file__).parent.parent

PAGES: dict[str, Callable[[], str]] = {
    REFERENCE_FILE: reference,
    "docs/reference/export.md": render_reference,
    "docs/reference/study-file.schema.json": lambda: json.dumps(json_schema(), indent=2) + "\n",
}


def write_pages(root: Path = ROOT) -> None:
    """Write each page to its place under `root`."""
    for place, page in PAGES.items():
        target = root / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    write_pages()
