"""Mechanical Turk: its file of results, and the same file with decisions filled in.

Columns are those of the file that *Download CSV* gives, as the Requester UI Guide describes reviewing offline: an X under
`Approve`, or the reason under `Reject`.
"""

from collections.abc import Mapping, Sequence

from crito.model.errors import InvalidInput
from crito.model.phrase import Phrase
from crito.model.recruitment import Submission, SubmissionStatus
from crito.platforms.csv_rows import plain, read_rows, written
from crito.services.recruiting import ToTell

NEEDED = ("assignmentid", "workerid", "assignmentstatus")
WHAT = Phrase("a file of results of Mechanical Turk")
_STATUSES: Mapping[str, SubmissionStatus] = {
    "submitted": "awaiting_review",
    "approved": "approved",
    "rejected": "rejected",
}


def read_submissions(content: bytes, file: str) -> list[Submission]:
    """The submissions in a file of results; the code is an answer whose column names one.

    Raises:
        InvalidInput: the file is none of Mechanical Turk's, or says something of a submission that we do not know.
    """
    found = []
    for line, row in read_rows(content, file, NEEDED, WHAT).rows:
        status = _STATUSES.get(row["assignmentstatus"].casefold())
        if status is None:
            raise InvalidInput(
                Phrase("there is no such status of an assignment"), came=row["assignmentstatus"],
                wanted=Phrase("known are %(names)s", names=", ".join(_STATUSES)), file=file, line=line,
            )  # fmt: skip
        code = next((value for name, value in row.items() if name.startswith("answer") and "code" in name), "")
        found.append(Submission("mturk", row["assignmentid"], row["workerid"], status, code))
    return found


def reviewed(decided: Sequence[ToTell]) -> str:
    """The decisions with the columns that an upload is read by; `filled_in` gives the platform's own file back."""
    return written(
        [
            ("AssignmentId", "WorkerId", "Approve", "Reject"),
            *((one.identity.session, one.identity.external_id, *_marks(one)) for one in decided),
        ]
    )


def filled_in(content: bytes, file: str, decided: Sequence[ToTell]) -> str:
    """A file of results with the decisions under `Approve` and `Reject`; every other cell and row is left as it is.

    Raises:
        InvalidInput: the file is none of Mechanical Turk's.
    """
    read = read_rows(content, file, NEEDED, WHAT)
    marks = {(one.identity.session, one.identity.external_id): _marks(one) for one in decided}
    heads = [*read.heads, *(head for head in ("Approve", "Reject") if plain(head) not in map(plain, read.heads))]
    rows = []
    for _, row in read.rows:
        mark = marks.get((row["assignmentid"], row["workerid"]))
        approve, reject = mark or (row.get("approve", ""), row.get("reject", ""))
        rows.append([{**row, "approve": approve, "reject": reject}[plain(head)] for head in heads])
    return written([heads, *rows])


def _marks(one: ToTell) -> tuple[str, str]:
    return ("X", "") if one.decision == "approve" else ("", one.reason)
