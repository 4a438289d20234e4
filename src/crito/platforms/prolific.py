"""Prolific: its export of submissions, and the lists it takes; `prolific_api` asks it itself.

Columns and fields are those of its public documentation (docs.prolific.com: the submission object, list study
submissions, bulk approve, approve or reject a submission).
"""

import re
from collections.abc import Mapping, Sequence

from crito.model.errors import InvalidInput
from crito.model.phrase import Phrase
from crito.model.recruitment import Submission, SubmissionStatus
from crito.platforms.csv_rows import plain, read_rows, written
from crito.services.people_traits import PlatformTraits
from crito.services.recruiting import ToTell

PROLIFIC_TOKEN_VARIABLE = "PROLIFIC_TOKEN"  # noqa: S105 - the name of the variable

SHORTEST_REASON = 100
"""Characters: Prolific sends no shorter message with a rejection."""

TRAITS: Mapping[str, str] = {
    "age": "age",
    "sex": "sex",
    "ethnicity_simplified": "ethnicity",
    "country_of_birth": "country_of_birth",
    "country_of_residence": "country_of_residence",
    "nationality": "nationality",
    "language": "language",
    "student_status": "student_status",
    "employment_status": "employment_status",
}
"""Columns about people, by the names under which they are kept."""
NOT_TOLD = frozenset({"", "data_expired", "consent_revoked", "not_applicable", "prefer_not_to_say"})
AGE_BANDS: Mapping[str, int] = {"18_24": 24, "25_34": 34, "35_44": 44, "45_54": 54, "55_64": 64}
"""By the oldest in it; the same bands as the ready-made question."""
OLDEST_BAND = "65_up"

_STATUSES: Mapping[str, SubmissionStatus] = {
    "reserved": "reserved",
    "active": "active",
    "awaiting_review": "awaiting_review",
    "approved": "approved",
    "partially_approved": "partly_approved",
    "rejected": "rejected",
    "returned": "returned",
    "timed_out": "timed_out",
    "screened_out": "screened_out",
}


def read_submissions(content: bytes, file: str) -> list[Submission]:
    """The submissions of an export.

    Raises:
        InvalidInput: the file is no export of Prolific's, or says something of a submission that we do not know.
    """
    read = read_rows(
        content, file, ("submission_id", "participant_id", "status"), Phrase("an export of Prolific's submissions")
    )
    return [
        Submission(
            "prolific",
            row["submission_id"],
            row["participant_id"],
            status_of(row["status"], file, line),
            row.get("completion_code", ""),
        )
        for line, row in read.rows
    ]


def read_traits(content: bytes, file: str) -> list[PlatformTraits]:
    """What an export says of people themselves; an age becomes a band, and what people revoked is left out.

    Raises:
        InvalidInput: the file is no export of Prolific's.
    """
    read = read_rows(
        content, file, ("submission_id", "participant_id", "status"), Phrase("an export of Prolific's submissions")
    )
    found = []
    for _, row in read.rows:
        told = {name: _trait(name, row.get(head, "")) for head, name in TRAITS.items()}
        found.append(
            PlatformTraits("prolific", row["participant_id"], {name: value for name, value in told.items() if value})
        )
    return found


def _trait(name: str, told: str) -> str:
    value = plain(told)
    if value in NOT_TOLD:
        return ""
    if name != "age":
        return value
    years = int(told) if told.isdecimal() else 0
    return next((band for band, oldest in AGE_BANDS.items() if years <= oldest), OLDEST_BAND) if years else ""


def approvals(decided: Sequence[ToTell]) -> str:
    """The list for *bulk approve*, one id a line: of submissions, or of people where not every link named a submission."""
    approved = [one.identity for one in decided if one.decision == "approve"]
    by_submission = all(identity.session for identity in approved)
    return "".join(f"{identity.session if by_submission else identity.external_id}\n" for identity in approved)


def rejections(decided: Sequence[ToTell]) -> str:
    """Who is to be rejected and why; Prolific takes each by hand."""
    rows = [(one.identity.session, one.identity.external_id, one.reason) for one in decided if one.decision == "reject"]
    return written([("Submission id", "Participant id", "Reason"), *rows])


def status_of(told: str, file: str, line: int) -> SubmissionStatus:
    status = _STATUSES.get(re.sub(r"[^a-z]+", "_", told.strip().casefold()))
    if status is None:
        raise InvalidInput(
            Phrase("there is no such status of a submission"),
            came=told,
            wanted=Phrase("known are %(names)s", names=", ".join(_STATUSES)),
            file=file,
            line=line,
        )
    return status
