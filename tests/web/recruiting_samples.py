"""The pages of recruitment and erasure with made-up content: nothing yet, and everything there is to say."""

from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

from crito.model.erasure import Erasure
from crito.model.errors import InvalidInput
from crito.model.ids import AnnotatorId, Language, StudyName, WordsId
from crito.model.phrase import Phrase
from crito.model.record import Identity, Participant
from crito.model.recruitment import Review, SubmissionNews
from crito.model.study import CODED_ENDINGS, Completion, Ending
from crito.services.erasing import Retention
from crito.services.inviting import WITHOUT_CODE, invitation
from crito.services.openings import Places
from crito.services.ports.recruiting import SubmissionRow
from crito.services.recruiting import Decided, TakenIn
from crito.web.doubts import DOUBTS
from crito.web.recruiting import SHOWS
from tests.builders import make_study

NOW = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)
PROLIFIC = Completion(
    "prolific",
    {ending: f"C{n}X8K2" for n, ending in enumerate(CODED_ENDINGS)},
    "https://app.prolific.com/submissions/complete?cc={code}",
)
BARE = Completion("mturk", {"done": "C1A2B3", "timed_out": "C1A2B3"}, "https://example.org/?c={code}")


def _recruit(
    completion: Completion, server: str, places: Places, fault: InvalidInput | None = None
) -> dict[str, object]:
    invited = invitation(make_study(completion=completion, contact="ana@example.org"), server)
    return {
        "invited": invited, "doubts": DOUBTS, "without_code": WITHOUT_CODE, "preview": invited.address, "places": places,
        "fault": fault,
    }  # fmt: skip


RECRUIT = _recruit(PROLIFIC, "https://example.org/crito", Places(40, 31, 69))
RECRUIT_DOUBTS = _recruit(
    BARE,
    "http://127.0.0.1:8000",
    Places(None, 0, 0),
    InvalidInput(Phrase("more places would be open than people are missing"), 12),
)


def _row(
    number: int, ending: Ending | None, news: SubmissionNews | None = None, review: Review | None = None
) -> SubmissionRow:
    who = AnnotatorId(f"p-{number:015x}")
    arrived = NOW - timedelta(minutes=7 * number)
    person = Participant(who, StudyName("sample"), 1, "real", Language("en"), "socratic", 7, arrived, ending)
    return SubmissionRow(person, Identity("prolific", f"5f{number:022x}", f"6a{number:022x}"), news, review)


def _news(number: int, status: str, code: str = "") -> SubmissionNews:
    return SubmissionNews(AnnotatorId(f"p-{number:015x}"), status, code, "file", NOW)  # type: ignore[arg-type]


REASON = WordsId("w-1")
ROWS = [
    _row(1, None),
    _row(2, "done", _news(2, "awaiting_review", "NOCODE")),
    _row(3, "done", _news(3, "returned")),
    _row(4, "done", None, Review(AnnotatorId("p-4"), "approve", None, "Ada Rossi", NOW - timedelta(minutes=3))),
    _row(5, "done", None, Review(AnnotatorId("p-5"), "reject", REASON, "Ada Rossi", NOW - timedelta(minutes=2))),
    _row(6, "submission_closed", _news(6, "timed_out")),
]
SUBMISSIONS: dict[str, object] = {
    "rows": ROWS, "counts": {"all": 1047, "to_review": 12, "approved": 980, "rejected": 3, "given_back": 52, "to_tell": 9},
    "show": "all", "shows": SHOWS, "search": "", "after": "", "next_after": "p-6",
    "reasons": {REASON: "Every dialogue holds the same sentence four times."}, "codes": PROLIFIC.codes,
    "lists": {"prolific-approve.txt": "", "prolific-reject.csv": "", "mturk-review.csv": ""}, "n_told": 9, "may_fetch": True,
    "shortest_reason": 100, "to": lambda **more: "?" + urlencode({"show": "all", **more}),
    "taken": TakenIn(5000, 3, 1047, 2, {"returned": 52, "approved": 900}, 52, 1, 4),
    "decided": Decided([AnnotatorId("p-4")], {AnnotatorId("p-1"): Phrase("is still taking part")}), "described": 41, "fault": None,
}  # fmt: skip
SUBMISSIONS_NONE: dict[str, object] = {
    **SUBMISSIONS, "rows": [], "counts": dict.fromkeys(("all", *SHOWS, "to_tell"), 0), "next_after": "", "lists": {}, "n_told": 0,
    "may_fetch": False, "taken": None, "decided": None, "described": 0, "fault": InvalidInput(Phrase("this is no list of submissions")),
}  # fmt: skip
ERASED = Erasure(
    AnnotatorId("p-000000000000007"), "whole", "Ada Rossi", NOW - timedelta(hours=3),
    {"reasons": {"n": 4, "sha256": "a" * 64}, "turns": {"n": 22, "sha256": "b" * 64}, "traits": {"n": 2}, "identity": {"n": 1}},
    {"labels": 4, "times": 16, "files": [{"file": "annotations.csv"}]}, "c" * 64,
)  # fmt: skip
ERASURES: dict[str, object] = {
    "kept": Retention(3650, 1047, [AnnotatorId("p-1")], NOW + timedelta(days=9)), "erasures": [ERASED], "n_erasures": 61,
    "skip": 25, "per_page": 25, "who": "", "sound": lambda one: False, "done": ERASED, "fault": "unsure",
}  # fmt: skip
ERASURES_NONE: dict[str, object] = {
    **ERASURES, "kept": Retention(3650, 0, [], None), "erasures": [], "n_erasures": 0, "skip": 0, "done": None, "fault": "",
}  # fmt: skip
