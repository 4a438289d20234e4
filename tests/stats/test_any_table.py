"""Whatever a table holds, every measure gives finite numbers or a reason, and never a warning."""

import json

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from crito.stats.accuracy import accuracy_change, confusion
from crito.stats.aggregate import aggregate_labels
from crito.stats.agreement import AGREEMENT, krippendorff_alpha
from crito.stats.alternative import alternative_annotator_test
from crito.stats.anchoring import anchoring_gap, reliance
from crito.stats.annotator_models import dawid_skene, mace
from crito.stats.automatic import conformal_threshold, learn_then_test
from crito.stats.ceiling import ceiling
from crito.stats.confidence import compare_confidence_changes, confidence_change, transitions
from crito.stats.discussion import by_round, recoverable, revisions
from crito.stats.estimation import difference_estimate, difference_estimate_of_sample, power_tuned_mean
from crito.stats.flips import (
    compare_flips,
    compare_item_flips,
    flips,
    flips_toward,
    item_flips,
    majority_of_others,
)
from crito.stats.groups import group_disagreement
from crito.stats.means import compare_means, mean
from crito.stats.paired import signed_rank
from crito.stats.panel import judge_agreement, panel_verdict, scores, swap_effects
from crito.stats.proportions import compare_shares
from crito.stats.ratings import Pairs, Ratings, pairs_from, ratings_from, reference_codes
from crito.stats.soft_labels import mean_entropy, soft_labels
from crito.stats.statistic import as_json
from crito.stats.weighting import weighted_mean

LABELS = ["1", "2", "3"]
WRITTEN = st.sampled_from([*LABELS, "not_sure", "skipped", "abstained", None])
CELLS = st.dictionaries(st.tuples(st.integers(0, 4), st.integers(0, 3)), st.tuples(WRITTEN, WRITTEN), max_size=15)
NUMBERS = st.lists(st.sampled_from([0.0, 0.1, 0.5, 1.0]), max_size=12)


def tables(cells: dict[tuple[int, int], tuple[str | None, str | None]]) -> tuple[Ratings, Pairs]:
    items, annotators = [item for item, _ in cells], [annotator for _, annotator in cells]
    initial, final = [row[0] for row in cells.values()], [row[1] for row in cells.values()]
    return (
        ratings_from(items, annotators, initial, label_set=LABELS),
        pairs_from(items, annotators, initial, final, label_set=LABELS),
    )


def check(*results: object) -> None:
    """As JSON everything is finite, or it is not written at all."""
    for result in results:
        json.dumps(as_json(result), allow_nan=False)


@settings(deadline=None, max_examples=60)
@given(CELLS, CELLS, st.dictionaries(st.integers(0, 4), st.sampled_from(LABELS)))
def test_measures_of_any_labels_are_finite_or_have_a_reason(cells, others, gold) -> None:
    ratings, pairs = tables(cells)
    _, other_pairs = tables(others)
    machine = reference_codes(ratings.items, ratings.labels, gold)
    group_of = {annotator: "ab"[annotator % 2] for annotator in range(4)}

    check(
        *(measure(ratings, repeats=20) for measure in AGREEMENT.values()),
        *(krippendorff_alpha(ratings, scale, values=[1, 2, 4], repeats=20) for scale in ("ordinal", "interval")),
        aggregate_labels(ratings), mean_entropy(soft_labels(ratings)), confusion(ratings, gold),
        confusion(ratings, gold).error_rates("1"), ceiling(ratings, machine),
        alternative_annotator_test(ratings, machine, epsilon=0.1),
        group_disagreement(ratings, group_of, "a", "b", fewest_people=1, permutations=5),
        dawid_skene(ratings, steps=3), mace(ratings, starts=1, steps=3),
        flips(pairs), item_flips(pairs).mean(), item_flips(pairs, not_sure="kept").mean(),
        compare_flips(flips(pairs), flips(other_pairs)), compare_item_flips(item_flips(pairs), item_flips(other_pairs)),
        flips_toward(pairs, majority_of_others(pairs), "majority"), accuracy_change(pairs, gold),
        confidence_change(pairs), compare_confidence_changes(pairs, other_pairs), transitions(pairs),
        reliance(pairs.final, pairs.initial, machine[pairs.item]),
    )  # fmt: skip


@settings(deadline=None, max_examples=60)
@given(
    st.dictionaries(
        st.integers(0, 5),
        st.lists(st.dictionaries(st.sampled_from("abc"), st.sampled_from([*LABELS, None])), min_size=1, max_size=3),
        max_size=5,
    ),
    st.dictionaries(st.integers(0, 5), st.sampled_from(LABELS)),
)
def test_measures_of_any_discussion_are_finite_or_have_a_reason(talks, gold) -> None:
    check(by_round(talks, gold, label_set=LABELS), recoverable(talks, gold), revisions(talks, gold))


@settings(deadline=None, max_examples=100)
@given(NUMBERS, NUMBERS, st.data())
def test_measures_of_any_numbers_are_finite_or_have_a_reason(first, second, data) -> None:
    hits = [number > 0.3 for number in first]
    known = [data.draw(st.sampled_from([0.0, 1.0, float("nan")])) for _ in first]
    chances = data.draw(st.sampled_from([0.2, 1.0]))

    check(
        mean("number", first), compare_means(first, second), signed_rank(first),
        compare_shares(sum(hits), len(hits), 0, len(second)), anchoring_gap(hits, [True] * len(second)),
        learn_then_test(first, hits), conformal_threshold(first, hits),
        weighted_mean(first, [chances] * len(first)), power_tuned_mean(first, first, second),
    )  # fmt: skip
    if first:
        check(difference_estimate(first, known, [chances] * len(first)), difference_estimate_of_sample(first, known))


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 3), st.integers(1, 4), st.data())
def test_measures_of_any_panel_are_finite_or_have_a_reason(n_judges: int, n_topics: int, data) -> None:
    score = st.sampled_from([0.0, 5.0, 10.0, float("nan")])
    tables = [
        np.array(data.draw(st.lists(score, min_size=n_judges * n_topics, max_size=n_judges * n_topics))).reshape(
            n_judges, n_topics
        )
        for _ in range(4)
    ]
    a_first, b_first = scores(tables[0], tables[1]), scores(tables[2], tables[3])

    check(panel_verdict(a_first), swap_effects(a_first, b_first), judge_agreement(np.hstack([tables[0], tables[1]])))
