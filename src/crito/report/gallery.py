"""The figures of a report one by one, for pages that show them beside each other."""

import re
from collections.abc import Iterator, Sequence
from html import unescape

from markupsafe import Markup

from crito.report.blocks import Beside, Block, Figure, Page, Stack, Table
from crito.report.page import cell


def figures_of(page: Page) -> tuple[tuple[str, Figure], ...]:
    """Every figure of a report, each with what it is about: the group it names, or else its section."""
    found: dict[str, tuple[str, Figure]] = {}
    for section in page.sections:
        for figure in _figures(section.blocks):
            found.setdefault(figure.slug, (_about(figure) or section.title, figure))
    return tuple(found.values())


def _figures(blocks: Sequence[Block]) -> Iterator[Figure]:
    for block in blocks:
        if isinstance(block, Figure):
            yield block
        elif isinstance(block, Stack | Beside):
            yield from _figures(block.blocks)


def _about(figure: Figure) -> str:
    named = re.search(r'aria-label="([^":.]*):', figure.drawing)
    return unescape(named[1]) if named else ""


def under_a_policy(figure: Figure) -> str:
    """The drawing without style attributes, which pages with a content security policy may not have."""
    # A `Markup` would escape the quotes that are put in.
    return str(figure.drawing).replace('style="fill:', 'fill="').replace('style="stroke:', 'stroke="')


def table_cells(table: Table) -> tuple[list[str], list[list[str]]]:
    """Heads and rows of a table as plain words."""
    heads = [_plain(str(column.head)) for column in table.columns]
    rows = [
        [
            _plain(str(cell(value, column.unit, brief=column.brief)))
            for value, column in zip(row, table.columns, strict=True)
        ]
        for row in table.rows
    ]
    return heads, rows


def _plain(html: str) -> str:
    return Markup(html).striptags()  # noqa: S704 (nothing but its words is kept)
