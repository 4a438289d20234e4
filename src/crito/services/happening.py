"""What goes on in a study at this moment: who is at which step, how far each item is, and what waits for its owner."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, NamedTuple, get_args

from crito.model.ids import AnnotatorId, ItemId, StudyName, TaskName
from crito.model.record import RevocationReason
from crito.model.study import Study
from crito.services.labelling import RUN_PREFIX
from crito.services.overview import RECENT
from crito.services.parts import Parts
from crito.services.ports.owner import ActivePerson
from crito.services.ports.store import Tx
from crito.services.shares import editions
from crito.services.standing import ended_by_record
from crito.studies.planning import notes_on_suggestions

Step = Literal[
    "instructions",
    "annotate",
    "resolve",
    "confirm",
    "pause",
    "debate",
    "talk",
    "relabel",
    "survey",
    "about_you",
    "queue",
]
STEPS: tuple[Step, ...] = get_args(Step)
"""Where somebody may be, in the order of a study; experts are at their queue."""

STUCK = timedelta(minutes=15)
"""Whoever holds a place and has done nothing for this long is stuck, or was called away."""

MOST_DRAWN = 400
"""Items of one task under one condition that are counted one by one; the sums are of all of them."""

Presence = Literal["present", "stuck", "away"]


class Here(NamedTuple):
    """One person whom nothing has ended, with the step they are at and whether they are there."""

    person: ActivePerson
    step: Step
    presence: Presence


class ItemDone(NamedTuple):
    """One item: places that are done, and that somebody is at."""

    item: ItemId
    done: int
    open: int


@dataclass(frozen=True, slots=True)
class Strip:
    """One task under one condition: its sums, and its first items one by one.

    `places` is how many labels the study asks for in all, `each` for one item.
    """

    task: TaskName
    condition: str
    n_items: int
    each: int
    done: int
    open: int
    items: Sequence[ItemDone]

    @property
    def places(self) -> int:
        return self.n_items * self.each


NeedKind = Literal[
    "stuck",
    "crashed",
    "uncertain",
    "budget_reached",
    "budget_near",
    "revoked",
    "outdated",
    "hand_over",
    "to_review",
    "marked",
    "retention",
    "blind_sample",
]

NEAR = 0.8
"""The part of a budget from which on it is told that it is nearly spent."""

UNCERTAIN_AFTER = timedelta(minutes=11)
"""A call is given up on sooner: one that was sent so long ago has nobody who waits for it any more."""


class Need(NamedTuple):
    """Something that waits for the owner: how much of it, what a note says about it in words, and of a budget what is spent
    and what may be."""

    kind: NeedKind
    number: int
    note: str = ""
    spent_usd: float = 0.0
    limit_usd: float = 0.0


@dataclass(frozen=True, slots=True)
class Happening:
    """What goes on.

    Attributes:
        people: by ending, `active` for those who have none.
        here: everyone who has no ending.
        steps: of those who are there, how many are at each step that somebody is at or may be at in this study.
        strips: one for each task and condition.
    """

    people: Mapping[str, int]
    here: Sequence[Here]
    steps: Mapping[Step, int]
    strips: Sequence[Strip]
    needs: Sequence[Need]

    @property
    def n_people(self) -> int:
        return sum(self.people.values())

    def count(self, *presences: Presence) -> int:
        """How many are there, stuck or away."""
        return sum(one.presence in presences for one in self.here)

    @property
    def done(self) -> int:
        """Assignments that are done."""
        return sum(strip.done for strip in self.strips)


async def happening(parts: Parts, name: StudyName) -> Happening:
    """What goes on in the latest edition of the study."""
    _, study = await parts.latest(name)
    now = parts.now()

    def work(tx: Tx) -> Happening:
        here = who_is_here(tx, study, now)
        there = Counter(one.step for one in here if one.presence != "away")
        return Happening(
            people=tx.count_people(name),
            here=here,
            steps={step: there[step] for step in STEPS if there[step] or step in steps_of(study)},
            strips=list(_strips(tx, study)),
            needs=[need for looks in NEEDS for need in looks(_Look(parts, tx, study, here, now)) if need.number],
        )

    return await parts.store.survey(work)


def who_is_here(tx: Tx, study: Study, now: datetime) -> list[Here]:
    """Everyone without an ending, those who did something last first."""
    found = [Here(one, step_of(study, one), presence_of(one, now)) for one in tx.active_people(study.name)]
    return sorted(found, key=lambda one: one.person.last_seen_at, reverse=True)


def presence_of(person: ActivePerson, now: datetime) -> Presence:
    """Whether somebody is there, holds a place without doing anything, or is away."""
    if person.last_seen_at >= now - RECENT:
        return "present"
    if person.lease_until is None or person.lease_until <= now:
        return "away"
    return "stuck" if person.last_seen_at < now - STUCK else "present"


def step_of(study: Study, person: ActivePerson) -> Step:
    """The step of the place that was opened for a person last."""
    if person.role == "expert":
        return "queue"
    kind = person.opened.partition(":")[0]
    if kind == "talk" and person.condition and not _talks(study, person.condition):
        return "relabel"
    return kind if kind in STEPS else "instructions"


def steps_of(study: Study) -> frozenset[Step]:
    """The steps that people of this study go through."""
    if study.open_to == "experts":
        return frozenset({"queue"})
    has = {step for condition in study.conditions for step in ("annotate", "discuss", "reannotate", "survey")
           if condition.has(step)}  # fmt: skip
    found: set[Step] = {"instructions", "annotate"}
    if has & {"discuss", "reannotate"}:
        found.add("confirm")
    if "discuss" in has:
        found.add("talk")
    if any("debate" in condition.flow for condition in study.conditions):
        found.add("debate")
    if any(one.has("reannotate") and not one.has("discuss") for one in study.conditions):
        found.add("relabel")
    if "survey" in has:
        found.add("survey")
    if study.about_you:
        found.add("about_you")
    return frozenset(found)


def _talks(study: Study, condition: str) -> bool:
    return any(one.name == condition and one.has("discuss") for one in study.conditions)


def _strips(tx: Tx, study: Study) -> Iterator[Strip]:
    counts = {(one.task, one.condition, one.status): one.assignments for one in tx.status_counts(study.name)}
    n_strips = max(1, len(study.tasks) * len(study.conditions))
    drawn = max(40, min(MOST_DRAWN, 4 * MOST_DRAWN // n_strips))
    for task in study.tasks:
        first = [item.id for item in task.items[:drawn]]
        for condition in study.conditions:
            held = tx.held_places(study.name, task.name, condition.name, first)
            places = {(one.item, one.status): one.places for one in held}
            yield Strip(
                task.name, condition.name, len(task.items), task.annotators_per_item,
                counts.get((task.name, condition.name, "done"), 0), counts.get((task.name, condition.name, "open"), 0),
                [ItemDone(item, places.get((item, "done"), 0), places.get((item, "open"), 0)) for item in first],
            )  # fmt: skip


class _Look(NamedTuple):
    """Where it is looked for what waits."""

    parts: Parts
    tx: Tx
    study: Study
    here: Sequence[Here]
    now: datetime


def _stuck(look: _Look) -> Iterator[Need]:
    yield Need("stuck", sum(one.presence == "stuck" for one in look.here))


def _crashed(look: _Look) -> Iterator[Need]:
    yield Need("crashed", sum(one.person.failed for one in look.here))


def _uncertain(look: _Look) -> Iterator[Need]:
    yield Need("uncertain", look.tx.count_uncertain(look.study.name, look.now - UNCERTAIN_AFTER))


def _budget(look: _Look) -> Iterator[Need]:
    note = look.tx.budget(look.study.name)
    if note is None or note.state == "ended":
        return
    spent_usd = look.tx.spent_usd(look.study.name, (RUN_PREFIX,))
    if note.state == "reached":
        yield Need("budget_reached", 1, "", spent_usd, note.limit_usd)
    elif spent_usd >= NEAR * note.limit_usd:
        yield Need("budget_near", 1, "", spent_usd, note.limit_usd)


def _revoked(look: _Look) -> Iterator[Need]:
    kinds: Mapping[RevocationReason, NeedKind] = {"audits": "revoked", "new_version": "outdated"}
    for task, reason in ended_by_record(look.tx, look.study.name).items():
        yield Need(kinds[reason], 1, task)


def _marked(look: _Look) -> Iterator[Need]:
    yield Need("marked", look.tx.count_unseen(look.study.name))


def _to_review(look: _Look) -> Iterator[Need]:
    if look.study.completion.provider != "none":
        yield Need("to_review", look.tx.count_submissions(look.study.name)["to_review"])


def _retention(look: _Look) -> Iterator[Need]:
    by_number = editions(look.parts, look.tx, look.study.name)
    until = {number: look.now - timedelta(days=one.retention_days) for number, one in by_number.items()}
    yield Need("retention", look.tx.count_due(look.study.name, until))


def _blind_sample(look: _Look) -> Iterator[Need]:
    yield from (Need("blind_sample", 1, note) for note in notes_on_suggestions(look.study))


NEEDS: tuple[Callable[[_Look], Iterator[Need]], ...] = (
    _stuck,
    _crashed,
    _uncertain,
    _budget,
    _revoked,
    _to_review,
    _marked,
    _retention,
    _blind_sample,
)
"""What is looked for, in the order in which it is told; one of which there is none is not told."""


def ids_of(here: Sequence[Here], state: str) -> list[AnnotatorId]:
    """Of the people without an ending: those who are `present`, `stuck`, `away`, `crashed`, or at a step."""
    return [
        one.person.annotator
        for one in here
        if state in (one.presence, one.step if one.presence != "away" else "", "crashed" if one.person.failed else "")
    ]
