"""What commands say on the terminal: facts on standard output, news and errors on standard error."""

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, is_dataclass
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

ACCENT = "cyan"


def out() -> Console:
    """Standard output. Lines are wrapped by the terminal, so that addresses and paths can be copied."""
    return Console(soft_wrap=True, highlight=False, markup=False)


def err() -> Console:
    return Console(stderr=True, soft_wrap=True, highlight=False, markup=False)


def say(text: str = "", accent: bool = False) -> None:
    out().print(Text(text, style=ACCENT if accent else ""))


def note(text: str) -> None:
    """News beside the facts; it never gets into a pipe."""
    err().print(Text(text))


def next_command(text: str, command: str) -> None:
    """The last line: where the result is, and what to type next."""
    out().print(Text.assemble(text, " Next: ", (command, ACCENT)))


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]], *, title: str = "") -> None:
    """An aligned table; columns whose cells are all numbers stand to the right."""
    cells = [list(row) for row in rows]
    drawn = Table(title=title or None, title_justify="left", title_style="bold", box=None, pad_edge=False)
    for number, column in enumerate(columns):
        numeric = all(isinstance(row[number], int | float | None) for row in cells)
        drawn.add_column(column, justify="right" if numeric else "left", style="" if number else ACCENT)
    for row in cells:
        drawn.add_row(*(Text(shown(cell)) for cell in row))
    # A table is never cut for the width of a pipe.
    Console(highlight=False, markup=False, width=None if sys.stdout.isatty() else 200).print(drawn)


def shown(cell: Any) -> str:
    """A cell as text: thousands separated, `-` for what is not known."""
    if cell is None:
        return "-"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int):
        return f"{cell:,}"
    return f"{cell:,.2f}" if isinstance(cell, float) else str(cell)


def facts(value: Any) -> None:
    """One JSON document on one line."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, default=_plain) + "\n")
    sys.stdout.flush()


def _plain(value: Any) -> Any:
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else str(value)
