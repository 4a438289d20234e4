"""How well a machine could agree with people who do not agree among themselves."""

import math
from dataclasses import dataclass

import numpy as np

from crito.model.phrase import Phrase
from crito.stats.agreement import percent_agreement
from crito.stats.bootstrap import cluster_interval
from crito.stats.ratings import IntArray, Ratings
from crito.stats.statistic import Statistic, left_out


@dataclass(frozen=True, slots=True)
class Ceiling:
    """Agreement among people beside agreement with the machine, over items with at least two blind human labels.

    Attributes:
        human: mean over items of the share of agreeing pairs of people; detail `pooled`. It is not the ceiling.
        machine: mean over the same items of the share of people who agree with the machine.
        machine_everywhere: the same over all items, single labels included.
        ratio: machine over human.
        band_low, band_high: a machine that always gives the majority label reaches something between them.
    """

    human: Statistic
    machine: Statistic
    machine_everywhere: Statistic
    ratio: Statistic
    band_low: Statistic
    band_high: Statistic


def ceiling(ratings: Ratings, machine: IntArray, *, seed: int = 0) -> Ceiling:
    """Human agreement, machine agreement, and the band in which the best possible machine lies.

    Args:
        ratings: blind human labels.
        machine: the machine's label of each item as a code, negative where it has none, shape (n_items,).
        seed: of the bootstrap over items.

    Returns:
        `insufficient` when no item with a machine label has two human labels.

    Raises:
        ValueError: `machine` has not one label per item.

    Source: STATISTICS 5.8.
    """
    if machine.shape != (len(ratings.items),):
        raise ValueError(f"ceiling: one machine label for each of {len(ratings.items)} items, but got {machine.shape}")
    judged = machine[ratings.item] >= 0
    dropped = left_out({"no_machine_label": int((~judged).sum())})
    ratings = ratings.where(judged)
    counts = ratings.counts()
    n = counts.sum(axis=1)
    agreeing = np.where(machine >= 0, counts[np.arange(len(counts)), np.maximum(machine, 0)], 0)
    human = percent_agreement(ratings, seed=seed).renamed("human_agreement")
    with_two = _mean_share("machine_agreement", agreeing[n >= 2], n[n >= 2], dropped, seed)
    everywhere = _mean_share("machine_agreement_everywhere", agreeing[n >= 1], n[n >= 1], dropped, seed)
    if human.value is None or with_two.value is None:
        reason = human.reason or with_two.reason
        nothing = [
            Statistic.absent(name, "insufficient", reason, n=0, method="ceiling from people", dropped=dropped)
            for name in ("machine_to_human", "ceiling_low", "ceiling_high")
        ]
        return Ceiling(human, with_two, everywhere, *nothing)
    method = f"bound of the majority label from pairs, {len(ratings.labels)} labels"
    two_labels = len(ratings.labels) == 2 and human.value >= 0.5
    high = (1 + math.sqrt(2 * human.value - 1)) / 2 if two_labels else math.sqrt(human.value)
    if human.value > 0:
        ratio = Statistic("machine_to_human", with_two.value / human.value, with_two.n, "ratio", dropped=dropped)
    else:
        ratio = Statistic.absent(
            "machine_to_human",
            "undefined",
            Phrase("no pair of people agrees"),
            n=with_two.n,
            method="ratio",
            dropped=dropped,
        )
    return Ceiling(
        human, with_two, everywhere, ratio,
        band_low=Statistic("ceiling_low", human.value, human.n, method, dropped=dropped),
        band_high=Statistic("ceiling_high", high, human.n, method, dropped=dropped),
    )  # fmt: skip


def _mean_share(name: str, agreeing: IntArray, n: IntArray, dropped: dict[str, int], seed: int) -> Statistic:
    method = "share of people who agree with the machine, mean over items"
    if not len(n):
        return Statistic.absent(name, "insufficient", Phrase("no item to compare"), n=0, method=method, dropped=dropped)
    shares = agreeing / n
    return Statistic(
        name, float(shares.mean()), len(shares), method, dropped=dropped,
        cluster_interval=cluster_interval(
            np.stack([shares, np.ones(len(shares))], axis=1), lambda s: s[:, 0] / s[:, 1], seed=seed
        ),
    )  # fmt: skip
