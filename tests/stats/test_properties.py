"""What must hold of every statistic of labels: names and order do not matter, a label given twice is refused, nothing is a NaN."""

import math
from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crito.stats.accuracy import accuracy_change, confusion
from crito.stats.agreement import fleiss_kappa, krippendorff_alpha, percent_agreement
from crito.stats.alternative import alternative_annotator_test
from crito.stats.ceiling import ceiling
from crito.stats.confidence import confidence_change, share_at_step, transitions
from crito.stats.flips import compare_flips, compare_item_flips, flips, flips_toward, item_flips, majority_of_others
from crito.stats.groups import group_disagreement
from crito.stats.minorities import minority_report
from crito.stats.ratings import MISSING, Pairs, Ratings, pairs_from, ratings_from, reference_codes
from crito.stats.soft_labels import mean_entropy, soft_labels
from crito.stats.statistic import Statistic

LABELS = ("a", "b", "c")
RENAMED = {"a": "z", "b": "x", "c": "y", None: None, "not_sure": "not_sure"}
PEOPLE = tuple(f"p{number}" for number in range(6))
GROUP_OF = {name: "odd" if number % 2 else "even" for number, name in enumerate(PEOPLE)}

Row = tuple[int, str, str | None, str | None]
GOLD = {0: "a", 1: "b", 2: "c", 3: "a"}

label = st.sampled_from([*LABELS, None, "not_sure"])
ROWS = st.dictionaries(
    st.tuples(st.integers(0, 4), st.sampled_from(PEOPLE)), st.tuples(label, label), min_size=1, max_size=24
).map(lambda cells: [(item, person, *labels) for (item, person), labels in cells.items()])


def ratings_of(rows: Sequence[Row], names: Sequence[str]) -> Ratings:
    return ratings_from([r[0] for r in rows], [r[1] for r in rows], [r[2] for r in rows], label_set=names)


def pairs_of(rows: Sequence[Row], names: Sequence[str]) -> Pairs:
    return pairs_from(
        [r[0] for r in rows], [r[1] for r in rows], [r[2] for r in rows], [r[3] for r in rows], label_set=names
    )


def _machine(ratings: Ratings, gold: dict[int, str]) -> np.ndarray:
    return reference_codes(ratings.items, ratings.labels, gold)


def _even(pairs: Pairs) -> np.ndarray:
    return np.array([int(str(pairs.items[code])) % 2 == 0 for code in pairs.item], bool)


Gold = dict[int, str]
OF_RATINGS: dict[str, Callable[[Ratings, Gold], object]] = {
    "percent_agreement": lambda ratings, gold: percent_agreement(ratings, repeats=0),
    "fleiss_kappa": lambda ratings, gold: fleiss_kappa(ratings, repeats=0),
    "krippendorff_alpha": lambda ratings, gold: krippendorff_alpha(ratings, repeats=0),
    "entropy": lambda ratings, gold: mean_entropy(soft_labels(ratings)),
    "confusion": lambda ratings, gold: confusion(ratings, gold).accuracy,
    "coverage": lambda ratings, gold: confusion(ratings, gold).coverage,
    "ceiling": lambda ratings, gold: ceiling(ratings, _machine(ratings, gold)),
    "alternative annotator": lambda ratings, gold: (
        alternative_annotator_test(ratings, _machine(ratings, gold), epsilon=0.1).advantage_probability
    ),
    "groups": lambda ratings, gold: (
        group_disagreement(ratings, GROUP_OF, "even", "odd", fewest_people=1, permutations=0).total_variation
    ),
    "groups, pairs": lambda ratings, gold: (
        group_disagreement(ratings, GROUP_OF, "even", "odd", fewest_people=1, permutations=0).cross_kappa
    ),
}
OF_PAIRS: dict[str, Callable[[Pairs, Gold], object]] = {
    "flips": lambda pairs, gold: flips(pairs).rate,
    "flips by item": lambda pairs, gold: item_flips(pairs).mean(),
    "toward the majority": lambda pairs, gold: flips_toward(pairs, majority_of_others(pairs), "majority"),
    "toward gold": lambda pairs, gold: flips_toward(
        pairs, reference_codes(pairs.items, pairs.labels, gold)[pairs.item], "gold"
    ),
    "accuracy change": lambda pairs, gold: accuracy_change(pairs, gold),
    "minorities": lambda pairs, gold: minority_report(pairs),
    "flips compared": lambda pairs, gold: compare_flips(flips(pairs), flips(pairs.where(_even(pairs)))),
    "items compared": lambda pairs, gold: compare_item_flips(item_flips(pairs), item_flips(pairs)),
}
IN_ORDER: dict[str, Callable[[Pairs, Gold], object]] = {
    "confidence change": lambda pairs, gold: confidence_change(pairs),
    "confidence, up and down": lambda pairs, gold: (transitions(pairs).up, transitions(pairs).down),
    "share at the highest": lambda pairs, gold: share_at_step(pairs, pairs.labels[-1], final=True),
}


def told(found: object) -> list[Any]:
    """The values, counts and reasons of every statistic in a result, rounded."""
    if isinstance(found, Statistic):
        value = None if found.value is None else round(found.value, 9) + 0.0
        return [found.name, value, found.n, sorted(found.dropped.items()), found.status]
    if isinstance(found, tuple | list):
        return [told(part) for part in found]
    if is_dataclass(found) and not isinstance(found, type):
        return [told(getattr(found, part.name)) for part in fields(found) if part.name not in ("by_item", "items")]
    return [found] if isinstance(found, str | int | type(None)) else []


def numbers(found: object) -> list[float]:
    """Every number in a result."""
    if isinstance(found, Statistic):
        ends = [end for i in (found.interval, found.cluster_interval) if i for end in (i.low, i.high)]
        return [x for x in (found.value, found.p_value, *ends, *found.details.values()) if isinstance(x, float)]
    if isinstance(found, tuple | list):
        return [number for part in found for number in numbers(part)]
    if is_dataclass(found) and not isinstance(found, type):
        return [number for part in fields(found) for number in numbers(getattr(found, part.name))]
    return []


CASES = [
    *((name, measure, ratings_of) for name, measure in OF_RATINGS.items()),
    *((name, measure, pairs_of) for name, measure in (OF_PAIRS | IN_ORDER).items()),
]
NAMES = [name for name, _, _ in CASES]
few = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize(("name", "measure", "make"), CASES, ids=NAMES)
@few
@given(rows=ROWS, random=st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(name: str, measure: Any, make: Any, rows: list[Row], random: Any) -> None:
    shuffled = rows.copy()
    random.shuffle(shuffled)

    assert told(measure(make(shuffled, LABELS), GOLD)) == told(measure(make(rows, LABELS), GOLD))


@pytest.mark.parametrize(
    ("name", "measure", "make"),
    [case for case in CASES if case[0] not in IN_ORDER],
    ids=[n for n in NAMES if n not in IN_ORDER],
)
@few
@given(rows=ROWS)
def test_the_names_of_labels_do_not_matter(name: str, measure: Any, make: Any, rows: list[Row]) -> None:
    other = [(item, person, RENAMED[first], RENAMED[last]) for item, person, first, last in rows]
    gold = {item: RENAMED[name] for item, name in GOLD.items()}

    assert told(measure(make(other, ("x", "y", "z")), gold)) == told(measure(make(rows, LABELS), GOLD))


@pytest.mark.parametrize(("name", "measure", "make"), CASES, ids=NAMES)
@few
@given(rows=ROWS)
def test_whatever_is_missing_nothing_is_a_nan(name: str, measure: Any, make: Any, rows: list[Row]) -> None:
    found = measure(make(rows, LABELS), GOLD)

    assert all(math.isfinite(number) for number in numbers(found))


# a row without a label lowers the coverage, and rightly so
@pytest.mark.parametrize(
    ("name", "measure", "make"),
    [case for case in CASES if case[0] != "coverage"],
    ids=[n for n in NAMES if n != "coverage"],
)
@few
@given(rows=ROWS, extra=st.integers(1, 5))
def test_rows_without_a_label_change_no_value(name: str, measure: Any, make: Any, rows: list[Row], extra: int) -> None:
    empty = [(number % 5, f"late{number}", None, None) for number in range(extra)]

    with_empty, without = (told(measure(make(table, LABELS), GOLD)) for table in ([*rows, *empty], rows))

    assert _values(with_empty) == _values(without)


def _values(found: list[Any]) -> list[Any]:
    """What `told` says without what was left out, and without how often."""
    if len(found) == 5 and isinstance(found[0], str):
        return [found[0], found[1]]
    return [_values(part) if isinstance(part, list) else part for part in found]


@pytest.mark.parametrize("make", [ratings_of, pairs_of])
@given(rows=ROWS)
def test_a_label_given_twice_is_refused(make: Any, rows: list[Row]) -> None:
    with pytest.raises(ValueError, match="one label per annotator and item"):
        make([*rows, rows[0]], LABELS)


@given(
    st.lists(st.sampled_from(LABELS), min_size=2, max_size=6).filter(lambda labels: len(set(labels)) > 1),
    st.integers(2, 5),
)
def test_perfect_agreement_is_perfect_by_every_measure(labels: list[str], people: int) -> None:
    rows: list[Row] = [(i, PEOPLE[p], name, name) for i, name in enumerate(labels) for p in range(people)]
    ratings, pairs = ratings_of(rows, LABELS), pairs_of(rows, LABELS)

    assert [measure(ratings, repeats=0).value for measure in (percent_agreement, fleiss_kappa, krippendorff_alpha)] == [
        1,
        1,
        1,
    ]
    assert mean_entropy(soft_labels(ratings)).value == 0
    assert confusion(ratings, dict(enumerate(labels))).accuracy.value == 1
    assert flips(pairs).rate.value == 0
    report = minority_report(pairs)
    assert (report.minority_left.n, report.majority_left.value, report.labels_lost.n) == (0, 0, 0)


def test_labels_by_chance_agree_no_better_and_move_no_more_than_chance() -> None:
    rng = np.random.default_rng(2)
    codes = rng.integers(3, size=(2, 600, 5))
    rows: list[Row] = [
        (i, PEOPLE[p], LABELS[codes[0, i, p]], LABELS[codes[1, i, p]]) for i in range(600) for p in range(5)
    ]
    ratings, pairs = ratings_of(rows, LABELS), pairs_of(rows, LABELS)

    assert abs(krippendorff_alpha(ratings, repeats=0).value or 1) < 0.03
    assert abs(fleiss_kappa(ratings, repeats=0).value or 1) < 0.03
    assert flips(pairs).rate.value == pytest.approx(2 / 3, abs=0.03)
    to = flips_toward(pairs, majority_of_others(pairs), "majority").to.value
    assert to == pytest.approx(1 / 3, abs=0.04)
    assert minority_report(pairs).difference.value == pytest.approx(0, abs=0.05)
    assert MISSING not in flips(pairs).directions.counts
