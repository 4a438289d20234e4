"""What statistics of many annotations cost, beside the packages that compute the same.

Run `python -m benchmarks.stats`; by default 100 000 items with 10 annotations each. Packages that are not installed are
left out; crowd-kit runs in a venv of its own, which benchmarks/requirements-stats.txt says how to make. Times are for
the computation alone, without imports and without building the table; the reports at the end are whole processes, from
a CSV on the disk to the finished page, with the seconds of the processor and the peak of memory.
"""

import argparse
import csv
import importlib
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
import scipy.stats  # noqa: F401
import statsmodels.stats.inter_rater as inter_rater
import statsmodels.stats.proportion  # noqa: F401

from crito.stats.agreement import fleiss_kappa, krippendorff_alpha, percent_agreement
from crito.stats.annotator_models import dawid_skene, mace
from crito.stats.flips import flips
from crito.stats.groups import group_disagreement
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


def crowd_kit(venvs: Path, columns: tuple[Sequence[str], Sequence[str], Sequence[str]]) -> Mapping[str, float]:
    """The seconds that crowd-kit's models take for the same annotations; none where it is not installed."""
    python = venvs / "crowd_kit" / "bin" / "python"
    if not python.exists():
        print(f"crowd-kit: left out, there is no {python}; benchmarks/requirements-stats.txt says how to make it")
        return {}
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "labels.csv"
        with table.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([("task", "worker", "label"), *zip(*columns, strict=True)])
        script = Path(__file__).parent / "beside" / "crowd_kit_run.py"
        told = json.loads(subprocess.run([python, script, table], capture_output=True, check=True).stdout)
    print(f"crowd-kit {told['version']}, in its own process")
    seconds: Mapping[str, float] = told["seconds"]
    return seconds


def reports(ratings: Ratings) -> None:
    """Whole reports on as many annotations: of one round, of two rounds, and of two groups of people."""
    items, people = [f"item {code}" for code in ratings.item], [f"annotator {code}" for code in ratings.annotator]
    labels = [LABELS[code] for code in ratings.label]
    again = np.where(np.random.default_rng(1).random(len(ratings)) < 0.1, 0, ratings.label)
    half = len(ratings) // 2
    tables: dict[str, tuple[list[str], list[tuple[str, ...]], list[str]]] = {
        "report, one round": (["item", "annotator", "label"], list(zip(items, people, labels, strict=True)), []),
        "report, two rounds": (
            ["item", "annotator", "label", "round"],
            [
                (items[row], people[row], label, number)
                for row in range(half)
                for number, label in (("0", labels[row]), ("1", LABELS[again[row]]))
            ],
            [],
        ),
        "report, two groups of people (--by)": (
            ["item", "annotator", "label", "side"],
            [(*row, "odd" if row[1][-1] in "13579" else "even") for row in zip(items, people, labels, strict=True)],
            ["--by", "side"],
        ),
    }  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        for what, (head, rows, options) in tables.items():
            table, page = Path(folder) / "labels.csv", Path(folder) / "report.html"
            with table.open("w", encoding="utf-8", newline="") as file:
                csv.writer(file).writerows([head, *rows])
            begin = time.perf_counter()
            made = subprocess.Popen([sys.executable, "-m", "crito", "report", table, "--out", page, *options])
            _, status, used = os.wait4(made.pid, 0)
            took = time.perf_counter() - begin
            if status:
                raise SystemExit(f"{what} failed")
            peak = used.ru_maxrss / 1e6
            print(
                f"{what:<48} {took:8.1f} s   processor {used.ru_utime + used.ru_stime:.1f} s, peak {peak:.2f} GB",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--per-item", type=int, default=10)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--no-reports", action="store_true")
    parser.add_argument("--venvs", type=Path, default=Path("venvs"), help="folder with a venv for crowd-kit")
    options = parser.parse_args()
    print(f"{platform.machine()}, {platform.system()} {platform.release()}, Python {platform.python_version()}")
    print(", ".join(f"{name} {version(name)}" for name in ("numpy", "scipy", "statsmodels")))
    print(f"{options.items} items x {options.per_item} annotations, {len(LABELS)} labels")

    ratings = table(options.items, options.per_item, seed=0)
    krippendorff = package("krippendorff", "krippendorff")
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

    odd = {person: "odd" if person % 2 else "even" for person in range(len(ratings.annotators))}
    show("group_disagreement, 200 shuffles", seconds(lambda: group_disagreement(ratings, odd, "odd", "even"), 1))

    items, people = [f"item {code}" for code in ratings.item], [f"annotator {code}" for code in ratings.annotator]
    labels = [LABELS[code] for code in ratings.label]
    show("ratings_from three columns of text", seconds(lambda: ratings_from(items, people, labels), 1))

    theirs = crowd_kit(options.venvs, (items, people, labels))
    show(
        "dawid_skene, 20 steps",
        seconds(lambda: dawid_skene(ratings, steps=20), 1),
        "crowd-kit",
        theirs.get("dawid_skene"),
    )
    show(
        "mace, 1 start, 10 steps", seconds(lambda: mace(ratings, starts=1, steps=10), 1), "crowd-kit", theirs.get("mace")
    )  # fmt: skip
    if not options.no_reports:
        reports(ratings)
    print(f"peak memory of the computations {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")


if __name__ == "__main__":
    main()
