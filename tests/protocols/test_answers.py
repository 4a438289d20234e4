"""Replies and the labels that are read from them: good ones, bad ones, and ones that must not be guessed."""

import pytest

from crito.model.talk import ReadLabel
from crito.protocols.answers import read_confidence, read_label
from crito.protocols.case import ShownLabel

LABELS = (
    ShownLabel("sarcastic", "Sarcastic"),
    ShownLabel("not_sarcastic", "Not sarcastic"),
    ShownLabel("org:org:acquired_by", "Acquired by"),
)

GOOD = [
    ('{"label": "Sarcastic", "confidence": 0.8, "reason": "The praise is overdone."}', "sarcastic", 0.8),
    ('{"reason": "So.", "label": "not_sarcastic", "confidence": 90}', "not_sarcastic", 0.9),
    ('```json\n{"label": "Not sarcastic", "confidence": "70%"}\n```', "not_sarcastic", 0.7),
    ('Here you are:\n{"Label": " SARCASTIC. "}\nGood luck!', "sarcastic", None),
    ('{"label": ["Sarcastic"]}', "sarcastic", None),
    ('{"answer": "Sarcastic", "confidence": "high"}', "sarcastic", None),
    ('{"reason": "a {brace} and\na new line", "label": "Sarcastic"}', "sarcastic", None),
    ('{"label": "Not sarcastic"}\nOn second thoughts:\n{"label": "Sarcastic"}', "sarcastic", None),
    ("Label: Sarcastic\nConfidence: 0.6", "sarcastic", 0.6),
    ("**Label:** Not sarcastic\n**Confidence:** 85%", "not_sarcastic", 0.85),
    ("The tone is flat, so label: Sarcastic? No.\nFinal answer: Not sarcastic.", "not_sarcastic", None),
    ("The answer is Sarcastic, because nobody loves queues.", "sarcastic", None),
    ("Label: org:org:acquired_by", "org:org:acquired_by", None),
    ("Sarcastic", "sarcastic", None),
    ('"not sarcastic."', "not_sarcastic", None),
    ("<think>Label: Not sarcastic? Hardly.</think>\nSarcastic", "sarcastic", None),
]

OUTSIDE = [
    ('{"label": "Ironic", "confidence": 1}', "ironic"),
    ('{"label": "sarcastic or not sarcastic"}', "sarcastic or not sarcastic"),
    ('{"label": {"name": "Sarcastic"}}', 'name": "sarcastic'),
    ('{"label": 3}', "3"),
    ("Label: Sarcasticness", "sarcasticness"),
    ("Label: org:org:owned_by", "org:org:owned by"),
]

UNREADABLE = [
    "",
    "   ",
    "I would rather not say.",
    "It is not sarcastic to love queues.",
    "It could be Sarcastic or Not sarcastic.",
    '{"reason": "Sarcastic", "confidence": 1}',
    '{"label": null}',
    '{"label": ""}',
    '{"label": "Sarcas',
    "<think>Label: Sarcastic",
    "Label:",
    "[]",
    "{" * 5000,
]


@pytest.mark.parametrize(("reply", "label", "confidence"), GOOD)
def test_a_label_is_read_whatever_stands_around_it(reply: str, label: str, confidence: float | None) -> None:
    read = read_label(reply, LABELS)

    assert (read.reading, read.label, read.confidence) == ("ok", label, confidence)


@pytest.mark.parametrize(("reply", "came"), OUTSIDE)
def test_a_label_that_is_none_of_the_set_is_told_with_what_came(reply: str, came: str) -> None:
    read = read_label(reply, LABELS)

    assert (read.reading, read.label, read.came) == ("outside_label_set", None, came)


@pytest.mark.parametrize("reply", UNREADABLE)
def test_a_reply_that_gives_no_label_is_unreadable_and_never_guessed(reply: str) -> None:
    read = read_label(reply, LABELS)

    assert (read.reading, read.label) == ("unreadable", None)


def test_the_reason_comes_with_the_label() -> None:
    read = read_label('{"reason": " The praise is overdone. ", "label": "Sarcastic"}', LABELS)

    assert read == ReadLabel("ok", "sarcastic", None, "The praise is overdone.")


def test_of_two_labels_the_one_that_is_longer_is_meant() -> None:
    labels = (ShownLabel("not", "Not"), ShownLabel("not_sarcastic", "Not sarcastic"))

    assert read_label("Answer: Not sarcastic, I think", labels).label == "not_sarcastic"


def test_a_reply_of_ten_megabytes_is_read_from_its_end() -> None:
    assert read_label('{"a": "' * 1_500_000 + "\nLabel: Sarcastic", LABELS).label == "sarcastic"


@pytest.mark.parametrize(
    ("given", "confidence"),
    [
        (0.5, 0.5),
        (1, 1.0),
        (80, 0.8),
        ("0.9", 0.9),
        ("95 %", 0.95),
        ("1%", 0.01),
        (-1, None),
        (101, None),
        (True, None),
        (None, None),
        ("sure", None),
        (float("nan"), None),
        ([0.5], None),
    ],
)
def test_a_confidence_is_a_share_a_percentage_or_nothing(given: object, confidence: float | None) -> None:
    assert read_confidence(given) == confidence
