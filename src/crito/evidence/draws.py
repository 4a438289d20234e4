"""Which items are labelled blind: drawn by a secret seed, so that anyone can draw them again once it is told."""

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from crito.model.study import blind_sample_size

KEYS = 2**64


@dataclass(frozen=True, slots=True)
class Drawn:
    """The items that were drawn, and the probability that each of all the items had."""

    items: frozenset[str]
    probability: float


def hash_of_seed(seed: str) -> str:
    """What is published before the first label: the SHA-256 of the seed."""
    return hashlib.sha256(seed.encode()).hexdigest()


def key_of(seed: str, task: str, item: str) -> int:
    """64 bits that say where an item stands in the seed's order: the first of HMAC-SHA256 over task and item."""
    digest = hmac.new(seed.encode(), f"{task}\x1f{item}".encode(), hashlib.sha256).digest()
    return int.from_bytes(digest[:8])


def simple_draw(seed: str, task: str, items: Iterable[str], *, rate: float) -> Drawn:
    """A simple random sample without replacement of `ceil(rate · N)` items.

    Args:
        seed: secret; with it anyone gets the same sample.
        items: ids, in any order.
        rate: share to be drawn, in (0, 1].

    Source: `blind`, blind items; STATISTICS 5.1.
    """
    ordered = sorted(set(items), key=lambda item: (key_of(seed, task, item), item))
    n = blind_sample_size(rate, len(ordered))
    return Drawn(frozenset(ordered[:n]), n / len(ordered) if ordered else 0.0)


def independent_draw(seed: str, task: str, items: Iterable[str], *, rate: float) -> Drawn:
    """Items decided on one by one, each drawn with probability `rate`: for items that come after the first draw.

    Source: STATISTICS 5.1, growing corpus.
    """
    below = int(Fraction(str(rate)) * KEYS)
    return Drawn(frozenset(item for item in items if key_of(seed, task, item) < below), rate)
