"""Where a report goes: the page, and beside it every figure as SVG and PNG if they are wanted."""

from pathlib import Path

from crito.cli import screen
from crito.formats.placing import put_page
from crito.model.errors import CritoError
from crito.report.saving import drawings, png, standing_alone


def write_report(page: str, file: Path, figures: Path | None) -> None:
    """Write the page, and its figures into the folder `figures` if one is named.

    Raises:
        CritoError: something cannot be written, or the package that draws PNG is not installed.
    """
    put_page(file, page)
    try:
        if figures:
            _write_figures(page, figures)
    except OSError as error:
        raise CritoError(f"{error.filename or str(figures)!r} cannot be written: {error.strerror or error}") from error


def _write_figures(page: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    drawn = drawings(page)
    for name, drawing in drawn.items():
        svg = standing_alone(drawing)
        (folder / f"{name}.svg").write_text(svg, encoding="utf-8")
        (folder / f"{name}.png").write_bytes(png(svg))
    screen.say(f"{len(drawn)} figures are in {folder}, each as SVG and PNG.")
