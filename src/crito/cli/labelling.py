"""`crito label` and `crito replay`: items labelled by models, and the same again from the record."""

import asyncio
import contextlib
import signal
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import get_args

from crito.bootstrap import Settings, Spending, cost_at_most, load_study, load_task, open_parts, share_out
from crito.cli import screen
from crito.cli.places import database, existing_study, require_database, shown_database, study_file
from crito.engine.labelling import label_waiting
from crito.engine.local import LocalEngine
from crito.engine.ray import RayEngine, ray_cluster
from crito.engine.shards import Tally, shards
from crito.formats.one_table import table_format, write_table
from crito.llm.ledger import InFlight
from crito.model.errors import Conflict, InvalidInput
from crito.model.ids import StudyName, TaskName
from crito.model.record import Labelling, LabelOutcome
from crito.model.study import Panel, Study
from crito.services.asking import Spent
from crito.services.label_tables import ROUNDS, find_labelling, replayed_rows, round_rows
from crito.services.labelling import Job, begin, spent_usd
from crito.services.panels import panel_of
from crito.services.parts import Parts
from crito.services.spending import noted_budget
from crito.services.tables import Row
from crito.studies.panel_planning import panel_plan

ENGINES = ("local", "ray")
LOST_LISTED = 5
"""How many items without an answer are named at the end."""

SAY_EVERY_S = 10
"""How often a line says how far the work is, where no bar can be drawn."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What the command line asks for."""

    study: Path | None
    items: Path | None
    task: str | None
    method: str
    models: tuple[str, ...]
    personas: tuple[str, ...]
    reasonings: tuple[str, ...]
    panel: str | None
    rounds: int
    only_disputed: bool
    examples: int
    probabilities: bool
    limit: int | None
    at_once: int
    engine: str
    ray_address: str
    budget_usd: float | None
    in_flight: str
    out: Path | None
    db: str | None


def label(wish: Wish, *, as_json: bool) -> bool:
    """Label items; running it again goes on where it ended. False when it was stopped before the end.

    Raises:
        CritoError: something in the input cannot be used, or a model cannot be asked.
    """
    if wish.out is not None:
        table_format(wish.out)
    study, url = _study(wish)
    panels = _panels(wish, study)
    tasks = [TaskName(wish.task)] if wish.task and not wish.items else [task.name for task in study.tasks]

    settings, spending = Settings(url), spending_of(wish.budget_usd, wish.in_flight)
    _require_engine(wish, url)

    async def work(cpus: int) -> bool:
        async with parts_for_labelling(settings, spending, study.name) as parts:
            rows, whole = list[Row](), True
            for panel, task in product(panels, tasks):
                job = await begin(parts, study, panel, task=task, limit=wish.limit)
                async with parts.store.hold(f"labelling {job.labelling.id}"):
                    finished, tally = await _work_through(parts, job, wish, cpus, as_json=as_json)
                rows += await round_rows(parts, job.labelling)
                whole &= finished and not tally.held
                if not finished:
                    break
            if wish.out is not None:
                _write(wish.out, rows, as_json=as_json)
            return whole

    if wish.engine == "local":
        return asyncio.run(work(0))
    with ray_cluster(wish.ray_address) as cpus:
        return asyncio.run(work(cpus))


@contextlib.asynccontextmanager
async def parts_for_labelling(settings: Settings, spending: Spending, study: StudyName) -> AsyncIterator[Parts]:
    """The parts, with a budget from which what labelling the study has cost before is taken."""
    spent = 0.0
    if spending.budget_usd is not None:
        async with open_parts(settings) as parts:
            spent = await spent_usd(parts, study)
    async with (
        open_parts(settings, replace(spending, spent_usd=spent)) as parts,
        noted_budget(parts, study, spending.budget_usd),
    ):
        yield parts


def replay(run: str, study: str | None, db: str | None, out: Path | None, *, as_json: bool) -> None:
    """Go through recorded runs again, without any model, and compare what they come to.

    Raises:
        NotFound: nothing was labelled under this name.
        Conflict: something comes out that is not what is recorded.
    """
    name, url = existing_study(study, db) if study else (None, database(db, None))
    require_database(url)

    async def work() -> tuple[Labelling, list[Row]]:
        async with open_parts(Settings(url)) as parts:
            found = await parts.store.read(lambda tx: find_labelling(tx, name, run))
            recorded = await round_rows(parts, found)
            again = await replayed_rows(parts, found)
            if again != recorded:
                differing = next((new for new, old in zip(again, recorded, strict=False) if new != old), None)
                raise Conflict(f"the replies on record read differently today; first: {differing}")
            return found, again

    found, rows = asyncio.run(work())
    if out is not None:
        _write(out, rows, as_json=True)
    if as_json:
        screen.facts({"study": found.study, "labelling": found.id, "rows": len(rows), "same": True})
    else:
        screen.say(f"{len(rows):,} answers of {found.id} were gone through again: all as recorded.")


def spending_of(budget_usd: float | None, in_flight: str) -> Spending:
    """What calls may cost, as the options say.

    Raises:
        InvalidInput: there is no such choice for calls in flight.
    """
    choices: tuple[InFlight, ...] = get_args(InFlight)
    chosen = next((choice for choice in choices if choice == in_flight), None)
    if chosen is None:
        raise InvalidInput("there is no such choice", in_flight, " or ".join(choices), key="--in-flight")
    return Spending(budget_usd, in_flight=chosen)


def _require_engine(wish: Wish, url: str) -> None:
    if wish.engine not in ENGINES:
        raise InvalidInput("there is no such engine", wish.engine, " or ".join(ENGINES), key="--engine")
    if wish.engine == "ray" and url.startswith("sqlite"):
        raise InvalidInput(
            "processes of a Ray cluster keep their record in PostgreSQL, which all of them reach",
            came=url, wanted="name one with --db postgresql://USER@HOST/DATABASE", key="--engine",
        )  # fmt: skip


async def _work_through(parts: Parts, job: Job, wish: Wish, cpus: int, *, as_json: bool) -> tuple[bool, Tally]:
    """Do what is waiting, here or on the CPUs of a cluster, and say what was done; whether nothing stopped it.

    Raises:
        CritoError: what ended it, such as a budget that is used up; what was done before is said all the same.
    """
    _say_plan(job)
    engine = await _on_ray(parts, job, wish, cpus) if cpus else LocalEngine(wish.at_once)
    tally = Tally()
    try:
        await drive(parts, job, engine, tally)
    finally:
        _say(_facts(job, tally, wish), tally, as_json=as_json)
    return not engine.stopped, tally


def _say_plan(job: Job) -> None:
    """What is about to be asked, before anything is."""
    if not job.waiting:
        return
    planned = panel_plan(job.panel, job.task, job.waiting)
    cost_usd = cost_at_most(planned.loads)
    cost = "at a price that is not known" if cost_usd is None else f"{cost_usd:,.2f} US dollars at most"
    screen.note(
        f"{job.panel.name} on {job.task.name}: {planned.items:,} items, {planned.calls_at_most:,} calls and "
        f"{planned.tokens_at_most:,} tokens at most, {cost}."
    )


async def _on_ray(parts: Parts, job: Job, wish: Wish, cpus: int) -> RayEngine:
    spending = spending_of(wish.budget_usd, wish.in_flight)
    if wish.budget_usd is not None:
        spending = replace(spending, spent_usd=await spent_usd(parts, job.study.name))
    models = [agent.model for agent in job.panel.agents]
    at_most = max(1, min(cpus, wish.at_once, sum(1 for _ in shards(job))))
    workers, share = share_out(Settings(_database(wish)), spending, models, at_most)
    return RayEngine(workers, wish.at_once, share)


async def drive(
    parts: Parts,
    job: Job,
    engine: LocalEngine | RayEngine,
    tally: Tally,
    *,
    after: Callable[[LabelOutcome], Awaitable[object]] | None = None,
) -> None:
    """Label what waits, with a progress bar and an ear for signals; the tally has what was done, however it ends.

    `after` is what the local engine does once an item is labelled.
    """
    with _progress(job, tally) as step, stop_on_signals(engine):
        if isinstance(engine, RayEngine):
            await engine.label(job, tally, step)
            return

        def done(outcome: LabelOutcome) -> None:
            tally.finished.append(outcome)
            step()

        def spent(spent: Spent) -> None:
            tally.spend(spent)
            step()

        await label_waiting(parts, job, engine, done=done, spent=spent, held=tally.held.__setitem__, after=after)


@contextlib.contextmanager
def stop_on_signals(engine: LocalEngine | RayEngine) -> Iterator[None]:
    """The first signal lets the calls in flight end; a second one changes nothing, so that nothing paid is lost."""
    loop = asyncio.get_running_loop()

    def stop() -> None:
        if not engine.stopped:
            screen.note("Stopping: the calls in flight are waited for and kept.")
        engine.stop()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop)
    try:
        yield
    finally:
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)


@contextlib.contextmanager
def _progress(job: Job, tally: Tally) -> Iterator[Callable[[], None]]:
    """Gives a function that shows how far the work is: a bar on a terminal, else a line now and then."""
    total, before = len(job.waiting) + len(job.done), len(job.done)
    title = f"{job.panel.name} on {job.task.name}"
    if sys.stderr.isatty():
        # Rich takes a tenth of a second to import.
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
        with Progress(*columns, console=Console(stderr=True)) as progress:
            bar = progress.add_task(title, total=total, completed=before)
            yield lambda: progress.update(
                bar, completed=before + len(tally.finished), description=f"{title}: {tally.words}"
            )
        return
    begun = said = time.monotonic()

    def step() -> None:
        nonlocal said
        if time.monotonic() - said < SAY_EVERY_S:
            return
        said = time.monotonic()
        n_done = len(tally.finished)
        left_s = (said - begun) / n_done * (total - before - n_done) if n_done else None
        eta = f", about {left_s:,.0f} s to go" if left_s is not None else ""
        screen.note(f"{title}: {before + n_done:,} of {total:,} items, {tally.words}{eta}")

    yield step


def _database(wish: Wish) -> str:
    return database(wish.db, study_file(wish.study) if wish.study else wish.items)


def _study(wish: Wish) -> tuple[Study, str]:
    if (wish.study is None) == (wish.items is None):
        raise InvalidInput("name a study, or items and a task", wanted="crito label STUDY, or --items FILE --task FILE")
    if wish.study is not None:
        return load_study(study_file(wish.study)), _database(wish)
    if wish.task is None or wish.items is None:
        raise InvalidInput("the items have no task", wanted="name a task file with --task", key="--task")
    return load_task(Path(wish.task), wish.items), _database(wish)


def _panels(wish: Wish, study: Study) -> Sequence[Panel]:
    if wish.models:
        return [
            panel_of(
                wish.method,
                wish.models,
                personas=wish.personas,
                reasonings=wish.reasonings,
                name=wish.panel or "",
                rounds=wish.rounds,
                only_disputed=wish.only_disputed,
                examples=wish.examples,
                probabilities=wish.probabilities,
            )
        ]
    if not study.models:
        raise InvalidInput("no model is named", wanted="name one with --model, or in `models:` of the study file")
    chosen = [panel for panel in study.models if wish.panel in (None, panel.name)]
    if not chosen:
        names = ", ".join(panel.name for panel in study.models)
        raise InvalidInput("there is no such panel", wish.panel, f"one of {names}", key="--panel")
    return chosen


def _facts(job: Job, tally: Tally, wish: Wish) -> dict[str, object]:
    outcomes = [*job.done, *tally.finished]
    gold = {item.id: item.gold for item in job.task.items if item.gold is not None}
    judged = [outcome for outcome in outcomes if outcome.item in gold]
    n_right = sum(outcome.vote.label == gold[outcome.item] for outcome in judged)
    return {
        "study": job.study.name, "task": job.task.name, "panel": job.panel.name, "method": job.panel.method,
        "labelling": job.labelling.id, "items": len(job.waiting) + len(job.done), "done": len(outcomes),
        "by_status": dict(Counter(outcome.vote.status for outcome in outcomes)),
        "right": n_right if judged else None, "with_gold": len(judged),
        "calls": tally.calls, "failed_calls": tally.failed, "unusable": dict(tally.unusable), "held": len(tally.held),
        "cost_usd": None if tally.cost_unknown else tally.cost_usd, "database": shown_database(_database(wish)),
    }  # fmt: skip


def _say(facts: dict[str, object], tally: Tally, *, as_json: bool) -> None:
    # Items that a broken line left are done next time, and the line says so itself.
    lost = [outcome.item for outcome in tally.finished if outcome.item in tally.lost]
    for item in lost[:LOST_LISTED]:
        screen.note(f"No answer   item {item!r}: {tally.lost[item]}")
    if len(lost) > LOST_LISTED:
        screen.note(f"No answer   {len(lost) - LOST_LISTED:,} more items; `--out` has each")
    for item, held in list(tally.held.items())[:1]:
        screen.note(f"Held   {len(tally.held):,} items, first {item!r}: {held}")
    if as_json:
        screen.facts(facts)
        return
    by_status = facts["by_status"]
    assert isinstance(by_status, dict)
    screen.say(f"{facts['panel']} ({facts['method']}) on {facts['task']}: {facts['done']} of {facts['items']} items")
    if by_status:
        screen.table(("outcome", "items"), sorted(by_status.items()))
    if facts["with_gold"]:
        screen.say(f"Right  {facts['right']} of {facts['with_gold']} items with a reference label")
    screen.say(f"Now    {tally.words}")
    screen.next_command(
        f"Run    {facts['labelling']} in {facts['database']}.",
        f"crito report {facts['study']} --db {facts['database']} --out report.html",
    )


def _write(out: Path, rows: Sequence[Row], *, as_json: bool) -> None:
    n_rows = write_table(out, ROUNDS, rows)
    if not as_json:
        screen.say(f"{n_rows:,} rows, one per item, round and agent, are in {out}.")
