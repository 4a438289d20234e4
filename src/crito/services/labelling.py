"""Label items with models: a panel's runs, what is recorded of them, and how they go on after a stop."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

from crito.model.errors import InvalidInput
from crito.model.ids import AnnotatorId, CallKey, ItemId, LabellingId, RunId, StudyName, TaskName
from crito.model.record import (
    Annotation,
    Exposure,
    Labelling,
    LabelOutcome,
    LabelRun,
    ModelAnnotator,
    RecordedTurn,
)
from crito.model.study import Agent, Item, Panel, Study, Task
from crito.model.talk import Ask, ReadLabel
from crito.protocols.driving import Finished, Pending, Recorded, advance
from crito.protocols.labelling import Outcome, Protocol
from crito.protocols.methods import PROTOCOLS, agents_of
from crito.services.asking import Calling, Place, Said, ask_model, together, turn_to_record
from crito.services.label_words import Desk
from crito.services.parts import Parts
from crito.services.ports.models import CallContext
from crito.services.ports.store import Tx
from crito.services.publishing import publish, text_hash
from crito.services.runs import answer_of
from crito.services.standing import end_outdated

RUN_PREFIX = "l-"
"""By which the runs of models that label are known from dialogues."""


@dataclass(frozen=True, slots=True)
class Job:
    """A labelling with what its runs need: the study's edition, the items still to do, and those that are done."""

    study: Study
    labelling: Labelling
    waiting: tuple[Item, ...]
    done: tuple[LabelOutcome, ...]
    runs: Mapping[ItemId, LabelRun]
    desk: Desk

    @property
    def task(self) -> Task:
        return self.desk.task

    @property
    def panel(self) -> Panel:
        return self.labelling.panel

    def agent(self, speaker: str) -> tuple[Agent, AnnotatorId]:
        place = agents_of(self.panel).index(speaker)
        return self.panel.agents[place], self.labelling.agents[place]


async def begin(
    parts: Parts, study: Study, panel: Panel, *, task: TaskName | None = None, limit: int | None = None
) -> Job:
    """Publish the study if need be, and set a panel to the items of a task: the first `limit` of them, or all.

    The same panel on the same task is the same labelling: what is done of it is not done again.

    Raises:
        InvalidInput: the study has several tasks and none is named, or none of that name.
        Conflict: the file changes what people have begun to label.
    """
    edition = await publish(parts, study)
    chosen = _task(study, task)
    now = parts.now()
    labelling, annotators = _labelling(study, edition.number, chosen, panel, now)
    desk = Desk(chosen, study.languages[0], panel, study.seed)
    examples = {item.id: item for item in desk.examples}
    items = [item for item in chosen.items if item.id not in examples][:limit]

    def enter(tx: Tx) -> dict[ItemId, LabelRun]:
        tx.add_labelling(labelling, annotators)
        end_outdated(tx, study, now)
        _expose_examples(tx, labelling, list(examples.values()), now)
        known = tx.label_runs(labelling.id)
        runs = _entered(labelling, items, known)
        entered = {run.id for run in known}
        tx.add_label_runs(study.name, [run for run in runs.values() if run.id not in entered])
        return runs

    runs = await parts.store.write(enter)
    outcomes = await parts.store.read(lambda tx: tx.outcomes(labelling.id))
    done = {outcome.run: outcome for outcome in outcomes}
    waiting = tuple(item for item in items if runs[item.id].id not in done)
    mine = tuple(done[run.id] for run in runs.values() if run.id in done)
    return Job(study, labelling, waiting, mine, runs, desk)


async def spent_usd(parts: Parts, study: StudyName, *, of: str | tuple[str, ...] = RUN_PREFIX) -> float:
    """What the calls of models that label a study have cost so far, as far as prices are known.

    Args:
        of: how the ids of the runs begin that are counted, for others than those that label.
    """
    return await parts.store.read(lambda tx: tx.spent_usd(study, (of,) if isinstance(of, str) else of))


async def label_item(parts: Parts, job: Job, item: Item, calling: Calling) -> LabelOutcome:
    """Carry a run from where its record ends to its outcome; every step is recorded before the next is asked.

    Raises:
        Stopped: before the run was over.
        CritoError: a model cannot be asked at all, or a limit was reached.
    """
    run = job.runs[item.id]
    turns, called = await parts.store.read(lambda tx: (list(tx.turns([run.id])[run.id]), tx.call_keys(run.id)))
    recorded = {(turn.step, turn.index): Recorded(turn.fingerprint, answer_of(turn)) for turn in turns}
    state = advance(_protocol(job, item), recorded)
    while isinstance(state, Pending):
        places = [Place(run.id, state.step, index, state.asks[index]) for index in state.missing]
        told = await together(_answer(parts, job, item, place, calling, called) for place in places)
        now = parts.now()
        for place, said in zip(places, told, strict=True):
            turns.append(turn_to_record(place, said, now))
            recorded[place.step, place.index] = Recorded(place.ask.fingerprint, said.answer)
        after = advance(_protocol(job, item), recorded)
        step = _Step(job, run, tuple(turns), len(told), after, now)
        await parts.store.write(partial(_keep_step, step))
        state = after
    return _outcome(job, run, state.result, parts.now())


async def _answer(
    parts: Parts, job: Job, item: Item, place: Place, calling: Calling, called: frozenset[CallKey]
) -> Said:
    ask = place.ask
    agent, _ = job.agent(ask.speaker)
    context = CallContext(
        study=job.study.name,
        run=place.run,
        step=place.step,
        attempt=ask.attempt,
        index=place.index,
        slot=ask.speaker,
        sample=ask.values.get("sample", 0),
        called=called,
    )
    asked, read = job.desk.request(ask, agent, item), partial(job.desk.turn, ask)
    return await ask_model(parts, agent.model, asked, context, read, calling, speaker=ask.speaker, item=item.id)


class _Step(NamedTuple):
    """What is recorded at once: the last `new` of a run's turns, and what they bring."""

    job: Job
    run: LabelRun
    turns: tuple[RecordedTurn, ...]
    new: int
    after: Pending | Finished[Outcome]
    now: datetime


def _keep_step(step: _Step, tx: Tx) -> None:
    """Record the answers of one step, what the next one shows to whom, and what the run came to when it is over."""
    job, study = step.job, step.job.study.name
    tx.add_agent_turns(study, [(job.agent(turn.speaker)[1], turn) for turn in step.turns[-step.new :]])
    if isinstance(step.after, Finished):
        tx.add_annotations(study, _annotations(tx, step, step.after.result))
        tx.add_outcome(study, _outcome(job, step.run, step.after.result, step.now))
    else:
        tx.add_exposures(study, _exposures(tx, step, step.after.asks))
        for ask in step.after.asks:
            if ask.values.get("arguments") and not ask.attempt:
                _expose_arguments(tx, job, step.run, ask, step.now)


def _exposures(tx: Tx, step: _Step, asks: Sequence[Ask]) -> list[Exposure]:
    """Which answers of its peers each agent is about to read: those of the last round, the others it knows."""
    job, run = step.job, step.run
    shown = [
        (ask, place, said)
        for ask in asks
        if "history" in ask.values and not ask.attempt
        for place, said in enumerate(said for said in ask.values["history"][-1] if not said["own"] and said["label"])
    ]
    contents = tx.keep_all_words(None, [f"{said['label']}: {said['reason']}" for _, _, said in shown])
    return [
        Exposure(
            annotator=job.agent(ask.speaker)[1],
            item=run.item,
            task=job.labelling.task,
            kind="peer_label",
            source=f"{run.id}/round-{ask.values['round'] - 1}/agent_{said['number']}",
            part=-1,
            content=content,
            route="discussion",
            seq=_seq(job, run, ask.values["round"] - 1) + 1 + place,
            at=step.now,
        )
        for (ask, place, said), content in zip(shown, contents, strict=True)
    ]


def _expose_arguments(tx: Tx, job: Job, run: LabelRun, ask: Ask, now: datetime) -> None:
    """Record which arguments an agent is about to read: those of the others, as one exposure for each ask."""
    _, annotator = job.agent(ask.speaker)
    read = [said for said in ask.values["arguments"] if not said["own"] and said["text"]]
    if not read:
        return
    place = max(("opening", "refutation", "closing").index(said["phase"]) for said in read)
    tx.add_exposure(
        job.study.name,
        Exposure(
            annotator=annotator,
            item=run.item,
            task=job.labelling.task,
            kind="peer_label",
            source=f"{run.id}/{read[-1]['phase']}",
            part=-1,
            content=tx.keep_words(None, "\n".join(f"{said['stance']}: {said['text']}" for said in read)),
            route="debate",
            seq=_seq(job, run, 0) + 1 + place % (len(job.panel.agents) - 1),
            at=now,
        ),
    )


def _expose_examples(tx: Tx, labelling: Labelling, examples: Sequence[Item], now: datetime) -> None:
    """Record the reference labels that stand in the agents' instructions: whatever they say on those items is not blind."""
    for annotator in labelling.agents:
        for item in examples:
            tx.add_exposure(
                labelling.study,
                Exposure(
                    annotator=annotator,
                    item=item.id,
                    task=labelling.task,
                    kind="example",
                    source=f"{labelling.id}/instructions",
                    part=-1,
                    content=tx.keep_words(None, item.gold or ""),
                    route="instructions",
                    seq=0,
                    at=now,
                ),
            )


def _annotations(tx: Tx, step: _Step, outcome: Outcome) -> list[Annotation]:
    """The labels of every agent and round, with the times of their turns; an answer without one leaves none."""
    job, run = step.job, step.run
    turns = _by_speaker(step.turns)
    given = list[tuple[int, RecordedTurn, ReadLabel]]()
    for number, answers in enumerate(outcome.rounds):
        for speaker, read in answers.items():
            if not isinstance(read, ReadLabel) or read.label is None:
                continue
            while (turn := turns[speaker].pop(0)).labelled != read:
                pass
            given.append((number, turn, read))
    reasons = iter(tx.keep_all_words(None, [read.reason for _, _, read in given if read.reason]))
    guideline_hash = _guideline_hash(job.task, job.study)
    return [
        Annotation(
            annotator=job.agent(turn.speaker)[1],
            task=job.labelling.task,
            item=run.item,
            item_hash=run.item_hash,
            assignment=None,
            condition="",
            study_version=job.labelling.study_version,
            round=number,
            revision=run.revision,
            seq=_seq(job, run, number),
            label=read.label,
            state=None,
            confidence=None if read.confidence is None else str(read.confidence),
            rationale=next(reasons) if read.reason else None,
            guideline_hash=guideline_hash,
            shown_at=turn.at - timedelta(milliseconds=turn.latency_ms),
            submitted_at=turn.at,
        )
        for number, turn, read in given
    ]


def _by_speaker(turns: Sequence[RecordedTurn]) -> dict[str, list[RecordedTurn]]:
    grouped: dict[str, list[RecordedTurn]] = {}
    for turn in turns:
        grouped.setdefault(turn.speaker, []).append(turn)
    return grouped


def _seq(job: Job, run: LabelRun, number: int) -> int:
    """The number of an agent's label of a round on an item; what its peers said in that round is numbered after it."""
    rounds_at_most = 2 + job.panel.max_rounds
    return 1 + (run.revision * rounds_at_most + number) * len(job.panel.agents)


def _outcome(job: Job, run: LabelRun, outcome: Outcome, now: datetime) -> LabelOutcome:
    return LabelOutcome(run.id, job.labelling.id, run.item, outcome.vote, len(outcome.rounds), now)


def _protocol(job: Job, item: Item) -> Protocol:
    return PROTOCOLS[job.panel.method].begin(job.panel, item.id, job.labelling.seed, job.task.label_names)


def _task(study: Study, name: TaskName | None) -> Task:
    names = [task.name for task in study.tasks]
    if name is None and len(names) == 1:
        return study.tasks[0]
    if name not in names:
        problem = "the study has several tasks" if name is None else "the study has no such task"
        raise InvalidInput(problem, name, f"name one of {', '.join(names)}", key="--task")
    return study.task(name)


def _labelling(
    study: Study, number: int, task: Task, panel: Panel, now: datetime
) -> tuple[Labelling, list[ModelAnnotator]]:
    """A panel's work on a task, known by everything that decides what is asked."""
    desk = Desk(task, study.languages[0], panel, study.seed)
    version = PROTOCOLS[panel.method].version
    settings = {name: value for name, value in asdict(panel).items() if name not in ("name", "agents")}
    # Left out where they say nothing, so that who labelled before they existed stays who it was.
    later = ("only_disputed", "examples", "probabilities")
    settings = {name: value for name, value in settings.items() if value or name not in later}
    if task.prompts:
        settings["prompts"] = {name: text_hash(text) for name, text in sorted(task.prompts.items())}
    prompts = [desk.instructions(agent) for agent in panel.agents]
    members = [
        [agent.model, agent.reasoning, text_hash(prompt.text)]
        for agent, prompt in zip(panel.agents, prompts, strict=True)
    ]
    annotators = []
    for place, (agent, prompt) in enumerate(zip(panel.agents, prompts, strict=True)):
        provider, _, model = agent.model.partition(":")
        parameters = settings | {"reasoning": agent.reasoning, "protocol_version": version}
        if len(panel.agents) > 1:
            parameters |= {"place": place, "panel": members}
        identity = _digest(study.name, task.name, agent.model, parameters, members[place])
        annotators.append(
            ModelAnnotator(
                id=AnnotatorId(f"m-{identity}"),
                study=study.name,
                provider=provider,
                model=model,
                method=panel.method,
                persona=agent.persona,
                prompt=prompt.prompt.id,
                prompt_hash=text_hash(prompt.text),
                guideline_hash=_guideline_hash(task, study),
                parameters=parameters,
            )
        )
    agents = tuple(annotator.id for annotator in annotators)
    id_ = LabellingId(f"{RUN_PREFIX}{_digest(study.name, task.name, agents, study.seed)}")
    return Labelling(id_, study.name, number, task.name, panel, version, study.seed, agents, now), annotators


def _entered(labelling: Labelling, items: Sequence[Item], known: Sequence[LabelRun]) -> dict[ItemId, LabelRun]:
    """The run of each item with its present text: the one that is known, or a new one."""
    texts: dict[ItemId, list[LabelRun]] = {}
    for run in known:
        texts.setdefault(run.item, []).append(run)
    runs = {}
    for item in items:
        earlier, text = texts.get(item.id, []), item.hash
        runs[item.id] = next((run for run in earlier if run.item_hash == text), None) or LabelRun(
            id=RunId(f"{labelling.id}-{_digest(item.id, text)}"),
            labelling=labelling.id,
            item=item.id,
            item_hash=text,
            revision=len(earlier),
            protocol=labelling.panel.method,
            protocol_version=labelling.protocol_version,
        )
    return runs


def _guideline_hash(task: Task, study: Study) -> str:
    return text_hash(task.guideline.in_language(study.languages[0]))


def _digest(*what: object) -> str:
    canonical = json.dumps(what, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()[:16]
