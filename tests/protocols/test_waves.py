"""Self-consistency and ensembles ask in waves: fewer calls, the same label."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crito.model.talk import Answer, Ask, NoAnswer
from crito.model.votes import TIE_RULES, TieRule, majority, most_votes
from crito.protocols.ensemble import ensemble
from crito.protocols.labelling import next_wave
from crito.protocols.solo import self_consistency
from tests.protocols.agents import Played, labelled, play

votes = st.lists(st.sampled_from(["A", "B", "C", "D", None]), min_size=1, max_size=9)


def sampled(answers: list[str | None]) -> Played:
    """Self-consistency whose n-th sample gives the n-th answer."""

    def answer(ask: Ask) -> Answer:
        label = answers[ask.values["sample"]]
        return labelled("m", label) if label else NoAnswer("m", "no reply")

    return play(self_consistency("m", len(answers)), answer)


def voted(answers: list[str | None], ties: TieRule, seed: int = 0) -> Played:
    """An ensemble whose n-th agent gives the n-th answer."""
    panel = [f"m{number}" for number in range(len(answers))]

    def answer(ask: Ask) -> Answer:
        label = answers[panel.index(ask.speaker)]
        return labelled(ask.speaker, label) if label else NoAnswer(ask.speaker, "no reply")

    return play(ensemble(panel, ties=ties, seed=seed, item="i"), answer)


@given(votes)
def test_the_label_of_self_consistency_is_the_one_that_all_samples_would_have_given(answers: list[str | None]) -> None:
    assert sampled(answers).outcome.vote.label == most_votes(answers).label


@given(votes, st.sampled_from(TIE_RULES), st.integers(0, 20))
def test_the_label_of_an_ensemble_is_the_one_that_all_agents_would_have_given(
    answers: list[str | None], ties: TieRule, seed: int
) -> None:
    panel = [f"m{number}" for number in range(len(answers))]
    everybody = majority(dict(zip(panel, answers, strict=True)), rule=ties, order=panel, seed=seed, item="i")

    assert voted(answers, ties, seed).outcome.vote.label == everybody.label


@given(votes)
def test_no_sample_is_asked_for_once_the_winner_stands(answers: list[str | None]) -> None:
    played = sampled(answers)

    n_before_last_wave = played.n_calls - len(played.steps[-1])
    rest = len(answers) - n_before_last_wave
    could_end = {
        most_votes([*answers[:n_before_last_wave], *([label] * rest)]).label for label in ("A", "B", "C", "D", "E")
    }
    assert n_before_last_wave == 0 or len(could_end) > 1


@pytest.mark.parametrize(
    ("answers", "n_calls", "n_waves"),
    [("AAABB", 3, 1), ("AABAB", 4, 2), ("AABBA", 5, 3), ("ABCAA", 5, 2), ("ABABC", 5, 3)],
)
def test_three_samples_are_asked_for_first_and_then_as_few_as_may_decide(
    answers: str, n_calls: int, n_waves: int
) -> None:
    played = sampled(list(answers))

    assert (played.n_calls, len(played.steps)) == (n_calls, n_waves)


def test_a_lead_that_could_become_a_tie_is_not_decided() -> None:
    assert next_wave(["A", "A", "B"], 1) == 1
    assert next_wave(["A", "A"], 1) == 0


def test_each_sample_of_one_prompt_has_a_number_of_its_own() -> None:
    asks = [ask for step in sampled(list("ABABC")).steps for ask in step]

    assert [ask.values["sample"] for ask in asks] == [0, 1, 2, 3, 4]
    assert len({ask.fingerprint for ask in asks}) == 5


def test_samples_that_tie_give_no_label_and_a_reason() -> None:
    outcome = sampled(list("ABABC")).outcome

    assert (outcome.vote.status, outcome.vote.tied) == ("no_majority", ("A", "B"))
    assert outcome.rounds[0]["m"] == NoAnswer("m", "no label has most of the samples")


def test_without_any_readable_sample_the_label_is_missing() -> None:
    outcome = sampled([None] * 5).outcome

    assert (outcome.vote.status, outcome.rounds[0]["m"]) == ("missing", NoAnswer("m", "no reply"))
