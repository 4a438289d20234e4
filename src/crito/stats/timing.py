"""How long labels took, beside how long their texts take to read: signals to look at, never reasons to leave anyone out."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from crito.model.phrase import Phrase
from crito.stats.statistic import Statistic

FASTEST_READING = {"ja": 25.0, "zh": 20.0}
"""Characters a second beyond which hardly anyone reads, by language; 50 for the others (600 words a minute)."""

FASTEST_ELSEWHERE = 50.0
BURST = 5
"""Labels in a row below reading time that make a burst."""

MIN_FOR_TREND = 10


@dataclass(frozen=True, slots=True)
class TimedLabel:
    """One label: seconds from its page to its answer, the length of the text, whether a suggestion was taken by its button."""

    seconds: float
    characters: int
    accepted: bool = False


@dataclass(frozen=True, slots=True)
class TimingSignals:
    """What the times of one annotator show.

    Attributes:
        median_s: the median time of a label.
        below_reading: share of labels given faster than their text can be read.
        accept_s: the median time to the *Accept* button.
        accepted_below_reading: share of accepted suggestions that were taken before the text could be read.
        bursts: runs of at least five labels below reading time.
        time_against_length: Spearman's rank correlation of time and length; near 0 where length makes no difference.
    """

    median_s: Statistic
    below_reading: Statistic
    accept_s: Statistic
    accepted_below_reading: Statistic
    bursts: int
    time_against_length: Statistic


def reading_s(characters: int, language: str = "en") -> float:
    """The shortest time in which a text of this length can be read."""
    return characters / FASTEST_READING.get(language.partition("-")[0], FASTEST_ELSEWHERE)


def timing_signals(labels: Sequence[TimedLabel], *, language: str = "en") -> TimingSignals:
    """Signals from the labels of one annotator, in the order in which they were given.

    Args:
        labels: with times of the server, in seconds ≥ 0.
        language: tag of the texts' language.

    Returns:
        Medians in seconds, shares in [0, 1], a correlation in [-1, 1]; `insufficient` where there is nothing to count,
        for the correlation below ten labels, `undefined` where times or lengths are all equal.

    Source: `blind`, signals of time; nothing in it says that a fast answer is wrong.
    """
    fast = [one.seconds < reading_s(one.characters, language) for one in labels]
    accepted = [one for one in labels if one.accepted]
    hasty = [quick for one, quick in zip(labels, fast, strict=True) if one.accepted]
    runs = [len(list(run)) for quick, run in groupby(fast) if quick]
    return TimingSignals(
        median_s=_median("median_label_s", [one.seconds for one in labels]),
        below_reading=_share("below_reading_time", fast),
        accept_s=_median("median_accept_s", [one.seconds for one in accepted]),
        accepted_below_reading=_share("accepted_below_reading_time", hasty),
        bursts=sum(length >= BURST for length in runs),
        time_against_length=_trend(labels),
    )


def _median(name: str, seconds: Sequence[float]) -> Statistic:
    if not seconds:
        return Statistic.absent(name, "insufficient", Phrase("no labels"), n=0, method="median")
    return Statistic(name, float(np.median(seconds)), len(seconds), "median")


def _share(name: str, which: Sequence[bool]) -> Statistic:
    if not which:
        return Statistic.absent(name, "insufficient", Phrase("no labels"), n=0, method="share")
    return Statistic(name, sum(which) / len(which), len(which), "share")


def _trend(labels: Sequence[TimedLabel]) -> Statistic:
    name, method, n = "time_against_length", "Spearman's rank correlation", len(labels)
    if n < MIN_FOR_TREND:
        return Statistic.absent(
            name,
            "insufficient",
            Phrase("fewer than %(n)s labels", n=MIN_FOR_TREND),
            n=n,
            method=method,
        )
    times, lengths = _ranks([one.seconds for one in labels]), _ranks([one.characters for one in labels])
    if not (times.std() and lengths.std()):
        return Statistic.absent(name, "undefined", Phrase("times or lengths are all equal"), n=n, method=method)
    return Statistic(name, float(np.clip(np.corrcoef(times, lengths)[0, 1], -1, 1)), n, method)


def _ranks(values: Sequence[float]) -> np.ndarray:
    """Ranks from 1; equal values share the mean of theirs."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2)[inverse]
