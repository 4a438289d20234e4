"""CRIT: a judge reads a text critically and its claim gets a score (`socrasynth`, section 4, Table 4)."""

import hashlib
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from crito.model.crit import Argument, CritReport, RatedArgument, Stopped
from crito.model.crit_score import Rating, rating_from_source
from crito.model.talk import Answer, Answers, Ask, Asks, NoAnswer
from crito.protocols.judge_answers import (
    NOTHING,
    ReadRating,
    read_analysis,
    read_conclusion,
    read_ratings,
    read_rivals,
)

VERSION = 1

MAX_DEPTH = 2
"""How far sources of sources are examined; the document itself lies at 0."""

MAX_CALLS = 40
"""How many calls one run makes at most, sources included."""

CALLS_A_TEXT = 4
"""Claim and reasons, rivals, ratings, account: what one text takes when all its arguments are rated together."""

Critic = Generator[Asks, Answers, CritReport]


@dataclass(frozen=True, slots=True)
class Brief:
    """What a judge is given to read and how it shall go about it.

    Attributes:
        judge: what the judge is called in its run.
        document: what the text is called; the words of it and of its sources are known to whoever renders the asks.
        sources: a hash of the normalised text of the document and of each source, by name.
        opponent: the name of the text that the rivals are taken from; empty in a monologue, where the judge thinks of them.
        per_reason: rate each argument in a call of its own.
        account: whether the judge accounts for the score in words at the end; the score does not depend on it.
        max_depth, max_calls: how far and how much sources are examined.
    """

    judge: str
    document: str = "document"
    sources: Mapping[str, str] = field(default_factory=dict)
    opponent: str = ""
    per_reason: bool = False
    account: bool = True
    max_depth: int = MAX_DEPTH
    max_calls: int = MAX_CALLS

    def __post_init__(self) -> None:
        if self.max_calls < CALLS_A_TEXT:
            raise ValueError(f"Brief: max_calls must be at least {CALLS_A_TEXT}, but got {self.max_calls!r}")

    @property
    def calls_a_text(self) -> int:
        """How many calls one text takes when all its arguments are rated together."""
        return CALLS_A_TEXT if self.account else CALLS_A_TEXT - 1


@dataclass(slots=True)
class _Course:
    """What a run has done so far: calls made, calls that texts begun already still need, and sources read to the end."""

    calls: int = 0
    owed: int = 0
    read: dict[str, CritReport] = field(default_factory=dict)


def crit(brief: Brief) -> Critic:
    """Claim, reasons, rivals, ratings and an account of the score; a source that is given is examined before its reason is rated.

    Departs: a source comes in by the reflected score of its claim and the mean credibility there, since the source's
    pseudo-code gives a pair the single value that it returns.
    """
    return _read(brief, brief.document, (), _Course())


def text_hash(text: str) -> str:
    """The hash by which a text is known again, however it is spaced and capitalised."""
    return hashlib.sha256(" ".join(text.split()).casefold().encode("utf-8", "surrogatepass")).hexdigest()


def _read(brief: Brief, document: str, above: tuple[str, ...], course: _Course) -> Critic:
    """The reading of one text; `above` are the hashes of the texts that led to it."""
    path = (*above, brief.sources.get(document, document))
    course.owed += brief.calls_a_text
    answer = yield from _ask(
        course, Ask(brief.judge, "judging/claim", _about(document, sources=_names(brief, document)))
    )
    problems = _lost(answer, "claim and reasons")
    claim, found = read_analysis(_text(answer))
    if not claim:
        course.owed -= brief.calls_a_text - 1
        return CritReport(document, brief.judge, "", (), (), problems=(*problems, "no claim could be read"))
    reasons = []
    for number, argument in enumerate(found, start=1):
        reasons.append((yield from _examined(brief, f"r{number}", argument, path, course)))
    values = _about(document, claim=claim, reasons=[_shown(one) for one in reasons])
    opponent = brief.opponent if document == brief.document else ""
    if opponent:
        values["opponent"] = opponent
    answer = yield from _ask(course, Ask(brief.judge, "judging/rivals", values))
    problems += _lost(answer, "rival reasons")
    rivals = [_unrated(f"v{number}", one) for number, one in enumerate(read_rivals(_text(answer)), start=1)]
    rated, missed = yield from _ratings(brief, document, claim, (*reasons, *rivals), course)
    report = CritReport(
        document, brief.judge, claim, rated[: len(reasons)], rated[len(reasons) :],
        "opponent" if opponent else "judge", problems=(*problems, *missed),
    )  # fmt: skip
    if not brief.account:
        return report
    answer = yield from _ask(course, _ask_account(brief, report))
    told = read_conclusion(_text(answer))
    problems = (*report.problems, *_lost(answer, "account of the score"))
    return replace(report, justification=told.justification, reflection=told.reflection, problems=problems)


def _examined(
    brief: Brief, id_: str, argument: Argument, path: tuple[str, ...], course: _Course
) -> Generator[Asks, Answers, RatedArgument]:
    """A reason, with the reading of its source where that can stand for its rating."""
    bare = _unrated(id_, argument)
    if argument.type != "claim":
        return bare
    name = _named_source(argument, brief.sources)
    if name is None:
        return replace(bare, recursion_stopped="not_found")
    known = course.read.get(brief.sources[name])
    stopped = _stopped(brief, name, path, course) if known is None else None
    if stopped is not None:
        return replace(bare, recursion_stopped=stopped)
    child = known if known is not None else (yield from _read(brief, name, path, course))
    course.read[brief.sources[name]] = child
    rating = rating_from_source([r.rating for r in child.reasons], [r.rating for r in child.rivals])
    if rating is None:
        return replace(bare, child=child, recursion_stopped="no_score")
    return replace(
        bare, child=child, rating=rating, validity="ok", credibility="ok" if rating.credibility else "missing"
    )


def _stopped(brief: Brief, name: str, path: tuple[str, ...], course: _Course) -> Stopped | None:
    if brief.sources[name] in path:
        return "cycle"
    if len(path) > brief.max_depth:
        return "depth"
    if course.calls + course.owed + brief.calls_a_text > brief.max_calls:
        return "budget"
    return None


def _ratings(
    brief: Brief, document: str, claim: str, arguments: Sequence[RatedArgument], course: _Course
) -> Generator[Asks, Answers, tuple[tuple[RatedArgument, ...], tuple[str, ...]]]:
    """The arguments with their ratings, all from one call or each from its own; those rated by their source stay."""
    waiting = [one for one in arguments if one.validity != "ok"]
    groups = [[one] for one in waiting] if brief.per_reason else [waiting]
    if course.calls + course.owed + len(groups) - 1 > brief.max_calls:
        groups = [waiting]
    asks = [
        Ask(brief.judge, "judging/rate", _about(document, claim=claim, arguments=[_shown(one) for one in group]))
        for group in groups
        if group
    ]
    course.owed -= 1
    if not asks:
        return tuple(arguments), ()
    course.calls += len(asks)
    answers = yield asks
    read: dict[str, ReadRating] = {}
    for group, answer in zip(groups, answers, strict=True):
        read |= read_ratings(_text(answer), [one.id for one in group])
    problems = tuple(problem for answer in answers for problem in _lost(answer, "ratings"))
    return tuple(_rated(one, read.get(one.id)) if one in waiting else one for one in arguments), problems


def _rated(one: RatedArgument, read: ReadRating | None) -> RatedArgument:
    validity, credibility, words = read or ReadRating(NOTHING, NOTHING)
    rating = Rating(validity.value, credibility.value)
    return replace(one, rating=rating, validity=validity.reading, credibility=credibility.reading, justification=words)


def _ask_account(brief: Brief, report: CritReport) -> Ask:
    """The ask to justify the score; the judge is told the score, since working it out is no matter of opinion."""
    score = report.score()
    rated = [
        {**_shown(one), "validity": one.rating.validity, "credibility": one.rating.credibility}
        for one in report.arguments
    ]
    shown = None if score.value is None else round(score.value, 2)
    return Ask(
        brief.judge, "judging/account", _about(report.document, claim=report.claim, arguments=rated, score=shown)
    )


def _ask(course: _Course, ask: Ask) -> Generator[Asks, Answers, Answer]:
    course.calls += 1
    course.owed -= 1
    (answer,) = yield [ask]
    return answer


def _about(document: str, **more: Any) -> dict[str, Any]:
    return {"document": document, **more}


def _names(brief: Brief, document: str) -> list[str]:
    """The sources that a reason of this text may be found to be taken from."""
    return sorted(name for name in brief.sources if name not in (document, brief.document))


def _named_source(argument: Argument, sources: Mapping[str, str]) -> str | None:
    """The given source that an argument names, by its whole name or within a longer mention of it."""
    said = " ".join(argument.source.split()).casefold()
    if not said:
        return None
    fitting = [name for name in sources if name.casefold() == said or f" {name.casefold()} " in f" {said} "]
    return max(fitting, key=len, default=None)


def _unrated(id_: str, argument: Argument) -> RatedArgument:
    return RatedArgument(id_, argument, Rating(None), "missing", "missing")


def _shown(one: RatedArgument) -> dict[str, Any]:
    """An argument as it stands in an ask."""
    argument = one.argument
    return {"id": one.id, "text": argument.text, "evidence": argument.evidence, "type": argument.type or ""}


def _text(answer: Answer) -> str:
    return "" if isinstance(answer, NoAnswer) else answer.text


def _lost(answer: Answer, what: str) -> tuple[str, ...]:
    return (f"no answer on {what}: {answer.reason}",) if isinstance(answer, NoAnswer) else ()
