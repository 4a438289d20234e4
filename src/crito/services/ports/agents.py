"""What models labelled and argued, and every call that was made for it."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, Protocol

from crito.model.debate import Intervention
from crito.model.ids import AnnotatorId, CallKey, ItemId, LabellingId, RunId, StudyName
from crito.model.record import (
    AgentRun,
    Call,
    CallStatus,
    HeldDebate,
    Labelling,
    LabelOutcome,
    LabelRun,
    ModelAnnotator,
    QueuedIntervention,
    RecordedTurn,
)


class CallTotals(NamedTuple):
    """Calls of one model, labelling (or beginning of the run's id, of two characters) and status; `unpriced` is how many
    of them have no known cost."""

    provider: str
    model: str
    labelling: LabellingId | None
    run_prefix: str
    status: CallStatus
    calls: int
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    cost_usd: float
    unpriced: int


class AgentTx(Protocol):
    """The methods of `Tx` for these."""

    def add_labelling(self, labelling: Labelling, annotators: Sequence[ModelAnnotator]) -> None:
        """Keep a labelling and its annotators; those that are kept already stay as they are."""

    def labellings(self, study: StudyName) -> Sequence[Labelling]:
        """In the order in which they were begun."""

    def model_annotators(self, study: StudyName) -> Sequence[ModelAnnotator]: ...
    def add_label_runs(self, study: StudyName, runs: Sequence[LabelRun]) -> None:
        """Keep runs; those that are kept already stay as they are."""

    def labellings_of(self, runs: Sequence[RunId]) -> Mapping[RunId, LabellingId]:
        """The labelling that each run belongs to; runs of people's dialogues are left out."""

    def label_runs(self, labelling: LabellingId) -> Sequence[LabelRun]: ...
    def add_agent_turns(self, study: StudyName, turns: Sequence[tuple[AnnotatorId, RecordedTurn]]) -> None:
        """Keep turns of model annotators; their words are nobody's.

        Raises:
            Conflict: a step and index of the run has one already.
        """

    def add_outcome(self, study: StudyName, outcome: LabelOutcome) -> None: ...
    def outcomes(self, labelling: LabellingId) -> Sequence[LabelOutcome]: ...
    def outcome_on(self, labelling: LabellingId, item: ItemId, item_hash: str) -> LabelOutcome | None:
        """What a labelling came to on one text."""

    def add_debate(self, debate: HeldDebate) -> None:
        """Keep a debate; one that is kept already stays as it is."""

    def debates(self, study: StudyName) -> Sequence[HeldDebate]:
        """In the order in which they were begun."""

    def add_agent_run(self, study: StudyName, run: AgentRun) -> None:
        """Keep a run; one that is kept already stays as it is."""

    def agent_runs(self, study: StudyName, about: str) -> Sequence[AgentRun]:
        """The runs about one thing, by their ids."""

    def queue_intervention(self, study: StudyName, run: RunId, intervention: Intervention, at: datetime) -> int:
        """Keep what a moderator wants done next in a run; its number among those of the run."""

    def interventions(self, run: RunId) -> Sequence[QueuedIntervention]:
        """In their order, taken ones included."""

    def add_call(self, call: Call) -> None: ...
    def finish_call(self, call: Call) -> None: ...
    def call(self, key: CallKey) -> Call | None: ...
    def call_keys(self, run: RunId) -> frozenset[CallKey]:
        """The keys of all calls of a run."""

    def calls(
        self, study: StudyName, *, after: str = "", limit: int = 500, status: str = "", model: str = ""
    ) -> Sequence[Call]:
        """In the order in which they were made; of one status and one model, `PROVIDER:NAME`, where they are named."""

    def call_totals(self, study: StudyName) -> Sequence[CallTotals]: ...
    def spent_usd(self, study: StudyName, run_prefixes: Collection[str]) -> float:
        """What the calls of runs whose ids begin with one of these have cost, as far as that is known."""
