"""`crito bench experts`: the tables of `experts` on given data, with any models."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from crito.bootstrap import Settings, load_bench
from crito.cli import screen
from crito.cli.labelling import drive, parts_for_labelling, spending_of
from crito.cli.places import database, shown_database
from crito.engine.local import LocalEngine
from crito.engine.shards import Tally
from crito.model.errors import InvalidInput
from crito.model.ids import LabellingId, TaskName
from crito.model.study import GROUP_METHODS, METHODS, Agent, Method, Panel, Study
from crito.services.expert_tables import DOMAINS, SHORT, Entry, ExpertTables, ScoreRow, expert_tables, sampled
from crito.services.labelling import begin
from crito.services.model_reporting import report_models
from crito.services.panels import method_of, reasoning_of, require_model_name
from crito.services.parts import Parts
from crito.stats.statistic import Statistic
from crito.stats.statistic import as_json as as_json_of

DATABASE = "experts-bench.db"
"""Beside no file: the data may stand where nobody may write."""

BENCH_METHODS: tuple[Method, ...] = ("vanilla", "cot", "self_refine", "self_consistency", "discussion")
"""In the order of the source's tables; an ensemble is the plain vote that a discussion is shown beside."""

ALONE = frozenset(METHODS) - GROUP_METHODS

TITLES: Mapping[Method, str] = {
    "cot": "CoT", "self_refine": "self-refine", "self_consistency": "self-consistency",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class BenchWish:
    """What the command line asks for."""

    data: Path
    models: tuple[str, ...]
    reasoning_models: tuple[str, ...]
    reasoning: str
    groups: tuple[str, ...]
    methods: tuple[str, ...]
    tasks: tuple[str, ...]
    limit: int
    seed: int
    at_once: int
    budget_usd: float | None
    in_flight: str
    db: str | None


class Entrant(NamedTuple):
    """A panel, and whether it is a model that thinks before it answers."""

    panel: Panel
    thinks: bool


@dataclass(frozen=True, slots=True)
class Bench:
    """What was done: the tables, what the calls of this command came to, and who could not be asked in which way."""

    tables: ExpertTables
    tally: Tally
    refused: Mapping[str, str]
    whole: bool


def bench_experts(wish: BenchWish, *, as_json: bool) -> bool:
    """Run every model with every method on every task, and print the tables. False when it was stopped before the end.

    Raises:
        CritoError: something in the input cannot be used, or a model cannot be asked.
    """
    spending = spending_of(wish.budget_usd, wish.in_flight)
    study = sampled(load_bench(wish.data), wish.seed)
    _require_tasks(study, wish.tasks)
    entrants = _entrants(wish)
    url = database(wish.db, Path(DATABASE))

    async def work() -> Bench:
        async with parts_for_labelling(Settings(url), spending, study.name) as parts:
            return await _run(parts, study, entrants, wish)

    bench = asyncio.run(work())
    if as_json:
        screen.facts(_facts(bench, url))
    else:
        _show(bench, shown_database(url), str(study.name))
    return bench.whole


async def _run(parts: Parts, study: Study, entrants: Sequence[Entrant], wish: BenchWish) -> Bench:
    tasks = [task.name for task in study.tasks if task.name in (wish.tasks or study_tasks(study))]
    total, refused, stopped = Tally(), dict[str, str](), False
    labellings: dict[str, dict[TaskName, LabellingId]] = {entrant.panel.name: {} for entrant in entrants}
    for (panel, _), task in product(entrants, tasks):
        if stopped or panel.name in refused:
            continue
        job = await begin(parts, study, panel, task=task, limit=wish.limit)
        labellings[panel.name][task] = job.labelling.id
        engine, tally = LocalEngine(wish.at_once), Tally()
        try:
            async with parts.store.hold(f"labelling {job.labelling.id}"):
                await drive(parts, job, engine, tally)
            stopped = engine.stopped
        except InvalidInput as problem:
            # A model that cannot be asked in one way can be asked in the others.
            refused[panel.name] = str(problem)
        total.add(tally)
        screen.note(f"{panel.name} on {task}: {len(job.done) + len(tally.finished):,} items, {tally.words}")
    if len(refused) == len(entrants):
        raise InvalidInput("no model can be asked", wanted="\n".join(refused.values()))
    entries = [Entry(models_of(panel), panel.method, thinks, labellings[panel.name]) for panel, thinks in entrants]
    tables = expert_tables(await report_models(parts, study.name), entries)
    return Bench(tables, total, refused, not (stopped or total.held))


def study_tasks(study: Study) -> tuple[TaskName, ...]:
    return tuple(task.name for task in study.tasks)


def models_of(panel: Panel) -> str:
    """The members of a panel in one line."""
    return ", ".join(agent.model for agent in panel.agents)


def _require_tasks(study: Study, names: Sequence[str]) -> None:
    for name in names:
        if name not in study_tasks(study):
            raise InvalidInput("there is no such task", name, f"one of {', '.join(study_tasks(study))}", key="--task")


def _entrants(wish: BenchWish) -> list[Entrant]:
    """Every model with every method, then those that think, which answer directly: thinking takes the place of methods."""
    thinking = reasoning_of(wish.reasoning)
    plain = {name: Agent(name) for name in _names(wish.models)}
    thinkers = {name: Agent(name, reasoning=thinking) for name in _names(wish.reasoning_models)}
    if not plain and not thinkers:
        raise InvalidInput("no model is named", wanted="name some with --models PROVIDER:NAME", key="--models")
    if both := plain.keys() & thinkers.keys():
        raise InvalidInput("a model is named twice", sorted(both)[0], "under --models or --reasoning-models")
    methods = _methods(wish.methods)
    found = [_entrant(method, [agent]) for agent in plain.values() for method in methods if method in ALONE]
    found += [_entrant("vanilla", [agent], thinks=True) for agent in thinkers.values()]
    agents = plain | thinkers
    groups = [_names([group]) for group in wish.groups] or [list(agents)]
    for group in groups:
        if unknown := [name for name in group if name not in agents]:
            raise InvalidInput("this model of a group is not named", unknown[0], "name it with --models", key="--group")
        found += [_entrant(method, [agents[name] for name in group]) for method in methods if method not in ALONE]
    # One model alone is no group.
    return [entrant for entrant in found if entrant.panel.method in ALONE or len(entrant.panel.agents) > 1]


def _entrant(method: Method, agents: Sequence[Agent], *, thinks: bool = False) -> Entrant:
    names = " + ".join(agent.model for agent in agents)
    return Entrant(Panel(f"{names} {method}{' (thinks)' if thinks else ''}", method, tuple(agents)), thinks)


def _names(given: Sequence[str]) -> list[str]:
    names = [name.strip() for one in given for name in one.split(",") if name.strip()]
    for name in names:
        require_model_name(name)
    return names


def _methods(given: Sequence[str]) -> list[Method]:
    chosen = [method_of(name) for name in given]
    # The direct answer is what all others are shown beside.
    return [method for method in BENCH_METHODS if not given or method == "vanilla" or method in chosen]


def _show(bench: Bench, shown_url: str, study: str) -> None:
    tables = bench.tables
    heads = [f"{title} ({DOMAINS[task]})" if task in DOMAINS else title for task, title in tables.tasks.items()]
    screen.say("Items  " + ", ".join(f"{tables.tasks[task]} {n:,}" for task, n in tables.items.items()))
    if tables.methods:
        screen.table(
            ("model / method", *heads, "Avg."),
            [_score_cells(row, tables) for row in tables.methods],
            title="Accuracy of models and methods, and the change against the direct answer, in percent",
        )
    screen.table(
        ("accuracy", *heads),
        [(row.title, *(_percent(row.accuracy.get(task)) for task in tables.tasks)) for row in tables.best],
        title="Reasoning models beside the best of the others",
    )
    screen.table(
        ("p-value, exact McNemar (adjusted by Holm)", *heads),
        [
            (
                f"{row.models} vs. best {SHORT[row.against]}",
                *(_p(row.difference.get(task), row.p_adjusted.get(task)) for task in tables.tasks),
            )
            for row in tables.tests
        ],
        title="Reasoning models against the best of the others",
    )
    if not tables.tests:
        screen.say("No reasoning model took part; name one with --reasoning-models.")
    if tables.groups:
        screen.table(
            (
                "group",
                "task",
                "plain vote",
                "discussion",
                "upper bound",
                "gap",
                "Fleiss' kappa by round",
                "p (adjusted)",
            ),
            [
                (
                    row.models,
                    tables.tasks[row.task],
                    _percent(row.plain),
                    _percent(row.accuracy),
                    _percent(row.upper_bound),
                    _percent(row.gap),
                    " → ".join("–" if one.value is None else f"{one.value:.2f}" for one in row.kappa),
                    _p(row.difference, row.p_adjusted),
                )
                for row in tables.groups
            ],
            title="Discussion beside the plain vote of its first round",
        )
    for name, problem in bench.refused.items():
        screen.say(f"Left out  {name}: {problem}")
    for item, held in list(bench.tally.held.items())[:1]:
        screen.note(f"Held   {len(bench.tally.held):,} items, first {item!r}: {held}")
    screen.say(f"Now    {bench.tally.words}")
    screen.next_command(
        "The same command again asks for nothing that has an answer.", f"crito report {study} --db {shown_url}"
    )


def _score_cells(row: ScoreRow, tables: ExpertTables) -> tuple[str, ...]:
    name = row.models if row.method == "vanilla" else f"  w/ {TITLES[row.method]}"
    cells = [
        _percent(row.accuracy.get(task)) + (f" ({_arrow(row.change[task])})" if task in row.change else "")
        for task in tables.tasks
    ]
    average = "–" if row.mean is None else f"{100 * row.mean:.1f}"
    return name, *cells, average + (f" ({_arrow(row.mean_change)})" if row.mean_change is not None else "")


def _arrow(change: float) -> str:
    points = round(100 * change, 1)
    return f"{'↑' if points > 0 else '↓' if points < 0 else '−'} {abs(points):.1f}"


def _percent(statistic: Statistic | None) -> str:
    return "–" if statistic is None or statistic.value is None else f"{100 * statistic.value:.1f}"


def _p(statistic: Statistic | None, p_adjusted: float | None) -> str:
    if statistic is None or statistic.p_value is None:
        return "–"
    return f"{statistic.p_value:.3f}" + ("" if p_adjusted is None else f" ({p_adjusted:.3f})")


def _facts(bench: Bench, url: str) -> dict[str, Any]:
    tally = bench.tally
    return {
        "tables": as_json_of(bench.tables), "refused": dict(bench.refused), "calls": tally.calls,
        "failed_calls": tally.failed, "held": len(tally.held), "database": shown_database(url),
        "cost_usd": None if tally.cost_unknown else tally.cost_usd,
    }  # fmt: skip
