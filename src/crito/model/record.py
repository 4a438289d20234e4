"""What happened in a study: who came, what they were given, what they saw, said and labelled."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, get_args

from crito.model.debate import Intervention
from crito.model.ids import (
    AccountId,
    AnnotatorId,
    AssignmentId,
    CallKey,
    DebateId,
    DrawId,
    HandoffId,
    ItemId,
    LabellingId,
    Language,
    RequestId,
    RunId,
    StudyName,
    TaskName,
    WordsId,
)
from crito.model.study import Ending, HandoffRuleName, Method, Panel
from crito.model.talk import ReadLabel, TurnKind, Violation
from crito.model.votes import Vote

Origin = Literal["real", "rehearsal"]

Role = Literal["participant", "expert"]
"""An expert comes by a personal link and works through a queue; everybody else takes the study's own way."""


@dataclass(frozen=True, slots=True)
class Participant:
    """A person enrolled in a study, under a pseudonym.

    `study_version` is the version they enrolled under and keep. `condition` is empty where conditions are drawn per item.
    `seed` is the person's own; every random order they meet comes from it.
    """

    id: AnnotatorId
    study: StudyName
    study_version: int
    origin: Origin
    language: Language
    condition: str
    seed: int
    arrived_at: datetime
    ending: Ending | None = None
    ended_at: datetime | None = None
    role: Role = "participant"


@dataclass(frozen=True, slots=True)
class Identity:
    """Who a pseudonym is at the platform they came from, or as the owner calls them; kept apart from the record and in no export."""

    provider: Literal["prolific", "mturk", "anonymous", "expert"]
    external_id: str
    session: str = ""
    """The platform's id of this submission."""


AssignmentStatus = Literal["open", "done", "expired", "withdrawn", "ended"]


@dataclass(frozen=True, slots=True)
class Assignment:
    """This item, for this annotator, under this condition.

    `position` is the place in the person's own order, from 0. `item_hash` is the SHA-256 of the item as it was given.
    `slot` is the place among the item's `annotators_per_item` that the assignment holds while open or done.
    """

    id: AssignmentId
    annotator: AnnotatorId
    task: TaskName
    item: ItemId
    item_hash: str
    condition: str
    position: int
    slot: int
    status: AssignmentStatus
    lease_until: datetime


@dataclass(frozen=True, slots=True)
class Annotation:
    """One annotator's label for one item in one round.

    Exactly one of `label` and `state` is set. `confidence` is the name of the chosen step, or a model's own figure.
    A model labels what a panel is set to and has no assignment; its `condition` is empty.
    `seq` orders annotations and exposures of one annotator on one item; it is taken under a lock and is no clock.
    `client_times_ms` are the browser's own figures and are never used where a server time exists.
    """

    annotator: AnnotatorId
    task: TaskName
    item: ItemId
    item_hash: str
    assignment: AssignmentId | None
    condition: str
    study_version: int
    round: int
    revision: int
    seq: int
    label: str | None
    state: str | None
    confidence: str | None
    rationale: WordsId | None
    guideline_hash: str
    shown_at: datetime
    submitted_at: datetime
    client_times_ms: Mapping[str, int] = field(default_factory=dict)

    @property
    def answer(self) -> str:
        """The label, or the state that stands for it."""
        return self.label or self.state or ""


ExposureKind = Literal["partner_turn", "argument", "peer_label", "suggestion", "example"]


@dataclass(frozen=True, slots=True)
class Exposure:
    """Someone's answer or argument on an item, shown to an annotator; written before it is sent.

    `source` names the turn (`run/step/index`) or other origin; `part` counts the sentences
    of a streamed turn from 0, and -1 is a whole one. `content` is the words' id. `route` is how it was shown.
    """

    annotator: AnnotatorId
    item: ItemId
    task: TaskName
    kind: ExposureKind
    source: str
    part: int
    content: WordsId
    route: str
    seq: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Run:
    """One protocol at work on one assignment."""

    id: RunId
    assignment: AssignmentId
    protocol: str
    protocol_version: int


@dataclass(frozen=True, slots=True)
class ModelAnnotator:
    """A language model that labels. Whatever may change its labels is part of who it is: another persona, guideline,
    prompt or parameter makes another annotator.

    `parameters` are those of its panel too, since whom it discusses with decides what it reads.
    `prompt_hash` is the SHA-256 of its standing instructions with their blanks filled.
    """

    id: AnnotatorId
    study: StudyName
    provider: str
    model: str
    method: Method
    persona: str
    prompt: str
    prompt_hash: str
    guideline_hash: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Labelling:
    """A panel at work on the items of a task, under one edition of the study; `agents` are its annotators in order."""

    id: LabellingId
    study: StudyName
    study_version: int
    task: TaskName
    panel: Panel
    protocol_version: int
    seed: int
    agents: tuple[AnnotatorId, ...]
    begun_at: datetime


@dataclass(frozen=True, slots=True)
class LabelRun:
    """A panel's protocol at work on one item; `revision` counts the texts the item had before, from 0."""

    id: RunId
    labelling: LabellingId
    item: ItemId
    item_hash: str
    revision: int
    protocol: str
    protocol_version: int


@dataclass(frozen=True, slots=True)
class LabelOutcome:
    """What a run came to; `rounds` is how many rounds of labels there were, the initial one included."""

    run: RunId
    labelling: LabellingId
    item: ItemId
    vote: Vote
    rounds: int
    at: datetime


@dataclass(frozen=True, slots=True)
class HeldDebate:
    """A debate that is held or was, under one edition of the study; `definition` reads back as a `Debate`."""

    id: DebateId
    study: StudyName
    study_version: int
    name: str
    definition: str
    begun_at: datetime


@dataclass(frozen=True, slots=True)
class AgentRun:
    """A protocol of agents alone at work on something that is no item: `about` is the id of a debate or a document."""

    id: RunId
    about: str
    protocol: str
    protocol_version: int


@dataclass(frozen=True, slots=True)
class QueuedIntervention:
    """What a moderator wants done in a run of a debate; taken in the order of `number`, from 0, when the run asks for it."""

    run: RunId
    number: int
    intervention: Intervention
    at: datetime


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """An answer of a run as it is kept: found again by `step` and `index`, checked by `fingerprint`.

    `text`, `mended` and `streamed` are the words themselves; they are empty, and `erased` is true, after a withdrawal.
    """

    run: RunId
    step: int
    index: int
    fingerprint: str
    speaker: str
    kind: TurnKind
    text: str
    mended: str
    streamed: str
    violations: tuple[Violation, ...]
    no_answer: str
    """Why nobody answered; empty when somebody did."""
    model: str
    prompt: str
    prompt_hash: str
    call: CallKey | None
    at: datetime
    latency_ms: int
    erased: bool = False
    labelled: ReadLabel | None = None


EventKind = Literal[
    "consented",
    "declined",
    "instructed",
    "opened",
    "confirmed",
    "routed",
    "paused",
    "talked",
    "surveyed",
    "introduced",
    "left",
    "returned",
    "failed",
    "ended",
    "withdrew",
    "accepted",
    "resolving",
    "arguing",
    "read",
    "pasted",
]


@dataclass(frozen=True, slots=True)
class Event:
    """Something a person did or met that is no annotation: `about` says on which step, `data` what else is known."""

    annotator: AnnotatorId
    kind: EventKind
    about: str
    at: datetime
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """The answer to one question besides the label.

    `about` is the form it stood on (`annotate:ASSIGNMENT`, `reannotate:ASSIGNMENT`, `survey`).
    A choice or scale step is in `choice`, free words in `words`.
    """

    annotator: AnnotatorId
    about: str
    question: str
    choice: str | None
    words: WordsId | None
    at: datetime


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A person's decision, with its reason, to leave someone's work out of analyses, or (not `excluded`) to take it in again.

    The last one about an annotator stands. Nothing is deleted by it. `decided_by` is the name of who decided, if known.
    """

    annotator: AnnotatorId
    excluded: bool
    reason: str
    decided_by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class SeenMark:
    """That somebody who works on the study has seen what a guard marked in a dialogue up to this time."""

    run: RunId
    account: AccountId
    name: str
    at: datetime


BudgetState = Literal["begun", "reached", "ended"]


@dataclass(frozen=True, slots=True)
class BudgetNote:
    """How labelling by models under a budget stands: it began, was stopped by the budget, or ended within it."""

    limit_usd: float
    state: BudgetState
    at: datetime


@dataclass(frozen=True, slots=True)
class PersonMinutes:
    """Minutes of somebody who finished: active ones, from coming to ending, and of each phase they went through."""

    annotator: AnnotatorId
    active: float
    whole: float
    instructions: float | None = None
    first_labels: float | None = None
    second_part: float | None = None
    survey: float | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """A random choice that was made: from what, with which chances, from which seed, with what outcome."""

    study: StudyName
    annotator: AnnotatorId
    what: str
    """`condition`, or `condition:TASK:ITEM` where it is drawn per item, or `sides:ASSIGNMENT`: who comes first in a debate."""
    chances: Mapping[str, float]
    seed: int
    outcome: str
    at: datetime


Purpose = Literal["label", "calibration", "certification", "audit", "verify", "resolve", "adjudicate"]
"""Why somebody is asked for a label: `label` is a study's own way of asking, the others are requests."""
PURPOSES: tuple[Purpose, ...] = get_args(Purpose)

BLIND_PURPOSES: frozenset[Purpose] = frozenset({"calibration", "certification", "audit"})
"""Drawn at random and answered without any machine's answer in view, then or later."""

DrawRule = Literal["simple", "independent"]


@dataclass(frozen=True, slots=True)
class BlindDraw:
    """A random choice among the items of a task, made before anyone labels them.

    `simple` draws `n_drawn` of `n_items` at once, `independent` decides on each item by itself; either way each is drawn
    with the probability kept in its `DrawnItem`. `seed_hash` is the SHA-256 of the secret seed, published at once.
    A draw made for `label` is the blind sample of the study; later ones continue it with the same seed.
    """

    id: DrawId
    study: StudyName
    task: TaskName
    purpose: Purpose
    rule: DrawRule
    rate: float
    n_items: int
    n_drawn: int
    seed_hash: str
    drawn_at: datetime
    revealed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class DrawnItem:
    """One item that a draw chose among, with the probability it had, and whether it was `drawn`."""

    draw: DrawId
    item: ItemId
    item_hash: str
    probability: float
    drawn: bool


@dataclass(frozen=True, slots=True)
class LabelRequest:
    """A label that is asked for on purpose, beside a study's own places.

    `draw` and `probability` are those of a blind one. `source` names the machine's answer that the request is about, as
    exposures do. `asked_of` is the only person it is for; empty for anyone. `number` is its place among the requests for
    the item, which its assignment bears as slot.
    """

    id: RequestId
    study: StudyName
    task: TaskName
    item: ItemId
    item_hash: str
    condition: str
    number: int
    purpose: Purpose
    requested_at: datetime
    probability: float | None = None
    draw: DrawId | None = None
    source: str = ""
    asked_of: str = ""
    assignment: AssignmentId | None = None
    """Who holds it or has answered it; none while it waits."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """Items whose labels were used to make the machine better: they prove nothing about any version that came after."""

    study: StudyName
    task: TaskName
    item: ItemId
    at: datetime


@dataclass(frozen=True, slots=True)
class Handoff:
    """The decision to leave the items that remain of a task to one version of a machine, as it was taken.

    Attributes:
        version, number: the machine with everything that decides its labels, and which one this was on the task, from 1.
        rule, threshold, level: what was declared; `level` is the part of the risk that this version may use.
        certified: whether the decision is a proof; false under the rule `point`.
        n_items, n_blind, agreeing, bound: what the gate read: items in all, blind comparisons, how many of them agreed,
            and the lower bound for the agreement on the rest.
        settings, reading: the whole rule, and all that the gate said.
        evidence_hash, evidence_until: SHA-256 of the rows it rests on; answers given later played no part.
        by: the account of whoever decided, or `command`.
    """

    id: HandoffId
    study: StudyName
    study_version: int
    task: TaskName
    version: str
    number: int
    rule: HandoffRuleName
    threshold: float
    level: float
    certified: bool
    n_items: int
    n_blind: int
    agreeing: int
    bound: float | None
    settings: Mapping[str, Any]
    reading: Mapping[str, Any]
    evidence_hash: str
    evidence_until: datetime
    by: str
    at: datetime


RevocationReason = Literal["audits", "new_version", "taken_back"]


@dataclass(frozen=True, slots=True)
class Revocation:
    """The end of a handoff: audits found a fall, another version of the machine came, or somebody took it back.

    No label is accepted any more, and the items go to people again; what was accepted stays on record.
    `reading` and `evidence_hash` are those of the audits; empty for other reasons.
    """

    handoff: HandoffId
    reason: RevocationReason
    words: str
    reading: Mapping[str, Any]
    evidence_hash: str
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class AcceptedLabel:
    """A machine's label that stands without a person's, under a handoff. `source` is the machine's answer, as for exposures."""

    handoff: HandoffId
    task: TaskName
    item: ItemId
    item_hash: str
    label: str
    confidence: float | None
    source: str
    at: datetime


@dataclass(frozen=True, slots=True)
class PersonRecord:
    """Everything of one person that decides where they are in the study; read in a handful of queries."""

    participant: Participant
    assignments: tuple[Assignment, ...] = ()
    """In the person's own order."""
    annotations: tuple[Annotation, ...] = ()
    """The last revision of each round."""
    events: tuple[Event, ...] = ()
    answers: tuple[GivenAnswer, ...] = ()
    """In the order given; of several to one question on one form the last counts."""
    messages: Mapping[AssignmentId, int] = field(default_factory=dict)
    """How many messages the person has sent, by assignment."""

    def annotation(self, assignment: AssignmentId, round: int) -> Annotation | None:  # noqa: A002
        return next((a for a in self.annotations if a.assignment == assignment and a.round == round), None)

    def first_label(self, assignment: AssignmentId) -> str:
        """The label given in round 0, where one is known to stand."""
        given = self.annotation(assignment, 0)
        assert given is not None, "there is a first annotation"
        assert given.label is not None, "the first annotation offers labels only"
        return given.label

    def event(self, kind: EventKind, about: str = "") -> Event | None:
        return next((e for e in self.events if e.kind == kind and (not about or e.about == about)), None)


@dataclass(frozen=True, slots=True)
class StudyVersion:
    """One published edition of a study file; `definition` reads back as a `Study`."""

    study: StudyName
    number: int
    definition: str
    hash: str
    published_at: datetime


CallStatus = Literal["intended", "answered", "refused", "truncated", "error"]


@dataclass(frozen=True, slots=True)
class Call:
    """One request to a model and what became of it; an intent is kept before it is sent.

    `key` is the SHA-256 of the canonical request with run, step and attempt. Costs are unknown (None), never 0, where no price is known.
    """

    key: CallKey
    study: StudyName
    run: RunId | None
    status: CallStatus
    provider: str
    requested_model: str
    served_model: str
    request: WordsId
    reply: WordsId | None
    finish_reason: str
    input_tokens: int | None
    cached_tokens: int | None
    output_tokens: int | None
    cost_usd: float | None
    latency_ms: int | None
    error: str
    intended_at: datetime
    finished_at: datetime | None
    tokens: WordsId | None = None
    """The first tokens of the reply with their log-probabilities, as JSON."""


@dataclass(frozen=True, slots=True)
class Export:
    """A file that was written from the record: which of its tables, how many rows, and the hash of the file."""

    study: StudyName
    path: str
    format: str
    table: str
    """Name of the table in the file, such as `annotations`; see `services/study_tables`."""
    rows: int
    sha256: str
    at: datetime
