import numpy as np
import pytest

from crito.stats.ceiling import ceiling
from tests.stats.tables import ratings_of

PEOPLE = ["AAA", "AAB", "ABB", "BBB", "AB", "AAAB", "B"]
MACHINE = np.array([0, 0, 0, 1, 0, 0, 1])


def test_the_ceiling_is_a_band_above_the_agreement_of_pairs() -> None:
    found = ceiling(ratings_of(PEOPLE), MACHINE)

    assert found.human.value == pytest.approx(0.527778, abs=1e-6)
    assert (found.human.n, found.human.detail("pooled")) == (6, pytest.approx(11 / 19))
    assert found.machine_everywhere.value == pytest.approx(0.75)
    assert found.machine.value == pytest.approx(0.708333, abs=1e-6)
    assert (found.band_low.value, found.band_high.value) == pytest.approx((0.527778, 0.617851), abs=1e-6)
    assert found.ratio.value == pytest.approx(0.708333 / 0.527778, abs=1e-5)


def test_more_than_two_labels_widen_the_band() -> None:
    assert ceiling(ratings_of(PEOPLE, ["A", "B", "C"]), MACHINE).band_high.value == pytest.approx(0.726483, abs=1e-6)


def test_single_labels_tell_nothing_about_a_ceiling() -> None:
    found = ceiling(ratings_of(["A", "B"]), np.array([0, 0]))

    assert {found.human.status, found.ratio.status, found.band_high.status} == {"insufficient"}
    assert found.machine_everywhere.value == 0.5


def test_items_without_a_machine_label_are_dropped_and_counted() -> None:
    found = ceiling(ratings_of(["AA", "AB"]), np.array([0, -1]))

    assert (found.machine.n, found.machine.dropped) == (1, {"no_machine_label": 2})


def test_people_who_never_agree_give_no_ratio() -> None:
    assert ceiling(ratings_of(["AB", "AB"]), np.array([0, 0])).ratio.status == "undefined"


def test_a_machine_that_labels_other_items_is_refused() -> None:
    with pytest.raises(ValueError, match="one machine label for each"):
        ceiling(ratings_of(["AB"]), np.array([0, 0]))


def test_the_majority_machine_lies_inside_the_band() -> None:
    rng = np.random.default_rng(5)
    people = ["".join(rng.choice(list("AB"), 200, p=[share, 1 - share])) for share in rng.uniform(0, 1, 60)]
    ratings = ratings_of(people)

    found = ceiling(ratings, ratings.counts().argmax(axis=1))

    # pairs of distinct people agree a little less often than the shares say, by 1 in 200
    assert found.band_low.value <= found.machine.value <= found.band_high.value + 0.01
