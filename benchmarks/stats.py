"""What statistics of many annotations cost, beside the packages that compute the same.

Run `python benchmarks/stats.py`; by default 100 000 items with 10 annotations each. Packages that are not installed are
left out. Times are for the computation alone, without imports and without building the table.
"""

import argparse
import importlib
import platform
import resource
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np
import scipy.stats  # noqa: F401
import statsmodels.stats.inter_rater as inter_rater
import statsmodels.stats.proportion  # noqa: F401

from crito.stats.agreement import fleiss_kappa, krippendorff_alpha, percent_agreement
from crito.stats.annotator_models import dawid_skene, mace
from crito.stats.flips import flips
from crito.stats.ratings import Pairs, Ratings, ratings_from
from crito.stats.soft_labels import mean_entropy, soft_labels

LABELS = tuple("ABCDE")


def table(n_items: int, per_item: int, seed: int) -> Ratings:
    """Annotators who know the label seven times in ten, and otherwise guess."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(len(LABELS), size=n_items)
    item = np.repeat(np.arange(n_items), per_item)
    # neighbouring people label an item, so that nobody labels one twice
    n_people = max(per_item, 1000)
    annotator = (
        np.repeat(rng.integers(n_people, size=n_items), per_item) + np.tile(np.arange(per_item), n_items)
    ) % n_people
    label = np.where(rng.random(len(item)) < 0.7, truth[item], rng.integers(len(LABELS), size=len(item)))
    return Ratings(item, annotator, label, tuple(range(n_items)), tuple(range(n_people)), LABELS)


def package(name: str, module: str) -> Any | None:
    """A package to compare with, or None where it is not installed."""
    try:
        version(name)
    except PackageNotFoundError:
        return None
    return importlib.import_module(module)


def seconds(job: Callable[[], object], repeats: int) -> float:
    """The fastest of some runs."""
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        job()
        times.append(time.perf_counter() - begin)
    return min(times)


def show(what: str, ours: float, other: str = "", theirs: float | None = None) -> None:
    beside = "" if theirs is None else f"   {other} {theirs:.3f} s, {theirs / ours:.1f} times ours"
    print(f"{what:<48} {ours:8.3f} s{beside}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--per-item", type=int, default=10)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    print(f"{platform.machine()}, {platform.system()} {platform.release()}, Python {platform.python_version()}")
    print(", ".join(f"{name} {version(name)}" for name in ("numpy", "scipy", "statsmodels")))
    print(f"{options.items} items x {options.per_item} annotations, {len(LABELS)} labels")

    ratings = table(options.items, options.per_item, seed=0)
    krippendorff, crowdkit = package("krippendorff", "krippendorff"), package("crowd-kit", "crowdkit.aggregation")
    counts, repeats = ratings.counts(), options.repeats
    for scale in ("nominal", "ordinal", "interval"):
        theirs = krippendorff and seconds(
            lambda scale=scale: krippendorff.alpha(  # type: ignore[misc]
                value_counts=counts, value_domain=range(len(LABELS)), level_of_measurement=scale
            ),
            repeats,
        )
        show(
            f"krippendorff_alpha, {scale}",
            seconds(lambda scale=scale: krippendorff_alpha(ratings, scale, values=range(5), repeats=0), repeats),  # type: ignore[misc]
            "krippendorff", theirs,
        )  # fmt: skip
    show("krippendorff_alpha, nominal, with interval", seconds(lambda: krippendorff_alpha(ratings), 1))
    show(
        "fleiss_kappa", seconds(lambda: fleiss_kappa(ratings, repeats=0), repeats),
        "statsmodels", seconds(lambda: inter_rater.fleiss_kappa(ratings.counts()), repeats),
    )  # fmt: skip
    show("percent_agreement", seconds(lambda: percent_agreement(ratings, repeats=0), repeats))
    show("soft labels and mean entropy", seconds(lambda: mean_entropy(soft_labels(ratings)), repeats))
    final = np.where(np.random.default_rng(1).random(len(ratings)) < 0.1, 0, ratings.label)
    pairs = Pairs(
        ratings.item, ratings.annotator, ratings.label, final, ratings.items, ratings.annotators, ratings.labels
    )
    show("flips, with interval over items", seconds(lambda: flips(pairs), 1))

    items, people = [f"item {code}" for code in ratings.item], [f"annotator {code}" for code in ratings.annotator]
    labels = [LABELS[code] for code in ratings.label]
    show("ratings_from three columns of text", seconds(lambda: ratings_from(items, people, labels), 1))

    frame = None
    if crowdkit is not None:
        frame = importlib.import_module("pandas").DataFrame({"task": items, "worker": people, "label": labels})
    show(
        "dawid_skene, 20 steps", seconds(lambda: dawid_skene(ratings, steps=20), 1), "crowd-kit",
        None if crowdkit is None else seconds(lambda: crowdkit.DawidSkene(n_iter=20, tol=-1e9).fit_predict(frame), 1),
    )  # fmt: skip
    show(
        "mace, 1 start, 10 steps", seconds(lambda: mace(ratings, starts=1, steps=10), 1), "crowd-kit",
        None if crowdkit is None else seconds(lambda: crowdkit.MACE(n_restarts=1, n_iter=10).fit_predict(frame), 1),
    )  # fmt: skip
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")


if __name__ == "__main__":
    main()
