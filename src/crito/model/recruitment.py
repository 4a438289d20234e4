"""What becomes of people at the platform that sent them: submissions, the places opened for them, the owner's reviews."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from crito.model.ids import AnnotatorId, StudyName, WordsId

Provider = Literal["prolific", "mturk"]
PROVIDERS: tuple[Provider, ...] = get_args(Provider)

SubmissionStatus = Literal[
    "reserved", "active", "awaiting_review", "approved", "partly_approved", "rejected", "returned", "timed_out",
    "screened_out",
]  # fmt: skip
GIVES_BACK: frozenset[SubmissionStatus] = frozenset({"returned", "timed_out", "rejected"})
"""The platform counts nobody for these: the places go back, and what the person left is kept and flagged."""
SETTLED: frozenset[SubmissionStatus] = GIVES_BACK | {"approved", "partly_approved", "screened_out"}
"""Nobody has to decide about these any more."""

Decision = Literal["approve", "reject"]
DECISIONS: tuple[Decision, ...] = get_args(Decision)


@dataclass(frozen=True, slots=True)
class Submission:
    """One submission as the platform tells it. `person` and `id` are the platform's own names for who and what."""

    provider: Provider
    id: str
    person: str
    status: SubmissionStatus
    code: str = ""


@dataclass(frozen=True, slots=True)
class SubmissionNews:
    """What was learnt of a person's submission: a row for each change, from a `file` or the platform's `api`."""

    annotator: AnnotatorId
    status: SubmissionStatus
    code: str
    source: Literal["file", "api"]
    at: datetime


@dataclass(frozen=True, slots=True)
class Review:
    """The owner's decision about a person's submission; a later one counts instead of it."""

    annotator: AnnotatorId
    decision: Decision
    reason: WordsId | None
    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Opening:
    """Places opened for people at one time; fewer than 0 when places were closed."""

    study: StudyName
    places: int
    by: str
    at: datetime


def flag_of(news: SubmissionNews | None, review: Review | None) -> str:
    """Why an analysis leaves a person out on account of their submission, unless told otherwise; empty when it does not.

    Of a review and the platform's own approval or rejection the later one counts.
    """
    status = news.status if news else None
    if status in ("returned", "timed_out"):
        return f"submission_{status}"
    if review and (news is None or status not in SETTLED or review.at >= news.at):
        return "submission_rejected" if review.decision == "reject" else ""
    return "submission_rejected" if status == "rejected" else ""
