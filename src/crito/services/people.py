"""The people of a study, for its owner: a list that can be searched, and one person from consent to ending."""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, NamedTuple

from crito.model.errors import NotFound
from crito.model.ids import AnnotatorId, AssignmentId, ItemId, StudyName, TaskName
from crito.model.record import Assignment, Exclusion, Participant
from crito.model.study import ENDINGS, Study
from crito.services.happening import Presence, Step, ids_of, presence_of, step_of, who_is_here
from crito.services.parts import Parts
from crito.services.ports.owner import ActivePerson, PeopleWanted, PersonRow
from crito.services.ports.store import Tx
from crito.services.shares import Share, editions, shares_of
from crito.services.signals import Signals, signals_of
from crito.services.timing import text_lengths

PEOPLE_AT_A_TIME = 500

Excluded = Literal["", "yes", "no"]


@dataclass(frozen=True, slots=True)
class PeopleFilter:
    """Which people are meant; empty is any.

    `state` is an ending, `active` for none, or what somebody without an ending does: `present`, `stuck`, `away`,
    `crashed`, or a step they are at.
    """

    search: str = ""
    state: str = ""
    condition: str = ""
    excluded: Excluded = ""


class ListedPerson(NamedTuple):
    """One line of the list; `presence` and `step` are of those who have no ending."""

    row: PersonRow
    presence: Presence | None
    step: Step | None


class PeoplePage(NamedTuple):
    """A page of the list: how many are meant, of how many there are, and the cursor of the next page, if there is one."""

    people: Sequence[ListedPerson]
    meant: int
    n_people: int
    next: str


class SignalsPage(NamedTuple):
    """A page of the list with signals: how many are meant in all, and the cursor of the next page, if there is one."""

    people: Sequence[tuple[PersonRow, Signals | None]]
    meant: int
    next: str


async def people_page(
    parts: Parts, name: StudyName, which: PeopleFilter, *, after: str = "", limit: int = 50
) -> PeoplePage:
    """The people that `which` means, newest first, from the one behind `after` on."""
    _, study = await parts.latest(name)
    now = parts.now()

    def work(tx: Tx) -> PeoplePage:
        wanted = _wanted(tx, study, which, now)
        rows = tx.people(name, after=after, limit=limit + 1, wanted=wanted)
        return PeoplePage(
            [_listed(study, row, now) for row in rows[:limit]],
            tx.count_wanted(name, wanted), tx.count_wanted(name, PeopleWanted()),
            rows[limit - 1].participant.id if len(rows) > limit else "",
        )  # fmt: skip

    return await parts.store.survey(work)


async def people_now(parts: Parts, name: StudyName, ids: Sequence[AnnotatorId]) -> Sequence[ListedPerson]:
    """The same people as they are now, newest first."""
    _, study = await parts.latest(name)
    now = parts.now()
    rows = await parts.store.survey(lambda tx: tx.people(name, limit=len(ids), wanted=PeopleWanted(ids=ids)))
    return [_listed(study, row, now) for row in rows]


async def count_meant(parts: Parts, name: StudyName, which: PeopleFilter) -> int:
    """How many people `which` means."""
    _, study = await parts.latest(name)
    return await parts.store.survey(lambda tx: tx.count_wanted(name, _wanted(tx, study, which, parts.now())))


async def everyone_meant(parts: Parts, name: StudyName, which: PeopleFilter) -> AsyncIterator[ListedPerson]:
    """All whom `which` means, read some at a time."""
    after = ""
    while True:
        page = await people_page(parts, name, which, after=after, limit=PEOPLE_AT_A_TIME)
        for one in page.people:
            yield one
        after = page.next
        if not after:
            return


def _wanted(tx: Tx, study: Study, which: PeopleFilter, now: datetime) -> PeopleWanted:
    excluded = {"": None, "yes": True, "no": False}[which.excluded]
    wanted = PeopleWanted(which.search, "", which.condition, excluded)
    if which.state == "active" or which.state in ENDINGS:
        return replace(wanted, ending=which.state)
    return replace(wanted, ids=ids_of(who_is_here(tx, study, now), which.state)) if which.state else wanted


def _listed(study: Study, row: PersonRow, now: datetime) -> ListedPerson:
    person = row.participant
    if person.ending is not None:
        return ListedPerson(row, None, None)
    here = ActivePerson(
        person.id, person.condition, person.role, row.opened, row.last_seen_at, row.lease_until, failed=False
    )
    return ListedPerson(row, presence_of(here, now), step_of(study, here))


async def signals_page(
    parts: Parts, name: StudyName, which: PeopleFilter, *, after: str = "", limit: int = 25
) -> SignalsPage:
    """The same list with how each person worked; of those who withdrew and those who labelled nothing there is nothing."""
    _, study = await parts.latest(name)
    now = parts.now()

    def work(tx: Tx) -> SignalsPage:
        wanted = _wanted(tx, study, which, now)
        rows = tx.people(name, after=after, limit=limit + 1, wanted=wanted)
        shown = [row.participant.id for row in rows[:limit]]
        shares = {one.annotator: one for one in shares_of(tx, name, editions(parts, tx, name), tx.records(shown))}
        lengths = text_lengths(study)
        found = [
            (row, None if share.withdrawn or not share.record.annotations else signals_of(share, lengths))
            for row in rows[:limit]
            for share in [shares[row.participant.id]]
        ]
        return SignalsPage(found, tx.count_wanted(name, wanted), shown[-1] if len(rows) > limit else "")

    return await parts.store.survey(work)


MomentKind = Literal[
    "arrived", "consented", "declined", "instructed", "labelled", "relabelled", "confirmed", "talk_began", "talk_ended", "paused",
    "surveyed", "left", "returned", "failed", "pasted", "withdrew", "ended", "excluded", "taken_in",
]  # fmt: skip


class Moment(NamedTuple):
    """Something in a person's time line: `number` is their item, from 1, `detail` what is known besides."""

    at: datetime
    kind: MomentKind
    number: int = 0
    detail: str = ""


class GivenLabel(NamedTuple):
    """One label a person gave, the revision that stands."""

    number: int
    assignment: AssignmentId
    task: TaskName
    item: ItemId
    round: int
    answer: str
    confidence: str
    rationale: str
    seconds: float
    at: datetime


class HeldTalk(NamedTuple):
    """A dialogue of a person."""

    number: int
    assignment: AssignmentId
    task: TaskName
    item: ItemId
    messages: int
    marked: int


@dataclass(frozen=True, slots=True)
class OnePerson:
    """A person, from consent to ending. Of someone who withdrew there are times alone."""

    participant: Participant
    presence: Presence | None
    step: Step | None
    moments: Sequence[Moment]
    labels: Sequence[GivenLabel]
    talks: Sequence[HeldTalk]
    signals: Signals | None
    decisions: Sequence[Exclusion]
    excluded: str

    @property
    def withdrawn(self) -> bool:
        return self.participant.ending == "withdrawn"


async def one_person(parts: Parts, name: StudyName, annotator: AnnotatorId) -> OnePerson:
    """Everything that one person left, for the owner.

    Raises:
        NotFound: nobody in this study has the pseudonym.
    """
    now = parts.now()

    def work(tx: Tx) -> OnePerson:
        record = tx.person(annotator)
        if record.participant.study != name:
            raise NotFound(f"nobody in this study has the pseudonym {annotator!r}")
        (share,) = shares_of(tx, name, editions(parts, tx, name), [record])
        rows = tx.people(name, limit=1, wanted=PeopleWanted(ids=[annotator]))
        listed = _listed(share.study, rows[0], now)
        open_to_view = not share.withdrawn
        return OnePerson(
            record.participant, listed.presence, listed.step,
            sorted(_moments(share), key=lambda moment: moment.at),
            list(_labels(share)) if open_to_view else [],
            list(_talks(share)) if open_to_view else [],
            signals_of(share) if open_to_view and share.record.annotations else None,
            share.decisions, share.exclusion,
        )  # fmt: skip

    return await parts.store.survey(work)


def _numbers(share: Share) -> Mapping[str, int]:
    return {assignment.id: number for number, assignment in enumerate(share.record.assignments, 1)}


_TOLD: Mapping[str, MomentKind] = {
    "consented": "consented", "declined": "declined", "instructed": "instructed", "confirmed": "confirmed", "paused": "paused",
    "surveyed": "surveyed", "left": "left", "returned": "returned", "failed": "failed", "pasted": "pasted",
    "withdrew": "withdrew",
}  # fmt: skip


def _moments(share: Share) -> Iterator[Moment]:
    record, numbers = share.record, _numbers(share)
    yield Moment(record.participant.arrived_at, "arrived")
    for event in record.events:
        if event.kind in _TOLD:
            number = numbers.get(event.about.rpartition(":")[2], 0)
            yield Moment(event.at, _TOLD[event.kind], number, str(event.data.get("characters", "")))
    if not share.withdrawn:
        for given in share.history:
            yield Moment(
                given.submitted_at,
                "relabelled" if given.round else "labelled",
                numbers.get(given.assignment or "", 0),
                given.answer,
            )
        for assignment in record.assignments:
            yield from _talk_moments(share, assignment, numbers[assignment.id])
    for decision in share.decisions:
        yield Moment(decision.at, "excluded" if decision.excluded else "taken_in", 0, decision.reason)
    if record.participant.ended_at:
        yield Moment(record.participant.ended_at, "ended", 0, record.participant.ending or "")


def _talk_moments(share: Share, assignment: Assignment, number: int) -> Iterator[Moment]:
    turns = share.turns_of(assignment)
    if turns:
        yield Moment(turns[0].at, "talk_began", number)
        sent = sum(turn.kind == "person" for turn in turns)
        yield Moment(turns[-1].at, "talk_ended", number, str(sent))


def _labels(share: Share) -> Iterator[GivenLabel]:
    for number, assignment in enumerate(share.record.assignments, 1):
        for round_ in share.rounds(assignment):
            revisions = share.revisions(assignment, round_)
            if not revisions:
                continue
            given = revisions[-1]
            reason = share.words.get(given.rationale) if given.rationale else ""
            yield GivenLabel(
                number, assignment.id, given.task, given.item, round_, given.answer, given.confidence or "", reason or "",
                (given.submitted_at - given.shown_at).total_seconds(), given.submitted_at,
            )  # fmt: skip


def _talks(share: Share) -> Iterator[HeldTalk]:
    for number, assignment in enumerate(share.record.assignments, 1):
        turns = share.turns_of(assignment)
        if turns:
            yield HeldTalk(
                number, assignment.id, assignment.task, assignment.item,
                sum(turn.kind == "person" for turn in turns), sum(bool(turn.violations) for turn in turns),
            )  # fmt: skip
