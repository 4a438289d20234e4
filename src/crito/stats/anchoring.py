"""How far people follow a suggestion because they see it."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from crito.model.phrase import Phrase
from crito.stats.bootstrap import difference_interval
from crito.stats.proportions import share
from crito.stats.ratings import IntArray
from crito.stats.statistic import LEVEL, Detail, Interval, Statistic, left_out


@dataclass(frozen=True, slots=True)
class Reliance:
    """What people did with suggestions whose right answer is known.

    Attributes:
        overreliance: of the wrong suggestions in view, the share that was taken over.
        underreliance: of the right suggestions in view, the share that was not.
    """

    overreliance: Statistic
    underreliance: Statistic


def anchoring_gap(
    shown: npt.ArrayLike,
    blind: npt.ArrayLike,
    *,
    shown_items: Sequence[Hashable] | None = None,
    blind_items: Sequence[Hashable] | None = None,
    min_per_side: int = 5,
    seed: int = 0,
    level: float = LEVEL,
) -> Statistic:
    """How much more often labels equal the suggestion when it is in view.

    Args:
        shown: whether the label equals the suggestion, for each annotation given with it in view, shape (n_shown,).
        blind: the same for each annotation given blind, shape (n_blind,).
        shown_items, blind_items: the item of each; several annotations of one item are resampled together. Without
            them every annotation counts as an item of its own.
        min_per_side: fewest annotations on either side for a gap to be stated.
        seed: of the bootstrap over items.
        level: of the intervals.

    Returns:
        A difference of two shares, in [-1, 1], with its Newcombe interval, a bootstrap over items (None when nothing
        varies), and the p-value of Fisher's exact test. Above 0: pulled towards the suggestion; below: pushed away.
        Details `shown`, `blind` (the shares), Agresti–Caffo bounds. `insufficient` when either side has fewer than
        `min_per_side` annotations.

    Raises:
        ValueError: `min_per_side` is below 1, or items do not fit their annotations.

    Source: `blind`, blind items and the anchoring gap; STATISTICS 5.2–5.3.
    """
    # scipy and statsmodels cost seconds and 150 MB, so they are imported where they are used
    from scipy.stats import fisher_exact
    from statsmodels.stats.proportion import confint_proportions_2indep

    seen, unseen = np.asarray(shown, bool), np.asarray(blind, bool)
    if min_per_side < 1:
        raise ValueError(f"anchoring_gap: min_per_side must be at least 1, but got {min_per_side!r}")
    # without names every annotation is a cluster of its own, on its own side
    names = [
        [(side, row) for row in range(len(given))] if items is None else items
        for side, (given, items) in enumerate(((seen, shown_items), (unseen, blind_items)))
    ]
    if [len(items) for items in names] != [len(seen), len(unseen)]:
        raise ValueError("anchoring_gap: one item per annotation on each side")
    k_s, n_s, k_b, n_b = int(seen.sum()), len(seen), int(unseen.sum()), len(unseen)
    method = "difference of shares, Fisher's exact test"
    details: dict[str, Detail] = {"count_shown": k_s, "n_shown": n_s, "count_blind": k_b, "n_blind": n_b}
    if min(n_s, n_b) < min_per_side:
        return Statistic.absent(
            "anchoring_gap", "insufficient", Phrase("fewer than %(n)s comparisons on a side", n=min_per_side),
            n=n_s + n_b, method=method, details=details,
        )  # fmt: skip
    newcombe = confint_proportions_2indep(k_s, n_s, k_b, n_b, method="newcomb", alpha=1 - level)
    caffo = confint_proportions_2indep(k_s, n_s, k_b, n_b, method="agresti-caffo", alpha=1 - level)
    details |= {
        "shown": k_s / n_s, "blind": k_b / n_b,
        "agresti_caffo_low": float(caffo[0]), "agresti_caffo_high": float(caffo[1]),
    }  # fmt: skip
    return Statistic(
        "anchoring_gap", k_s / n_s - k_b / n_b, n_s + n_b, method,
        interval=Interval(max(float(newcombe[0]), -1.0), min(float(newcombe[1]), 1.0), level, "Newcombe"),
        cluster_interval=difference_interval(seen, names[0], unseen, names[1], seed=seed, level=level),
        p_value=float(fisher_exact([[k_s, n_s - k_s], [k_b, n_b - k_b]])[1]),
        details=details,
    )  # fmt: skip


def reliance(label: IntArray, suggestion: IntArray, reference: IntArray) -> Reliance:
    """Over- and underreliance on suggestions that were in view.

    Args:
        label, suggestion, reference: codes per annotation, shape (n,). Rows without a suggestion or a reference are
            dropped and counted; a missing label, or *not sure*, is not taking the suggestion over.

    Returns:
        Shares in [0, 1], `undefined` when no suggestion was wrong, or right.

    Source: STATISTICS 5.2.
    """
    known = (suggestion >= 0) & (reference >= 0)
    taken, right = known & (label == suggestion), known & (suggestion == reference)
    dropped = left_out({"no_suggestion_or_gold": int((~known).sum())})
    return Reliance(
        overreliance=share(
            "overreliance", int((taken & ~right).sum()), int((known & ~right).sum()),
            dropped=dropped, empty=Phrase("no suggestion was wrong"),
        ),
        underreliance=share(
            "underreliance", int((right & ~taken).sum()), int(right.sum()),
            dropped=dropped, empty=Phrase("no suggestion was right"),
        ),
    )  # fmt: skip


def blind_items_to_see_gap(
    blind: float, shown: float, *, shown_per_blind: float = 1.0, power: float = 0.8, alpha: float = 0.05
) -> int:
    """Blind items needed for a two-sided test to see the difference between two rates of agreement.

    Args:
        blind, shown: the rates, inside (0, 1).
        shown_per_blind: annotations with the suggestion in view for each blind one.
        power, alpha: of the test.

    Raises:
        ValueError: rates are equal or not inside (0, 1).

    Source: STATISTICS 5.3.
    """
    if blind == shown or not (0 < blind < 1 and 0 < shown < 1):
        raise ValueError(f"blind_items_to_see_gap: two different rates inside (0, 1), but got {blind!r} and {shown!r}")
    ratio = shown_per_blind
    pooled = (blind + ratio * shown) / (1 + ratio)
    z_alpha, z_power = NormalDist().inv_cdf(1 - alpha / 2), NormalDist().inv_cdf(power)
    under_null = z_alpha * math.sqrt((1 + 1 / ratio) * pooled * (1 - pooled))
    under_gap = z_power * math.sqrt(blind * (1 - blind) + shown * (1 - shown) / ratio)
    return math.ceil(((under_null + under_gap) / (shown - blind)) ** 2)
