"""Ask models what runs want to know: how calls are let through and watched, and what is recorded of an answer."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NamedTuple

from crito.model.errors import ModelUnavailable
from crito.model.ids import CallKey, ItemId, RunId
from crito.model.record import RecordedTurn
from crito.model.talk import Answer, Ask, NoAnswer, Reading, Turn
from crito.services.label_words import Asked
from crito.services.parts import Parts
from crito.services.ports.models import CallContext, Reply

AWAY_AFTER = 5
"""After so many calls in a row that did not get through, a model counts as away."""


class Spent(NamedTuple):
    """One call that a run made, for whoever watches; a cost of None is not known. Of one that failed, on which item and why.

    `reading` is how its reply was read, where a label was asked for.
    """

    cost_usd: float | None
    failed: bool
    item: ItemId | None = None
    problem: str = ""
    reading: Reading = "ok"


class Stopped(Exception):
    """No further call is to be made; what was answered is recorded."""


@dataclass(slots=True)
class Watch:
    """Tells a model that misses a call from one that is away.

    A missed call becomes an answer that did not come; a model that never answered, or not for a while, ends the work
    instead, so that a broken line does not go into the record as a thousand missing labels.
    """

    missed: Counter[str] = field(default_factory=Counter)
    heard_of: set[str] = field(default_factory=set)

    def heard(self, model: str) -> None:
        self.heard_of.add(model)
        self.missed[model] = 0

    def lost(self, model: str, problem: ModelUnavailable) -> None:
        """Count a call that did not get through.

        Raises:
            ModelUnavailable: the model is away.
        """
        if problem.trouble not in ("busy", "unreached"):
            return
        self.missed[model] += 1
        if model not in self.heard_of or self.missed[model] >= AWAY_AFTER:
            raise problem


@dataclass(frozen=True, slots=True)
class Calling:
    """How a run's calls are made: `turnstile` lets a call through or raises `Stopped`; `spent` hears of each."""

    turnstile: Callable[[Callable[[], Awaitable[Answer]]], Awaitable[Answer]]
    spent: Callable[[Spent], None]
    watch: Watch = field(default_factory=Watch)


@dataclass(frozen=True, slots=True)
class Place:
    """An ask with its place in a run."""

    run: RunId
    step: int
    index: int
    ask: Ask


@dataclass(frozen=True, slots=True)
class Said:
    """An answer to an ask, with where it came from."""

    answer: Answer
    kind: Literal["model", "person", "script"] = "model"
    model: str = ""
    prompt: str = ""
    prompt_hash: str = ""
    call: CallKey | None = None
    latency_ms: int = 0


async def ask_model(
    parts: Parts,
    model: str,
    asked: Asked,
    context: CallContext,
    read: Callable[[Reply], Answer],
    calling: Calling,
    *,
    speaker: str,
    item: ItemId | None = None,
) -> Said:
    """Ask a model; one that cannot be reached for now gives no answer.

    Raises:
        Stopped: no further call is made.
        CritoError: the model cannot be asked at all, or a limit was reached.
    """
    made: list[tuple[CallKey | None, int]] = []

    async def call() -> Answer:
        try:
            reply = await parts.models(model).complete(asked.request, context)
        except ModelUnavailable as problem:
            calling.spent(Spent(None, True, item, str(problem)))
            calling.watch.lost(model, problem)
            return NoAnswer(speaker, str(problem))
        calling.watch.heard(model)
        end = reply.completion
        made.append((end.call, end.latency_ms))
        answer = read(reply)
        labelled = answer.labelled if isinstance(answer, Turn) else None
        calling.spent(Spent(end.cost_usd, failed=False, reading=labelled.reading if labelled else "ok"))
        return answer

    answer = await calling.turnstile(call)
    key, latency_ms = made[0] if made else (None, 0)
    return Said(answer, "model", model, asked.prompt, asked.prompt_hash, key, latency_ms)


async def together(asking: Iterable[Awaitable[Said]]) -> list[Said]:
    """What is asked side by side; each answer is in the ledger even where another one fails."""
    told = await asyncio.gather(*asking, return_exceptions=True)
    problem = next((problem for problem in told if isinstance(problem, BaseException)), None)
    if problem is not None:
        raise problem
    return [said for said in told if isinstance(said, Said)]


def turn_to_record(place: Place, said: Said, now: datetime) -> RecordedTurn:
    """What is recorded of an answer."""
    turn = said.answer if isinstance(said.answer, Turn) else None
    return RecordedTurn(
        run=place.run,
        step=place.step,
        index=place.index,
        fingerprint=place.ask.fingerprint,
        speaker=place.ask.speaker,
        kind=said.kind,
        text=turn.text if turn else "",
        mended="",
        streamed="",
        violations=(),
        no_answer=said.answer.reason if isinstance(said.answer, NoAnswer) else "",
        model=said.model,
        prompt=said.prompt,
        prompt_hash=said.prompt_hash,
        call=said.call,
        at=now,
        latency_ms=said.latency_ms,
        labelled=turn.labelled if turn else None,
    )
