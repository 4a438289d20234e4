"""Lower bounds for one agreement rate at a sample size declared beforehand, and how many items a decision needs."""

import math
from dataclasses import dataclass
from statistics import NormalDist

from crito.model.phrase import Phrase
from crito.stats.statistic import LEVEL, Statistic

ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class CorpusBound:
    """Lower bound for a closed corpus from which a simple random sample was drawn.

    Attributes:
        count: at least so many of all items agree.
        everything: `count` as a share of all items.
        rest: the bound for the items outside the sample, which are the ones to be handed over.
    """

    count: int
    everything: Statistic
    rest: Statistic


@dataclass(frozen=True, slots=True)
class Plan:
    """A sample size, and how many of it must agree."""

    n: int
    agreeing: int


def clopper_pearson_lower(agreeing: int, n: int, *, alpha: float = ALPHA) -> Statistic:
    """One-sided exact lower bound for an agreement rate, at a sample size declared beforehand.

    Args:
        agreeing, n: whole numbers, 0 ≤ agreeing ≤ n.
        alpha: chance that the true rate lies below the bound.

    Returns:
        In [0, 1); 0 when nothing agrees; `insufficient` for n = 0.

    Raises:
        ValueError: the counts do not fit.

    Source: `blind`; STATISTICS 5.4.
    """
    # scipy costs a second and more, so it is imported where it is used
    from scipy.stats import beta

    check_counts("clopper_pearson_lower", agreeing, n)
    method = f"Clopper–Pearson, one-sided {(1 - alpha) * 100:g} %"
    if n == 0:
        return Statistic.absent("agreement_lower_bound", "insufficient", Phrase("no comparisons"), n=0, method=method)
    low = float(beta.ppf(alpha, agreeing, n - agreeing + 1)) if agreeing else 0.0
    return Statistic("agreement_lower_bound", low, n, method, details={"agreeing": agreeing, "rate": agreeing / n})


def wilson_lower(agreeing: int, n: int, *, alpha: float = ALPHA) -> Statistic:
    """One-sided Wilson lower bound, for display; arguments and result as in `clopper_pearson_lower`.

    Source: STATISTICS 5.4.
    """
    check_counts("wilson_lower", agreeing, n)
    method = f"Wilson, one-sided {(1 - alpha) * 100:g} %"
    if n == 0:
        return Statistic.absent("agreement_lower_bound", "insufficient", Phrase("no comparisons"), n=0, method=method)
    z, rate = NormalDist().inv_cdf(1 - alpha), agreeing / n
    middle = rate + z * z / (2 * n)
    half = z * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    low = max(0.0, (middle - half) / (1 + z * z / n))
    return Statistic("agreement_lower_bound", low, n, method, details={"agreeing": agreeing, "rate": rate})


def hypergeometric_lower(agreeing: int, n: int, corpus: int, *, alpha: float = ALPHA) -> CorpusBound:
    """Exact lower bound for a closed corpus, from a simple random sample of a size declared beforehand.

    Args:
        agreeing, n: of the sample.
        corpus: items in all, at least n.
        alpha: chance that fewer agree than the bound says.

    Returns:
        `rest` is `not_applicable` when the sample is the whole corpus; both are `insufficient` for n = 0.

    Raises:
        ValueError: the counts do not fit.

    Source: STATISTICS 5.4.
    """
    # scipy costs a second and more, so it is imported where it is used
    from scipy.stats import hypergeom

    check_counts("hypergeometric_lower", agreeing, n, corpus)
    low, high = agreeing, corpus - (n - agreeing)
    while low < high:
        middle = (low + high) // 2
        if float(hypergeom.sf(agreeing - 1, corpus, middle, n)) > alpha:
            high = middle
        else:
            low = middle + 1
    return corpus_bound(low, agreeing, n, corpus, f"hypergeometric, one-sided {(1 - alpha) * 100:g} %")


def corpus_bound(count: int, agreeing: int, n: int, corpus: int, method: str) -> CorpusBound:
    """The bound for all items and for the rest, from the least number of agreeing items."""
    everything, rest = "agreement_lower_bound", "agreement_lower_bound_of_the_rest"
    details = {"agreeing": agreeing, "corpus": corpus, "count": count}
    if n == 0:
        return CorpusBound(0, *(
            Statistic.absent(name, "insufficient", Phrase("no comparisons"), n=0, method=method) for name in (everything, rest)
        ))  # fmt: skip
    if n == corpus:
        nothing_left = Statistic.absent(
            rest, "not_applicable", Phrase("every item is in the sample"), n=n, method=method
        )
        return CorpusBound(count, Statistic(everything, count / corpus, n, method, details=details), nothing_left)
    return CorpusBound(
        count,
        Statistic(everything, count / corpus, n, method, details=details),
        Statistic(rest, (count - agreeing) / (corpus - n), n, method, details=details),
    )


def least_sample(threshold: float, disagreements: int, *, alpha: float = ALPHA) -> int:
    """Smallest declared sample in which so many disagreements still put the exact lower bound above the threshold.

    Raises:
        ValueError: the threshold is not inside (0, 1).

    Source: STATISTICS 5.4.
    """
    # scipy costs a second and more, so it is imported where it is used
    from scipy.stats import beta

    _refuse_threshold("least_sample", threshold)
    n = disagreements + 1
    while float(beta.ppf(alpha, n - disagreements, disagreements + 1)) <= threshold:
        n += 1
    return n


def plan_for_power(true_rate: float, threshold: float, *, power: float = 0.8, alpha: float = ALPHA) -> Plan:
    """Sample from which on an exact one-sided test shows a true rate to be above the threshold with this power.

    The power of an exact test goes up and down with n; from the planned n on it stays at least `power`.

    Raises:
        ValueError: the true rate is not above the threshold, or one is not inside (0, 1).

    Source: STATISTICS 5.4, planning.
    """
    # scipy costs a second and more, so it is imported where it is used
    from scipy.stats import binom

    _refuse_threshold("plan_for_power", threshold)
    if not threshold < true_rate < 1:
        raise ValueError(
            f"plan_for_power: the true rate must be above {threshold!r} and below 1, but got {true_rate!r}"
        )

    def needed(n: int) -> int:
        # least k whose chance under the threshold, P(X >= k), is at most alpha
        return int(binom.isf(alpha, n, threshold)) + 1

    def reached(n: int) -> bool:
        return float(binom.sf(needed(n) - 1, n, true_rate)) >= power

    far = 16
    while not all(reached(n) for n in range(far, far + far // 2)):
        far *= 2
    n = far
    while n > 1 and reached(n - 1):
        n -= 1
    return Plan(n, needed(n))


def sample_for_margin(rate: float, margin: float, *, corpus: int | None = None, level: float = LEVEL) -> int:
    """Items needed to know a rate to within a margin; fewer in a closed corpus.

    Raises:
        ValueError: the rate is outside [0, 1], or the margin outside (0, 1).

    Source: STATISTICS 5.4, margin.
    """
    if not (0 <= rate <= 1 and 0 < margin < 1):
        raise ValueError(f"sample_for_margin: rate in [0, 1] and margin in (0, 1), but got {rate!r} and {margin!r}")
    z = NormalDist().inv_cdf((1 + level) / 2)
    n = math.ceil(z * z * rate * (1 - rate) / margin**2)
    return n if corpus is None else math.ceil(n / (1 + (n - 1) / corpus))


def check_counts(caller: str, agreeing: int, n: int, corpus: int | None = None) -> None:
    """Refuse counts that cannot be.

    Raises:
        ValueError: not 0 ≤ agreeing ≤ n ≤ corpus.
    """
    if not 0 <= agreeing <= n or (corpus is not None and n > corpus):
        of = "" if corpus is None else f" of a corpus of {corpus!r}"
        raise ValueError(f"{caller}: 0 ≤ agreeing ≤ n ≤ corpus, but got {agreeing!r} of {n!r}{of}")


def _refuse_threshold(caller: str, threshold: float) -> None:
    if not 0 < threshold < 1:
        raise ValueError(f"{caller}: a threshold must be inside (0, 1), but got {threshold!r}")
