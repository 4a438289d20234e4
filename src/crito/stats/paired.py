"""Tests for two answers about the same thing (signed rank, McNemar, margins, symmetry), and Holm's correction."""

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Literal

import numpy as np
import numpy.typing as npt

from crito.model.phrase import Phrase
from crito.stats.ratings import FloatArray, IntArray
from crito.stats.statistic import LEVEL, Detail, Interval, Statistic

McNemarMethod = Literal["exact", "midp", "chi2_cc"]

EXACT_UP_TO = 50
"""With more non-zero differences than this the signed-rank test uses the normal approximation."""


def signed_rank(differences: npt.ArrayLike, *, name: str = "mean_difference") -> Statistic:
    """Mean of paired differences with Wilcoxon's signed-rank test.

    Differences are rounded to 12 decimals, so that equal fractions tie; zeros are dropped from the test (not from the
    mean) and counted. The p-value is two-sided and exact given the (mid)ranks up to 50 non-zero differences, beyond
    that normal with tie and continuity correction.

    Args:
        differences: finite numbers, shape (n,).
        name: of the statistic.

    Returns:
        The mean difference; details `n_used`, `n_zero`, `w_plus`, `w_minus`, `rank_biserial` in [-1, 1], `p_exact`
        (None above 50), `p_normal`, `p_normal_uncorrected`. All zero: p = 1 and `rank_biserial` None.
        `undefined` without differences.

    Raises:
        ValueError: a difference is not finite.

    Source: `socratic`, flips by item (there called a paired Mann–Whitney test); STATISTICS 2.3.
    """
    # scipy costs a second and more, so it is imported where it is used
    from scipy.stats import rankdata

    numbers = np.round(np.asarray(differences, np.float64), 12)
    if not np.isfinite(numbers).all():
        raise ValueError("signed_rank: differences must be finite; leave missing ones out")
    method = "mean of paired differences, Wilcoxon signed-rank test"
    if not len(numbers):
        return Statistic.absent(name, "undefined", Phrase("no pairs"), n=0, method=method)
    value, used = float(numbers.mean()), numbers[numbers != 0]
    details: dict[str, Detail] = {"n_used": len(used), "n_zero": len(numbers) - len(used)}
    if not len(used):
        details |= {"w_plus": 0.0, "w_minus": 0.0, "rank_biserial": None}
        return Statistic(name, 0.0, len(numbers), method, p_value=1.0, details=details, reason=Phrase("no differences"))
    ranks = np.asarray(rankdata(np.abs(used)), np.float64)
    w_plus, w_minus = float(ranks[used > 0].sum()), float(ranks[used < 0].sum())
    p_exact = None
    if len(used) <= EXACT_UP_TO:
        p_exact = min(1.0, 2 * _chance_of_sum_up_to(ranks, min(w_plus, w_minus)))
    p_normal = _normal_signed_rank_p(ranks, min(w_plus, w_minus), correction=0.5)
    details |= {
        "w_plus": w_plus, "w_minus": w_minus, "rank_biserial": (w_plus - w_minus) / (w_plus + w_minus),
        "p_exact": p_exact, "p_normal": p_normal,
        "p_normal_uncorrected": _normal_signed_rank_p(ranks, min(w_plus, w_minus), correction=0.0),
    }  # fmt: skip
    variant = "normal with continuity correction" if p_exact is None else "exact"
    return Statistic(
        name, value, len(numbers), f"{method}, {variant}",
        p_value=p_normal if p_exact is None else p_exact, details=details,
    )  # fmt: skip


def mcnemar(b: int, c: int, *, n: int | None = None, method: McNemarMethod = "exact") -> Statistic:
    """Do two answers about the same things differ in their share of yes (right, helpful, …)?

    Args:
        b: things where the first is yes and the second is not.
        c: the reverse.
        n: all things, for the difference of shares; without it the value is the share c of b + c.
        method: `exact` binomial, `midp`, or `chi2_cc` (with continuity correction, at least 0).

    Returns:
        `(c - b) / n`, in [-1, 1]: above 0 when the second is yes more often, with the interval of Agresti and Min (half a
        thing added to each cell). Details `b`, `c`, `odds` = c / b (None for
        b = 0), `p_exact`, `p_midp`, `p_chi2_cc`. b + c = 0: p = 1. `undefined` for n = 0, or without n for b + c = 0.

    Raises:
        ValueError: b or c is negative, or more than n together.

    Source: `experts`, Table 4; STATISTICS 3.4.
    """
    # scipy costs a second and more, so it is imported where it is used
    from scipy.stats import binom, chi2

    total = b + c
    if b < 0 or c < 0 or (n is not None and total > n):
        raise ValueError(f"mcnemar: b and c must be at least 0 and at most n together, but got b={b}, c={c}, n={n}")
    p_exact = p_midp = p_chi2 = 1.0
    if total:
        low = min(b, c)
        p_exact = min(1.0, 2 * float(binom.cdf(low, total, 0.5)))
        # half the weight of what was seen; both tails meet in the middle when b = c
        p_midp = 1.0 if b == c else 2 * float(binom.cdf(low, total, 0.5)) - float(binom.pmf(low, total, 0.5))
        p_chi2 = float(chi2.sf(max(0, abs(b - c) - 1) ** 2 / total, 1))
    details: dict[str, Detail] = {
        "b": b, "c": c, "odds": c / b if b else None,
        "p_exact": p_exact, "p_midp": p_midp, "p_chi2_cc": p_chi2,
    }  # fmt: skip
    label = {"exact": "exact binomial", "midp": "mid-p", "chi2_cc": "chi-square with continuity correction"}[method]
    base = total if n is None else n
    if base == 0:
        return Statistic.absent(
            "change_of_share", "undefined", Phrase("no pairs"), n=0, method=f"McNemar, {label}", details=details
        )
    interval = None
    if n is not None:
        difference, spread = (c - b) / (n + 2), total + 1 - (c - b) ** 2 / (n + 2)
        half = NormalDist().inv_cdf((1 + LEVEL) / 2) * math.sqrt(spread) / (n + 2)
        interval = Interval(max(difference - half, -1.0), min(difference + half, 1.0), LEVEL, "Agresti–Min")
    few = method == "chi2_cc" and 0 < total < 25
    return Statistic(
        "change_of_share" if n is not None else "share_of_changes_to_yes",
        (c - b) / n if n is not None else c / total,
        base, f"McNemar, {label}",
        interval=interval,
        p_value={"exact": p_exact, "midp": p_midp, "chi2_cc": p_chi2}[method],
        details=details,
        reason=Phrase("fewer than 25 changes: prefer the exact test") if few else "" if total else Phrase("no changes"),
    )  # fmt: skip


def marginal_homogeneity(counts: npt.ArrayLike) -> Statistic:
    """Stuart–Maxwell test: do the margins of a square table of before × after counts differ?

    Levels that nobody moved to or from carry no information and do not count in the degrees of freedom.

    Args:
        counts: whole numbers ≥ 0, shape (k, k), rows before, columns after.

    Returns:
        The chi-square statistic with detail `df`. Without any change: 0 and p = 1. `undefined` for an empty table.

    Source: STATISTICS 2.6.
    """
    # scipy costs a second and more, so it is imported where it is used
    from scipy.stats import chi2

    table = _square("marginal_homogeneity", counts)
    method = "Stuart–Maxwell"
    name = "marginal_homogeneity"
    n = int(table.sum())
    if n == 0:
        return Statistic.absent(name, "undefined", Phrase("no pairs"), n=0, method=method)
    moved = table - np.diag(np.diag(table))
    shift = moved.sum(axis=1) - moved.sum(axis=0)
    spread = np.diag(moved.sum(axis=1) + moved.sum(axis=0)) - moved - moved.T
    df = int(np.linalg.matrix_rank(spread))
    if df == 0:
        return Statistic(name, 0.0, n, method, p_value=1.0, details={"df": 0}, reason=Phrase("no changes"))
    value = float(shift @ np.linalg.pinv(spread) @ shift)
    return Statistic(name, value, n, method, p_value=float(chi2.sf(value, df)), details={"df": df})


def symmetry(counts: npt.ArrayLike) -> Statistic:
    """Bowker's test: are changes from one level to another as frequent as the reverse?

    Levels that are used neither before nor after do not count in the degrees of freedom.

    Args:
        counts: whole numbers ≥ 0, shape (k, k), rows before, columns after.

    Returns:
        The chi-square statistic with detail `df`. Without any change: 0 and p = 1. `undefined` for an empty table.

    Source: STATISTICS 2.6.
    """
    # scipy costs a second and more, so it is imported where it is used
    from scipy.stats import chi2

    table = _square("symmetry", counts)
    n = int(table.sum())
    if n == 0:
        return Statistic.absent("symmetry", "undefined", Phrase("no pairs"), n=0, method="Bowker")
    used = (table.sum(axis=0) + table.sum(axis=1)) > 0
    table = table[np.ix_(used, used)]
    upper = np.triu_indices(len(table), 1)
    forth, back = table[upper], table.T[upper]
    moved = forth + back
    df = len(moved)
    if not moved.any():
        return Statistic("symmetry", 0.0, n, "Bowker", p_value=1.0, details={"df": df}, reason=Phrase("no changes"))
    value = float(((forth - back)[moved > 0] ** 2 / moved[moved > 0]).sum())
    return Statistic("symmetry", value, n, "Bowker", p_value=float(chi2.sf(value, df)), details={"df": df})


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm-adjusted p-values of one family of tests, in the order given.

    Raises:
        ValueError: a p-value is not in [0, 1].

    Source: STATISTICS 0, multiplicity.
    """
    # statsmodels costs seconds and 150 MB, so it is imported where it is used
    from statsmodels.stats.multitest import multipletests

    wrong = [p for p in p_values if not 0 <= p <= 1]
    if wrong:
        raise ValueError(f"holm: p-values must be in [0, 1], but got {wrong[0]!r}")
    if not p_values:
        return []
    return [float(p) for p in multipletests(list(p_values), method="holm")[1]]


def rank_sum_below(differences: npt.ArrayLike) -> float:
    """One-sided exact p-value of the signed-rank test that differences lie below 0; zeros are dropped, none left: 1.

    Source: STATISTICS 6.7.
    """
    # scipy costs a second and more, so it is imported where it is used
    from scipy.stats import rankdata

    used = np.round(np.asarray(differences, np.float64), 12)
    used = used[used != 0]
    if not len(used):
        return 1.0
    ranks = np.asarray(rankdata(np.abs(used)), np.float64)
    return _chance_of_sum_up_to(ranks, float(ranks[used > 0].sum()))


def _chance_of_sum_up_to(ranks: FloatArray, total: float) -> float:
    # midranks are multiples of one half, so doubled ranks are whole and sums can index an array
    doubled = np.round(2 * ranks).astype(int)
    ways = np.zeros(int(doubled.sum()) + 1)
    ways[0] = 1
    for rank in doubled:
        ways[rank:] = ways[rank:] + ways[: len(ways) - rank]
    return float(ways[: round(2 * total) + 1].sum() / 2.0 ** len(ranks))


def _normal_signed_rank_p(ranks: FloatArray, smaller: float, *, correction: float) -> float:
    n = len(ranks)
    middle = n * (n + 1) / 4
    spread = math.sqrt(float((ranks**2).sum()) / 4)
    z = min(0.0, smaller - middle + correction) / spread
    return min(1.0, math.erfc(-z / math.sqrt(2)))


def _square(caller: str, counts: npt.ArrayLike) -> IntArray:
    given = np.asarray(counts)
    table = given.astype(np.int64)
    if table.ndim != 2 or table.shape[0] != table.shape[1] or (table < 0).any() or (table != given).any():
        raise ValueError(f"{caller}: counts must be a square table of whole numbers, but got shape {table.shape}")
    return table
