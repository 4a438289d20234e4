"""The method `debate`: two agents argue for the two most voted labels of an item, judges decide."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from crito.model.talk import Answer, Ask, NoAnswer, Turn
from crito.protocols.contest import contest, stances_of
from tests.protocols.agents import Played, labelled, play, unread

PANEL = ("agent_1", "agent_2", "agent_3", "agent_4", "agent_5")
LABELS = ("calm", "ironic", "plain")


def debating(votes: Mapping[str, str], decisions: Mapping[str, str] | str, lost: str = "") -> Callable[[Ask], Answer]:
    """Agents that vote and decide as given; whoever is named in `lost` says nothing when it is to argue."""

    def answer(ask: Ask) -> Answer:
        if ask.prompt == "labelling/argue":
            if ask.speaker == lost:
                return NoAnswer(ask.speaker, "away")
            return Turn(ask.speaker, f"{ask.values['phase']} for {ask.values['stance']}", "model")
        if ask.prompt == "labelling/decide":
            decided = decisions if isinstance(decisions, str) else decisions[ask.speaker]
            return unread(ask.speaker) if decided == "?" else labelled(ask.speaker, decided)
        vote = votes[ask.speaker]
        return unread(ask.speaker) if vote == "?" else labelled(ask.speaker, vote)

    return answer


def votes(*labels: str) -> dict[str, str]:
    return dict(zip(PANEL, labels, strict=True))


def argued(played: Played) -> list[tuple[str, str, str]]:
    asks = [ask for step in played.steps for ask in step if ask.prompt == "labelling/argue"]
    return [(ask.speaker, ask.values["phase"], ask.values["stance"]) for ask in asks]


def test_the_two_most_voted_labels_are_argued_and_the_judges_decide() -> None:
    given = votes("ironic", "plain", "ironic", "plain", "ironic")

    played = play(contest(PANEL, LABELS), debating(given, "plain"))

    assert argued(played) == [
        (agent, phase, stance)
        for phase in ("opening", "refutation", "closing")
        for agent, stance in (("agent_1", "ironic"), ("agent_2", "plain"))
    ]
    assert (played.outcome.vote.label, played.outcome.vote.status) == ("plain", "consensus")
    first, last = played.outcome.rounds
    assert (set(first), set(last)) == (set(PANEL), {"agent_3", "agent_4", "agent_5"})


def test_each_side_reads_what_the_other_has_said_and_no_more() -> None:
    played = play(contest(PANEL, LABELS), debating(votes("ironic", "plain", "ironic", "plain", "ironic"), "plain"))

    opening, refutation, closing = (step[0].values["arguments"] for step in played.steps[1:4])
    assert opening == []
    assert [(one["agent"], one["phase"], one["own"]) for one in refutation] == [
        ("agent_1", "opening", True), ("agent_2", "opening", False),
    ]  # fmt: skip
    assert len(closing) == 4


def test_every_other_judge_reads_the_sides_in_the_other_order() -> None:
    played = play(contest(PANEL, LABELS), debating(votes("ironic", "plain", "ironic", "plain", "ironic"), "plain"))

    orders = [[one["stance"] for one in ask.values["arguments"]][:2] for ask in played.steps[4]]
    assert orders == [["ironic", "plain"], ["plain", "ironic"], ["ironic", "plain"]]
    assert [len(ask.values["arguments"]) for ask in played.steps[4]] == [6, 6, 6]


@pytest.mark.parametrize(
    ("given", "stances"),
    [
        (("ironic", "plain", "ironic"), ("ironic", "plain")),
        (("plain", "ironic", "ironic"), ("plain", "ironic")),
        (("calm", "ironic", "ironic"), ("calm", "ironic")),
        (("ironic", "ironic", "ironic"), ("ironic", "calm")),
        (("?", "plain", "?"), ("calm", "plain")),
    ],
)
def test_an_agent_argues_its_own_label_where_it_can(given: tuple[str, ...], stances: tuple[str, str]) -> None:
    panel = PANEL[:3]
    labels = {agent: None if label == "?" else label for agent, label in zip(panel, given, strict=True)}

    assert tuple(stances_of(panel[:2], labels, LABELS).values()) == stances


def test_of_disputed_items_only_the_others_keep_their_vote() -> None:
    agreed = play(contest(PANEL, LABELS, only_disputed=True), debating(votes(*["plain"] * 5), "ironic"))
    disputed = play(
        contest(PANEL, LABELS, only_disputed=True), debating(votes("plain", "plain", "plain", "plain", "calm"), "calm")
    )

    assert (agreed.outcome.vote.label, agreed.n_calls, len(agreed.outcome.rounds)) == ("plain", 5, 1)
    assert (disputed.outcome.vote.label, disputed.n_calls) == ("calm", 5 + 6 + 3)


def test_an_item_on_which_all_agree_is_argued_against_the_next_label() -> None:
    played = play(contest(PANEL, LABELS), debating(votes(*["plain"] * 5), "plain"))

    assert {stance for _, _, stance in argued(played)} == {"plain", "calm"}


def test_without_any_vote_there_is_nothing_to_debate() -> None:
    played = play(contest(PANEL, LABELS), debating(votes(*["?"] * 5), "plain"))

    assert (played.outcome.vote.status, len(played.outcome.rounds)) == ("missing", 1)


def test_a_side_that_says_nothing_is_heard_as_that() -> None:
    played = play(
        contest(PANEL, LABELS), debating(votes("ironic", "plain", "ironic", "plain", "ironic"), "plain", "agent_2")
    )

    missing = [one for one in played.steps[4][0].values["arguments"] if not one["text"]]
    assert {(one["agent"], one["missing"]) for one in missing} == {("agent_2", "away")}


def test_judges_without_a_majority_leave_the_item_to_a_person() -> None:
    decisions = {"agent_3": "plain", "agent_4": "ironic", "agent_5": "?"}

    played = play(contest(PANEL, LABELS), debating(votes("ironic", "plain", "ironic", "plain", "ironic"), decisions))

    assert (played.outcome.vote.label, played.outcome.vote.status) == (None, "no_majority")


def test_asks_are_made_of_json_alone() -> None:
    played = play(contest(PANEL, LABELS), debating(votes("ironic", "plain", "ironic", "plain", "ironic"), "plain"))

    values: list[Any] = [ask.values for step in played.steps for ask in step]
    assert json.loads(json.dumps(values)) == values
