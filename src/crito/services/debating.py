"""Hold a debate between models: its run, what is recorded of it, how it goes on after a stop, and how it is moderated."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from crito.model.debate import SIDES, Debate, DebateOutcome, DebateTurn, Intervention, Topic
from crito.model.errors import InvalidInput, NotFound
from crito.model.ids import DebateId, RunId, StudyName
from crito.model.record import AgentRun, HeldDebate
from crito.model.study import Study
from crito.model.talk import Answer, Ask, NoAnswer, Turn
from crito.protocols.debate import NAME, VERSION, Speaking, debate
from crito.protocols.debate.lines import lines_of
from crito.protocols.debate.moderation import MODERATOR, as_text, intervention_of
from crito.protocols.driving import Recorded
from crito.services.agent_runs import ask_agent, carry, recorded_answers
from crito.services.asking import Calling, Place, Said
from crito.services.debate_words import DebateDesk
from crito.services.parts import Parts
from crito.services.ports.store import Tx
from crito.services.publishing import publish
from crito.studies.definition import dump_debate, load_debate

RUN_PREFIX = "d-"
"""By which the runs of debates are known from others."""

Order = Literal["given", "swapped"]
"""Whether A argues first, or B."""

NOT_MODERATED = "nobody intervened"


@dataclass(frozen=True, slots=True)
class DebateRun:
    """A debate with one of its runs; in a swapped one B speaks first, and topics are given, their titles mirrored."""

    study: StudyName
    held: HeldDebate
    debate: Debate
    order: Order
    run: AgentRun

    @property
    def desk(self) -> DebateDesk:
        return DebateDesk(self.debate)

    @property
    def protocol(self) -> Speaking[DebateOutcome]:
        """The debate from its beginning."""
        return debate(self.debate.subject, self.debate.debaters, self.debate.settings)


@dataclass(frozen=True, slots=True)
class Standing:
    """A run of a debate at the point it has come to.

    `lines` are what was said so far; `outcome` is there once it is over. `waiting` are interventions nobody took yet.
    """

    run: DebateRun
    lines: tuple[DebateTurn, ...]
    outcome: DebateOutcome | None
    waiting: tuple[Intervention, ...]


async def begin_debate(parts: Parts, study: Study, wanted: Debate) -> DebateRun:
    """Publish the study if need be, and open the debate: the same one again is the one that was begun.

    Raises:
        InvalidInput: an agent or judge names no model, or a debater is to judge without leave.
        Conflict: the file changes what people have begun to label.
    """
    check_debate(wanted)
    edition = await publish(parts, study)
    held = HeldDebate(
        debate_id(study.name, wanted), study.name, edition.number, wanted.name, dump_debate(wanted), parts.now()
    )
    run = _run(held, "given")

    def work(tx: Tx) -> HeldDebate:
        tx.add_debate(held)
        tx.add_agent_run(study.name, run)
        return find_held(tx, study.name, held.id)

    kept = await parts.store.write(work)
    return DebateRun(study.name, kept, wanted, "given", run)


async def begin_swapped(parts: Parts, first: DebateRun, outcome: DebateOutcome) -> DebateRun:
    """Open the same debate with B speaking first, on the topics that came out of the first one."""
    run = _run(first.held, "swapped")
    await parts.store.write(lambda tx: tx.add_agent_run(first.study, run))
    return replace(first, debate=mirrored(first.debate, outcome.topics), order="swapped", run=run)


def mirrored(wanted: Debate, topics: Sequence[Topic]) -> Debate:
    """A debate with its speakers in the other order, on topics with mirrored titles."""
    given = tuple(replace(topic, title=topic.mirrored_title) for topic in topics)
    first, second = wanted.debaters
    return replace(wanted, debaters=(second, first), settings=replace(wanted.settings, given_topics=given))


async def hold_debate(
    parts: Parts, run: DebateRun, calling: Calling, heard: Callable[[DebateTurn], None] = lambda line: None
) -> DebateOutcome:
    """Carry a debate from where its record ends to its outcome; every step is recorded before the next is asked.

    Args:
        heard: is told every line as it is recorded.

    Raises:
        Stopped: before the debate was over.
        CritoError: a model cannot be asked at all, or a limit was reached.
    """

    async def answer(place: Place) -> Said:
        if place.ask.speaker == MODERATOR:
            return await _moderation(parts, run, place.ask)
        asked, model = run.desk.request(place.ask), run.desk.debater(place.ask.speaker).model
        return await ask_agent(parts, run.study, place, model, asked, run.desk.answer, calling)

    def tell(ask: Ask, answer: Answer) -> None:
        for line in lines_of(ask, answer, run.debate.debaters):
            heard(line)

    return await carry(parts, run.study, run.run, lambda: run.protocol, answer, tell)


async def intervene(parts: Parts, study: StudyName, run: RunId, kind: str, value: str) -> int:
    """Queue what a moderator wants done; it is taken at the next pause between turns.

    Raises:
        InvalidInput: there is no such intervention, or its value cannot be used.
        NotFound: no debate has this run.
    """
    wanted = intervention_of(kind, value)
    if wanted is None:
        needed = "a number from 0 to 1" if kind == "contentiousness" else "some words"
        raise InvalidInput("this cannot be done in a debate", f"{kind}: {value}", f"{kind} takes {needed}")
    now = parts.now()

    def work(tx: Tx) -> int:
        standing = stand(tx, study, run)
        if standing.outcome is not None:
            raise InvalidInput("the debate is over", None, "moderate the next one")
        return tx.queue_intervention(study, run, wanted, now)

    return await parts.store.write(work)


async def standings(parts: Parts, study: StudyName) -> list[Standing]:
    """Every run of every debate of a study, in the order in which they were begun."""

    def work(tx: Tx) -> list[Standing]:
        return [
            stand(tx, study, run.id)
            for held in tx.debates(study)
            for run in tx.agent_runs(study, held.id)
            if run.protocol == NAME
        ]

    return await parts.store.read(work)


async def standing_of(parts: Parts, study: StudyName, run: RunId) -> Standing:
    """One run of a debate as far as it has come.

    Raises:
        NotFound: no debate has this run.
    """
    return await parts.store.read(lambda tx: stand(tx, study, run))


def stand(tx: Tx, study: StudyName, run: RunId) -> Standing:
    """Rebuild a run of a debate from its recorded turns."""
    name, _, order = run.rpartition("-")
    held = find_held(tx, study, DebateId(name))
    agent_run = next((one for one in tx.agent_runs(study, held.id) if one.id == run), None)
    if agent_run is None:
        raise NotFound(f"debate {name!r} has no run {run!r}")
    found = DebateRun(study, held, load_debate(held.definition), "given", agent_run)
    if order == "swapped":
        first = stand(tx, study, _run(held, "given").id).outcome
        assert first is not None, "a debate is held in the other order when the first one is over"
        found = replace(found, debate=mirrored(found.debate, first.topics), order="swapped")
    recorded = recorded_answers(tx, run)
    lines, outcome = _lines(found, recorded)
    taken = sum(isinstance(given.answer, Turn) and given.answer.speaker == MODERATOR for given in recorded.values())
    waiting = tuple(queued.intervention for queued in tx.interventions(run)[taken:])
    return Standing(found, lines, outcome, waiting)


def find_held(tx: Tx, study: StudyName, wanted: DebateId) -> HeldDebate:
    """A debate of a study.

    Raises:
        NotFound: there is none of this id.
    """
    found = next((held for held in tx.debates(study) if held.id == wanted), None)
    if found is None:
        raise NotFound(f"study {study!r} has no debate {wanted!r}")
    return found


def debate_id(study: StudyName, wanted: Debate) -> DebateId:
    """The id of a debate, which follows from everything that decides what is said in it; who judges it does not."""
    alone = replace(wanted, judges=(), judges_may_debate=False, swap="none")
    digest = hashlib.sha256(f"{study}\n{VERSION}\n{dump_debate(alone)}".encode()).hexdigest()[:16]
    return DebateId(f"{RUN_PREFIX}{digest}")


def check_debate(wanted: Debate) -> None:
    """Do nothing for a debate that can be held.

    Raises:
        InvalidInput: there is no subject, no model, both argue one side, or a debater is to judge without leave.
    """
    if not wanted.subject.strip():
        raise InvalidInput("the debate has no subject", wanted=CHOOSE_SUBJECT)
    if {debater.side for debater in wanted.debaters} != set(SIDES):
        raise InvalidInput("both agents argue the same side", wanted="give one the side A and the other B")
    for model in (*(debater.model for debater in wanted.debaters), *wanted.judges):
        if ":" not in model:
            raise InvalidInput("this names no model", model, "write PROVIDER:NAME or local:PATH.gguf")
    both = {debater.model for debater in wanted.debaters} & set(wanted.judges)
    if both and not wanted.judges_may_debate:
        raise InvalidInput(
            "a debater is among the judges", ", ".join(sorted(both)),
            "name another judge, or allow it with --judge-may-debate (the result says so)",
        )  # fmt: skip


CHOOSE_SUBJECT = "name one, such as a question that can be answered with yes or no"


def _run(held: HeldDebate, order: Order) -> AgentRun:
    return AgentRun(RunId(f"{held.id}-{order}"), held.id, NAME, VERSION)


async def _moderation(parts: Parts, run: DebateRun, ask: Ask) -> Said:
    """The next intervention that waits, or at once that there is none."""

    def work(tx: Tx) -> Intervention | None:
        taken = sum(turn.speaker == MODERATOR and not turn.no_answer for turn in tx.turns([run.run.id])[run.run.id])
        queued = tx.interventions(run.run.id)
        return queued[taken].intervention if taken < len(queued) else None

    wanted = await parts.store.read(work)
    if wanted is None:
        return Said(NoAnswer(ask.speaker, NOT_MODERATED), "person")
    return Said(Turn(ask.speaker, as_text(wanted), "person"), "person")


def _lines(
    run: DebateRun, recorded: Mapping[tuple[int, int], Recorded]
) -> tuple[tuple[DebateTurn, ...], DebateOutcome | None]:
    """What was said in a run so far, and its outcome if it is over."""
    protocol, lines, step = run.protocol, list[DebateTurn](), 0
    answers: Sequence[Answer] | None = None
    while True:
        try:
            asks = next(protocol) if answers is None else protocol.send(answers)
        except StopIteration as end:
            outcome: DebateOutcome = end.value
            return outcome.transcript.turns, outcome
        given = [recorded.get((step, index)) for index in range(len(asks))]
        for ask, one in zip(asks, given, strict=True):
            lines += lines_of(ask, one.answer, run.debate.debaters) if one else []
        if None in given:
            return tuple(lines), None
        answers = [one.answer for one in given if one is not None]
        step += 1
