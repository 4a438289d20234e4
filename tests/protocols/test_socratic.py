"""The Socratic dialogue, replayed with scripted answers."""

import json

import pytest

from crito.model.talk import Ask, NoAnswer, Turn, Violation
from crito.protocols.driving import Finished, Pending
from crito.protocols.socratic import Dialogue, as_values, opens_relabelling
from tests.protocols.cases import make_case, opening, partner, person, play

BROKEN = (Violation("length", -1, "it has more than 3 sentences"),)
FIXED = Turn("partner", "Which part of the item weighs most in your decision, and why?", "fixed")
LABEL = Turn("person", "not_sarcastic", "label")


def pending_ask(stand: Pending | Finished[Dialogue]) -> Ask:
    assert isinstance(stand, Pending)
    (ask,) = stand.asks
    return ask


def broken(text: str = "One. Two. Three. Four?", *, mended: str = "", streamed: str = "") -> Turn:
    return Turn("partner", text, "model", BROKEN, mended, streamed)


def shown_after(*answers: Turn | NoAnswer) -> list[dict[str, str]]:
    """What the person sees after opening, one message and these answers of the partner."""
    ask = pending_ask(play(make_case(), [opening(), person("The lid made me laugh."), *answers]))
    assert ask.speaker == "person"
    return list(ask.values["transcript"])


def test_the_dialogue_opens_with_the_fixed_text_that_knows_label_and_confidence() -> None:
    ask = pending_ask(play(make_case(label="Sarcastic", confidence="Very sure"), []))

    assert (ask.speaker, ask.prompt) == ("partner", "socratic/opening")
    assert ask.values == {"label": "Sarcastic", "confidence": "Very sure"}


def test_the_person_is_asked_after_the_opening_with_all_that_is_on_the_screen() -> None:
    ask = pending_ask(play(make_case(), [opening("Hi! Why?")]))

    assert ask.speaker == "person"
    assert ask.values["transcript"] == [{"speaker": "partner", "text": "Hi! Why?", "kind": "fixed"}]


def test_the_partner_is_asked_with_the_persons_message_last() -> None:
    ask = pending_ask(play(make_case(), [opening(), person("The lid.")]))

    assert (ask.speaker, ask.prompt, ask.attempt) == ("partner", "socratic/partner", 0)
    assert ask.values["transcript"][-1] == {"speaker": "person", "text": "The lid.", "kind": "person"}
    assert ask.values["violations"] == []


def test_a_turn_without_violations_is_shown_as_it_came() -> None:
    assert shown_after(partner("What about the lid?"))[-1]["text"] == "What about the lid?"


def test_a_turn_with_violations_is_asked_again_with_what_was_found() -> None:
    ask = pending_ask(play(make_case(), [opening(), person("The lid."), broken()]))

    assert (ask.prompt, ask.attempt) == ("socratic/partner", 1)
    assert ask.values["violations"] == [{"rule": "length", "detail": "it has more than 3 sentences"}]
    assert ask.values["transcript"][-1]["text"] == "The lid."


def test_the_second_asking_may_succeed() -> None:
    shown = shown_after(broken(), partner("What about the lid?"))

    assert [turn["text"] for turn in shown[1:]] == ["The lid made me laugh.", "What about the lid?"]


def test_after_three_failures_what_can_be_mended_is_shown_and_says_so() -> None:
    shown = shown_after(broken(), broken(), broken(mended="What about the lid?"))

    assert shown[-1] == {"speaker": "partner", "text": "What about the lid?", "kind": "trimmed"}


def test_an_earlier_attempt_is_not_mended_but_asked_again() -> None:
    ask = pending_ask(play(make_case(), [opening(), person("The lid."), broken(mended="What about the lid?")]))

    assert (ask.prompt, ask.attempt) == ("socratic/partner", 1)


def test_after_three_failures_with_nothing_to_mend_the_fixed_question_comes() -> None:
    ask = pending_ask(play(make_case(), [opening(), person("The lid."), broken(), broken(), broken()]))
    assert (ask.speaker, ask.prompt) == ("partner", "socratic/fixed")

    assert shown_after(broken(), broken(), broken(), FIXED)[-1] == as_values([FIXED])[0]


def test_no_answer_leads_straight_to_the_fixed_question() -> None:
    assert shown_after(NoAnswer("partner", "timeout"), FIXED)[-1]["kind"] == "fixed"


def test_no_answer_at_the_second_asking_leads_to_the_fixed_question_too() -> None:
    assert shown_after(broken(), NoAnswer("partner", "refused"), FIXED)[-1]["kind"] == "fixed"


def test_what_was_streamed_stays_and_the_fixed_question_follows() -> None:
    shown = shown_after(broken(streamed="So it's the lid for you."), FIXED)

    assert shown[-1] == {"speaker": "partner", "text": f"So it's the lid for you. {FIXED.text}", "kind": "trimmed"}


def test_the_fixed_question_after_a_stream_is_asked_with_what_is_on_the_screen() -> None:
    stand = play(make_case(), [opening(), person("The lid."), broken(streamed="So it's the lid.")])

    assert pending_ask(stand).values["streamed"] == "So it's the lid."


def test_streamed_japanese_is_followed_without_a_space() -> None:
    fixed = Turn("partner", "なぜですか？", "fixed")

    shown = shown_after(broken(streamed="ふたのことですね。"), fixed)

    assert shown[-1]["text"] == "ふたのことですね。なぜですか？"


def test_a_stream_that_had_its_question_before_it_broke_ends_there() -> None:
    shown = shown_after(broken(streamed="What about the lid?", mended="What about the lid?"))

    assert shown[-1] == {"speaker": "partner", "text": "What about the lid?", "kind": "trimmed"}


def test_a_stream_that_broke_off_without_a_violation_is_completed_by_the_fixed_question() -> None:
    cut = Turn("partner", "So it's the lid.", "model", streamed="So it's the lid.")

    assert shown_after(cut, FIXED)[-1]["text"] == f"So it's the lid. {FIXED.text}"


def test_later_asks_hold_the_turn_as_it_was_shown_not_as_it_came() -> None:
    answers = [
        opening(),
        person("The lid."),
        broken(),
        broken(),
        broken("Bad. Why?", mended="Why?"),
        person("Because."),
    ]

    ask = pending_ask(play(make_case(), answers))

    assert [turn["text"] for turn in ask.values["transcript"][1:]] == ["The lid.", "Why?", "Because."]


def test_a_mended_turn_keeps_what_was_found_in_it() -> None:
    answers = [opening(), person("a"), broken(), broken(), broken(mended="Why?"), person("b"), partner("How?"), LABEL]

    stand = play(make_case(), answers)

    assert isinstance(stand, Finished)
    assert stand.result.transcript[2].violations == BROKEN


@pytest.mark.parametrize(("min_messages", "sent", "accepts"), [
    (2, 0, ("text",)), (2, 1, ("text",)), (2, 2, ("text", "label")), (2, 3, ("text", "label")),
    (0, 0, ("text", "label")), (1, 0, ("text",)), (1, 1, ("text", "label")), (3, 2, ("text",)),
])  # fmt: skip
def test_a_label_is_accepted_once_enough_messages_were_sent(
    min_messages: int, sent: int, accepts: tuple[str, ...]
) -> None:
    answers = [opening()]
    for i in range(sent):
        answers += [person(f"message {i}"), partner(f"question {i}?")]

    ask = pending_ask(play(make_case(min_messages=min_messages), answers))

    assert ask.accepts == accepts


def test_the_label_ends_the_dialogue_with_everything_that_was_shown() -> None:
    answers = [opening(), person("a"), partner("Why?"), person("b"), partner("How?"), LABEL]

    stand = play(make_case(), answers)

    assert stand == Finished(6, Dialogue(tuple(answers[:-1]), "not_sarcastic"))


def test_the_person_may_go_on_talking_although_the_label_is_open() -> None:
    answers = [opening(), person("a"), partner("Why?"), person("b"), partner("How?"), person("c")]

    assert pending_ask(play(make_case(), answers)).speaker == "partner"


def test_a_person_who_gives_no_answer_ends_the_dialogue_without_a_label() -> None:
    stand = play(make_case(), [opening(), NoAnswer("person", "expired")])

    assert stand == Finished(2, Dialogue((opening(),), None))


def test_asks_hold_json_types_only() -> None:
    answers = [opening(), person("a"), broken(), broken(streamed="So.")]

    for stop in range(len(answers) + 1):
        ask = pending_ask(play(make_case(), answers[:stop]))
        assert json.loads(json.dumps(ask.values)) == ask.values


def test_relabelling_opens_with_the_second_message_by_default() -> None:
    transcript = [opening(), person("a"), partner("Why?")]

    assert not opens_relabelling(transcript, make_case())
    assert opens_relabelling([*transcript, person("b")], make_case())
