from collections.abc import Generator

from crito.model.talk import Answers, Ask, Asks, Turn
from crito.protocols.side_by_side import side_by_side


def counting(name: str, *sizes: int) -> Generator[Asks, Answers, list[str]]:
    heard = []
    for size in sizes:
        answers = yield [Ask(name, f"{name}/{number}") for number in range(size)]
        heard += [answer.text for answer in answers if isinstance(answer, Turn)]
    return heard


def test_each_protocol_hears_its_own_answers_and_none_waits_for_a_longer_one() -> None:
    both = side_by_side([counting("a", 1, 2), counting("b"), counting("c", 2, 1, 1)])

    steps, asks = [], next(both)
    while True:
        steps.append([ask.prompt for ask in asks])
        try:
            asks = both.send([Turn(ask.speaker, ask.prompt, "model") for ask in asks])
        except StopIteration as end:
            results = end.value
            break

    assert steps == [["a/0", "c/0", "c/1"], ["a/0", "a/1", "c/0"], ["c/0"]]
    assert results == [["a/0", "a/0", "a/1"], [], ["c/0", "c/1", "c/0", "c/0"]]
