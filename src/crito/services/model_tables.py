"""What models left in a study as rows of the same tables as people's, and the tables that only they have."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from crito.model.ids import AnnotatorId, ItemId, StudyName
from crito.model.record import Annotation, Exposure, Labelling, LabelRun, ModelAnnotator, RecordedTurn
from crito.model.study import Study
from crito.services.ports.store import Tx
from crito.services.study_tables import ANNOTATION_COLUMNS, TURNS, WHO_AND_WHAT, StudyTables, plain
from crito.services.tables import Cell, Column, Row, Table

RUNS_AT_A_TIME = 200

ANNOTATORS = Table(
    "annotators",
    "One row per language model that labelled; any change of its settings makes another one.",
    (
        Column("annotator", "text", "Its id in `annotations` and `turns`."),
        Column("study", "text", "Name of the study."),
        Column("provider", "text", "Who serves the model; `local` for one that ran beside Crito."),
        Column("model", "text", "The model asked for."),
        Column("method", "text", "How it labelled, alone or in a group."),
        Column("persona", "text", "The point of view it was given; empty where it had none."),
        Column("prompt", "text", "Name and version of its instructions."),
        Column("prompt_hash", "text", "SHA-256 of its instructions as sent, task and labels included."),
        Column("guideline_hash", "text", "SHA-256 of the guideline in them."),
        Column("parameters", "json", "Everything else that decided what it was asked."),
    ),
)

OUTCOMES = Table(
    "outcomes",
    "One row per item that a panel of models finished: what its votes came to.",
    (
        Column("study", "text", "Name of the study."),
        Column("task", "text", "Name of the task."),
        Column("item", "text", "Id of the item."),
        Column("item_hash", "text", "SHA-256 of what was shown of the item."),
        Column("panel", "text", "Name of the panel."),
        Column("method", "text", "How the panel labels."),
        Column("labelling", "text", "Id of the panel's work on the task."),
        Column("run", "text", "Id of its work on the item; the same in `turns` and `calls`."),
        Column("label", "text", "The panel's label; empty where it has none."),
        Column(
            "status", "text",
            "`consensus` (everybody asked gave this label), `majority` (most did, or a rule broke a tie), `no_majority`, "
            "or `missing` (nobody gave a label).",
        ),
        Column("tied", "json", "The labels with most votes."),
        Column("share", "number", "Share of the votes that each of them has."),
        Column("votes", "integer", "Labels given in the last round."),
        Column("broken_by", "text", "The rule that decided a tie, where one did."),
        Column("rounds", "integer", "Rounds of labels, the first included."),
        Column("gold", "text", "Reference label of the item, where the study has one."),
        Column("at", "time", "When the last answer was recorded."),
    ),
)  # fmt: skip

MODEL_TABLES = (ANNOTATORS, OUTCOMES)


def model_rows(
    tx: Tx, study: StudyName, editions: Mapping[int, Study], tables: StudyTables
) -> Iterator[tuple[Table, Row]]:
    """Every row that models left in a study."""
    for annotator in tx.model_annotators(study):
        yield ANNOTATORS, ANNOTATORS.row(plain(annotator) | {"annotator": annotator.id})
    annotators = {annotator.id: annotator for annotator in tx.model_annotators(study)}
    for labelling in tx.labellings(study):
        own = {id_: annotators[id_] for id_ in labelling.agents}
        yield from _rows_of(tx, labelling, editions[labelling.study_version], own, tables)


def _rows_of(
    tx: Tx, labelling: Labelling, study: Study, own: Mapping[AnnotatorId, ModelAnnotator], tables: StudyTables
) -> Iterator[tuple[Table, Row]]:
    gold = tx.gold(labelling.study, labelling.task)
    given, seen = (
        _by_item(tx.annotation_history(labelling.study, labelling.agents)),
        _by_item(tx.exposures(labelling.study, labelling.agents)),
    )
    questions = [column.name for column in tables.annotations.columns[len(ANNOTATION_COLUMNS) :]]
    for annotation, replaced in _with_fate(given):
        words = tx.words([annotation.rationale]) if annotation.rationale else {}
        reason = words.get(annotation.rationale) if annotation.rationale else None
        cells = _annotation_cells(labelling, study, annotation, seen.get(annotation.item, ()), reason, gold)
        table = tables.revisions if replaced else tables.annotations
        yield table, table.row(cells | dict.fromkeys(questions))
    outcomes = {outcome.run: outcome for outcome in tx.outcomes(labelling.id)}
    runs = tx.label_runs(labelling.id)
    for start in range(0, len(runs), RUNS_AT_A_TIME):
        portion = runs[start : start + RUNS_AT_A_TIME]
        turns = tx.turns([run.id for run in portion])
        for run in portion:
            yield from ((TURNS, TURNS.row(_turn_cells(labelling, study, run, turn))) for turn in turns[run.id])
            if run.id not in outcomes:
                continue
            outcome = outcomes[run.id]
            vote = plain(outcome.vote)
            yield OUTCOMES, OUTCOMES.row(
                plain(run) | vote | {
                    "study": labelling.study, "task": labelling.task, "panel": labelling.panel.name,
                    "method": labelling.panel.method, "run": run.id, "tied": list(outcome.vote.tied),
                    "votes": outcome.vote.n, "rounds": outcome.rounds, "gold": gold.get(run.item), "at": outcome.at,
                }
            )  # fmt: skip


def _by_item(things: Sequence[Annotation] | Sequence[Exposure]) -> dict[ItemId, list[Annotation | Exposure]]:
    grouped: dict[ItemId, list[Annotation | Exposure]] = {}
    for thing in things:
        grouped.setdefault(thing.item, []).append(thing)
    return grouped


def _with_fate(given: Mapping[ItemId, Sequence[Annotation | Exposure]]) -> Iterator[tuple[Annotation, bool]]:
    """Each label, and whether one of a later text of the item stands in its place."""
    for of_item in given.values():
        labels = [label for label in of_item if isinstance(label, Annotation)]
        last = {(label.annotator, label.round): label.revision for label in labels}
        yield from ((label, label.revision < last[label.annotator, label.round]) for label in labels)


def _who_and_what(labelling: Labelling, study: Study, annotator: AnnotatorId, item: ItemId) -> dict[str, Cell]:
    known: dict[str, Cell] = {
        "study": labelling.study, "study_version": labelling.study_version, "task": labelling.task, "item": item,
        "annotator": annotator, "annotator_kind": "model", "origin": "real", "language": study.languages[0],
    }  # fmt: skip
    return dict.fromkeys(column.name for column in WHO_AND_WHAT) | known


def _annotation_cells(
    labelling: Labelling,
    study: Study,
    given: Annotation,
    seen: Sequence[Annotation | Exposure],
    reason: str | None,
    gold: Mapping[ItemId, str],
) -> dict[str, Cell]:
    before = [e for e in seen if isinstance(e, Exposure) and e.annotator == given.annotator and e.seq < given.seq]
    kinds = Counter(exposure.kind for exposure in before)
    cells = dict.fromkeys(column.name for column in ANNOTATION_COLUMNS)
    return cells | _who_and_what(labelling, study, given.annotator, given.item) | {
        "item_hash": given.item_hash, "round": given.round, "revision": given.revision, "state": "labelled",
        "label": given.label, "confidence": given.confidence,
        "confidence_value": None if given.confidence is None else float(given.confidence),
        "rationale": reason, "rationale_state": "given" if reason else "none", "gold": gold.get(given.item),
        "blind": not before, "exposures": len(before), "exposures_partner_turn": kinds["partner_turn"],
        "exposures_argument": kinds["argument"], "exposures_peer_label": kinds["peer_label"],
        "exposures_suggestion": kinds["suggestion"],
        "seq": given.seq, "guideline_hash": given.guideline_hash, "shown_at": given.shown_at,
        "submitted_at": given.submitted_at, "client_times_ms": dict(given.client_times_ms),
        "attention_failed": 0, "excluded_by_default": False,
    }  # fmt: skip


def _turn_cells(labelling: Labelling, study: Study, run: LabelRun, turn: RecordedTurn) -> dict[str, Cell]:
    annotator = labelling.agents[int(turn.speaker.removeprefix("agent_")) - 1]
    return plain(turn) | _who_and_what(labelling, study, annotator, run.item) | {
        "item_hash": run.item_hash, "protocol": run.protocol, "protocol_version": run.protocol_version,
        "shown": "no_answer" if turn.no_answer else "own", "shown_kind": None, "shown_text": None,
        "probabilities": (dict(turn.labelled.probabilities) or None) if turn.labelled else None,
        "violations": [], "reading": turn.labelled and turn.labelled.reading, "label": turn.labelled and turn.labelled.label,
    }  # fmt: skip
