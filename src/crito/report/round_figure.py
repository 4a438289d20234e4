"""How one agent's labels went from right to wrong and back over the rounds of a discussion (`experts`, Figure 4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from crito.report.figures import BAR, COLOURS, svg
from crito.stats.discussion import NO_LABEL, RIGHT, WRONG
from crito.stats.tables import Moves

LEVELS: Mapping[str, tuple[str, str]] = {
    RIGHT: ("right", COLOURS[2]),
    WRONG: ("wrong", COLOURS[5]),
    NO_LABEL: ("no label", "var(--soft)"),
}
"""What stands beside each level, and its colour."""

LEFT, COLUMN, TOP, HEIGHT, GAP = 64, 150, 30, 150, 16


@dataclass(frozen=True, slots=True)
class _Bar:
    """A level in one round, `count` items high."""

    x: float
    top: float
    height: float
    count: int


def round_figure(steps: Sequence[Moves], title: str) -> Markup:
    """A column per round with what was right above what was wrong, and a band for each way from one round to the next.

    Only steps that took place are drawn: where an item was settled its label ends, so columns may get shorter.

    Args:
        steps: right, wrong and missing before × after, per step.
        title: what a reader who cannot see the figure is told first.
    """
    n = steps[0].n if steps else 0
    if not n:
        return Markup('<p class="none">Nothing to draw: no item with a reference label went on to a second round.</p>')
    columns = [[int(count) for count in steps[0].counts.sum(axis=1)]]
    columns += [[int(count) for count in step.counts.sum(axis=0)] for step in steps]
    bars = [_column(place, counts, n) for place, counts in enumerate(columns)]
    parts = [
        *_bands(steps, bars, n),
        *(_drawn(bar, level) for column in bars for bar, level in zip(column, LEVELS, strict=True) if bar.count),
        *_heads(len(columns)),
        *_names(bars[0]),
    ]
    width = LEFT + COLUMN * len(steps) + BAR + 40
    bottom = max(bar.top + bar.height for column in bars for bar in column if bar.count)
    return svg(width, bottom + 12, title, _told(steps), parts)


def _column(place: int, counts: Sequence[int], n: int) -> list[_Bar]:
    """What was right hangs from the top, what was wrong stands on the floor, what had no label hangs below it."""
    x, floor = LEFT + COLUMN * place, float(TOP + HEIGHT + GAP)
    right, wrong, missing = (HEIGHT * count / n for count in counts)
    tops = (float(TOP), floor - wrong, floor + GAP)
    return [
        _Bar(x, top, height, count) for top, height, count in zip(tops, (right, wrong, missing), counts, strict=True)
    ]


def _bands(steps: Sequence[Moves], bars: Sequence[Sequence[_Bar]], n: int) -> list[str]:
    drawn: list[tuple[bool, str, str]] = []
    for place, step in enumerate(steps):
        left, right = [bar.top for bar in bars[place]], [bar.top for bar in bars[place + 1]]
        levels = list(LEVELS)
        for before, after, count in step.flows():
            source, target = levels.index(str(before)), levels.index(str(after))
            height = HEIGHT * count / n
            if count:
                moved = before != after
                x0, x1 = bars[place][0].x + BAR, bars[place + 1][0].x
                drawn.append(
                    (moved, *_band(x0, x1, left[source], right[target], height, str(before), str(after), count))
                )
            left[source] += height
            right[target] += height
    # Those that moved come last, so that they lie on top; words lie above all bands.
    in_order = sorted(drawn, key=lambda band: band[0])
    return [path for _, path, _ in in_order] + [words for _, _, words in in_order]


def _band(
    x0: float, x1: float, left: float, right: float, height: float, before: str, after: str, count: int
) -> tuple[str, str]:
    middle = (x0 + x1) / 2
    path = (
        f"M{x0:g} {left:.1f}C{middle:g} {left:.1f} {middle:g} {right:.1f} {x1:g} {right:.1f}"
        f"L{x1:g} {right + height:.1f}C{middle:g} {right + height:.1f} {middle:g} {left + height:.1f} {x0:g} {left + height:.1f}Z"
    )
    moved = before != after
    told = f"{LEVELS[before][0]} → {LEVELS[after][0]}: {count}"
    # What moved takes the colour of where it went: that is what the step did to it.
    fill = LEVELS[after][1]
    drawn = (
        f'<path class="{"moved" if moved else "stayed"}" d="{path}" style="fill:{fill}"><title>{told}</title></path>'
    )
    along = 0.22 if moved else 0.5
    x, y = x0 + (x1 - x0) * along, left + height / 2 + (right - left) * (3 * along**2 - 2 * along**3)
    words = (
        f'<text class="{"flip" if moved else "kept"}" x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle">{count}</text>'
    )
    return drawn, words


def _drawn(bar: _Bar, level: str) -> str:
    height = max(bar.height, 1)
    return (
        f'<rect x="{bar.x:g}" y="{bar.top:.1f}" width="{BAR}" height="{height:.1f}" style="fill:{LEVELS[level][1]}"/>'
        f'<text class="count" x="{bar.x + BAR / 2:g}" y="{bar.top - 4:.1f}" text-anchor="middle">{bar.count}</text>'
    )


def _heads(n_columns: int) -> list[str]:
    return [
        f'<text class="head" x="{LEFT + COLUMN * place + BAR / 2:g}" y="10" text-anchor="middle">round {place}</text>'
        for place in range(n_columns)
    ]


def _names(first: Sequence[_Bar]) -> list[str]:
    return [
        f'<text class="name" x="{LEFT - 8}" y="{bar.top + bar.height / 2 + 4:.1f}" text-anchor="end">{LEVELS[level][0]}</text>'
        for bar, level in zip(first, LEVELS, strict=True)
        if bar.count
    ]


def _told(steps: Sequence[Moves]) -> str:
    return "; ".join(
        f"round {place} to {place + 1}: "
        + ", ".join(f"{LEVELS[str(a)][0]} to {LEVELS[str(b)][0]} {count}" for a, b, count in step.flows() if count)
        for place, step in enumerate(steps)
    )
