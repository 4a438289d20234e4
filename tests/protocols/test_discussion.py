"""Algorithm 1 of `experts`, line by line, with scripted agents."""

import pytest

from crito.model.talk import NoAnswer
from crito.protocols.discussion import discussion
from crito.protocols.labelling import labels_of
from tests.protocols.agents import DEAD, Played, play, scripted


def discuss(*scripts: str, max_rounds: int = 2, **options: object) -> Played:
    """One agent per script; its words are parted by blanks."""
    script = {f"m{number}": words.split() for number, words in enumerate(scripts, start=1)}
    return play(discussion(tuple(script), max_rounds=max_rounds, **options), scripted(script))  # type: ignore[arg-type]


def rounds(played: Played) -> list[str]:
    """The labels of each round in the panel's order, `-` for none."""
    return ["".join(label or "-" for label in labels_of(answers).values()) for answers in played.outcome.rounds]


def test_every_agent_labels_first_without_seeing_anything_of_the_others() -> None:
    played = discuss("A A A", "B B B", "C C C")

    first = played.steps[0]

    assert [ask.speaker for ask in first] == ["m1", "m2", "m3"]
    assert all(
        ask.prompt == "labelling/label" and ask.values["reasoned"] and "history" not in ask.values for ask in first
    )


def test_consensus_on_the_initial_labels_ends_it_without_a_discussion() -> None:
    played = discuss("A", "A", "A")

    assert (rounds(played), played.outcome.vote.label, played.outcome.vote.status) == (["AAA"], "A", "consensus")
    assert played.n_calls == 3


def test_without_consensus_all_labels_and_reasons_are_shown_to_everybody() -> None:
    played = discuss("A A", "A A", "B A")

    asks = played.steps[1]

    assert [ask.speaker for ask in asks] == ["m1", "m2", "m3"]
    shown = [[(said["number"], said["own"], said["label"], said["reason"]) for said in asks[2].values["history"][0]]]
    assert shown == [[(1, False, "A", "m1 says so"), (2, False, "A", "m2 says so"), (3, True, "B", "m3 says so")]]


def test_consensus_after_one_round_of_discussion_ends_it() -> None:
    played = discuss("A A", "A A", "B A")

    assert (rounds(played), played.outcome.vote.label, played.outcome.vote.status) == (["AAB", "AAA"], "A", "consensus")
    assert played.n_calls == 6


def test_the_second_discussion_shows_the_history_of_both_rounds() -> None:
    played = discuss("A A A", "B B A", "C A A")

    history = played.steps[2][0].values["history"]

    assert [[said["label"] for said in shown] for shown in history] == [["A", "B", "C"], ["A", "B", "A"]]


def test_consensus_is_looked_for_after_the_last_round_too() -> None:
    played = discuss("A A A", "B B A", "B A A")

    assert (rounds(played), played.outcome.vote.status) == (["ABB", "ABA", "AAA"], "consensus")


def test_after_the_last_round_the_label_with_most_votes_wins() -> None:
    played = discuss("A A A", "B B B", "A A A")

    assert (rounds(played), played.outcome.vote.label, played.outcome.vote.status) == (["ABA"] * 3, "A", "majority")
    assert played.n_calls == 9


def test_three_different_labels_at_the_end_are_a_tie_that_goes_to_a_person() -> None:
    played = discuss("A A A", "B B B", "C C C")

    assert (played.outcome.vote.label, played.outcome.vote.status) == (None, "no_majority")
    assert played.outcome.vote.tied == ("A", "B", "C")


@pytest.mark.parametrize(("ties", "label"), [("priority", "C"), ("history", "B")])
def test_a_tie_can_be_broken_by_the_order_of_the_panel_or_by_the_votes_of_all_rounds(ties: str, label: str) -> None:
    played = discuss("C C C", "B B B", "B B A", ties=ties)

    assert (rounds(played)[-1], played.outcome.vote.label) == ("CBA", label)


def test_two_agents_that_insist_are_a_tie() -> None:
    played = discuss("A A A", "B B B")

    assert (played.outcome.vote.status, played.n_calls) == ("no_majority", 6)


def test_two_agents_may_change_places_and_never_agree() -> None:
    assert rounds(discuss("A B A", "B A B")) == ["AB", "BA", "AB"]


def test_one_agent_is_in_consensus_with_itself_at_once() -> None:
    played = discuss("A")

    assert (played.outcome.vote.label, played.outcome.vote.status, played.n_calls) == ("A", "consensus", 1)


def test_five_agents_decide_by_plurality_without_more_than_half() -> None:
    played = discuss("A A A", "A A A", "B B B", "C C C", "D D D")

    assert (played.outcome.vote.label, played.outcome.vote.status, played.outcome.vote.share) == ("A", "majority", 0.4)


def test_without_rounds_of_discussion_the_initial_labels_are_voted_on() -> None:
    played = discuss("A", "B", "A", max_rounds=0)

    assert (rounds(played), played.outcome.vote.label) == (["ABA"], "A")


def test_a_dead_agent_has_no_vote_and_the_others_go_on() -> None:
    played = discuss("A A A", "A A A", f"{DEAD} {DEAD} {DEAD}")

    assert (rounds(played), played.outcome.vote.label, played.outcome.vote.status) == (["AA-"] * 3, "A", "majority")
    assert (played.outcome.vote.n, played.outcome.vote.share) == (2, 1.0)
    assert isinstance(played.outcome.rounds[0]["m3"], NoAnswer)


def test_an_agent_that_comes_back_can_complete_the_consensus() -> None:
    played = discuss("A A", "A A", f"{DEAD} A")

    assert (rounds(played), played.outcome.vote.status) == (["AA-", "AAA"], "consensus")


def test_a_dead_agent_is_shown_to_the_others_as_one_without_label_or_reason() -> None:
    played = discuss("A A A", "B B B", f"{DEAD} {DEAD} {DEAD}")

    said = played.steps[1][0].values["history"][0][2]

    assert (said["label"], said["reason"]) == (None, "")


def test_when_all_agents_are_dead_nothing_more_is_asked() -> None:
    played = discuss(DEAD, DEAD, DEAD)

    assert (played.outcome.vote.status, played.n_calls) == ("missing", 3)


def test_an_unreadable_answer_is_asked_for_once_more_and_only_that_one() -> None:
    played = discuss("A", "? A", "A")

    repair = played.steps[1]
    assert [(ask.speaker, ask.attempt, ask.values["unread"]["reply"]) for ask in repair] == [("m2", 1, "hm")]
    assert (rounds(played), played.outcome.vote.status) == (["AAA"], "consensus")


def test_a_label_outside_the_set_is_named_in_the_repair() -> None:
    played = discuss("A", "! A", "A")

    assert played.steps[1][0].values["unread"]["came"] == "Maybe"


def test_an_answer_that_stays_unreadable_is_no_vote_in_its_round() -> None:
    played = discuss("A A A", "? ? B B", "A A A")

    assert rounds(played) == ["A-A", "ABA", "ABA"]
    assert (played.outcome.vote.label, played.outcome.vote.n) == ("A", 3)


def test_an_agent_whose_repair_finds_it_dead_does_not_stall_the_round() -> None:
    played = discuss("A A A", f"? {DEAD} A A", "B B B")

    assert rounds(played) == ["A-B", "AAB", "AAB"]
