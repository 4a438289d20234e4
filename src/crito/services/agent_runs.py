"""Runs of agents about something that is no item: how they are carried on, and what is recorded of them."""

from collections.abc import Awaitable, Callable, Generator
from functools import partial
from typing import TypeVar

from crito.model.ids import AnnotatorId, RunId, StudyName
from crito.model.record import AgentRun
from crito.model.talk import Answer, Answers, Ask, Asks
from crito.protocols.driving import Pending, Recorded, advance
from crito.services.asking import Calling, Place, Said, ask_model, together, turn_to_record
from crito.services.label_words import Asked
from crito.services.parts import Parts
from crito.services.ports.models import CallContext, Reply
from crito.services.ports.store import Tx
from crito.services.runs import answer_of

Result = TypeVar("Result")


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
        told = await together(answer(place) for place in places)
        now = parts.now()
        turns = [
            (AnnotatorId(f"{run.about}/{place.ask.speaker}"), turn_to_record(place, said, now))
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
    return await ask_model(parts, model, asked, context, partial(read, ask), calling, speaker=ask.speaker)


def recorded_answers(tx: Tx, run: RunId) -> dict[tuple[int, int], Recorded]:
    """The answers of a run by step and index."""
    return {(turn.step, turn.index): Recorded(turn.fingerprint, answer_of(turn)) for turn in tx.turns([run])[run]}
