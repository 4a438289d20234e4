"""A small study and a record of it, held in memory behind the part of the store's port that reading needs."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from crito.model.ids import (
    AnnotatorId,
    AssignmentId,
    CallKey,
    HandoffId,
    ItemId,
    Language,
    RunId,
    StudyName,
    TaskName,
    WordsId,
)
from crito.model.record import (
    AcceptedLabel,
    Annotation,
    Assignment,
    BlindDraw,
    Call,
    Draw,
    Event,
    Exclusion,
    Export,
    Exposure,
    GivenAnswer,
    Handoff,
    Labelling,
    LabelRequest,
    ModelAnnotator,
    Participant,
    PersonRecord,
    RecordedTurn,
    Revocation,
    Run,
)
from crito.model.recruitment import Review, SubmissionNews
from crito.model.study import Condition, ConfidenceStep, Item, Label, Question, Study
from crito.model.traits import Trait
from crito.services.ports.agents import CallTotals
from crito.services.ports.owner import StatusCounts
from tests import builders
from tests.builders import make_check, make_choice, make_condition, make_task, words

Result = TypeVar("Result")

STUDY = StudyName("irony")
TASK = TaskName("sarcasm")
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def make_study(*, conditions: Sequence[Condition] = (), **more: Any) -> Study:
    """Two items of one task, of which one has a reference label; three steps of confidence."""
    items = (Item(ItemId("i1"), "Great, rain again.", gold="Sarcastic"), Item(ItemId("i2"), "It is raining."))
    labels = tuple(Label(name, words(name), words("")) for name in ("Sarcastic", "Not sarcastic"))
    steps = (("low", 0.0), ("medium", 0.5), ("high", 1.0))
    return builders.make_study(
        name=STUDY,
        title=words("Irony"),
        tasks=(make_task("sarcasm", title=words("Sarcasm"), labels=labels, items=items),),
        conditions=tuple(conditions) or (make_condition(),),
        confidence=tuple(ConfidenceStep(name, words(name), value) for name, value in steps),
        expectations=(make_choice("talk_would_help"), make_choice("others_agree")),
        reconsiderations=(make_choice("talk_helped"),),
        attention_checks=(make_check("sum", "4", "3"),),
        survey=(
            Question("effort", words("Effort?"), "scale", steps=21),
            Question("remarks", words("Remarks?"), "text", required=False),
        ),
        **more,
    )


def make_assignment(annotator: str, item: str = "i1", **changes: Any) -> Assignment:
    given = Assignment(
        AssignmentId(f"{annotator}-{item}"), AnnotatorId(annotator), TASK, ItemId(item), f"hash of {item}", "socratic", 0, 0,
        "done", NOON + timedelta(hours=1),
    )  # fmt: skip
    return replace(given, **changes)


def make_annotation(to: Assignment, label: str | None = "Sarcastic", **changes: Any) -> Annotation:
    given = Annotation(
        to.annotator, to.task, to.item, to.item_hash, to.id, to.condition, 1, 0, 0, 1, label, None, "high", None,
        "hash of guideline", NOON, NOON + timedelta(seconds=30), {"first_input": 900},
    )  # fmt: skip
    return replace(given, **changes)


def make_turn(of: Assignment, step: int, said: str, **changes: Any) -> RecordedTurn:
    made = RecordedTurn(
        RunId(f"run-{of.id}"), step, 0, f"print {step}", "partner", "script", said, "", "", (), "", "", "socratic/partner@1",
        "hash of prompt", None, NOON + timedelta(minutes=step), 12,
    )  # fmt: skip
    return replace(made, **changes)


def make_exposure(to: Assignment, source: str, content: str, seq: int, **changes: Any) -> Exposure:
    seen = Exposure(
        to.annotator, to.item, to.task, "partner_turn", source, -1, WordsId(content), "dialogue", seq, NOON
    )  # fmt: skip
    return replace(seen, **changes)


def make_answer(annotator: str, about: str, key: str, choice: str | None, **changes: Any) -> GivenAnswer:
    return replace(GivenAnswer(AnnotatorId(annotator), about, key, choice, None, NOON), **changes)


def make_event(annotator: str, kind: Any, about: str = "", *, minutes: float = 0) -> Event:
    return Event(AnnotatorId(annotator), kind, about, NOON + timedelta(minutes=minutes))


def make_call(number: int, run: str | None = None) -> Call:
    return Call(
        CallKey(f"call-{number:03}"), STUDY, RunId(run) if run else None, "answered", "openai", "m", "m-1", WordsId("w"), None,
        "stop", 10, 0, 5, None, 800, "", NOON, NOON,
    )  # fmt: skip


@dataclass
class Left:
    """What one person left."""

    annotator: str
    assignments: Sequence[Assignment] = ()
    annotations: Sequence[Annotation] = ()
    exposures: Sequence[Exposure] = ()
    turns: Sequence[RecordedTurn] = ()
    answers: Sequence[GivenAnswer] = ()
    events: Sequence[Event] = ()
    draws: Sequence[Draw] = ()
    ending: Any = None
    condition: str = "socratic"

    @property
    def record(self) -> PersonRecord:
        person = Participant(
            AnnotatorId(self.annotator), STUDY, 1, "real", Language("en"), self.condition, 2**62 + 1, NOON, self.ending,
            NOON + timedelta(minutes=9) if self.ending else None,
        )  # fmt: skip
        last = {(a.assignment, a.round): a for a in sorted(self.annotations, key=lambda a: a.revision)}
        messages = {
            a.id: sum(t.kind == "person" and t.run == f"run-{a.id}" for t in self.turns) for a in self.assignments
        }
        return PersonRecord(
            person, tuple(self.assignments), tuple(last.values()), tuple(self.events), tuple(self.answers), messages
        )


@dataclass
class RecordedTx:
    """Reads what `left` holds; `asked` counts the queries by name."""

    left: Sequence[Left]
    said: Mapping[str, str | None] = field(default_factory=dict)
    ledger: Sequence[Call] = ()
    asked: dict[str, int] = field(default_factory=dict)
    kept: list[Export] = field(default_factory=list)

    def _theirs(self, name: str, annotators: Sequence[AnnotatorId]) -> list[Any]:
        self._count(name)
        return [thing for left in self.left if left.annotator in annotators for thing in getattr(left, name)]

    def _count(self, name: str) -> None:
        self.asked[name] = self.asked.get(name, 0) + 1

    def latest_number(self, study: StudyName) -> int | None:
        return 1 if study == STUDY else None

    def persons(self, study: StudyName, *, after: str = "", limit: int = 200) -> Sequence[PersonRecord]:
        self._count("persons")
        later = sorted((left for left in self.left if left.annotator > after), key=lambda left: left.annotator)
        return [left.record for left in later[:limit]]

    def annotation_history(self, study: StudyName, annotators: Sequence[AnnotatorId]) -> Sequence[Annotation]:
        return self._theirs("annotations", annotators)

    def exposures(self, study: StudyName, annotators: Sequence[AnnotatorId]) -> Sequence[Exposure]:
        return self._theirs("exposures", annotators)

    def draws(self, study: StudyName, annotators: Sequence[AnnotatorId]) -> Sequence[Draw]:
        return self._theirs("draws", annotators)

    def traits(self, study: StudyName) -> Sequence[Trait]:
        self._count("traits")
        return ()

    def exclusions(self, study: StudyName, annotators: Sequence[AnnotatorId]) -> Sequence[Exclusion]:
        return []

    def submission_news(
        self, study: StudyName, annotators: Sequence[AnnotatorId]
    ) -> Mapping[AnnotatorId, SubmissionNews]:
        self._count("submission_news")
        return {}

    def reviews(self, study: StudyName, annotators: Sequence[AnnotatorId]) -> Mapping[AnnotatorId, Review]:
        self._count("reviews")
        return {}

    def runs(self, assignments: Sequence[AssignmentId]) -> Sequence[Run]:
        self._count("runs")
        talked = {turn.run for left in self.left for turn in left.turns}
        return [Run(RunId(f"run-{a}"), a, "socratic", 1) for a in assignments if f"run-{a}" in talked]

    def turns(self, runs: Sequence[RunId]) -> Mapping[RunId, Sequence[RecordedTurn]]:
        self._count("turns")
        return {run: [turn for left in self.left for turn in left.turns if turn.run == run] for run in runs}

    def words(self, ids: Sequence[WordsId]) -> Mapping[WordsId, str | None]:
        self._count("words")
        return {WordsId(id_): self.said[id_] for id_ in ids}

    def calls(self, study: StudyName, *, after: str = "", limit: int = 500) -> Sequence[Call]:
        self._count("calls")
        return [call for call in self.ledger if call.key > after][:limit]

    def call_totals(self, study: StudyName) -> Sequence[CallTotals]:
        self._count("calls")
        return [
            CallTotals(
                call.provider, call.requested_model, None, (call.run or "")[:2], call.status, 1, call.input_tokens or 0,
                call.cached_tokens or 0, call.output_tokens or 0, call.cost_usd or 0.0, int(call.cost_usd is None),
            )
            for call in self.ledger
        ]  # fmt: skip

    def model_annotators(self, study: StudyName) -> Sequence[ModelAnnotator]:
        return []

    def labellings(self, study: StudyName) -> Sequence[Labelling]:
        return []

    def blind_draws(self, study: StudyName) -> Sequence[BlindDraw]:
        return []

    def requests(self, study: StudyName) -> Sequence[LabelRequest]:
        return []

    def handoffs(self, study: StudyName) -> Sequence[Handoff]:
        return []

    def revocations(self, study: StudyName) -> Sequence[Revocation]:
        return []

    def accepted_labels(self, study: StudyName) -> Sequence[AcceptedLabel]:
        return []

    def count_accepted(self, study: StudyName) -> Mapping[HandoffId, int]:
        return {}

    def add_export(self, export: Export) -> None:
        self.kept.append(export)

    def status_counts(self, study: StudyName) -> Sequence[StatusCounts]:
        given = Counter((a.task, a.condition, a.status) for left in self.left for a in left.assignments)
        return [StatusCounts(task, condition, status, count) for (task, condition, status), count in given.items()]

    def count_people(self, study: StudyName) -> Mapping[str, int]:
        endings = [left.ending or "active" for left in self.left]
        return {ending: endings.count(ending) for ending in endings}


@dataclass
class RecordedStore:
    """Gives `tx` to everyone."""

    tx: RecordedTx

    async def read(self, work: Callable[[Any], Result]) -> Result:
        return work(self.tx)

    survey = write = read
