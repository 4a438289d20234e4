"""The debates that people read under each condition: how many, for how long, and whether the side shown first won them over."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from crito.model.record import Assignment
from crito.services.shares import Share
from crito.stats.means import mean
from crito.stats.proportions import share
from crito.stats.ratings import encode
from crito.stats.statistic import Statistic
from crito.studies.ready import ABOUT_DEBATES

YES = "yes"
SAID = tuple(question.key for question in ABOUT_DEBATES if any(option.name == YES for option in question.options))
"""The ready-made questions about a debate that are answered with yes or no."""


@dataclass(frozen=True, slots=True)
class ReadingReport:
    """The debates of one condition.

    Attributes:
        shown: on how many items one was on the page; `read` of these were said to be read.
        missed: items without one, by the reason; blind items are among them.
        minutes: from the debate's page to the word that it is read, mean over debates, resampled by people.
        first_after: of second labels that are one of the two sides, the share that is the side shown first; half of them
            where the order does not matter.
        first_flips: of labels that flipped to one of the sides, the share that went to the side shown first.
        said: of those asked, the share that said yes, by question.
        authors: who wrote the debates, with how many.
    """

    condition: str
    shown: int
    read: int
    missed: Mapping[str, int]
    minutes: Statistic
    first_after: Statistic
    first_flips: Statistic
    said: Mapping[str, Statistic]
    authors: Mapping[str, int]


@dataclass
class Readings:
    """Debates under one condition, added up; holds labels and counts, never words."""

    shown: int = 0
    missed: Counter[str] = field(default_factory=Counter)
    authors: Counter[str] = field(default_factory=Counter)
    minutes: list[tuple[str, float]] = field(default_factory=list)
    after: Counter[bool] = field(default_factory=Counter)
    flipped: Counter[bool] = field(default_factory=Counter)
    said: dict[str, Counter[bool]] = field(default_factory=dict)

    def add(self, person: Share, assignment: Assignment) -> None:
        record = person.record
        routed = record.event("routed", assignment.id)
        if routed is not None and not routed.data.get("debate", True):
            self.missed["the item is blind" if routed.data.get("blind") else str(routed.data.get("reason", ""))] += 1
            return
        told = _told(person, assignment)
        if not told:
            return
        self.shown += 1
        self.authors[told[0]["author"]] += 1
        opened, read = record.event("opened", f"debate:{assignment.id}"), record.event("read", assignment.id)
        if opened and read:
            self.minutes.append((person.annotator, (read.at - opened.at).total_seconds() / 60))
        self._add_labels(person, assignment, tuple(dict.fromkeys(one["label"] for one in told)))

    def _add_labels(self, person: Share, assignment: Assignment, sides: tuple[str, ...]) -> None:
        before, after = (person.record.annotation(assignment.id, number) for number in (0, 1))
        if before is None or after is None:
            return
        if after.label in sides:
            self.after[after.label == sides[0]] += 1
            if before.label != after.label:
                self.flipped[after.label == sides[0]] += 1
        for key in SAID:
            answer = person.answers.get((f"reannotate:{assignment.id}", key))
            if answer is not None and answer.choice:
                self.said.setdefault(key, Counter())[answer.choice == YES] += 1

    def report(self, condition: str) -> ReadingReport:
        people, _ = encode([annotator for annotator, _ in self.minutes])
        return ReadingReport(
            condition, self.shown, len(self.minutes), self.missed,
            mean("minutes_reading", [minutes for _, minutes in self.minutes], cluster=people, what="people"),
            _share("first_side_after", self.after), _share("flips_to_first_side", self.flipped),
            {key: _share(key, found) for key, found in self.said.items()}, self.authors,
        )  # fmt: skip


def _told(person: Share, assignment: Assignment) -> list[Mapping[str, str]]:
    """The arguments that were shown on an item, in their order; none where their words were erased."""
    shown = [e for e in person.exposures if (e.kind, e.item, e.task) == ("argument", assignment.item, assignment.task)]
    return [json.loads(words) for one in shown if (words := person.words.get(one.content)) is not None]


def _share(name: str, counts: Counter[bool]) -> Statistic:
    return share(name, counts[True], counts.total())
