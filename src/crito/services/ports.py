"""What the use cases need from outside: a store that keeps the record, and models that speak."""

from collections.abc import AsyncGenerator, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple, Protocol, TypeVar

from crito.model.access import (
    AccessLink,
    Account,
    AccountSession,
    ApiToken,
    HostedState,
    Member,
    Membership,
    Reading,
    StateChange,
)
from crito.model.debate import Intervention
from crito.model.erasure import Erasure
from crito.model.ids import (
    AccountId,
    AnnotatorId,
    AssignmentId,
    CallKey,
    DrawId,
    ItemId,
    LabellingId,
    RequestId,
    RunId,
    StudyName,
    TaskName,
    WordsId,
)
from crito.model.record import (
    AcceptedLabel,
    AgentRun,
    Annotation,
    Assignment,
    BlindDraw,
    BudgetNote,
    Call,
    CallStatus,
    Draw,
    DrawnItem,
    Event,
    Exclusion,
    Export,
    Exposure,
    GivenAnswer,
    Handoff,
    HeldDebate,
    Identity,
    Labelling,
    LabelOutcome,
    LabelRequest,
    LabelRun,
    ModelAnnotator,
    Origin,
    Participant,
    PersonMinutes,
    PersonRecord,
    QueuedIntervention,
    RecordedTurn,
    Revocation,
    Role,
    Run,
    SeenMark,
    StudyVersion,
    Tuning,
)
from crito.model.recruitment import Opening, Review, Submission, SubmissionNews
from crito.model.study import Ending, Item
from crito.model.traits import Trait

Result = TypeVar("Result")


class Slot(NamedTuple):
    """A place among the annotators of one item in one task and condition."""

    item: ItemId
    item_hash: str
    number: int


class SlotNeed(NamedTuple):
    """How many places an item shall have in one task and condition."""

    task: TaskName
    condition: str
    item: ItemId
    item_hash: str
    places: int


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


class Seen(NamedTuple):
    """What one annotator gave and was shown on one item, in every task; all revisions, in the order of `seq`."""

    annotations: Sequence[Annotation]
    exposures: Sequence[Exposure]


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


class FailedAttempts(NamedTuple):
    """Passwords that did not fit in a while: under one name, from one address; when the first of them was."""

    of_name: int
    of_address: int
    first_at: datetime | None


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


Show = Literal["to_review", "all", "approved", "rejected", "given_back", "to_tell"]
"""Which submissions a list holds: those that somebody still has to decide about, those with one outcome, or those that
were decided about here and the platform does not know it yet."""


class KeptPerson(NamedTuple):
    """Someone of whom there are words, or something that says who they are."""

    id: AnnotatorId
    study_version: int
    arrived_at: datetime


class SubmissionRow(NamedTuple):
    """Someone who came from a platform, with the last that is known of their submission."""

    participant: Participant
    identity: Identity
    news: SubmissionNews | None
    review: Review | None


class CallTotals(NamedTuple):
    """Calls of one model, labelling (or beginning of the run's id, of two characters) and status; `unpriced` is how many
    of them have no known cost."""

    provider: str
    model: str
    labelling: LabellingId | None
    run_prefix: str
    status: CallStatus
    calls: int
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    cost_usd: float
    unpriced: int


EVERYONE, ALL_TALKS = PeopleWanted(), TalksWanted()


class Tx(Protocol):
    """One transaction. All of it is kept, or nothing of it.

    Methods named `add_…` append and never change a row; adding what is there already under the same key raises `Conflict`.
    Times are aware UTC. Text of people goes through `keep_words`.
    """

    # Studies
    def latest_version(self, study: StudyName) -> StudyVersion | None: ...
    def latest_number(self, study: StudyName) -> int | None:
        """The number of the latest version, without reading its definition."""

    def version(self, study: StudyName, number: int) -> StudyVersion: ...
    def study_names(self) -> Sequence[StudyName]: ...
    def add_version(self, version: StudyVersion) -> None: ...
    def put_items(self, study: StudyName, task: TaskName, items: Sequence[Item]) -> None:
        """Keep the texts of `items` under their hashes, as the task's present items; texts kept before stay readable."""

    def item(self, study: StudyName, item: ItemId, item_hash: str) -> Item:
        """An item as it was given, without its gold label."""

    def gold(self, study: StudyName, task: TaskName) -> Mapping[ItemId, str]:
        """The reference labels of the task's present items."""

    def make_slots(self, study: StudyName, needs: Sequence[SlotNeed], *, seed: int) -> None:
        """Make the missing slots, each with a random rank drawn from `seed`; free slots no longer needed go, held ones stay."""

    # People
    def find_person(self, study: StudyName, identity: Identity) -> AnnotatorId | None: ...
    def add_participant(self, participant: Participant, identity: Identity | None) -> None: ...
    def person(self, annotator: AnnotatorId, *, lock: bool = False) -> PersonRecord:
        """Everything that decides where the person is. With `lock`, other writers about this person wait until this transaction ends.

        Raises:
            NotFound: nobody has this pseudonym.
        """

    def participant(self, annotator: AnnotatorId, *, lock: bool = False) -> Participant:
        """Who they are, without all they did; `lock` as for `person`.

        Raises:
            NotFound: nobody has this pseudonym.
        """

    def experts(self, study: StudyName) -> Sequence[tuple[Participant, str]]:
        """Those who came by a personal link, in the order they were invited, each with the name the owner gave."""

    def records(self, annotators: Sequence[AnnotatorId]) -> Sequence[PersonRecord]:
        """Of these people, in the order of their pseudonyms, in a fixed number of queries however many they are."""

    def persons(self, study: StudyName, *, after: str = "", limit: int = 200) -> Sequence[PersonRecord]:
        """People in the order of their pseudonyms, in a fixed number of queries however many there are."""

    def end_participation(self, annotator: AnnotatorId, ending: Ending, at: datetime) -> None:
        """The first ending stands, except that whoever has ended may still withdraw; the same one again changes nothing.

        Raises:
            Conflict: the person has another ending already.
        """

    def add_session(self, token_hash: str, annotator: AnnotatorId, until: datetime) -> None: ...
    def session(self, study: StudyName, token_hash: str, now: datetime) -> AnnotatorId | None: ...
    def add_event(self, event: Event) -> None: ...
    def add_draw(self, draw: Draw) -> None: ...
    def draws(self, study: StudyName, annotators: Sequence[AnnotatorId]) -> Sequence[Draw]: ...

    # Assignments
    def free_slots(self, study: StudyName, task: TaskName, condition: str) -> int:
        """How many different items have a free slot, those left to a machine not counted."""

    def has_free_slots(self, study: StudyName, task: TaskName, condition: str, items: int) -> bool:
        """Whether as many different items as `items` have a free slot, those left to a machine not counted."""

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
        """Hold the free slot whose rank follows `pivot` (32 bits, around the end) for `assignment`; None when there is none.

        Nobody else can take the same slot, however many ask at once.
        """

    def retake_slot(self, study: StudyName, assignment: Assignment) -> Slot | None:
        """Hold a free slot of the assignment's own item again; None when the item has none left."""

    def release_slots(self, assignments: Sequence[AssignmentId]) -> None: ...
    def add_assignments(self, study: StudyName, assignments: Sequence[Assignment]) -> None: ...
    def set_status(self, assignments: Sequence[AssignmentId], status: str) -> None: ...
    def reopen(self, assignment: AssignmentId, slot: int, lease_until: datetime) -> None: ...
    def renew_leases(self, annotator: AnnotatorId, until: datetime) -> None: ...
    def expire_leases(self, now: datetime) -> int:
        """Mark open assignments whose lease has run out as expired and free their slots; returns how many."""

    def assignments_of(self, annotator: AnnotatorId, statuses: Sequence[str]) -> Sequence[Assignment]:
        """In the person's own order."""

    def assignment(self, assignment: AssignmentId) -> Assignment | None: ...
    def count_assignments(self, annotator: AnnotatorId) -> Mapping[str, int]:
        """How many assignments a person has of each status."""

    # Blind evidence
    def add_blind_draw(self, draw: BlindDraw, seed: str, items: Sequence[DrawnItem]) -> None:
        """Keep a draw with its secret, and everything that it chose among."""

    def blind_draws(self, study: StudyName) -> Sequence[BlindDraw]:
        """In the order in which they were made."""

    def drawn_items(self, study: StudyName, draws: Sequence[DrawId]) -> Sequence[DrawnItem]:
        """All that these draws chose among, drawn or not."""

    def draws_of_item(self, study: StudyName, item: ItemId) -> Sequence[tuple[BlindDraw, DrawnItem]]:
        """The draws that an item was among, in the order in which they were made."""

    def blind_seed(self, draw: DrawId) -> str:
        """The secret of a draw; nobody outside the services may see it before it is revealed."""

    def reveal_draw(self, draw: DrawId, at: datetime) -> None:
        """Note that the secret is told; the first time stands."""

    def add_requests(self, requests: Sequence[LabelRequest], *, seed: int) -> None:
        """Keep requests, each with a random rank drawn from `seed`."""

    def requests(self, study: StudyName) -> Sequence[LabelRequest]:
        """In the order in which they were made."""

    def take_request(self, study: StudyName, annotator: AnnotatorId, assignment: AssignmentId) -> LabelRequest | None:
        """Hold the waiting request that comes next for this person; None when there is none.

        One asked of them alone comes first. Never one for an item of which they hold or held another assignment, unless
        it was asked of them. Nobody else can take the same one, however many ask at once.
        """

    def retake_request(self, request: RequestId, assignment: AssignmentId) -> bool:
        """Hold a request again that a lapsed lease gave back; False when somebody else holds it."""

    def request_of(self, assignment: AssignmentId) -> LabelRequest | None: ...
    def purposes_met(self, annotator: AnnotatorId, item: ItemId) -> Sequence[str]:
        """What requests for this item were for that the person holds or has answered."""

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
        """As `take_slot`, of an item that the person neither holds nor has done in this task and condition."""

    def add_tunings(self, tunings: Sequence[Tuning]) -> None:
        """Keep what was used for tuning; what is kept already stays."""

    def tunings(self, study: StudyName) -> Sequence[Tuning]: ...
    def add_handoff(self, handoff: Handoff) -> None: ...
    def handoffs(self, study: StudyName) -> Sequence[Handoff]:
        """In the order in which they were decided, ended ones included."""

    def add_revocation(self, study: StudyName, revocation: Revocation) -> bool:
        """End a handoff; False when it has ended already, and the first end stands."""

    def revocations(self, study: StudyName) -> Sequence[Revocation]:
        """In the order in which they came."""

    def accept_labels(self, study: StudyName, labels: Sequence[AcceptedLabel]) -> int:
        """Keep labels that stand without a person's; what is kept already stays. How many were new.

        Their items are offered to nobody while the handoff stands.
        """

    def accepted_labels(self, study: StudyName) -> Sequence[AcceptedLabel]:
        """Of all handoffs, by task and item."""

    def labelled_items(self, study: StudyName, task: TaskName) -> frozenset[ItemId]:
        """Items that a person, not withdrawn, has answered in this task."""

    def seen(self, study: StudyName, annotator: AnnotatorId, item: ItemId) -> Seen: ...

    # The record
    def next_seq(self, annotator: AnnotatorId, item: ItemId) -> int:
        """One more than the last number of this annotator on this item; call it with the person locked."""

    def add_annotation(self, study: StudyName, annotation: Annotation) -> None: ...
    def add_annotations(self, study: StudyName, annotations: Sequence[Annotation]) -> None: ...
    def annotation_history(self, study: StudyName, annotators: Sequence[AnnotatorId]) -> Sequence[Annotation]:
        """Every revision of every round."""

    def add_answers(self, study: StudyName, answers: Sequence[GivenAnswer]) -> None:
        """A later answer to the same question on the same form stands beside the earlier one and counts instead of it."""

    def add_exposure(self, study: StudyName, exposure: Exposure) -> None:
        """Keep an exposure; one that was kept before (same annotator, item, source, part and content) is left as it is."""

    def add_exposures(self, study: StudyName, exposures: Sequence[Exposure]) -> None: ...
    def exposures(self, study: StudyName, annotators: Sequence[AnnotatorId]) -> Sequence[Exposure]: ...
    def labels_of_others(
        self, study: StudyName, task: TaskName, item: ItemId, *, except_annotator: AnnotatorId
    ) -> Mapping[str, int]:
        """How many other annotators (not withdrawn) gave each label in round 0."""

    def keep_words(self, annotator: AnnotatorId | None, text: str) -> WordsId:
        """Keep words under a salted hash that is this annotator's own; None for words that are nobody's."""

    def keep_all_words(self, annotator: AnnotatorId | None, texts: Sequence[str]) -> Sequence[WordsId]:
        """The same for several texts of one owner, with the ids in their order."""

    def words(self, ids: Sequence[WordsId]) -> Mapping[WordsId, str | None]:
        """The words by id; None where they were erased."""

    def erase_words(self, annotator: AnnotatorId) -> int:
        """Blank every word of a person, their drafts and the salt of their hashes; returns how many words went.

        Words of theirs that are kept afterwards, by what was under way, are blank from the start.
        """

    def put_draft(self, annotator: AnnotatorId, form: str, fields: Mapping[str, str], at: datetime) -> None: ...
    def drafts(self, annotator: AnnotatorId) -> Mapping[str, Mapping[str, str]]: ...
    def drop_draft(self, annotator: AnnotatorId, form: str) -> None: ...

    # Runs
    def run_of(self, assignment: AssignmentId) -> Run | None: ...
    def runs(self, assignments: Sequence[AssignmentId]) -> Sequence[Run]: ...
    def add_run(self, study: StudyName, run: Run) -> None: ...
    def turns(self, runs: Sequence[RunId]) -> Mapping[RunId, Sequence[RecordedTurn]]:
        """The turns of each run in the order of step and index; none for a run that has none."""

    def add_turn(self, study: StudyName, annotator: AnnotatorId, turn: RecordedTurn) -> None:
        """Keep a turn.

        Raises:
            Conflict: this step and index of the run has one already.
        """

    def lease_reply(self, run: RunId, step: int, holder: str, until: datetime, now: datetime) -> bool:
        """True when `holder` may bring the partner's reply to the message of this step; False while somebody else does.

        The same holder may lease again, to show that it is still at work.
        """

    def partner_turns_since(self, annotator: AnnotatorId, since: datetime) -> int: ...

    # Models that label
    def add_labelling(self, labelling: Labelling, annotators: Sequence[ModelAnnotator]) -> None:
        """Keep a labelling and its annotators; those that are kept already stay as they are."""

    def labellings(self, study: StudyName) -> Sequence[Labelling]:
        """In the order in which they were begun."""

    def model_annotators(self, study: StudyName) -> Sequence[ModelAnnotator]: ...
    def add_label_runs(self, study: StudyName, runs: Sequence[LabelRun]) -> None:
        """Keep runs; those that are kept already stay as they are."""

    def labellings_of(self, runs: Sequence[RunId]) -> Mapping[RunId, LabellingId]:
        """The labelling that each run belongs to; runs of people's dialogues are left out."""

    def label_runs(self, labelling: LabellingId) -> Sequence[LabelRun]: ...
    def add_agent_turns(self, study: StudyName, turns: Sequence[tuple[AnnotatorId, RecordedTurn]]) -> None:
        """Keep turns of model annotators; their words are nobody's.

        Raises:
            Conflict: a step and index of the run has one already.
        """

    def add_outcome(self, study: StudyName, outcome: LabelOutcome) -> None: ...
    def outcomes(self, labelling: LabellingId) -> Sequence[LabelOutcome]: ...
    def outcome_on(self, labelling: LabellingId, item: ItemId, item_hash: str) -> LabelOutcome | None:
        """What a labelling came to on one text."""

    # Debates
    def add_debate(self, debate: HeldDebate) -> None:
        """Keep a debate; one that is kept already stays as it is."""

    def debates(self, study: StudyName) -> Sequence[HeldDebate]:
        """In the order in which they were begun."""

    def add_agent_run(self, study: StudyName, run: AgentRun) -> None:
        """Keep a run; one that is kept already stays as it is."""

    def agent_runs(self, study: StudyName, about: str) -> Sequence[AgentRun]:
        """The runs about one thing, by their ids."""

    def queue_intervention(self, study: StudyName, run: RunId, intervention: Intervention, at: datetime) -> int:
        """Keep what a moderator wants done next in a run; its number among those of the run."""

    def interventions(self, run: RunId) -> Sequence[QueuedIntervention]:
        """In their order, taken ones included."""

    # Calls
    def add_call(self, call: Call) -> None: ...
    def finish_call(self, call: Call) -> None: ...
    def call(self, key: CallKey) -> Call | None: ...
    def call_keys(self, run: RunId) -> frozenset[CallKey]:
        """The keys of all calls of a run."""

    def calls(
        self, study: StudyName, *, after: str = "", limit: int = 500, status: str = "", model: str = ""
    ) -> Sequence[Call]:
        """In the order in which they were made; of one status and one model, `PROVIDER:NAME`, where they are named."""

    def call_totals(self, study: StudyName) -> Sequence[CallTotals]: ...
    def spent_usd(self, study: StudyName, run_prefixes: Collection[str]) -> float:
        """What the calls of runs whose ids begin with one of these have cost, as far as that is known."""

    # Access
    def add_account(self, account: Account) -> None:
        """Keep an account.

        Raises:
            Conflict: its name or e-mail is another account's, in whatever case it is written.
        """

    def account(self, account: AccountId) -> Account:
        """
        Raises:
            NotFound: there is none.
        """

    def account_called(self, called: str) -> Account | None:
        """The account of this name or e-mail, in whatever case it is written."""

    def change_account(self, account: Account) -> None:
        """Put the name, e-mail and password of an account in the place of the former ones.

        Raises:
            Conflict: the name or e-mail is another account's.
        """

    def add_membership(self, membership: Membership) -> None:
        """Give an account a role.

        Raises:
            Conflict: it has one in this study.
        """

    def end_membership(self, study: StudyName, account: AccountId, at: datetime, by: AccountId) -> bool:
        """False when the account has no role in this study."""

    def memberships(self, study: StudyName) -> Sequence[tuple[Membership, str]]:
        """Every role that was ever given in a study, with the account's name, in the order of giving."""

    def memberships_of(self, account: AccountId) -> Sequence[Membership]:
        """Every role that an account ever had, in the order of giving."""

    def lock_membership(self, study: StudyName) -> None:
        """Let no other transaction change who works on a study until this one is over."""

    def member(self, study: StudyName, token_hash: str, now: datetime) -> Member | None:
        """Whom a session's token stands for in a study."""

    def add_access_link(self, link: AccessLink, token_hash: str) -> None: ...
    def access_link(self, token_hash: str) -> AccessLink | None: ...
    def spend_access_link(self, link: str, now: datetime) -> bool:
        """True exactly once for a link that has neither run out nor been revoked."""

    def revoke_access_link(self, study: StudyName, link: str, now: datetime) -> bool:
        """False when there is no such link that could still be used."""

    def open_access_links(self, study: StudyName, now: datetime) -> Sequence[AccessLink]:
        """Those that could still be used, in the order of making."""

    def revoke_links_to(self, study: StudyName, account: AccountId, now: datetime) -> None:
        """Spoil every link that would sign this account in for this study."""

    def add_account_session(self, session: AccountSession, token_hash: str) -> None: ...
    def account_session(self, token_hash: str, now: datetime) -> AccountSession | None:
        """The session of this token, while it is good."""

    def account_sessions(self, account: AccountId, now: datetime) -> Sequence[AccountSession]:
        """Those that are good, in the order of signing in."""

    def end_account_session(self, account: AccountId, session: str, now: datetime) -> bool: ...
    def end_account_sessions(self, account: AccountId, now: datetime, *, study: StudyName | None, but: str) -> int:
        """End the sessions of an account, or those that open `study` alone, except the one named `but`."""

    def end_sessions(self, annotator: AnnotatorId) -> int:
        """Sign a person out everywhere, personal links included; how many sessions that were."""

    def add_failed_attempt(self, who: str, address: str, at: datetime) -> None: ...
    def failed_attempts(self, who: str, address: str, since: datetime) -> FailedAttempts: ...
    def forget_failed_attempts(self, who: str, before: datetime) -> None:
        """Delete those of `who`, and everybody's from before that time."""

    def add_api_token(self, token: ApiToken, token_hash: str) -> None: ...
    def api_token(self, token_hash: str, now: datetime) -> ApiToken | None:
        """The token of this hash, while it is good."""

    def api_tokens(self, study: StudyName) -> Sequence[ApiToken]:
        """Every token that was ever made for a study, the newest first."""

    def revoke_api_token(self, study: StudyName, token: str, now: datetime) -> bool: ...
    def add_readings(self, readings: Sequence[Reading]) -> None: ...
    def readings(self, study: StudyName, *, before: int = 0, limit: int = 50) -> Sequence[tuple[int, Reading]]:
        """With their numbers, the newest first; those numbered below `before`, where it is not 0."""

    def count_readings(self, study: StudyName) -> int: ...
    def talks(self, study: StudyName, *, after: str = "", limit: int = 50) -> Sequence[TalkRow]:
        """Dialogues in the order of their assignments' ids, without those of people who withdrew."""

    def talk(self, study: StudyName, assignment: AssignmentId) -> TalkRow | None: ...
    def count_talks(self, study: StudyName) -> int: ...

    # States
    def add_state_change(self, change: StateChange) -> None: ...
    def state_changes(self, study: StudyName) -> Sequence[StateChange]:
        """In the order in which they were made."""

    def state(self, study: StudyName) -> HostedState: ...

    # Owner
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

    def add_export(self, export: Export) -> None: ...
    def exports(self, study: StudyName) -> Sequence[Export]:
        """In the order in which they were written."""

    # Recruitment
    def add_opening(self, opening: Opening) -> None: ...
    def openings(self, study: StudyName, *, lock: bool = False) -> Sequence[Opening]:
        """In the order in which they were made; with `lock`, others who ask so wait until this transaction ends."""

    def count_holders(self, study: StudyName, origin: Origin) -> int:
        """People of one origin who hold a place: they finished and it counts, or they are under way."""

    def free_places(self, study: StudyName) -> Mapping[tuple[TaskName, str], int]:
        """How many slots nobody holds, by task and condition."""

    def add_submission_news(self, study: StudyName, news: Sequence[SubmissionNews]) -> None: ...
    def add_review(self, study: StudyName, review: Review) -> None: ...
    def submission_news(
        self, study: StudyName, annotators: Sequence[AnnotatorId]
    ) -> Mapping[AnnotatorId, SubmissionNews]:
        """The last news of each person's submission, where there are any."""

    def reviews(self, study: StudyName, annotators: Sequence[AnnotatorId]) -> Mapping[AnnotatorId, Review]:
        """The review of each person that counts, where there is one."""

    def submissions(
        self, study: StudyName, *, show: Show = "all", search: str = "", after: str = "", limit: int = 50
    ) -> Sequence[SubmissionRow]:
        """Newest first; `after` is the pseudonym of the last row of the page before, `search` a pseudonym or an id of the
        platform's."""

    def count_submissions(self, study: StudyName) -> Mapping[Show, int]: ...

    # Erasure
    def erasable(self, annotator: AnnotatorId) -> Mapping[str, Sequence[WordsId]]:
        """The ids of all words of a person that are not erased yet, by what they were."""

    def count_drafts(self, annotator: AnnotatorId) -> int: ...
    def remaining(self, annotator: AnnotatorId) -> Mapping[str, int]:
        """How many rows about a person there are besides their words, by what they are."""

    def forget_identity(self, annotator: AnnotatorId) -> int:
        """Delete who one pseudonym is; returns how many identities it had."""

    def drop_traits(self, annotator: AnnotatorId) -> int: ...
    def drop_sessions(self, annotator: AnnotatorId) -> int: ...
    def blank_reasons(self, annotator: AnnotatorId) -> int:
        """Blank what was written about a person when they were left out of analyses; the decisions stay."""

    def add_erasure(self, study: StudyName, erasure: Erasure) -> None: ...
    def erasures(self, study: StudyName, *, skip: int = 0, limit: int = 50) -> Sequence[Erasure]:
        """Newest first."""

    def erasures_of(self, study: StudyName, annotator: AnnotatorId) -> Sequence[Erasure]: ...
    def count_erasures(self, study: StudyName) -> int: ...
    def kept_people(self, study: StudyName) -> Sequence[KeptPerson]:
        """In the order in which they came."""

    # Traits
    def add_traits(self, study: StudyName, traits: Sequence[Trait]) -> None: ...
    def traits(self, study: StudyName) -> Sequence[Trait]:
        """Of everyone who did not withdraw, in the order in which they were said; of several of one name the last counts."""

    # Rehearsals
    def count_origin(self, study: StudyName, origin: Origin) -> int: ...
    def discard_rehearsal(self, study: StudyName) -> int:
        """Delete everything that rehearsal people left, free their slots; returns how many people went."""


class Store(Protocol):
    """Where the record is kept."""

    async def read(self, work: Callable[[Tx], Result]) -> Result:
        """Run `work` on a consistent view; it must not write."""

    async def survey(self, work: Callable[[Tx], Result]) -> Result:
        """`read` for work that looks through many rows: nobody who saves a label waits for it."""

    async def write(self, work: Callable[[Tx], Result]) -> Result:
        """Run `work` and commit it; when this returns, what was written is on disk. An exception undoes all of it.

        `work` must be safe to run again: a database may ask for it when two transactions collide.
        """

    def hold(self, name: str) -> AbstractAsyncContextManager[None]:
        """Keep `name` for this process until the context ends; a process that dies lets go of it.

        Raises:
            Conflict: another process holds it.
        """

    async def check(self) -> None:
        """Do nothing if the record can be reached and is of the edition that this code reads and writes.

        Raises:
            DatabaseMismatch: it is of another edition. What the database raises when it cannot be reached passes through.
        """

    async def close(self) -> None: ...


class SubmissionSource(Protocol):
    """A platform that can be asked about submissions."""

    async def submissions(self, platform_study: str) -> Sequence[Submission]:
        """Every submission of one of the platform's studies, by the platform's name for it.

        Raises:
            CritoError: the platform cannot be asked, does not take the token, or sent less than it says it has.
        """


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a request to a model."""

    role: Literal["user", "assistant"]
    text: str


Reasoning = Literal["off", "low", "medium", "high"] | int
"""How much a model may think before it answers; a number is a budget of tokens. `off` is as little as it can."""


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What is sent to a model. The stable part is in `system`, so that providers' prompt caches hit.

    `schema` is the JSON schema of the answer; a model that cannot be held to one gets the words of the request only.
    `top_logprobs` asks for that many alternatives to each token, with their log-probabilities.
    `max_tokens` limits the answer; what a model thinks before it comes on top.
    """

    system: str
    messages: tuple[ChatMessage, ...]
    temperature: float | None = 0.0
    max_tokens: int = 400
    stop: tuple[str, ...] = ()
    timeout_s: float = 60.0
    schema: Mapping[str, Any] | None = None
    top_logprobs: int = 0
    reasoning: Reasoning = "off"


@dataclass(frozen=True, slots=True)
class CallContext:
    """What a call belongs to: with the request it makes the call's key, so two asks never share one.

    `annotator` is the person whose words the call holds, so that a withdrawal blanks them; None where it holds nobody's.
    `slot` is the agent's place in its run, `sample` counts the answers drawn to one and the same prompt.
    `called` are the keys of the run's calls as the ledger had them when whoever asks, and nobody beside them, took the
    run up: a call that is not among them need not be looked for. None where nobody looked.
    """

    study: StudyName
    run: RunId
    step: int
    attempt: int
    annotator: AnnotatorId | None = None
    index: int = 0
    slot: str = ""
    sample: int = 0
    called: frozenset[CallKey] | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    """How a model's reply ended. Token counts are None where the provider does not say."""

    finish_reason: str
    served_model: str
    input_tokens: int | None = None
    cached_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    latency_ms: int = 0
    call: CallKey | None = None


class Alternative(NamedTuple):
    """A token that might have stood in a place, and the logarithm of its probability."""

    text: str
    logprob: float


@dataclass(frozen=True, slots=True)
class Token:
    """One token of a reply, and the likeliest ones in its place, itself mostly among them."""

    text: str
    logprob: float
    alternatives: tuple[Alternative, ...]


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole reply of a model.

    `parsed` is the text read as JSON where the request has a schema and the text is JSON; None otherwise.
    `tokens` are the first tokens of the text; None where log-probabilities were not asked for or are not to be had.
    """

    text: str
    completion: Completion
    parsed: Any = None
    tokens: tuple[Token, ...] | None = None


class ChatModel(Protocol):
    """One model behind one provider, through the call ledger."""

    @property
    def name(self) -> str:
        """As the study file names it: `provider:name` or `local:PATH`."""

    @property
    def local(self) -> bool:
        """Whether it runs on this machine and costs nothing."""

    def stream(self, request: ChatRequest, context: CallContext) -> AsyncGenerator[str | Completion, None]:
        """Pieces of the reply as they come, and a `Completion` last. Closing the iterator early stops the call.

        Raises:
            ModelUnavailable: no answer, or not within the request's time.
        """

    async def complete(self, request: ChatRequest, context: CallContext) -> Reply:
        """The whole reply at once.

        Raises:
            ModelUnavailable: no answer, or not within the request's time.
            InvalidInput: the model cannot be asked in this way, however often one tries; nothing was sent.
        """


class ChatModels(Protocol):
    """Gives the model that a study file names; builds each once."""

    def __call__(self, name: str) -> ChatModel: ...
