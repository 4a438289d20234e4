"""Figures as SVG: drawn here, without a browser, in colours that a page's style sheet can turn light or dark."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from markupsafe import Markup, escape

from crito.report.wording import MINUS, interval_of, percent, whole
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


PLOT_RIGHT, PLOT_ROW = 404, 30
LONGEST_NAME = 28


@dataclass(frozen=True, slots=True)
class Axis:
    """What an axis runs from and to, and how far its ticks are apart."""

    low: float
    high: float
    step: float

    def place(self, value: float, start: float, end: float) -> float:
        """Where a value lies between `start` and `end`; what is beyond the axis lies at its edge."""
        inside = min(max(value, self.low), self.high)
        return start + (end - start) * (inside - self.low) / (self.high - self.low)

    @property
    def ticks(self) -> list[float]:
        """From one end to the other."""
        return [round(self.low + self.step * tick, 9) for tick in range(round((self.high - self.low) / self.step) + 1)]


def _axis(rows: Sequence[Estimate], unit: str, within: tuple[float, float] | None) -> Axis:
    """From 0 to a round number, both ways where a value may be negative; or what `within` says."""
    if within:
        return Axis(*within, (within[1] - within[0]) / 4)
    ends = [end for row in rows if (known := row.interval) for end in (known.low, known.high)]
    values = [*ends, *(row.statistic.value for row in rows if row.statistic.value is not None)]
    most, least = max(*values, 0.0), min(*values, 0.0)
    end = 1.0 if unit == "share" and most > 0.8 else _round_up(max(most, -least))
    step = end / 4
    return Axis(step * math.floor(least / step + 1e-9), step * max(math.ceil(most / step - 1e-9), 1), step)


def _round_up(value: float) -> float:
    """The next of 1, 2, 4, 6, 8, 10 times a power of ten: a quarter of each is short to write."""
    scale = 0.01
    while scale * 10 < value:
        scale *= 10
    return next(step * scale for step in (1, 2, 4, 6, 8, 10) if value <= step * scale * (1 + 1e-9))


def interval_plot(
    rows: Sequence[Estimate], title: str, *, unit: str = "share", within: tuple[float, float] | None = None
) -> Markup:
    """Estimates as points with their intervals, on an axis that holds 0; rows without a value say so.

    Args:
        rows: from the top.
        title: what a reader who cannot see the figure is told first.
        unit: of the values, as in tables.
        within: the ends of the axis, where a scale has its own.
    """
    known = [row for row in rows if row.statistic.value is not None]
    if not known:
        return Markup('<p class="none">Nothing to draw: {}.</p>').format(
            rows[0].statistic.reason if rows else "nothing was counted"
        )
    axis = _axis(known, unit, within)
    floor = PLOT_ROW * len(rows) + 6

    names = [_short(row.name, LONGEST_NAME) for row in rows]
    left = max(72.0, 7.0 * max(len(name) for name in names) + 14)

    def x(value: float) -> float:
        return axis.place(value, left, PLOT_RIGHT)

    parts = []
    for tick in axis.ticks:
        kind = "zero" if tick == 0 and axis.low < 0 else "grid"
        parts.append(f'<path class="{kind}" d="M{x(tick):.1f} 4V{floor}"/>')
        parts.append(
            f'<text class="tick" x="{x(tick):.1f}" y="{floor + 15}" text-anchor="middle">{_tick(tick, unit)}</text>'
        )
    for place, row in enumerate(rows):
        y = PLOT_ROW * place + PLOT_ROW / 2 + 3
        parts.append(
            f'<text class="name" x="{left - 12:.0f}" y="{y + 4}" text-anchor="end">{escape(names[place])}</text>'
        )
        if row.statistic.value is None:
            parts.append(
                f'<text class="none" x="{left + 8:.0f}" y="{y + 4}">{escape(_short(f"cannot be told: {row.statistic.reason}", 42))}</text>'
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


def _tick(value: float, unit: str) -> str:
    if unit in ("share", "points"):
        return percent(value).replace("-", MINUS)
    return f"{value:g}".replace("-", MINUS)


class Dot(NamedTuple):
    """A place on a map, of how many things it stands for, and what they are called."""

    x: float
    y: float
    n: int
    mark: int
    name: str


MAP_LEFT, MAP_BOTTOM, MAP_TOP = 66, 250, 18


def item_map(
    dots: Sequence[Dot], title: str, *, across: str, upward: str, groups: Sequence[tuple[int, str]] = ()
) -> Markup:
    """Shares upward against shares across, both from 0 to 1.

    Where several things share a place, the larger the mark the more they are. `groups` are marks with their names.
    """
    if not dots:
        return Markup('<p class="none">Nothing to draw: no item has two labels.</p>')
    whole_axis, most = Axis(0.0, 1.0, 0.25), max(dot.n for dot in dots)
    marks = sorted({dot.mark for dot in dots})
    # groups stand a little beside each other, so that none hides another
    aside = {mark: 9.0 * (place - (len(marks) - 1) / 2) for place, mark in enumerate(marks)}

    def x(value: float) -> float:
        return whole_axis.place(value, MAP_LEFT, WIDTH - 16)

    def y(value: float) -> float:
        return whole_axis.place(value, MAP_BOTTOM, MAP_TOP)

    parts = []
    for tick in whole_axis.ticks:
        parts.append(
            f'<path class="grid" d="M{x(tick):.1f} {MAP_TOP}V{MAP_BOTTOM}M{MAP_LEFT} {y(tick):.1f}H{WIDTH - 16}"/>'
        )
        parts.append(f'<text class="tick" x="{x(tick):.1f}" y="{MAP_BOTTOM + 26}" text-anchor="middle">{tick:g}</text>')
        parts.append(
            f'<text class="tick" x="{MAP_LEFT - 16}" y="{y(tick) + 4:.1f}" text-anchor="end">{percent(tick)}</text>'
        )
    for dot in sorted(dots, key=lambda dot: -dot.n):
        size = 0.75 + 1.6 * (dot.n / most) ** 0.5 if most > 1 else 1.0
        shown = (
            f'<g transform="translate({x(dot.x) + aside[dot.mark]:.1f} {y(dot.y):.1f}) scale({size:.2f})" class="dot">'
            f"{_shape(dot.mark, 0, 0, COLOURS[dot.mark % len(COLOURS)])}<title>{escape(dot.name)}</title></g>"
        )
        parts.append(shown)
    parts += [
        f'<text class="head" x="{WIDTH - 16}" y="{MAP_BOTTOM + 46}" text-anchor="end">{escape(across)} →</text>',
        f'<text class="head" x="{MAP_LEFT}" y="{MAP_TOP - 18}">↑ {escape(upward)}</text>',
    ]
    end = float(WIDTH - 16)
    for mark, name in reversed(groups):
        parts.append(
            f'<text class="head" x="{end:.1f}" y="{MAP_TOP - 18}" text-anchor="end">{escape(_short(name))}</text>'
        )
        end -= 6.6 * len(_short(name)) + 10
        parts.append(_shape(mark, end, MAP_TOP - 22, COLOURS[mark % len(COLOURS)]))
        end -= 18
    told = f"{sum(dot.n for dot in dots)} items; {across} to the right, {upward} upward"
    return svg(WIDTH, MAP_BOTTOM + 52, title, told, parts, top=-14)


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar with its name."""

    name: str
    count: int


BAR_ROW = 24


def bars(rows: Sequence[Bar], title: str, *, of: int) -> Markup:
    """Counts as bars from 0, each with its number and its share of `of`."""
    if not rows or of == 0:
        return Markup('<p class="none">Nothing to draw yet.</p>')
    parts, left = [], max(44.0, 7.0 * max(len(_short(row.name, 26)) for row in rows) + 12)
    for place, row in enumerate(rows):
        y = BAR_ROW * place + 4
        width = (WIDTH - left - 84) * row.count / of
        parts.append(
            f'<text class="name" x="{left - 10:.0f}" y="{y + 13}" text-anchor="end">{escape(_short(row.name, 26))}</text>'
            f'<rect class="bar-of" x="{left:.0f}" y="{y}" width="{max(width, 1):.1f}" height="16"/>'
            f'<text class="count" x="{left + width + 6:.1f}" y="{y + 13}">{whole(row.count)} · {percent(row.count / of)}</text>'
        )
    told = "; ".join(f"{row.name}: {row.count}" for row in rows)
    return svg(WIDTH, BAR_ROW * len(rows) + 6, title, told, parts)


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


def _short(name: str, most: int = 20) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"


def svg(width: float, height: float, title: str, told: str, parts: Sequence[str], *, top: float = 0) -> Markup:
    """A figure of `parts`; a reader who cannot see it is given `title` and what is `told`. It begins at `top`."""
    head = Markup('<svg class="figure" viewBox="0 {} {} {}" role="img" aria-label="{}">').format(
        f"{top:g}", f"{width:g}", f"{height - top:g}", f"{title}. {told}"
    )
    # Names of a study are escaped where they enter a part.
    return head + Markup("".join(parts)) + Markup("</svg>")  # noqa: S704
