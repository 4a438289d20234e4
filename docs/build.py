"""Writes the pages of the reference that are made from the code: `make docs`."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import typer

from crito.cli import cli
from crito.formats.readme import render_reference
from crito.studies.documentation import REFERENCE_FILE, json_schema, reference
from crito.web import audience
from crito.web.app import create_app
from crito.web.settings import WebSettings

ROOT = Path(__file__).parent.parent
WIDTH = 100

COMMANDS = """\
# Commands

<!-- Made from the code by docs/build.py. Change the descriptions in crito.cli. -->

Every command ends with a number that scripts can rely upon.
It is 0 when all is done and 1 when the command failed.
It is 2 when the command was used wrongly or was given something that it cannot use.
It is 3 when a limit was reached; what was done until then is saved.
"""


def commands() -> str:
    """The help of every command, as a page in Markdown."""
    pages = (
        f"## `{name}`\n\n```text\n{help_text}\n```\n"
        for name, help_text in _helps(typer.main.get_command(cli), "crito")
    )
    return "\n".join([COMMANDS, *pages])


def _helps(command: Any, name: str, parent: Any = None) -> Iterator[tuple[str, str]]:
    context = command.make_context(
        name.split()[-1], [], parent=parent, resilient_parsing=True, terminal_width=WIDTH, max_content_width=WIDTH
    )
    below = getattr(command, "commands", {})
    if not below:
        yield name, command.get_help(context).strip()
    for key in sorted(below):
        yield from _helps(below[key], f"{name} {key}", context)


def access() -> str:
    """The table of roles and routes, from the app itself; to put the app together nothing is asked of its parts."""
    parts: Any = None
    return audience.render(create_app(parts, WebSettings()).router.routes)


PAGES: dict[str, Callable[[], str]] = {
    REFERENCE_FILE: reference,
    "docs/reference/export.md": render_reference,
    "docs/reference/commands.md": commands,
    "docs/reference/access.md": access,
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
