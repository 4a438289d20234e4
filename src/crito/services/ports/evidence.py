"""Blind draws, requests for labels, and what is handed over to a machine because of them."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from crito.model.ids import AnnotatorId, AssignmentId, DrawId, HandoffId, ItemId, RequestId, StudyName, TaskName
from crito.model.record import AcceptedLabel, BlindDraw, DrawnItem, Handoff, LabelRequest, Revocation, Tuning
from crito.services.ports.places import Slot
from crito.services.ports.record import Seen


class EvidenceTx(Protocol):
    """The methods of `Tx` for these."""

    def add_blind_draw(self, draw: BlindDraw, seed: str, items: Sequence[DrawnItem]) -> None:
        """Keep a draw with its secret, and everything that it chose among."""

    def blind_draws(self, study: StudyName) -> Sequence[BlindDraw]:
        """In the order in which they were made."""

    def drawn_items(self, study: StudyName, draws: Sequence[DrawId]) -> Sequence[DrawnItem]:
        """All that these draws chose among, drawn or not."""

    def draws_of_item(self, study: StudyName, item: ItemId) -> Sequence[tuple[BlindDraw, DrawnItem]]:
        """The draws that an item was among, in the order in which they were made."""

    def blind_seed(self, draw: DrawId) -> str:
        """The secret of a draw; nobody outside the services may see it before it is revealed."""

    def reveal_draw(self, draw: DrawId, at: datetime) -> None:
        """Note that the secret is told; the first time stands."""

    def add_requests(self, requests: Sequence[LabelRequest], *, seed: int) -> None:
        """Keep requests, each with a random rank drawn from `seed`."""

    def requests(self, study: StudyName) -> Sequence[LabelRequest]:
        """In the order in which they were made."""

    def take_request(self, study: StudyName, annotator: AnnotatorId, assignment: AssignmentId) -> LabelRequest | None:
        """Hold the waiting request that comes next for this person; None when there is none.

        One asked of them alone comes first. Never one for an item of which they hold or held another assignment, unless
        it was asked of them. Nobody else can take the same one, however many ask at once.
        """

    def retake_request(self, request: RequestId, assignment: AssignmentId) -> bool:
        """Hold a request again that a lapsed lease gave back; False when somebody else holds it."""

    def request_of(self, assignment: AssignmentId) -> LabelRequest | None: ...
    def purposes_met(self, annotator: AnnotatorId, item: ItemId) -> Sequence[str]:
        """What requests for this item were for that the person holds or has answered."""

    def take_slot_unknown_to(
        self,
        study: StudyName,
        task: TaskName,
        condition: str,
        assignment: AssignmentId,
        annotator: AnnotatorId,
        *,
        pivot: int,
    ) -> Slot | None:
        """As `take_slot`, of an item that the person neither holds nor has done in this task and condition."""

    def add_tunings(self, tunings: Sequence[Tuning]) -> None:
        """Keep what was used for tuning; what is kept already stays."""

    def tunings(self, study: StudyName) -> Sequence[Tuning]: ...
    def add_handoff(self, handoff: Handoff) -> None: ...
    def handoffs(self, study: StudyName) -> Sequence[Handoff]:
        """In the order in which they were decided, ended ones included."""

    def add_revocation(self, study: StudyName, revocation: Revocation) -> bool:
        """End a handoff; False when it has ended already, and the first end stands."""

    def revocations(self, study: StudyName) -> Sequence[Revocation]:
        """In the order in which they came."""

    def accept_labels(self, study: StudyName, labels: Sequence[AcceptedLabel]) -> int:
        """Keep labels that stand without a person's; what is kept already stays. How many were new.

        Their items are offered to nobody while the handoff stands.
        """

    def accepted_labels(self, study: StudyName) -> Sequence[AcceptedLabel]:
        """Of all handoffs, by task and item."""

    def count_accepted(self, study: StudyName) -> Mapping[HandoffId, int]:
        """How many labels were accepted under each handoff that has any."""

    def labelled_items(self, study: StudyName, task: TaskName) -> frozenset[ItemId]:
        """Items that a person, not withdrawn, has answered in this task."""

    def seen(self, study: StudyName, annotator: AnnotatorId, item: ItemId) -> Seen: ...
