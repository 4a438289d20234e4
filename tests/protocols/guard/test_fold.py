"""The guard as a fold: sentence by sentence, as a whole, switched off, and mending."""

import pytest

from crito.model.study import RULES
from crito.model.talk import Violation
from crito.protocols.guard import Guard, check, mend, only_question, sentences
from crito.protocols.guard.rules import SENTENCE_RULES, TURN_RULES
from tests.protocols.cases import make_case, talk

FIRST = talk("The nine minutes and the lid make it a joke.")
SECOND = talk("The nine minutes and the lid make it a joke.", "What about the manual?", "The manual is padding.")


def test_every_rule_of_a_study_is_checked() -> None:
    assert set(SENTENCE_RULES) | set(TURN_RULES) == set(RULES)


def test_a_violation_says_which_sentence_breaks_which_rule() -> None:
    (found,) = check("I hear you. This is clearly sarcastic. What else?", make_case(), FIRST)

    assert (found.rule, found.sentence) == ("no_verdict", 1)
    assert "clearly sarcastic" in found.detail


def test_what_concerns_the_whole_turn_has_no_sentence() -> None:
    assert check("I hear you.", make_case(), FIRST) == (Violation("one_question", -1, "it asks nothing"),)


def test_sentence_by_sentence_it_finds_what_it_finds_in_the_whole() -> None:
    text = "**Okay**. You're right. Is it the lid? Or the cup? Tell me."
    guard = Guard.of(make_case(), FIRST)

    found = [violation for sentence in sentences(text, "en") for violation in guard.next(sentence)]

    assert (*found, *guard.end()) == check(text, make_case(), FIRST)


def test_a_third_sentence_without_a_question_is_held_back_so_that_the_fixed_question_still_fits() -> None:
    guard = Guard.of(make_case(), FIRST)

    assert guard.next("I hear you.") == ()
    assert guard.next("The lid matters to you.") == ()
    assert [violation.rule for violation in guard.next("So does the cup to you.")] == ["one_question"]


@pytest.mark.parametrize("rule", ["no_formatting", "honest_quotes", "no_verdict", "one_question"])
def test_a_rule_that_is_switched_off_is_not_checked(rule: str) -> None:
    text = "**Well**, the “brass kettle” is clearly sarcastic. Is it? Isn't it?"
    every = {violation.rule for violation in check(text, make_case(), FIRST)}

    found = {violation.rule for violation in check(text, make_case(rules_off=frozenset({rule})), FIRST)}

    assert rule in every
    assert found == every - {rule}


def test_an_explicit_guideline_lifts_the_ban_on_asking_for_explicit_words() -> None:
    text = "Where does it explicitly say so?"

    assert check(text, make_case(), FIRST)
    assert not check(text, make_case(explicit_only=True), FIRST)


def test_a_question_may_come_again_when_the_person_asks_what_was_meant() -> None:
    asked = "What do the nine minutes mean to you?"
    again = "Sorry! What do the nine minutes mean to you, in your own words?"

    assert [v.rule for v in check(again, make_case(), talk("The lid.", asked, "It is slow, the kettle."))] == [
        "no_repetition"
    ]
    assert check(again, make_case(), talk("The lid.", asked, "I don't understand the question")) == ()


def test_the_opening_counts_as_asked() -> None:
    found = check("What led you to your choice, and which words mattered most to you?", make_case(), FIRST)

    assert [violation.rule for violation in found] == ["no_repetition"]


def test_a_name_that_the_person_brought_in_may_be_used() -> None:
    transcript = talk("It reminds me of what Yelena wrote about her toaster in 1999.")

    assert check("What did Yelena mean to say in 1999, as you see it?", make_case(), transcript) == ()


def test_a_name_introduced_in_a_marked_example_may_be_used_in_the_next_sentence() -> None:
    assert check("Imagine a reader called Yusuf. What would Yusuf notice?", make_case(), FIRST) == ()


def test_a_person_who_stays_curt_is_pressed_three_times_and_then_let_go() -> None:
    said = ["ok", "Why is that?", "ok", "Which words bring you there?", "ok"]

    let_go = "We can leave it there, clear enough. You can go on and label the item again below."

    assert check(let_go, make_case(), talk(*said[:3]))
    assert check(let_go, make_case(), talk(*said)) == ()


def test_min_messages_moves_the_hand_over() -> None:
    text = "You pointed to the nine minutes and the lid, and that hangs together. You can label the item again below."

    assert check(text, make_case(min_messages=1), FIRST) == ()
    assert check(text, make_case(min_messages=3), SECOND) != ()


MENDABLE = [
    ("You're right. What else do you see?", "What else do you see?"),
    ("I hear you. This is clearly sarcastic. What else?", "I hear you. What else?"),
    ("What about the lid? And the cup?", "What about the lid?"),
    ("One. Two. Three. What about the lid?", "One. Two. What about the lid?"),
    ("Okay. What about the lid? I think it's sarcastic.", "Okay. What about the lid?"),
    ("What about the lid?", "What about the lid?"),
]


@pytest.mark.parametrize(("text", "left"), MENDABLE)
def test_failing_sentences_are_cut(text: str, left: str) -> None:
    assert mend(text, make_case(), FIRST) == left


@pytest.mark.parametrize("text", ["", "You're right.", "I hear you.", "Isn't it Not sarcastic?", "**What** else?"])
def test_nothing_is_left_where_nothing_usable_is(text: str) -> None:
    assert mend(text, make_case(), FIRST) == ""


@pytest.mark.parametrize(("text", "left"), MENDABLE)
def test_what_is_left_passes(text: str, left: str) -> None:
    assert check(left, make_case(), FIRST) == ()


def test_what_is_on_the_screen_cannot_be_cut() -> None:
    shown = ["I hear you."]

    assert mend("I hear you. You're right. What else?", make_case(), FIRST, shown=shown) == "I hear you. What else?"
    assert mend("I hear you. You're right.", make_case(), FIRST, shown=shown) == ""


def test_of_a_small_models_reply_the_last_question_is_kept() -> None:
    reply = "I see. Is it? What about the lid? I like it."

    assert only_question(reply, make_case(), FIRST) == "What about the lid?"
    assert only_question("No question here.", make_case(), FIRST) == ""


@pytest.mark.parametrize(
    "offer",
    [
        "Does that help?",
        "Is there anything else you would like me to do for you?",
        "What did the waiter think of the bill?",
    ],
)
def test_a_question_about_nothing_in_the_item_or_the_talk_is_no_question_of_a_small_model(offer: str) -> None:
    assert only_question(offer, make_case(), FIRST) == ""
    assert only_question(f"Which part of the manual did you mean? {offer}", make_case(), FIRST).startswith("Which part")


def test_a_megabyte_of_item_is_no_obstacle() -> None:
    case = make_case(text="So “great” a kettle, it took nine minutes. " * 25_000)

    assert check("What do the nine minutes tell you?", case, FIRST) == ()


@pytest.mark.parametrize("text", ["\u202eevil?", "😀?", "?", "“", "a" * 5_000 + "?", "\u0000?", "？？？"])
def test_strange_turns_do_not_break_it(text: str) -> None:
    assert isinstance(check(text, make_case(), FIRST), tuple)
    assert isinstance(mend(text, make_case(), FIRST), str)


def test_in_a_language_without_a_table_only_what_needs_no_words_is_checked() -> None:
    case = make_case(language="fi", text="Paras vedenkeitin ikinä. Yhdeksän minuuttia kuppia kohti.")
    transcript = talk("Yhdeksän minuuttia on liikaa.")

    assert check("Mitä Yhdeksän minuuttia kertoo sinulle?", case, transcript) == ()
    assert {v.rule for v in check("Mitä? Miksi? 47? **No?**", case, transcript)} == {
        "length", "one_question", "no_outside_fact", "no_formatting",
    }  # fmt: skip
