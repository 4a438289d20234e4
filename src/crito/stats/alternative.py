"""The alternative annotator test: may a machine stand in for a person of this group?"""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from crito.model.phrase import Phrase
from crito.stats.paired import rank_sum_below
from crito.stats.ratings import FloatArray, IntArray, Ratings
from crito.stats.statistic import Detail, Statistic, left_out

Alignment = Literal["equal", "rmse"]

FEWEST_ITEMS, ENOUGH_ITEMS = 10, 30
FALSE_DISCOVERY_RATE = 0.05
PASSES_FROM = 0.5


@dataclass(frozen=True, slots=True)
class PersonTest:
    """One person against the machine, each compared with the other people.

    Attributes:
        n: items on which both can be compared with someone else.
        difference: mean of +1 where only the person is at least as close to the others, -1 where only the machine is,
            0 where they are equally close; in [-1, 1].
        machine_at_least: share of items where the machine is at least as close.
        p_value: that the difference is not below epsilon; None with fewer than 10 items.
        rejected: whether the machine has the advantage, all people tested together.
        test: `t`, `signed rank` (fewer than 30 items), `constant` (all differences equal), or `none`.
    """

    annotator: Hashable
    n: int
    difference: float | None
    machine_at_least: float | None
    p_value: float | None
    rejected: bool
    test: Literal["t", "signed rank", "constant", "none"]


@dataclass(frozen=True, slots=True)
class AlternativeAnnotatorTest:
    """Whether the machine may stand in for a person.

    Attributes:
        winning_rate: share of people over whom the machine has the advantage.
        advantage_probability: chance that the machine is at least as close to the others as a person is.
        passes: winning rate at least 0.5; None when it cannot be told.
        people: one test each.
    """

    winning_rate: Statistic
    advantage_probability: Statistic
    passes: bool | None
    people: tuple[PersonTest, ...]


def alternative_annotator_test(
    ratings: Ratings,
    machine: IntArray,
    *,
    epsilon: float,
    alignment: Alignment = "equal",
    values: Sequence[float] | None = None,
) -> AlternativeAnnotatorTest:
    """Compare a machine with each person, by how close either is to the other people.

    It answers whether the machine is as good as a person of this group, not how accurate it is.

    Args:
        ratings: labels of at least two people (of two only with a warning in `reason`).
        machine: the machine's label of each item as a code, negative where it has none, shape (n_items,).
        epsilon: what a person's work is worth more: 0.2 for experts, 0.15 skilled people, 0.1 a crowd; to be chosen
            and stored, so there is no default.
        alignment: share of `equal` labels, or `rmse`: minus the root mean squared difference of `values`.
        values: of the labels for `rmse`; by default the labels themselves, which must be numbers.

    Returns:
        `insufficient` when fewer than two people have 10 items that someone else labelled too; people with fewer are
        left out and counted.

    Raises:
        ValueError: `machine` does not fit, epsilon is outside [0, 1], or labels are no numbers for `rmse`.

    Source: Calderon et al., the alternative annotator test; STATISTICS 6.7.
    """
    if machine.shape != (len(ratings.items),):
        raise ValueError(
            f"alternative_annotator_test: one machine label for each of {len(ratings.items)} items, "
            f"but got {machine.shape}"
        )
    if not 0 <= epsilon <= 1:
        raise ValueError(f"alternative_annotator_test: epsilon must be in [0, 1], but got {epsilon!r}")
    worth = _values(ratings, values) if alignment == "rmse" else None
    judged = machine[ratings.item] >= 0
    kept = ratings.where(ratings.labelled & judged)
    others = np.bincount(kept.item, minlength=len(ratings.items))[kept.item] - 1
    lonely = int((others == 0).sum())
    person_closer, machine_closer = _closeness(kept, machine, worth)
    people = tuple(
        _person_test(kept.annotators[code], epsilon, person_closer[mine], machine_closer[mine])
        for code in np.unique(kept.annotator)
        if (mine := (kept.annotator == code) & (others > 0)).any()
    )
    return _decide(people, epsilon, left_out({
        **ratings.where(judged).dropped, "no_machine_label": int((~judged).sum()), "no_other_person": lonely,
    }))  # fmt: skip


def _closeness(kept: Ratings, machine: IntArray, worth: FloatArray | None) -> tuple[IntArray, IntArray]:
    """Per row, whether the person (the machine) is at least as close to the item's other people as the other is."""
    counts = kept.counts()[kept.item].astype(np.float64)
    rows = np.arange(len(kept))
    counts[rows, kept.label] -= 1
    of_machine = machine[kept.item]
    if worth is None:
        person, rival = counts[rows, kept.label], counts[rows, of_machine]
    else:
        # equal distances may differ in the last digit, and ties count for both
        person = -np.round((counts * (worth[None, :] - worth[kept.label][:, None]) ** 2).sum(axis=1), 9)
        rival = -np.round((counts * (worth[None, :] - worth[of_machine][:, None]) ** 2).sum(axis=1), 9)
    return (person >= rival).astype(np.int64), (rival >= person).astype(np.int64)


def _person_test(annotator: Hashable, epsilon: float, person: IntArray, machine: IntArray) -> PersonTest:
    # scipy costs a second and more, so it is imported where it is used
    from scipy.stats import t

    difference = (person - machine).astype(np.float64)
    n, mean, advantage = len(difference), float(difference.mean()), float(machine.mean())
    if n < FEWEST_ITEMS:
        return PersonTest(annotator, n, mean, advantage, None, rejected=False, test="none")
    if np.ptp(difference) == 0:
        return PersonTest(annotator, n, mean, advantage, float(mean >= epsilon), rejected=False, test="constant")
    if n < ENOUGH_ITEMS:
        return PersonTest(
            annotator, n, mean, advantage, rank_sum_below(difference - epsilon), rejected=False, test="signed rank"
        )
    score = (mean - epsilon) / (float(difference.std(ddof=1)) / math.sqrt(n))
    return PersonTest(annotator, n, mean, advantage, float(t.cdf(score, n - 1)), rejected=False, test="t")


def _decide(people: tuple[PersonTest, ...], epsilon: float, dropped: dict[str, int]) -> AlternativeAnnotatorTest:
    # statsmodels costs seconds and 150 MB, so it is imported where it is used
    from statsmodels.stats.multitest import multipletests

    tested = [person for person in people if person.p_value is not None]
    method = f"alternative annotator test, epsilon {epsilon:g}, Benjamini–Yekutieli at {FALSE_DISCOVERY_RATE:g}"
    dropped = dropped | left_out({f"person_with_fewer_than_{FEWEST_ITEMS}_items": len(people) - len(tested)})
    if len(tested) < 2:
        winning, advantage = (
            Statistic.absent(
                name, "insufficient", Phrase("fewer than two people with %(n)s shared items", n=FEWEST_ITEMS),
                n=len(tested), method=method, dropped=dropped,
            )
            for name in ("winning_rate", "advantage_probability")
        )  # fmt: skip
        return AlternativeAnnotatorTest(winning, advantage, None, people)
    rejected = multipletests([person.p_value for person in tested], alpha=FALSE_DISCOVERY_RATE, method="fdr_by")[0]
    beaten = {person.annotator for person, lost in zip(tested, rejected, strict=True) if lost}
    warnings = []
    if len(tested) < 3:
        warnings.append("only two people")
    if any(person.test == "signed rank" for person in tested):
        warnings.append(f"someone has fewer than {ENOUGH_ITEMS} items")
    details: dict[str, Detail] = {"epsilon": epsilon, "n_beaten": len(beaten)}
    rate = len(beaten) / len(tested)
    shares = [person.machine_at_least for person in tested if person.machine_at_least is not None]
    return AlternativeAnnotatorTest(
        winning_rate=Statistic(
            "winning_rate", rate, len(tested), method, dropped=dropped, details=details, reason="; ".join(warnings)
        ),
        advantage_probability=Statistic(
            "advantage_probability", sum(shares) / len(shares), len(tested), "mean over people", dropped=dropped
        ),
        passes=rate >= PASSES_FROM,
        people=tuple(
            PersonTest(
                person.annotator, person.n, person.difference, person.machine_at_least, person.p_value,
                rejected=person.annotator in beaten, test=person.test,
            )
            for person in people
        ),
    )  # fmt: skip


def _values(ratings: Ratings, values: Sequence[float] | None) -> FloatArray:
    if values is None:
        if not all(isinstance(label, int | float) for label in ratings.labels):
            raise ValueError(
                f"alternative_annotator_test: labels must be numbers for 'rmse', but got {ratings.labels!r}; pass `values`"
            )
        values = [float(label) for label in ratings.labels]
    if len(values) != len(ratings.labels):
        raise ValueError(f"alternative_annotator_test: one value per label, but got {len(values)}")
    return np.asarray(values, np.float64)
