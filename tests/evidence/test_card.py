"""What the Blind Agreement card says. Gaps and intervals from STATISTICS 5.3, the ceiling from 5.8."""

import pytest

from crito.evidence.card import AgreementCard, agreement_card
from crito.evidence.comparisons import Comparison
from crito.evidence.handoff import HandoffRule
from tests.evidence.answers import blind_answers, make_comparison

LABELS = ("yes", "no")


def card_of(comparisons: list[Comparison], n_items: int = 1000) -> AgreementCard:
    return agreement_card(comparisons, LABELS, n_items, HandoffRule())


def answers(*, visible: tuple[int, int], blind: tuple[int, int]) -> list[Comparison]:
    seen = [
        make_comparison(
            item=f"v-{place:03}", order=1000 + place, agrees=place < visible[0], blind=False, inclusion=None
        )
        for place in range(visible[1])
    ]
    return seen + blind_answers([place < blind[0] for place in range(blind[1])])


def test_gap_with_its_interval() -> None:
    card = card_of(answers(visible=(188, 200), blind=(41, 50)))

    assert card.gap.value == pytest.approx(0.12)
    assert card.gap.interval is not None
    assert (card.gap.interval.low, card.gap.interval.high) == pytest.approx((0.027635, 0.250447), abs=1e-6)
    assert "pulls people" in card.meaning
    assert "more items blind" in card.advice


def test_a_gap_of_five_each_is_shown_but_cannot_be_told_from_chance() -> None:
    card = card_of(answers(visible=(5, 5), blind=(3, 5)))

    assert card.gap.value == pytest.approx(0.40)
    assert "cannot be told from chance" in card.meaning


def test_fewer_than_five_on_a_side_give_a_reason_and_no_gap() -> None:
    card = card_of(answers(visible=(9, 9), blind=(4, 4)))

    assert card.gap.status == "insufficient"
    assert "cannot be told yet" in card.meaning


def test_a_suggestion_that_pushes_away_is_said_to() -> None:
    assert "pushes people away" in card_of(answers(visible=(100, 200), blind=(45, 50))).meaning


def test_without_blind_labels_nothing_is_said() -> None:
    card = card_of(answers(visible=(9, 9), blind=(0, 0)))

    assert card.blind.value is None
    assert card.meaning.startswith("Nothing can be said yet")


def test_taken_by_button_and_by_hand_are_counted_apart() -> None:
    rows = [
        make_comparison(item="a", order=0, blind=False, taken="button"),
        make_comparison(item="b", order=1, blind=False, taken="hand"),
        make_comparison(item="c", order=2, blind=False, agrees=False),
        make_comparison(item="d", order=3, blind=False, taken="button"),
    ]

    card = card_of(rows)

    assert (card.by_button.value, card.by_hand.value) == (0.5, 0.25)


def test_verify_answers_are_in_neither_agreement() -> None:
    rows = [
        *blind_answers([True] * 5),
        make_comparison(item="a", order=10, purpose="verify", blind=False),
        make_comparison(item="b", order=11, purpose="verify", blind=False, agrees=False),
    ]

    card = card_of(rows)

    assert card.kept.value == 0.5
    assert card.visible.n == 0
    assert card.blind.n == 5


def test_a_label_given_before_any_suggestion_but_not_drawn_is_no_blind_agreement() -> None:
    card = card_of(blind_answers([True] * 30, inclusion=None))

    assert card.blind.n == 0
    assert card.gate.decision == "wait"


def test_ceiling_of_the_worked_example() -> None:
    people = {"i1": "AAA", "i2": "AAB", "i3": "ABB", "i4": "BBB", "i5": "AB", "i6": "AAAB", "i7": "B"}
    machine = dict(zip(people, "AAABAAB", strict=True))
    rows = [
        make_comparison(
            item=item, annotator=f"p{place}", answer=answer, machine=machine[item], order=10 * number + place
        )
        for number, (item, given) in enumerate(people.items())
        for place, answer in enumerate(given)
    ]

    card = agreement_card(rows, ("A", "B"), 100, HandoffRule())

    assert card.ceiling.human.value == pytest.approx(0.527778, abs=1e-6)
    assert card.ceiling.machine.value == pytest.approx(0.708333, abs=1e-6)
    assert card.ceiling.band_high.value == pytest.approx(0.617851, abs=1e-6)
    assert "no machine could reach 0.9" in card.advice
