"""Draws by a secret seed: of the right size, the same again, and in nobody's favour."""

import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crito.evidence.draws import hash_of_seed, independent_draw, simple_draw

ITEMS = [f"i-{n}" for n in range(20)]


@pytest.mark.parametrize(("rate", "n_items", "n_drawn"), [(0.2, 20, 4), (0.2, 15, 3), (0.2, 21, 5), (1.0, 7, 7)])
def test_a_draw_takes_the_rate_rounded_up(rate: float, n_items: int, n_drawn: int) -> None:
    drawn = simple_draw("seed", "sarcasm", [f"i-{n}" for n in range(n_items)], rate=rate)

    assert len(drawn.items) == n_drawn
    assert drawn.probability == n_drawn / n_items


@given(st.permutations(ITEMS), st.text(max_size=20))
def test_the_order_of_the_items_changes_nothing(items: list[str], seed: str) -> None:
    assert simple_draw(seed, "sarcasm", items, rate=0.3) == simple_draw(seed, "sarcasm", ITEMS, rate=0.3)


def test_a_draw_can_be_made_again_by_hand_from_the_seed() -> None:
    def key(item: str) -> bytes:
        return hmac.new(b"seed", b"sarcasm\x1f" + item.encode(), hashlib.sha256).digest()[:8]

    assert simple_draw("seed", "sarcasm", ITEMS, rate=0.2).items == frozenset(sorted(ITEMS, key=key)[:4])


def test_every_item_is_drawn_as_often_as_its_probability_says() -> None:
    rounds = 2000
    often = dict.fromkeys(ITEMS, 0)

    for seed in range(rounds):
        for item in simple_draw(str(seed), "sarcasm", ITEMS, rate=0.2).items:
            often[item] += 1

    # five standard deviations of a binomial share
    assert all(abs(n / rounds - 0.2) < 5 * (0.2 * 0.8 / rounds) ** 0.5 for n in often.values())


def test_items_that_come_later_change_nothing_about_those_before() -> None:
    before = independent_draw("seed", "sarcasm", ITEMS, rate=0.5).items
    after = independent_draw("seed", "sarcasm", [*ITEMS, *(f"new-{n}" for n in range(100))], rate=0.5).items

    assert after & set(ITEMS) == before
    assert len(after - before) in range(25, 76)


def test_what_is_published_is_the_sha256_of_the_seed() -> None:
    assert hash_of_seed("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
