"""Who works on a study: people with accounts, the role each has in it, and what stands for them: sessions, links, tokens."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from crito.model.ids import AccountId, AnnotatorId, AssignmentId, StudyName

StudyRole = Literal["owner", "expert", "reader"]
"""An owner runs the study, an expert labels from a queue, a reader reads the transcripts of dialogues. A participant
has no account: whoever takes part is a pseudonym."""

STUDY_ROLES: tuple[StudyRole, ...] = get_args(StudyRole)

Scope = Literal["read:study", "read:people", "read:labels", "read:transcripts", "write:state"]
"""What a program may do by the API with a token."""

SCOPES: tuple[Scope, ...] = get_args(Scope)
READING: tuple[Scope, ...] = ("read:study", "read:people", "read:labels")
"""What a token may do if nobody says otherwise: everything but people's words, and changing nothing."""

HostedState = Literal["open", "paused", "archived"]
"""Paused: nobody new comes in, who is under way may finish. Archived: nothing changes any more, and it is out of the list."""


@dataclass(frozen=True, slots=True)
class Account:
    """Someone who signs in to work on studies. `password` is a salted hash, empty for those who come by links only."""

    id: AccountId
    name: str
    email: str
    password: str
    made_at: datetime


@dataclass(frozen=True, slots=True)
class Membership:
    """The role of an account in a study, from `at` until it was ended; an account has one role in a study at a time.

    `annotator` is the pseudonym under which an expert labels. `by` and `ended_by` are accounts, empty for the command line.
    """

    study: StudyName
    account: AccountId
    role: StudyRole
    annotator: AnnotatorId | None
    at: datetime
    by: AccountId
    ended_at: datetime | None = None
    ended_by: AccountId | None = None


@dataclass(frozen=True, slots=True)
class Member:
    """Someone who works on a study, in the one role that their account has in it."""

    study: StudyName
    account: AccountId
    name: str
    role: StudyRole
    annotator: AnnotatorId | None = None
    state: HostedState = "open"
    """How the study stands, whose member this is."""


@dataclass(frozen=True, slots=True)
class AccessLink:
    """A link that lets somebody in once.

    With an `account` it signs that account in; without one it is an invitation to `role`, for somebody whom the one who
    made it calls `name`. A session that comes of it opens `study` alone where `whole` is false: who may invite to one
    study must not get into others by signing in as somebody else.
    """

    id: str
    study: StudyName
    account: AccountId | None
    role: StudyRole
    name: str
    whole: bool
    at: datetime
    by: AccountId
    until: datetime
    spent_at: datetime | None = None
    revoked_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class AccountSession:
    """A browser in which somebody is signed in; `study` is the only one that it opens, empty for all of the account's."""

    id: str
    account: AccountId
    study: StudyName
    at: datetime
    until: datetime
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ApiToken:
    """What lets a program in; its text was shown once and is kept as a hash only."""

    id: str
    study: StudyName
    name: str
    scopes: tuple[Scope, ...]
    at: datetime
    by: AccountId
    until: datetime
    revoked_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """Somebody was shown the transcript of a dialogue: `reader` by name, `account` empty for a program's token."""

    study: StudyName
    account: AccountId
    reader: str
    annotator: AnnotatorId
    assignment: AssignmentId
    at: datetime


@dataclass(frozen=True, slots=True)
class StateChange:
    """A study was opened, paused or archived; `by` is an account, empty for the command line."""

    study: StudyName
    state: HostedState
    at: datetime
    by: AccountId
