import numpy as np
import pytest

from crito.stats.bootstrap import cluster_interval, clusters_of, difference_interval, share_of_sums, sums_by_cluster


def test_sums_are_taken_within_each_cluster_that_occurs() -> None:
    sums = sums_by_cluster(np.array([4, 2, 4]), np.array([1, 1, 0]), np.ones(3))

    assert sums.tolist() == [[1, 1], [1, 2]]


def test_resampling_single_rows_finds_the_exact_percentile_bounds() -> None:
    # 5 rows, 3 hits: the resampled share is Bin(5, 0.6) / 5, whose 2.5 % and 97.5 % points are 0.2 and 1
    rows = np.array([[1, 1], [1, 1], [1, 1], [0, 1], [0, 1]], float)

    found = cluster_interval(rows, share_of_sums)

    assert found is not None
    assert (found.low, found.high) == pytest.approx((0.2, 1.0), abs=0.02)


def test_the_seed_decides_the_interval() -> None:
    rows = np.random.default_rng(0).random((30, 2)) + 1

    first, again = cluster_interval(rows, share_of_sums, seed=3), cluster_interval(rows, share_of_sums, seed=3)

    assert first == again
    assert first is not None
    assert "seed 3" in first.method


def test_one_cluster_has_no_interval() -> None:
    assert cluster_interval(np.ones((1, 2)), share_of_sums) is None
    assert cluster_interval(np.zeros((3, 2)), share_of_sums) is None


def test_rows_are_clustered_by_item_first_then_by_person() -> None:
    once, twice = np.array([0, 1]), np.array([0, 0])

    assert clusters_of(once, once) is None
    by_item, by_person = clusters_of(twice, twice), clusters_of(once, twice)
    assert by_item is not None
    assert by_person is not None
    assert (by_item.what, by_person.what) == ("items", "persons")


def test_a_difference_with_an_empty_side_has_no_interval() -> None:
    assert difference_interval(np.ones(2), "ab", np.zeros(0), "") is None
