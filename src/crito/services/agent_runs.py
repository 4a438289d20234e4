"""Runs of agents about something that is no item: how they are carried on, and what is recorded of them."""

import asyncio
from collections.abc import Awaitable, Callable, Generator
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeVar

from crito.model.errors import ModelUnavailable
from crito.model.ids import AnnotatorId, CallKey, RunId, StudyName
from crito.model.record import AgentRun, RecordedTurn
from crito.model.talk import Answer, Answers, Ask, Asks, NoAnswer, Turn
from crito.protocols.driving import Pending, Recorded, advance
from crito.services.label_words import Asked
from crito.services.labelling import Calling, Spent
from crito.services.parts import Parts
from crito.services.ports.models import CallContext, Reply
from crito.services.ports.store import Tx
from crito.services.runs import answer_of

Result = TypeVar("Result")


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


async def carry(
    parts: Parts,
    study: StudyName,
    run: AgentRun,
    protocol: Callable[[], Generator[Asks, Answers, Result]],
    answer: Callable[[Place], Awaitable[Said]],
    heard: Callable[[Ask, Answer], None] = lambda ask, answer: None,
) -> Result:
    """Carry a run from where its record ends to its result; every step is recorded before the next is asked.

    Raises:
        Stopped: before it was over.
        CritoError: a model cannot be asked at all, or a limit was reached.
    """
    recorded = await parts.store.read(lambda tx: recorded_answers(tx, run.id))
    while isinstance(state := advance(protocol(), recorded), Pending):
        places = [Place(run.id, state.step, index, state.asks[index]) for index in state.missing]
        told = await _together([answer(place) for place in places])
        now = parts.now()
        turns = [
            (AnnotatorId(f"{run.about}/{place.ask.speaker}"), _turn(place, said, now))
            for place, said in zip(places, told, strict=True)
        ]
        await parts.store.write(lambda tx: tx.add_agent_turns(study, turns))  # noqa: B023
        new = {
            (place.step, place.index): Recorded(place.ask.fingerprint, said.answer)
            for place, said in zip(places, told, strict=True)
        }
        recorded = {**recorded, **new}
        for place, said in zip(places, told, strict=True):
            heard(place.ask, said.answer)
    return state.result


async def ask_agent(
    parts: Parts,
    study: StudyName,
    place: Place,
    model: str,
    asked: Asked,
    read: Callable[[Ask, Reply], Answer],
    calling: Calling,
) -> Said:
    """Ask a model; one that cannot be reached for now gives no answer.

    Raises:
        Stopped: no further call is made.
        CritoError: the model cannot be asked at all, or a limit was reached.
    """
    ask = place.ask
    context = CallContext(study, place.run, place.step, ask.attempt, index=place.index, slot=ask.speaker)
    made: list[tuple[CallKey | None, int]] = []

    async def call() -> Answer:
        try:
            reply = await parts.models(model).complete(asked.request, context)
        except ModelUnavailable as problem:
            calling.spent(Spent(None, failed=True))
            calling.watch.lost(model, problem)
            return NoAnswer(ask.speaker, str(problem))
        calling.watch.heard(model)
        end = reply.completion
        made.append((end.call, end.latency_ms))
        calling.spent(Spent(end.cost_usd, failed=False))
        return read(ask, reply)

    answer = await calling.turnstile(call)
    key, latency_ms = made[0] if made else (None, 0)
    return Said(answer, "model", model, asked.prompt, asked.prompt_hash, key, latency_ms)


def recorded_answers(tx: Tx, run: RunId) -> dict[tuple[int, int], Recorded]:
    """The answers of a run by step and index."""
    return {(turn.step, turn.index): Recorded(turn.fingerprint, answer_of(turn)) for turn in tx.turns([run])[run]}


async def _together(asking: list[Awaitable[Said]]) -> list[Said]:
    """What is asked side by side; each answer is in the ledger even where another one fails."""
    told = await asyncio.gather(*asking, return_exceptions=True)
    problem = next((problem for problem in told if isinstance(problem, BaseException)), None)
    if problem is not None:
        raise problem
    return [said for said in told if isinstance(said, Said)]


def _turn(place: Place, said: Said, now: datetime) -> RecordedTurn:
    return RecordedTurn(
        run=place.run,
        step=place.step,
        index=place.index,
        fingerprint=place.ask.fingerprint,
        speaker=place.ask.speaker,
        kind=said.kind,
        text=said.answer.text if isinstance(said.answer, Turn) else "",
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
    )
