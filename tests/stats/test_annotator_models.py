import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crito.stats.annotator_models import dawid_skene, mace
from crito.stats.ratings import Ratings, ratings_from
from tests.stats.tables import ratings_of

EIGHT_TASKS = {
    "t1": "A A B -", "t2": "B B B -", "t3": "A B B -", "t4": "A A A -", "t5": "B A B B", "t6": "A - A B",
    "t7": "- B - B", "t8": "A A - A",
}  # fmt: skip
PANELS = st.lists(st.text("AB-", min_size=4, max_size=4).filter(lambda word: word != "----"), min_size=2, max_size=8)


def small() -> Ratings:
    return ratings_of([word.replace(" ", "") for word in EIGHT_TASKS.values()])


def crowd(seed: int, n_items: int = 300) -> tuple[Ratings, np.ndarray, np.ndarray]:
    """Ten annotators, the last two of whom answer at random; the truth and each one's chance to know it."""
    rng = np.random.default_rng(seed)
    truth, knows = rng.integers(0, 3, n_items), np.array([0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0, 0])
    rows = [
        (item, person, int(truth[item]) if rng.random() < knows[person] else int(rng.integers(0, 3)))
        for item in range(n_items)
        for person in rng.choice(10, 5, replace=False)
    ]
    items, people, labels = zip(*rows, strict=True)
    ratings = ratings_from(items, people, labels)
    return ratings, truth[np.array(ratings.items)], knows[np.array(ratings.annotators)]


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        (5, (0.627375, 0.000001, 0.009475, 0.998981, 0.000098, 0.993600, 0.007531, 1.0)),
        (100, (0.571429, 0, 0, 1, 0, 1, 0, 1)),
    ],
)
def test_posteriors_after_so_many_steps(steps: int, expected: tuple[float, ...]) -> None:
    found = dawid_skene(small(), steps=steps)

    assert found.posterior[:, 0] == pytest.approx(expected, abs=1e-6)
    assert "".join(found.labels[code] for code in found.label) == "ABBABABA"


def test_convergence_and_thin_data_are_reported() -> None:
    assert dawid_skene(small(), steps=2).fit.details["converged"] is False
    assert dawid_skene(small()).fit.details["converged"] is True
    assert dawid_skene(small()).fit.details["few_annotations"] is True
    assert dawid_skene(small()).confusion_of("a0") is None


@settings(max_examples=30)
@given(PANELS)
def test_the_likelihood_never_falls(panels: list[str]) -> None:
    found = dawid_skene(ratings_of(panels, ["A", "B"]), steps=20)

    assert (np.diff(found.log_likelihoods) >= -1e-6).all()
    assert found.posterior.sum(axis=1) == pytest.approx(np.ones(len(panels)))


@settings(max_examples=30)
@given(PANELS, st.randoms(use_true_random=False))
def test_posteriors_ignore_the_order_of_items_and_the_names_of_labels(panels: list[str], random) -> None:
    order = list(range(len(panels)))
    random.shuffle(order)
    renamed = [panels[place].translate(str.maketrans("AB", "BA")) for place in order]

    before, after = (dawid_skene(ratings_of(rows, ["A", "B"]), steps=5) for rows in (panels, renamed))

    assert after.posterior[:, ::-1] == pytest.approx(before.posterior[order], abs=1e-6)


def test_dawid_skene_recovers_labels_and_habits() -> None:
    ratings, truth, _ = crowd(1)

    found = dawid_skene(ratings)

    assert (found.label == truth).mean() > 0.93
    confusion = found.confusion_of(0)
    assert confusion is not None
    assert np.diag(confusion).min() > 0.85


def test_mace_recovers_labels_and_tells_who_guesses() -> None:
    ratings, truth, knows = crowd(2)

    found = mace(ratings, starts=3)

    assert (found.label == truth).mean() > 0.93
    assert found.competence == pytest.approx(knows, abs=0.15)
    assert found.competence_of(8) is not None
    assert mace(small(), starts=1).competence_of("a0") is None


def test_the_seed_decides_where_mace_starts() -> None:
    ratings, _, _ = crowd(3, n_items=30)

    first, again = mace(ratings, starts=2, steps=5, seed=1), mace(ratings, starts=2, steps=5, seed=1)

    assert np.array_equal(first.posterior, again.posterior)
    assert first.fit.details["seed"] == 1


def test_perfect_agreement_is_found_by_both() -> None:
    ratings = ratings_of(["AAA", "BBB", "AAA", "BBB"])

    assert dawid_skene(ratings).label.tolist() == mace(ratings).label.tolist() == [0, 1, 0, 1]


def test_one_label_or_none_is_not_fitted() -> None:
    for model in (dawid_skene, mace):
        single, empty = model(ratings_of(["AA", "A-"], ["A", "B"])), model(ratings_of(["--"], ["A", "B"]))
        assert (single.fit.status, single.fit.reason) == ("undefined", "no variation")
        assert single.label.tolist() == [0, 0]
        assert empty.fit.status == "insufficient"
        assert len(empty.label) == 0


def test_items_with_a_tie_have_no_most_probable_label() -> None:
    ratings = ratings_of(["AB", "BA"])

    assert dawid_skene(ratings, steps=1).label.tolist() == [-1, -1]


def test_steps_below_one_are_refused() -> None:
    with pytest.raises(ValueError, match="dawid_skene: steps"):
        dawid_skene(small(), steps=0)
    with pytest.raises(ValueError, match="mace: starts"):
        mace(small(), starts=0)
