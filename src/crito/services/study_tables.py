"""The record of a study as flat tables: which there are, what each column means, and their rows."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from crito.model.ids import ItemId, TaskName
from crito.model.record import Annotation, Assignment, Call, GivenAnswer, RecordedTurn
from crito.model.study import Question, Study
from crito.services.forms import label_form
from crito.services.shares import Share
from crito.services.tables import Cell, Column, Row, Table

WHO_AND_WHAT = (
    Column("study", "text", "Name of the study."),
    Column("study_version", "integer", "Edition of the study file the person enrolled under."),
    Column("task", "text", "Name of the task."),
    Column("item", "text", "Id of the item, as in the item file."),
    Column("item_hash", "text", "SHA-256 of what was shown of the item."),
    Column("annotator", "text", "Pseudonym of the person, never an id of their platform; or id of the model."),
    Column("annotator_kind", "text", "`human` or `model`."),
    Column("origin", "text", "`real`, or `rehearsal` for scripted people."),
    Column("language", "text", "Language tag of the pages the person saw."),
    Column("condition", "text", "Condition of the assignment; models have neither."),
    Column("assignment", "text", "Id of the assignment: this item for this annotator under this condition."),
    Column("assignment_status", "text", "`open`, `done`, `expired` (the person did not come back in time) or `ended`."),
    Column("position", "integer", "Place of the item in the person's own order, from 0."),
)

ANNOTATION_COLUMNS = (
    *WHO_AND_WHAT,
    Column("round", "integer", "0: initial label; from 1: labels given after something was shown."),
    Column("revision", "integer", "How often the answer of this round was corrected before it counted; from 0."),
    Column(
        "state", "text",
        "`labelled`; `not_sure`, `skipped`, `abstained` (answers that are no label); `missing` (the item was shown, this "
        "round was not answered); `unseen` (the item was assigned and never shown).",
    ),
    Column("label", "text", "Stored name of the label; empty unless `state` is `labelled`."),
    Column(
        "missing_reason", "text",
        "Why there is no answer: `open` (may still come), `expired`, `ended:…` with the person's ending, or `not_asked`.",
    ),
    Column("confidence", "text", "Stored name of the chosen confidence step, or a model's own figure."),
    Column("confidence_value", "number", "Place of that step in [0, 1], by the study file."),
    Column("rationale", "text", "The annotator's reasons in their own words."),
    Column("rationale_state", "text", "`given`, `none`, or `erased` when the words were erased later."),
    Column("gold", "text", "Reference label of the item, where the study has one."),
    Column("blind", "yes_no", "Whether nobody's answer or argument on this item had been shown before this label."),
    Column("exposures", "integer", "How many answers or arguments of others on this item had been shown before."),
    Column("exposures_partner_turn", "integer", "Of these: turns of the partner."),
    Column("exposures_argument", "integer", "Of these: arguments of a debate."),
    Column("exposures_peer_label", "integer", "Of these: labels of other annotators."),
    Column("exposures_suggestion", "integer", "Of these: suggested labels."),
    Column("seq", "integer", "Order of this annotator's labels and exposures on this item; a counter, not a clock."),
    Column("guideline_hash", "text", "SHA-256 of the guideline the label was given under."),
    Column("shown_at", "time", "When the server first showed the form."),
    Column("submitted_at", "time", "When the server received the answer."),
    Column("client_times_ms", "json", "The browser's own times in milliseconds; never used where a server time exists."),
    Column("ending", "text", "How the study ended for the person; empty while it goes on."),
    Column("attention_failed", "integer", "Attention checks the person answered wrongly."),
    Column("excluded_by_default", "yes_no", "Whether analyses leave this row out unless told otherwise."),
    Column("exclusion_reason", "text", "Why; empty when the row is not excluded."),
)  # fmt: skip

TURNS = Table(
    "turns",
    "One row per turn of a dialogue, drafts of the partner that were never shown included.",
    (
        *WHO_AND_WHAT,
        Column("run", "text", "Id of the dialogue."),
        Column("protocol", "text", "Protocol that drove the dialogue."),
        Column("protocol_version", "integer", "Version of that protocol."),
        Column("step", "integer", "Place of the turn in the dialogue, from 0; attempts at one turn are steps of their own."),
        Column("index", "integer", "Place among turns that were asked side by side, from 0."),
        Column("fingerprint", "text", "SHA-256 of the ask that the turn answers."),
        Column("speaker", "text", "Who spoke."),
        Column(
            "kind", "text",
            "`person`, `label` (the person's closing label), `script`, `model`, `routed`, `fixed`; what a turn was when it "
            "was made, before it was mended.",
        ),
        Column(
            "shown",
            "text",
            "`own` (by the person), `shown`, `cut` (stopped after its first sentences; the next turn goes on from them), "
            "`draft` (made and never shown), or `no_answer`.",
        ),
        Column("shown_kind", "text", "The kind of the turn as shown: `trimmed` when it was mended first."),
        Column("text", "text", "The turn as it was made."),
        Column("shown_text", "text", "The turn as it stood on the screen, where it did."),
        Column("mended", "text", "What was left when failing sentences were cut; empty when nothing was usable."),
        Column("streamed", "text", "Sentences that were on the screen already when the turn was stopped."),
        Column("violations", "json", "Rules the guard found broken in `text`: rule, sentence from 0 (-1: all), detail."),
        Column("no_answer", "text", "Why nobody answered, where nobody did."),
        Column(
            "reading", "text",
            "Of a model that labels: `ok`, `unreadable`, `outside_label_set`, `refused` or `truncated`; only `ok` has a label.",
        ),
        Column("label", "text", "The label that a model's turn gives."),
        Column("probabilities", "json", "Probability of each label by its name, where the panel asks for them."),
        Column("model", "text", "Model that made the turn; empty where none did."),
        Column("prompt", "text", "Name and version of the prompt."),
        Column("prompt_hash", "text", "SHA-256 of the prompt's text."),
        Column("call", "text", "Key of the model call in `calls`."),
        Column("at", "time", "When the turn was recorded."),
        Column("latency_ms", "integer", "Milliseconds from the ask to the whole turn."),
        Column("erased", "yes_no", "Whether the words of the turn were erased later."),
    ),
)  # fmt: skip

ANSWERS = Table(
    "answers",
    "One row per answer to a question besides the label: expectations, attention checks, survey. Corrections are kept.",
    (
        Column("study", "text", "Name of the study."),
        Column("study_version", "integer", "Edition of the study file the person enrolled under."),
        Column("annotator", "text", "Pseudonym of the person."),
        Column("origin", "text", "`real`, or `rehearsal` for scripted people."),
        Column("form", "text", "`annotate`, `reannotate` or `survey`."),
        Column("assignment", "text", "Id of the assignment; empty for the survey."),
        Column("task", "text", "Name of the task; empty for the survey."),
        Column("item", "text", "Id of the item; empty for the survey."),
        Column("question", "text", "Key of the question."),
        Column("question_kind", "text", "`expectation`, `reconsideration`, `attention` or `survey`."),
        Column("choice", "text", "Stored name of the chosen option, or the step of a scale."),
        Column("scale", "integer", "The step as a number, for questions on a scale."),
        Column("text", "text", "Words, for questions answered in words."),
        Column("text_state", "text", "`given`, `none`, or `erased` when the words were erased later."),
        Column("right", "yes_no", "Whether an attention check was answered rightly; empty for other questions."),
        Column("counts", "yes_no", "Whether this is the last answer to its question on its form."),
        Column("at", "time", "When the server received it."),
    ),
)

PEOPLE = Table(
    "people",
    "One row per person, those who declined or left included.",
    (
        Column("study", "text", "Name of the study."),
        Column("study_version", "integer", "Edition of the study file they enrolled under."),
        Column("annotator", "text", "Pseudonym; the platform's id is never exported."),
        Column("origin", "text", "`real`, or `rehearsal` for scripted people."),
        Column("language", "text", "Language tag of the pages they saw."),
        Column("condition", "text", "Condition drawn for the person; empty where conditions are drawn per item."),
        Column(
            "seed", "text", "Seed of every random order they met, as digits (it may exceed what a spreadsheet holds)."
        ),
        Column("arrived_at", "time", "When they came."),
        Column("consented_at", "time", "When they consented; empty if they never did."),
        Column("ending", "text", "How it ended: `done`, `no_consent`, …; empty while it goes on."),
        Column("ended_at", "time", "When it ended."),
        Column("last_seen_at", "time", "The last thing recorded of them."),
        Column("assigned", "integer", "Assignments they were given."),
        Column("done", "integer", "Assignments they finished."),
        Column("messages", "integer", "Messages they sent in dialogues."),
        Column("attention_failed", "integer", "Attention checks answered wrongly."),
        Column("excluded_by_default", "yes_no", "Whether analyses leave them out unless told otherwise."),
        Column("exclusion_reason", "text", "Why; empty when they are not excluded."),
    ),
)

EVENTS = Table(
    "events",
    "One row per thing a person did or met that is no answer: consent, forms opened, parts ended, leaving, returning.",
    (
        Column("study", "text", "Name of the study."),
        Column("annotator", "text", "Pseudonym of the person."),
        Column("kind", "text", "What happened."),
        Column("about", "text", "Which step, with the assignment's id where it concerns one."),
        Column("at", "time", "When."),
        Column("data", "json", "What else is known."),
    ),
)

DRAWS = Table(
    "draws",
    "One row per random choice made for a person.",
    (
        Column("study", "text", "Name of the study."),
        Column("annotator", "text", "Pseudonym of the person."),
        Column("what", "text", "What was drawn."),
        Column("chances", "json", "The chance of each outcome."),
        Column("seed", "text", "Seed of the draw, as digits."),
        Column("outcome", "text", "What came out."),
        Column("at", "time", "When."),
    ),
)

ARGUMENTS = Table(
    "arguments",
    "One row per argument of a debate that a person read on an item; which side came first stands in `draws` too.",
    (
        *WHO_AND_WHAT,
        Column(
            "place", "integer", "Place among the arguments on the page, from 0: topic by topic, in each both sides."
        ),
        Column("topic", "text", "What the argument is about; of models `opening`, `refutation` or `closing`."),
        Column("argued_label", "text", "The label it argues for."),
        Column("argument", "text", "The argument as it was shown."),
        Column("author", "text", "Who wrote it, as the person was told."),
        Column("source", "text", "The turn it was (`run/step/index`), or its place among the prepared ones."),
        Column(
            "seq", "integer", "Order among this person's labels and exposures on this item; a counter, not a clock."
        ),
        Column("at", "time", "When it was recorded, before the page left."),
    ),
)

CALLS = Table(
    "calls",
    "One row per request to a model, without its words; those made for people who withdrew stay, without their dialogue.",
    (
        Column("call", "text", "Key: SHA-256 of the canonical request with its place in the dialogue."),
        Column("study", "text", "Name of the study."),
        Column("run", "text", "Id of the dialogue it was made for."),
        Column("status", "text", "`intended` (no result known), `answered`, `refused`, `truncated` or `error`."),
        Column("provider", "text", "Who was asked."),
        Column("requested_model", "text", "Model asked for."),
        Column("served_model", "text", "Model that answered, by the provider's word."),
        Column("finish_reason", "text", "Why the reply ended, in the provider's word."),
        Column("input_tokens", "integer", "Tokens sent; empty where the provider does not say."),
        Column("cached_tokens", "integer", "Of these, read from a cache."),
        Column("output_tokens", "integer", "Tokens received."),
        Column("cost_usd", "number", "Cost in US dollars; empty, never 0, where no price is known."),
        Column("latency_ms", "integer", "Milliseconds until the reply was whole."),
        Column("error", "text", "What went wrong."),
        Column("intended_at", "time", "When the intent was recorded, before sending."),
        Column("finished_at", "time", "When the result was recorded."),
    ),
)


ITEMS = Table(
    "items",
    "One row per item of a task, as the latest edition that has it shows it.",
    (
        Column("study", "text", "Name of the study."),
        Column("study_version", "integer", "Latest edition of the study file that has the item."),
        Column("task", "text", "Name of the task."),
        Column("item", "text", "Id of the item."),
        Column("item_hash", "text", "SHA-256 of what is shown of the item."),
        Column("text", "text", "What is labelled."),
        Column("context", "json", "Fields that are shown with it, by name."),
        Column("gold", "text", "Reference label, where the study has one; never shown to people."),
        Column("labels", "json", "Stored names of the task's labels in their order."),
    ),
)


@dataclass(frozen=True, slots=True)
class StudyTables:
    """The tables of one study; the columns of answers beside the label come from all its editions.

    `annotations` holds the answer that counts of each round, `revisions` the ones it replaced.
    """

    annotations: Table
    revisions: Table

    @classmethod
    def of(cls, editions: Mapping[int, Study]) -> "StudyTables":
        columns = (*ANNOTATION_COLUMNS, *_question_columns(editions))
        return cls(
            Table("annotations", "One row per item, annotator and round, unanswered ones included.", columns),
            Table("revisions", "Answers that the same person replaced by a later one of the same round.", columns),
        )

    @property
    def all(self) -> tuple[Table, ...]:
        return (self.annotations, self.revisions, TURNS, ARGUMENTS, ANSWERS, PEOPLE, EVENTS, DRAWS, CALLS, ITEMS)

    def rows_of(self, share: Share) -> Iterator[tuple[Table, Row]]:
        """Every row that one person left."""
        gold = gold_labels(share.study)
        questions = [column.name for column in self.annotations.columns[len(ANNOTATION_COLUMNS) :]]
        for assignment in share.record.assignments:
            for number in share.rounds(assignment):
                *replaced, last = share.revisions(assignment, number) or (None,)
                beside = _answers_beside(share, assignment, number, questions)
                cells = _annotation_cells(share, assignment, number, last, gold) | beside
                yield self.annotations, self.annotations.row(cells)
                for earlier in replaced:
                    # Answers beside a replaced label are in `answers`, where each has its time.
                    cells = _annotation_cells(share, assignment, number, earlier, gold) | dict.fromkeys(questions)
                    yield self.revisions, self.revisions.row(cells)
            for turn in share.turns_of(assignment):
                yield TURNS, TURNS.row(_turn_cells(share, assignment, turn))
            for cells in _argument_cells(share, assignment):
                yield ARGUMENTS, ARGUMENTS.row(cells)
        for answer in share.record.answers:
            yield ANSWERS, ANSWERS.row(_answer_cells(share, answer))
        yield PEOPLE, PEOPLE.row(_person_cells(share))
        for event in share.record.events:
            yield EVENTS, EVENTS.row(plain(event) | {"study": share.study.name, "data": dict(event.data)})
        for draw in share.draws:
            yield DRAWS, DRAWS.row(plain(draw) | {"chances": dict(draw.chances), "seed": str(draw.seed)})


def call_row(call: Call, *, run_known: bool) -> Row:
    """The row of a call; without its dialogue where that one is not exported."""
    return CALLS.row(plain(call) | {"call": call.key, "run": call.run if run_known else None})


def item_rows(editions: Mapping[int, Study]) -> Iterator[Row]:
    """Every item of every edition once, as the latest edition that has it."""
    latest = {
        (task.name, item.id): (number, task, item)
        for number, study in sorted(editions.items())
        for task in study.tasks
        for item in task.items
    }
    for number, task, item in latest.values():
        yield ITEMS.row({
            "study": editions[number].name, "study_version": number, "task": task.name, "item": item.id,
            "item_hash": item.hash, "text": item.text, "context": dict(item.context), "gold": item.gold,
            "labels": list(task.label_names),
        })  # fmt: skip


def gold_labels(study: Study) -> dict[tuple[TaskName, ItemId], str]:
    """Reference labels by task and item."""
    return {(task.name, item.id): item.gold for task in study.tasks for item in task.items if item.gold is not None}


def missing_reason(share: Share, assignment: Assignment) -> str:
    """Why an assignment lacks an answer."""
    if assignment.status == "ended":
        return f"ended:{share.record.participant.ending or 'technical'}"
    return "not_asked" if assignment.status == "done" else assignment.status


def _question_columns(editions: Mapping[int, Study]) -> tuple[Column, ...]:
    columns: dict[str, Column] = {}
    for study in editions.values():
        for question in (*study.expectations, *study.reconsiderations, *(c.question for c in study.attention_checks)):
            name = f"q_{question.key}"
            columns[name] = Column(name, "text", f"Answer to: {question.text.in_language(study.languages[0])}")
    return tuple(columns.values())


def _question_kinds(study: Study) -> dict[str, tuple[str, Question]]:
    kinds = {
        "survey": study.survey,
        "attention": tuple(check.question for check in study.attention_checks),
        "reconsideration": study.reconsiderations,
        "expectation": study.expectations,
    }
    return {question.key: (kind, question) for kind, questions in kinds.items() for question in questions}


def _who_and_what(share: Share, assignment: Assignment) -> dict[str, Cell]:
    person = share.record.participant
    return {
        "study": person.study, "study_version": person.study_version,
        "task": assignment.task, "item": assignment.item, "item_hash": assignment.item_hash,
        "annotator": person.id, "annotator_kind": "human", "origin": person.origin, "language": person.language,
        "condition": assignment.condition, "assignment": assignment.id, "assignment_status": assignment.status,
        "position": assignment.position,
    }  # fmt: skip


def _annotation_cells(
    share: Share,
    assignment: Assignment,
    number: int,
    given: Annotation | None,
    gold: Mapping[tuple[TaskName, ItemId], str],
) -> dict[str, Cell]:
    cells = _who_and_what(share, assignment) | {
        "round": number,
        "gold": gold.get((assignment.task, assignment.item)),
        "ending": share.record.participant.ending,
        "attention_failed": share.failed_checks,
        "excluded_by_default": bool(share.exclusion),
        "exclusion_reason": share.exclusion or None,
    }
    if given is None:
        left_empty = dict.fromkeys(column.name for column in ANNOTATION_COLUMNS if column.name not in cells)
        state = "missing" if share.has_seen(assignment) else "unseen"
        return cells | left_empty | {"state": state, "missing_reason": missing_reason(share, assignment)}
    sources = {(exposure.kind, exposure.source) for exposure in share.exposures_before(given)}
    kinds = Counter(kind for kind, _ in sources)
    rationale = share.words.get(given.rationale) if given.rationale else None
    return cells | {
        "study_version": given.study_version, "item_hash": given.item_hash,
        "revision": given.revision, "seq": given.seq,
        "state": given.state or "labelled", "label": given.label, "missing_reason": None,
        "confidence": given.confidence, "confidence_value": _confidence_value(share.study, given),
        "rationale": rationale, "rationale_state": _words_state(given.rationale, rationale),
        "blind": not sources, "exposures": len(sources),
        "exposures_partner_turn": kinds["partner_turn"], "exposures_argument": kinds["argument"],
        "exposures_peer_label": kinds["peer_label"], "exposures_suggestion": kinds["suggestion"],
        "guideline_hash": given.guideline_hash, "shown_at": given.shown_at, "submitted_at": given.submitted_at,
        "client_times_ms": dict(given.client_times_ms),
    }  # fmt: skip


def _answers_beside(share: Share, assignment: Assignment, number: int, columns: list[str]) -> dict[str, Cell]:
    form = label_form(assignment.id, number)
    given = {f"q_{key}": share.answer_text(answer) for (about, key), answer in share.answers.items() if about == form}
    return {column: given.get(column) for column in columns}


def _confidence_value(study: Study, given: Annotation) -> float | None:
    return next((float(step.value) for step in study.confidence if step.name == given.confidence), None)


def _words_state(words: str | None, text: str | None) -> str:
    return "none" if words is None else "erased" if text is None else "given"


def _turn_cells(share: Share, assignment: Assignment, turn: RecordedTurn) -> dict[str, Cell]:
    run = share.runs[assignment.id]
    return {
        **plain(turn),
        **_who_and_what(share, assignment),
        "protocol": run.protocol,
        "protocol_version": run.protocol_version,
        "shown": share.fate(turn),
        "shown_kind": share.shown_kind(turn),
        "shown_text": None if turn.erased else share.shown_words(turn),
        "violations": [asdict(violation) for violation in turn.violations],
        "reading": None,
        "probabilities": None,
        "label": None,
    }


def _argument_cells(share: Share, assignment: Assignment) -> Iterator[dict[str, Cell]]:
    """What was shown of a debate on the assignment's item, in its task; the words of it are kept as they stood."""
    shown = [e for e in share.exposures if (e.kind, e.item, e.task) == ("argument", assignment.item, assignment.task)]
    for place, exposure in enumerate(shown):
        words = share.words.get(exposure.content)
        told = json.loads(words) if words is not None else {}
        yield _who_and_what(share, assignment) | {
            "place": place, "topic": told.get("topic"), "argued_label": told.get("label"),
            "argument": told.get("text"), "author": told.get("author") or None, "source": exposure.source,
            "seq": exposure.seq, "at": exposure.at,
        }  # fmt: skip


def _answer_cells(share: Share, answer: GivenAnswer) -> dict[str, Cell]:
    form, _, about = answer.about.partition(":")
    assignment = next((a for a in share.record.assignments if a.id == about), None)
    kind, question = _question_kinds(share.study).get(answer.question, (form, None))
    expected = {check.question.key: check.expected for check in share.study.attention_checks}.get(answer.question)
    text = share.words.get(answer.words) if answer.words else None
    is_step = question is not None and question.kind == "scale" and answer.choice is not None
    return plain(answer) | {
        "study": share.study.name, "study_version": share.record.participant.study_version,
        "origin": share.record.participant.origin,
        "form": form, "assignment": assignment and assignment.id, "task": assignment and assignment.task,
        "item": assignment and assignment.item, "question_kind": kind,
        "scale": int(answer.choice) if is_step and answer.choice else None,
        "text": text, "text_state": _words_state(answer.words, text),
        "right": None if expected is None else answer.choice == expected,
        "counts": share.answers[answer.about, answer.question] is answer,
    }  # fmt: skip


def _person_cells(share: Share) -> dict[str, Cell]:
    record, person = share.record, share.record.participant
    consented = record.event("consented")
    times = [event.at for event in record.events] + [annotation.submitted_at for annotation in share.history]
    return plain(person) | {
        "annotator": person.id, "seed": str(person.seed),
        "consented_at": consented and consented.at,
        "last_seen_at": max(times, default=person.arrived_at),
        "assigned": len(record.assignments), "done": sum(a.status == "done" for a in record.assignments),
        "messages": sum(record.messages.values()),
        "attention_failed": share.failed_checks,
        "excluded_by_default": bool(share.exclusion), "exclusion_reason": share.exclusion or None,
    }  # fmt: skip


def plain(thing: Any) -> dict[str, Any]:
    """The fields of a record by name; a text that is empty there says that there is none."""
    fields_of = {part.name: getattr(thing, part.name) for part in fields(thing)}
    return {name: None if value == "" else value for name, value in fields_of.items()}
