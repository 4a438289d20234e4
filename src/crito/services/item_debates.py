"""A debate that is held while a person waits for it, because none was prepared on their item."""

import asyncio
import hashlib
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from crito.model.errors import Conflict, CritoError, ModelUnavailable
from crito.model.ids import AnnotatorId, AssignmentId, RunId
from crito.model.record import AgentRun, Assignment
from crito.model.study import Study
from crito.model.talk import Answer, NoAnswer
from crito.protocols.contest import ARGUING, VERSION, argued
from crito.protocols.methods import agents_of
from crito.services.agent_runs import ask_agent, carry, recorded_answers
from crito.services.asking import Calling, Place, Said
from crito.services.both_sides import BothSides, arguing_panel, show, sides_of_run, was_shown
from crito.services.label_words import Desk
from crito.services.parts import Parts
from crito.services.ports.store import Tx
from crito.services.visit import Visit

NAME = "item_debate"
"""What the protocol is called by which two agents argue while somebody waits."""

RUN_PREFIX = "i-"
"""By which the runs of such debates are known from others."""

LONGEST_WAIT_S = 180
"""After so long without a debate a person goes on without one."""

LOOK_AGAIN_S = 0.5


@dataclass(frozen=True, slots=True)
class Awaited:
    """A debate that somebody waits for; the run is the same for all who wait for these labels of this text."""

    study: Study
    mine: Assignment
    run: AgentRun
    desk: Desk
    stances: dict[str, str]
    give_up_at: datetime


async def bring(parts: Parts, annotator: AnnotatorId, assignment: AssignmentId) -> None:
    """Have the debate argued that this person waits for, and put it on record as shown.

    What is argued stays for whoever comes later. When it cannot be had, or not in time, the person goes on without.
    """
    while (awaited := await parts.store.read(lambda tx: _look(parts, tx, annotator, assignment))) is not None:
        found = await _argued(parts, awaited)
        if found is None:
            await asyncio.sleep(LOOK_AGAIN_S)
        else:
            await parts.store.write(lambda tx: _settle(parts, tx, annotator, assignment, found))  # noqa: B023


def _look(parts: Parts, tx: Tx, annotator: AnnotatorId, assignment: AssignmentId) -> Awaited | None:
    return _awaited(Visit.of(parts, tx, tx.person(annotator)), assignment)


def _awaited(visit: Visit, assignment: AssignmentId) -> Awaited | None:
    """What this person waits for at the debate of an item; None when they do not, or no longer."""
    place, study = visit.place, visit.study
    asked = visit.record.event("arguing", assignment)
    if asked is None or place.kind != "debate" or place.assignment is None or place.assignment.id != assignment:
        return None
    mine = place.assignment
    if was_shown(visit.tx.seen(study.name, visit.annotator, mine.item), mine):
        return None
    panel, labels = arguing_panel(study), asked.data["labels"]
    agents = [[agent.model, agent.persona, agent.reasoning] for agent in panel.agents[:ARGUING]]
    canonical = json.dumps([study.name, mine.task, mine.item_hash, labels, agents, VERSION], ensure_ascii=False)
    run = RunId(f"{RUN_PREFIX}{hashlib.sha256(canonical.encode()).hexdigest()[:16]}")
    return Awaited(
        study=study,
        mine=mine,
        run=AgentRun(run, f"{mine.task}/{mine.item}", NAME, VERSION),
        desk=Desk(study.task(mine.task), study.languages[0], panel, study.seed),
        stances=dict(zip(agents_of(panel)[:ARGUING], labels, strict=True)),
        give_up_at=asked.at + timedelta(seconds=LONGEST_WAIT_S),
    )


async def _argued(parts: Parts, awaited: Awaited) -> BothSides | str | None:
    """What came of it: the debate, or why there is none; None while somebody else has the same one argued."""
    if parts.now() >= awaited.give_up_at:
        return f"not argued within {LONGEST_WAIT_S} seconds"
    try:
        async with parts.store.hold(f"debate {awaited.run.id}"):
            return await _hold(parts, awaited) or "a side said nothing"
    except Conflict:
        return None
    except CritoError as problem:
        return str(problem)


async def _hold(parts: Parts, awaited: Awaited) -> BothSides | None:
    """Have both agents argue, from where the record of their run ends."""
    study, mine, desk = awaited.study, awaited.mine, awaited.desk
    item = await parts.store.read(lambda tx: tx.item(study.name, mine.item, mine.item_hash))
    agents = dict(zip(agents_of(desk.panel), desk.panel.agents, strict=True))
    calling = Calling(_let_through, lambda spent: None)

    async def answer(place: Place) -> Said:
        agent = agents[place.ask.speaker]
        asked = desk.request(place.ask, agent, item)
        said = await ask_agent(parts, study.name, place, agent.model, asked, desk.turn, calling)
        if isinstance(said.answer, NoAnswer):
            # Not kept: others will wait for the same debate, and the model may be back by then.
            raise ModelUnavailable(said.answer.reason)
        return said

    await parts.store.write(lambda tx: tx.add_agent_run(study.name, awaited.run))
    await carry(parts, study.name, awaited.run, lambda: argued(awaited.stances), answer)
    recorded = await parts.store.read(lambda tx: recorded_answers(tx, awaited.run.id))
    return sides_of_run(awaited.run.id, argued(awaited.stances), recorded, desk.panel)


async def _let_through(call: Callable[[], Awaitable[Answer]]) -> Answer:
    return await call()


def _settle(parts: Parts, tx: Tx, annotator: AnnotatorId, assignment: AssignmentId, found: BothSides | str) -> None:
    """Record what came of the waiting: the debate that is shown now, or why there is none."""
    visit = Visit.begin(parts, tx, annotator)
    awaited = _awaited(visit, assignment)
    if awaited is None:
        return
    if isinstance(found, BothSides):
        show(tx, visit.study, visit.record.participant, awaited.mine, found, visit.now)
    else:
        visit.do_without_debate(awaited.mine, found)
        visit.move_on()
