"""Before × after tables: how many moved from which label (or confidence step) to which."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from crito.stats.ratings import IntArray, LabelName, Pairs


@dataclass(frozen=True, slots=True, eq=False)
class Moves:
    """Counts of initial × final, all cells present even if 0.

    Attributes:
        labels: the names of rows and columns, in order.
        counts: shape (n_labels, n_labels), rows initial, columns final.
    """

    labels: tuple[LabelName, ...]
    counts: IntArray

    @property
    def n(self) -> int:
        """Pairs in the table."""
        return int(self.counts.sum())

    def count(self, initial: LabelName, final: LabelName) -> int:
        """How many went from `initial` to `final`."""
        return int(self.counts[self.labels.index(initial), self.labels.index(final)])

    def row_shares(self) -> tuple[tuple[float, ...] | None, ...]:
        """Of those who began at each label, the share that ended at each; None for a label nobody began at."""
        return tuple(tuple(float(cell) for cell in row / row.sum()) if row.sum() else None for row in self.counts)

    def flows(self) -> list[tuple[LabelName, LabelName, int]]:
        """Initial label, final label, count, for each cell; the data of a Sankey figure."""
        return [
            (initial, final, int(self.counts[row, column]))
            for row, initial in enumerate(self.labels)
            for column, final in enumerate(self.labels)
        ]


def moves(pairs: Pairs) -> Moves:
    """Initial × final label over the pairs that have both."""
    keep = pairs.eligible
    k = len(pairs.labels)
    flat = np.bincount(pairs.initial[keep] * k + pairs.final[keep], minlength=k * k)
    return Moves(pairs.labels, flat.astype(np.int64).reshape(k, k))


def moves_from_counts(labels: Sequence[LabelName], counts: npt.ArrayLike) -> Moves:
    """A table of moves from its counts, shape (n_labels, n_labels).

    Raises:
        ValueError: the shape does not fit the labels, or a count is negative or no whole number.
    """
    table = np.asarray(counts)
    whole = table.astype(np.int64)
    if table.shape != (len(labels), len(labels)) or (whole != table).any() or (whole < 0).any():
        raise ValueError(
            f"moves_from_counts: counts must be whole, ≥ 0 and of shape {(len(labels),) * 2}, "
            f"but got shape {table.shape}"
        )
    return Moves(tuple(labels), whole)
