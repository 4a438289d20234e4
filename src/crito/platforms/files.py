"""What a platform's file is, told by its columns, and the files that platforms take back."""

from collections.abc import Sequence

from crito.model.errors import InvalidInput
from crito.model.phrase import Phrase
from crito.model.recruitment import Submission
from crito.platforms import mturk, prolific
from crito.platforms.csv_rows import plain
from crito.services.recruiting import ToTell

MAX_BYTES = 64 * 1024 * 1024


def read_submissions(content: bytes, file: str) -> list[Submission]:
    """The submissions of a file that Prolific or Mechanical Turk wrote.

    Raises:
        InvalidInput: it is neither, or cannot be read.
    """
    first = content[:4000].decode("utf-8", "replace").lstrip("\ufeff").partition("\n")[0]
    heads = {plain(head) for delimiter in ",;\t" for head in first.replace('"', "").split(delimiter)}
    if "submission_id" in heads:
        return prolific.read_submissions(content, file)
    if "assignmentid" in heads:
        return mturk.read_submissions(content, file)
    raise InvalidInput(
        Phrase("this is no list of submissions"), came=first[:80] or None,
        wanted=Phrase("give Prolific's export of submissions or Mechanical Turk's file of results"), file=file,
    )  # fmt: skip


def platform_lists(decided: Sequence[ToTell]) -> dict[str, str]:
    """The files for the platforms that people came from, by their names; none where nothing was decided."""
    of_prolific = [one for one in decided if one.identity.provider == "prolific"]
    of_mturk = [one for one in decided if one.identity.provider == "mturk"]
    lists = {}
    if any(one.decision == "approve" for one in of_prolific):
        lists["prolific-approve.txt"] = prolific.approvals(of_prolific)
    if any(one.decision == "reject" for one in of_prolific):
        lists["prolific-reject.csv"] = prolific.rejections(of_prolific)
    if of_mturk:
        lists["mturk-review.csv"] = mturk.reviewed(of_mturk)
    return lists
