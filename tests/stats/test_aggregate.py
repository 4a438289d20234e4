from crito.stats.aggregate import aggregate_labels
from crito.stats.ratings import MISSING
from tests.stats.tables import ratings_of


def test_a_tie_has_no_aggregate_label() -> None:
    found = aggregate_labels(ratings_of(["AAB", "AB-", "BB-", "---"]))

    assert found.label.tolist() == [0, MISSING, 1, MISSING]
    assert (found.decided.value, found.decided.n) == (2 / 3, 3)
    assert found.tied.details["count"] == 1
    assert (found.unanimous.details["count"], found.unanimous.n) == (1, 3)
    assert found.decided.dropped == {"item_without_label": 1}


def test_nothing_labelled_has_nothing_decided() -> None:
    assert aggregate_labels(ratings_of(["-"])).decided.status == "undefined"
