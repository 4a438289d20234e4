"""The debate of `socrasynth` with scripted agents: every phase, and what may go wrong in it."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crito.model.debate import DebateOutcome, DebateSettings, Intervention, Schedule, Topic
from crito.model.talk import Ask
from crito.protocols.driving import Recorded
from tests.protocols.debaters import SIDES, SUBJECT, Stage, as_json, finish, hold, said, sensible

ARGUED = ("opening", "refutation", "closing")


def kinds(outcome: DebateOutcome, speaker: str = "") -> set[str]:
    """Which flags were raised."""
    return {flag.kind for flag in outcome.flags if speaker in ("", flag.speaker)}


def titles(outcome: DebateOutcome) -> list[str]:
    return [topic.title for topic in outcome.topics]


def rounds_held(outcome: DebateOutcome) -> int:
    return max(turn.round for turn in outcome.transcript.turns)


# The whole


def test_the_phases_come_in_the_order_of_the_source():
    _, stage = hold(topics=1)

    phases = [phase for phase in stage.phases() if phase != "moderator"]

    assert [phase for phase, after in pairwise([*phases, ""]) if phase != after] == [
        "subject", "proposal_of_topics", "choice_of_topics", "overlaps", "reconciliation", "description", "opening",
        "refutation", "closing", "concession", "joint_proposal",
    ]  # fmt: skip


def test_a_debate_of_agents_that_behave_comes_to_an_unflagged_outcome():
    outcome, _ = hold()

    assert outcome.flags == ()
    assert titles(outcome) == ["Safety vs. speed", "Trade in town"]
    assert [closing.side for closing in outcome.closings] == ["A", "B"]
    assert all(set(closing.by_topic) == set(titles(outcome)) for closing in outcome.closings)
    assert [concession.side for concession in outcome.concessions] == ["A", "B"]
    assert outcome.proposal == "Close one lane for a year."
    assert not outcome.moderated


def test_by_default_agents_are_at_nine_tenths_through_the_closings_and_at_three_tenths_after():
    _, stage = hold()

    assert {ask.values["contentiousness"] for phase in ARGUED for ask in stage.asks(phase)} == {0.9}
    after = {ask.values["contentiousness"] for phase in ("concession", "joint_proposal") for ask in stage.asks(phase)}
    assert after == {0.3}


def test_a_schedule_may_name_each_phase():
    _, stage = hold(schedule=Schedule(by_phase={"opening": 0.7, "refutation": 0.5}))

    levels = [{ask.values["contentiousness"] for ask in stage.asks(phase)} for phase in ARGUED]

    assert levels == [{0.7}, {0.5}, {0.9}]


def test_concessions_and_the_proposal_can_be_left_out():
    outcome, stage = hold(concessions=False, joint_proposal=False)

    assert (outcome.concessions, outcome.proposal) == ((), "")
    assert stage.phases()[-1] == "closing"


# Topics


def test_each_agent_proposes_ten_topics_and_keeps_five_by_default():
    _, stage = hold(topics=5, topics_proposed=10)

    assert [ask.values["n"] for ask in stage.asks("proposal_of_topics")] == [10, 10]
    assert [len(ask.values["own"]) for ask in stage.asks("choice_of_topics")] == [6, 6]
    assert [len(stage.asks("overlaps")[0].values[side]) for side in "AB"] == [5, 5]


def test_topics_that_are_given_are_not_negotiated():
    given = (Topic("Fog", "How often it is foggy."), Topic("Ferries"))

    outcome, stage = hold(given_topics=given)

    assert outcome.topics == given
    assert "proposal_of_topics" not in stage.phases()


def test_an_agent_keeps_only_topics_of_its_own():
    outcome, stage = hold({("agent_b", "choice_of_topics"): as_json(keep=[2, 99, 4, 0])})

    kept = [topic["title"] for topic in stage.asks("overlaps")[0].values["B"]]

    assert kept == ["Trade in town", "Ways to work"]
    assert outcome.flags == ()


def test_a_choice_that_cannot_be_read_keeps_the_first_topics_and_is_flagged():
    outcome, stage = hold({("agent_b", "choice_of_topics"): "Hard to say, really."})

    assert [topic["title"] for topic in stage.asks("overlaps")[0].values["B"]] == ["Speed vs. safety", "Trade in town"]
    assert kinds(outcome) == {"unreadable"}


def test_a_topic_that_neither_side_proposed_is_flagged():
    strange = as_json(topics=[{"title": "Safety vs. speed"}, {"title": "Penguin habitats"}])

    outcome, _ = hold({("agent_a", "reconciliation"): strange})

    assert "new_topic" in kinds(outcome)


def test_topics_that_say_the_same_become_one():
    twice = as_json(topics=[{"title": "Safety vs. speed"}, {"title": "Speed versus safety"}, {"title": "Clean air"}])

    outcome, _ = hold({("agent_a", "reconciliation"): twice})

    assert titles(outcome) == ["Safety vs. speed", "Clean air"]


def test_a_short_list_is_filled_up_with_what_both_proposed_and_it_is_flagged():
    short = as_json(topics=[{"title": "Noise at night"}])

    outcome, _ = hold({("agent_a", "reconciliation"): short})

    assert titles(outcome) == ["Noise at night", "Safety vs. speed"]
    assert kinds(outcome) == {"topics_added"}


def test_topics_that_only_repeat_the_subject_are_none():
    repeating = as_json(topics=[{"title": "Why should the town close its bridge?"}, {"title": "Closing and jobs"}])

    _, stage = hold({("agent_a", "proposal_of_topics"): repeating})

    assert [topic["title"] for topic in stage.asks("overlaps")[0].values["A"]] == ["Closing and jobs"]


def test_a_description_that_talks_about_the_draft_is_none():
    outcome, _ = hold(
        {("agent_b", "description"): as_json(agree=False, description="The draft has no evidence.")}, topics=1
    )

    assert outcome.topics[0].description == "What Safety vs. speed means to either side."
    assert kinds(outcome) == set()


def test_an_amended_list_is_put_to_the_other_agent():
    amended = as_json(agree=False, topics=[{"title": "Trade in town"}, {"title": "Ambulances"}])

    outcome, stage = hold({("agent_b", "reconciliation"): amended})

    assert titles(outcome) == ["Trade in town", "Ambulances"]
    assert [ask.speaker for ask in stage.asks("reconciliation")] == ["agent_a", "agent_b", "agent_a"]


def test_agents_that_never_agree_on_topics_debate_those_of_both_in_turn_and_it_is_flagged():
    def another(ask: Ask) -> str:
        themes = [{"title": f"Theme {ask.attempt} of {ask.speaker}"}, {"title": f"Matter {ask.attempt} {ask.speaker}"}]
        return as_json(agree=False, topics=themes)

    outcome, stage = hold({"reconciliation": another}, attempts=2, topics=3, topics_proposed=3)

    assert "topics_not_agreed" in kinds(outcome)
    assert titles(outcome) == ["Safety vs. speed", "Cost of repairs", "Noise at night"]
    assert len(stage.asks("reconciliation")) == 4


def test_an_agent_without_topics_is_asked_again_and_then_the_others_topics_are_used():
    outcome, stage = hold({("agent_b", "proposal_of_topics"): as_json(topics=[])}, attempts=3)

    assert [ask.attempt for ask in stage.asks("proposal_of_topics") if ask.speaker == "agent_b"] == [0, 1, 2]
    assert kinds(outcome) >= {"no_topics", "one_sided_topics"}
    assert set(titles(outcome)) <= {"Safety vs. speed", "Noise at night"}


def test_without_any_topic_the_subject_is_debated_as_a_whole_and_it_is_flagged():
    outcome, _ = hold({"proposal_of_topics": "I would rather not."})

    assert titles(outcome) == [SUBJECT]
    assert "no_topics" in kinds(outcome)
    assert len(outcome.closings) == 2


def test_a_description_is_amended_until_both_agree():
    amended = as_json(agree=False, description="Who gains and who loses.")

    outcome, _ = hold({("agent_b", "description"): amended}, topics=1)

    assert outcome.topics[0].description == "Who gains and who loses."
    assert outcome.flags == ()


def test_a_description_that_is_never_agreed_on_is_bounded_and_flagged():
    def another(ask: Ask) -> str:
        return as_json(agree=False, description=f"Version {ask.attempt} by {ask.speaker}.")

    outcome, stage = hold({"description": another}, topics=1, attempts=2)

    assert len(stage.asks("description")) == 4
    assert "description_not_agreed" in kinds(outcome)
    assert outcome.topics[0].description == "Version 3 by agent_b."


def test_descriptions_of_several_topics_are_negotiated_side_by_side():
    _, stage = hold(topics=2)

    assert [ask.speaker for ask in stage.asks("description")] == ["agent_a", "agent_a", "agent_b", "agent_b"]


def test_a_subject_that_leans_to_one_side_is_debated_all_the_same_and_flagged():
    outcome, _ = hold({("agent_b", "subject"): as_json(balanced=False, reason="Nobody is for it.")})

    assert kinds(outcome) == {"unbalanced_subject"}
    assert outcome.subject == SUBJECT


# Rounds


def test_refutations_go_topic_by_topic_with_a_first():
    outcome, stage = hold(rounds=3, max_rounds=3)

    asked = [(ask.values["round"], ask.values["topic"]["title"], ask.speaker) for ask in stage.asks("refutation")]

    assert asked == [
        (number, title, agent) for number in (2, 3) for title in titles(outcome) for agent in ("agent_a", "agent_b")
    ]


def test_a_refutation_sees_what_both_have_said_on_its_topic_only():
    outcome, stage = hold()

    first, second = stage.asks("refutation")[:2]

    assert [said["side"] for said in first.values["said"]] == ["A", "B"]
    assert [said["side"] for said in second.values["said"]] == ["A", "B", "A"]
    about_it = {turn.text for turn in outcome.transcript.turns if turn.topic == titles(outcome)[0]}
    assert {said["text"] for said in second.values["said"]} <= about_it


@pytest.mark.parametrize(("answers", "held"), [("y", 3), ("ny", 4), ("nny", 5), ("nnn", 5)])
def test_from_the_third_round_on_a_no_adds_a_round_up_to_five(answers, held):
    def ready(ask: Ask) -> str:
        return as_json(ready=answers[ask.values["round"] - 3] == "y")

    outcome, _ = hold({("agent_b", "readiness"): ready}, rounds=3, max_rounds=5, topics=1)

    assert rounds_held(outcome) == held
    assert ("rounds_used_up" in kinds(outcome)) == (answers == "nnn")


def test_an_answer_that_is_neither_yes_nor_no_adds_no_round():
    outcome, _ = hold({"readiness": "Well."}, rounds=2, max_rounds=5)

    assert rounds_held(outcome) == 2


# What agents may get wrong


def test_a_topic_left_out_of_an_opening_is_asked_for_once_more():
    def forgetful(ask: Ask) -> str:
        return sensible(ask) if ask.attempt else as_json(position="for", topic_1=said(ask, 1))

    outcome, stage = hold({("agent_a", "opening"): forgetful})

    again = [ask for ask in stage.asks("opening") if ask.attempt]
    assert [[topic["title"] for topic in ask.values["topics"]] for ask in again] == [[titles(outcome)[1]]]
    assert "missing_topic" not in kinds(outcome)


def test_a_topic_that_stays_missing_is_flagged():
    def forgetful(ask: Ask) -> str:
        return "{}" if ask.attempt else as_json(position="for", topic_1=said(ask, 1))

    outcome, _ = hold({("agent_a", "closing"): forgetful})

    assert [flag.phase for flag in outcome.flags if flag.kind == "missing_topic"] == ["closing"]
    assert set(outcome.closing("A").by_topic) == {titles(outcome)[0]}


def test_an_agent_that_refuses_throughout_is_flagged_and_the_debate_ends():
    outcome, stage = hold({("agent_b", phase): "I'm sorry, but I can't help with that." for phase in stage_phases()})

    assert kinds(outcome, "agent_b") >= {"refused"}
    assert len(stage.asks("refutation")) == 2 * 3
    assert outcome.concessions[0].side == "A"


def test_an_agent_that_never_answers_is_flagged_and_the_debate_ends():
    outcome, _ = hold({("agent_b", phase): None for phase in stage_phases()})

    assert kinds(outcome, "agent_b") >= {"no_answer"}
    assert [closing.side for closing in outcome.closings] == ["A"]


def test_agents_that_talk_nonsense_are_carried_to_the_end():
    outcome, _ = hold(dict.fromkeys(stage_phases(), "}{ ]] ~~ 17"))

    assert titles(outcome) == [SUBJECT]
    assert outcome.flags


def test_a_changed_stance_is_asked_about_once_and_flagged_if_it_stays():
    def turncoat(ask: Ask) -> str:
        return "Agent A is right. I agree with agent A."

    outcome, stage = hold({("agent_b", "refutation"): turncoat}, topics=1)

    asked = [ask for ask in stage.asks("refutation") if ask.speaker == "agent_b"]
    assert [ask.attempt for ask in asked] == [0, 1]
    assert "Agent A is right" in asked[1].values["found"][0]
    assert "changed_stance" in kinds(outcome, "agent_b")


def test_the_better_of_two_tries_counts():
    def slow(ask: Ask) -> str:
        return said(ask, 0) if ask.attempt else "I agree with my opponent."

    outcome, _ = hold({("agent_b", "refutation"): slow}, topics=1)

    assert outcome.flags == ()


def test_a_position_given_for_the_other_side_is_flagged():
    def wrong(ask: Ask) -> str:
        return sensible(ask).replace('"against"', '"for"')

    outcome, _ = hold({("agent_b", "closing"): wrong})

    assert kinds(outcome) == {"changed_stance"}


def test_an_opening_in_the_opponents_words_is_asked_for_again_and_flagged_if_it_stays():
    words = "Every lorry that crosses shakes the pillars a little more, and one day one of them will give way."

    def same(ask: Ask) -> str:
        return as_json(position="for" if ask.speaker == "agent_a" else "against", topic_1=words)

    outcome, stage = hold({"opening": same}, topics=1)

    assert [(ask.speaker, ask.attempt) for ask in stage.asks("opening")] == [
        ("agent_a", 0),
        ("agent_b", 0),
        ("agent_b", 1),
    ]
    assert kinds(outcome, "agent_b") == {"repeated_argument"}


def test_a_side_that_is_for_what_it_argues_against_has_changed():
    outcome, _ = hold({("agent_b", "refutation"): "We are in favor of closing the old bridge to cars."}, topics=1)

    assert "changed_stance" in kinds(outcome, "agent_b")


def test_an_argument_that_was_made_before_is_flagged():
    def same(ask: Ask) -> str:
        return "Every lorry that crosses shakes the pillars a little more, and one day one of them will give way."

    outcome, _ = hold({("agent_a", "refutation"): same}, rounds=3, max_rounds=3, topics=1)

    assert kinds(outcome) == {"repeated_argument"}


def test_an_unfinished_sentence_is_not_shown():
    outcome, _ = hold({("agent_a", "concession"): "The traders have a point. They would lose the morn"})

    assert outcome.concessions[0].text == "The traders have a point."
    assert kinds(outcome) == {"cut_off"}


def test_granting_a_point_in_a_concession_is_no_change_of_stance():
    outcome, _ = hold({"concession": "I agree with my opponent on the repairs."}, topics=1)

    assert "changed_stance" not in kinds(outcome)


def test_sides_that_do_not_agree_on_a_proposal_leave_the_last_draft():
    def another(ask: Ask) -> str:
        return as_json(agree=False, proposal=f"Draft {ask.attempt}.")

    outcome, stage = hold({"joint_proposal": another}, attempts=1)

    assert len(stage.asks("joint_proposal")) == 2
    assert outcome.proposal == "Draft 1."
    assert kinds(outcome) == {"proposal_not_agreed"}


# A moderator


def test_without_a_moderator_the_debate_is_not_held_up():
    outcome, stage = hold()

    assert all(ask.speaker == "moderator" for ask in stage.asks("moderator"))
    assert not any(turn.speaker == "moderator" for turn in outcome.transcript.turns)


def test_a_moderator_is_heard_before_the_opening_and_before_each_topic_of_a_round():
    _, stage = hold(rounds=3, max_rounds=3, topics=2)

    assert [(ask.values["phase"], ask.values["round"]) for ask in stage.asks("moderator")] == [
        ("opening", 1), ("refutation", 2), ("refutation", 2), ("refutation", 3), ("refutation", 3),
    ]  # fmt: skip


def test_contentiousness_set_by_a_moderator_holds_through_the_closings():
    outcome, stage = hold(interventions=[Intervention("contentiousness", "0.5")])

    assert {ask.values["contentiousness"] for phase in ARGUED for ask in stage.asks(phase)} == {0.5}
    assert stage.asks("concession")[0].values["contentiousness"] == 0.3
    assert not outcome.moderated


def test_a_follow_up_question_is_answered_by_both_and_marks_the_result():
    outcome, stage = hold(interventions=[None, Intervention("question", "And in winter?")])

    assert [(ask.speaker, ask.values["question"]) for ask in stage.asks("follow_up")] == [
        ("agent_a", "And in winter?"), ("agent_b", "And in winter?"),
    ]  # fmt: skip
    assert outcome.moderated


def test_a_topic_added_in_a_round_is_argued_and_closed_on():
    outcome, stage = hold(interventions=[None, Intervention("add_topic", "Floods")])

    assert titles(outcome)[-1] == "Floods"
    asked = [ask for ask in stage.asks("refutation") if ask.values["topic"]["title"] == "Floods"]
    assert [len(ask.values["said"]) for ask in asked] == [0, 1]
    assert "Floods" in outcome.closing("A").by_topic
    assert outcome.moderated


def test_a_struck_topic_is_not_argued_any_more():
    outcome, stage = hold(interventions=[None, Intervention("strike_topic", "safety vs speed")])

    assert "Safety vs. speed" not in titles(outcome)
    assert not any(ask.values["topic"]["title"] == "Safety vs. speed" for ask in stage.asks("refutation"))
    assert not outcome.moderated


def test_when_every_topic_is_struck_the_subject_is_what_is_left():
    struck = [Intervention("strike_topic", "Safety vs. speed"), Intervention("strike_topic", "Speed vs. safety")]
    outcome, _ = hold(interventions=[*struck, *struck], topics=1)

    assert titles(outcome) == [SUBJECT]


def test_a_moderator_may_send_both_to_their_closings():
    outcome, stage = hold(interventions=[None, Intervention("close")], rounds=3, max_rounds=5)

    assert stage.asks("refutation") == stage.asks("readiness") == []
    assert len(outcome.closings) == 2
    assert kinds(outcome) == {"closed_early"}


# Resuming


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_a_debate_that_was_interrupted_anywhere_ends_like_one_that_was_not(data):
    chosen = DebateSettings(rounds=2, max_rounds=3, topics=2, topics_proposed=3)
    whole: dict[tuple[int, int], Recorded] = {}
    expected = finish(Stage(), chosen, whole)
    places = sorted(whole)
    cut = data.draw(st.integers(0, len(places)))

    recorded = {place: whole[place] for place in places[:cut]}
    stage = Stage()
    outcome = finish(stage, chosen, recorded)

    assert outcome == expected
    assert len(stage.asked) == len(places) - cut


WORDS = st.one_of(
    st.none(), st.text(max_size=80), st.just(""),
    st.sampled_from(['{"topics": [{"title": 3}, [], "x"]}', '{"agree": "maybe"}', '{"topic_1": ["a", {}]}', "1. A\n2. B", "{" * 50]),
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False), st.lists(WORDS, min_size=1, max_size=12))
def test_whatever_agents_say_the_debate_ends_and_its_topics_differ(random, words):
    replies = {phase: lambda ask: random.choice(words) for phase in stage_phases()}

    outcome, _ = hold(replies, attempts=1, topics=2, topics_proposed=2)

    assert 1 <= len(outcome.topics) <= 2
    assert len({title.casefold() for title in titles(outcome)}) == len(outcome.topics)
    assert {turn.speaker for turn in outcome.transcript.turns} <= {side.name for side in SIDES}


def stage_phases() -> list[str]:
    return [
        "subject", "proposal_of_topics", "choice_of_topics", "overlaps", "reconciliation", "description", "opening",
        "refutation", "follow_up", "readiness", "closing", "concession", "joint_proposal",
    ]  # fmt: skip
