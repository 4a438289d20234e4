"""`crito handoff`: what the gate says, handing the rest over, labelling and accepting it, taking it back."""

import asyncio
from dataclasses import dataclass
from functools import partial

from crito.bootstrap import Settings, open_parts
from crito.cli import screen
from crito.cli.labelling import drive, parts_for_labelling, spending_of
from crito.cli.places import existing_study
from crito.engine.local import LocalEngine
from crito.engine.shards import Tally
from crito.model.errors import InvalidInput
from crito.model.ids import StudyName, TaskName
from crito.model.record import Handoff
from crito.services import handing
from crito.services.agreeing import TaskCard, agreement_cards
from crito.services.labelling import Job
from crito.services.parts import Parts
from crito.services.standing import Standing, in_force
from crito.stats.statistic import as_json as json_of

COMMAND = "command"
"""Who decided, where it was done on the command line."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What the command line asks for."""

    task: str
    over: bool
    take_back: str
    audits: int
    limit: int | None
    budget_usd: float | None
    in_flight: str
    at_once: int


def handoff(study: str, db: str | None, wish: Wish, *, as_json: bool) -> bool:
    """Show, hand over and label the rest, or take back. False when labelling stopped before its end.

    Raises:
        NotFound: the study or its database is not there.
        InvalidInput: there is no such task, or several and none is named.
        Conflict: the gate does not allow it, or there is nothing to take back.
        CritoError: a model cannot be asked, or a limit was reached; what was done before is kept.
    """
    name, url = existing_study(study, db)
    settings = Settings(url)

    async def work() -> bool:
        if wish.over:
            async with parts_for_labelling(settings, spending_of(wish.budget_usd, wish.in_flight), name) as parts:
                whole = await _over(parts, name, await _task(parts, name, wish.task), wish, as_json=as_json)
                await _say(parts, name, as_json=as_json)
                return whole
        async with open_parts(settings) as parts:
            if wish.take_back:
                await handing.take_back(
                    parts, name, await _task(parts, name, wish.task), by=COMMAND, why=wish.take_back
                )
            await _say(parts, name, as_json=as_json)
            return True

    return asyncio.run(work())


async def _task(parts: Parts, name: StudyName, named: str) -> TaskName:
    _, study = await parts.latest(name)
    names = [task.name for task in study.tasks]
    if not named and len(names) == 1:
        return names[0]
    if named not in names:
        problem = "there is no such task" if named else "the study has several tasks"
        raise InvalidInput(problem, named or None, f"one of {', '.join(names)}", key="--task")
    return TaskName(named)


async def _over(parts: Parts, name: StudyName, task: TaskName, wish: Wish, *, as_json: bool) -> bool:
    """Hand over, or go on with what is handed over: label what is left, accepting each label as it comes.

    What people have labelled is labelled first, since the decision rests on it.
    """
    standing = await parts.store.read(lambda tx: in_force(tx, name, task))
    if standing is None:
        compared = await handing.begin_comparisons(parts, name, task)
        if compared and not await _label(parts, compared, wish, None, as_json=as_json):
            return False
        standing = (await handing.hand_over(parts, name, task, by=COMMAND, audits=wish.audits)).handoff
    rest = await handing.begin_rest(parts, standing, limit=wish.limit)
    if rest is None:
        return True
    try:
        return await _label(parts, rest, wish, standing, as_json=as_json)
    finally:
        await handing.ask_audits(parts, standing, wish.audits)


async def _label(parts: Parts, job: Job, wish: Wish, under: Handoff | None, *, as_json: bool) -> bool:
    """Do what waits, accepting it under a handoff; whether nothing stopped it."""
    tally, engine = Tally(), LocalEngine(wish.at_once)
    after = partial(handing.accept_outcome, parts, under) if under else None
    async with parts.store.hold(f"labelling {job.labelling.id}"):
        if under:
            await handing.accept_rest(parts, under)
        try:
            await drive(parts, job, engine, tally, after=after)
        finally:
            if job.waiting and not as_json:
                screen.say(f"{job.panel.name} on {job.task.name}: {tally.words}")
    return not engine.stopped and not tally.held


async def _say(parts: Parts, name: StudyName, *, as_json: bool) -> None:
    cards = await agreement_cards(parts, name)
    stand = await handing.watched(parts, name)
    if as_json:
        screen.facts({
            "study": name,
            "tasks": [{"task": one.task, "machine": one.version, "reason": one.reason}
                      | ({"gate": json_of(one.card.gate)} if one.card else {}) for one in cards],
            "handoffs": [handing.facts_of(one) for one in stand],
        })  # fmt: skip
        return
    if not cards:
        screen.say("This study suggests no labels, so there is nothing to hand over.")
    for card in cards:
        screen.say(_gate(card))
    for one in stand:
        screen.say(_words(one.standing))


def _gate(card: TaskCard) -> str:
    if card.card is None:
        return f"{card.task}: {card.reason}."
    gate = card.card.gate
    said = {"hand_over": "may be handed over", "wait": "wait", "refuse": "refused"}[gate.decision]
    more = f"; at least {gate.still_needed} more blind items if all agree" if gate.still_needed else ""
    return f"{card.task}: {said}; {gate.reason}{more}"


def _words(one: Standing) -> str:
    handoff, end = one.handoff, one.revocation
    proof = "certified" if handoff.certified else "UNCERTIFIED"
    said = (
        f"{handoff.task}: handed over to {handoff.version} at {handoff.at:%Y-%m-%d %H:%M} UTC by {handoff.by}, {proof}"
    )
    said += f"; {one.n_accepted:,} labels accepted"
    if end is None:
        return f"{said}; in force"
    ends = {"audits": "REVOKED", "new_version": "ended", "taken_back": "taken back"}
    return f"{said}; {ends[end.reason]} at {end.at:%Y-%m-%d %H:%M} UTC: {end.words}"
