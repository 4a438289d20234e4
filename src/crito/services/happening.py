"""What goes on in a study at this moment: who is at which step, how far each item is, and what waits for its owner."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, NamedTuple, get_args

from crito.model.ids import AnnotatorId, ItemId, StudyName, TaskName
from crito.model.study import Study
from crito.services.overview import RECENT
from crito.services.parts import Parts
from crito.services.ports import ActivePerson, Tx
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


NeedKind = Literal["stuck", "crashed", "uncertain", "to_review", "marked", "blind_sample"]


class Need(NamedTuple):
    """Something that waits for the owner: how much of it, and what a note says about it in words."""

    kind: NeedKind
    number: int
    note: str = ""


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
            needs=[need for looks in NEEDS for need in looks(tx, study, here) if need.number],
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


def _stuck(tx: Tx, study: Study, here: Sequence[Here]) -> Iterator[Need]:
    yield Need("stuck", sum(one.presence == "stuck" for one in here))


def _crashed(tx: Tx, study: Study, here: Sequence[Here]) -> Iterator[Need]:
    yield Need("crashed", sum(one.person.failed for one in here))


def _uncertain(tx: Tx, study: Study, here: Sequence[Here]) -> Iterator[Need]:
    # A call of a dialogue that goes on is intended too, until its reply is there.
    talking = sum(one.step == "talk" and one.presence == "present" for one in here)
    yield Need("uncertain", max(0, tx.count_uncertain(study.name) - talking))


def _marked(tx: Tx, study: Study, here: Sequence[Here]) -> Iterator[Need]:
    yield Need("marked", tx.count_marked(study.name))


def _to_review(tx: Tx, study: Study, here: Sequence[Here]) -> Iterator[Need]:
    if study.completion.provider != "none":
        yield Need("to_review", tx.count_submissions(study.name)["to_review"])


def _blind_sample(tx: Tx, study: Study, here: Sequence[Here]) -> Iterator[Need]:
    yield from (Need("blind_sample", 1, note) for note in notes_on_suggestions(study))


NEEDS: tuple[Callable[[Tx, Study, Sequence[Here]], Iterator[Need]], ...] = (
    _stuck,
    _crashed,
    _uncertain,
    _to_review,
    _marked,
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
