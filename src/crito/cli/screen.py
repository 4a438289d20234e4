"""What commands say on the terminal: facts on standard output, news and errors on standard error."""

import json
import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, is_dataclass
from typing import Any

ACCENT = "cyan"
_ACCENT_ON, _ACCENT_OFF = "\x1b[36m", "\x1b[0m"


def say(text: str = "", *, accent: bool = False) -> None:
    """One line of facts; the terminal wraps it, so that addresses and paths can be copied."""
    print(_accented(text) if accent else text)


def note(text: str) -> None:
    """News beside the facts; it never gets into a pipe."""
    print(text, file=sys.stderr)


def next_command(text: str, command: str) -> None:
    """The last line: where the result is, and what to type next."""
    print(f"{text} Next: {_accented(command)}")


def _accented(text: str) -> str:
    coloured = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return f"{_ACCENT_ON}{text}{_ACCENT_OFF}" if coloured else text


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]], *, title: str = "") -> None:
    """An aligned table; columns whose cells are all numbers stand to the right."""
    # Rich takes a tenth of a second to import, and a server draws no table.
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

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
