"""Files of platforms as they write them, and the lists that they take back."""

import csv
import io

import pytest

from crito.model.errors import InvalidInput
from crito.model.ids import AnnotatorId
from crito.model.record import Identity
from crito.model.recruitment import Decision, Submission
from crito.platforms import mturk, prolific
from crito.platforms.files import platform_lists, read_submissions
from crito.services.recruiting import ToTell

PROLIFIC_HEAD = (
    "Submission id,Participant id,Status,Custom study tncs accepted at,Started at,Completed at,Reviewed at,Archived at,"
    "Time taken,Completion code,Total approvals,Fluent languages,Age,Sex"
)
MTURK_HEAD = (
    '"HITId","HITTypeId","Title","Description","Keywords","Reward","CreationTime","MaxAssignments","RequesterAnnotation",'
    '"AssignmentDurationInSeconds","AutoApprovalDelayInSeconds","Expiration","NumberOfSimilarHITs","LifetimeInSeconds",'
    '"AssignmentId","WorkerId","AssignmentStatus","AcceptTime","SubmitTime","AutoApprovalTime","ApprovalTime",'
    '"RejectionTime","RequesterFeedback","WorkTimeInSeconds","LifetimeApprovalRate","Last30DaysApprovalRate",'
    '"Last7DaysApprovalRate","Input.link","Answer.surveycode","Approve","Reject"'
)


def prolific_row(number: int, status: str) -> str:
    return (
        f"6{number:023x},5{number:023x},{status},Not Applicable,2026-10-25T12:27:09.179000Z,2026-10-25T12:46:18.540000Z,"
        f',,{600 + number},C1A2B3,389,"Czech, English",25,Female'
    )


def mturk_row(number: int, status: str) -> str:
    cells = [
        f"HIT{number}",
        "T",
        'Read "this", please',
        "d",
        "k",
        "$1.00",
        *[""] * 8,
        f"A{number}",
        f"W{number}",
        status,
    ]
    return ",".join('"' + cell.replace('"', '""') + '"' for cell in [*cells, *[""] * 10, "link", "C1A2B3", "", ""])


def decided(provider: str, number: int, decision: Decision, reason: str = "", session: str | None = None) -> ToTell:
    person = {"prolific": f"5{number:023x}", "mturk": f"W{number}"}[provider]
    submission = {"prolific": f"6{number:023x}", "mturk": f"A{number}"}[provider] if session is None else session
    return ToTell(AnnotatorId(f"p-{number}"), Identity(provider, person, submission), decision, reason)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("status", "read_as"),
    [
        ("APPROVED", "approved"),
        ("AWAITING REVIEW", "awaiting_review"),
        ("RETURNED", "returned"),
        ("TIMED-OUT", "timed_out"),
        ("REJECTED", "rejected"),
        ("ACTIVE", "active"),
        ("RESERVED", "reserved"),
        ("SCREENED OUT", "screened_out"),
        ("PARTIALLY APPROVED", "partly_approved"),
    ],
)
def test_every_status_of_prolific_is_read(status: str, read_as: str) -> None:
    (submission,) = read_submissions(f"{PROLIFIC_HEAD}\n{prolific_row(1, status)}\n".encode(), "export.csv")

    assert submission == Submission("prolific", f"6{1:023x}", f"5{1:023x}", read_as, "C1A2B3")  # type: ignore[arg-type]


def test_every_row_of_a_large_export_is_read() -> None:
    rows = [prolific_row(n, "RETURNED" if n % 7 == 0 else "AWAITING REVIEW") for n in range(5_000)]

    read = read_submissions("\r\n".join([PROLIFIC_HEAD, *rows]).encode("utf-8-sig"), "export.csv")

    assert len(read) == len({submission.id for submission in read}) == 5_000
    assert sum(submission.status == "returned" for submission in read) == 715


def test_an_export_that_a_spreadsheet_saved_again_is_read_too() -> None:
    row = prolific_row(3, "APPROVED").replace('"Czech, English"', "Czech")
    text = f"{PROLIFIC_HEAD}\n{row}\n".replace(",", ";")

    assert read_submissions(text.encode("utf-8-sig"), "export.csv")[0].person == f"5{3:023x}"


def test_results_of_mechanical_turk_are_read_with_their_code() -> None:
    text = "\n".join([MTURK_HEAD, mturk_row(1, "Submitted"), mturk_row(2, "Approved"), mturk_row(3, "Rejected")])

    assert read_submissions(text.encode(), "Batch.csv") == [
        Submission("mturk", "A1", "W1", "awaiting_review", "C1A2B3"),
        Submission("mturk", "A2", "W2", "approved", "C1A2B3"),
        Submission("mturk", "A3", "W3", "rejected", "C1A2B3"),
    ]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"name,age\nana,7\n", "no list of submissions"),
        (b"", "no list of submissions"),
        (b"Submission id,Status\n1,APPROVED\n", "no column for participant_id"),
        (f"{PROLIFIC_HEAD}\n1,2,APPROVED\n".encode(), "line 2.*another number of cells"),
        (f"{PROLIFIC_HEAD}\n{prolific_row(1, 'EATEN')}\n".encode(), "line 2.*no such status"),
        (b"Submission id,\xff\xff\xff\n", "not UTF-8"),
        (PROLIFIC_HEAD.encode() + b'\n"1,2', "no CSV"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(content: bytes, problem: str) -> None:
    with pytest.raises(InvalidInput, match=problem):
        read_submissions(content, "export.csv")


def test_prolific_takes_a_list_of_submissions_to_approve_and_of_people_to_reject() -> None:
    lists = platform_lists(
        [
            decided("prolific", 1, "approve"),
            decided("prolific", 2, "reject", 'No, "read" it'),
            decided("prolific", 3, "approve"),
        ]
    )

    assert lists["prolific-approve.txt"].split() == [f"6{1:023x}", f"6{3:023x}"]
    assert list(csv.DictReader(io.StringIO(lists["prolific-reject.csv"]))) == [
        {"Submission id": f"6{2:023x}", "Participant id": f"5{2:023x}", "Reason": 'No, "read" it'}
    ]
    assert "mturk-review.csv" not in lists


def test_ids_of_one_kind_only_stand_in_a_list_of_approvals() -> None:
    text = prolific.approvals([decided("prolific", 1, "approve"), decided("prolific", 2, "approve", session="")])

    assert text.split() == [f"5{1:023x}", f"5{2:023x}"]


def test_decisions_are_filled_into_the_file_of_results_and_nothing_else_changes() -> None:
    rows = [mturk_row(n, "Submitted") for n in range(1, 5_001)]
    content = "\n".join([MTURK_HEAD, *rows]).encode()

    filled = mturk.filled_in(
        content, "Batch.csv", [decided("mturk", 2, "approve"), decided("mturk", 4_999, "reject", "Why")]
    )

    before, after = (list(csv.DictReader(io.StringIO(text))) for text in (content.decode(), filled))
    assert len(after) == 5_000
    changed = {row["AssignmentId"]: (row["Approve"], row["Reject"]) for row in after if row["Approve"] or row["Reject"]}
    assert changed == {"A2": ("X", ""), "A4999": ("", "Why")}
    marks = {"Approve": "", "Reject": ""}
    assert [{**row, **marks} for row in after] == before


def test_what_an_export_says_of_people_is_read_in_bands_without_what_they_revoked() -> None:
    head = "Submission id,Participant id,Status,Age,Sex,Ethnicity simplified,Language"
    rows = [
        "s1,p1,APPROVED,34,Female,Mixed,English",
        "s2,p2,APPROVED,CONSENT_REVOKED,DATA_EXPIRED,,Italian",
        "s3,p3,APPROVED,71,Male,White,",
    ]

    read = prolific.read_traits("\n".join([head, *rows]).encode(), "export.csv")

    assert [(one.person, dict(one.traits)) for one in read] == [
        ("p1", {"age": "25_34", "sex": "female", "ethnicity": "mixed", "language": "english"}),
        ("p2", {"language": "italian"}),
        ("p3", {"age": "65_up", "sex": "male", "ethnicity": "white"}),
    ]
