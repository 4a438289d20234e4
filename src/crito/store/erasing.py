"""Erasure: what there is to erase of a person, what remains, and the certificates."""

from collections.abc import Mapping, Sequence

from sqlalchemy import Column, Table, bindparam, delete, func, literal, or_, select, update

from crito.model.erasure import Erasure
from crito.model.ids import AnnotatorId, StudyName, WordsId
from crito.services.ports.erasure import KeptPerson
from crito.store.rows import Rows, columns_of, values_of
from crito.store.tables.erasure import erasures as erasures_
from crito.store.tables.owner import exclusions
from crito.store.tables.people import events, identities, participants, sessions, traits
from crito.store.tables.places import assignments
from crito.store.tables.record import annotations, answers, drafts, exposures, turns, words
from crito.store.tables.recruiting import reviews

_OWNED = select(words.c.id).where(words.c.owner == bindparam("annotator"), words.c.body.is_not(None))


def _referred(table: Table, *columns: Column[str]) -> tuple[object, ...]:
    theirs = table.c.annotator == bindparam("annotator")
    return tuple(select(column).where(theirs, column.is_not(None)) for column in columns)


_KINDS = {
    "reasons": _referred(annotations, annotations.c.rationale),
    "answers": _referred(answers, answers.c.words),
    "turns": _referred(turns, turns.c.text, turns.c.mended, turns.c.streamed, turns.c.violation_details),
    "shown": _referred(exposures, exposures.c.content),
    "reviews": _referred(reviews, reviews.c.reason),
}


def _count(table: Table, *more: object) -> object:
    return select(func.count()).where(table.c.annotator == bindparam("annotator"), *more)  # type: ignore[arg-type]


_REMAINS = {
    "labels": _count(annotations),
    "choices": _count(answers, answers.c.choice.is_not(None)),
    "times": _count(events),
    "assignments": _count(assignments),
    "exposures": _count(exposures),
    "turns": _count(turns),
    "identity": _count(identities),
    "decisions": _count(exclusions),
}
_DRAFTS = _count(drafts)
_FORGET = delete(identities).where(identities.c.annotator == bindparam("of_annotator"))
_DROP_TRAITS = delete(traits).where(traits.c.annotator == bindparam("of_annotator"))
_DROP_SESSIONS = delete(sessions).where(sessions.c.annotator == bindparam("of_annotator"))
_BLANK_REASONS = (
    update(exclusions)
    .where(exclusions.c.annotator == bindparam("of_annotator"), exclusions.c.reason != "")
    .values(reason="")
)
_ERASURES = (
    select(*columns_of(erasures_, Erasure))
    .where(erasures_.c.study == bindparam("study"))
    .order_by(erasures_.c.ordinal.desc())
)
_PAGE = _ERASURES.limit(bindparam("limit")).offset(bindparam("skip"))
_OF_PERSON = _ERASURES.where(erasures_.c.annotator == bindparam("annotator"))
_COUNT = select(func.count()).where(erasures_.c.study == bindparam("study"))


def _has(table: Table, person: Column[str], *more: object) -> object:
    return (
        select(literal(1))
        .where(person == participants.c.id, *more)  # type: ignore[arg-type]
        .correlate(participants)
        .exists()
    )


KEPT = select(participants.c.id, participants.c.study_version, participants.c.arrived_at).where(
    participants.c.study == bindparam("study"),
    participants.c.origin == "real",
    or_(
        _has(words, words.c.owner, words.c.body.is_not(None)),  # type: ignore[arg-type]
        _has(identities, identities.c.annotator),  # type: ignore[arg-type]
        _has(traits, traits.c.annotator),  # type: ignore[arg-type]
    ),
).order_by(participants.c.arrived_at, participants.c.id)  # fmt: skip


class ErasingRows(Rows):
    """What `Tx` says about erasure."""

    def erasable(self, annotator: AnnotatorId) -> Mapping[str, Sequence[WordsId]]:
        who = {"annotator": annotator}
        left = {row[0] for row in self._rows(_OWNED, who)}
        found: dict[str, Sequence[WordsId]] = {}
        for kind, statements in _KINDS.items():
            ids = {row[0] for statement in statements for row in self._rows(statement, who)} & left  # type: ignore[arg-type]
            left -= ids
            if ids:
                found[kind] = sorted(ids)
        return {**found, "calls": sorted(left)} if left else found

    def count_drafts(self, annotator: AnnotatorId) -> int:
        return int(self._rows(_DRAFTS, {"annotator": annotator})[0][0])  # type: ignore[arg-type]

    def remaining(self, annotator: AnnotatorId) -> Mapping[str, int]:
        return {name: int(self._rows(one, {"annotator": annotator})[0][0]) for name, one in _REMAINS.items()}  # type: ignore[arg-type]

    def forget_identity(self, annotator: AnnotatorId) -> int:
        return self._run(_FORGET, {"of_annotator": annotator})

    def drop_traits(self, annotator: AnnotatorId) -> int:
        return self._run(_DROP_TRAITS, {"of_annotator": annotator})

    def drop_sessions(self, annotator: AnnotatorId) -> int:
        return self._run(_DROP_SESSIONS, {"of_annotator": annotator})

    def blank_reasons(self, annotator: AnnotatorId) -> int:
        return self._run(_BLANK_REASONS, {"of_annotator": annotator})

    def add_erasure(self, study: StudyName, erasure: Erasure) -> None:
        self._add(erasures_, values_of(erasure, study=study))

    def erasures(self, study: StudyName, *, skip: int = 0, limit: int = 50) -> Sequence[Erasure]:
        return self._each(Erasure, _PAGE, {"study": study, "skip": skip, "limit": limit})

    def erasures_of(self, study: StudyName, annotator: AnnotatorId) -> Sequence[Erasure]:
        return self._each(Erasure, _OF_PERSON, {"study": study, "annotator": annotator})

    def count_erasures(self, study: StudyName) -> int:
        return int(self._rows(_COUNT, {"study": study})[0][0])

    def kept_people(self, study: StudyName) -> Sequence[KeptPerson]:
        return self._each(KeptPerson, KEPT, {"study": study})
