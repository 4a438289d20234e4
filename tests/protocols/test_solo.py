"""One model alone: directly, by a chain of thought, by refining its draft."""

import pytest

from crito.model.talk import Answer, Ask, NoAnswer, ReadLabel, Turn
from crito.protocols.labelling import labels_of
from crito.protocols.solo import cot, self_refine, vanilla
from tests.protocols.agents import DEAD, labelled, play, scripted


@pytest.mark.parametrize(("protocol", "reasoned"), [(vanilla, False), (cot, True)])
def test_one_ask_gives_the_label(protocol: object, reasoned: bool) -> None:
    played = play(protocol("m"), scripted({"m": ["A"]}))  # type: ignore[operator]

    assert played.outcome.vote.label == "A"
    assert [ask.values["reasoned"] for step in played.steps for ask in step] == [reasoned]


def test_an_unreadable_answer_is_asked_for_once_more_and_not_twice() -> None:
    played = play(vanilla("m"), scripted({"m": ["?", "!"]}))

    assert (played.n_calls, played.outcome.vote.status) == (2, "missing")
    assert played.outcome.rounds[0]["m"] == ReadLabel("outside_label_set", came="Maybe")


@pytest.mark.parametrize("reading", ["refused", "truncated"])
def test_a_refused_or_truncated_answer_is_not_asked_for_again(reading: str) -> None:
    played = play(vanilla("m"), lambda ask: Turn("m", "", "model", labelled=ReadLabel(reading)))  # type: ignore[arg-type]

    assert (played.n_calls, played.outcome.vote.label) == (1, None)


def refined(ask: Ask) -> Answer:
    if ask.prompt == "labelling/review":
        return Turn("m", "The second line speaks against it.", "model")
    return labelled("m", "A" if ask.prompt == "labelling/label" else "B")


def test_a_draft_is_reviewed_and_refined_with_the_review_in_view() -> None:
    played = play(self_refine("m"), refined)

    assert [ask.prompt for step in played.steps for ask in step] == [
        "labelling/label", "labelling/review", "labelling/refine",
    ]  # fmt: skip
    assert played.steps[2][0].values["review"] == "The second line speaks against it."
    assert [labels_of(answers) for answers in played.outcome.rounds] == [{"m": "A"}, {"m": "B"}]
    assert played.outcome.vote.label == "B"


@pytest.mark.parametrize("words", [["?", "?"], [DEAD]])
def test_without_a_draft_nothing_is_refined(words: list[str]) -> None:
    played = play(self_refine("m"), scripted({"m": words}))

    assert (len(played.outcome.rounds), played.outcome.vote.status) == (1, "missing")


def test_a_review_that_does_not_come_leaves_no_final_label() -> None:
    played = play(self_refine("m"), scripted({"m": ["A", DEAD]}))

    assert played.outcome.rounds[-1] == {"m": NoAnswer("m", "unreachable")}
    assert played.outcome.vote.status == "missing"
