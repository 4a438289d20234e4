import numpy as np
import pytest

from crito.stats.alternative import alternative_annotator_test
from crito.stats.ratings import ratings_from
from tests.stats.tables import ratings_of

PEOPLE = ("AABCABCAABBCACABBACBACBAABCCABAB", "AABCABCABBBCACABBACBACBAABCAABAC", "AABCACCAABBCBCABAACBACBAACCCABAB")
RATINGS = ratings_of(["".join(letters) for letters in zip(*PEOPLE, strict=True)])
MACHINE = np.array(["ABC".index(letter) for letter in "AABCAACAABBCCCBBAACBACBAACCAABAB"])


@pytest.mark.parametrize(
    ("epsilon", "p_values", "winning_rate"),
    [
        (0.10, (0.452870, 0.169430, 0.017694), 0),
        (0.15, (0.145453, 0.051711, 0.000317), 1 / 3),
        (0.20, (0.025531, 0.011706, 3.41002e-06), 1),
    ],
)
def test_the_machine_is_compared_with_each_person(epsilon: float, p_values, winning_rate: float) -> None:
    found = alternative_annotator_test(RATINGS, MACHINE, epsilon=epsilon)

    assert [person.difference for person in found.people] == pytest.approx([0.09375, 0.03125, 0.03125])
    for person, p_value in zip(found.people, p_values, strict=True):
        assert person.p_value == pytest.approx(p_value, rel=1e-3 if p_value < 1e-4 else 0, abs=1e-6)
    assert found.winning_rate.value == pytest.approx(winning_rate)
    assert found.passes is (winning_rate >= 0.5)
    assert found.advantage_probability.value == pytest.approx(0.927083, abs=1e-6)


def test_a_machine_that_copies_everybody_passes_with_constant_differences() -> None:
    ratings = ratings_of(["AAA", "BBB"] * 20)

    found = alternative_annotator_test(ratings, np.array([0, 1] * 20), epsilon=0.1)

    assert {person.test for person in found.people} == {"constant"}
    assert (found.winning_rate.value, found.passes) == (1.0, True)


def test_a_machine_that_is_never_right_fails_with_constant_differences() -> None:
    found = alternative_annotator_test(ratings_of(["AAA", "BBB"] * 20), np.array([1, 0] * 20), epsilon=0.1)

    assert [person.p_value for person in found.people] == [1.0, 1.0, 1.0]
    assert found.passes is False


def test_few_items_are_tested_by_signed_rank_with_a_warning() -> None:
    few = RATINGS.where(RATINGS.item < 20)

    found = alternative_annotator_test(few, MACHINE, epsilon=0.2)

    assert {person.test for person in found.people} == {"signed rank"}
    assert "fewer than 30" in found.winning_rate.reason


def test_fewer_than_ten_items_tell_nothing() -> None:
    found = alternative_annotator_test(RATINGS.where(RATINGS.item < 9), MACHINE, epsilon=0.2)

    assert (found.winning_rate.status, found.passes) == ("insufficient", None)
    assert found.winning_rate.dropped == {"person_with_fewer_than_10_items": 3}


def test_two_people_come_with_a_warning() -> None:
    found = alternative_annotator_test(RATINGS.where(RATINGS.annotator < 2), MACHINE, epsilon=0.2)

    assert "only two people" in found.winning_rate.reason


def test_items_without_a_machine_label_or_another_person_are_dropped_and_counted() -> None:
    machine = MACHINE.copy()
    machine[0] = -1
    ratings = RATINGS.where((RATINGS.item != 1) | (RATINGS.annotator == 0))

    found = alternative_annotator_test(ratings, machine, epsilon=0.2)

    assert found.winning_rate.dropped == {"no_machine_label": 3, "no_other_person": 1}


def test_scales_are_compared_by_squared_distance() -> None:
    rng = np.random.default_rng(4)
    truth = rng.integers(1, 6, 40)
    rows = [(i, f"h{j}", int(np.clip(truth[i] + rng.integers(-1, 2), 1, 5))) for i in range(40) for j in range(3)]
    items, people, labels = zip(*rows, strict=True)
    ratings = ratings_from(items, people, labels, label_set=[1, 2, 3, 4, 5])

    close = alternative_annotator_test(ratings, truth - 1, epsilon=0.1, alignment="rmse")
    far = alternative_annotator_test(ratings, 4 - (truth - 1), epsilon=0.1, alignment="rmse")

    assert (close.passes, far.passes) == (True, False)
    with pytest.raises(ValueError, match="labels must be numbers"):
        alternative_annotator_test(RATINGS, MACHINE, epsilon=0.1, alignment="rmse")


def test_arguments_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="one machine label"):
        alternative_annotator_test(RATINGS, MACHINE[:3], epsilon=0.1)
    with pytest.raises(ValueError, match="epsilon"):
        alternative_annotator_test(RATINGS, MACHINE, epsilon=-1)
