"""Builds the parts from settings; the only place that reads the environment, and the files that a study names."""

import asyncio
import contextlib
import gc
import json
import multiprocessing
import os
import secrets
import signal
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from importlib.resources.abc import Traversable
from pathlib import Path
from threading import Thread
from types import FrameType, MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from dotenv import dotenv_values
from starlette.types import ASGIApp

from crito.llm.endpoints import HOSTED
from crito.llm.examining import Examined, examine
from crito.llm.ledger import InFlight
from crito.llm.limits import Budget, limits_of, limits_variable
from crito.llm.local import LOCAL, LocalServer, announce, local_servers
from crito.llm.models import Connections, Models
from crito.llm.prices import Prices, Tokens, tokens_at_most
from crito.model.errors import InvalidInput
from crito.model.record import Call, Origin
from crito.model.study import Study
from crito.platforms.prolific import PROLIFIC_TOKEN_VARIABLE
from crito.protocols.contest import ARGUING
from crito.services.ledger import MostUsd
from crito.services.overview import expire_leases
from crito.services.parts import Parts
from crito.services.ports.recruiting import SubmissionSource
from crito.services.rendering import warming_request
from crito.store.opening import open_store
from crito.studies.bundled import EXPERTS_FILE, STUDY_FILE, demo_file, experts_file
from crito.studies.flows import LOCAL_FIRST_SENTENCE_S
from crito.studies.panel_planning import ModelLoad
from crito.studies.study_file import parse_study, parse_task
from crito.web import logs
from crito.web.settings import WebSettings

if TYPE_CHECKING:
    from crito.web.metrics import Metrics

SERVING_VARIABLE = "CRITO_SERVING"
"""Carries the settings of `crito serve` from the command to its workers."""

METRICS_VARIABLE = "CRITO_METRICS_TOKEN"
"""Holds the token that `/metrics` asks for; without it there is no such page."""

LEASES_LOOKED_AT_EVERY_S = 30
NOTHING_MORE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Settings:
    """What one process of the server needs to know; keys of model providers stay in the environment."""

    database: str
    origin: Origin = "real"
    web: WebSettings = field(default_factory=WebSettings)

    def to_variable(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_variable(cls, text: str) -> "Settings":
        plain = json.loads(text)
        web = plain.pop("web")
        return cls(web=WebSettings(**{**web, "trusted_proxies": tuple(web["trusted_proxies"])}), **plain)


def environment() -> Mapping[str, str]:
    """The variables of the process, over those of `.env` in the working folder."""
    kept = {name: value for name, value in dotenv_values(".env").items() if value is not None}
    return {**kept, **os.environ}


def load_study(path: Path) -> Study:
    """Read a study file and the files it names.

    Raises:
        InvalidInput: there is no such file, or it is no text.
        InvalidStudy: something in it cannot be used.
    """
    return _parsed(path, path.parent, str(path))


def load_task(task: Path, items: Path | None) -> Study:
    """Read a task file and its items as a study of models alone.

    Raises:
        InvalidInput: there is no such file, or it is no text.
        InvalidStudy: something in it cannot be used.
    """

    def read(name: str) -> bytes:
        return Path(name).read_bytes() if items and name == str(items) else (task.parent / name).read_bytes()

    return parse_task(_text_of(task, str(task)), file=str(task), items=str(items or ""), read=read)


def load_bench(data: Path) -> Study:
    """The study of `crito bench experts`: the tasks that a file in the folder `data` declares, or else the bundled one.

    Raises:
        InvalidStudy: the folder lacks something, or holds something that cannot be used.
    """
    own = data / EXPERTS_FILE
    text = _text_of(own, str(own)) if own.is_file() else experts_file().read_text(encoding="utf-8")
    return parse_study(text, file=EXPERTS_FILE, read=lambda name: (data / name).read_bytes())


def demo_study(model: str = "") -> Study:
    """The study of `crito demo`; every partner is `model`, if one is named."""
    text = demo_file(STUDY_FILE).read_text(encoding="utf-8")
    study = parse_study(text, file=STUDY_FILE, read=lambda name: demo_file(name).read_bytes())
    return with_partner(study, model) if model else study


def with_partner(study: Study, model: str) -> Study:
    """`study` with another model in the place of every partner; a local one gets the time it needs."""
    patience = LOCAL_FIRST_SENTENCE_S if model.startswith(f"{LOCAL}:") else 0.0
    conditions = tuple(
        replace(
            condition,
            partner=replace(
                condition.partner,
                model=model,
                first_sentence_s=max(condition.partner.first_sentence_s, patience),
            ),
        )
        for condition in study.conditions
    )
    return replace(study, conditions=conditions)


def _parsed(file: Path | Traversable, folder: Path | Traversable, shown: str) -> Study:
    return parse_study(_text_of(file, shown), file=shown, read=lambda name: (folder / name).read_bytes())


def _text_of(file: Path | Traversable, shown: str) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InvalidInput(f"the file cannot be read ({reason})", file=shown) from error
    except UnicodeDecodeError as error:
        raise InvalidInput("the file is not UTF-8 text", file=shown) from error


def partner_models(study: Study) -> tuple[str, ...]:
    """The models that speak in dialogues of `study`, without the script."""
    speaking = (c.partner.model for c in study.conditions if c.has("discuss"))
    return tuple(dict.fromkeys(model for model in speaking if model != "script"))


def arguing_models(study: Study) -> tuple[str, ...]:
    """The models that may argue about an item while somebody waits."""
    named = study.item_debates.panel if study.item_debates else ""
    return tuple(agent.model for panel in study.models if panel.name == named for agent in panel.agents[:ARGUING])


def study_models(study: Study) -> tuple[str, ...]:
    """Every model that a study names, each once: those that speak and those that label."""
    labelling = (agent.model for panel in study.models for agent in panel.agents)
    return tuple(dict.fromkeys((*partner_models(study), *labelling)))


async def examine_models(names: Sequence[str]) -> list[Examined]:
    """What each model can do; one that is not configured is told like one that does not answer."""
    connections = Connections(environment())
    found = []
    try:
        for name in names:
            try:
                found.append(await examine(connections(name)))
            except InvalidInput as problem:
                found.append(Examined(name, problem=f"{name}: {problem}"))
    finally:
        await connections.close()
    return found


@contextlib.contextmanager
def shared_local_models(studies: list[Study]) -> Iterator[None]:
    """Start the server of each local model once, for this process and those it starts.

    Raises:
        InvalidInput: a model cannot be loaded.
    """
    models = [model for study in studies for model in (*partner_models(study), *arguing_models(study))]
    paths = [model.partition(":")[2] for model in models if model.startswith(f"{LOCAL}:")]
    with local_servers(paths) as servers:
        if servers:
            os.environ.update(announce(servers))
            # Beside the start of the server: reading the prompts takes a small machine longer than anyone would wait.
            Thread(target=_warm, args=(servers, studies), daemon=True).start()
        yield


def _warm(servers: Mapping[str, LocalServer], studies: Sequence[Study]) -> None:
    for study in studies:
        for partner in dict.fromkeys(c.partner for c in study.conditions if c.has("discuss")):
            server = servers.get(partner.model.removeprefix(f"{LOCAL}:"))
            if server is None:
                continue
            for task in study.tasks:
                # A server that is ended while it reads has nobody left to warm up for.
                with contextlib.suppress(OSError):
                    server.warm(warming_request(study, task, partner))


class _Built(NamedTuple):
    parts: Parts
    models: Models

    async def close(self) -> None:
        await self.parts.drain()
        await self.models.close()
        await self.parts.store.close()


@dataclass(frozen=True, slots=True)
class Spending:
    """What calls to models may cost, `spent_usd` of which is spent already, and what becomes of those whose outcome
    nobody knows."""

    budget_usd: float | None = None
    spent_usd: float = 0.0
    in_flight: InFlight = "hold"


def most_usd() -> MostUsd:
    """What calls on record may have cost at most, by the prices of today."""
    prices = Prices.of(environment())

    def most(call: Call, body: str) -> float | None:
        if call.provider == LOCAL:
            return 0.0
        listed = call.provider in HOSTED
        return prices.cost_usd(call.provider, (call.requested_model,), tokens_at_most(body), listed=listed)

    return most


def cost_at_most(loads: Sequence[ModelLoad]) -> float | None:
    """What these calls may cost in US dollars, by the prices of today; None where a model has no price that is known."""
    prices, cost_usd = Prices.of(environment()), 0.0
    for load in loads:
        provider, _, model = load.model.partition(":")
        if provider == LOCAL or not load.calls:
            continue
        tokens = Tokens(load.input_tokens, 0, load.output_tokens)
        of_model = prices.cost_usd(provider, (model,), tokens, listed=provider in HOSTED)
        if of_model is None:
            return None
        cost_usd += of_model
    return cost_usd


@dataclass(frozen=True, slots=True)
class Share:
    """Opens the parts of one of several processes that label together; `limits` stand over its own environment."""

    settings: Settings
    spending: Spending
    limits: Mapping[str, str]

    def __call__(self) -> contextlib.AbstractAsyncContextManager[Parts]:
        return open_parts(self.settings, self.spending, self.limits)


def share_out(settings: Settings, spending: Spending, models: Sequence[str], at_most: int) -> tuple[int, Share]:
    """Among how many processes, `at_most` so many, the limits of the models' providers can be shared out, and the share
    of each: of what may be asked at once and in a minute, and of what is left to spend."""
    given = {provider: limits_of(provider, environment()) for provider in {name.partition(":")[0] for name in models}}
    workers = min(at_most, *(limits.sharers for limits in given.values()))
    left_usd = None if spending.budget_usd is None else max(0.0, spending.budget_usd - spending.spent_usd) / workers
    limits = {limits_variable(provider): str(limits.share(workers)) for provider, limits in given.items()}
    return workers, Share(settings, replace(spending, budget_usd=left_usd, spent_usd=0.0), limits)


def _build(settings: Settings, spending: Spending = Spending(), more: Mapping[str, str] = NOTHING_MORE) -> _Built:
    store = open_store(settings.database)
    budget = Budget(spending.budget_usd, spending.spent_usd)
    models = Models(store, {**environment(), **more}, _now, budget=budget, in_flight=spending.in_flight)
    parts = Parts(store, models, _now, lambda: secrets.randbits(63), settings.origin, _prolific())
    return _Built(parts, models)


def _prolific() -> SubmissionSource | None:
    """Prolific's API, where a token for it is in the environment."""
    variables = environment()
    token = variables.get(PROLIFIC_TOKEN_VARIABLE, "").strip()
    if not token:
        return None
    # What speaks HTTP to others takes a third of a second to import, and few have a token.
    from crito.platforms.prolific_api import ADDRESS_VARIABLE, API, Prolific

    return Prolific(token, variables.get(ADDRESS_VARIABLE) or API)


@contextlib.asynccontextmanager
async def open_parts(
    settings: Settings, spending: Spending = Spending(), more: Mapping[str, str] = NOTHING_MORE
) -> AsyncIterator[Parts]:
    """The parts over one database, closed again at the end; variables of `more` stand over the environment's.

    Raises:
        DatabaseMismatch: the database is of another schema than this code.
    """
    built = _build(settings, spending, more)
    try:
        yield built.parts
    finally:
        await built.close()


def app() -> ASGIApp:
    """The application of one worker, from the settings that the command left in the environment."""
    # FastAPI takes half a second to import, and most commands serve nothing.
    from crito.web.app import create_app

    settings = Settings.from_variable(os.environ[SERVING_VARIABLE])
    logs.configure(as_json=settings.web.log_requests)
    built = _build(settings)
    application = create_app(built.parts, settings.web, _metrics())
    inner = application.router.lifespan_context
    application.router.lifespan_context = partial(_at_work, built, inner, settings.web.leave_after_s)
    return application


def _metrics() -> "Metrics | None":
    """What counts the requests of this worker, where a token says that somebody asks."""
    token = environment().get(METRICS_VARIABLE, "")
    if not token:
        return None
    # It takes half a second to import, and most servers are not asked for metrics.
    from crito.web.metrics import Metrics

    return Metrics(token)


@contextlib.asynccontextmanager
async def _at_work(
    built: _Built, inner: Callable[[Any], Any], leave_after_s: float, application: Any
) -> AsyncIterator[None]:
    """From start to end of a worker: it gives back lapsed places, and finishes what it began before it ends."""
    # What is there by now stays for good; the collector need not look through it while people wait.
    gc.collect()
    gc.freeze()
    _end_with_the_command()
    if leave_after_s:
        _say_before_leaving(application, leave_after_s)
    leases = asyncio.create_task(_give_back_lapsed_places(built.parts))
    try:
        async with inner(application):
            yield
    finally:
        leases.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await leases
        await built.close()


def _say_before_leaving(application: Any, after_s: float) -> None:
    """On SIGTERM have `/readyz` say so for a while, then do what would have been done at once: a proxy stops sending people."""
    loop, at_once = asyncio.get_running_loop(), signal.getsignal(signal.SIGTERM)

    def leave(number: int, frame: FrameType | None) -> None:
        if callable(at_once):
            application.state.leaving = True
            loop.call_soon_threadsafe(loop.call_later, after_s, at_once, number, frame)

    signal.signal(signal.SIGTERM, leave)


def _end_with_the_command() -> None:
    """Have a worker end when the command that started it was killed: nobody else would, and it holds the port."""
    command = multiprocessing.parent_process()
    if command is not None:
        asyncio.get_running_loop().add_reader(command.sentinel, signal.raise_signal, signal.SIGTERM)


async def _give_back_lapsed_places(parts: Parts) -> None:
    while True:
        await expire_leases(parts)
        await asyncio.sleep(LEASES_LOOKED_AT_EVERY_S)


def _now() -> datetime:
    return datetime.now(UTC)
