"""Replies of judges, good and bad: what is read from them, and what is never guessed."""

import pytest

from crito.model.crit import Argument
from crito.protocols.judge_answers import (
    Conclusion,
    read_analysis,
    read_conclusion,
    read_number,
    read_ratings,
    read_rivals,
)

FIVE_STEPS_IN_PROSE = """\
1. Identify the document's main claim or conclusion: The main claim or conclusion of this document is that every school
kettle needs a lock.
2. Locate the arguments that support this main claim: The arguments that support it are that steam burns children, and that
a lock costs less than a bandage.
3. Score the validity of the reasoning or inference for each argument on a scale of 0 (weak) to 10 (strong):
Burns: 8/10 Costs: 7/10
"""

FIVE_STEPS_IN_LISTS = """\
1:
Main Claim or Conclusion: The main claim of the document is that every school kettle needs a lock.
2: Arguments Supporting the Main Claim (Agent A's Arguments):
a. Safety vs. Freedom: Steam burns children, and a lock keeps
them away.
b. Cost vs. Comfort: A lock costs less than a bandage.
3:
Scoring the Validity of Agent A's Arguments: a. Safety vs. Freedom: 8/10 - The argument is strong.
"""

FIVE_STEPS_WITH_HEADINGS = """\
1: Identify the Document's Main Claim or Conclusion
The document concludes that kettles burn.
**Claim:** Every school kettle needs a lock.

2: Locate the Arguments that Support This Main Claim
Agent A's Arguments:
- Steam burns children.
- A lock costs less than a bandage.
"""


def test_a_claim_and_its_reasons_come_from_an_object() -> None:
    reply = """Sure! ```json
    {"claim": "Kettles need locks.", "reasons": [
      {"reason": "Steam burns.", "evidence": "12 burns a year", "type": "C) statistics", "inference": "Inductive", "source": "n/a"},
      {"argument": "The WHO says so.", "type": "claim", "source": "WHO 2020"}, "Locks are cheap.", 7]}
    ```"""

    claim, reasons = read_analysis(reply)

    assert claim == "Kettles need locks."
    assert reasons == (
        Argument("Steam burns.", "12 burns a year", "statistics", "inductive"),
        Argument("The WHO says so.", type="claim", source="WHO 2020"),
        Argument("Locks are cheap."),
    )


@pytest.mark.parametrize(
    ("reply", "n_reasons"),
    [(FIVE_STEPS_IN_PROSE, 1), (FIVE_STEPS_IN_LISTS, 2), (FIVE_STEPS_WITH_HEADINGS, 2)],
    ids=["prose", "lists", "headings"],
)
def test_a_claim_and_its_reasons_come_from_numbered_steps(reply: str, n_reasons: int) -> None:
    claim, reasons = read_analysis(reply)

    assert "every school kettle needs a lock" in claim.lower()
    assert len(reasons) == n_reasons
    assert "steam burns children" in reasons[0].text.lower()
    assert not any("8/10" in reason.text for reason in reasons)


def test_what_is_whole_of_a_reply_that_was_cut_off_counts() -> None:
    claim, reasons = read_analysis('{"claim": "Kettles \\"burn\\".", "reasons": [{"reason": "Steam."}, {"reason": "Wa')

    assert (claim, reasons) == ('Kettles "burn".', (Argument("Steam."),))


def test_a_field_that_holds_only_its_own_name_is_read_from_its_evidence() -> None:
    _, reasons = read_analysis('{"claim": "C.", "reasons": [{"reason": "evidence", "evidence": "Steam burns."}]}')

    assert reasons == (Argument("Steam burns.", "Steam burns."),)


def test_thoughts_before_the_answer_are_not_read() -> None:
    claim, _ = read_analysis('<think>{"claim": "Wrong."}</think>{"claim": "Right.", "reasons": []}')

    assert claim == "Right."


def test_rivals_come_from_objects_and_lists_and_may_be_none() -> None:
    assert read_rivals('{"rivals": [{"rival": "Tea gets cold."}]}') == (Argument("Tea gets cold."),)
    assert read_rivals("1. Tea gets cold.\n2. Children learn.") == (
        Argument("Tea gets cold."),
        Argument("Children learn."),
    )
    assert read_rivals('{"rivals": []}') == ()
    assert read_rivals("I know of none.") == ()


@pytest.mark.parametrize(
    "reply",
    [
        '{"ratings": [{"id": "r1", "validity": 8, "credibility": 7}, {"id": "v1", "validity": "6/10", "credibility": "5"}]}',
        '[{"id": "R1", "validity": 8.0, "credibility": "7 out of 10"}, {"id": "v1", "validity": "six", "credibility": 5}]',
        '{"ratings": [{"id": "r1", "validity": 8, "credibility": 7}, {"id": "v1", "validity": 6, "credibility": 5}, {"id": "v2"',
        "r1: validity 8/10, credibility 7/10 - it is strong.\nv1: validity 6/10, credibility 5/10 - it is not.",
        "1. **Steam burns**: 8/10, its source 7/10\n2. **Tea gets cold**: 6/10, source 5/10",
        "For r1 I see a validity of 8 out of 10; its credibility is 7. As to v1, validity: 6 and credibility: five.",
        "- r1 | Validity = 8 | Credibility = 7\n- v1 | Validity = 6 | Credibility = 5",
    ],
)
def test_ratings_are_read_in_many_forms(reply: str) -> None:
    read = read_ratings(reply, ["r1", "v1"])

    assert {name: (one.validity.value, one.credibility.value) for name, one in read.items()} == {
        "r1": (8, 7),
        "v1": (6, 5),
    }


MALFORMED = [
    "",
    "   \n ",
    "I cannot rate arguments.",
    "{",
    "null",
    "[]",
    "{}",
    '{"ratings": []}',
    '{"ratings": "8"}',
    '{"ratings": [8, 7]}',
    '{"ratings": [{"id": "r1"}]}',
    '{"ratings": [{"id": "r1", "validity": null, "credibility": null}]}',
    '{"ratings": [{"id": "r1", "validity": "high", "credibility": "low"}]}',
    '{"ratings": [{"id": "r1", "validity": true, "credibility": false}]}',
    '{"ratings": [{"id": "r1", "validity": [8], "credibility": {"value": 7}}]}',
    '{"ratings": [{"id": "r1", "validity": 0, "credibility": 0}]}',
    '{"ratings": [{"id": "r1", "validity": 11, "credibility": 100}]}',
    '{"ratings": [{"id": "r1", "validity": -3, "credibility": "-1"}]}',
    '{"ratings": [{"id": "r1", "validity": "7-8", "credibility": "7 or 8"}]}',
    '{"ratings": [{"id": "r1", "validity": "4/5", "credibility": "80/100"}]}',
    '{"ratings": [{"id": "r1", "validity": "80%", "credibility": "80 %"}]}',
    '{"ratings": [{"id": "r1", "validity": "n/a", "credibility": "unknown"}]}',
    '{"ratings": [{"id": "r1", "validity": NaN, "credibility": Infinity}]}',
    '{"ratings": [{"id": "r1", "validity": 1e999, "credibility": -1e999}]}',
    '{"ratings": [{"id": "r9", "validity": 8, "credibility": 7}]}',
    '{"ratings": [{"id": "r1", "validity": 8, "credibility": 7}, {"id": "r1", "validity": 2, "credibility": 7}]}',
    '{"score": 8}',
    "r1: strong",
    "Validity ranges from 1 to 10.",
    "8/10",
    "1. 8/10\n2. 7/10\n3. 9/10",
    "r1: 7/10, 8/10, 9/10",
    "r1: 15/20",
    "<think>r1: validity 8, credibility 7",
]


@pytest.mark.parametrize("reply", MALFORMED)
def test_a_malformed_reply_gives_no_rating(reply: str) -> None:
    read = read_ratings(reply, ["r1", "v1"])

    given = [number for one in read.values() for number in (one.validity, one.credibility)]
    assert [number.value for number in given if number.value is not None] == []
    assert {number.reading for number in given} <= {"missing", "unreadable", "out_of_range"}


@pytest.mark.parametrize("reply", ["", "{", "[1]", '{"claim": 7}', '{"claim": ""}', "No.", '{"reasons": ["a"]}'])
def test_a_malformed_reply_has_no_claim(reply: str) -> None:
    assert read_analysis(reply).claim == ""


@pytest.mark.parametrize(
    ("given", "value", "reading"),
    [
        (8, 8, "ok"),
        (" 8/10 (strong)", 8, "ok"),
        ("８", 8, "ok"),
        ("7,5", 7.5, "ok"),
        ("**9**", 9, "ok"),
        (10.0, 10, "ok"),
        (0, None, "out_of_range"),
        ("0/10", None, "out_of_range"),
        (10.5, None, "out_of_range"),
        ("8/5", None, "unreadable"),
        (None, None, "missing"),
        ("–", None, "missing"),
        ("good", None, "unreadable"),
    ],
)
def test_a_number_is_from_one_to_ten_or_no_rating(given: object, value: float | None, reading: str) -> None:
    assert read_number(given) == (value, reading)


def test_the_panel_s_scale_begins_at_zero() -> None:
    assert read_number("0/10", 0).value == 0


def test_an_account_is_read_with_and_without_the_form() -> None:
    assert read_conclusion('{"justification": "So.", "reflection": "Elsewhere."}') == Conclusion("So.", "Elsewhere.")
    assert read_conclusion("Justification: So.\n\nReflection: Elsewhere.") == Conclusion("So.", "Elsewhere.")
    assert read_conclusion("It holds.") == Conclusion("It holds.", "")
    assert read_conclusion('{"justification": "So') == Conclusion("", "")
