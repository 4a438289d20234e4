"""Submissions of people at their platform: what it says of them is taken in, and the owner approves or rejects them."""

from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, NamedTuple, TypeVar

from crito.model.errors import InvalidInput
from crito.model.ids import AnnotatorId, StudyName
from crito.model.phrase import Phrase
from crito.model.record import Identity
from crito.model.recruitment import Decision, Review, Submission, SubmissionNews, SubmissionStatus, flag_of
from crito.services.parts import Parts
from crito.services.ports.recruiting import Show, SubmissionRow
from crito.services.ports.store import Tx
from crito.services.visit import Visit

PEOPLE_AT_A_TIME = 50
"""People changed in one transaction: a long one would hold up those who are at work."""
ROWS_AT_A_TIME = 500
MAX_REASON = 2000

Some = TypeVar("Some")


@dataclass(frozen=True, slots=True)
class TakenIn:
    """What came of a platform's list.

    Attributes:
        rows: submissions in the list; `unknown` of them belong to nobody here.
        people: those of the study who are in the list, and `absent` those who are not.
        changed: people by the new status of their submission.
        given_back: people whose places others may take now.
        regained: people whose places were given back before and who hold them again.
        other_submission: people who are in the list by another submission than the one they came with.
    """

    rows: int
    unknown: int
    people: int
    absent: int
    changed: Mapping[SubmissionStatus, int]
    given_back: int
    regained: int
    other_submission: int


class Decided(NamedTuple):
    """Whose review is on record now, and who was passed over and why."""

    reviewed: Sequence[AnnotatorId]
    passed_over: Mapping[AnnotatorId, str]


class ToTell(NamedTuple):
    """A decision that the platform does not know of yet."""

    annotator: AnnotatorId
    identity: Identity
    decision: Decision
    reason: str


async def take_in(
    parts: Parts, study: StudyName, listed: Sequence[Submission], source: Literal["file", "api"]
) -> TakenIn:
    """Record what a platform says of submissions: places of those it does not count go back, and what was left is flagged.

    The same list again changes nothing.

    Raises:
        InvalidInput: none of the submissions belongs to anyone here, so that the list is of another study.
        NotFound: no study of this name was published here.
    """
    await parts.latest(study)
    by_person: dict[tuple[str, str], list[Submission]] = {}
    for submission in listed:
        by_person.setdefault((submission.provider, submission.person), []).append(submission)
    people, found, changes, others = 0, 0, dict[AnnotatorId, Submission](), 0
    async for row in _everyone(parts, study):
        people += 1
        theirs = by_person.pop((row.identity.provider, row.identity.external_id), [])
        if not theirs:
            continue
        found += 1
        mine = next((one for one in theirs if one.id == row.identity.session), theirs[-1])
        others += bool(row.identity.session) and mine.id != row.identity.session
        if row.news is None or (row.news.status, row.news.code) != (mine.status, mine.code):
            changes[row.participant.id] = mine
    if listed and not found:
        raise InvalidInput(
            Phrase("none of these submissions belongs to anyone in this study"), came=len(listed),
            wanted=Phrase("take the list of the study whose link has this address"),
        )  # fmt: skip
    given_back = regained = 0
    for some in _portions(list(changes.items()), PEOPLE_AT_A_TIME):
        back, again = await parts.store.write(partial(_note, parts, study, some, source))
        given_back, regained = given_back + back, regained + again
    return TakenIn(
        rows=len(listed), unknown=sum(map(len, by_person.values())), people=found, absent=people - found,
        changed=Counter(one.status for one in changes.values()),
        given_back=given_back, regained=regained, other_submission=others,
    )  # fmt: skip


async def decide(
    parts: Parts, study: StudyName, people: Sequence[AnnotatorId], decision: Decision, reason: str, by: str
) -> Decided:
    """Approve or reject people's submissions here; the platform is told with its own list.

    Who is rejected gives their places back, and what they left is flagged; a later approval takes the places again where
    they are free.

    Raises:
        InvalidInput: a rejection without a reason, or a reason that is too long.
        NotFound: nobody has this pseudonym.
    """
    reason = reason.strip()
    if decision == "reject" and not reason:
        raise InvalidInput(
            Phrase("a rejection needs a reason"), wanted=Phrase("say what was wrong; the person reads it"), key="reason"
        )
    if len(reason) > MAX_REASON:
        raise InvalidInput(
            Phrase("this reason is too long"),
            came=len(reason),
            wanted=Phrase("at most %(n)s characters", n=MAX_REASON),
            key="reason",
        )
    reviewed: list[AnnotatorId] = []
    passed_over: dict[AnnotatorId, str] = {}
    for some in _portions(list(dict.fromkeys(people)), PEOPLE_AT_A_TIME):

        def work(tx: Tx, some: Sequence[AnnotatorId] = some) -> list[tuple[AnnotatorId, str]]:
            return [(who, _review(parts, tx, study, who, decision, reason, by)) for who in some]

        for who, why_not in await parts.store.write(work):
            if why_not:
                passed_over[who] = why_not
            else:
                reviewed.append(who)
    return Decided(reviewed, passed_over)


async def approve_finished(parts: Parts, study: StudyName, by: str) -> Decided:
    """Approve everyone who finished and waits for a decision."""
    waiting = [
        row.participant.id
        async for row in _everyone(parts, study, "to_review")
        if row.participant.ending == "done"
    ]  # fmt: skip
    return await decide(parts, study, waiting, "approve", "", by)


async def to_tell(parts: Parts, study: StudyName) -> Sequence[ToTell]:
    """The decisions that the platform does not know of yet, in the order in which people came."""
    reviewed = [row async for row in _everyone(parts, study, "to_tell")]
    reasons = [row.review.reason for row in reviewed if row.review and row.review.reason]
    words = await parts.store.read(lambda tx: tx.words(reasons))
    return [
        ToTell(
            row.participant.id,
            row.identity,
            row.review.decision,
            (words.get(row.review.reason) or "") if row.review.reason else "",
        )
        for row in reversed(reviewed)
        if row.review
    ]


async def _everyone(parts: Parts, study: StudyName, show: Show = "all") -> AsyncIterator[SubmissionRow]:
    after = ""

    def page(tx: Tx) -> Sequence[SubmissionRow]:
        return tx.submissions(study, show=show, after=after, limit=ROWS_AT_A_TIME)

    while rows := await parts.store.survey(page):
        for row in rows:
            yield row
        after = rows[-1].participant.id


def _portions(things: Sequence[Some], size: int) -> Iterator[Sequence[Some]]:
    return (things[at : at + size] for at in range(0, len(things), size))


def _note(
    parts: Parts,
    study: StudyName,
    changes: Sequence[tuple[AnnotatorId, Submission]],
    source: Literal["file", "api"],
    tx: Tx,
) -> tuple[int, int]:
    back = again = 0
    for who, submission in changes:
        visit = _locked(parts, tx, who)
        news = SubmissionNews(who, submission.status, submission.code, source, visit.now)
        tx.add_submission_news(study, [news])
        given, taken = _settle(visit, news, tx.reviews(study, [who]).get(who))
        back, again = back + given, again + taken
    return back, again


def _review(parts: Parts, tx: Tx, study: StudyName, who: AnnotatorId, decision: Decision, reason: str, by: str) -> str:
    """Record a review, unless that cannot be; says why not."""
    visit = _locked(parts, tx, who)
    news, before = tx.submission_news(study, [who]).get(who), tx.reviews(study, [who]).get(who)
    if visit.record.participant.ending is None and (news is None or news.status != "awaiting_review"):
        return Phrase("is still taking part")
    if visit.record.participant.ending == "withdrawn" and decision == "reject":
        return Phrase("took their data back, so that no reason can be kept about them")
    words = tx.keep_words(who, reason) if reason else None
    if before is None or (before.decision, before.reason) != (decision, words):
        review = Review(who, decision, words, by, visit.now)
        tx.add_review(study, review)
        _settle(visit, news, review)
    return ""


def _locked(parts: Parts, tx: Tx, who: AnnotatorId) -> Visit:
    return Visit.of(parts, tx, tx.person(who, lock=True))


def _settle(visit: Visit, news: SubmissionNews | None, review: Review | None) -> tuple[bool, bool]:
    """Give the person's places back or take them again, as their submission counts; whether either was done."""
    if flag_of(news, review):
        return _give_back(visit), False
    return False, _take_again(visit)


def _give_back(visit: Visit) -> bool:
    held = [mine.id for mine in visit.record.assignments if mine.status in ("open", "done")]
    if visit.record.participant.ending is None:
        visit.end("submission_closed")
    else:
        visit.set_status(held, "ended")
    return bool(held)


def _take_again(visit: Visit) -> bool:
    if visit.record.participant.ending != "done":
        return False
    taken = False
    for mine in [mine for mine in visit.record.assignments if mine.status == "ended"]:
        slot = visit.tx.retake_slot(visit.study.name, mine)
        if slot is not None:
            visit.tx.reopen(mine.id, slot.number, visit.now)
            visit.set_status([mine.id], "done")
            taken = True
    return taken
