"""What a person left that can be erased, and the certificates of it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, Protocol

from crito.model.erasure import Erasure
from crito.model.ids import AnnotatorId, StudyName, WordsId


class KeptPerson(NamedTuple):
    """Someone of whom there are words, or something that says who they are."""

    id: AnnotatorId
    study_version: int
    arrived_at: datetime


class ErasureTx(Protocol):
    """The methods of `Tx` for these."""

    def erasable(self, annotator: AnnotatorId) -> Mapping[str, Sequence[WordsId]]:
        """The ids of all words of a person that are not erased yet, by what they were."""

    def count_drafts(self, annotator: AnnotatorId) -> int: ...
    def remaining(self, annotator: AnnotatorId) -> Mapping[str, int]:
        """How many rows about a person there are besides their words, by what they are."""

    def forget_identity(self, annotator: AnnotatorId) -> int:
        """Delete who one pseudonym is; returns how many identities it had."""

    def drop_traits(self, annotator: AnnotatorId) -> int: ...
    def drop_sessions(self, annotator: AnnotatorId) -> int: ...
    def blank_reasons(self, annotator: AnnotatorId) -> int:
        """Blank what was written about a person when they were left out of analyses; the decisions stay."""

    def add_erasure(self, study: StudyName, erasure: Erasure) -> None: ...
    def erasures(self, study: StudyName, *, skip: int = 0, limit: int = 50) -> Sequence[Erasure]:
        """Newest first."""

    def erasures_of(self, study: StudyName, annotator: AnnotatorId) -> Sequence[Erasure]: ...
    def count_erasures(self, study: StudyName) -> int: ...
    def kept_people(self, study: StudyName) -> Sequence[KeptPerson]:
        """In the order in which they came."""
