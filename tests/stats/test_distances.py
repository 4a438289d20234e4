import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon
from scipy.stats import wasserstein_distance

from crito.stats.distances import (
    DISTANCES,
    cross_entropy,
    jensen_shannon,
    likert_distance,
    manhattan,
    mean_distance,
    person_error_rate,
    wasserstein,
)

TARGET = [(0.5, 0.3, 0.2), (0, 1, 0), (0.25, 0.25, 0.5)]
PREDICTED = [(0.6, 0.2, 0.2), (0.1, 0.8, 0.1), (0.2, 0.2, 0.6)]
LIKERT = (np.array([0, 0, 0, 1, 1, 2, 2]), [1, 5, 3, 6, 6, 2, 4], [2, 5, 1, 5, 6, 2, 1])


def test_distances_between_distributions() -> None:
    assert manhattan(PREDICTED, TARGET) == pytest.approx([0.2, 0.4, 0.2])
    assert mean_distance("manhattan", PREDICTED, TARGET).value == pytest.approx(0.266667, abs=1e-6)
    assert cross_entropy(PREDICTED, TARGET) == pytest.approx([1.060132, 0.223144, 1.060132], abs=1e-6)
    assert mean_distance("cross_entropy", PREDICTED, TARGET).value == pytest.approx(0.781136, abs=1e-6)
    assert jensen_shannon(PREDICTED, TARGET) == pytest.approx([0.102692, 0.328682, 0.085435], abs=1e-6)


def test_ordered_labels_are_one_step_apart() -> None:
    target = [(0.2, 0.2, 0.2, 0.2, 0.2), (0, 0, 0.5, 0.5, 0)]
    predicted = [(0.1, 0.2, 0.4, 0.2, 0.1), (0.5, 0, 0, 0, 0.5)]

    assert wasserstein(predicted, target) == pytest.approx([0.4, 1.5])
    assert mean_distance("wasserstein", predicted, target).value == pytest.approx(0.95)


def test_distances_equal_independent_implementations() -> None:
    rng = np.random.default_rng(3)
    p, t = rng.dirichlet(np.ones(4), 20), rng.dirichlet(np.ones(4), 20)

    assert jensen_shannon(p, t) == pytest.approx([jensenshannon(a, b, base=2) for a, b in zip(p, t, strict=True)])
    assert wasserstein(p, t) == pytest.approx(
        [wasserstein_distance(range(4), range(4), a, b) for a, b in zip(p, t, strict=True)]
    )


@pytest.mark.parametrize("name", DISTANCES)
def test_shares_that_do_not_sum_to_one_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name}: shares .* predicted row 1"):
        DISTANCES[name]([[0.5, 0.5], [1.0, 1.0]], [[0.5, 0.5], [0.5, 0.5]])
    with pytest.raises(ValueError, match="one shape"):
        DISTANCES[name]([[1.0]], [[0.5, 0.5]])


def test_error_rate_of_predictions_for_persons() -> None:
    item = np.array([0, 0, 0, 1, 1, 2, 2, 2, 2])

    found = person_error_rate(item, np.array([1, 0, 1, 0, 0, 1, 1, 0, 1]), np.array([1, 1, 1, 0, 0, 0, 1, 0, 0]))

    assert found.value == pytest.approx(0.277778, abs=1e-6)
    assert found.n == 3


def test_rows_without_a_label_or_prediction_are_dropped() -> None:
    found = person_error_rate(np.array([0, 0, 0]), np.array([1, -1, 0]), np.array([1, 1, -1]))

    assert (found.value, found.dropped) == (0.0, {"not_given": 1, "not_predicted": 1})
    assert person_error_rate(np.array([0]), np.array([-1]), np.array([0])).status == "undefined"


def test_likert_distance_divides_by_the_range_or_by_the_number_of_levels() -> None:
    item, given, predicted = LIKERT

    by_range = likert_distance(item, given, predicted, lowest=1, highest=6)
    by_levels = likert_distance(item, given, predicted, lowest=1, highest=6, scaling="levels")

    assert by_range.value == pytest.approx(0.2)
    assert by_levels.value == pytest.approx(0.166667, abs=1e-6)


def test_ratings_off_the_scale_are_refused() -> None:
    with pytest.raises(ValueError, match="off that scale"):
        likert_distance(np.array([0]), [7], [1], lowest=1, highest=6)
    with pytest.raises(ValueError, match="highest must be above"):
        likert_distance(np.array([0]), [1], [1], lowest=1, highest=1)
