"""How confidence moved: mean change, comparison between two groups, transitions."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from crito.model.phrase import Phrase
from crito.stats.bootstrap import clustered_difference, clusters_of
from crito.stats.means import compare_means, mean
from crito.stats.paired import marginal_homogeneity, symmetry
from crito.stats.proportions import share, share_of_rows
from crito.stats.ratings import FloatArray, LabelName, Pairs
from crito.stats.statistic import Statistic
from crito.stats.tables import Moves, moves


@dataclass(frozen=True, slots=True)
class Transitions:
    """Initial × final confidence, with the highest step first.

    Attributes:
        moves: all cells present, even if 0.
        up, down, same: share of pairs that ended more, less, equally confident.
        margins: Stuart–Maxwell test of the two distributions.
        directions: Bowker's test of symmetry.
    """

    moves: Moves
    up: Statistic
    down: Statistic
    same: Statistic
    margins: Statistic
    directions: Statistic


def confidence_change(confidence: Pairs, *, values: Sequence[float] | None = None, seed: int = 0) -> Statistic:
    """Mean of final minus initial confidence: above 0, people ended more confident.

    Args:
        confidence: pairs whose labels are the confidence steps, lowest first.
        values: what each step counts; by default its place, so neighbouring steps are 1 apart.
        seed: of the bootstrap over items.

    Returns:
        In steps (or in units of `values`). Pairs without confidence on either side are dropped and counted.
        `undefined` without pairs.

    Departs: the source subtracts the other way round.

    Source: `socratic`, confidence; STATISTICS 2.5.
    """
    keep = confidence.eligible
    clusters = clusters_of(confidence.item[keep], confidence.annotator[keep])
    return mean(
        "confidence_change", confidence_changes(confidence, values=values),
        cluster=clusters.code if clusters else None, what=clusters.what if clusters else "",
        dropped=confidence.dropped, seed=seed,
    )  # fmt: skip


def confidence_changes(confidence: Pairs, *, values: Sequence[float] | None = None) -> FloatArray:
    """Final minus initial confidence of each pair that has both, shape (n_eligible,); arguments as there.

    Raises:
        ValueError: `values` has another length than there are steps.
    """
    if values is not None and len(values) != len(confidence.labels):
        raise ValueError(
            f"confidence_changes: one value per step {list(confidence.labels)!r}, but got {list(values)!r}"
        )
    worth = np.arange(len(confidence.labels), dtype=np.float64) if values is None else np.asarray(values, np.float64)
    keep = confidence.eligible
    return np.asarray(worth[confidence.final[keep]] - worth[confidence.initial[keep]], np.float64)


def compare_confidence_changes(
    a: Pairs, b: Pairs, *, values: Sequence[float] | None = None, seed: int = 0
) -> Statistic:
    """Mean change of confidence in a minus that in b; see `compare_means`.

    Source: `socratic`, confidence; STATISTICS 2.5.
    """
    changes = [confidence_changes(side, values=values) for side in (a, b)]
    found = compare_means(*changes, name="confidence_change_difference")
    if found.value is None:
        return found
    sides = [side.where(side.eligible) for side in (a, b)]
    return replace(found, cluster_interval=clustered_difference(changes[0], sides[0], changes[1], sides[1], seed=seed))


def share_at_step(confidence: Pairs, step: LabelName, *, final: bool, seed: int = 0) -> Statistic:
    """Share of annotations at one confidence step, initially or finally, over those with any confidence then."""
    ratings = confidence.final_ratings if final else confidence.initial_ratings
    return share_of_rows(
        f"share_{step}_{'final' if final else 'initial'}", ratings.label == ratings.labels.index(step),
        ratings.labelled, ratings, dropped=ratings.dropped, seed=seed, empty=Phrase("no confidence was given"),
    )  # fmt: skip


def transitions(confidence: Pairs) -> Transitions:
    """How many went from which confidence step to which.

    Args:
        confidence: pairs whose labels are the confidence steps, lowest first.

    Source: `socratic`, Figure 4; STATISTICS 2.6.
    """
    lowest_first = moves(confidence)
    highest_first = Moves(lowest_first.labels[::-1], np.ascontiguousarray(lowest_first.counts[::-1, ::-1]))
    return transitions_from_moves(highest_first)


def transitions_from_moves(table: Moves) -> Transitions:
    """Transitions from a table of moves whose labels are the confidence steps, highest first."""
    n = table.n
    above, below = int(np.tril(table.counts, -1).sum()), int(np.triu(table.counts, 1).sum())
    empty = Phrase("no pair has confidence on both sides")
    return Transitions(
        moves=table,
        up=share("share_up", above, n, empty=empty),
        down=share("share_down", below, n, empty=empty),
        same=share("share_same", n - above - below, n, empty=empty),
        margins=marginal_homogeneity(table.counts),
        directions=symmetry(table.counts),
    )
