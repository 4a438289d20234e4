"""Aggregate labels over whole tables: the label that most annotators of an item gave."""

from dataclasses import dataclass

import numpy as np

from crito.model.phrase import Phrase
from crito.stats.proportions import share
from crito.stats.ratings import MISSING, IntArray, Ratings
from crito.stats.statistic import Statistic, left_out


@dataclass(frozen=True, slots=True, eq=False)
class Aggregate:
    """The label with most votes on each item.

    Attributes:
        label: its code, `MISSING` where labels tie or there is none, shape (n_items,).
        decided, tied: share of the items with any label that have one, or a tie.
        unanimous: share of the items with at least two labels on which all agree.
    """

    label: IntArray
    decided: Statistic
    tied: Statistic
    unanimous: Statistic


def aggregate_labels(ratings: Ratings) -> Aggregate:
    """The label with most votes on each item, with or without more than half of them; a tie has none.

    Source: STATISTICS 3.2.
    """
    counts = ratings.counts()
    most, n = counts.max(axis=1, initial=0), counts.sum(axis=1)
    at_top = (counts == most[:, None]).sum(axis=1)
    any_label = n > 0
    decided = any_label & (at_top == 1)
    n_any = int(any_label.sum())
    without = left_out({"item_without_label": int((~any_label).sum())})
    several = n >= 2
    return Aggregate(
        label=np.where(decided, counts.argmax(axis=1), MISSING) if counts.shape[1] else np.full(len(n), MISSING),
        decided=share("decided", int(decided.sum()), n_any, dropped=without, empty=Phrase("no item has a label")),
        tied=share("tied", n_any - int(decided.sum()), n_any, dropped=without, empty=Phrase("no item has a label")),
        unanimous=share(
            "unanimous", int((several & (most == n)).sum()), int(several.sum()),
            dropped=left_out({"item_with_fewer_than_two_labels": int((~several).sum())}),
            empty=Phrase("no item has two labels"),
        ),
    )  # fmt: skip
