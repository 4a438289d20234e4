"""What models said, round by round, as a flat table: rebuilt from the recorded turns, so that a replay gives the same."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from crito.model.errors import Conflict, NotFound
from crito.model.ids import RunId, StudyName
from crito.model.record import Labelling, LabelOutcome, LabelRun, RecordedTurn
from crito.model.study import Study
from crito.model.talk import NoAnswer, ReadLabel
from crito.protocols.driving import Finished, Recorded, advance
from crito.protocols.labelling import Outcome
from crito.protocols.methods import PROTOCOLS, agents_of
from crito.services.label_words import Desk
from crito.services.ledger import parse_tokens
from crito.services.parts import Parts
from crito.services.ports.models import Completion, Reply
from crito.services.ports.store import Tx
from crito.services.runs import answer_of
from crito.services.tables import Cell, Column, Row, Table

RUNS_AT_A_TIME = 200

ROUNDS = Table(
    "rounds",
    "One row per item, round and agent of a panel of models, answers that are no label included.",
    (
        Column("study", "text", "Name of the study."),
        Column("task", "text", "Name of the task."),
        Column("item", "text", "Id of the item."),
        Column("item_hash", "text", "SHA-256 of what was shown of the item."),
        Column("run", "text", "Id of the panel's work on this item."),
        Column("panel", "text", "Name of the panel."),
        Column("method", "text", "How the panel labels."),
        Column("round", "integer", "0: the first label; from 1: labels given again."),
        Column("agent", "text", "The agent's name in the panel."),
        Column("annotator", "text", "Id of the model with all its settings."),
        Column("model", "text", "The model as the study file names it."),
        Column("persona", "text", "The agent's point of view; empty where it has none."),
        Column("label", "text", "Stored name of the label; empty where the answer gave none."),
        Column(
            "reading",
            "text",
            "`ok`, or why there is no label: `unreadable`, `outside_label_set`, `refused`, `truncated`, `no_answer`.",
        ),
        Column("confidence", "number", "The agent's own figure in [0, 1]."),
        Column("reason", "text", "The agent's reasons in its own words."),
        Column("came", "text", "What came in the place of a label of the set, or why nothing did."),
        Column("probabilities", "json", "Probability of each label by its name, where the panel asks for them."),
        Column("unweighed", "text", "Why there are none although the panel asks."),
        Column("gold", "text", "Reference label of the item, where there is one."),
        Column("outcome", "text", "The panel's label for the item; empty where there is none."),
        Column("outcome_status", "text", "`consensus`, `majority`, `no_majority` (nobody won) or `missing`."),
        Column("outcome_share", "number", "Share of the last round's labels that the winning ones have."),
        Column("answers", "integer", "Answers asked for on this item, repairs and samples included."),
    ),
)


@dataclass(frozen=True, slots=True)
class Work:
    """A labelling as it is recorded: its study, its runs, and what those came to."""

    study: Study
    labelling: Labelling
    runs: tuple[LabelRun, ...]
    outcomes: Mapping[RunId, LabelOutcome]

    @classmethod
    def read(cls, parts: Parts, tx: Tx, labelling: Labelling) -> "Work":
        study = parts.edition(tx, labelling.study, labelling.study_version)
        outcomes = {outcome.run: outcome for outcome in tx.outcomes(labelling.id)}
        return cls(study, labelling, tuple(tx.label_runs(labelling.id)), outcomes)

    def outcome_of(self, run: LabelRun, turns: Mapping[tuple[int, int], Recorded]) -> Outcome | None:
        """What the turns of a run come to; None while it is not over."""
        panel = self.labelling.panel
        labels = self.study.task(self.labelling.task).label_names
        state = advance(PROTOCOLS[panel.method].begin(panel, run.item, self.labelling.seed, labels), turns)
        return state.result if isinstance(state, Finished) else None


def find_labelling(tx: Tx, study: StudyName | None, name: str) -> Labelling:
    """The labelling of this id, or the last one of a panel of this name, in one study or any.

    Raises:
        NotFound: there is none.
    """
    known = [one for known in ([study] if study else tx.study_names()) for one in tx.labellings(known)]
    found = [one for one in known if name in (one.id, one.panel.name)]
    if not found:
        names = ", ".join(f"{one.id} ({one.panel.name})" for one in known) or "none"
        raise NotFound(f"no models have labelled under the name {name!r}; there are: {names}")
    return found[-1]


async def round_rows(parts: Parts, labelling: Labelling) -> list[Row]:
    """The rows of a labelling's finished runs, in the order of their items."""

    def work(tx: Tx) -> list[Row]:
        whole = Work.read(parts, tx, labelling)
        return list(_rows(tx, whole, lambda turn: Recorded(turn.fingerprint, answer_of(turn))))

    return await parts.store.survey(work)


async def replayed_rows(parts: Parts, labelling: Labelling) -> list[Row]:
    """The same rows from the raw replies in the ledger: each is read again, and each protocol goes its way again.

    Raises:
        ReplayMismatch: the record does not fit the protocol any more.
        Conflict: a run comes to something else than what is recorded.
    """

    def work(tx: Tx) -> list[Row]:
        whole = Work.read(parts, tx, labelling)
        desk = Desk(
            whole.study.task(whole.labelling.task),
            whole.study.languages[0],
            whole.labelling.panel,
            whole.labelling.seed,
        )
        return list(_rows(tx, whole, lambda turn: _read_again(tx, desk, turn)))

    return await parts.store.survey(work)


def _rows(tx: Tx, whole: Work, answer: Callable[[RecordedTurn], Recorded]) -> Iterator[Row]:
    labelling = whole.labelling
    task = whole.study.task(labelling.task)
    gold = tx.gold(labelling.study, labelling.task)
    annotators = {annotator.id: annotator for annotator in tx.model_annotators(labelling.study)}
    place = {item.id: number for number, item in enumerate(task.items)}
    runs = sorted(
        (run for run in whole.runs if run.id in whole.outcomes), key=lambda run: (place.get(run.item, 0), run.id)
    )
    speakers = agents_of(labelling.panel)
    for start in range(0, len(runs), RUNS_AT_A_TIME):
        portion = runs[start : start + RUNS_AT_A_TIME]
        turns = tx.turns([run.id for run in portion])
        for run in portion:
            outcome = whole.outcome_of(run, {(turn.step, turn.index): answer(turn) for turn in turns[run.id]})
            if outcome is None or outcome.vote != whole.outcomes[run.id].vote:
                raise Conflict(f"run {run.id!r} on item {run.item!r} comes to something else than what is recorded")
            for number, answers in enumerate(outcome.rounds):
                for speaker, read in answers.items():
                    at = speakers.index(speaker)
                    annotator = annotators[labelling.agents[at]]
                    yield ROUNDS.row(
                        {
                            "study": labelling.study,
                            "task": labelling.task,
                            "item": run.item,
                            "item_hash": run.item_hash,
                            "run": run.id,
                            "panel": labelling.panel.name,
                            "method": labelling.panel.method,
                            "round": number,
                            "agent": speaker,
                            "annotator": annotator.id,
                            "model": labelling.panel.agents[at].model,
                            "persona": annotator.persona or None,
                            **_said(read),
                            "gold": gold.get(run.item),
                            "outcome": outcome.vote.label,
                            "outcome_status": outcome.vote.status,
                            "outcome_share": outcome.vote.share,
                            "answers": len(turns[run.id]),
                        }
                    )


def _said(read: ReadLabel | NoAnswer) -> dict[str, Cell]:
    if isinstance(read, NoAnswer):
        return {
            "label": None, "reading": "no_answer", "confidence": None, "reason": None, "came": read.reason,
            "probabilities": None, "unweighed": None,
        }  # fmt: skip
    return {
        "label": read.label,
        "reading": read.reading,
        "confidence": read.confidence,
        "reason": read.reason or None,
        "came": read.came or None,
        "probabilities": dict(read.probabilities) or None,
        "unweighed": read.unweighed or None,
    }


def _read_again(tx: Tx, desk: Desk, turn: RecordedTurn) -> Recorded:
    """The answer that the ledger's raw reply gives today; a turn without a call is taken as it is."""
    call = tx.call(turn.call) if turn.call else None
    if call is None or turn.no_answer:
        return Recorded(turn.fingerprint, answer_of(turn))
    words = tx.words([kept for kept in (call.reply, call.tokens) if kept])
    text = (words[call.reply] or "") if call.reply else ""
    tokens = words[call.tokens] if call.tokens else None
    reply = Reply(
        text, Completion(call.finish_reason, call.served_model), tokens=parse_tokens(tokens) if tokens else None
    )
    return Recorded(turn.fingerprint, desk.turn_of(turn.speaker, reply, labelled=turn.labelled is not None))
