"""NASA-TLX workload, without the physical scale."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from crito.stats.means import mean
from crito.stats.statistic import Statistic, left_out

SCALES = ("mental", "effort", "temporal", "performance", "frustration")
"""Performance runs from good to poor, so that higher is worse on every scale."""

LOWEST, HIGHEST = 1, 21
FEWEST_ANSWERS = 4


@dataclass(frozen=True, slots=True)
class Workload:
    """Workload of a group of people.

    Attributes:
        scales: mean of each scale, 1 to 21, over those who answered it, detail `sd`.
        persons: each person's mean over the answered scales; None with fewer than 4 answers.
        raw: mean over persons, 1 to 21.
        rescaled: the same on 0 to 100.
    """

    scales: Mapping[str, Statistic]
    persons: tuple[float | None, ...]
    raw: Statistic
    rescaled: Statistic


def workload(answers: Mapping[str, Sequence[float | None]]) -> Workload:
    """Means by scale and the unweighted overall mean.

    Args:
        answers: for each of `SCALES` the persons' answers in one order, None where missing, each of shape (n_persons,).

    Raises:
        ValueError: scales are missing or unknown, columns differ in length, or an answer is outside 1 to 21.

    Source: `socratic`, workload; STATISTICS 2.8.
    """
    if set(answers) != set(SCALES) or len({len(column) for column in answers.values()}) > 1:
        raise ValueError(
            f"workload: one column of equal length for each of {list(SCALES)}, but got "
            f"{ {scale: len(column) for scale, column in answers.items()} }"
        )
    for scale, column in answers.items():
        for person, answer in enumerate(column):
            if answer is not None and not LOWEST <= answer <= HIGHEST:
                raise ValueError(
                    f"workload: answers run from {LOWEST} to {HIGHEST}, but person {person} has {answer!r} for {scale}"
                )
    scales = {}
    for scale in SCALES:
        given = [answer for answer in answers[scale] if answer is not None]
        missing = len(answers[scale]) - len(given)
        scales[scale] = mean(
            f"workload_{scale}", given, within=(LOWEST, HIGHEST), dropped=left_out({"missing": missing})
        )
    persons = tuple(_person_mean(given) for given in zip(*(answers[scale] for scale in SCALES), strict=True))
    known = np.array([person for person in persons if person is not None], np.float64)
    dropped = left_out({"fewer_than_4_answers": len(persons) - len(known)})
    return Workload(
        scales=scales,
        persons=persons,
        raw=mean("workload_raw", known, within=(LOWEST, HIGHEST), dropped=dropped),
        rescaled=mean("workload_rescaled", rescale(known), within=(0, 100), dropped=dropped),
    )


def rescale(raw: np.ndarray) -> np.ndarray:
    """From 1–21 to 0–100."""
    return np.asarray((raw - LOWEST) / (HIGHEST - LOWEST) * 100)


def _person_mean(answers: Sequence[float | None]) -> float | None:
    given = [answer for answer in answers if answer is not None]
    return sum(given) / len(given) if len(given) >= FEWEST_ANSWERS else None
