"""Openings of places, and what becomes of people's submissions at their platform."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, Protocol

from crito.model.ids import AnnotatorId, StudyName, TaskName
from crito.model.record import Identity, Origin, Participant
from crito.model.recruitment import Opening, Review, Submission, SubmissionNews

Show = Literal["to_review", "all", "approved", "rejected", "given_back", "to_tell"]
"""Which submissions a list holds: those that somebody still has to decide about, those with one outcome, or those that
were decided about here and the platform does not know it yet."""


class SubmissionRow(NamedTuple):
    """Someone who came from a platform, with the last that is known of their submission."""

    participant: Participant
    identity: Identity
    news: SubmissionNews | None
    review: Review | None


class SubmissionSource(Protocol):
    """A platform that can be asked about submissions."""

    async def submissions(self, platform_study: str) -> Sequence[Submission]:
        """Every submission of one of the platform's studies, by the platform's name for it.

        Raises:
            CritoError: the platform cannot be asked, does not take the token, or sent less than it says it has.
        """


class RecruitingTx(Protocol):
    """The methods of `Tx` for these."""

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
