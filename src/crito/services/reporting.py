"""What the report of a study says, as data: counts, statistics with their reasons, and the notes a reader must see."""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import combinations
from typing import Literal, NamedTuple, get_args

from crito.model.errors import NotFound
from crito.model.ids import ItemId, StudyName, TaskName
from crito.model.record import Annotation, Assignment, RecordedTurn
from crito.model.study import STATES, Condition, Rule, State, Study
from crito.model.talk import PARTNER_KINDS, TurnKind
from crito.services.parts import Parts
from crito.services.ports import StatusCounts, Tx
from crito.services.shares import Share, editions, shares
from crito.services.study_tables import gold_labels
from crito.stats.accuracy import accuracy_change, confusion
from crito.stats.confidence import (
    Transitions,
    compare_confidence_changes,
    confidence_change,
    share_at_step,
    transitions,
)
from crito.stats.flips import Flips, ItemFlips, compare_flips, compare_item_flips, flips, item_flips
from crito.stats.means import mean
from crito.stats.paired import holm
from crito.stats.proportions import share
from crito.stats.ratings import Pairs, encode, pairs_from
from crito.stats.statistic import Statistic

Milestone = Literal[
    "came", "consented", "instructed", "labelled", "confirmed", "talked", "relabelled", "surveyed", "done"
]
MILESTONES: tuple[Milestone, ...] = get_args(Milestone)
Phase = Literal["instructions", "first_label", "talk_and_second_label", "survey", "whole_study"]
PHASES: tuple[Phase, ...] = get_args(Phase)


@dataclass(frozen=True, slots=True)
class Sample:
    """Who came, how far they got and how it ended.

    Attributes:
        reached: people who reached each milestone, by condition; `""` holds everyone, those without a condition too.
        endings: people by ending, `active` for those who have none yet.
        excluded: people left out of every number about labels, by reason.
    """

    reached: Mapping[str, Mapping[Milestone, int]]
    endings: Mapping[str, int]
    excluded: Mapping[str, int]

    @property
    def n_people(self) -> int:
        """Everyone who came."""
        return sum(self.endings.values())


@dataclass(frozen=True, slots=True)
class Given:
    """How often each label, and each state in a label's place, was given in one round."""

    labels: Mapping[str, int]
    states: Mapping[State, int]


@dataclass(frozen=True, slots=True)
class ConfidenceReport:
    """Confidence before and after, over annotations with both: steps from the highest to the lowest."""

    change: Statistic
    transitions: Transitions
    highest_before: Statistic
    highest_after: Statistic


@dataclass(frozen=True, slots=True)
class AccuracyReport:
    """Labels against the reference labels of their items."""

    before: Statistic
    after: Statistic
    change: Statistic


@dataclass(frozen=True, slots=True)
class GroupReport:
    """One task under one condition. What needs a second labelling is None where the condition has none."""

    task: TaskName
    condition: str
    n_people: int
    n_items: int
    before: Given
    after: Given | None
    flips: Flips | None
    item_flip_rate: Statistic | None
    confidence: ConfidenceReport | None
    accuracy: AccuracyReport | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """One difference between two conditions. `p_adjusted` is Holm's over all comparisons of the same measure."""

    measure: Literal["flip_rate", "item_flip_rate", "confidence_change"]
    task: TaskName
    first: str
    second: str
    difference: Statistic
    p_adjusted: float | None


@dataclass(frozen=True, slots=True)
class TaskReport:
    """One task: its labels in their order with the words shown, and its groups, one per condition."""

    name: TaskName
    title: str
    question: str
    labels: Mapping[str, str]
    groups: tuple[GroupReport, ...]


class Broken(NamedTuple):
    """How many turns of one kind broke one rule."""

    rule: Rule
    kind: TurnKind
    rate: Statistic


@dataclass(frozen=True, slots=True)
class PartnerReport:
    """The partner's side of the dialogues under one condition.

    Attributes:
        model: as the study file names it, of each edition.
        dialogues: how many began, each with its fixed opening, which is in none of the counts of turns.
        made, shown: turns by kind as they were made, and as they were shown.
        unanswered: reasons why a partner's turn never came, with how often.
        broken_made, broken_shown: rules broken by turns as made, and as shown.
        messages: messages per dialogue by the person.
    """

    condition: str
    model: str
    dialogues: int
    made: Mapping[TurnKind, int]
    shown: Mapping[TurnKind, int]
    unanswered: Mapping[str, int]
    broken_made: tuple[Broken, ...]
    broken_shown: tuple[Broken, ...]
    messages: Statistic


class Routing(NamedTuple):
    """A condition that holds dialogues on disagreement only, and on how many items it did."""

    condition: str
    dialogues: int
    items: int


@dataclass(frozen=True, slots=True)
class ReportData:
    """Everything the first report shows. `confidence_steps` and `conditions` are in the study's order, with shown words."""

    study: StudyName
    title: str
    editions: tuple[int, ...]
    made_at: datetime
    origins: Mapping[str, int]
    conditions: tuple[str, ...]
    confidence_steps: Mapping[str, str]
    sample: Sample
    assignments: tuple[StatusCounts, ...]
    tasks: tuple[TaskReport, ...]
    comparisons: tuple[Comparison, ...]
    partners: tuple[PartnerReport, ...]
    routings: tuple[Routing, ...]
    minutes: Mapping[str, Mapping[Phase, Statistic]]
    attention: Mapping[str, Statistic]

    @property
    def task_titles(self) -> Mapping[TaskName, str]:
        """The words shown for each task."""
        return {task.name: task.title for task in self.tasks}


async def report_study(parts: Parts, study: StudyName) -> ReportData:
    """Everything the report of a study shows; people who withdrew count as having come and left, and nowhere else.

    Raises:
        NotFound: no study of this name was published here.
    """
    now = parts.now()

    def work(tx: Tx) -> tuple[_Tally, tuple[StatusCounts, ...]]:
        by_number = editions(parts, tx, study)
        if not by_number:
            raise NotFound(f"there is no study {study!r} here")
        tally = _Tally(by_number)
        for person in shares(tx, study, by_number):
            tally.add(person)
        return tally, tuple(tx.status_counts(study))

    tally, assignments = await parts.store.read(work)
    # The statistics take their time; the database need not wait for them.
    return tally.report(now, assignments)


@dataclass
class _Columns:
    """Labels and confidence of one task under one condition, a row per assignment that was labelled."""

    items: list[ItemId] = field(default_factory=list)
    annotators: list[str] = field(default_factory=list)
    initial: list[Hashable] = field(default_factory=list)
    final: list[Hashable] = field(default_factory=list)
    initial_confidence: list[str | None] = field(default_factory=list)
    final_confidence: list[str | None] = field(default_factory=list)

    def add(self, first: Annotation, last: Annotation | None) -> None:
        self.items.append(first.item)
        self.annotators.append(first.annotator)
        self.initial.append(_written(first))
        self.final.append(_written(last))
        self.initial_confidence.append(first.confidence)
        self.final_confidence.append(last.confidence if last else None)

    def label_pairs(self, labels: Sequence[str]) -> Pairs:
        return pairs_from(
            self.items, self.annotators, self.initial, self.final, label_set=labels, states=WRITTEN_STATES
        )

    def confidence_pairs(self, steps: Sequence[str]) -> Pairs:
        return pairs_from(
            self.items, self.annotators, self.initial_confidence, self.final_confidence, label_set=steps, states={}
        )


WRITTEN_STATES: Mapping[Hashable, State] = {("state", state): state for state in STATES}
"""Written so that no label of a study can be taken for a state."""


def _written(annotation: Annotation | None) -> Hashable:
    if annotation is None:
        return None
    return ("state", annotation.state) if annotation.state else annotation.label


@dataclass
class _Talk:
    """Turns of the partner under one condition."""

    made: Counter[TurnKind] = field(default_factory=Counter)
    shown: Counter[TurnKind] = field(default_factory=Counter)
    broken_made: Counter[tuple[Rule, TurnKind]] = field(default_factory=Counter)
    broken_shown: Counter[tuple[Rule, TurnKind]] = field(default_factory=Counter)
    unanswered: Counter[str] = field(default_factory=Counter)
    messages: list[int] = field(default_factory=list)

    def add(self, person: Share, turns: Sequence[RecordedTurn]) -> None:
        self.messages.append(sum(turn.kind == "person" for turn in turns))
        for turn in turns:
            if turn.step > 0:
                self._add_turn(person, turn)

    def _add_turn(self, person: Share, turn: RecordedTurn) -> None:
        if turn.no_answer:
            self.unanswered[turn.no_answer] += 1
            return
        if turn.kind not in PARTNER_KINDS:
            return
        rules = {violation.rule for violation in turn.violations}
        self.made[turn.kind] += 1
        self.broken_made.update((rule, turn.kind) for rule in rules)
        if shown_as := person.shown_kind(turn):
            self.shown[shown_as] += 1
            if shown_as == turn.kind:
                self.broken_shown.update((rule, shown_as) for rule in rules)

    def report(self, condition: Condition) -> PartnerReport:
        return PartnerReport(
            condition.name, condition.partner.model, len(self.messages),
            self.made, self.shown, self.unanswered,
            _broken(self.broken_made, self.made), _broken(self.broken_shown, self.shown),
            mean("messages_person", self.messages),
        )  # fmt: skip


def _broken(broken: Counter[tuple[Rule, TurnKind]], turns: Counter[TurnKind]) -> tuple[Broken, ...]:
    rules = sorted({rule for rule, _ in broken})
    return tuple(
        Broken(rule, kind, share(f"broken_{rule}", broken[rule, kind], turns[kind])) for rule in rules for kind in turns
    )


class _Tally:
    """Adds up people one by one; holds codes and counts, never words."""

    def __init__(self, by_number: Mapping[int, Study]) -> None:
        self._editions = by_number
        self._latest = by_number[max(by_number)]
        every = by_number.values()
        self._tasks = {task.name: task for study in every for task in study.tasks}
        self._labels = {
            name: {
                label.name: label.text
                for study in every
                for task in study.tasks
                if task.name == name
                for label in task.labels
            }
            for name in self._tasks
        }
        self._conditions = {condition.name: condition for study in every for condition in study.conditions}
        steps = {step.name: step for study in every for step in study.confidence}
        self._steps = sorted(steps.values(), key=lambda step: step.value)
        self._gold = {key: label for study in every for key, label in gold_labels(study).items()}
        self._columns: dict[tuple[TaskName, str], _Columns] = {}
        self._talks: dict[str, _Talk] = {}
        self._reached: dict[str, Counter[Milestone]] = {"": Counter()}
        self._endings: Counter[str] = Counter()
        self._excluded: Counter[str] = Counter()
        self._origins: Counter[str] = Counter()
        self._routed: dict[str, Counter[bool]] = {}
        self._minutes: dict[str, dict[Phase, list[tuple[str, float]]]] = {}
        self._checks: dict[str, Counter[bool]] = {}

    def add(self, person: Share) -> None:
        record = person.record
        self._origins[record.participant.origin] += 1
        self._endings[record.participant.ending or "active"] += 1
        condition = record.participant.condition
        for milestone in _milestones(person):
            self._reached[""][milestone] += 1
            if condition:
                self._reached.setdefault(condition, Counter())[milestone] += 1
        if person.withdrawn:
            return
        self._add_checks(person)
        for phase, minutes in _minutes(person):
            self._minutes.setdefault(condition, {}).setdefault(phase, []).append((person.annotator, minutes))
        if person.exclusion:
            self._excluded[person.exclusion] += 1
            return
        for assignment in record.assignments:
            self._add_assignment(person, assignment)

    def _add_assignment(self, person: Share, assignment: Assignment) -> None:
        if first := person.record.annotation(assignment.id, 0):
            later = [a for a in person.record.annotations if a.assignment == assignment.id and a.round > 0]
            columns = self._columns.setdefault((assignment.task, assignment.condition), _Columns())
            columns.add(first, max(later, key=lambda a: a.round, default=None))
        if turns := person.turns_of(assignment):
            self._talks.setdefault(assignment.condition, _Talk()).add(person, turns)
        if routed := person.record.event("routed", assignment.id):
            self._routed.setdefault(assignment.condition, Counter())[bool(routed.data.get("dialogue"))] += 1

    def _add_checks(self, person: Share) -> None:
        expected = {check.question.key: check.expected for check in person.study.attention_checks}
        given = {answer.question: answer.choice for answer in person.record.answers if answer.question in expected}
        for key, choice in given.items():
            self._checks.setdefault(key, Counter())[choice == expected[key]] += 1

    def report(self, now: datetime, assignments: tuple[StatusCounts, ...]) -> ReportData:
        language = self._latest.languages[0]
        groups = {key: self._group(*key) for key in self._keys()}
        return ReportData(
            study=self._latest.name,
            title=self._latest.title.in_language(language),
            editions=tuple(self._editions),
            made_at=now,
            origins=self._origins,
            conditions=tuple(self._conditions),
            confidence_steps={step.name: step.text.in_language(language) for step in reversed(self._steps)},
            sample=Sample(self._reached, self._endings, self._excluded),
            assignments=assignments,
            tasks=tuple(
                TaskReport(
                    name, task.title.in_language(language), task.question.in_language(language),
                    {label: text.in_language(language) for label, text in self._labels[name].items()},
                    tuple(groups[name, condition] for condition in self._conditions),
                )
                for name, task in self._tasks.items()
            ),
            comparisons=tuple(self._comparisons()),
            partners=tuple(
                self._talks[name].report(condition) for name, condition in self._conditions.items() if name in self._talks
            ),
            routings=tuple(
                Routing(name, self._routed.get(name, Counter())[True], self._routed.get(name, Counter()).total())
                for name, condition in self._conditions.items() if condition.partner.only_on_disagreement
            ),
            minutes={
                name: _mean_minutes(self._minutes[name]) for name in ("", *self._conditions) if name in self._minutes
            },
            attention={
                key: share(f"failed_{key}", right[False], right.total()) for key, right in self._checks.items()
            },
        )  # fmt: skip

    def _keys(self) -> Iterator[tuple[TaskName, str]]:
        yield from ((task, condition) for task in self._tasks for condition in self._conditions)

    def _pairs(self, task: TaskName, condition: str) -> Pairs:
        return self._columns.get((task, condition), _Columns()).label_pairs(tuple(self._labels[task]))

    def _confidence(self, task: TaskName, condition: str) -> Pairs:
        steps = tuple(step.name for step in self._steps)
        return self._columns.get((task, condition), _Columns()).confidence_pairs(steps)

    def _group(self, task: TaskName, condition: str) -> GroupReport:
        pairs = self._pairs(task, condition)
        again = self._relabels(condition)
        return GroupReport(
            task, condition, len(pairs.annotators), len(pairs.items),
            before=_given(pairs, final=False),
            after=_given(pairs, final=True) if again else None,
            flips=flips(pairs) if again else None,
            item_flip_rate=item_flips(pairs).mean() if again else None,
            confidence=self._confidence_report(task, condition) if again else None,
            accuracy=self._accuracy(task, pairs) if again else None,
        )  # fmt: skip

    def _relabels(self, condition: str) -> bool:
        return self._conditions[condition].has("reannotate")

    def _confidence_report(self, task: TaskName, condition: str) -> ConfidenceReport:
        pairs, highest = self._confidence(task, condition), self._steps[-1].name
        return ConfidenceReport(
            confidence_change(pairs), transitions(pairs),
            share_at_step(pairs, highest, final=False), share_at_step(pairs, highest, final=True),
        )  # fmt: skip

    def _accuracy(self, task: TaskName, pairs: Pairs) -> AccuracyReport | None:
        gold = {item: label for (of, item), label in self._gold.items() if of == task}
        if not gold:
            return None
        return AccuracyReport(
            confusion(pairs.initial_ratings, gold).accuracy,
            confusion(pairs.final_ratings, gold).accuracy,
            accuracy_change(pairs, gold),
        )

    def _comparisons(self) -> Iterator[Comparison]:
        relabelling = [name for name in self._conditions if self._relabels(name)]
        found: dict[str, list[tuple[TaskName, str, str, Statistic]]] = {}
        for task in self._tasks:
            for first, second in combinations(relabelling, 2):
                a, b = self._pairs(task, first), self._pairs(task, second)
                rates: tuple[ItemFlips, ItemFlips] = item_flips(a), item_flips(b)
                ends = self._confidence(task, first), self._confidence(task, second)
                for measure, difference in (
                    ("flip_rate", compare_flips(flips(a), flips(b))),
                    ("item_flip_rate", compare_item_flips(*rates)),
                    ("confidence_change", compare_confidence_changes(*ends)),
                ):
                    found.setdefault(measure, []).append((task, first, second, difference))
        for measure, family in found.items():
            tested = [row[3].p_value for row in family if row[3].p_value is not None]
            adjusted = iter(holm(tested))
            for task, first, second, difference in family:
                p_adjusted = next(adjusted) if difference.p_value is not None else None
                yield Comparison(measure, task, first, second, difference, p_adjusted)  # type: ignore[arg-type]


def _given(pairs: Pairs, *, final: bool) -> Given:
    ratings = pairs.final_ratings if final else pairs.initial_ratings
    per_label = ratings.counts().sum(axis=0)
    states: dict[State, int] = {state: ratings.dropped[state] for state in STATES if state in ratings.dropped}
    return Given({str(name): int(count) for name, count in zip(ratings.labels, per_label, strict=True)}, states)


def _milestones(person: Share) -> Iterator[Milestone]:
    record = person.record
    reached: Mapping[Milestone, bool] = {
        "came": True,
        "consented": record.event("consented") is not None,
        "instructed": record.event("instructed") is not None,
        "labelled": any(a.round == 0 for a in record.annotations),
        "confirmed": record.event("confirmed") is not None,
        "talked": any(record.messages.values()),
        "relabelled": any(a.round > 0 for a in record.annotations),
        "surveyed": record.event("surveyed") is not None,
        "done": record.participant.ending == "done",
    }
    yield from (milestone for milestone in MILESTONES if reached[milestone])


def _minutes(person: Share) -> Iterator[tuple[Phase, float]]:
    """Minutes of each phase; of labelling and talking one figure per item."""
    record = person.record
    consented, instructed = record.event("consented"), record.event("instructed")
    if consented and instructed:
        yield "instructions", _minutes_between(consented.at, instructed.at)
    for assignment in record.assignments:
        if given := person.revisions(assignment, 0):
            yield "first_label", _minutes_between(given[0].shown_at, given[0].submitted_at)
        talk, again = person.turns_of(assignment), record.annotation(assignment.id, 1)
        if again:
            yield "talk_and_second_label", _minutes_between(talk[0].at if talk else again.shown_at, again.submitted_at)
    opened, surveyed = record.event("opened", "survey"), record.event("surveyed")
    if opened and surveyed:
        yield "survey", _minutes_between(opened.at, surveyed.at)
    if record.participant.ending == "done" and record.participant.ended_at:
        yield "whole_study", _minutes_between(record.participant.arrived_at, record.participant.ended_at)


def _minutes_between(begin: datetime, end: datetime) -> float:
    return (end - begin).total_seconds() / 60


def _mean_minutes(phases: Mapping[Phase, Iterable[tuple[str, float]]]) -> dict[Phase, Statistic]:
    means: dict[Phase, Statistic] = {}
    for phase in PHASES:
        rows = list(phases.get(phase, ()))
        codes, _ = encode([annotator for annotator, _ in rows])
        means[phase] = mean(f"minutes_{phase}", [minutes for _, minutes in rows], cluster=codes, what="people")
    return means
