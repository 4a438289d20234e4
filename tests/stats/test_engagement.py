import pytest

from crito.stats.engagement import engagement


def test_messages_are_counted_by_side_without_the_opening() -> None:
    found = engagement(
        ["d", "d", "d", "e"], ["agent", "person", "agent", "person"], ["Why?", "because", "And?", "no\n"],
        opening=[True, False, False, False],
    )  # fmt: skip

    assert found.by_person.tolist() == [1, 1]
    assert found.by_agent.tolist() == [1, 0]
    assert found.messages_both.value == 1.5
    assert found.characters_person.value == 5.0
    assert found.characters_per_dialogue.value == pytest.approx((11 / 2 + 3) / 2)
    assert found.characters_both.dropped == {"opening": 1}


def test_characters_are_code_points_of_the_stored_text() -> None:
    assert engagement(["d"], ["person"], ["👍 à "]).characters_person.value == 4.0


def test_silent_dialogues_count_with_no_message() -> None:
    found = engagement(["d"], ["person"], ["hm"], silent=["e"])

    assert found.messages_person.value == 0.5
    assert found.characters_per_dialogue.dropped == {"silent": 1}


def test_no_dialogues_have_no_mean() -> None:
    assert engagement([], [], []).messages_both.status == "undefined"


def test_an_empty_message_is_refused_with_its_row() -> None:
    with pytest.raises(ValueError, match="row 1"):
        engagement(["d", "d"], ["person", "agent"], ["x", ""])


def test_an_unknown_side_is_refused() -> None:
    with pytest.raises(ValueError, match="'moderator'"):
        engagement(["d"], ["moderator"], ["x"])
