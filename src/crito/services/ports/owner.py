"""What the owner of a study looks at: lists, sums, and whom they leave out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

from crito.model.ids import AnnotatorId, AssignmentId, ItemId, RunId, StudyName, TaskName
from crito.model.record import Annotation, BudgetNote, Exclusion, Participant, PersonMinutes, Role, SeenMark


class ItemProgress(NamedTuple):
    """How far one item is in one task and condition."""

    task: TaskName
    condition: str
    item: ItemId
    places: int
    done: int
    open: int


class PersonRow(NamedTuple):
    """One line of the owner's list of people. `lease_until` is when their open places lapse; None when they have none open."""

    participant: Participant
    done: int
    assigned: int
    last_seen_at: datetime
    lease_until: datetime | None
    opened: str = ""
    """The place that was opened for them last, as events name it."""
    exclusion: str = ""
    """The reason that they are left out of analyses for by somebody's decision."""


@dataclass(frozen=True, slots=True)
class PeopleWanted:
    """Which people of a study a list is of; what is left as it is restricts nothing.

    `search` is a part of the pseudonym. `ending` is `active` for those who have none. `ids` are the only ones meant.
    """

    search: str = ""
    ending: str = ""
    condition: str = ""
    excluded: bool | None = None
    ids: Sequence[AnnotatorId] | None = None


class ActivePerson(NamedTuple):
    """Someone whom nothing has ended. `opened` is the place that was opened for them last, as events name it; `failed`
    says that a page of theirs crashed."""

    annotator: AnnotatorId
    condition: str
    role: Role
    opened: str
    last_seen_at: datetime
    lease_until: datetime | None
    failed: bool


class HeldPlaces(NamedTuple):
    """How many places of an item are held with one status, `open` or `done`."""

    item: ItemId
    status: str
    places: int


@dataclass(frozen=True, slots=True)
class TalksWanted:
    """Which dialogues of a study a list is of; what is left as it is restricts nothing.

    `search` is a part of the pseudonym or of the item's id. `marked` are those in which a guard marked a turn, `unseen` those
    of them whose marks nobody has seen.
    """

    search: str = ""
    task: str = ""
    condition: str = ""
    marked: bool = False
    unseen: bool = False
    runs: Sequence[RunId] | None = None
    assignments: Sequence[AssignmentId] | None = None


class ListedTalk(NamedTuple):
    """One line of the owner's list of dialogues; `messages` are the person's, `marked` counts turns that a guard marked."""

    run: RunId
    assignment: AssignmentId
    annotator: AnnotatorId
    task: TaskName
    item: ItemId
    item_hash: str
    condition: str
    status: str
    begun_at: datetime
    last_at: datetime
    messages: int
    marked: int


class FinishedPerson(NamedTuple):
    """The minutes of somebody who finished, with what groups them."""

    minutes: PersonMinutes
    condition: str
    language: str


class LabelCount(NamedTuple):
    """How many people gave one answer as their initial label of an item; `label` is the state where it is no label."""

    item: ItemId
    label: str
    people: int


class StatusCounts(NamedTuple):
    """Assignments of one task and condition by status."""

    task: TaskName
    condition: str
    status: str
    assignments: int


class KeptPlaces(NamedTuple):
    """Open assignments that are kept for somebody right now, and those of them whose dialogue has begun."""

    leases: int
    dialogues: int


class TalkRow(NamedTuple):
    """One dialogue: whose, about which item, in which run, and how many messages the person sent."""

    assignment: AssignmentId
    annotator: AnnotatorId
    task: TaskName
    item: ItemId
    item_hash: str
    condition: str
    run: RunId
    messages: int


EVERYONE, ALL_TALKS = PeopleWanted(), TalksWanted()


class OwnerTx(Protocol):
    """The methods of `Tx` for these."""

    def talks(self, study: StudyName, *, after: str = "", limit: int = 50) -> Sequence[TalkRow]:
        """Dialogues in the order of their assignments' ids, without those of people who withdrew."""

    def talk(self, study: StudyName, assignment: AssignmentId) -> TalkRow | None: ...
    def count_talks(self, study: StudyName) -> int: ...
    def progress(self, study: StudyName) -> Sequence[ItemProgress]: ...
    def status_counts(self, study: StudyName) -> Sequence[StatusCounts]: ...
    def people(
        self, study: StudyName, *, after: str = "", limit: int = 50, wanted: PeopleWanted = EVERYONE
    ) -> Sequence[PersonRow]:
        """Newest first; `after` is the pseudonym of the last row of the page before."""

    def count_wanted(self, study: StudyName, wanted: PeopleWanted) -> int: ...
    def active_people(self, study: StudyName) -> Sequence[ActivePerson]:
        """Everyone who has no ending, in no order."""

    def held_places(
        self, study: StudyName, task: TaskName, condition: str, items: Sequence[ItemId]
    ) -> Sequence[HeldPlaces]:
        """Places of these items that are open or done; nothing of an item that nobody holds."""

    def listed_talks(
        self, study: StudyName, *, after: str = "", limit: int = 50, wanted: TalksWanted = ALL_TALKS
    ) -> Sequence[ListedTalk]:
        """Those begun last come first, without those of people who withdrew; `after` is the run of the last row of the
        page before."""

    def count_listed_talks(self, study: StudyName, wanted: TalksWanted) -> int: ...
    def count_unseen(self, study: StudyName) -> int:
        """Dialogues in which a guard marked a turn that nobody has seen; none of people who withdrew."""

    def unseen_runs(self, study: StudyName) -> Sequence[RunId]:
        """The runs of these dialogues, in no order."""

    def add_seen_marks(self, study: StudyName, marks: Sequence[SeenMark]) -> None: ...
    def seen_by(self, runs: Sequence[RunId]) -> Mapping[RunId, SeenMark]:
        """Who opened these dialogues, or marked them as seen, last; nothing of those that nobody has."""

    def add_budget(self, study: StudyName, note: BudgetNote) -> None: ...
    def budget(self, study: StudyName) -> BudgetNote | None:
        """What was noted last."""

    def count_due(self, study: StudyName, until: Mapping[int, datetime]) -> int:
        """People of whom something is kept (as `kept_people`) and who came by the moment that `until` has for their edition."""

    def keep_minutes(self, study: StudyName, people: Sequence[PersonMinutes]) -> None:
        """Keep them; of somebody of whom they are kept already nothing changes."""

    def minutes(self, study: StudyName) -> Sequence[FinishedPerson]:
        """Of everybody who finished and whose minutes are kept, newest first."""

    def without_minutes(self, study: StudyName, limit: int) -> Sequence[AnnotatorId]:
        """Of those who finished and whose minutes are not kept, the newest."""

    def label_counts(self, study: StudyName, task: TaskName, items: Sequence[ItemId] | None) -> Sequence[LabelCount]:
        """Initial labels as they stand, of people who have not withdrawn; of all items where none are named."""

    def labels_on(self, study: StudyName, task: TaskName, item: ItemId) -> Sequence[Annotation]:
        """Every label of one item as it stands, of people who have not withdrawn, in the order of people and rounds."""

    def turn_times(self, annotators: Sequence[AnnotatorId]) -> Mapping[AnnotatorId, Sequence[datetime]]:
        """When something was said in the dialogues of each of these people; none of those who had no dialogue."""

    def count_uncertain(self, study: StudyName, before: datetime) -> int:
        """Calls that were intended before this moment and have no result."""

    def add_exclusion(self, exclusion: Exclusion) -> None: ...
    def exclusions(self, study: StudyName, annotators: Sequence[AnnotatorId]) -> Sequence[Exclusion]:
        """Every decision about these people, in the order in which they were taken."""

    def count_people(self, study: StudyName) -> Mapping[str, int]:
        """People by ending; `active` for those who have none."""

    def count_present(self, study: StudyName, now: datetime, since: datetime) -> int:
        """People without an ending who hold a place whose lease is alive at `now`, or left a trace at `since` or later."""

    def count_kept(self, study: StudyName, now: datetime) -> KeptPlaces:
        """Places whose lease is alive at `now`, and how many of them are in a dialogue."""

    def platform_ids(self, study: StudyName) -> Sequence[str]:
        """What people of a study are called at their platforms, in no order."""

    def forget_identities(self, study: StudyName) -> int:
        """Delete what says who the pseudonyms of this study are; returns how many were known."""
