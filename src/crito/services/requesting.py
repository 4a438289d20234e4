"""Labels asked for on purpose: blind ones on items drawn at random, and others on items somebody chose."""

import hashlib
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from crito.model.errors import Conflict, InvalidInput
from crito.model.ids import ItemId, RequestId, StudyName, TaskName
from crito.model.record import BLIND_PURPOSES, PURPOSES, BlindDraw, DrawnItem, LabelRequest, Purpose, Tuning
from crito.model.study import Item, Study, Task
from crito.services.drawing import keep_draw, new_secret
from crito.services.parts import Parts
from crito.services.ports.store import Tx
from crito.services.standing import in_force
from crito.services.suggesting import suggestion_for

FIRST_NUMBER = 1000
"""Above the number of any place of a study's own, so that an assignment's slot tells which of the two it holds."""

ASKED_FOR: tuple[Purpose, ...] = tuple(purpose for purpose in PURPOSES if purpose not in ("label", "resolve"))


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for; `draw` is that of blind requests."""

    requests: tuple[LabelRequest, ...]
    draw: BlindDraw | None


async def request_labels(
    parts: Parts,
    name: StudyName,
    purpose: str,
    *,
    n: int = 0,
    task: TaskName | None = None,
    items: Collection[ItemId] | None = None,
) -> Asked:
    """Ask experts for labels.

    Blind requests (calibration, certification, audit) are for `n` items drawn at random among `items`, or among all that
    no person has labelled and no earlier request is about; each keeps the probability it had. `verify` and `adjudicate`
    are for the items that are named, or for the `n` that the model was least sure of.

    Raises:
        InvalidInput: there is no such purpose or task.
        Conflict: no item is left to ask about.
    """
    if purpose not in ASKED_FOR:
        raise InvalidInput("nothing is asked for this purpose", came=purpose, wanted=f"one of {', '.join(ASKED_FOR)}")
    why: Purpose = next(one for one in ASKED_FOR if one == purpose)
    _, study = await parts.latest(name)
    chosen = _task(study, task)
    secret, seed, now = new_secret(parts), parts.new_seed(), parts.now()

    def work(tx: Tx) -> Asked:
        before = [one for one in tx.requests(name) if one.task == chosen.name]
        population = _population(tx, study, chosen, why, items, before)
        if not population:
            raise Conflict("no item is left to ask about")
        if why in BLIND_PURPOSES:
            return draw_requests(tx, study, chosen, why, population, n, Chance(secret, seed), now)
        told = {one.id: suggestion_for(tx, study, chosen.name, one.id, one.hash) for one in population}
        sure = {id_: -1.0 if said is None or said.confidence is None else said.confidence for id_, said in told.items()}
        unsure = sorted(population, key=lambda one: (sure[one.id], one.id))
        asked = [_request(study, chosen, one, why, before, now, None) for one in (unsure if items else unsure[:n])]
        tx.add_requests(asked, seed=seed)
        return Asked(tuple(asked), None)

    return await parts.store.write(work)


class Chance(NamedTuple):
    """What a draw of requests takes: the secret it is made by, and the seed of the order in which they are served."""

    secret: str
    seed: int


def draw_requests(
    tx: Tx,
    study: Study,
    task: Task,
    purpose: Purpose,
    population: Sequence[Item],
    n: int,
    chance: Chance,
    now: datetime,
) -> Asked:
    """Draw `n` of a population at random, or all of it, and ask for their labels."""
    rate = min(1.0, n / len(population))
    draw, among = keep_draw(
        tx, study.name, task, population, purpose, seed=chance.secret, rule="simple", rate=rate, now=now
    )
    picked = {one.item: one for one in among if one.drawn}
    before = [one for one in tx.requests(study.name) if one.task == task.name]
    asked = [_request(study, task, one, purpose, before, now, picked[one.id]) for one in population if one.id in picked]
    tx.add_requests(asked, seed=chance.seed)
    return Asked(tuple(asked), draw)


def held_by_experts(tx: Tx, study: StudyName) -> set[ItemId]:
    """What experts have before them now: it is answered as it was shown, so it cannot be asked for blind."""
    return {one.item for who, _ in tx.experts(study) for one in tx.assignments_of(who.id, ["open"])}


def _population(
    tx: Tx,
    study: Study,
    task: Task,
    purpose: Purpose,
    items: Collection[ItemId] | None,
    before: Sequence[LabelRequest],
) -> list[Item]:
    labelled = tx.labelled_items(study.name, task.name)
    asked = {one.item for one in before}
    if purpose == "adjudicate":
        return [one for one in task.items if one.id in labelled and (items is None or one.id in items)]
    if purpose in BLIND_PURPOSES:
        asked |= held_by_experts(tx, study.name)
    free = [one for one in task.items if one.id not in labelled and one.id not in asked]
    handoff = in_force(tx, study.name, task.name)
    if handoff and purpose == "audit":
        accepted = {one.item for one in tx.accepted_labels(study.name) if one.handoff == handoff.id}
        free = [one for one in free if one.id in accepted]
    return [one for one in free if items is None or one.id in items]


def _request(
    study: Study,
    task: Task,
    item: Item,
    purpose: Purpose,
    before: Sequence[LabelRequest],
    now: datetime,
    drawn: DrawnItem | None,
) -> LabelRequest:
    earlier = Counter(one.item for one in before)[item.id]
    number = FIRST_NUMBER + earlier
    id_ = hashlib.sha256(f"{study.name}/{task.name}/{item.id}/{number}".encode()).hexdigest()[:16]
    return LabelRequest(
        id=RequestId(f"q-{id_}"),
        study=study.name,
        task=task.name,
        item=item.id,
        item_hash=item.hash,
        condition=study.conditions[0].name,
        number=number,
        purpose=purpose,
        requested_at=now,
        probability=drawn.probability if drawn else None,
        draw=drawn.draw if drawn else None,
    )


async def note_tuning(parts: Parts, name: StudyName, task: TaskName | None, items: Sequence[str]) -> int:
    """Note that labels of these items were used to refine a prompt: they prove nothing from now on.

    Raises:
        InvalidInput: the task has no such item.
    """
    _, study = await parts.latest(name)
    chosen, now = _task(study, task), parts.now()
    known = {one.id for one in chosen.items}
    unknown = [one for one in items if one not in known]
    if unknown:
        raise InvalidInput(f"task {chosen.name!r} has no such item", came=unknown[0], wanted="give one id a line")
    noted = [Tuning(name, chosen.name, ItemId(one), now) for one in items]
    await parts.store.write(lambda tx: tx.add_tunings(noted))
    return len(noted)


def _task(study: Study, name: TaskName | None) -> Task:
    names = [task.name for task in study.tasks]
    if name is None and len(names) == 1:
        return study.tasks[0]
    if name not in names:
        problem = "there is no such task" if name else "the study has several tasks"
        raise InvalidInput(problem, came=name, wanted=f"one of {', '.join(names)}", key="--task")
    return study.task(name)
