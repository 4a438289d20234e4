"""Cells as text and back, for formats that know nothing but text."""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from crito.services.tables import Cell, ColumnKind, Row

STARTS_A_FORMULA = re.compile(r"'*([=+\-@\t\r\n＝＋－＠]|\Z)")
"""Text that a spreadsheet would run (full-width signs included), or that looks like no text at all."""

GUARDED = re.compile(r"'+([=+\-@\t\r\n＝＋－＠]|\Z)")


def guard(text: str) -> str:
    """`text` with a leading apostrophe where a spreadsheet would take it for a formula, or a reader for a missing cell.

    `unguard` gives back exactly `text`; any other leading apostrophe stays as it is.
    """
    return f"'{text}" if STARTS_A_FORMULA.match(text) else text


def unguard(cell: str) -> str:
    """The text that `guard` was given."""
    return cell[1:] if GUARDED.match(cell) else cell


def render_time(time: datetime) -> str:
    """ISO 8601 in UTC, with microseconds and a `Z`."""
    return time.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def render_json(value: object) -> str:
    """JSON on one line, its keys sorted."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


RENDER: Mapping[ColumnKind, Callable[[Any], str]] = {
    "text": guard,
    "integer": str,
    "number": repr,
    "yes_no": lambda yes: "yes" if yes else "no",
    "time": render_time,
    "json": render_json,
}

PARSE: Mapping[ColumnKind, Callable[[str], Cell]] = {
    "text": unguard,
    "integer": int,
    "number": float,
    "yes_no": lambda cell: {"yes": True, "no": False}[cell],
    "time": datetime.fromisoformat,
    "json": json.loads,
}


def fingerprint(row: Row) -> bytes:
    """16 bytes that stand for a row; cells of another type or value give others."""
    canonical = json.dumps(row, sort_keys=True, default=render_time, allow_nan=False)
    return hashlib.blake2b(canonical.encode(), digest_size=16).digest()
