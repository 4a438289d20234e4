"""Figures as files of their own: SVG that any program shows the same, and PNG."""

import re
from html import unescape
from importlib import import_module

from crito.model.errors import CritoError
from crito.report.label_sections import slugged
from crito.report.page import template_text

PAPER, LEVEL = "#ffffff", "#0b4f7a"
"""On a page a style sheet gives these; in a file they are white paper and the darkest of the levels."""

FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
PIXELS = 3
"""Of a PNG, for each unit of the drawing."""


def drawings(page: str) -> dict[str, str]:
    """Every figure of a page by the name of its file: its address on the page, or else its title."""
    found: dict[str, str] = {}
    for figure in re.findall(r"<figure.*?</figure>", page, re.DOTALL):
        drawing = re.search(r'<svg class="figure".*?</svg>', figure, re.DOTALL)
        if drawing is None:
            continue
        address = re.match(r'<figure id="([^"]+)"', figure)
        title = re.search(r'aria-label="([^."]*)', drawing[0])
        name = address[1] if address else slugged(unescape(title[1]) if title else "")
        while name in found:
            name += "-more"
        found[name] = drawing[0]
    return found


def standing_alone(drawing: str) -> str:
    """A figure of a page as an SVG file: light, with its colours and its style inside."""
    rules = figure_style()
    left, top, width, height = re.findall(r"-?[\d.]+", re.search(r'viewBox="([^"]*)"', drawing)[1])  # type: ignore[index]
    paper = f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="{PAPER}"/>'
    head, rest = drawing.split(">", 1)
    head = head.replace(
        "<svg", f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="{FONT}"'
    )
    return _coloured(f"{head}><style>{rules}</style>{paper}{rest}")


def figure_style() -> str:
    """The rules of the style sheet for what stands inside a figure."""
    style = re.search(r"/\* Figures \*/(.*?)/\* Saving and copying \*/", template_text("report.css"), re.DOTALL)
    assert style is not None, "the style sheet keeps figures together"
    return "\n".join(line for line in style[1].splitlines() if line.startswith((".figure .", ".figure text")))


def png(svg: str) -> bytes:
    """A figure that stands alone as a picture.

    Raises:
        CritoError: the package that draws it is not installed.
    """
    try:
        draw = import_module("vl_convert").svg_to_png
    except ImportError as error:
        raise CritoError("PNG needs a package that is not installed: pip install 'crito[figures]'") from error
    return bytes(draw(svg, scale=PIXELS))


def _coloured(svg: str) -> str:
    """The drawing with the page's variables worked out, since few programs but browsers know them."""
    light = {"ink": "#1e2124", "soft": "#5b6068", "line": "#dedad3", "accent": "#1f5d87", "paper": PAPER, "level": LEVEL,
             "stayed": ".2", "moved": ".88"}  # fmt: skip
    svg = re.sub(
        r"color-mix\(in oklab, var\(--level\) (\d+)%, var\(--paper\)\)", lambda found: _paler(int(found[1])), svg
    )
    return re.sub(r"var\(--(\w+)\)", lambda found: light[found[1]], svg)


def _paler(percent: int) -> str:
    strength = percent / 100
    mixed = (
        round(int(LEVEL[at : at + 2], 16) * strength + int(PAPER[at : at + 2], 16) * (1 - strength)) for at in (1, 3, 5)
    )
    return "#" + "".join(f"{part:02x}" for part in mixed)
