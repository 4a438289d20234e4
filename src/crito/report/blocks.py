"""What a page of a report is made of: sections of tables, figures with their tables, numbers and notes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from markupsafe import Markup

Unit = Literal["text", "count", "share", "points", "signed", "number", "minutes", "p"]
"""How a cell is written: a share in percent, a difference of shares in points, a number as it is."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its head, how its cells are written, and the method that the question mark in its head opens.

    In a `brief` one statistics do not say what they left out; another column or figure has said it.
    """

    head: str | Markup
    unit: Unit = "text"
    how: str = ""
    brief: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under heads. A cell is a statistic, a number, words or nothing; the unit of its column says how it is written.

    Attributes:
        folds: whether rows become small lists on a narrow screen.
        sums: rows that stand out, by place.
        empty: what stands there when there are no rows.
        note: what a reader should know, below it.
    """

    caption: str | Markup
    columns: Sequence[Column]
    rows: Sequence[Sequence[object]]
    how: str = ""
    folds: bool = False
    sums: frozenset[int] = frozenset()
    empty: str = "Nothing to show yet."
    note: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing with its words: title, what is drawn and of how many, and the method.

    `slug` names the file it is saved as. The table that goes with it stands below.
    """

    slug: str
    title: str
    words: str
    drawing: Markup
    how: str = ""
    table: Table | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """One number with its name."""

    name: str
    value: object
    unit: Unit = "share"
    how: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """Numbers with what they rest on, one below the other."""

    facts: Sequence[Fact]


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph; `soft` stands back."""

    words: str | Markup
    soft: bool = True


@dataclass(frozen=True, slots=True)
class Stack:
    """Blocks below each other under a heading of their own, which may be empty."""

    blocks: Sequence["Block"]
    title: str | Markup = ""


@dataclass(frozen=True, slots=True)
class Beside:
    """Blocks beside each other where the screen is wide enough."""

    blocks: Sequence["Block"]


@dataclass(frozen=True, slots=True)
class Copied:
    """Text to be copied, such as a paragraph for a paper; `kind` is its name on the button."""

    kind: str
    text: str
    plain: bool = False


Block = Table | Figure | Facts | Prose | Stack | Beside | Copied


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page. `key` is its address within the page."""

    key: str
    title: str
    blocks: Sequence[Block]
    words: str = ""
    how: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """Words at the top that must not be overlooked."""

    head: str
    words: str | Markup
    how: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """A whole report. `counts` stand at the top; `more` are sections in HTML that another part of the report has made."""

    title: str
    kicker: Markup
    counts: Mapping[str, int]
    notes: Sequence[Note]
    sections: Sequence[Section]
    footer: str
    more: Markup = Markup()  # noqa: RUF009 (it cannot change)
