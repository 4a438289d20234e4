"""Who takes part, what they did and what is known of them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from crito.model.ids import AnnotatorId, StudyName
from crito.model.record import Draw, Event, Identity, Origin, Participant, PersonRecord
from crito.model.study import Ending
from crito.model.traits import Trait


class PeopleTx(Protocol):
    """The methods of `Tx` for these."""

    def find_person(self, study: StudyName, identity: Identity) -> AnnotatorId | None: ...
    def add_participant(self, participant: Participant, identity: Identity | None) -> None: ...
    def person(self, annotator: AnnotatorId, *, lock: bool = False) -> PersonRecord:
        """Everything that decides where the person is. With `lock`, other writers about this person wait until this transaction ends.

        Raises:
            NotFound: nobody has this pseudonym.
        """

    def participant(self, annotator: AnnotatorId, *, lock: bool = False) -> Participant:
        """Who they are, without all they did; `lock` as for `person`.

        Raises:
            NotFound: nobody has this pseudonym.
        """

    def experts(self, study: StudyName) -> Sequence[tuple[Participant, str]]:
        """Those who came by a personal link, in the order they were invited, each with the name the owner gave."""

    def records(self, annotators: Sequence[AnnotatorId]) -> Sequence[PersonRecord]:
        """Of these people, in the order of their pseudonyms, in a fixed number of queries however many they are."""

    def persons(self, study: StudyName, *, after: str = "", limit: int = 200) -> Sequence[PersonRecord]:
        """People in the order of their pseudonyms, in a fixed number of queries however many there are."""

    def end_participation(self, annotator: AnnotatorId, ending: Ending, at: datetime) -> None:
        """The first ending stands, except that whoever has ended may still withdraw; the same one again changes nothing.

        Raises:
            Conflict: the person has another ending already.
        """

    def add_session(self, token_hash: str, annotator: AnnotatorId, until: datetime) -> None: ...
    def session(self, study: StudyName, token_hash: str, now: datetime) -> AnnotatorId | None: ...
    def add_event(self, event: Event) -> None: ...
    def add_draw(self, draw: Draw) -> None: ...
    def draws(self, study: StudyName, annotators: Sequence[AnnotatorId]) -> Sequence[Draw]: ...
    def add_traits(self, study: StudyName, traits: Sequence[Trait]) -> None: ...
    def traits(self, study: StudyName) -> Sequence[Trait]:
        """Of everyone who did not withdraw, in the order in which they were said; of several of one name the last counts."""

    def count_origin(self, study: StudyName, origin: Origin) -> int: ...
    def discard_rehearsal(self, study: StudyName) -> int:
        """Delete everything that rehearsal people left, free their slots; returns how many people went."""
