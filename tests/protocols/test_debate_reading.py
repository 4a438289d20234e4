"""What agents reply in a debate, read from the forms that models use."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crito.model.debate import Topic
from crito.protocols.debate.checks import (
    about_the_draft,
    changed_stance,
    check_argument,
    finished,
    once_each,
    overlap,
    refused,
)
from crito.protocols.debate.reading import choice_in, pairs_in, prose, sections_in, text_in, topics_in

TWO = (Topic("Safety vs. speed"), Topic("Cost of repairs"))


@pytest.mark.parametrize(
    "text",
    [
        '{"topics": [{"title": "Safety", "description": "Who is hurt."}, {"title": "Noise", "description": ""}]}',
        'Sure!\n```json\n{"topics": [{"title": "Safety", "description": "Who is hurt."}, {"title": "Noise"}]}\n```',
        '{"topics": ["Safety: Who is hurt.", "Noise"]}',
        "1. **Safety**: Who is hurt.\n2. **Noise**",
        "- Safety – Who is hurt.\n- Noise.",
        '{"title": "Safety", "description": "Who is hurt."}\n{"title": "Noise"}',
        "<think>1. Ships\n2. Sealing wax</think>\n1) Safety: Who is hurt.\n2) Noise",
        '{"topics": [{"topic": "Safety", "description": "Who is hurt."}, {"topic": "noise"}, {"topic": "NOISE"}]}',
    ],
)
def test_topics_are_read_from_objects_and_lists(text):
    topics = topics_in(text)

    assert [topic.title.casefold() for topic in topics] == ["safety", "noise"]
    assert topics[0].description == "Who is hurt."


@pytest.mark.parametrize(
    "text", ["", "I have none.", '{"topics": []}', '{"topics": [{"title": ""}, 3, null]}', "[]", "{"]
)
def test_where_no_topic_is_named_none_is_read(text):
    assert topics_in(text) == ()


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ('{"ready": true}', True),
        ('{"ready": "No, one more"}', False),
        ("Ready: yes", True),
        ("No, I have more to say.", False),
        ("Yes.", True),
        ("Let me think.", None),
        ("", None),
        ('{"ready": 3}', None),
    ],
)
def test_a_yes_or_no_is_read_or_nothing(text, read):
    assert choice_in(text, "ready") is read


@pytest.mark.parametrize(
    "text",
    [
        '{"pairs": [{"a": 1, "b": 3}, {"a": 2, "b": 9}]}',
        '{"pairs": [[1, 3]]}',
        "A1 and B3 overlap.",
        "1 - 3\nNo others.",
    ],
)
def test_overlaps_are_pairs_of_numbers_that_there_are(text):
    assert pairs_in(text, 5) == ((1, 3),)


@pytest.mark.parametrize(
    "text",
    [
        '{"position": "for", "topic_1": "It is safe.", "topic_2": "It is cheap."}',
        '{"position": "for", "topic_1": "It is safe.", "topic_2": "It is cheap.',
        '{"1": "It is safe.", "2": "It is cheap."}',
        '{"Safety vs. speed": "It is safe.", "Cost of repairs": "It is cheap."}',
        '{"topics": [{"topic": "Safety vs. Speed", "argument": "It is safe."}, {"topic": "2", "argument": "It is cheap."}]}',
        '{"topic_1": {"argument": "It is safe."}, "topic_2": {"text": "It is cheap."}}',
        "1. Safety vs. Speed: It is safe.\n2. Cost of Repairs: It is cheap.",
        "**Safety vs. speed**\nIt is safe.\n\n**Cost of repairs**\nIt is cheap.",
        "## Topic 1: Safety vs. speed\nIt is safe.\n## Topic 2: Cost of repairs\nIt is cheap.",
    ],
)  # fmt: skip
def test_arguments_are_read_topic_by_topic(text):
    assert sections_in(text, TWO) == {"Safety vs. speed": "It is safe.", "Cost of repairs": "It is cheap."}


def test_prose_about_no_topic_in_particular_is_no_section():
    assert sections_in("Bridges are old.", TWO) == {}


def test_with_one_topic_the_whole_reply_is_about_it():
    assert sections_in("Bridges are old.", TWO[:1]) == {"Safety vs. speed": "Bridges are old."}


@pytest.mark.parametrize(
    "text", ["Agent A: It is safe.", "**Agent A:** It is safe.", "```\nIt is safe.\n```", '{"argument": "It is safe."}']
)
def test_an_argument_is_shown_without_its_wrapping(text):
    assert prose(text) == "It is safe."


def test_a_text_in_an_object_that_never_ends_is_read():
    assert text_in('{"proposal": "Close one lane', "proposal") == "Close one lane"


@given(st.text(max_size=300))
def test_no_text_breaks_the_reading(text):
    topics_in(text), pairs_in(text, 5), choice_in(text, "agree"), sections_in(text, TWO), prose(text)
    check_argument(text, speaker="agent_a", side="A", phase="refutation", own=[text], opposing=[text])


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I can't assist with that.",
        "As an AI language model, I cannot take sides in a debate.",
        "I cannot argue for this position.",
        "Sorry, I am unable to participate in this debate.",
        "I must decline to argue this.",
        "Unfortunately, I can't help with this request.",
    ],
)
def test_refusals_are_known(text):
    assert refused(text)


@pytest.mark.parametrize(
    "text",
    [
        "I cannot accept that the bridge is safe: its joints were measured twice.",
        "We cannot ignore the traders.",
        "Nobody can help the traders if the bridge is closed.",
        "I will not repeat what agent B said on costs.",
    ],
)
def test_strong_words_are_no_refusals(text):
    assert not refused(text)


@pytest.mark.parametrize(
    ("side", "text"),
    [
        ("A", "I agree with agent B."),
        ("A", "My opponent is right. It should stay open."),
        ("A", "As agent B, I say no."),
        ("A", "I oppose this motion."),
        ("A", "I have changed my mind about it."),
        ("A", "I no longer support the closing."),
        ("B", "I strongly support the claim."),
        ("B", "I fully agree with the other side."),
        ("B", "I was wrong about the costs."),
        ("B", "I withdraw my claim."),
    ],
)
def test_leaving_ones_side_is_seen(side, text):
    assert changed_stance(text, side)


@pytest.mark.parametrize(
    ("side", "text"),
    [
        ("A", "While I agree with agent B on noise, the pillars decide."),
        ("A", "Agent B is right that traders suffer. But they suffer more from a bridge that falls."),
        ("A", "I oppose the view that traffic is harmless."),
        ("A", "I support the claim with three reasons."),
        ("B", "I oppose this motion."),
        ("B", "Agent A says the pillars shake; they do not."),
        ("B", "I agree with my opponent that it is old, yet old is not weak."),
    ],
)
def test_granting_a_point_and_turning_it_is_arguing(side, text):
    assert not changed_stance(text, side)


def test_sentences_said_again_are_shown_once():
    text = "The pillars shake every single day. The pillars shake every single day. Nobody looks."

    assert once_each(text) == ("The pillars shake every single day. Nobody looks.", True)


@pytest.mark.parametrize(
    ("text", "whole"),
    [("One. Two and", ("One.", True)), ("One. Two.", ("One. Two.", False)), ("no end", ("no end", True))],
)
def test_an_unfinished_end_is_cut_where_something_whole_is_left(text, whole):
    assert finished(text) == whole


def test_overlap_is_of_rows_of_words():
    text = "a b c d e f g h"

    assert (overlap(text, text), overlap(text, "h g f e d c b a"), overlap("a b", "a b")) == (1.0, 0.0, 0.0)


@pytest.mark.parametrize(
    "text",
    [
        "The draft does not provide any evidence.",
        "The other agent's description leaves out one side of the topic.",
        "Agent B is not addressing the question.",
        "It does not address agent B's claim.",
    ],
)
def test_words_about_a_description_are_none(text):
    assert about_the_draft(text)


@pytest.mark.parametrize(
    "text",
    [
        "What lorries do to the pillars, and whether a detour would cost the traders more.",
        "Who must serve if a draft comes.",
    ],
)
def test_a_description_is_one(text):
    assert not about_the_draft(text)
