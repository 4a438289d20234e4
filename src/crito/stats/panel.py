"""A panel of judges who score both sides of a debate: verdicts, the effect of who speaks first, agreement."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

import numpy as np
import numpy.typing as npt

from crito.model.phrase import Phrase
from crito.stats.agreement import krippendorff_alpha_from_counts
from crito.stats.proportions import share
from crito.stats.ratings import FloatArray
from crito.stats.statistic import Detail, Statistic, left_out

Side = Literal["a", "b", "tie"]

LOWEST, HIGHEST = 0, 10
EXACT_TOPICS = 16
"""Up to so many topics every pattern of signs is tried; beyond, this many are drawn."""
DRAWN_PATTERNS = 10_000


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """What each judge gave each side on each topic in one order of speaking.

    Attributes:
        a, b: scores of side A and of side B, 0 to 10, NaN where missing, shape (n_judges, n_topics).
    """

    a: FloatArray
    b: FloatArray

    def __post_init__(self) -> None:
        if self.a.shape != self.b.shape or self.a.ndim != 2:
            raise ValueError(
                f"Scores: both sides must have one shape (n_judges, n_topics), but got {self.a.shape}, {self.b.shape}"
            )
        for name, side in (("a", self.a), ("b", self.b)):
            given = side[~np.isnan(side)]
            if ((given < LOWEST) | (given > HIGHEST)).any():
                raise ValueError(f"Scores: scores run from {LOWEST} to {HIGHEST}, but side {name} has {given.tolist()}")


@dataclass(frozen=True, slots=True)
class JudgeVerdict:
    """One judge's totals; winner None when a topic was not scored, which voids the order."""

    total_a: float | None
    total_b: float | None
    winner: Side | None


@dataclass(frozen=True, slots=True)
class PanelVerdict:
    """The judges' verdicts, and the side with more of them; None when no judge scored every topic."""

    judges: tuple[JudgeVerdict, ...]
    winner: Side | None


@dataclass(frozen=True, slots=True)
class Effect:
    """A mean over cells (judge x topic) that both orders scored, by judge, by topic and overall; None where empty."""

    overall: Statistic
    by_judge: tuple[float | None, ...]
    by_topic: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class SwapEffects:
    """The same debate judged in both orders of speaking.

    Attributes:
        consistency: share of judges with one verdict in both orders (a tie equals only a tie).
        cell_consistency: share of cells in which the same side is ahead in both; details `a_both`, `b_both`,
            `first_speaker`, `second_speaker`, `with_tie`.
        position: what a side gains by speaking first; sign-flip test over topics.
        side: how far A is ahead of B when both orders are averaged.
        winner: by the side effect, which the order of speaking cannot move.
    """

    consistency: Statistic
    cell_consistency: Statistic
    position: Effect
    side: Effect
    winner: Side | None


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """How far judges agree about what they scored; the ordinal alpha is the headline."""

    kendall_w: Statistic
    alpha_nominal: Statistic
    alpha_ordinal: Statistic
    alpha_interval: Statistic


def scores(a: npt.ArrayLike, b: npt.ArrayLike) -> Scores:
    """Scores from nested lists, NaN where missing, shape (n_judges, n_topics) each.

    Raises:
        ValueError: shapes differ, or a score is outside 0 to 10.
    """
    return Scores(np.asarray(a, np.float64), np.asarray(b, np.float64))


def panel_verdict(given: Scores) -> PanelVerdict:
    """Each judge's totals and winner, and the side that most judges prefer; equal numbers are a tie.

    Source: `socrasynth`, Tables 5 and 6; STATISTICS 4.2.
    """
    judges = tuple(_judge(a, b) for a, b in zip(given.a, given.b, strict=True))
    winners = [judge.winner for judge in judges if judge.winner is not None]
    return PanelVerdict(judges, _ahead(winners.count("a"), winners.count("b")) if winners else None)


def swap_effects(a_first: Scores, b_first: Scores, *, seed: int = 0) -> SwapEffects:
    """What the order of speaking did to a panel's scores.

    Args:
        a_first, b_first: scores of the same judges on the same topics when A, and when B, argues first.
        seed: of the sign-flip test when there are more than 16 topics.

    Returns:
        Cells without all four scores are dropped and counted; `undefined` when none is left.

    Raises:
        ValueError: the two have different shapes.

    Source: `socrasynth`, Tables 5 and 6; STATISTICS 4.2.
    """
    if a_first.a.shape != b_first.a.shape:
        raise ValueError(f"swap_effects: both orders need one shape, but got {a_first.a.shape} and {b_first.a.shape}")
    position = ((a_first.a - b_first.a) + (b_first.b - a_first.b)) / 2
    side = ((a_first.a + b_first.a) - (b_first.b + a_first.b)) / 2
    dropped = left_out({"cell_with_missing_score": int(np.isnan(side).sum())})
    found = _effect("side_effect", side, dropped)
    return SwapEffects(
        consistency=_verdict_consistency(a_first, b_first),
        cell_consistency=_cell_consistency(a_first, b_first, dropped),
        position=_effect("position_effect", position, dropped, test=True, seed=seed),
        side=found,
        winner=None if found.overall.value is None else _ahead(found.overall.value, 0.0),
    )


def judge_agreement(matrix: npt.ArrayLike) -> JudgeAgreement:
    """Agreement of judges on what they scored: Kendall's W and Krippendorff's alpha.

    Args:
        matrix: scores, NaN where missing, shape (n_judges, n_things); things are topics of each side, for example.

    Source: STATISTICS 4.2.
    """
    table = np.asarray(matrix, np.float64)
    levels, place = np.unique(table[~np.isnan(table)], return_inverse=True)
    counts = np.zeros((table.shape[1], len(levels)), np.int64)
    np.add.at(counts, (np.nonzero(~np.isnan(table))[1], place), 1)
    values = levels.tolist()
    return JudgeAgreement(
        kendall_w=kendall_w(table),
        alpha_nominal=krippendorff_alpha_from_counts(counts, "nominal"),
        alpha_ordinal=krippendorff_alpha_from_counts(counts, "ordinal"),
        alpha_interval=krippendorff_alpha_from_counts(counts, "interval", values=values),
    )


def kendall_w(matrix: npt.ArrayLike) -> Statistic:
    """Kendall's coefficient of concordance, corrected for ties.

    Args:
        matrix: scores, NaN where missing, shape (n_judges, n_things).

    Returns:
        In [0, 1] with chi-square p-value; details `chi2`, `df`. Things that a judge did not score are dropped and
        counted. `insufficient` with fewer than 2 judges or 3 things; `undefined` when a judge scored all alike.

    Source: STATISTICS 4.2.
    """
    # scipy costs a second and more, so it is imported where it is used
    from scipy.stats import chi2, rankdata

    table = np.asarray(matrix, np.float64)
    complete = ~np.isnan(table).any(axis=0)
    dropped = left_out({"thing_with_missing_score": int((~complete).sum())})
    table = table[:, complete]
    m, n = table.shape
    name, method = "kendall_w", "Kendall's W with tie correction"
    if m < 2 or n < 3:
        return Statistic.absent(
            name, "insufficient", Phrase("fewer than two judges or three things"), n=n, method=method, dropped=dropped
        )
    if (np.ptp(table, axis=1) == 0).any():
        return Statistic.absent(
            name, "undefined", Phrase("a judge gave everything one score"), n=n, method=method, dropped=dropped
        )
    sums = np.asarray(rankdata(table, axis=1), np.float64).sum(axis=0)
    spread = float(((sums - sums.mean()) ** 2).sum())
    tied = [np.unique(row, return_counts=True)[1].astype(np.float64) for row in table]
    ties = sum(float((times**3 - times).sum()) for times in tied)
    w = 12 * spread / (m**2 * (n**3 - n) - m * ties)
    statistic = m * (n - 1) * w
    return Statistic(
        name, w, n, method, dropped=dropped, p_value=float(chi2.sf(statistic, n - 1)),
        details={"chi2": statistic, "df": n - 1, "judges": m},
    )  # fmt: skip


def _judge(a: FloatArray, b: FloatArray) -> JudgeVerdict:
    if np.isnan(a).any() or np.isnan(b).any():
        return JudgeVerdict(None, None, None)
    total_a, total_b = float(a.sum()), float(b.sum())
    return JudgeVerdict(total_a, total_b, _ahead(total_a, total_b))


def _ahead(a: float, b: float) -> Side:
    return "a" if a > b else "b" if b > a else "tie"


def _verdict_consistency(a_first: Scores, b_first: Scores) -> Statistic:
    both = [
        (one.winner, other.winner)
        for one, other in zip(panel_verdict(a_first).judges, panel_verdict(b_first).judges, strict=True)
    ]
    told = [one == other for one, other in both if one is not None and other is not None]
    return share(
        "swap_consistency", sum(told), len(told), dropped=left_out({"judge_without_verdict": len(both) - len(told)}),
        empty=Phrase("no judge has a verdict in both orders"),
    )  # fmt: skip


def _cell_consistency(a_first: Scores, b_first: Scores, dropped: dict[str, int]) -> Statistic:
    one, other = np.sign(a_first.a - a_first.b).ravel(), np.sign(b_first.a - b_first.b).ravel()
    known = ~np.isnan(one + other)
    one, other = one[known], other[known]
    details: dict[str, Detail] = {
        "a_both": int(((one > 0) & (other > 0)).sum()), "b_both": int(((one < 0) & (other < 0)).sum()),
        "first_speaker": int(((one > 0) & (other < 0)).sum()), "second_speaker": int(((one < 0) & (other > 0)).sum()),
        "with_tie": int(((one == 0) | (other == 0)).sum()),
    }  # fmt: skip
    found = share(
        "cell_consistency",
        int((one == other).sum()),
        len(one),
        dropped=dropped,
        empty=Phrase("no cell has all four scores"),
    )
    return Statistic(
        found.name, found.value, found.n, found.method, dropped=dropped, interval=found.interval,
        details={**found.details, **details}, status=found.status, reason=found.reason,
    )  # fmt: skip


def _effect(name: str, cells: FloatArray, dropped: dict[str, int], *, test: bool = False, seed: int = 0) -> Effect:
    known = ~np.isnan(cells)
    by_topic = _means(list(cells.T))
    n = int(known.sum())
    if n == 0:
        overall = Statistic.absent(
            name, "undefined", Phrase("no cell has all four scores"), n=0, method="mean over cells", dropped=dropped
        )
        return Effect(overall, _means(list(cells)), by_topic)
    topics = [topic for topic in by_topic if topic is not None]
    overall = Statistic(
        name, float(cells[known].mean()), n, "mean over cells" + (", sign-flip test over topics" if test else ""),
        dropped=dropped, p_value=_sign_flip(np.array(topics), seed) if test else None,
    )  # fmt: skip
    return Effect(overall, _means(list(cells)), by_topic)


def _means(rows: Sequence[FloatArray]) -> tuple[float | None, ...]:
    return tuple(float(np.nanmean(row)) if (~np.isnan(row)).any() else None for row in rows)


def _sign_flip(topics: FloatArray, seed: int) -> float:
    observed = abs(float(topics.mean()))
    if len(topics) <= EXACT_TOPICS:
        signs = np.array(list(product((-1, 1), repeat=len(topics))))
        return float((np.abs(signs @ topics) / len(topics) >= observed - 1e-12).mean())
    signs = np.random.default_rng(seed).choice((-1, 1), size=(DRAWN_PATTERNS, len(topics)))
    extreme = int((np.abs(signs @ topics) / len(topics) >= observed - 1e-12).sum())
    return (1 + extreme) / (DRAWN_PATTERNS + 1)
