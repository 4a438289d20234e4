"""`advance`: a protocol is fed with what is recorded, and says what is missing."""

from collections.abc import Generator

import pytest

from crito.model.errors import ReplayMismatch
from crito.model.talk import Answer, Answers, Ask, Asks, Turn
from crito.protocols.driving import Finished, Pending, advance

FIRST = Ask("ana", "test/first", {"item": "i-1"})
SECOND = Ask("ben", "test/first", {"item": "i-1"})


def pair() -> Generator[Asks, Answers, str]:
    """Asks two speakers side by side, then one of them again with what was said."""
    one, two = yield [FIRST, SECOND]
    assert isinstance(one, Turn)
    assert isinstance(two, Turn)
    (last,) = yield [Ask("ana", "test/second", {"heard": two.text})]
    assert isinstance(last, Turn)
    return f"{one.text}+{two.text}+{last.text}"


def silent() -> Generator[Asks, Answers, str]:
    """Asks nobody anything."""
    yield []
    return "done"


def given(ask: Ask, text: str) -> tuple[str, Answer]:
    return ask.fingerprint, Turn(ask.speaker, text, "person")


def test_nothing_recorded_leaves_every_ask_of_the_first_step_missing() -> None:
    assert advance(pair(), {}) == Pending(0, (FIRST, SECOND), (0, 1))


def test_a_half_answered_step_says_which_index_is_missing() -> None:
    stand = advance(pair(), {(0, 1): given(SECOND, "b")})

    assert stand == Pending(0, (FIRST, SECOND), (0,))


def test_a_later_ask_carries_what_was_recorded_before_it() -> None:
    stand = advance(pair(), {(0, 0): given(FIRST, "a"), (0, 1): given(SECOND, "b")})

    assert isinstance(stand, Pending)
    assert (stand.step, stand.missing) == (1, (0,))
    assert stand.asks[0].values == {"heard": "b"}


def test_a_fully_recorded_run_finishes_with_its_result() -> None:
    third = Ask("ana", "test/second", {"heard": "b"})

    stand = advance(pair(), {(0, 0): given(FIRST, "a"), (0, 1): given(SECOND, "b"), (1, 0): given(third, "c")})

    assert stand == Finished(2, "a+b+c")


def test_a_step_without_asks_needs_no_answers() -> None:
    assert advance(silent(), {}) == Finished(1, "done")


def test_feeding_the_same_record_twice_gives_the_same_stand() -> None:
    recorded = {(0, 0): given(FIRST, "a")}

    assert advance(pair(), recorded) == advance(pair(), recorded)


def test_an_answer_to_another_ask_is_a_mismatch_that_says_where() -> None:
    other = Ask("ana", "test/first", {"item": "i-2"})

    with pytest.raises(ReplayMismatch, match=r"turn 0/0 .*'test/first' asked of 'ana'") as raised:
        advance(pair(), {(0, 0): given(other, "a"), (0, 1): given(SECOND, "b")})

    assert (raised.value.step, raised.value.index) == (0, 0)


@pytest.mark.parametrize("place", [(0, 2), (1, 0), (7, 0)])
def test_an_answer_where_nothing_is_asked_is_a_mismatch(place: tuple[int, int]) -> None:
    with pytest.raises(ReplayMismatch, match=f"turn {place[0]}/{place[1]} "):
        advance(pair(), {(0, 0): given(FIRST, "a"), place: given(FIRST, "x")})


def test_an_answer_after_the_end_is_a_mismatch() -> None:
    with pytest.raises(ReplayMismatch, match="stands at step 1"):
        advance(silent(), {(1, 0): given(FIRST, "late")})
