"""What can go wrong, as one tree; a leaf exists where some caller acts on it differently.

CritoError
├── InvalidInput        a file, form or option that cannot be used; says where, what came and what would do
├── InvalidStudy        a study file with everything that is wrong in it
├── NotFound            no such study, item, run or person
├── Forbidden           not theirs, or not signed in
├── Conflict            something else was recorded first; what was recorded stays
│   └── RoleRefused     a role that cannot be given or taken; `why` says which rule stands in the way
├── PartClosed          the part of the study a form belongs to is over
├── TooMany             a limit was reached; `retry_after_s` says when to come back
├── ModelUnavailable    a model did not answer, or not in time
├── ModelDenied         a model that nobody here may ask: wrong key, unknown name, no credit; the next call fares no better
├── CallHeld            a call that may have been paid for without an answer on record; the owner decides
├── BudgetReached       the next call might cross the limit of spending; the work so far stands
├── ReplayMismatch      a run's record does not fit the protocol it is fed to
└── DatabaseMismatch    the database is of another schema, another study or another origin
"""

from dataclasses import dataclass
from typing import Literal


class CritoError(Exception):
    """Something the user or the outside did; the message is fit to be shown."""


@dataclass
class InvalidInput(CritoError):
    """Input that cannot be used.

    Attributes:
        problem: what is wrong, as a sentence without its full stop.
        came: what was given, if that helps.
        wanted: what would do.
        file, line, key: where it stands; line counts from 1, 0 when unknown.
    """

    problem: str
    came: object = None
    wanted: str = ""
    file: str = ""
    line: int = 0
    key: str = ""

    def __str__(self) -> str:
        place = self.file + (f", line {self.line}" if self.line else "")
        where = ": ".join(part for part in (place, self.key and f"`{self.key}`") if part)
        names = self.problem.startswith("there is no such")
        came = "" if self.came is None else f" as {self.came!r}" if names else f", but got {self.came!r}"
        wanted = f"; {self.wanted}" if self.wanted else ""
        return f"{where}: {self.problem}{came}{wanted}" if where else f"{self.problem}{came}{wanted}"


@dataclass
class InvalidStudy(CritoError):
    """A study file that cannot be used.

    Attributes:
        problems: everything found, in the order of the file; at least one.
    """

    problems: tuple[InvalidInput, ...]

    def __str__(self) -> str:
        return "\n".join(str(problem) for problem in self.problems)


class NotFound(CritoError):
    """There is no such thing."""


class Forbidden(CritoError):
    """The visitor may not do or see this."""


class Conflict(CritoError):
    """Another write came first and stands."""


WhyRefused = Literal["has_role", "not_blind", "last_owner", "no_labels"]
"""It has a role already; it could see what others said; nobody else would own the study; nobody labels in the study."""


@dataclass
class RoleRefused(Conflict):
    """A role that an account cannot be given, or cannot lose.

    Attributes:
        problem: what stands in the way, as a sentence without its full stop.
        why: which rule it is.
    """

    problem: str
    why: WhyRefused

    def __str__(self) -> str:
        return self.problem


class PartClosed(CritoError):
    """The form belongs to a part of the study that is over for this person."""


@dataclass
class TooMany(CritoError):
    """A limit was reached.

    Attributes:
        problem: which limit, as a sentence without its full stop.
        retry_after_s: seconds until it makes sense to try again.
    """

    problem: str
    retry_after_s: int

    def __str__(self) -> str:
        return f"{self.problem}; try again in {self.retry_after_s} s"


Trouble = Literal["busy", "unreached", "uncertain", "denied", "other"]
"""Why a call failed: the provider refused it for now; it was never sent; nobody knows whether it was answered;
whoever asks may not, or not this model; anything else."""


@dataclass
class ModelUnavailable(CritoError):
    """A model did not answer, or not in time.

    Attributes:
        problem: what happened, as a sentence without its full stop.
        trouble: which kind of failure it was.
        retry_after_s: how long the provider wants to be left alone; None when it does not say.
    """

    problem: str
    trouble: Trouble = "other"
    retry_after_s: float | None = None

    def __str__(self) -> str:
        return self.problem


class ModelDenied(CritoError):
    """A provider that lets nobody with this key ask this model."""


class CallHeld(CritoError):
    """A call whose outcome nobody knows, so that it is not sent again unasked."""


@dataclass
class BudgetReached(CritoError):
    """The limit of spending, before the call that might cross it.

    Attributes:
        budget_usd, spent_usd: the limit, and what was spent.
        next_usd: what the next call may cost at most.
    """

    budget_usd: float
    spent_usd: float
    next_usd: float

    def __str__(self) -> str:
        return (
            f"the budget of {self.budget_usd:g} USD is used up: {self.spent_usd:.4f} USD are spent, and the next call "
            f"may cost {self.next_usd:.4f} USD; what was done is kept, and the same command with more goes on"
        )


@dataclass
class ReplayMismatch(CritoError):
    """A recorded turn answers another ask than the one the protocol makes now.

    Attributes:
        step, index: which turn of the run.
        problem: how it differs, as a sentence without its full stop.
    """

    step: int
    index: int
    problem: str

    def __str__(self) -> str:
        return (
            f"turn {self.step}/{self.index} of the run does not fit: {self.problem}; "
            "resume the run with the protocol, version and study it was recorded with, or close it"
        )


class DatabaseMismatch(CritoError):
    """The database cannot be used as it is."""
