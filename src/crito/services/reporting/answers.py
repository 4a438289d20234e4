"""What people said beside their labels: expectations, doubts, workload, experience."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from crito.model.phrase import Phrase
from crito.model.record import Assignment
from crito.model.study import Study
from crito.services.forms import label_form
from crito.services.shares import Share
from crito.stats.helpfulness import Helpfulness, helpfulness
from crito.stats.proportions import compare_shares, share
from crito.stats.statistic import Statistic
from crito.stats.workload import HIGHEST, SCALES, Workload, workload

EXPECTED, FOUND = "talk_helps", "talk_helped"
DOUBT, CHANGE = "made_doubt", "made_change"
PRIOR = "talked_before"
"""Keys of the ready-made questions that these numbers are about."""

TLX = "tlx_"


class SelfReport(NamedTuple):
    """What people say the talk did, against whether the label flipped.

    `said` is the share of yes; the others are flip rates among those who said yes and no, and their difference.
    """

    question: str
    words: str
    said: Statistic
    flipped_if_yes: Statistic
    flipped_if_no: Statistic
    difference: Statistic


class Experience(NamedTuple):
    """Answers to one question of the survey, by what people had done before; `counts` is by answer, then by group."""

    question: str
    words: str
    options: Mapping[str, str]
    groups: tuple[str, ...]
    counts: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class AnswersReport:
    """Answers by condition; `""` is everyone. What the study does not ask is empty.

    Attributes:
        prior: the words of the question that splits `experience`, and of its answers.
    """

    helpfulness: Mapping[str, Helpfulness]
    self_reports: Mapping[str, tuple[SelfReport, ...]]
    workload: Mapping[str, Workload]
    experience: tuple[Experience, ...]
    prior: tuple[str, Mapping[str, str]]


@dataclass
class Answers:
    """Collects answers; holds choices only, never words."""

    asked: dict[str, tuple[str, dict[str, str]]] = field(default_factory=dict)
    surveys: list[str] = field(default_factory=list)
    scales: set[str] = field(default_factory=set)
    by_annotation: dict[str, list[tuple[Mapping[str, str | None], bool | None]]] = field(default_factory=dict)
    by_person: dict[str, list[Mapping[str, str | None]]] = field(default_factory=dict)

    def ask(self, study: Study) -> None:
        """The questions of an edition, in its first language."""
        language = study.languages[0]
        for question in (*study.expectations, *study.reconsiderations, *study.survey):
            options = {option.name: option.text.in_language(language) for option in question.options}
            self.asked[question.key] = question.text.in_language(language), options
        self.scales |= {q.key for q in study.survey if q.kind == "scale" and q.steps == HIGHEST}
        self.surveys = list(dict.fromkeys([*self.surveys, *(q.key for q in study.survey if q.kind == "choice")]))

    def add_annotation(self, person: Share, assignment: Assignment, flipped: bool | None) -> None:
        """Answers beside the labels of one item; `flipped` is None where a label is missing on a side."""
        forms = {label_form(assignment.id, number) for number in (0, 1)}
        given = {key: answer.choice for (about, key), answer in person.answers.items() if about in forms}
        if given:
            self.by_annotation.setdefault(assignment.condition, []).append((given, flipped))

    def add_person(self, person: Share) -> None:
        """Answers to the survey."""
        given = {key: answer.choice for (about, key), answer in person.answers.items() if about == "survey"}
        if given:
            self.by_person.setdefault(person.record.participant.condition, []).append(given)

    def report(self, conditions: Sequence[str]) -> AnswersReport:
        names = [name for name in conditions if name in self.by_annotation]
        everyone = [given for people in self.by_person.values() for given in people]
        split = {"": everyone, **{name: self.by_person[name] for name in conditions if name in self.by_person}}
        groups = split if len(split) > 2 else {"": everyone}
        return AnswersReport(
            {name: self._helpfulness(name) for name in names if {EXPECTED, FOUND} <= self.asked.keys()},
            {name: told for name in names if (told := self._self_reports(name))},
            {name: _workload(people) for name, people in groups.items() if people and self._asks_workload},
            tuple(self._experience(key, everyone) for key in self.surveys if key != PRIOR and self.asked[key][1]),
            self.asked.get(PRIOR, ("", {})),
        )  # fmt: skip

    @property
    def _asks_workload(self) -> bool:
        return all(f"{TLX}{scale}" in self.scales for scale in SCALES)

    def _helpfulness(self, condition: str) -> Helpfulness:
        rows = [given for given, _ in self.by_annotation[condition]]
        return helpfulness([_yes(given.get(EXPECTED)) for given in rows], [_yes(given.get(FOUND)) for given in rows])

    def _self_reports(self, condition: str) -> tuple[SelfReport, ...]:
        return tuple(
            _self_report(key, self.asked[key][0], self.by_annotation[condition])
            for key in (DOUBT, CHANGE)
            if key in self.asked and any(given.get(key) for given, _ in self.by_annotation[condition])
        )

    def _experience(self, key: str, people: Sequence[Mapping[str, str | None]]) -> Experience:
        words, options = self.asked[key]
        counts: dict[str, Counter[str]] = {name: Counter() for name in options}
        for given in people:
            if (answer := given.get(key)) in counts:
                counts[answer][given.get(PRIOR) or ""] += 1
        met = {group for counted in counts.values() for group in counted}
        groups = [group for group in (*self.asked.get(PRIOR, ("", {}))[1], "") if group in met]
        return Experience(key, words, options, tuple(groups), counts)


def _yes(choice: str | None) -> bool | None:
    return {"yes": True, "no": False}.get(choice or "")


def _self_report(key: str, words: str, rows: Sequence[tuple[Mapping[str, str | None], bool | None]]) -> SelfReport:
    told = [(said, flipped) for given, flipped in rows if (said := _yes(given.get(key))) is not None]
    known = [(said, flipped) for said, flipped in told if flipped is not None]
    yes, no = ([flipped for said, flipped in known if said is side] for side in (True, False))
    return SelfReport(
        key, words,
        share(f"said_{key}", sum(said for said, _ in told), len(told), empty=Phrase("nobody answered")),
        share(f"flipped_if_{key}", sum(yes), len(yes), empty=Phrase("nobody said yes")),
        share(f"flipped_if_not_{key}", sum(no), len(no), empty=Phrase("nobody said no")),
        compare_shares(sum(yes), len(yes), sum(no), len(no), name=f"flips_by_{key}"),
    )  # fmt: skip


def _workload(people: Sequence[Mapping[str, str | None]]) -> Workload:
    columns: dict[str, list[float | None]] = {
        scale: [_number(given.get(f"{TLX}{scale}")) for given in people] for scale in SCALES
    }
    return workload(columns)


def _number(choice: str | None) -> float | None:
    return float(choice) if choice else None
