"""Taking back what a person left: by themselves, by somebody who works on the study, or because the time of keeping is over."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import PurePath
from typing import Any

from crito.model.erasure import WHY_IT_REMAINS, Erasure, Scope
from crito.model.errors import Conflict, NotFound
from crito.model.ids import AnnotatorId, StudyName
from crito.services.parts import Parts
from crito.services.ports.store import Tx
from crito.services.visit import Visit

PERSON = "the person"
PEOPLE_AT_A_TIME = 20


@dataclass(frozen=True, slots=True)
class Retention:
    """How long people's data are kept, and of whom they have been kept that long.

    Attributes:
        days: of the present edition.
        kept: people of whom there are words, or something that says who they are.
        due: those of them whose time is over, longest first.
        next_due: when the next one's is; None where nobody is left.
    """

    days: int
    kept: int
    due: Sequence[AnnotatorId]
    next_due: datetime | None


def erase_in(visit: Visit, scope: Scope, by: str, *, forget: bool = False) -> Erasure:
    """Erase inside a transaction that has the person locked, and keep the certificate.

    With `forget`, who the pseudonym is at the platform goes too: by the same link the person would be a newcomer.
    """
    tx, who, study = visit.tx, visit.annotator, visit.study.name
    erased: dict[str, Any] = {
        kind: {"n": len(ids), "sha256": hashlib.sha256("\n".join(ids).encode()).hexdigest()}
        for kind, ids in tx.erasable(who).items()
    }
    counted = {"drafts": tx.count_drafts(who), "reasons_of_decisions": tx.blank_reasons(who)}
    if scope == "whole" and visit.record.event("withdrew") is None:
        visit.add_event("withdrew", "")
    if scope == "whole":
        visit.end("withdrawn")
    tx.erase_words(who)
    if scope != "words":
        counted["traits"] = tx.drop_traits(who)
    if forget or scope == "retention":
        counted["identity"] = tx.forget_identity(who)
        counted["sessions"] = tx.drop_sessions(who)
    erased |= {name: {"n": n} for name, n in counted.items() if n}
    files = [
        {
            "file": PurePath(export.path).name,
            "table": export.table,
            "at": export.at.isoformat(),
            "sha256": export.sha256,
        }
        for export in tx.exports(study)
    ]
    remains: dict[str, Any] = {name: n for name, n in tx.remaining(who).items() if n}
    if files:
        remains["files"] = files
    erasure = Erasure(who, scope, by, visit.now, erased, remains, "")
    erasure = replace(erasure, hash=_hash(study, erasure))
    tx.add_erasure(study, erasure)
    return erasure


async def erase(
    parts: Parts, study: StudyName, annotator: AnnotatorId, scope: Scope, by: str, *, forget: bool = False
) -> Erasure:
    """Erase what a person left, on the wish of whoever works on the study.

    Raises:
        NotFound: nobody in this study has the pseudonym.
        Conflict: words alone are to go, and the person is still taking part.
    """
    await parts.latest(study)

    def work(tx: Tx) -> Erasure:
        record = tx.person(annotator, lock=True)
        if record.participant.study != study:
            raise NotFound(f"nobody in {study} has the pseudonym {annotator!r}")
        if scope == "words" and record.participant.ending is None and record.participant.role == "participant":
            raise Conflict(
                f"{annotator} is still taking part, and would talk on without words; erase everything, or wait"
            )
        edition = parts.edition(tx, study, record.participant.study_version)
        return erase_in(Visit(tx, edition, record, parts.now()), scope, by, forget=forget)

    return await parts.store.write(work)


async def retention(parts: Parts, name: StudyName) -> Retention:
    """Whose data have been kept as long as people were told.

    Raises:
        NotFound: no study of this name was published here.
    """
    _, study = await parts.latest(name)
    now = parts.now()

    def work(tx: Tx) -> Retention:
        kept = [
            (
                person.arrived_at + timedelta(days=parts.edition(tx, name, person.study_version).retention_days),
                person.id,
            )
            for person in tx.kept_people(name)
        ]
        return Retention(
            study.retention_days,
            len(kept),
            [who for until, who in sorted(kept) if until <= now],
            min((until for until, _ in kept if until > now), default=None),
        )

    return await parts.store.survey(work)


async def carry_out_retention(parts: Parts, name: StudyName, by: str) -> Sequence[Erasure]:
    """Erase words of everyone whose time is over, and what says who they are; labels stay, and are nobody's any more."""
    due = (await retention(parts, name)).due
    return [await erase(parts, name, who, "retention", by) for who in due]


def certificate(study: StudyName, erasure: Erasure) -> Mapping[str, Any]:
    """A certificate as it is written to a file: everything on record about the erasure, and why the rest is kept."""
    return {
        **_facts(study, erasure),
        "sha256": erasure.hash,
        "why_it_remains": {name: WHY_IT_REMAINS[name] for name in erasure.remains},
        "backups": "A backup made before holds what was erased; `crito restore --erased-in` erases it again.",
    }


def is_sound(study: StudyName, erasure: Erasure) -> bool:
    """Whether a certificate says what it said when it was made."""
    return _hash(study, erasure) == erasure.hash


def _facts(study: StudyName, erasure: Erasure) -> Mapping[str, Any]:
    return {
        "study": study,
        "annotator": erasure.annotator,
        "scope": erasure.scope,
        "by": erasure.by,
        "at": erasure.at.isoformat(),
        "erased": dict(erasure.erased),
        "remains": dict(erasure.remains),
    }


def _hash(study: StudyName, erasure: Erasure) -> str:
    told = json.dumps(_facts(study, erasure), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(told.encode()).hexdigest()
