"""Figures as SVG: drawn here, without a browser, in colours that a page's style sheet can turn light or dark."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from markupsafe import Markup, escape

from crito.report.wording import interval_of, percent
from crito.stats.statistic import Interval, Statistic
from crito.stats.tables import Moves

COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442")
"""Okabe and Ito's colours, told apart by most colour-blind people; every use has a letter or a shape beside it."""

RISEN, FALLEN = COLOURS[0], COLOURS[5]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

Palette = Literal["labels", "levels"]

WIDTH = 420
MARGIN = 112
"""Room for the names on either side."""

BAR = 10
GAP = 12
LINE = 14
HEIGHT = 190
NAME_CHARACTERS = 15

HEADS = (
    f'<text class="head" x="{MARGIN + BAR}" y="12" text-anchor="end">before</text>'
    f'<text class="head" x="{WIDTH - MARGIN - BAR}" y="12" text-anchor="start">after</text>'
)


@dataclass(frozen=True, slots=True)
class _Level:
    """One label or step: its words, its letter (empty where none is needed), its colour."""

    name: str
    mark: str
    colour: str

    @property
    def lines(self) -> list[str]:
        return _two_lines(self.name)


@dataclass(frozen=True, slots=True)
class _Node:
    """A level on one side; `room` is what its bar and its words need."""

    level: _Level
    count: int
    top: float
    height: float
    room: float

    @property
    def end(self) -> float:
        return self.top + self.height / 2 + self.room / 2


@dataclass(frozen=True, slots=True)
class _Band:
    source: int
    target: int
    count: int
    left: float
    right: float
    height: float


def sankey(table: Moves, names: Mapping[str, str], title: str, *, palette: Palette) -> Markup:
    """Before on the left, after on the right, in the fixed order of the table; what moved is strong, what stayed pale.

    Args:
        table: counts of before × after.
        names: the words shown for each label of the table.
        title: what a reader who cannot see the figure is told first.
        palette: `labels` gives each label its own colour and letter, and what moved the colour it came from;
            `levels` gives shades of one colour, the highest first, and what rose and what fell a colour each.
    """
    counts = [[int(count) for count in row] for row in table.counts]
    if table.n == 0:
        return Markup('<p class="none">Nothing to draw: no label stands on both sides.</p>')
    levels = [
        _Level(names.get(str(label), str(label)), _mark(place, palette), _colour(place, len(counts), palette))
        for place, label in enumerate(table.labels)
    ]
    before = _nodes(levels, [sum(row) for row in counts], table.n)
    after = _nodes(levels, [sum(column) for column in zip(*counts, strict=True)], table.n)
    # The small ones come last, so that they lie on top.
    bands = sorted(_bands(counts, before, after, table.n), key=lambda band: (band.source != band.target, -band.count))
    parts = [
        HEADS,
        '<g transform="translate(0 28)">',
        *(_band(band, levels, palette, table.n) for band in bands),
        *(_node(node, side="before") for node in before),
        *(_node(node, side="after") for node in after),
        *_band_words(bands, table.n),
        "</g>",
    ]
    return svg(WIDTH, max(before[-1].end, after[-1].end) + 32, title, _told(table, names), parts)


def _mark(place: int, palette: Palette) -> str:
    return LETTERS[place % len(LETTERS)] if palette == "labels" else ""


def _colour(place: int, of: int, palette: Palette) -> str:
    if palette == "labels":
        return COLOURS[place % len(COLOURS)]
    strength = 100 - round(65 * place / max(of - 1, 1))
    return f"color-mix(in oklab, var(--level) {strength}%, var(--paper))"


def _band_colour(band: _Band, levels: Sequence[_Level], palette: Palette) -> str:
    if palette == "labels" or band.source == band.target:
        return levels[band.source].colour
    return RISEN if band.target < band.source else FALLEN


def _nodes(levels: Sequence[_Level], sums: Sequence[int], n: int) -> list[_Node]:
    """Each level's bar in the middle of the room that it or its words need, from the top."""
    nodes, begin = [], 0.0
    for level, count in zip(levels, sums, strict=True):
        height = HEIGHT * count / n
        room = max(height, LINE * (len(level.lines) + 1))
        nodes.append(_Node(level, count, begin + (room - height) / 2, height, room))
        begin += room + GAP
    return nodes


def _bands(counts: Sequence[Sequence[int]], before: Sequence[_Node], after: Sequence[_Node], n: int) -> list[_Band]:
    left, right = [node.top for node in before], [node.top for node in after]
    bands = []
    for source, row in enumerate(counts):
        for target, count in enumerate(row):
            height = HEIGHT * count / n
            if count:
                bands.append(_Band(source, target, count, left[source], right[target], height))
            left[source] += height
            right[target] += height
    return bands


def _band(band: _Band, levels: Sequence[_Level], palette: Palette, n: int) -> str:
    x0, x1 = MARGIN + BAR, WIDTH - MARGIN - BAR
    middle = (x0 + x1) / 2
    low_left, low_right = band.left + band.height, band.right + band.height
    path = (
        f"M{x0} {band.left:.1f}C{middle} {band.left:.1f} {middle} {band.right:.1f} {x1} {band.right:.1f}"
        f"L{x1} {low_right:.1f}C{middle} {low_right:.1f} {middle} {low_left:.1f} {x0} {low_left:.1f}Z"
    )
    kind = "stayed" if band.source == band.target else "moved"
    told = f"{levels[band.source].name} → {levels[band.target].name}: {band.count} ({percent(band.count / n)})"
    fill = _band_colour(band, levels, palette)
    return f'<path class="{kind}" d="{path}" style="fill:{fill}"><title>{escape(told)}</title></path>'


def _node(node: _Node, *, side: Literal["before", "after"]) -> str:
    left = side == "before"
    x = MARGIN if left else WIDTH - MARGIN - BAR
    edge, anchor = (MARGIN - 8, "end") if left else (WIDTH - MARGIN + 8, "start")
    first = node.top + node.height / 2 - LINE * len(node.level.lines) / 2 + 4
    words: list[tuple[str, str | Markup]] = [("name", line) for line in node.level.lines]
    words[0] = ("name", _marked(node.level.lines[0], node.level.mark, left))
    words.append(("count", f"{node.count}"))
    rows = [
        f'<text class="{kind}" x="{edge}" y="{first + LINE * place:.1f}" text-anchor="{anchor}">{escape(line)}</text>'
        for place, (kind, line) in enumerate(words)
    ]
    height, fill = max(node.height, 1), node.level.colour
    bar = f'<rect x="{x}" y="{node.top:.1f}" width="{BAR}" height="{height:.1f}" style="fill:{fill}"/>'
    return bar + "".join(rows)


def _marked(line: str, mark: str, left: bool) -> Markup:
    if not mark:
        return escape(line)
    letter = Markup('<tspan class="mark">{}</tspan>').format(mark)
    return Markup("{} {}").format(line, letter) if left else Markup("{} {}").format(letter, line)


def _two_lines(name: str) -> list[str]:
    """A name on at most two lines, cut where it is longer than that."""
    lines = [""]
    for word in name.split():
        joined = f"{lines[-1]} {word}".strip()
        if len(joined) <= NAME_CHARACTERS or not lines[-1]:
            lines[-1] = joined
        else:
            lines.append(word)
    kept = lines[:2]
    if len(lines) > 2:
        kept[1] += " …"
    return [line if len(line) <= NAME_CHARACTERS else line[: NAME_CHARACTERS - 1] + "…" for line in kept]


def _band_words(bands: Sequence[_Band], n: int) -> list[str]:
    """Count and percent on each band, near where it begins when it is one that moved; never two on top of each other."""
    placed: list[tuple[float, float]] = []
    words = []
    for band in sorted(bands, key=lambda band: -band.count):
        for along in (0.5, 0.35, 0.65) if band.source == band.target else (0.2, 0.8, 0.33, 0.67):
            x, y = _point(band, along)
            if all(abs(x - other_x) > 62 or abs(y - other_y) > 13 for other_x, other_y in placed):
                placed.append((x, y))
                kind = "kept" if band.source == band.target else "flip"
                words.append(
                    f'<text class="{kind}" x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle">'
                    f"{band.count} · {percent(band.count / n)}</text>"
                )
                break
    return words


def _point(band: _Band, along: float) -> tuple[float, float]:
    """The middle of the band's curve, `along` of the way; the curve's control points lie half way across."""
    x0, x1 = MARGIN + BAR, WIDTH - MARGIN - BAR
    begin, end = band.left + band.height / 2, band.right + band.height / 2
    ease = 3 * along**2 - 2 * along**3
    middle = (x0 + x1) / 2
    x = (1 - along) ** 3 * x0 + 3 * (1 - along) * along * middle + along**3 * x1
    return x, begin + (end - begin) * ease


def _told(table: Moves, names: Mapping[str, str]) -> str:
    return "; ".join(
        f"{names.get(str(a), str(a))} to {names.get(str(b), str(b))}: {count}" for a, b, count in table.flows() if count
    )


@dataclass(frozen=True, slots=True)
class Estimate:
    """One row of an interval plot; `mark` tells rows of different conditions apart without colour."""

    name: str
    statistic: Statistic
    mark: int

    @property
    def interval(self) -> Interval | None:
        return interval_of(self.statistic)


PLOT_LEFT, PLOT_RIGHT, PLOT_ROW = 128, 404, 30


def interval_plot(rows: Sequence[Estimate], title: str) -> Markup:
    """Shares as points with their intervals on an axis from 0; rows without a value say why."""
    known = [row for row in rows if row.statistic.value is not None]
    if not known:
        return Markup('<p class="none">Nothing to draw yet.</p>')
    most = max(row.interval.high if row.interval else row.statistic.value or 0.0 for row in known)
    end = next(limit for limit in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0) if most <= limit or limit == 1.0)
    floor = PLOT_ROW * len(rows) + 6

    def x(value: float) -> float:
        return PLOT_LEFT + (PLOT_RIGHT - PLOT_LEFT) * min(value, end) / end

    parts = []
    for tick in range(5):
        value = end * tick / 4
        parts.append(f'<path class="grid" d="M{x(value):.1f} 4V{floor}"/>')
        parts.append(
            f'<text class="tick" x="{x(value):.1f}" y="{floor + 15}" text-anchor="middle">{percent(value)}</text>'
        )
    for place, row in enumerate(rows):
        y = PLOT_ROW * place + PLOT_ROW / 2 + 3
        parts.append(
            f'<text class="name" x="{PLOT_LEFT - 12}" y="{y + 4}" text-anchor="end">{escape(_short(row.name))}</text>'
        )
        if row.statistic.value is None:
            parts.append(
                f'<text class="none" x="{PLOT_LEFT + 8}" y="{y + 4}">cannot be told: {escape(row.statistic.reason)}</text>'
            )
            continue
        colour = COLOURS[row.mark % len(COLOURS)]
        if row.interval:
            parts.append(
                f'<path class="whisker" d="M{x(row.interval.low):.1f} {y}H{x(row.interval.high):.1f}" style="stroke:{colour}"/>'
            )
        parts.append(_shape(row.mark, x(row.statistic.value), y, colour))
    told = "; ".join(f"{row.name}: {row.statistic}" for row in rows)
    return svg(WIDTH, floor + 22, title, told, parts)


def shape(mark: int) -> Markup:
    """The mark of a condition by itself, for headings and tables."""
    return Markup('<svg class="shape" viewBox="0 0 14 14" aria-hidden="true">{}</svg>').format(
        Markup(_shape(mark, 7, 7, COLOURS[mark % len(COLOURS)]))  # noqa: S704 (numbers and our own colours only)
    )


def _shape(mark: int, x: float, y: float, colour: str) -> str:
    points = {
        1: f"M{x - 5:.1f} {y - 5:.1f}h10v10h-10Z",
        2: f"M{x:.1f} {y - 6:.1f}l6 11h-12Z",
        3: f"M{x:.1f} {y - 6.5:.1f}l6 6.5l-6 6.5l-6 -6.5Z",
    }.get(mark % 4, f"M{x - 5.5:.1f} {y:.1f}a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0 -11 0Z")
    return f'<path class="point" d="{points}" style="fill:{colour}"/>'


def _short(name: str) -> str:
    return name if len(name) <= 17 else name[:16] + "…"


def svg(width: float, height: float, title: str, told: str, parts: Sequence[str]) -> Markup:
    """A figure of `parts`; a reader who cannot see it is given `title` and what is `told`."""
    head = Markup('<svg class="figure" viewBox="0 0 {} {}" role="img" aria-label="{}">').format(
        f"{width:g}", f"{height:g}", f"{title}. {told}"
    )
    # Names of a study are escaped where they enter a part.
    return head + Markup("".join(parts)) + Markup("</svg>")  # noqa: S704
