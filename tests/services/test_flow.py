"""Where a person is, from what is recorded about them."""

from dataclasses import replace

from crito.services.flow import attention_check, failed_checks, place_of, second_questions, survey_questions
from tests.builders import (
    make_annotation,
    make_answer,
    make_assignment,
    make_choice,
    make_condition,
    make_event,
    make_participant,
    make_record,
    make_study,
)

STUDY = make_study()
TWO = (make_assignment("a-1", 0), make_assignment("a-2", 1))
LABELLED = (make_annotation("a-1"), make_annotation("a-2"))
READ = make_event("instructed")
CONFIRMED = make_event("confirmed")


def names(study=STUDY, **record):
    return place_of(study, make_record(**{"assignments": TWO, **record})).name


def test_a_newcomer_reads_the_instructions_first():
    assert names() == "instructions"


def test_items_are_labelled_one_by_one_in_the_persons_own_order():
    assert names(events=(READ,)) == "annotate:a-1"
    assert names(events=(READ,), annotations=LABELLED[:1]) == "annotate:a-2"


def test_no_dialogue_begins_before_the_first_part_is_confirmed():
    assert names(events=(READ,), annotations=LABELLED) == "confirm"


def test_the_first_dialogue_follows_the_confirmation_at_once():
    assert names(events=(READ, CONFIRMED), annotations=LABELLED) == "talk:a-1"


def test_a_break_comes_between_two_items_and_not_after_the_last():
    once = (*LABELLED, make_annotation("a-1", 1))
    assert names(events=(READ, CONFIRMED), annotations=once) == "pause:a-2"
    paused = make_event("paused", "a-2")
    assert names(events=(READ, CONFIRMED, paused), annotations=once) == "talk:a-2"
    assert names(events=(READ, CONFIRMED, paused), annotations=(*once, make_annotation("a-2", 1))) == "survey"


def test_the_study_is_over_after_the_survey():
    both = (*LABELLED, make_annotation("a-1", 1), make_annotation("a-2", 1))
    events = (READ, CONFIRMED, make_event("paused", "a-2"), make_event("surveyed"))
    assert names(events=events, annotations=both) == "end"


def test_a_recorded_ending_comes_before_everything_else():
    ended = make_participant(ending="withdrawn")
    assert names(participant=ended) == "end"


def test_control_people_label_again_without_a_dialogue_or_a_break():
    control = make_study(conditions=(make_condition("control", ("consent", "annotate", "reannotate", "survey")),))
    mine = tuple(replace(a, condition="control") for a in TWO)
    once = (*LABELLED, make_annotation("a-1", 1))
    assert names(control, assignments=mine, events=(READ, CONFIRMED), annotations=once) == "talk:a-2"


def test_annotating_only_needs_no_confirmation():
    plain = make_study(conditions=(make_condition("plain", ("consent", "annotate")),))
    mine = tuple(replace(a, condition="plain") for a in TWO)
    assert names(plain, assignments=mine, events=(READ,), annotations=LABELLED) == "end"


def test_an_item_routed_past_the_dialogue_is_labelled_again_without_a_break():
    events = (READ, CONFIRMED, make_event("routed", "a-2", dialogue=False))
    once = (*LABELLED, make_annotation("a-1", 1))
    assert names(events=events, annotations=once) == "talk:a-2"


def test_progress_counts_what_is_left():
    place = place_of(STUDY, make_record(assignments=TWO, events=(READ,), annotations=LABELLED[:1]))
    assert (place.done, place.steps) == (2, 8)


def test_lapsed_and_withdrawn_items_are_no_part_of_the_way():
    mine = (replace(TWO[0], status="expired"), TWO[1])
    assert names(assignments=mine, events=(READ,)) == "annotate:a-2"


def test_attention_checks_stand_in_fixed_order_whatever_the_items():
    checks = [attention_check(STUDY, make_assignment("a", position)) for position in range(3)]
    assert [check and check.question.key for check in checks] == ["colour", "letters", None]


def test_only_wrong_answers_to_attention_checks_count_as_failed():
    given = (make_answer("colour", "red"), make_answer("letters", "sunshine"), make_answer("helped", "no"))
    assert failed_checks(STUDY, make_record(answers=given)) == 1


def test_a_corrected_attention_check_counts_as_it_was_corrected():
    given = (make_answer("colour", "red"), make_answer("colour", "blue"))
    assert failed_checks(STUDY, make_record(answers=given)) == 0


ABOUT_THE_TALK = make_choice("helped", only_with="discuss")
ALWAYS = make_choice("again")
CONTROL = make_condition(flow=("consent", "annotate", "reannotate", "survey"))


def test_questions_about_the_talk_come_with_the_second_label_of_those_who_talk():
    study = make_study(reconsiderations=(ABOUT_THE_TALK, ALWAYS))
    record = make_record(assignments=TWO)

    assert second_questions(study, record, TWO[0]) == (ABOUT_THE_TALK, ALWAYS)
    assert second_questions(replace(study, conditions=(CONTROL,)), record, TWO[0]) == (ALWAYS,)


def test_an_item_routed_past_the_dialogue_brings_no_questions_about_it():
    study = make_study(reconsiderations=(ABOUT_THE_TALK, ALWAYS))
    routed = make_event("routed", "a-1", dialogue=False)
    record = make_record(assignments=TWO, events=(routed,))

    assert second_questions(study, record, TWO[0]) == (ALWAYS,)
    assert second_questions(study, record, TWO[1]) == (ABOUT_THE_TALK, ALWAYS)


def test_the_survey_asks_about_the_talk_if_any_item_had_one():
    talked, control = make_condition(), replace(CONTROL, name="control")
    study = make_study(survey=(ABOUT_THE_TALK, ALWAYS), conditions=(talked, control), assign="item")
    mixed = (TWO[0], replace(TWO[1], condition="control"))
    alone = tuple(replace(a, condition="control") for a in TWO)

    assert survey_questions(study, make_record(assignments=mixed)) == (ABOUT_THE_TALK, ALWAYS)
    assert survey_questions(study, make_record(assignments=alone)) == (ALWAYS,)
