"""The same numbers from packages that are too heavy to depend on; each test is skipped where its package is not there."""

import numpy as np
import pytest
from scipy.stats import binom

from crito.stats.annotator_models import dawid_skene, mace
from crito.stats.automatic import learn_then_test
from crito.stats.estimation import power_tuned_mean
from crito.stats.ratings import Ratings, ratings_from


def crowd(seed: int) -> Ratings:
    """Eight annotators of falling skill, four of them on each of 120 items."""
    rng = np.random.default_rng(seed)
    truth, skill = rng.integers(0, 3, 120), np.linspace(0.95, 0.4, 8)
    rows = [
        (item, person, "ABC"[truth[item] if rng.random() < skill[person] else rng.integers(0, 3)])
        for item in range(120)
        for person in rng.choice(8, 4, replace=False)
    ]
    items, people, labels = zip(*rows, strict=True)
    return ratings_from(items, [int(person) for person in people], labels)


def as_frame(ratings: Ratings):
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame(
        {
            "task": [ratings.items[code] for code in ratings.item],
            "worker": [ratings.annotators[code] for code in ratings.annotator],
            "label": [ratings.labels[code] for code in ratings.label],
        }
    )


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("steps", [1, 7, 50])
def test_dawid_skene_equals_crowd_kit_when_it_is_not_stopped_early(steps: int) -> None:
    aggregation = pytest.importorskip("crowdkit.aggregation")
    ratings = crowd(1)

    oracle = aggregation.DawidSkene(n_iter=steps, tol=-1e9).fit_predict_proba(as_frame(ratings))
    found = dawid_skene(ratings, steps=steps)

    expected = oracle.loc[list(found.items), list(found.labels)].to_numpy()
    assert found.posterior == pytest.approx(expected, abs=1e-6)


@pytest.mark.filterwarnings("ignore")
def test_mace_names_the_labels_and_the_order_of_skill_that_crowd_kit_does() -> None:
    aggregation = pytest.importorskip("crowdkit.aggregation")
    ratings = crowd(2)

    oracle = aggregation.MACE(n_restarts=10, n_iter=50, random_state=0)
    theirs = oracle.fit_predict(as_frame(ratings))
    found = mace(ratings)

    ours = [found.labels[code] for code in found.label]
    assert np.mean([theirs[item] == label for item, label in zip(found.items, ours, strict=True)]) > 0.97
    # its annotators stand in the order of their first label, as ours do
    assert np.corrcoef(oracle.spamming_[:, 1], found.competence)[0, 1] > 0.97


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("tuning", [0.0, 1.0, None])
@pytest.mark.parametrize("seed", range(5))
def test_power_tuned_means_equal_those_of_ppi_python(tuning: float | None, seed: int) -> None:
    ppi_py = pytest.importorskip("ppi_py")
    rng = np.random.default_rng(seed)
    y = (rng.random(40) < 0.4).astype(float)
    f, rest = np.clip(y + rng.normal(0, 0.3, 40), 0, 1), rng.random(200)

    point = float(np.ravel(ppi_py.ppi_mean_pointestimate(y, f, rest, lam=tuning))[0])
    low, high = (float(np.ravel(bound)[0]) for bound in ppi_py.ppi_mean_ci(y, f, rest, alpha=0.05, lam=tuning))
    found = power_tuned_mean(y, f, rest, tuning=tuning)

    assert found.value == pytest.approx(point)
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == pytest.approx((low, high))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(5))
def test_a_fixed_sequence_passes_what_mapie_passes(seed: int) -> None:
    risk_control = pytest.importorskip("mapie.risk_control")
    rng = np.random.default_rng(seed)
    grid = tuple(np.round(np.arange(0.95, 0.5, -0.05), 2).tolist())
    # confidence is a little above one of the thresholds, so that each adds items
    confidence = rng.choice(grid, 600) + 0.001
    wrong = rng.random(600) < 0.35 * (1 - confidence)
    counts = [(int((confidence >= at).sum()), int(wrong[confidence >= at].sum())) for at in grid]
    p_values = np.array([binom.cdf(errors, n, 0.08) for n, errors in counts])

    passed = risk_control.control_fwer(p_values, 0.1, "fixed_sequence")
    found = learn_then_test(confidence, wrong, error_rate=0.08, risk=0.1, grid=grid)

    assert [step.threshold for step in found.steps if step.passed] == [grid[place] for place in passed]
