"""Small tables that several tests of statistics read."""

from collections.abc import Sequence

from crito.stats.ratings import Pairs, Ratings, pairs_from, ratings_from

DELIBERATED = """
a1 d1 S S | a2 d1 S N | a3 d1 N NS | a4 d1 N N
a1 d2 N N | a2 d2 S -  | a3 d2 S N
a1 d3 N S | a2 d3 N S | a3 d3 S S | a4 d3 S NS | a5 d3 N N | a6 d3 N N
a5 d4 S NS
"""


def deliberated_pairs() -> Pairs:
    """The worked example of flips: annotator, item, initial, final; NS is *not sure*, - is missing."""
    rows = [cell.split() for line in DELIBERATED.strip().splitlines() for cell in line.split("|")]
    annotators, items, initial, final = zip(*rows, strict=True)
    return pairs_from(
        items, annotators, initial, [None if label == "-" else label for label in final],
        label_set=["S", "N"], states={"NS": "not_sure"},
    )  # fmt: skip


def pairs_of(initial: Sequence[object], final: Sequence[object], label_set: Sequence[str] | None = None) -> Pairs:
    """Pairs by as many annotators on as many items."""
    names = [f"i{row}" for row in range(len(initial))]
    return pairs_from(names, names, initial, final, label_set=label_set)


def ratings_of(labels_by_item: Sequence[str], label_set: Sequence[str] | None = None) -> Ratings:
    """Ratings from one word per item, one letter per annotator; - is missing."""
    rows = [
        (f"i{item}", f"a{place}", None if letter == "-" else letter)
        for item, word in enumerate(labels_by_item)
        for place, letter in enumerate(word)
    ]
    items, annotators, labels = zip(*rows, strict=True)
    return ratings_from(items, annotators, labels, label_set=label_set)
