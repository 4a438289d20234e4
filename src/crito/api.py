"""The verbs of a notebook: plain functions over the same use cases that the commands have. `import crito` loads this
module when a verb is first used.

Each verb does its work in a thread with an event loop of its own, so that it can be called where a loop is running
already, as in a notebook; an interrupt lets what is under way end and keeps it.
"""

import asyncio
import json
import math
import threading
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from crito.bootstrap import Settings, Spending, load_task, open_parts
from crito.engine.labelling import label_waiting
from crito.engine.local import LocalEngine
from crito.formats.reading import read_file
from crito.llm.ledger import InFlight
from crito.model.debate import Debate, DebateSettings, Swap
from crito.model.errors import CallHeld, InvalidInput
from crito.model.ids import ItemId
from crito.model.record import LabelOutcome
from crito.model.study import Agent, Panel, Study
from crito.services.asking import Calling, Spent
from crito.services.debate_files import DebateReport
from crito.services.debating import RUN_PREFIX as DEBATES
from crito.services.debating import begin_debate
from crito.services.given_labels import LabelTable
from crito.services.judging import RUN_PREFIX as JUDGES
from crito.services.judging import STUDY as JUDGING
from crito.services.judging import Document, Judged, Manner, judge_document
from crito.services.label_tables import ROUNDS, round_rows
from crito.services.labelling import Job, begin, spent_usd
from crito.services.model_reporting import ModelReport, PanelReport, report_models
from crito.services.panels import panel_of, require_model_name
from crito.services.parts import Parts
from crito.services.spending import noted_budget
from crito.services.tables import Row
from crito.services.whole_debate import debaters_of, hold_and_judge, name_of, study_of
from crito.studies.study_file import parse_task

if TYPE_CHECKING:
    # pandas costs a second and more, so it is imported where a frame is made.
    from pandas import DataFrame

AS_IN_THE_SOURCE = DebateSettings()

DATABASE = "crito.db"
"""Where verbs keep their record unless told otherwise: in the folder that the notebook stands in."""

Result = TypeVar("Result")


MOST_SHOWN = 10
"""Rows that a notebook shows of a result that is named without its frame."""


@dataclass(frozen=True, slots=True, repr=False)
class Labelled:
    """What models came to on items.

    Attributes:
        calls, failed_calls: of this time; what was known before was not asked again.
        cost_usd: of those calls; None where a price is not known.
        held: items that wait for a decision about a call that may have been charged, with the reason.
        report: what `crito report` says about this panel: accuracy, agreement by round, revisions, tokens, time.
        database: where the record is.
    """

    panel: Panel
    study: Study
    outcomes: Mapping[ItemId, LabelOutcome]
    rows: Sequence[Row]
    calls: int
    failed_calls: int
    cost_usd: float | None
    held: Mapping[str, str]
    report: PanelReport
    database: str

    def __repr__(self) -> str:
        n = len(self.study.tasks[0].items)
        cost = "cost not known" if self.cost_usd is None else f"{self.cost_usd:.4f} USD"
        held = f", {len(self.held):,} held" if self.held else ""
        return (
            f"<{self.panel.name} on {self.study.tasks[0].name}: {len(self.outcomes):,} of {n:,} items, {self.calls:,} calls, "
            f"{cost}{held}; .frame has the labels, .rounds every answer, .report the numbers>"
        )

    def _repr_html_(self) -> str:
        return _shown(self, self.frame)

    @property
    def frame(self) -> "DataFrame":
        """One row per item: its text, the panel's label and how it came about, and the reference label if there is one.

        Items that are not finished, and ties, have no label; `status` says which.
        """
        from pandas import DataFrame

        rows = []
        for item in self.study.tasks[0].items:
            outcome = self.outcomes.get(item.id)
            vote = outcome.vote if outcome else None
            rows.append(
                {
                    "item": item.id, "text": item.text, "label": vote and vote.label,
                    "status": vote.status if vote else "unfinished", "share": vote and vote.share,
                    "votes": vote and vote.n, "rounds": outcome and outcome.rounds, "gold": item.gold,
                }
            )  # fmt: skip
        columns = ["item", "text", "label", "status", "share", "votes", "rounds", "gold"]
        return DataFrame(rows, columns=columns)

    @property
    def rounds(self) -> "DataFrame":
        """One row per item, round and agent: every label with its reason and confidence, and answers that are no label."""
        from pandas import DataFrame

        return DataFrame(list(self.rows), columns=[column.name for column in ROUNDS.columns])


@dataclass(frozen=True, slots=True, repr=False)
class Labels:
    """Labels of many annotators as a file has them; `remarks` are what was read otherwise than it stands there."""

    table: LabelTable
    remarks: tuple[str, ...]

    def __repr__(self) -> str:
        remarks = "".join(f"; {remark}" for remark in self.remarks)
        return (
            f"<{len(self.table.given):,} labels of {len(self.table.items):,} items by "
            f"{len({row.annotator for row in self.table.given}):,} annotators{remarks}; .frame has them>"
        )

    def _repr_html_(self) -> str:
        return _shown(self, self.frame)

    @property
    def frame(self) -> "DataFrame":
        """One row per annotator, item and round, with the reference label of the item if there is one."""
        from pandas import DataFrame

        gold = {key: item.gold for key, item in self.table.items.items()}
        rows = [row._asdict() | {"gold": gold[row.task, row.item]} for row in self.table.given]
        names = [
            "task", "item", "annotator", "round", "state", "label", "confidence", "rationale", "kind", "gold", "seconds",
        ]  # fmt: skip
        return DataFrame(rows, columns=names)


def _shown(result: object, frame: "DataFrame") -> str:
    """How a notebook shows a result: its first rows, and what else it has."""
    return f"{frame.head(MOST_SHOWN).to_html()}<p>{escape(repr(result))}</p>"


def label(
    items: "str | Path | Sequence[str] | Sequence[Mapping[str, Any]] | DataFrame",
    task: str | Path | Mapping[str, Any],
    *,
    models: str | Sequence[str],
    method: str = "vanilla",
    personas: Sequence[str] = (),
    reasoning: str | int | Sequence[str | int] = "off",
    rounds: int = 2,
    samples: int = 5,
    examples: int = 0,
    probabilities: bool = False,
    only_disputed: bool = False,
    limit: int | None = None,
    at_once: int = 8,
    budget_usd: float | None = None,
    in_flight: InFlight = "hold",
    database: str | Path = DATABASE,
) -> Labelled:
    """Label items with language models; the same call again asks for nothing that has an answer.

    Args:
        items: a file as for `crito label`; or texts; or rows (or a data frame) with `text`, `id` and, if known, `gold`.
            Rows without `id` are named by their place.
        task: a task file, or its keys: `question`, `labels`, `guideline`, …
        models: one `PROVIDER:NAME`, or several for a group.
        method: `vanilla`, `cot`, `self_consistency`, `self_refine`, `discussion`, `ensemble` or `debate`.
        personas: a point of view for each model, or several for one.
        reasoning: how much a model may think: `off`, `low`, `medium`, `high` or a number of tokens; for all, or each.
        rounds, samples: of a discussion and of self-consistency, at most.
        examples: how many items with a reference label stand in the instructions; they are not labelled.
        probabilities: whether to ask for the probability of each label; see `rounds` of what comes back.
        only_disputed: of a debate: items on which all agree stay undebated.
        limit: only the first items.
        at_once: calls at a time.
        budget_usd: what labelling under this task may cost in all.
        in_flight: what becomes of calls that a crash left without an answer: `hold` or `resend`.
        database: the file that keeps the record, or the address of a database.

    Raises:
        InvalidInput, InvalidStudy: something in the input cannot be used.
        ModelUnavailable, ModelDenied: a model cannot be asked; what was done before is kept.
        BudgetReached: the next call might cost too much; what was done before is kept.
        Conflict: another process is at work on the same.
    """
    study = _study(items, task)
    levels = [reasoning] if isinstance(reasoning, str | int) else list(reasoning)
    names = [models] if isinstance(models, str) else list(models)
    panel = panel_of(
        method,
        names,
        personas=personas,
        reasonings=levels,
        rounds=rounds,
        samples=samples,
        examples=examples,
        probabilities=probabilities,
        only_disputed=only_disputed,
    )
    engine = LocalEngine(at_once)
    spending = Spending(budget_usd, in_flight=in_flight)
    url = _url(database)
    return _wait(lambda: _label(url, study, panel, engine, spending, limit), engine.stop)


def debate(
    subject: str,
    models: str | Sequence[str],
    *,
    judges: str | Sequence[str] = (),
    claims: Sequence[str | None] = (None, None),
    settings: DebateSettings = AS_IN_THE_SOURCE,
    swap: Swap = "none",
    judges_may_debate: bool = False,
    temperatures: Sequence[float] = (),
    material: str = "",
    at_once: int = 8,
    budget_usd: float | None = None,
    in_flight: InFlight = "hold",
    database: str | Path = DATABASE,
) -> DebateReport:
    """Have models debate a subject and judges decide; the same call again asks for nothing that has an answer.

    Args:
        subject: what is debated, best as a question that can be answered with yes or no.
        models: one `PROVIDER:NAME` for both sides, or A's and B's.
        judges: models that read the closings.
        claims: what A and B argue; None for yes and no to the subject.
        settings: rounds, topics, contentiousness and so on, as `crito.model.debate.DebateSettings`.
        swap: what is done in both orders: `none`, `judging` or `debate`.
        judges_may_debate: whether a debater may judge; the result says so.
        temperatures: one for both agents, or one each.
        material: a text that the subject is about.
        at_once: calls at a time.
        budget_usd: what debates on this subject may cost in all.
        in_flight: what becomes of calls that a crash left without an answer: `hold` or `resend`.
        database: the file that keeps the record, or the address of a database.

    Raises:
        InvalidInput: something in the input cannot be used.
        ModelUnavailable, ModelDenied: a model cannot be asked; what was done before is kept.
        BudgetReached: the next call might cost too much; what was done before is kept.
        Conflict: another process is at work on the same.
    """
    names = [models] if isinstance(models, str) else list(models)
    named = (judges,) if isinstance(judges, str) else tuple(judges)
    sides = debaters_of(subject, names, claims, temperatures)
    wanted = Debate(name_of(subject), subject, sides, settings, named, judges_may_debate, swap, material)
    engine, spending = LocalEngine(at_once), Spending(budget_usd, in_flight=in_flight)
    return _wait(lambda: _debate(_url(database), wanted, engine, spending), engine.stop)


def judge(
    text: str,
    judges: str | Sequence[str],
    *,
    name: str = "document",
    sources: Mapping[str, str] | None = None,
    per_reason: bool = False,
    max_depth: int = 2,
    max_calls: int = 40,
    at_once: int = 8,
    budget_usd: float | None = None,
    in_flight: InFlight = "hold",
    database: str | Path = DATABASE,
) -> Judged:
    """Have models read a text critically; the same call again asks for nothing that has an answer.

    Args:
        text: the document itself.
        judges: one `PROVIDER:NAME`, or several, which do not hear of each other.
        name: what the document is called.
        sources: texts it draws on, by name, which are examined as well.
        per_reason: rate each argument in a call of its own.
        max_depth, max_calls: how far sources of sources are examined, and calls of one judge at most.
        at_once: calls at a time.
        budget_usd: what judging in this database may cost in all.
        in_flight: what becomes of calls that a crash left without an answer: `hold` or `resend`.
        database: the file that keeps the record, or the address of a database.

    Raises:
        InvalidInput: something in the input cannot be used.
        ModelUnavailable, ModelDenied: a model cannot be asked; what was done before is kept.
        BudgetReached: the next call might cost too much; what was done before is kept.
    """
    named = [Agent(model) for model in ([judges] if isinstance(judges, str) else judges)]
    for one in named:
        require_model_name(one.model)
    document = Document(text, name, dict(sources or {}))
    manner = Manner(per_reason, max_depth=max_depth, max_calls=max_calls)
    engine, spending = LocalEngine(at_once), Spending(budget_usd, in_flight=in_flight)
    return _wait(lambda: _judge(_url(database), document, named, manner, engine, spending), engine.stop)


def read(
    path: str | Path,
    *,
    items: str | Path | None = None,
    format: str = "",  # noqa: A002
    columns: Mapping[str, str] | None = None,
    not_sure: Sequence[str] = (),
    repeats: str = "refused",
) -> Labels:
    """Read the labels of many annotators from a file, as `crito import` does.

    Args:
        path: a table (CSV, TSV, Excel, JSON, JSONL, Parquet), or a file or folder in a format of the field.
        items: a table with texts and reference labels.
        format: which format, if it is no table; a wrong name lists them.
        columns: names of columns by what they hold (`item`, `annotator`, `label`, `round`).
        not_sure: labels that mean *not sure*.
        repeats: several labels by one annotator for one item: `refused`, `first`, `last` or `apart`.

    Raises:
        InvalidInput: the file cannot be read or used.
    """
    found = read_file(
        Path(path),
        form=format,
        items=Path(items) if items else None,
        columns=columns,
        not_sure=not_sure,
        repeats=repeats,
    )
    return Labels(found.table, tuple(found.remarks))


async def _label(
    url: str, study: Study, panel: Panel, engine: LocalEngine, spending: Spending, limit: int | None
) -> Labelled:
    if spending.budget_usd is not None:
        async with open_parts(Settings(url)) as parts:
            spending = replace(spending, spent_usd=await spent_usd(parts, study.name))
    async with open_parts(Settings(url), spending) as parts, noted_budget(parts, study.name, spending.budget_usd):
        job = await begin(parts, study, panel, limit=limit)
        finished, calls, held = list[LabelOutcome](), list[Spent](), dict[ItemId, CallHeld]()
        async with parts.store.hold(f"labelling {job.labelling.id}"):
            await label_waiting(
                parts, job, engine, done=finished.append, spent=calls.append, held=held.__setitem__
            )  # fmt: skip
        return await _gathered(parts, job, [*job.done, *finished], calls, held, url)


async def _judge(
    url: str, document: Document, judges: Sequence[Agent], manner: Manner, engine: LocalEngine, spending: Spending
) -> Judged:
    if spending.budget_usd is not None:
        async with open_parts(Settings(url)) as parts:
            spending = replace(spending, spent_usd=await spent_usd(parts, JUDGING, of=JUDGES))
    async with open_parts(Settings(url), spending) as parts:
        return await judge_document(parts, document, judges, Calling(engine.turnstile, lambda spent: None), manner)


async def _debate(url: str, wanted: Debate, engine: LocalEngine, spending: Spending) -> DebateReport:
    study = study_of(wanted)
    if spending.budget_usd is not None:
        async with open_parts(Settings(url)) as parts:
            spending = replace(spending, spent_usd=await spent_usd(parts, study.name, of=(DEBATES, JUDGES)))
    async with open_parts(Settings(url), spending) as parts:
        run = await begin_debate(parts, study, wanted)
        async with parts.store.hold(f"debate {run.held.id}"):
            return await hold_and_judge(parts, run, Calling(engine.turnstile, lambda spent: None))


async def _gathered(
    parts: Parts,
    job: Job,
    outcomes: Sequence[LabelOutcome],
    calls: Sequence[Spent],
    held: Mapping[ItemId, CallHeld],
    url: str,
) -> Labelled:
    reported: ModelReport = await report_models(parts, job.study.name)
    report = next(panel for task in reported.tasks for panel in task.panels if panel.id == job.labelling.id)
    costs = [call.cost_usd for call in calls if not call.failed]
    return Labelled(
        panel=job.panel,
        study=job.study,
        outcomes={outcome.item: outcome for outcome in outcomes},
        rows=await round_rows(parts, job.labelling),
        calls=len(calls),
        failed_calls=sum(call.failed for call in calls),
        cost_usd=None if None in costs else sum(cost or 0.0 for cost in costs),
        held={item: str(problem) for item, problem in held.items()},
        report=report,
        database=url,
    )


def _study(
    items: "str | Path | Sequence[str] | Sequence[Mapping[str, Any]] | DataFrame", task: str | Path | Mapping[str, Any]
) -> Study:
    if isinstance(task, Mapping):
        name, text, folder = f"{task.get('name', 'task')}.yaml", json.dumps(task, ensure_ascii=False), Path()
    else:
        path = Path(task)
        if isinstance(items, str | Path):
            return load_task(path, Path(items))
        name, folder = str(path), path.parent
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise InvalidInput("the file cannot be read", came=error.strerror, file=name) from error
    if isinstance(items, str | Path):
        file, rows = str(items), b""
    else:
        file, rows = "items.jsonl", _rows(items)

    def given(wanted: str) -> bytes:
        return rows if rows and wanted == file else (folder / wanted).read_bytes()

    return parse_task(text, file=name, items=file, read=given)


def _rows(items: "Sequence[str] | Sequence[Mapping[str, Any]] | DataFrame") -> bytes:
    """Items as the lines of a file, so that they are read and judged as a file's are."""
    if not isinstance(items, Sequence):
        items = [{str(column): value for column, value in row.items()} for row in items.to_dict("records")]
    lines = []
    for place, given in enumerate(items, start=1):
        row: Mapping[str, Any] = given if isinstance(given, Mapping) else {"text": given}
        known = {key: value for key, value in row.items() if not _is_missing(value)}
        lines.append(json.dumps({"id": f"item-{place}", **known}, ensure_ascii=False, default=str))
    if not lines:
        raise InvalidInput("there are no items", wanted="give at least one text")
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def _is_missing(value: object) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _url(database: str | Path) -> str:
    text = str(database)
    return text if "://" in text else f"sqlite:///{Path(text).resolve()}"


def _wait(work: Callable[[], Coroutine[Any, Any, Result]], stop: Callable[[], None]) -> Result:
    """Do the work in a thread with a loop of its own; an interrupt stops it, and is raised when it has come to rest."""
    results, problems = list[Result](), list[BaseException]()

    def run() -> None:
        try:
            results.append(asyncio.run(work()))
        except BaseException as problem:  # whatever it is belongs to whoever waits for it
            problems.append(problem)

    thread = threading.Thread(target=run, name="crito")
    thread.start()
    try:
        thread.join()
    except KeyboardInterrupt:
        stop()
        thread.join()
        raise
    if problems:
        raise problems[0]
    return results[0]
