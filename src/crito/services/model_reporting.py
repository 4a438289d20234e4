"""What a report says about the models that labelled: how right each was, alone and in a group, how groups changed their
minds, and what it took."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import Literal, NamedTuple

from crito.model.ids import ItemId, LabellingId, RunId, StudyName, TaskName
from crito.model.record import Call, Labelling, RecordedTurn
from crito.model.study import GROUP_METHODS, Agent, Method, Panel
from crito.model.talk import NoAnswer, ReadLabel
from crito.model.votes import majority
from crito.protocols.driving import Recorded
from crito.protocols.labelling import labels_of
from crito.protocols.methods import agents_of
from crito.services.label_tables import RUNS_AT_A_TIME, Work
from crito.services.ledger import calls_of
from crito.services.parts import Parts
from crito.services.ports.store import Tx
from crito.services.runs import answer_of
from crito.stats.accuracy import macro_f1
from crito.stats.discussion import (
    Recoverable,
    Revisions,
    Round,
    RoundMeasures,
    by_round,
    moved,
    recoverable,
    revisions,
    right_and_wrong,
)
from crito.stats.means import mean
from crito.stats.paired import holm, mcnemar
from crito.stats.proportions import share
from crito.stats.statistic import Statistic, left_out
from crito.stats.tables import Moves

Answers = Mapping[ItemId, str | None]
"""Label by item; None where there is none: a tie, or an answer that is no label."""

Gold = Mapping[ItemId, str]

READINGS = ("ok", "outside_label_set", "unreadable", "refused", "truncated", "no_answer")
"""What an answer to a labelling ask can turn out to be; only the first one votes."""


@dataclass(frozen=True, slots=True)
class Score:
    """Labels against reference labels; an item without a label is not right."""

    accuracy: Statistic
    macro_f1: Statistic


@dataclass(frozen=True, slots=True)
class AgentReport:
    """One model in a panel.

    Attributes:
        first: its labels of round 0, of the items on which it was asked.
        score: of its labels in the last round; None without reference labels.
        readings: every answer to an ask for a label, repairs and samples included, by what it turned out to be.
        missing: items on which it ended without a label.
        revisions, steps: what happened between rounds; None, and empty, where there was one round or no reference.
        moved: share of its steps in which its label changed; None where nobody took any.
    """

    name: str
    agent: Agent
    first: Answers
    score: Score | None
    readings: Mapping[str, int]
    missing: int
    revisions: Revisions | None
    moved: Statistic | None
    steps: tuple[Moves, ...]

    @property
    def known_as(self) -> str:
        """Its model, with its point of view where it has one."""
        return f"{self.agent.model} ({self.agent.persona})" if self.agent.persona else self.agent.model

    @property
    def never_moves(self) -> bool:
        """Whether it took steps and kept its label in all of them."""
        return self.moved is not None and self.moved.value == 0


@dataclass(frozen=True, slots=True)
class Effort:
    """What a panel's work took. Token counts are of the calls that say them.

    Attributes:
        calls: everything that was sent; `failed` brought no answer, of `uncertain` nobody knows whether they did.
        cost_usd: of calls whose price is known; `unpriced` is how many have none.
        seconds: per item, from the asks of its first step to the answers of its last, without the time between them.
    """

    calls: int
    failed: int
    uncertain: int
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    uncounted: int
    cost_usd: float
    unpriced: int
    seconds: Statistic


@dataclass(frozen=True, slots=True)
class PanelReport:
    """A panel's work on a task.

    Attributes:
        n_items: how many it was set to; `statuses` counts what those it finished came to.
        answers: its label of each finished item.
        plain: what the votes of round 0 alone come to under the panel's rule; None for a model that labels alone.
        rounds, bound: None, and empty, for a model that labels alone; `bound` without reference labels too.
    """

    id: LabellingId
    panel: Panel
    n_items: int
    statuses: Mapping[str, int]
    answers: Answers
    plain: Answers | None
    score: Score | None
    plain_score: Score | None
    agents: tuple[AgentReport, ...]
    rounds: tuple[RoundMeasures, ...]
    bound: Recoverable | None
    effort: Effort

    @property
    def name(self) -> str:
        return self.panel.name

    @property
    def method(self) -> Method:
        return self.panel.method

    @property
    def is_group(self) -> bool:
        return self.method in GROUP_METHODS

    @property
    def models(self) -> str:
        """Who takes part, in order."""
        return ", ".join(agent.model for agent in self.panel.agents)


@dataclass(frozen=True, slots=True)
class PanelComparison:
    """A group against what it is measured by, on the same items. `p_adjusted` is Holm's over all of the report."""

    task: TaskName
    panel: str
    kind: Literal["plain_vote", "best_single"]
    against: str
    difference: Statistic
    p_adjusted: float | None


@dataclass(frozen=True, slots=True)
class ModelTaskReport:
    """One task that models labelled."""

    name: TaskName
    title: str
    labels: Mapping[str, str]
    gold: Gold
    panels: tuple[PanelReport, ...]


@dataclass(frozen=True, slots=True)
class ModelReport:
    """Everything a report says about models; no task where none labelled."""

    study: StudyName
    title: str
    made_at: datetime
    tasks: tuple[ModelTaskReport, ...]
    comparisons: tuple[PanelComparison, ...]


class _Run(NamedTuple):
    """What is needed of a finished run."""

    item: ItemId
    label: str | None
    status: str
    rounds: tuple[Round, ...]
    readings: Mapping[str, Counter[str]]
    seconds: float


@dataclass(slots=True)
class _Spent:
    """Sums over calls."""

    calls: int = 0
    failed: int = 0
    uncertain: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    uncounted: int = 0
    cost_usd: float = 0.0
    unpriced: int = 0

    def add(self, call: Call) -> None:
        self.calls += 1
        if call.status in ("intended", "error"):
            self.uncertain += call.status == "intended"
            self.failed += call.status == "error"
            return
        self.input_tokens += call.input_tokens or 0
        self.cached_tokens += call.cached_tokens or 0
        self.output_tokens += call.output_tokens or 0
        self.uncounted += call.output_tokens is None
        self.cost_usd += call.cost_usd or 0.0
        self.unpriced += call.cost_usd is None


@dataclass(frozen=True, slots=True)
class _Read:
    """A labelling as it was read from the record."""

    work: Work
    gold: Gold
    n_items: int
    runs: tuple[_Run, ...]
    spent: _Spent = field(default_factory=_Spent)

    @property
    def labelling(self) -> Labelling:
        return self.work.labelling


async def report_models(parts: Parts, study: StudyName) -> ModelReport:
    """What the models of a study did, over all their panels and tasks, finished or not.

    Raises:
        NotFound: no study of this name was published here.
    """
    _, latest = await parts.latest(study)
    read = await parts.store.survey(lambda tx: _read(parts, tx, study))
    # The statistics take their time; the database need not wait for them.
    tasks = tuple(_tasks(read))
    return ModelReport(
        study, latest.title.in_language(latest.languages[0]), parts.now(), tasks, tuple(_compared(tasks))
    )


def score(answers: Answers, gold: Gold) -> Score | None:
    """How right the answers are; None where no item has a reference label."""
    judged = [(label, gold[item]) for item, label in answers.items() if item in gold]
    if not judged:
        return None
    n_right = sum(label == reference for label, reference in judged)
    dropped = left_out({"no_gold": len(answers) - len(judged)})
    return Score(
        share("accuracy", n_right, len(judged), dropped=dropped),
        macro_f1([label for label, _ in judged], [reference for _, reference in judged]),
    )


def compare(first: Answers, second: Answers, gold: Gold) -> Statistic:
    """How much more often the second is right than the first, on the items that both finished: exact McNemar."""
    both = [item for item in first if item in second and item in gold]
    right = [(first[item] == gold[item], second[item] == gold[item]) for item in both]
    lost, won = right.count((True, False)), right.count((False, True))
    dropped = left_out({"only_one_finished": len((first.keys() ^ second.keys()) & gold.keys())})
    found = mcnemar(lost, won, n=len(both))
    return Statistic(
        "accuracy_difference", found.value, found.n, found.method, dropped=dropped, interval=found.interval,
        p_value=found.p_value, details=found.details, status=found.status, reason=found.reason,
    )  # fmt: skip


def adjusted(differences: Sequence[Statistic]) -> list[float | None]:
    """Holm's p-values of one family; None for a comparison without a test."""
    tested = iter(holm([found.p_value for found in differences if found.p_value is not None]))
    return [None if found.p_value is None else next(tested) for found in differences]


def _read(parts: Parts, tx: Tx, study: StudyName) -> list[_Read]:
    found = [_read_labelling(parts, tx, labelling) for labelling in tx.labellings(study)]
    of_run: dict[RunId, _Read] = {run.id: read for read in found for run in read.work.runs}
    if of_run:
        for call in calls_of(tx, study):
            if call.run in of_run:
                of_run[call.run].spent.add(call)
    return found


def _read_labelling(parts: Parts, tx: Tx, labelling: Labelling) -> _Read:
    work = Work.read(parts, tx, labelling)
    last = {run.item: run.id for run in sorted(work.runs, key=lambda run: run.revision)}
    place = {item.id: number for number, item in enumerate(work.study.task(labelling.task).items)}
    done = [run for run in work.runs if run.id in work.outcomes and last[run.item] == run.id]
    done.sort(key=lambda run: (place.get(run.item, 0), run.id))
    runs = []
    for start in range(0, len(done), RUNS_AT_A_TIME):
        portion = done[start : start + RUNS_AT_A_TIME]
        turns = tx.turns([run.id for run in portion])
        for run in portion:
            said = turns[run.id]
            outcome = work.outcome_of(
                run, {(turn.step, turn.index): Recorded(turn.fingerprint, answer_of(turn)) for turn in said}
            )
            assert outcome is not None, "a run with an outcome is over"
            rounds = tuple(labels_of(answers) for answers in outcome.rounds)
            vote = work.outcomes[run.id].vote
            runs.append(_Run(run.item, vote.label, vote.status, rounds, _readings(said), _seconds(said)))
    return _Read(work, tx.gold(labelling.study, labelling.task), len(last), tuple(runs))


def _readings(turns: Iterable[RecordedTurn]) -> dict[str, Counter[str]]:
    """What each agent's answers to asks for a label turned out to be; an answer to another ask is none of them."""
    found: dict[str, Counter[str]] = {}
    for turn in turns:
        match answer_of(turn):
            case NoAnswer():
                found.setdefault(turn.speaker, Counter())["no_answer"] += 1
            case said if isinstance(said.labelled, ReadLabel):
                found.setdefault(turn.speaker, Counter())[said.labelled.reading] += 1
    return found


def _seconds(turns: Sequence[RecordedTurn]) -> float:
    """Asks of one step are answered side by side, steps one after the other."""
    in_order = sorted(turns, key=lambda turn: turn.step)
    steps = groupby(in_order, key=lambda turn: turn.step)
    return sum(max(turn.latency_ms for turn in step) for _, step in steps) / 1000


def _tasks(read: Sequence[_Read]) -> Iterator[ModelTaskReport]:
    by_task: dict[TaskName, list[_Read]] = {}
    for one in read:
        by_task.setdefault(one.labelling.task, []).append(one)
    for name, labellings in by_task.items():
        study = labellings[-1].work.study
        task, language = study.task(name), study.languages[0]
        yield ModelTaskReport(
            name, task.title.in_language(language),
            {label.name: label.text.in_language(language) for label in task.labels},
            labellings[-1].gold, tuple(_panel(one) for one in labellings),
        )  # fmt: skip


def _panel(read: _Read) -> PanelReport:
    labelling, gold, panel = read.labelling, read.gold, read.labelling.panel
    answers = {run.item: run.label for run in read.runs}
    talks = {run.item: run.rounds for run in read.runs}
    group = panel.method in GROUP_METHODS
    plain = {run.item: _plain_vote(run, panel, labelling.seed) for run in read.runs} if group else None
    return PanelReport(
        id=labelling.id,
        panel=panel,
        n_items=read.n_items,
        statuses=Counter(run.status for run in read.runs),
        answers=answers,
        plain=plain,
        score=score(answers, gold),
        plain_score=score(plain, gold) if plain is not None else None,
        agents=tuple(_agents(read)),
        rounds=tuple(by_round(talks, gold, label_set=read.work.study.task(labelling.task).label_names))
        if group
        else (),
        bound=recoverable(talks, gold) if group and answers.keys() & gold.keys() else None,
        effort=_effort(read),
    )


def _plain_vote(run: _Run, panel: Panel, seed: int) -> str | None:
    order = agents_of(panel)
    return majority(run.rounds[0], rule=panel.ties, order=order, seed=seed, item=run.item).label


def _agents(read: _Read) -> Iterator[AgentReport]:
    panel, gold = read.labelling.panel, read.gold
    talks = {run.item: run.rounds for run in read.runs}
    more_rounds = any(len(rounds) > 1 for rounds in talks.values())
    for name, agent in zip(agents_of(panel), panel.agents, strict=True):
        asked = {item: rounds[-1][name] for item, rounds in talks.items() if name in rounds[-1]}
        readings: Counter[str] = Counter()
        for run in read.runs:
            readings.update(run.readings.get(name, ()))
        yield AgentReport(
            name, agent, {item: rounds[0][name] for item, rounds in talks.items() if name in rounds[0]},
            score(asked, gold), readings,
            missing=sum(label is None for label in asked.values()),
            revisions=revisions(talks, gold, agent=name) if more_rounds and gold else None,
            moved=moved(talks, agent=name) if more_rounds else None,
            steps=tuple(right_and_wrong(talks, gold, agent=name)) if more_rounds and gold else (),
        )  # fmt: skip


def _effort(read: _Read) -> Effort:
    spent = read.spent
    return Effort(
        spent.calls, spent.failed, spent.uncertain, spent.input_tokens, spent.cached_tokens, spent.output_tokens,
        spent.uncounted, spent.cost_usd, spent.unpriced,
        mean("seconds_per_item", [run.seconds for run in read.runs], within=(0.0, float("inf"))),
    )  # fmt: skip


def _compared(tasks: Sequence[ModelTaskReport]) -> Iterator[PanelComparison]:
    """Every group against the votes of its round 0, and against the best single model on the same items."""
    found = []
    for task in tasks:
        for panel in task.panels:
            if not panel.is_group or not panel.answers.keys() & task.gold.keys():
                continue
            if panel.method != "ensemble" and panel.plain is not None:
                difference = compare(panel.plain, panel.answers, task.gold)
                found.append((task.name, panel.name, "plain_vote", "plain vote of round 0", difference))
            name, answers = _best_single(panel, task)
            found.append((task.name, panel.name, "best_single", name, compare(answers, panel.answers, task.gold)))
    for row, p in zip(found, adjusted([row[-1] for row in found]), strict=True):
        yield PanelComparison(*row, p)  # type: ignore[arg-type]


def _best_single(panel: PanelReport, task: ModelTaskReport) -> tuple[str, Answers]:
    """Whoever alone was right most often on the items that the panel is judged on; who is best is picked on these very
    items, which speaks for the single model. Equally right ones by name."""
    judged = panel.answers.keys() & task.gold.keys()
    alone = [(f"{agent.known_as}, in round 0 of {panel.name}", agent.first) for agent in panel.agents]
    alone += [(f"{other.models}, {other.method}", other.answers) for other in task.panels if not other.is_group]
    # In an ensemble that was decided early, later agents were asked on the hard items only.
    whole = [(name, answers) for name, answers in alone if judged <= answers.keys()]
    return min(whole, key=lambda one: (-sum(one[1][item] == task.gold[item] for item in judged), one[0]))
