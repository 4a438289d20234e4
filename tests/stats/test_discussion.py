from itertools import product

import pytest

from crito.stats.discussion import by_round, moved, recoverable, revisions, right_and_wrong
from crito.stats.paired import holm, mcnemar

WORDS = {
    "1 X": "XXX", "2 X": "XXY XXX", "3 Y": "XYY XYY XYY", "4 Z": "XYZ YYZ YYY",
    "5 Y": "XXZ XXX", "6 X": "XYZ XYZ XYZ", "7 Z": "ZZX ZXX XXX", "8 Y": "XZZ YZZ YYZ",
}  # fmt: skip
TALKS = {
    name: [dict(zip(("agent 1", "agent 2", "agent 3"), word, strict=True)) for word in words.split()]
    for name, words in WORDS.items()
}
GOLD = {name: name[-1] for name in WORDS}


def test_agreement_by_round_carries_settled_items_forward() -> None:
    rounds = by_round(TALKS, GOLD)

    assert [one.percent_agreement.value for one in rounds] == pytest.approx([0.333333, 0.541667, 0.708333], abs=1e-6)
    assert [one.fleiss_kappa.detail("expected") for one in rounds] == pytest.approx(
        [0.378472, 0.399306, 0.458333], abs=1e-6
    )
    assert [one.fleiss_kappa.value for one in rounds] == pytest.approx([-0.072626, 0.236994, 0.461538], abs=1e-6)
    assert [one.active_fleiss_kappa.value for one in rounds] == pytest.approx([-0.072626, 0.175, 0.204545], abs=1e-6)
    assert [one.consensus.value for one in rounds] == [0.125, 0.375, 0.625]


def test_accuracy_by_round_of_agents_and_of_the_majority() -> None:
    rounds = by_round(TALKS, GOLD)

    assert [[found.value for found in one.accuracy.values()] for one in rounds] == [
        [0.5, 0.5, 0.375], [0.625, 0.375, 0.5], [0.5, 0.5, 0.375],
    ]  # fmt: skip
    assert (rounds[0].strict.value, rounds[2].strict.value) == (0.5, 0.5)
    assert rounds[0].fractional.value == pytest.approx(0.583333, abs=1e-6)
    assert rounds[2].fractional.value == pytest.approx(0.541667, abs=1e-6)


def test_what_a_discussion_could_recover() -> None:
    found = recoverable(TALKS, GOLD)

    assert found.upper_bound.value == 0.75
    assert found.irrecoverable == ("5 Y", "8 Y")
    assert found.outside_bound == ("8 Y",)
    assert found.gap.value == 0.25


@pytest.mark.parametrize(
    ("agent", "counts"),
    [
        (None, (11, 17, 3, 3, 2)), ("agent 1", (5, 4, 1, 1, 1)), ("agent 2", (3, 7, 1, 1, 0)),
        ("agent 3", (3, 6, 1, 1, 1)),
    ],
)  # fmt: skip
def test_revisions_are_counted_over_steps_that_took_place(agent: str | None, counts: tuple[int, ...]) -> None:
    found = revisions(TALKS, GOLD, agent=agent)

    assert (
        found.kept_right, found.kept_wrong, found.corrected, found.corrupted, found.switched_wrong,
    ) == counts  # fmt: skip
    assert found.correction_rate.value == pytest.approx(counts[2] / (counts[1] + counts[2] + counts[4]))
    assert found.corruption_rate.value == pytest.approx(counts[3] / (counts[0] + counts[3]))


def test_a_label_that_did_not_come_is_no_revision_and_no_consensus() -> None:
    talks = {"i": [{"a": "X", "b": None}, {"a": "X", "b": "X"}]}

    assert revisions(talks, {"i": "X"}).n_missing == 1
    assert [one.consensus.value for one in by_round(talks)] == [0, 1]


def test_rates_without_a_reference_are_undefined() -> None:
    assert recoverable(TALKS, {}).gap.status == "undefined"
    assert revisions(TALKS, {}).correction_rate.status == "undefined"
    assert by_round(TALKS)[0].strict.status == "undefined"


def test_an_item_without_independent_labels_is_refused() -> None:
    with pytest.raises(ValueError, match="'i' has no round"):
        by_round({"i": []})


PUBLISHED_P_VALUES = [
    (15, 18, 0.728), (18, 23, 0.533), (7, 16, 0.093), (7, 13, 0.263), (14, 16, 0.856), (11, 20, 0.150),
    (17, 28, 0.135), (15, 20, 0.500), (11, 21, 0.110), (9, 21, 0.043), (12, 21, 0.163), (6, 11, 0.332),
    (11, 13, 0.839), (7, 21, 0.013),
]  # fmt: skip


@pytest.mark.parametrize(("b", "c", "published"), PUBLISHED_P_VALUES)
def test_exact_mcnemar_reproduces_the_published_comparisons_of_models(b: int, c: int, published: float) -> None:
    assert mcnemar(b, c, n=200).p_value == pytest.approx(published, abs=0.0005001)


@pytest.mark.parametrize(("b", "c", "exact", "published"), [(13, 21, 0.229481, 0.230), (10, 17, 0.247789, 0.249)])
def test_two_published_values_are_near_the_exact_test_and_not_its(
    b: int, c: int, exact: float, published: float
) -> None:
    found = mcnemar(b, c, n=200).p_value

    assert found == pytest.approx(exact, abs=1e-6)
    assert found != pytest.approx(published, abs=0.0005)


def test_nothing_published_survives_a_correction_for_twenty_tests() -> None:
    p_values = [mcnemar(b, c, n=200).p_value or 0 for b, c, _ in PUBLISHED_P_VALUES]

    adjusted = holm([*p_values, 0.230, 0.249, 1, 1, 1, 1])

    assert min(adjusted) == pytest.approx(20 * 0.012541, abs=1e-4)


def test_right_and_wrong_by_step_add_up_to_the_revisions() -> None:
    steps = right_and_wrong(TALKS, GOLD, agent="agent 1")

    assert [step.n for step in steps] == [7, 5]
    added = {pair: sum(step.count(*pair) for step in steps) for pair in product(("right", "wrong"), repeat=2)}
    found = revisions(TALKS, GOLD, agent="agent 1")
    assert added == {
        ("right", "right"): found.kept_right, ("right", "wrong"): found.corrupted,
        ("wrong", "right"): found.corrected, ("wrong", "wrong"): found.kept_wrong + found.switched_wrong,
    }  # fmt: skip


def test_a_step_without_a_label_is_no_move() -> None:
    talks = {
        "i": [{"a": "X", "b": "Y"}, {"a": None, "b": "Y"}, {"a": "Z", "b": "Y"}],
        "j": [{"a": "X", "b": "Y"}, {"a": "Y", "b": "Y"}],
    }

    one, other = moved(talks, agent="a"), moved(talks, agent="b")

    assert (one.value, one.n, one.dropped) == (1.0, 1, {"missing": 2})
    assert (other.value, other.n) == (0.0, 3)
    assert [step.count("right", "no_label") for step in right_and_wrong(talks, {"i": "X"}, agent="a")] == [1, 0]
