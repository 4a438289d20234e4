"""Assignments and the slots they hold."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import count
from typing import Any, NamedTuple

from sqlalchemy import Select, bindparam, delete, distinct, func, not_, select, text, update

from crito.model.ids import AnnotatorId, AssignmentId, ItemId, StudyName, TaskName
from crito.model.record import Assignment
from crito.services.ports.places import Slot
from crito.services.ports.studies import SlotNeed
from crito.store.prepared import among
from crito.store.rows import Rows, values_of
from crito.store.tables.evidence import accepted_labels, label_requests, revocations
from crito.store.tables.people import participants
from crito.store.tables.places import HELD, slots
from crito.store.tables.places import assignments as assignments_

_SLOTS = select(
    slots.c.task, slots.c.condition, slots.c.item, slots.c.number, slots.c.item_hash, slots.c.assignment
).where(slots.c.study == bindparam("study"))
_ONE_SLOT = (
    slots.c.study == bindparam("of_study"),
    slots.c.task == bindparam("of_task"),
    slots.c.condition == bindparam("of_condition"),
    slots.c.item == bindparam("of_item"),
    slots.c.number == bindparam("of_number"),
)
_DROP_SLOT = delete(slots).where(*_ONE_SLOT)
_NEW_TEXT = update(slots).where(*_ONE_SLOT).values(item_hash=bindparam("new_hash"))
_HOLD = update(slots).where(*_ONE_SLOT).values(assignment=bindparam("holder"))
_LEFT_TO_A_MACHINE = (
    select(accepted_labels.c.item)
    .where(
        *(accepted_labels.c[name] == slots.c[name] for name in ("study", "task", "item")),
        ~select(revocations.c.handoff).where(revocations.c.handoff == accepted_labels.c.handoff).exists(),
    )
    .exists()
)
_FREE_IN = (
    slots.c.study == bindparam("study"),
    slots.c.task == bindparam("task"),
    slots.c.condition == bindparam("condition"),
    slots.c.assignment.is_(None),
    ~_LEFT_TO_A_MACHINE,
)
_COUNT_FREE = select(func.count(distinct(slots.c.item))).where(*_FREE_IN)
# A look at some: all free places of a large study are many, and whoever comes asks. No rank is below 0; said so that
# SQLite goes along the ranks, where it would sort all that is free otherwise.
_SOME_FREE = (
    select(slots.c.item)
    .where(*_FREE_IN, slots.c.rank >= 0)
    .order_by(slots.c.rank)
    .limit(bindparam("some"))
    .subquery("some_free")
)
_COUNT_SOME_FREE = select(func.count(), func.count(distinct(_SOME_FREE.c.item))).select_from(_SOME_FREE)
_FREE_SLOT = select(slots.c.item, slots.c.item_hash, slots.c.number).where(*_FREE_IN).limit(1)
_NOT_AVOIDED = not_(among(slots.c.item, "avoid"))

LOOKED_AT_PER_ITEM = 16


def _patiently(*searches: Select[Any]) -> tuple[Select[Any], ...]:
    """Pass by slots that others are about to take; only when nothing else is left, wait for what becomes of those."""
    return (
        *(search.with_for_update(skip_locked=True) for search in searches),
        *(search.with_for_update() for search in searches),
    )


_AROUND_PIVOT = _patiently(
    _FREE_SLOT.where(slots.c.rank >= bindparam("pivot"), _NOT_AVOIDED).order_by(slots.c.rank),
    _FREE_SLOT.where(slots.c.rank < bindparam("pivot"), _NOT_AVOIDED).order_by(slots.c.rank),
)
_NOT_KNOWN = not_(
    select(assignments_.c.id)
    .where(
        *(assignments_.c[name] == slots.c[name] for name in ("study", "task", "condition", "item")),
        text(f"assignments.{HELD}"),
        assignments_.c.annotator == bindparam("annotator"),
    )
    .exists()
)
_UNKNOWN_AROUND_PIVOT = _patiently(
    _FREE_SLOT.where(slots.c.rank >= bindparam("pivot"), _NOT_KNOWN).order_by(slots.c.rank),
    _FREE_SLOT.where(slots.c.rank < bindparam("pivot"), _NOT_KNOWN).order_by(slots.c.rank),
)
_OF_SAME_ITEM = _patiently(
    _FREE_SLOT.where(slots.c.item == bindparam("item"), slots.c.item_hash == bindparam("item_hash")).order_by(
        slots.c.number != bindparam("number"), slots.c.number
    )
)
_RELEASE = update(slots).where(among(slots.c.assignment, "holders")).values(assignment=None)
_RELEASE_REQUESTS = update(label_requests).where(among(label_requests.c.assignment, "holders")).values(assignment=None)
_SET_STATUS = update(assignments_).where(among(assignments_.c.id, "some")).values(status=bindparam("new_status"))
_REOPEN = (
    update(assignments_)
    .where(assignments_.c.id == bindparam("of_assignment"))
    .values(status="open", slot=bindparam("new_slot"), lease_until=bindparam("new_lease"))
)
_RENEW = (
    update(assignments_)
    .where(assignments_.c.annotator == bindparam("of_annotator"), assignments_.c.status == "open")
    .values(lease_until=bindparam("new_lease"))
)
_RUN_OUT = (assignments_.c.status == "open", assignments_.c.lease_until < bindparam("now"))
_LEASES_RUN_OUT = (
    select(assignments_.c.id)
    .join(participants, participants.c.id == assignments_.c.annotator)
    .where(*_RUN_OUT)
    .with_for_update(of=participants, skip_locked=True)
)
_EXPIRE = (
    update(assignments_)
    .where(among(assignments_.c.id, "some"), *_RUN_OUT)
    .values(status="expired")
    .returning(assignments_.c.id)
)


class _Kept(NamedTuple):
    number: int
    item_hash: str
    assignment: str | None


class PlaceRows(Rows):
    """What `Tx` says about assignments."""

    def make_slots(self, study: StudyName, needs: Sequence[SlotNeed], *, seed: int) -> None:
        present: dict[tuple[str, str, str], list[_Kept]] = defaultdict(list)
        for task, condition, item, *kept in self._rows(_SLOTS, {"study": study}):
            present[task, condition, item].append(_Kept(*kept))
        wanted: dict[tuple[str, str, str], SlotNeed] = {(need.task, need.condition, need.item): need for need in needs}
        new: list[dict[str, Any]] = []
        dropped: list[dict[str, Any]] = []
        retexted: list[dict[str, Any]] = []
        for place in present.keys() | wanted.keys():
            task, condition, item = place
            need = wanted.get(place)
            held = [slot.number for slot in present[place] if slot.assignment is not None]
            free = sorted(slot for slot in present[place] if slot.assignment is None)
            n_free = max(0, need.places - len(held)) if need else 0
            for i, slot in enumerate(free):
                key = {
                    "of_study": study,
                    "of_task": task,
                    "of_condition": condition,
                    "of_item": item,
                    "of_number": slot.number,
                }
                if i >= n_free:
                    dropped.append(key)
                elif need and slot.item_hash != need.item_hash:
                    retexted.append(key | {"new_hash": need.item_hash})
            if need:
                taken = {*held, *(slot.number for slot in free)}
                unused = (number for number in count() if number not in taken)
                new.extend(
                    {
                        "study": study,
                        "task": task,
                        "condition": condition,
                        "item": item,
                        "number": number,
                        "item_hash": need.item_hash,
                        "rank": rank_of(seed, task, condition, item, number),
                        "assignment": None,
                    }
                    for _, number in zip(range(n_free - len(free)), unused, strict=False)
                )
        for statement, rows in ((_DROP_SLOT, dropped), (_NEW_TEXT, retexted)):
            if rows:
                self._run_each(statement, rows)
        self._add(slots, *sorted(new, key=lambda slot: slot["rank"]))

    def free_slots(self, study: StudyName, task: TaskName, condition: str) -> int:
        return int(self._first(_COUNT_FREE, {"study": study, "task": task, "condition": condition})[0])

    def has_free_slots(self, study: StudyName, task: TaskName, condition: str, items: int) -> bool:
        some = LOOKED_AT_PER_ITEM * items
        place = {"study": study, "task": task, "condition": condition}
        found, of_items = self._first(_COUNT_SOME_FREE, place | {"some": some})
        if of_items >= items or found < some:
            return bool(of_items >= items)
        return self.free_slots(study, task, condition) >= items

    def take_slot(
        self,
        study: StudyName,
        task: TaskName,
        condition: str,
        assignment: AssignmentId,
        *,
        pivot: int,
        avoid: Iterable[ItemId],
    ) -> Slot | None:
        place = {"study": study, "task": task, "condition": condition}
        return self._hold(_AROUND_PIVOT, place, {"pivot": pivot, "avoid": list(avoid)}, assignment)

    def take_slot_unknown_to(
        self,
        study: StudyName,
        task: TaskName,
        condition: str,
        assignment: AssignmentId,
        annotator: AnnotatorId,
        *,
        pivot: int,
    ) -> Slot | None:
        place = {"study": study, "task": task, "condition": condition}
        return self._hold(_UNKNOWN_AROUND_PIVOT, place, {"pivot": pivot, "annotator": annotator}, assignment)

    def retake_slot(self, study: StudyName, assignment: Assignment) -> Slot | None:
        place = {"study": study, "task": assignment.task, "condition": assignment.condition}
        own = {"item": assignment.item, "item_hash": assignment.item_hash, "number": assignment.slot}
        return self._hold(_OF_SAME_ITEM, place, own, assignment.id)

    def _hold(
        self, free: tuple[Select[Any], ...], place: dict[str, Any], choice: dict[str, Any], assignment: AssignmentId
    ) -> Slot | None:
        for statement in free:
            row = self._first(statement, place | choice)
            if row is not None:
                self._run(
                    _HOLD,
                    {f"of_{name}": value for name, value in place.items()}
                    | {"of_item": row.item, "of_number": row.number, "holder": assignment},
                )
                return Slot(*row)
        return None

    def release_slots(self, assignments: Sequence[AssignmentId]) -> None:
        holders = {"holders": list(assignments)}
        self._run(_RELEASE, holders)
        self._run(_RELEASE_REQUESTS, holders)

    def add_assignments(self, study: StudyName, assignments: Sequence[Assignment]) -> None:
        self._add(assignments_, *(values_of(assignment, study=study) for assignment in assignments))

    def set_status(self, assignments: Sequence[AssignmentId], status: str) -> None:
        self._run(_SET_STATUS, {"some": list(assignments), "new_status": status})

    def reopen(self, assignment: AssignmentId, slot: int, lease_until: datetime) -> None:
        self._run(_REOPEN, {"of_assignment": assignment, "new_slot": slot, "new_lease": lease_until})

    def renew_leases(self, annotator: AnnotatorId, until: datetime) -> None:
        self._run(_RENEW, {"of_annotator": annotator, "new_lease": until})

    def expire_leases(self, now: datetime) -> int:
        # Someone whose record is locked is at work this moment. Others are locked first and judged afterwards,
        # since the lease may have been renewed between the reading and the lock.
        run_out = [row.id for row in self._rows(_LEASES_RUN_OUT, {"now": now})]
        if not run_out:
            return 0
        expired = [row.id for row in self._rows(_EXPIRE, {"some": run_out, "now": now})]
        self.release_slots(expired)
        return len(expired)


def rank_of(seed: int, task: str, condition: str, item: str, number: int) -> int:
    """32 bits that depend on the seed and on nothing that changes when slots are added later."""
    place = "\x1f".join([str(seed), task, condition, item, str(number)])
    return int.from_bytes(hashlib.sha256(place.encode()).digest()[:4])
