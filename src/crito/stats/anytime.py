"""Lower bounds for an agreement rate that hold whenever one looks, however often one has looked before."""

import math

import numpy as np
import numpy.typing as npt

from crito.model.phrase import Phrase
from crito.stats.bounds import ALPHA, CorpusBound, check_counts, corpus_bound
from crito.stats.ratings import FloatArray
from crito.stats.statistic import Statistic

LARGEST_EXPONENT = 700.0
"""Beyond this, an e-value is only given as its logarithm."""


def log_e_value(agreeing: int, n: int, threshold: float, *, prior: tuple[float, float] = (1.0, 1.0)) -> Statistic:
    """Evidence that a rate is above a threshold: the logarithm of a mixture e-value, for a stream of items.

    Args:
        agreeing, n: so far, 0 ≤ agreeing ≤ n.
        threshold: of the hypothesis that the rate is at most that; inside (0, 1).
        prior: a and b of the beta distribution, cut to above the threshold, that is mixed over.

    Returns:
        The natural logarithm; reject at level alpha as soon as it reaches ln(1 / alpha). Detail `e` is the e-value,
        None where it is too large for a number.

    Raises:
        ValueError: the counts do not fit, or the threshold is not inside (0, 1).

    Source: STATISTICS 5.6, stream.
    """
    check_counts("log_e_value", agreeing, n)
    if not 0 < threshold < 1:
        raise ValueError(f"log_e_value: a threshold must be inside (0, 1), but got {threshold!r}")
    value = _log_e(agreeing, n, threshold, prior)
    e = math.exp(value) if value < LARGEST_EXPONENT else None
    return Statistic(
        "log_e_value", value, n, f"beta({prior[0]:g}, {prior[1]:g}) mixture against a rate of at most {threshold:g}",
        details={"e": e, "agreeing": agreeing},
    )  # fmt: skip


def anytime_lower(agreeing: int, n: int, *, alpha: float = ALPHA, prior: tuple[float, float] = (1.0, 1.0)) -> Statistic:
    """Lower bound for the rate of a stream that may be looked at after every item.

    Args:
        agreeing, n: so far.
        alpha: chance that the true rate is ever below the bound.
        prior: as in `log_e_value`.

    Returns:
        In [0, 1); 0 when nothing agrees; `insufficient` for n = 0. The largest bound seen so far may be kept
        (`anytime_lower_so_far`).

    Raises:
        ValueError: the counts do not fit.

    Source: STATISTICS 5.6, stream.
    """
    # scipy costs a second and more, so it is imported where it is used
    from scipy.optimize import brentq

    check_counts("anytime_lower", agreeing, n)
    method = f"anytime-valid beta mixture, one-sided {(1 - alpha) * 100:g} %"
    if n == 0:
        return Statistic.absent("agreement_lower_bound", "insufficient", Phrase("no comparisons"), n=0, method=method)
    needed = -math.log(alpha)
    low, high = 1e-12, agreeing / n
    bound = 0.0
    if agreeing and _log_e(agreeing, n, low, prior) >= needed:
        # at a rate of 1 the e-value is only defined below it
        high = min(high, 1 - 1e-12)
        bound = float(brentq(lambda rate: _log_e(agreeing, n, rate, prior) - needed, low, high, xtol=1e-12))
    return Statistic("agreement_lower_bound", bound, n, method, details={"agreeing": agreeing, "rate": agreeing / n})


def anytime_lower_so_far(agreed: npt.ArrayLike, *, alpha: float = ALPHA) -> Statistic:
    """The largest anytime-valid bound seen along a stream of answers.

    Args:
        agreed: whether each answer agreed, in the order they came, shape (n,).
        alpha: as in `anytime_lower`.
    """
    answers = np.asarray(agreed, bool)
    bounds = [anytime_lower(int(total), n, alpha=alpha) for n, total in enumerate(np.cumsum(answers), start=1)] or [
        anytime_lower(0, 0, alpha=alpha)
    ]
    return max(bounds, key=lambda bound: -1.0 if bound.value is None else bound.value)


def log_e_values_of_corpus(agreeing: int, n: int, corpus: int, *, least: int = 0) -> FloatArray:
    """Evidence against "at most G of all items agree" for a closed corpus, for each G from `least` to `corpus` - 1.

    Falls with G, shape (corpus - least,).

    Infinite where that many already agree in the sample, minus infinite where the sample cannot speak against it.

    Source: STATISTICS 5.6, closed corpus.
    """
    # scipy costs a second and more, so it is imported where it is used
    from scipy.special import gammaln

    disagreeing = n - agreeing
    possible = np.arange(least, corpus + 1)
    chance = np.full(len(possible), -np.inf)
    inside = (possible >= agreeing) & (corpus - possible >= disagreeing)
    g = possible[inside].astype(np.float64)
    # logarithms of the falling factorials (G)_S and (N - G)_F
    chance[inside] = (
        gammaln(g + 1) - gammaln(g - agreeing + 1) + gammaln(corpus - g + 1) - gammaln(corpus - g - disagreeing + 1)
    )
    # from the top down: log of the sum over all G above G0
    above = np.logaddexp.accumulate(chance[:0:-1])[::-1]
    with np.errstate(invalid="ignore"):
        evidence = above - np.log(corpus - possible[:-1]) - chance[:-1]
    evidence[possible[:-1] < agreeing] = np.inf
    evidence[corpus - possible[:-1] < disagreeing] = -np.inf
    return np.asarray(evidence)


def anytime_corpus_lower(agreeing: int, n: int, corpus: int, *, alpha: float = ALPHA) -> CorpusBound:
    """Lower bound for a closed corpus whose sample, in random order, may be looked at after every item.

    Args:
        agreeing, n: of the simple random sample so far.
        corpus: items in all, at least n.
        alpha: chance that the bound is ever wrong.

    Returns:
        As `hypergeometric_lower`; the rule for handing over uses `rest`.

    Raises:
        ValueError: the counts do not fit.

    Source: STATISTICS 5.6, closed corpus.
    """
    check_counts("anytime_corpus_lower", agreeing, n, corpus)
    method = f"anytime-valid hypergeometric mixture, one-sided {(1 - alpha) * 100:g} %"
    if corpus == 0:
        return corpus_bound(0, 0, 0, 0, method)
    rejected = np.flatnonzero(log_e_values_of_corpus(agreeing, n, corpus) >= -math.log(alpha))
    return corpus_bound(int(rejected[-1]) + 1 if len(rejected) else 0, agreeing, n, corpus, method)


def still_needed(
    agreeing: int, n: int, threshold: float, *, corpus: int | None = None, alpha: float = ALPHA
) -> int | None:
    """How many more blind items would do if all of them agreed; 0 when the bound is above the threshold already.

    Args:
        agreeing, n: so far.
        threshold: the bound has to exceed it; inside (0, 1).
        corpus: for a closed corpus, where the bound is that of the rest.
        alpha: as in `anytime_lower`.

    Returns:
        None when not even all the items left would do.

    Raises:
        ValueError: the counts do not fit, or the threshold is not inside (0, 1).

    Source: STATISTICS 5.5.
    """
    check_counts("still_needed", agreeing, n, corpus)
    if not 0 < threshold < 1:
        raise ValueError(f"still_needed: a threshold must be inside (0, 1), but got {threshold!r}")

    if corpus is not None:
        # the bound goes up and down by single items, so every number has to be tried
        return next(
            (more for more in range(corpus - n) if _rest_exceeds(agreeing + more, n + more, corpus, threshold, alpha)),
            None,
        )

    def enough(more: int) -> bool:
        return n + more > 0 and _log_e(agreeing + more, n + more, threshold, (1.0, 1.0)) > -math.log(alpha)

    low, high = 0, 1
    while not enough(high):
        low, high = high + 1, 2 * high
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle + 1, high)
    return low


def alpha_at_look(alpha: float, look: int) -> float:
    """The level for the look-th try (from 1) of a series without end, so that all tries together keep `alpha`.

    Raises:
        ValueError: `look` is below 1.

    Source: STATISTICS 5.5, version after version, and 6.5.
    """
    if look < 1:
        raise ValueError(f"alpha_at_look: looks count from 1, but got {look!r}")
    return alpha * 6 / (math.pi * look) ** 2


def graded_log_capital(scores: npt.ArrayLike, mean: float, *, alpha: float = ALPHA) -> FloatArray:
    """Log capital of a bet against "the mean is at most `mean`", after each score, shape (n,).

    Args:
        scores: agreement in [0, 1], in the order they came, shape (n,).
        mean: of the hypothesis, inside (0, 1).
        alpha: level the bets are tuned to.

    Raises:
        ValueError: a score is outside [0, 1], or the mean not inside (0, 1).

    Source: STATISTICS 5.6, graded.
    """
    x = np.asarray(scores, np.float64)
    if not ((x >= 0) & (x <= 1)).all():
        raise ValueError("graded_log_capital: scores must be in [0, 1]")
    if not 0 < mean < 1:
        raise ValueError(f"graded_log_capital: the mean must be inside (0, 1), but got {mean!r}")
    t = np.arange(1, len(x) + 1)
    centre = (0.5 + np.cumsum(x)) / (t + 1)
    spread = (0.25 + np.cumsum((x - centre) ** 2)) / (t + 1)
    spread_before = np.concatenate([[0.25], spread[:-1]])
    bet = np.minimum(np.sqrt(2 * math.log(1 / alpha) / (t * np.log(t + 1) * spread_before)), 1 / (2 * mean))
    return np.cumsum(np.log1p(bet * (x - mean)))


def graded_lower(scores: npt.ArrayLike, *, alpha: float = ALPHA) -> Statistic:
    """Lower bound for the mean of graded agreement that may be looked at after every score.

    Args:
        scores: in [0, 1], in the order they came, shape (n,).
        alpha: chance that the mean is ever below the bound.

    Returns:
        In [0, 1), 0 when no mean is rejected; `insufficient` without scores. For scores of only 0 and 1,
        `anytime_lower` is tighter.

    Raises:
        ValueError: a score is outside [0, 1].

    Source: STATISTICS 5.6, graded.
    """
    x = np.asarray(scores, np.float64)
    method = f"anytime-valid betting, one-sided {(1 - alpha) * 100:g} %"
    if not len(x):
        return Statistic.absent("agreement_lower_bound", "insufficient", Phrase("no comparisons"), n=0, method=method)
    low, high = 0.0, 1.0
    while high - low > 1e-10:
        middle = (low + high) / 2
        rejected = graded_log_capital(x, middle, alpha=alpha).max() >= -math.log(alpha)
        low, high = (middle, high) if rejected else (low, middle)
    return Statistic("agreement_lower_bound", low, len(x), method, details={"mean": float(x.mean())})


def _rest_exceeds(agreeing: int, n: int, corpus: int, threshold: float, alpha: float) -> bool:
    # the bound for the rest exceeds the threshold iff the largest count for which it would not is rejected
    rest = corpus - n
    count = agreeing + math.ceil(threshold * rest) + 1
    while count > agreeing and (count - agreeing) / rest > threshold:
        count -= 1
    if count >= corpus:
        return False
    return bool(log_e_values_of_corpus(agreeing, n, corpus, least=count)[0] >= -math.log(alpha))


def _log_e(agreeing: int, n: int, threshold: float, prior: tuple[float, float]) -> float:
    # scipy costs a second and more, so it is imported where it is used
    from scipy.special import betaln

    a, b = prior
    after = a + agreeing, b + n - agreeing
    return float(
        betaln(*after) + _log_beta_tail(threshold, *after) - betaln(a, b) - _log_beta_tail(threshold, a, b)
        - agreeing * math.log(threshold) - (n - agreeing) * math.log1p(-threshold)
    )  # fmt: skip


def _log_beta_tail(x: float, a: float, b: float) -> float:
    # scipy costs a second and more, so it is imported where it is used
    from scipy.special import betaincc, betaln, hyp2f1

    tail = float(betaincc(a, b, x))
    if tail > 0:
        return math.log(tail)
    # too small for a number: the tail's series, whose terms fall because x is far above the mean here
    return float(
        a * math.log(x) + b * math.log1p(-x) - math.log(b) - betaln(a, b) + math.log(hyp2f1(a + b, 1, b + 1, 1 - x))
    )
