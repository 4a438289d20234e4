"""Which items, under which condition, a newcomer gets: drawn at random, never from what anyone answered."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import NamedTuple

from crito.model.ids import AssignmentId, ItemId
from crito.model.record import Assignment, Draw, Participant
from crito.model.study import Condition, Study, Task
from crito.services.ports.places import Slot
from crito.services.ports.store import Tx


class Held(NamedTuple):
    """A slot that was taken for an assignment."""

    assignment: AssignmentId
    task: Task
    condition: Condition
    slot: Slot


@dataclass(frozen=True, slots=True)
class Given:
    """What a newcomer got; no assignments when the study has no room for them."""

    participant: Participant
    assignments: tuple[Assignment, ...]
    draws: tuple[Draw, ...]


def assign(tx: Tx, study: Study, newcomer: Participant) -> Given:
    """Draw a condition (per person or per item, as the study says) among those with room, and take slots in it.

    Conditions are drawn by their weights. The order of items is random, from the newcomer's own seed.
    """
    rng = random.Random(newcomer.seed)
    by = _per_person if study.assign == "person" else _per_item
    held, draws = by(tx, study, newcomer, rng)
    rng.shuffle(held)
    lease_until = newcomer.arrived_at + timedelta(minutes=study.lease_minutes)
    conditions = {place.condition.name for place in held}
    return Given(
        replace(newcomer, condition=conditions.pop() if study.assign == "person" and held else ""),
        tuple(
            Assignment(
                id=place.assignment,
                annotator=newcomer.id,
                task=place.task.name,
                item=place.slot.item,
                item_hash=place.slot.item_hash,
                condition=place.condition.name,
                position=position,
                slot=place.slot.number,
                status="open",
                lease_until=lease_until,
            )
            for position, place in enumerate(held)
        ),
        tuple(draws),
    )


def _per_person(tx: Tx, study: Study, newcomer: Participant, rng: random.Random) -> tuple[list[Held], list[Draw]]:
    candidates = [
        condition
        for condition in study.conditions
        if all(tx.has_free_slots(study.name, t.name, condition.name, t.items_per_person) for t in study.tasks)
    ]
    while candidates:
        condition, draw = _draw(study, newcomer, "condition", candidates, rng)
        held: list[Held] = []
        for task in study.tasks:
            for _ in range(task.items_per_person):
                held += _take(tx, study, task, condition, held, rng)
        if len(held) == sum(task.items_per_person for task in study.tasks):
            return held, [draw]
        # Others took the last places since they were counted.
        tx.release_slots([place.assignment for place in held])
        candidates.remove(condition)
    return [], []


def _per_item(tx: Tx, study: Study, newcomer: Participant, rng: random.Random) -> tuple[list[Held], list[Draw]]:
    held: list[Held] = []
    draws: list[Draw] = []
    for task in study.tasks:
        for _ in range(task.items_per_person):
            candidates = [c for c in study.conditions if tx.has_free_slots(study.name, task.name, c.name, 1)]
            while candidates:
                condition, draw = _draw(study, newcomer, "condition", candidates, rng)
                taken = _take(tx, study, task, condition, held, rng)
                if taken:
                    held += taken
                    draws.append(replace(draw, what=f"condition:{task.name}:{taken[0].slot.item}"))
                    break
                candidates.remove(condition)
            else:
                tx.release_slots([place.assignment for place in held])
                return [], []
    return held, draws


def _draw(
    study: Study, newcomer: Participant, what: str, candidates: Sequence[Condition], rng: random.Random
) -> tuple[Condition, Draw]:
    total = sum(condition.weight for condition in candidates)
    chances = {condition.name: condition.weight / total for condition in candidates}
    (condition,) = rng.choices(candidates, weights=list(chances.values()))
    return condition, Draw(study.name, newcomer.id, what, chances, newcomer.seed, condition.name, newcomer.arrived_at)


def _take(
    tx: Tx, study: Study, task: Task, condition: Condition, held: Iterable[Held], rng: random.Random
) -> list[Held]:
    assignment = AssignmentId(f"a-{rng.getrandbits(60):015x}")
    avoid: set[ItemId] = {place.slot.item for place in held}
    slot = tx.take_slot(study.name, task.name, condition.name, assignment, pivot=rng.getrandbits(32), avoid=avoid)
    return [Held(assignment, task, condition, slot)] if slot else []
