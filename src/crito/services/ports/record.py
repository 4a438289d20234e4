"""What people were shown, said and answered, and the words of it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, Protocol

from crito.model.ids import AnnotatorId, AssignmentId, ItemId, RunId, StudyName, TaskName, WordsId
from crito.model.record import Annotation, Export, Exposure, GivenAnswer, RecordedTurn, Run


class Seen(NamedTuple):
    """What one annotator gave and was shown on one item, in every task; all revisions, in the order of `seq`."""

    annotations: Sequence[Annotation]
    exposures: Sequence[Exposure]


class RecordTx(Protocol):
    """The methods of `Tx` for these."""

    def next_seq(self, annotator: AnnotatorId, item: ItemId) -> int:
        """One more than the last number of this annotator on this item; call it with the person locked."""

    def add_annotation(self, study: StudyName, annotation: Annotation) -> None: ...
    def add_annotations(self, study: StudyName, annotations: Sequence[Annotation]) -> None: ...
    def annotation_history(self, study: StudyName, annotators: Sequence[AnnotatorId]) -> Sequence[Annotation]:
        """Every revision of every round."""

    def add_answers(self, study: StudyName, answers: Sequence[GivenAnswer]) -> None:
        """A later answer to the same question on the same form stands beside the earlier one and counts instead of it."""

    def add_exposure(self, study: StudyName, exposure: Exposure) -> None:
        """Keep an exposure; one that was kept before (same annotator, item, source, part and content) is left as it is."""

    def add_exposures(self, study: StudyName, exposures: Sequence[Exposure]) -> None: ...
    def exposures(self, study: StudyName, annotators: Sequence[AnnotatorId]) -> Sequence[Exposure]: ...
    def labels_of_others(
        self, study: StudyName, task: TaskName, item: ItemId, *, except_annotator: AnnotatorId
    ) -> Mapping[str, int]:
        """How many other annotators (not withdrawn) gave each label in round 0."""

    def keep_words(self, annotator: AnnotatorId | None, text: str) -> WordsId:
        """Keep words under a salted hash that is this annotator's own; None for words that are nobody's."""

    def keep_all_words(self, annotator: AnnotatorId | None, texts: Sequence[str]) -> Sequence[WordsId]:
        """The same for several texts of one owner, with the ids in their order."""

    def words(self, ids: Sequence[WordsId]) -> Mapping[WordsId, str | None]:
        """The words by id; None where they were erased."""

    def erase_words(self, annotator: AnnotatorId) -> int:
        """Blank every word of a person, their drafts and the salt of their hashes; returns how many words went.

        Words of theirs that are kept afterwards, by what was under way, are blank from the start.
        """

    def put_draft(self, annotator: AnnotatorId, form: str, fields: Mapping[str, str], at: datetime) -> None: ...
    def drafts(self, annotator: AnnotatorId) -> Mapping[str, Mapping[str, str]]: ...
    def drop_draft(self, annotator: AnnotatorId, form: str) -> None: ...
    def run_of(self, assignment: AssignmentId) -> Run | None: ...
    def runs(self, assignments: Sequence[AssignmentId]) -> Sequence[Run]: ...
    def add_run(self, study: StudyName, run: Run) -> None: ...
    def turns(self, runs: Sequence[RunId]) -> Mapping[RunId, Sequence[RecordedTurn]]:
        """The turns of each run in the order of step and index; none for a run that has none."""

    def add_turn(self, study: StudyName, annotator: AnnotatorId, turn: RecordedTurn) -> None:
        """Keep a turn.

        Raises:
            Conflict: this step and index of the run has one already.
        """

    def lease_reply(self, run: RunId, step: int, holder: str, until: datetime, now: datetime) -> bool:
        """True when `holder` may bring the partner's reply to the message of this step; False while somebody else does.

        The same holder may lease again, to show that it is still at work.
        """

    def partner_turns_since(self, annotator: AnnotatorId, since: datetime) -> int: ...
    def add_export(self, export: Export) -> None: ...
    def exports(self, study: StudyName) -> Sequence[Export]:
        """In the order in which they were written."""
