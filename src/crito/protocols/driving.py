"""How far a run has come: recorded answers are fed to a protocol until one is missing.

Live, resumed and replayed runs differ only in what is recorded and in who answers what is missing.
"""

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from crito.model.errors import ReplayMismatch
from crito.model.talk import Answer, Answers, Ask, Asks

Result = TypeVar("Result")


class Recorded(NamedTuple):
    """An answer as it was kept, with the fingerprint of the ask it answered."""

    fingerprint: str
    answer: Answer


@dataclass(frozen=True, slots=True)
class Pending:
    """A protocol that waits: `missing` are the indexes of `asks` that nobody has answered yet."""

    step: int
    asks: tuple[Ask, ...]
    missing: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Finished(Generic[Result]):
    """A protocol that is over, after `step` steps."""

    step: int
    result: Result


def advance(
    protocol: Generator[Asks, Answers, Result], recorded: Mapping[tuple[int, int], Recorded]
) -> Pending | Finished[Result]:
    """Feed a fresh `protocol` with its recorded answers and say where it stands.

    `recorded` is by step and index: steps count what the protocol yields, indexes the asks side by side.

    Raises:
        ReplayMismatch: a recorded answer belongs to another ask, or to none that the protocol makes.
    """
    step, used, answers = 0, 0, None
    while True:
        try:
            asks = tuple(next(protocol) if answers is None else protocol.send(answers))
        except StopIteration as end:
            _refuse_leftovers(recorded, used, step)
            return Finished(step, end.value)
        given = {i: _answer_to(ask, (step, i), recorded) for i, ask in enumerate(asks) if (step, i) in recorded}
        used += len(given)
        if len(given) < len(asks):
            _refuse_leftovers(recorded, used, step)
            return Pending(step, asks, tuple(i for i in range(len(asks)) if i not in given))
        answers = tuple(given[i] for i in range(len(asks)))
        step += 1


def _answer_to(ask: Ask, place: tuple[int, int], recorded: Mapping[tuple[int, int], Recorded]) -> Answer:
    fingerprint, answer = recorded[place]
    if fingerprint != ask.fingerprint:
        wanted = f"{ask.prompt!r} asked of {ask.speaker!r}, attempt {ask.attempt}"
        raise ReplayMismatch(*place, f"it was given to another ask than {wanted}, or to one with other values")
    return answer


def _refuse_leftovers(recorded: Mapping[tuple[int, int], object], used: int, step: int) -> None:
    if used < len(recorded):
        place = max(recorded)
        raise ReplayMismatch(*place, f"the protocol asks nothing there; it stands at step {step}")
