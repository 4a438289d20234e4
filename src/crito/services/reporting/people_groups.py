"""People grouped by what they said of themselves: how far each group agrees, flips, and spends time and words."""

from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from crito.model.ids import TaskName
from crito.services.reporting.columns import GroupLabels
from crito.services.suppression import shown_groups
from crito.stats.agreement import krippendorff_alpha
from crito.stats.flips import flips
from crito.stats.groups import FEWEST_PEOPLE, GroupDisagreement, group_disagreement
from crito.stats.means import mean
from crito.stats.ratings import BoolArray, FloatArray
from crito.stats.statistic import Statistic


@dataclass(frozen=True, slots=True)
class Question:
    """What people are grouped by: its words, the words of its answers, and each person's answer."""

    words: str
    answers: Mapping[str, str]
    of_person: Mapping[Hashable, str]


class PeopleGroup(NamedTuple):
    """The people of one task who gave one answer."""

    answer: str
    n_people: int
    alpha: Statistic
    flip_rate: Statistic | None
    minutes: Statistic | None
    messages: Statistic | None


@dataclass(frozen=True, slots=True)
class PeopleGroups:
    """One task's people by one question.

    Attributes:
        hidden: answers that are not shown for the privacy of those who gave them: given by few people, or making these known.
        disagreement: of the two largest groups on the items that both labelled; None with fewer than two.
        compared: those two groups.
    """

    task: TaskName
    question: str
    groups: tuple[PeopleGroup, ...]
    hidden: int
    compared: tuple[str, str] | None
    disagreement: GroupDisagreement | None


def people_groups(
    task: TaskName, labels: GroupLabels, question: Question, fewest_people: int = FEWEST_PEOPLE
) -> PeopleGroups | None:
    """How groups of people fared; None where fewer than two answers were given by enough people."""
    initial = labels.initial
    people = np.unique(initial.annotator).tolist()
    answers = [question.of_person.get(initial.annotators[code]) for code in people]
    sizes = Counter(answer for answer in answers if answer is not None)
    present = {answer: sizes[answer] for answer in question.answers if sizes[answer]}
    shown = shown_groups(present, fewest_people)
    if len(shown) < 2:
        return None
    codes = {answer: place for place, answer in enumerate(shown)}
    of_person = np.array([codes.get(question.of_person.get(name) or "", -1) for name in initial.annotators], np.int64)
    of_row = of_person[initial.annotator]
    largest = sorted(shown, key=lambda answer: (-sizes[answer], codes[answer]))[:2]
    first, second = sorted(largest, key=codes.__getitem__)
    return PeopleGroups(
        task, question.words,
        tuple(_group(question.answers[answer], sizes[answer], labels, of_row == codes[answer]) for answer in shown),
        len(present) - len(shown),
        (question.answers[first], question.answers[second]),
        group_disagreement(initial, question.of_person, first, second, fewest_people=fewest_people),
    )  # fmt: skip


def _group(words: str, n_people: int, labels: GroupLabels, rows: BoolArray) -> PeopleGroup:
    pairs, effort = labels.pairs, labels.effort
    return PeopleGroup(
        words, n_people, krippendorff_alpha(labels.initial.where(rows)),
        flips(pairs.where(rows)).rate if pairs is not None else None,
        _mean("minutes", effort.minutes[rows]) if effort else None,
        _mean("messages", effort.messages[rows]) if effort and effort.messages is not None else None,
    )  # fmt: skip


def _mean(name: str, values: FloatArray) -> Statistic:
    return mean(name, values[np.isfinite(values)])
