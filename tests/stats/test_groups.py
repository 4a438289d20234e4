import pytest

from crito.stats.groups import group_disagreement
from crito.stats.ratings import Ratings, ratings_from

ITEMS = {"i1": ("AAAB", "ABB"), "i2": ("BBB", "AAB"), "i3": ("AAA", "AAA"), "i4": ("ABAA", "BBBA")}


def two_groups() -> tuple[Ratings, dict[str, str]]:
    rows = [
        (item, f"{group}-{place}", letter)
        for item, words in ITEMS.items()
        for group, word in zip(("g1", "g2"), words, strict=True)
        for place, letter in enumerate(word)
    ]
    items, people, labels = zip(*rows, strict=True)
    return ratings_from(items, people, labels), {person: person[:2] for person in people}


def test_groups_are_compared_by_total_variation_and_pairs() -> None:
    found = group_disagreement(*two_groups(), "g1", "g2", fewest_people=4)

    assert found.by_item == pytest.approx([0.416667, 0.666667, 0, 0.5], abs=1e-6)
    assert found.total_variation.value == pytest.approx(0.395833, abs=1e-6)
    assert found.within.value == pytest.approx(0.393939, abs=1e-6)
    assert found.cross.value == pytest.approx(0.5)
    assert found.cross_kappa.value == pytest.approx(-0.022472, abs=1e-6)


def test_the_test_shuffles_people_and_says_how_often() -> None:
    found = group_disagreement(*two_groups(), "g1", "g2", fewest_people=4, permutations=99, seed=1).total_variation

    assert found.p_value is not None
    assert 1 / 100 <= found.p_value <= 1
    assert found.details["permutations"] == 99
    assert found.value == pytest.approx(found.detail("shuffled_mean") + found.detail("excess"))


def test_groups_that_never_agree_are_told_apart() -> None:
    rows = [(f"i{item}", f"p{person}", "AB"[person % 2]) for item in range(3) for person in range(12)]
    items, people, labels = zip(*rows, strict=True)
    group_of = {f"p{person}": ("odd" if person % 2 else "even") for person in range(12)}

    found = group_disagreement(ratings_from(items, people, labels), group_of, "odd", "even", permutations=999)

    assert found.total_variation.value == 1
    assert found.total_variation.p_value is not None
    # 2 of the 924 ways to choose six of twelve people separate them fully
    assert found.total_variation.p_value < 0.01
    assert found.within.value == 0


def test_small_groups_are_not_shown() -> None:
    found = group_disagreement(*two_groups(), "g1", "g2")

    assert found.total_variation.status == "insufficient"
    assert "fewer than 5 people" in found.total_variation.reason
    assert len(found.by_item) == 0


def test_people_of_no_group_are_dropped_and_counted() -> None:
    ratings, group_of = two_groups()
    del group_of["g1-3"]

    found = group_disagreement(ratings, group_of, "g1", "g2", fewest_people=1, permutations=9)

    assert found.total_variation.dropped == {"in_no_group": 2}


def test_groups_without_a_shared_item_are_not_compared() -> None:
    ratings = ratings_from(list("iijj"), list("abcd"), list("xyxy"))

    found = group_disagreement(ratings, dict(zip("abcd", "ppqq", strict=True)), "p", "q", fewest_people=1)

    assert "no item" in found.total_variation.reason


def test_a_group_is_not_compared_with_itself() -> None:
    with pytest.raises(ValueError, match="'g1' twice"):
        group_disagreement(*two_groups(), "g1", "g1")
