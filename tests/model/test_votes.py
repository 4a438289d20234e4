import pytest
from hypothesis import given
from hypothesis import strategies as st

from crito.model.votes import majority, most_votes

LABELS = st.dictionaries(st.sampled_from("abcde"), st.sampled_from(["X", "Y", "Z", None]), max_size=5)
ORDER = list("edcba")


@pytest.mark.parametrize(
    ("samples", "label", "status", "tied"),
    [
        ("AABBC", None, "no_majority", ("A", "B")),
        ("AABCD", "A", "majority", ("A",)),
        ("A----", "A", "majority", ("A",)),
        ("-----", None, "missing", ()),
        ("", None, "missing", ()),
        ("XYZ", None, "no_majority", ("X", "Y", "Z")),
        ("XXX", "X", "consensus", ("X",)),
        ("XX-", "X", "majority", ("X",)),
    ],
)
def test_a_unique_mode_wins_and_consensus_needs_everybody(
    samples: str, label: str | None, status: str, tied: tuple[str, ...]
) -> None:
    vote = most_votes(None if letter == "-" else letter for letter in samples)

    assert (vote.label, vote.status, vote.tied) == (label, status, tied)


def test_a_tie_escalates_unless_a_rule_breaks_it() -> None:
    labels = {"one": "X", "two": "Y"}

    assert majority(labels).label is None
    assert majority(labels, rule="priority", order=["two", "one"]).label == "Y"
    assert majority(labels, rule="history", order=["two", "one"], earlier=[{"one": "X", "two": "X"}]).label == "X"
    assert majority(labels, rule="seeded", item="i1").label in ("X", "Y")


def test_history_falls_back_on_priority_and_ignores_labels_out_of_the_tie() -> None:
    labels = {"one": "X", "two": "Y"}

    vote = majority(labels, rule="history", order=["one", "two"], earlier=[{"one": "Z", "two": "Z"}])

    assert (vote.label, vote.broken_by, vote.tied) == ("X", "history", ("X", "Y"))


def test_priority_needs_every_agent_in_its_order() -> None:
    with pytest.raises(ValueError, match="'two'"):
        majority({"one": "X", "two": "Y"}, rule="priority", order=["one"])


def test_the_seed_and_the_item_decide_a_seeded_tie() -> None:
    labels = {"one": "X", "two": "Y"}

    chosen = {majority(labels, rule="seeded", seed=seed, item="i").label for seed in range(20)}

    assert chosen == {"X", "Y"}


def test_credit_is_shared_among_the_tied_labels() -> None:
    vote = most_votes(["X", "Y", "Z"])

    assert vote.credit("X") == pytest.approx(1 / 3)
    assert vote.credit("other") == 0


@given(LABELS, st.sampled_from(["escalate", "priority", "history", "seeded"]), st.randoms(use_true_random=False))
def test_the_order_of_labels_never_decides(labels: dict[str, str | None], rule, random) -> None:
    shuffled = list(labels.items())
    random.shuffle(shuffled)

    assert majority(labels, rule=rule, order=ORDER) == majority(dict(shuffled), rule=rule, order=ORDER)
