"""Leaving somebody's work out of analyses: a recorded decision with a reason, which another one undoes."""

from crito.model.errors import InvalidInput, NotFound
from crito.model.ids import AnnotatorId, StudyName
from crito.model.record import Exclusion
from crito.services.parts import Parts
from crito.services.ports.store import Tx

MAX_REASON = 1000


async def decide_exclusion(
    parts: Parts, study: StudyName, annotator: AnnotatorId, *, excluded: bool, reason: str, decided_by: str = ""
) -> Exclusion:
    """Record that a person's work is left out from now on, or taken in again; nothing of it is deleted.

    Raises:
        InvalidInput: no reason is given, or a very long one.
        NotFound: nobody in this study has the pseudonym.
    """
    words = " ".join(reason.split())
    if not words:
        raise InvalidInput("a decision needs its reason", key="reason")
    if len(words) > MAX_REASON:
        raise InvalidInput(
            "this reason is too long", f"{len(words):,} characters", f"at most {MAX_REASON:,}", key="reason"
        )
    decision = Exclusion(annotator, excluded, words, decided_by, parts.now())

    def work(tx: Tx) -> None:
        if tx.participant(annotator, lock=True).study != study:
            raise NotFound(f"nobody in this study has the pseudonym {annotator!r}")
        tx.add_exclusion(decision)

    await parts.store.write(work)
    return decision
