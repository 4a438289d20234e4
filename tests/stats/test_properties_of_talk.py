"""What must hold of engagement, workload, distances, estimates and panels whatever comes in: order, names, ends of the scale."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from crito.stats.distances import DISTANCES, likert_distance, manhattan, mean_distance, person_error_rate, wasserstein
from crito.stats.engagement import engagement
from crito.stats.estimation import difference_estimate, difference_estimate_of_sample, pseudo_outcomes
from crito.stats.panel import kendall_w, panel_verdict, scores, swap_effects
from crito.stats.statistic import Statistic
from crito.stats.workload import HIGHEST, LOWEST, SCALES, workload

FEW = settings(max_examples=40, deadline=None)

MESSAGES = st.lists(
    st.tuples(st.integers(0, 4), st.sampled_from(["person", "agent"]), st.text("abc ?", min_size=1, max_size=9)),
    min_size=1,
    max_size=20,
)
ANSWER = st.one_of(st.none(), st.integers(LOWEST, HIGHEST))
PEOPLE = st.lists(st.tuples(*[ANSWER] * len(SCALES)), max_size=8)


def same(one: Statistic, other: Statistic) -> bool:
    """Whether two statistics say the same, but for the last digits of a sum in another order."""
    if one.value is None or other.value is None:
        return one.value is other.value
    return math.isclose(one.value, other.value, rel_tol=1e-9, abs_tol=1e-9) and one.n == other.n


# Engagement


@FEW
@given(MESSAGES, st.randoms(use_true_random=False))
def test_engagement_does_not_depend_on_the_order_of_rows_or_the_names_of_dialogues(rows, random):
    shuffled = random.sample(rows, len(rows))
    here = engagement(*zip(*rows, strict=True))
    there = engagement([f"d{dialogue}" for dialogue, _, _ in shuffled], *list(zip(*shuffled, strict=True))[1:])

    for name in ("messages_person", "messages_agent", "messages_both", "characters_person", "characters_both"):
        assert same(getattr(here, name), getattr(there, name)), name


@FEW
@given(MESSAGES)
def test_both_sides_together_say_what_each_says(rows):
    found = engagement(*zip(*rows, strict=True))
    n = len({dialogue for dialogue, _, _ in rows})

    assert math.isclose(found.messages_both.value, found.messages_person.value + found.messages_agent.value)
    assert math.isclose(found.messages_both.value * n, len(rows))
    assert math.isclose(found.characters_both.value * len(rows), sum(len(text) for _, _, text in rows))


@FEW
@given(MESSAGES)
def test_exchanging_the_sides_exchanges_their_figures(rows):
    turned = [(dialogue, "agent" if side == "person" else "person", text) for dialogue, side, text in rows]
    here, there = engagement(*zip(*rows, strict=True)), engagement(*zip(*turned, strict=True))

    assert same(here.messages_person, there.messages_agent)
    assert same(here.characters_agent, there.characters_person)


@FEW
@given(MESSAGES, st.integers(1, 5))
def test_dialogues_without_a_word_bring_the_means_down(rows, silent):
    here = engagement(*zip(*rows, strict=True))
    there = engagement(*zip(*rows, strict=True), silent=[f"silent {n}" for n in range(silent)])
    n = len({dialogue for dialogue, _, _ in rows})

    assert math.isclose(there.messages_both.value, here.messages_both.value * n / (n + silent))


# Workload


def columns(people):
    return {scale: [person[place] for person in people] for place, scale in enumerate(SCALES)}


@FEW
@given(PEOPLE, st.randoms(use_true_random=False))
def test_workload_does_not_depend_on_the_order_of_people(people, random):
    here, there = workload(columns(people)), workload(columns(random.sample(people, len(people))))

    assert same(here.raw, there.raw)
    assert all(same(here.scales[scale], there.scales[scale]) for scale in SCALES)


@FEW
@given(PEOPLE)
def test_workload_stays_on_its_scales_and_says_who_is_missing(people):
    found = workload(columns(people))
    known = sum(person is not None for person in found.persons)

    for statistic, low, high in ((found.raw, LOWEST, HIGHEST), (found.rescaled, 0, 100)):
        assert statistic.n == known
        assert statistic.value is None or low <= statistic.value <= high
    if found.raw.value is not None:
        assert math.isclose(found.rescaled.value, (found.raw.value - LOWEST) * 5, abs_tol=1e-9)


@FEW
@given(st.integers(LOWEST, HIGHEST), st.integers(1, 6))
def test_people_who_all_say_one_thing_have_that_workload(answer, n):
    found = workload(columns([(answer,) * len(SCALES)] * n))

    assert math.isclose(found.raw.value, answer)
    assert all(math.isclose(statistic.value, answer) for statistic in found.scales.values())


# Distances

ROWS = st.integers(2, 4).flatmap(
    lambda labels: st.lists(
        st.tuples(
            *[st.lists(st.floats(0, 1), min_size=labels, max_size=labels).filter(lambda row: sum(row) > 0.01)] * 2
        ),
        min_size=1,
        max_size=6,
    )
)


def distributions(rows):
    first, second = (np.array([pair[side] for pair in rows]) for side in (0, 1))
    return first / first.sum(axis=1, keepdims=True), second / second.sum(axis=1, keepdims=True)


@FEW
@given(ROWS)
def test_a_distance_is_0_to_itself_and_the_same_both_ways(rows):
    p, t = distributions(rows)

    for name in ("manhattan", "wasserstein", "jensen_shannon"):
        there, back = DISTANCES[name](p, t), DISTANCES[name](t, p)
        # rounding under a root: a divergence of 1e-16 is a distance of 1e-8
        assert np.allclose(DISTANCES[name](p, p), 0, atol=1e-7), name
        assert np.allclose(there, back, atol=1e-7), name
        assert (there >= 0).all(), name


@FEW
@given(ROWS, st.randoms(use_true_random=False))
def test_distances_do_not_depend_on_the_order_of_items_nor_all_but_one_on_that_of_labels(rows, random):
    p, t = distributions(rows)
    items = random.sample(range(len(p)), len(p))
    labels = random.sample(range(p.shape[1]), p.shape[1])

    for name in DISTANCES:
        assert same(mean_distance(name, p, t), mean_distance(name, p[items], t[items])), name
        if name != "wasserstein":
            assert np.allclose(DISTANCES[name](p, t), DISTANCES[name](p[:, labels], t[:, labels]), atol=1e-7), name


@FEW
@given(ROWS)
def test_distances_keep_to_their_ends_and_turning_the_scale_round_moves_nothing(rows):
    p, t = distributions(rows)

    assert (manhattan(p, t) <= 2 + 1e-9).all()
    assert (DISTANCES["jensen_shannon"](p, t) <= 1 + 1e-9).all()
    assert (wasserstein(p, t) <= p.shape[1] - 1 + 1e-9).all()
    assert np.allclose(wasserstein(p, t), wasserstein(p[:, ::-1], t[:, ::-1]), atol=1e-9)
    assert (DISTANCES["cross_entropy"](p, t) >= DISTANCES["cross_entropy"](t, t) - 1e-9).all()


@FEW
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(-1, 2), st.integers(-1, 2)), max_size=20))
def test_a_prediction_that_is_always_right_errs_never_and_renaming_labels_changes_nothing(rows):
    item, said, foretold = (np.array([row[place] for row in rows], np.int64) for place in range(3))
    renamed = np.array([2, 0, 1, -1])

    right = person_error_rate(item, said, said)
    here, there = person_error_rate(item, said, foretold), person_error_rate(item, renamed[said], renamed[foretold])

    assert right.value in (None, 0.0)
    assert same(here, there)
    assert here.value is None or 0 <= here.value <= 1


@FEW
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 7), st.integers(1, 7)), min_size=1, max_size=20))
def test_likert_distances_are_the_same_on_a_scale_that_is_shifted_or_turned(rows):
    item, said, foretold = (np.array([row[place] for row in rows]) for place in range(3))
    here = likert_distance(item, said, foretold, lowest=1, highest=7)
    shifted = likert_distance(item, said - 4.0, foretold - 4.0, lowest=-3, highest=3)
    turned = likert_distance(item, 8.0 - said, 8.0 - foretold, lowest=1, highest=7)

    assert same(here, shifted)
    assert same(here, turned)
    assert 0 <= here.value <= 1


# Estimation

CORPUS = st.lists(
    st.tuples(st.sampled_from([0.0, 1.0]), st.sampled_from([0.0, 1.0]), st.booleans()), min_size=4, max_size=30
).filter(lambda rows: sum(drawn for _, _, drawn in rows) >= 2)


def corpus(rows):
    predicted = np.array([row[0] for row in rows])
    labelled = np.array([row[1] if row[2] else math.nan for row in rows])
    return predicted, labelled


@FEW
@given(CORPUS, st.floats(0.1, 1.0), st.randoms(use_true_random=False))
def test_an_estimate_does_not_depend_on_the_order_of_items(rows, chance, random):
    order = random.sample(range(len(rows)), len(rows))
    predicted, labelled = corpus(rows)
    inclusion = np.full(len(rows), chance)

    assert same(
        difference_estimate(predicted, labelled, inclusion),
        difference_estimate(predicted[order], labelled[order], inclusion[order]),
    )
    assert same(
        difference_estimate_of_sample(predicted, labelled),
        difference_estimate_of_sample(predicted[order], labelled[order]),
    )


@FEW
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=20))
def test_where_every_item_is_labelled_the_estimate_is_the_mean_of_the_labels(rows):
    predicted, labelled = (np.array(column) for column in zip(*rows, strict=True))
    everyone = np.ones(len(rows))

    assert np.allclose(pseudo_outcomes(predicted, labelled, everyone), labelled)
    found = difference_estimate(predicted, labelled, everyone, is_share=False)
    assert found.value is None or math.isclose(found.value, labelled.mean(), abs_tol=1e-9)


@FEW
@given(CORPUS, st.floats(-2, 2))
def test_a_constant_error_of_the_machine_is_taken_out_where_the_shares_are_as_drawn(rows, shift):
    predicted, labelled = corpus(rows)
    share = np.isfinite(labelled).mean()
    inclusion = np.full(len(rows), share)

    plain = pseudo_outcomes(predicted, labelled, inclusion).mean()
    shifted = pseudo_outcomes(predicted + shift, labelled, inclusion).mean()

    assert math.isclose(plain, shifted, abs_tol=1e-9)


@FEW
@given(CORPUS)
def test_estimates_of_a_label_and_of_its_opposite_add_up_to_one(rows):
    predicted, labelled = corpus(rows)
    one = difference_estimate_of_sample(predicted, labelled)
    other = difference_estimate_of_sample(1 - predicted, 1 - labelled)

    assert (one.value is None) == (other.value is None)
    assert one.value is None or math.isclose(one.value + other.value, 1, abs_tol=1e-9)


# Panel

GIVEN = st.tuples(st.integers(1, 4), st.integers(1, 5)).flatmap(
    lambda shape: st.tuples(
        *[
            st.lists(
                st.lists(st.integers(0, 10), min_size=shape[1], max_size=shape[1]), min_size=shape[0], max_size=shape[0]
            )
        ]
        * 4
    )
)
OPPOSITE = {"a": "b", "b": "a", "tie": "tie", None: None}


@FEW
@given(GIVEN)
def test_naming_the_sides_the_other_way_turns_the_verdict_round(tables):
    a, b, later_a, later_b = tables
    here, there = panel_verdict(scores(a, b)), panel_verdict(scores(b, a))
    swap, back = (
        swap_effects(scores(a, b), scores(later_a, later_b)),
        swap_effects(scores(later_b, later_a), scores(b, a)),
    )

    assert there.winner == OPPOSITE[here.winner]
    assert back.winner == OPPOSITE[swap.winner]
    assert math.isclose(back.side.overall.value, -swap.side.overall.value, abs_tol=1e-9)
    assert math.isclose(back.position.overall.value, swap.position.overall.value, abs_tol=1e-9)


@FEW
@given(GIVEN, st.randoms(use_true_random=False))
def test_a_verdict_does_not_depend_on_the_order_of_judges_or_topics(tables, random):
    first, second, third, fourth = (np.array(table) for table in tables)
    judges = random.sample(range(first.shape[0]), first.shape[0])
    topics = random.sample(range(first.shape[1]), first.shape[1])

    def mixed(table):
        return table[judges][:, topics]

    here = swap_effects(scores(first, second), scores(third, fourth))
    there = swap_effects(scores(mixed(first), mixed(second)), scores(mixed(third), mixed(fourth)))

    assert here.winner == there.winner
    for name in ("consistency", "cell_consistency"):
        assert same(getattr(here, name), getattr(there, name)), name
    assert same(here.position.overall, there.position.overall)
    assert same(here.side.overall, there.side.overall)


@FEW
@given(GIVEN)
def test_a_panel_that_heeds_no_order_is_consistent_and_shows_no_position(tables):
    a, b = scores(tables[0], tables[1]), scores(tables[0], tables[1])
    found = swap_effects(a, b)

    assert found.consistency.value == 1.0
    assert math.isclose(found.position.overall.value, 0, abs_tol=1e-9)


@FEW
@given(st.lists(st.integers(0, 10), min_size=3, max_size=8), st.integers(2, 4))
def test_judges_who_all_rank_alike_agree_fully(row, judges):
    assume(len(set(row)) > 1)

    assert math.isclose(kendall_w([row] * judges).value, 1.0, abs_tol=1e-9)


@FEW
@given(GIVEN)
def test_the_concordance_of_judges_depends_on_ranks_alone(tables):
    table = np.array(tables[0], float)
    plain, stretched = kendall_w(table), kendall_w(table * 3 + 1)

    assert same(plain, stretched)
    assert plain.value is None or -1e-9 <= plain.value <= 1 + 1e-9


@pytest.mark.parametrize("name", sorted(DISTANCES))
def test_a_mean_over_no_items_says_why_there_is_none(name):
    empty = np.empty((0, 3))
    assert mean_distance(name, empty, empty).reason
