"""What the report of a study says, as data: counts, statistics with their reasons, and the notes a reader must see."""

import asyncio
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from crito.model.errors import NotFound
from crito.model.ids import ItemId, StudyName, TaskName
from crito.model.record import Annotation, Assignment
from crito.model.study import Study, Text
from crito.model.traits import Trait
from crito.services.agreeing import TaskCard, agreement_cards
from crito.services.ledger import CallFilter, CallSum, ledger
from crito.services.parts import Parts
from crito.services.people_traits import large_enough, said_of_themselves
from crito.services.ports.owner import StatusCounts
from crito.services.ports.store import Tx
from crito.services.reporting.answers import PRIOR, Answers, AnswersReport
from crito.services.reporting.columns import Columns, GroupLabels, TaskFacts
from crito.services.reporting.comparing import Comparison, comparisons
from crito.services.reporting.costs import CostReport, cost_report
from crito.services.reporting.groups import TaskReport, group_report
from crito.services.reporting.people_groups import PeopleGroups, Question, people_groups
from crito.services.reporting.phases import (
    Phase,
    checks_of,
    failure_rates,
    mean_minutes,
    minutes_of,
    second_part_minutes,
)
from crito.services.reporting.readings import ReadingReport, Readings
from crito.services.reporting.sample import Sample, SampleTally
from crito.services.reporting.talks import (
    PartnerReport,
    Routing,
    TalkComparison,
    TalkReport,
    Talks,
    compare_talks,
)
from crito.services.shares import Share, editions, shares
from crito.services.study_tables import gold_labels
from crito.stats.statistic import Statistic
from crito.studies import ready

LANGUAGE = "language"
"""Stands where a question's key would, for people grouped by the language they took the study in."""

SAID_AFTERWARDS = {question.key for question in ready.EXPERIENCE} - {PRIOR}
"""Ready-made questions about the study itself: they do not say who people are."""


@dataclass(frozen=True, slots=True)
class ReportData:
    """Everything a study's report shows. `confidence_steps` and `conditions` are in the study's order, with shown words."""

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
    talks: tuple[TalkReport, ...]
    talk_comparisons: tuple[TalkComparison, ...]
    routings: tuple[Routing, ...]
    readings: tuple[ReadingReport, ...]
    answers: AnswersReport
    people_groups: tuple[PeopleGroups, ...]
    minutes: Mapping[str, Mapping[Phase, Statistic]]
    attention: Mapping[str, Statistic]
    costs: CostReport
    models: tuple[str, ...]
    """Panels that labelled the items too."""
    agreement: tuple[TaskCard, ...] = ()
    """The Blind Agreement card of each task, where labels are suggested."""


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
        tally = _Tally(by_number, _labels_by_models(tx, study), tx.traits(study))
        for person in shares(tx, study, by_number):
            tally.add(person)
        return tally, tuple(tx.status_counts(study))

    tally, assignments = await parts.store.survey(work)
    calls = await ledger(parts, study, CallFilter(), lambda call, body: None, limit=0)
    # The statistics take their time: neither the database nor whoever is served meanwhile need wait for them.
    report = await asyncio.to_thread(tally.report, now, assignments, calls.sums)
    return replace(report, agreement=await agreement_cards(parts, study))


def _labels_by_models(tx: Tx, study: StudyName) -> dict[TaskName, dict[str, dict[ItemId, str]]]:
    """What each panel of models said of each item, by the panel's name; of several labellings the last."""
    found: dict[TaskName, dict[str, dict[ItemId, str]]] = {}
    for labelling in tx.labellings(study):
        given = {outcome.item: outcome.vote.label for outcome in tx.outcomes(labelling.id) if outcome.vote.label}
        found.setdefault(labelling.task, {}).setdefault(labelling.panel.name, {}).update(given)
    return found


class _Tally:
    """Adds up people one by one; holds codes and counts, never words."""

    def __init__(
        self,
        by_number: Mapping[int, Study],
        by_models: Mapping[TaskName, Mapping[str, Mapping[ItemId, str]]],
        traits: Sequence[Trait] = (),
    ) -> None:
        every = by_number.values()
        self._editions, self._latest = by_number, by_number[max(by_number)]
        self._language = self._latest.languages[0]
        self._tasks = {task.name: task for study in every for task in study.tasks}
        self._labels = {
            name: {
                label.name: self._words(label.text)
                for study in every
                for task in study.tasks
                if task.name == name
                for label in task.labels
            }
            for name in self._tasks
        }
        self._texts = {
            (task.name, item.id): item.text for study in every for task in study.tasks for item in task.items
        }
        self._conditions = {condition.name: condition for study in every for condition in study.conditions}
        steps = {step.name: step for study in every for step in study.confidence}
        self._steps = sorted(steps.values(), key=lambda step: step.value)
        gold = {key: label for study in every for key, label in gold_labels(study).items()}
        self._facts = {
            task: TaskFacts(
                labels, {item: label for (of, item), label in gold.items() if of == task}, by_models.get(task, {})
            )
            for task, labels in self._labels.items()
        }
        self._sample, self._answers = SampleTally(), Answers()
        for study in every:
            self._answers.ask(study)
        self._columns: dict[tuple[TaskName, str], Columns] = {}
        self._talks: dict[str, Talks] = {}
        self._origins: Counter[str] = Counter()
        self._readings: dict[str, Readings] = {}
        self._routed: dict[str, Counter[bool]] = {}
        self._minutes: dict[str, dict[Phase, list[tuple[str, float]]]] = {}
        self._checks: dict[str, Counter[bool]] = {}
        self._said_of_themselves: dict[str, dict[Hashable, str]] = {}
        self._traits = said_of_themselves(traits)

    def _words(self, text: Text) -> str:
        return text.in_language(self._language)

    def add(self, person: Share) -> None:
        self._sample.add(person)
        self._origins[person.record.participant.origin] += 1
        if person.withdrawn:
            return
        for key, right in checks_of(person):
            self._checks.setdefault(key, Counter())[right] += 1
        for phase, minutes in minutes_of(person):
            of_condition = self._minutes.setdefault(person.record.participant.condition, {})
            of_condition.setdefault(phase, []).append((person.annotator, minutes))
        if person.exclusion:
            return
        self._answers.add_person(person)
        self._said_of_themselves.setdefault(LANGUAGE, {})[person.annotator] = person.record.participant.language
        for (about, key), answer in person.answers.items():
            if about == "survey" and answer.choice and key not in SAID_AFTERWARDS:
                self._said_of_themselves.setdefault(key, {})[person.annotator] = answer.choice
        for assignment in person.record.assignments:
            self._add_assignment(person, assignment)

    def _add_assignment(self, person: Share, assignment: Assignment) -> None:
        turns = person.turns_of(assignment)
        if first := person.record.annotation(assignment.id, 0):
            later = [a for a in person.record.annotations if a.assignment == assignment.id and a.round > 0]
            last = max(later, key=lambda a: a.round, default=None)
            columns = self._columns.setdefault((assignment.task, assignment.condition), Columns())
            messages = person.record.messages.get(assignment.id, 0) if turns else None
            columns.add(first, last, second_part_minutes(person, assignment), messages)
            self._answers.add_annotation(person, assignment, _flipped(first, last))
        if turns:
            self._talks.setdefault(assignment.condition, Talks()).add(person, turns)
        if person.study.condition(assignment.condition).has("debate"):
            self._readings.setdefault(assignment.condition, Readings()).add(person, assignment)
        if routed := person.record.event("routed", assignment.id):
            self._routed.setdefault(assignment.condition, Counter())[bool(routed.data.get("dialogue"))] += 1

    def report(self, now: datetime, assignments: tuple[StatusCounts, ...], calls: Sequence[CallSum]) -> ReportData:
        groups = {task: self._groups(task) for task in self._tasks}
        held = {name: self._talks[name] for name in self._conditions if name in self._talks}
        talks = tuple(held[name].talk_report(name) for name in held)
        with_models = sum(held[name].dialogues for name in held if self._conditions[name].partner.model != "script")
        return ReportData(
            study=self._latest.name,
            title=self._words(self._latest.title),
            editions=tuple(self._editions),
            made_at=now,
            origins=self._origins,
            conditions=tuple(self._conditions),
            confidence_steps={step.name: self._words(step.text) for step in reversed(self._steps)},
            sample=self._sample.report(self._latest.smallest_group),
            assignments=assignments,
            tasks=tuple(self._task(task, labels) for task, labels in groups.items()),
            comparisons=comparisons(
                (task, [group for group in labels if group.pairs is not None], self._facts[task]) for task, labels in groups.items()
            ),
            partners=tuple(held[name].report(self._conditions[name]) for name in held),
            talks=talks,
            talk_comparisons=compare_talks(talks, held),
            routings=tuple(
                Routing(name, self._routed.get(name, Counter())[True], self._routed.get(name, Counter()).total())
                for name, condition in self._conditions.items() if condition.partner.only_on_disagreement
            ),
            readings=tuple(
                self._readings[name].report(name) for name in self._conditions if name in self._readings
            ),
            answers=self._answers.report(tuple(self._conditions)),
            people_groups=tuple(self._people_groups()),
            minutes={
                name: mean_minutes(self._minutes[name]) for name in ("", *self._conditions) if name in self._minutes
            },
            attention=failure_rates(self._checks),
            costs=cost_report(calls, with_models),
            models=tuple(dict.fromkeys(name for facts in self._facts.values() for name in facts.by_models)),
        )  # fmt: skip

    def _groups(self, task: TaskName) -> list[GroupLabels]:
        steps = tuple(step.name for step in self._steps)
        return [
            self._columns.get((task, name), Columns()).labels(
                name, tuple(self._labels[task]), steps, again=condition.has("reannotate")
            )
            for name, condition in self._conditions.items()
        ]

    def _task(self, name: TaskName, groups: Sequence[GroupLabels]) -> TaskReport:
        task, facts = self._tasks[name], self._facts[name]
        return TaskReport(
            name, self._words(task.title), self._words(task.question), facts.labels,
            sum(of == name for of, _ in self._texts), len(facts.gold),
            tuple(group_report(name, labels, facts) for labels in groups),
            {item: text for (of, item), text in self._texts.items() if of == name},
        )  # fmt: skip

    def _people_groups(self) -> Iterator[PeopleGroups]:
        """Everyone who labelled a task, whatever their condition, by each thing they said of themselves."""
        for task in self._tasks:
            joined = self._everyone(task)
            for key, of_person in self._said_of_themselves.items():
                words, answers = self._answers.asked.get(key, ("", {}))
                if key == LANGUAGE:
                    words, answers = "Language of the study", {name: name for name in sorted(set(of_person.values()))}
                if found := people_groups(
                    task, joined, Question(words, answers, of_person), self._latest.smallest_group
                ):
                    yield found
            for name, said in self._traits.items():
                groups = large_enough(self._latest, name, said)
                in_groups: dict[Hashable, str] = dict(groups.of_person.items())
                question = Question(groups.words, groups.answers, in_groups)
                if found := people_groups(task, joined, question, self._latest.smallest_group):
                    yield replace(found, hidden=found.hidden + groups.hidden)

    def _everyone(self, task: TaskName) -> GroupLabels:
        every = Columns()
        for (of, _), columns in self._columns.items():
            if of == task:
                every.extend(columns)
        again = any(condition.has("reannotate") for condition in self._conditions.values())
        return every.labels("", tuple(self._labels[task]), tuple(step.name for step in self._steps), again=again)


def _flipped(first: Annotation, last: Annotation | None) -> bool | None:
    return first.label != last.label if last and last.label and first.label else None
