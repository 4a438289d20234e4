"""Who came, how far they got, how it ended, and who is left out of the numbers about labels."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, get_args

from crito.services.shares import Share
from crito.services.suppression import shown_groups
from crito.stats.proportions import share
from crito.stats.statistic import Statistic

Milestone = Literal[
    "came", "consented", "instructed", "labelled", "confirmed", "talked", "read", "relabelled", "surveyed", "done"
]
MILESTONES: tuple[Milestone, ...] = get_args(Milestone)


class Excluded(NamedTuple):
    """Of the people of one group who gave a label, how many are left out, and why."""

    what: str
    group: str
    reason: str
    rate: Statistic


@dataclass(frozen=True, slots=True)
class Sample:
    """Who came, how far they got and how it ended.

    Attributes:
        reached: people who reached each milestone, by condition; `""` holds everyone, those without a condition too.
        endings: people by ending, `active` for those who have none yet.
        excluded: people left out of every number about labels, by reason.
        excluded_by_group: the same as shares of the people who gave a label, by condition and by language.
    """

    reached: Mapping[str, Mapping[Milestone, int]]
    endings: Mapping[str, int]
    excluded: Mapping[str, int]
    excluded_by_group: tuple[Excluded, ...] = ()

    @property
    def n_people(self) -> int:
        """Everyone who came."""
        return sum(self.endings.values())


@dataclass
class SampleTally:
    """Adds up who came."""

    reached: dict[str, Counter[Milestone]] = field(default_factory=lambda: {"": Counter()})
    endings: Counter[str] = field(default_factory=Counter)
    excluded: Counter[str] = field(default_factory=Counter)
    labelled: Counter[tuple[str, str]] = field(default_factory=Counter)
    excluded_of: Counter[tuple[str, str, str]] = field(default_factory=Counter)

    def add(self, person: Share) -> None:
        participant = person.record.participant
        self.endings[participant.ending or "active"] += 1
        for milestone in milestones(person):
            self.reached[""][milestone] += 1
            if participant.condition:
                self.reached.setdefault(participant.condition, Counter())[milestone] += 1
        if person.withdrawn:
            return
        if person.exclusion:
            self.excluded[person.exclusion] += 1
        if person.record.annotations:
            for what, group in (("condition", participant.condition), ("language", participant.language)):
                self.labelled[what, group] += 1
                if person.exclusion:
                    self.excluded_of[what, group, person.exclusion] += 1

    def report(self, smallest_group: int) -> Sample:
        """What was added up; languages that fewer than `smallest_group` people chose are not told about one by one."""
        reasons = sorted({reason for _, _, reason in self.excluded_of})
        kinds = Counter(what for what, _ in self.labelled)
        speakers = {group: n for (what, group), n in sorted(self.labelled.items()) if what == "language"}
        languages = shown_groups(speakers, smallest_group)
        by_group = tuple(
            Excluded(what, group, reason, share(f"excluded_{reason}", self.excluded_of[what, group, reason], n))
            for (what, group), n in sorted(self.labelled.items())
            if group and kinds[what] > 1 and (what != "language" or group in languages)
            for reason in reasons
        )
        return Sample(self.reached, self.endings, self.excluded, by_group)


def milestones(person: Share) -> Iterator[Milestone]:
    """The milestones that a person reached."""
    record = person.record
    reached: Mapping[Milestone, bool] = {
        "came": True,
        "consented": record.event("consented") is not None,
        "instructed": record.event("instructed") is not None,
        "labelled": any(a.round == 0 for a in record.annotations),
        "confirmed": record.event("confirmed") is not None,
        "talked": any(record.messages.values()),
        "read": record.event("read") is not None,
        "relabelled": any(a.round > 0 for a in record.annotations),
        "surveyed": record.event("surveyed") is not None,
        "done": record.participant.ending == "done",
    }
    yield from (milestone for milestone in MILESTONES if reached[milestone])
