"""Several protocols at once, as one: what each asks next is asked together."""

from collections.abc import Generator, Sequence
from typing import TypeVar

from crito.model.talk import Answers, Ask, Asks

Result = TypeVar("Result")


def side_by_side(protocols: Sequence[Generator[Asks, Answers, Result]]) -> Generator[Asks, Answers, list[Result]]:
    """Carry all `protocols` on, a step at a time, until each is over; their results in their order."""
    asks: dict[int, tuple[Ask, ...]] = {}
    results: dict[int, Result] = {}

    def go_on(place: int, answers: Answers | None) -> None:
        asks.pop(place, None)
        try:
            protocol = protocols[place]
            asks[place] = tuple(next(protocol) if answers is None else protocol.send(answers))
        except StopIteration as end:
            results[place] = end.value

    for place in range(len(protocols)):
        go_on(place, None)
    while asks:
        together = sorted(asks.items())
        answers = list((yield [ask for _, mine in together for ask in mine]))
        for place, mine in together:
            given, answers = answers[: len(mine)], answers[len(mine) :]
            go_on(place, given)
    return [results[place] for place in range(len(protocols))]
