import pytest
from hypothesis import given
from hypothesis import strategies as st

from crito.stats.proportions import compare_shares, share

SIDE = st.integers(0, 40).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@pytest.mark.parametrize(
    ("counts", "z", "p", "z_unpooled", "p_unpooled", "newcombe", "fisher"),
    [
        ((8, 130, 159, 1390), -1.842633, 0.065383, -2.324066, 0.020122, (-0.087761, 0.004532), 0.077062),
        ((31, 130, 140, 1836), 6.342259, 2.264209e-10, 4.281615, 1.855414e-05, (0.095837, 0.243089), 5.024932e-08),
        ((46, 71, 490, 1003), 2.595185, 0.009454, 2.708216, 0.006765, (0.039238, 0.264844), 0.009901),
    ],
)
def test_comparison_of_flip_rates_gives_both_z_tests_newcombe_and_fisher(
    counts: tuple[int, int, int, int],
    z: float, p: float, z_unpooled: float, p_unpooled: float, newcombe: tuple[float, float], fisher: float,
) -> None:  # fmt: skip
    found = compare_shares(*counts)

    assert found.detail("z_pooled") == pytest.approx(z, abs=1e-6)
    assert found.p_value == pytest.approx(p, rel=1e-3 if p < 1e-4 else 0, abs=0 if p < 1e-4 else 1e-6)
    assert found.detail("z_unpooled") == pytest.approx(z_unpooled, abs=1e-6)
    assert found.detail("p_unpooled") == pytest.approx(p_unpooled, rel=1e-3, abs=1e-6)
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == pytest.approx(newcombe, abs=1e-6)
    assert found.detail("p_fisher") == pytest.approx(fisher, rel=1e-3 if fisher < 1e-4 else 0, abs=1e-6)


def test_fishers_test_gives_the_headline_where_an_expected_count_is_below_five() -> None:
    found = compare_shares(5, 5, 3, 5)

    assert found.p_value == found.detail("p_fisher") == pytest.approx(0.444444, abs=1e-6)
    assert "Fisher" in found.method


@pytest.mark.parametrize("counts", [(0, 10, 0, 8), (10, 10, 8, 8)])
def test_comparison_without_variation_is_undefined(counts: tuple[int, int, int, int]) -> None:
    found = compare_shares(*counts)

    assert (found.status, found.reason, found.p_value) == ("undefined", "no variation", None)


def test_comparison_with_an_empty_side_is_undefined() -> None:
    assert compare_shares(0, 0, 3, 5).status == "undefined"


@pytest.mark.parametrize(
    ("count", "n", "low", "high"),
    [(17, 20, 0.639581, 0.947631), (20, 20, 0.838875, 1), (46, 50, 0.811618, 0.968450), (0, 10, 0, 0.277533)],
)
def test_a_share_has_its_wilson_interval(count: int, n: int, low: float, high: float) -> None:
    found = share("agreement", count, n).interval

    assert found is not None
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-6)


def test_a_share_of_more_than_all_is_refused() -> None:
    with pytest.raises(ValueError, match="share: count"):
        share("agreement", 3, 2)


@given(SIDE, SIDE)
def test_comparison_is_never_a_number_that_is_not_and_swaps_sign_with_its_sides(
    a: tuple[int, int], b: tuple[int, int]
) -> None:
    forth, back = compare_shares(*a, *b), compare_shares(*b, *a)

    assert forth.status == back.status
    if forth.value is not None:
        assert forth.value == pytest.approx(-back.value)
        assert forth.p_value == pytest.approx(back.p_value)
