"""Recruitment: places opened for people, what platforms say of their submissions, and the owner's reviews."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, bindparam, case, func, literal, not_, or_, select

from crito.model.ids import AnnotatorId, StudyName, TaskName
from crito.model.record import Identity, Origin, Participant
from crito.model.recruitment import GIVES_BACK, PROVIDERS, SETTLED, Opening, Review, SubmissionNews
from crito.model.traits import Trait
from crito.services.ports.recruiting import Show, SubmissionRow
from crito.store.prepared import among
from crito.store.rows import Rows, columns_of, values_of
from crito.store.tables.people import identities, participants
from crito.store.tables.people import traits as traits_
from crito.store.tables.places import assignments, slots
from crito.store.tables.recruiting import openings as openings_
from crito.store.tables.recruiting import reviews, submissions

_OPENINGS = (
    select(*columns_of(openings_, Opening)).where(openings_.c.study == bindparam("study")).order_by(openings_.c.ordinal)
)
_LOCKED_OPENINGS = _OPENINGS.with_for_update()


def _has_assignment(status: str) -> ColumnElement[bool]:
    theirs = select(literal(1)).where(assignments.c.annotator == participants.c.id, assignments.c.status == status)
    return theirs.correlate(participants).exists()


_HOLDERS = select(func.count()).where(
    participants.c.study == bindparam("study"),
    participants.c.origin == bindparam("origin"),
    participants.c.role == "participant",
    or_(and_(participants.c.ending == "done", _has_assignment("done")), _has_assignment("open")),
)
_FREE = (
    select(slots.c.task, slots.c.condition, func.count())
    .where(slots.c.study == bindparam("study"), slots.c.assignment.is_(None))
    .group_by(slots.c.task, slots.c.condition)
)


def _one_of(column: ColumnElement[Any], values: Iterable[str]) -> ColumnElement[bool]:
    return or_(*(column == value for value in sorted(values)))


_LAST_NEWS = (
    select(func.max(submissions.c.ordinal))
    .where(submissions.c.annotator == participants.c.id)
    .correlate(participants)
    .scalar_subquery()
)
_LAST_REVIEW = (
    select(func.max(reviews.c.ordinal))
    .where(reviews.c.annotator == participants.c.id)
    .correlate(participants)
    .scalar_subquery()
)
_PEOPLE = (
    participants.join(identities, identities.c.annotator == participants.c.id)
    .outerjoin(submissions, submissions.c.ordinal == _LAST_NEWS)
    .outerjoin(reviews, reviews.c.ordinal == _LAST_REVIEW)
)
_FROM_PLATFORMS = (participants.c.study == bindparam("study"), _one_of(identities.c.provider, PROVIDERS))
_HAS_STATUS = submissions.c.status.is_not(None)
_UNSETTLED = or_(submissions.c.status.is_(None), not_(_one_of(submissions.c.status, SETTLED)))
_SHOWN: Mapping[Show, ColumnElement[bool]] = {
    "all": literal(1) == 1,
    "to_review": and_(
        reviews.c.decision.is_(None),
        _UNSETTLED,
        or_(
            _one_of(participants.c.ending, ("done", "attention_failed", "technical", "withdrawn")),
            and_(_HAS_STATUS, submissions.c.status == "awaiting_review"),
        ),
    ),
    "approved": reviews.c.decision == "approve",
    "rejected": reviews.c.decision == "reject",
    "given_back": and_(_HAS_STATUS, _one_of(submissions.c.status, GIVES_BACK)),
    "to_tell": and_(reviews.c.decision.is_not(None), _UNSETTLED),
}
_MARK = participants.alias("mark")
_AFTER = or_(
    bindparam("after", type_=participants.c.id.type) == "",
    select(literal(1))
    .where(
        _MARK.c.id == bindparam("after"),
        or_(
            participants.c.arrived_at < _MARK.c.arrived_at,
            and_(participants.c.arrived_at == _MARK.c.arrived_at, participants.c.id < _MARK.c.id),
        ),
    )
    .exists(),
)
_WANTED = bindparam("wanted", type_=participants.c.id.type)
_SEARCHED = or_(
    _WANTED == "", participants.c.id == _WANTED, identities.c.external_id == _WANTED, identities.c.session == _WANTED
)
_ROW = (
    *columns_of(participants, Participant),
    identities.c.provider,
    identities.c.external_id,
    identities.c.session,
    *(column.label(f"news_{column.key}") for column in columns_of(submissions, SubmissionNews)),
    *(column.label(f"review_{column.key}") for column in columns_of(reviews, Review)),
)
_ROWS: Mapping[Show, Select[Any]] = {
    show: select(*_ROW)
    .select_from(_PEOPLE)
    .where(*_FROM_PLATFORMS, shown, _AFTER, _SEARCHED)
    .order_by(participants.c.arrived_at.desc(), participants.c.id.desc())
    .limit(bindparam("limit"))
    for show, shown in _SHOWN.items()
}
_COUNTS = (
    select(*(func.coalesce(func.sum(case((shown, 1), else_=0)), 0).label(show) for show, shown in _SHOWN.items()))
    .select_from(_PEOPLE)
    .where(*_FROM_PLATFORMS)
)
_NEWS_OF = (
    select(*columns_of(submissions, SubmissionNews))
    .where(submissions.c.study == bindparam("study"), among(submissions.c.annotator, "annotators"))
    .order_by(submissions.c.ordinal)
)
_REVIEWS_OF = (
    select(*columns_of(reviews, Review))
    .where(reviews.c.study == bindparam("study"), among(reviews.c.annotator, "annotators"))
    .order_by(reviews.c.ordinal)
)

_N_PERSON = len(columns_of(participants, Participant))
_N_NEWS = len(columns_of(submissions, SubmissionNews))


def _row(*cells: Any) -> SubmissionRow:
    person, rest = Participant(*cells[:_N_PERSON]), cells[_N_PERSON:]
    identity, rest = Identity(*rest[:3]), rest[3:]
    news, review = rest[:_N_NEWS], rest[_N_NEWS:]
    return SubmissionRow(
        person, identity, SubmissionNews(*news) if news[0] else None, Review(*review) if review[0] else None
    )


_TRAITS = (
    select(*columns_of(traits_, Trait))
    .join(participants, participants.c.id == traits_.c.annotator)
    .where(traits_.c.study == bindparam("study"), func.coalesce(participants.c.ending, "") != "withdrawn")
    .order_by(traits_.c.ordinal)
)


class RecruitingRows(Rows):
    """What `Tx` says about recruitment."""

    def add_opening(self, opening: Opening) -> None:
        self._add(openings_, values_of(opening))

    def openings(self, study: StudyName, *, lock: bool = False) -> Sequence[Opening]:
        return self._each(Opening, _LOCKED_OPENINGS if lock else _OPENINGS, {"study": study})

    def count_holders(self, study: StudyName, origin: Origin) -> int:
        row = self._first(_HOLDERS, {"study": study, "origin": origin})
        return row[0] if row else 0

    def free_places(self, study: StudyName) -> Mapping[tuple[TaskName, str], int]:
        return {(TaskName(row[0]), row[1]): row[2] for row in self._rows(_FREE, {"study": study})}

    def add_submission_news(self, study: StudyName, news: Sequence[SubmissionNews]) -> None:
        self._add(submissions, *(values_of(one, study=study) for one in news))

    def add_review(self, study: StudyName, review: Review) -> None:
        self._add(reviews, values_of(review, study=study))

    def submission_news(
        self, study: StudyName, annotators: Sequence[AnnotatorId]
    ) -> Mapping[AnnotatorId, SubmissionNews]:
        rows = self._each(SubmissionNews, _NEWS_OF, {"study": study, "annotators": annotators})
        return {news.annotator: news for news in rows}

    def reviews(self, study: StudyName, annotators: Sequence[AnnotatorId]) -> Mapping[AnnotatorId, Review]:
        rows = self._each(Review, _REVIEWS_OF, {"study": study, "annotators": annotators})
        return {review.annotator: review for review in rows}

    def submissions(
        self, study: StudyName, *, show: Show = "all", search: str = "", after: str = "", limit: int = 50
    ) -> Sequence[SubmissionRow]:
        return self._each(_row, _ROWS[show], {"study": study, "after": after, "limit": limit, "wanted": search})

    def count_submissions(self, study: StudyName) -> Mapping[Show, int]:
        row = self._first(_COUNTS, {"study": study})
        return dict(zip(_SHOWN, row, strict=True))

    def add_traits(self, study: StudyName, traits: Sequence[Trait]) -> None:
        if traits:
            self._add(traits_, *(values_of(trait, study=study) for trait in traits))

    def traits(self, study: StudyName) -> Sequence[Trait]:
        return self._each(Trait, _TRAITS, {"study": study})
