"""Models that guess an item's label and each annotator's habits at once: Dawid–Skene and MACE.

A person's low skill in such a model is no evidence of bad faith on a subjective task; nobody is left out because of it.
"""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from crito.model.phrase import Phrase
from crito.stats.ratings import FloatArray, IntArray, LabelName, Ratings
from crito.stats.statistic import Statistic

FEWEST_ANNOTATIONS = 10
"""With fewer annotations per person, habits are not shown and posteriors are no certainty."""

SMALLEST = 1e-10
"""Stands in for counts of 0, so that logarithms stay finite."""

MOVED = 1e-4
"""The fit has converged when no posterior moved by more in the last step."""


@dataclass(frozen=True, slots=True, eq=False)
class DawidSkene:
    """A fit of the model of Dawid and Skene.

    Attributes:
        fit: log-likelihood, with details `steps`, `converged` and `few_annotations` (fewer than 10 per person on
            average: show shares, not posteriors). `undefined` when only one label occurs, `insufficient` without
            labels; then the arrays say only what was seen.
        items, annotators, labels: names; items without any label are left out.
        posterior: probability of each label, rows sum to 1, shape (n_items, n_labels).
        prior: of the labels, shape (n_labels,).
        confusion: for each annotator, rows the item's label, columns the label given, shape
            (n_annotators, n_labels, n_labels).
        n: annotations of each annotator, shape (n_annotators,).
        log_likelihoods: before each step and after the last; they never fall.
    """

    fit: Statistic
    items: tuple[Hashable, ...]
    annotators: tuple[Hashable, ...]
    labels: tuple[LabelName, ...]
    posterior: FloatArray
    prior: FloatArray
    confusion: FloatArray
    n: IntArray
    log_likelihoods: tuple[float, ...]

    @property
    def label(self) -> IntArray:
        """Code of each item's most probable label; -1 where several are equally probable, shape (n_items,)."""
        return _most_probable(self.posterior)

    def confusion_of(self, annotator: Hashable) -> FloatArray | None:
        """One annotator's habits, shape (n_labels, n_labels); None with fewer than 10 annotations."""
        code = self.annotators.index(annotator)
        return self.confusion[code] if self.n[code] >= FEWEST_ANNOTATIONS else None


@dataclass(frozen=True, slots=True, eq=False)
class Mace:
    """A fit of MACE: each annotator either knows the label or answers by habit.

    Attributes:
        fit: log-likelihood of the best start, with details `starts`, `steps`, `seed` and `few_annotations`; absent as in
            `DawidSkene`.
        items, annotators, labels, posterior, n: as in `DawidSkene`.
        competence: chance that an annotator knows, in [0, 1], shape (n_annotators,).
        habit: label shares of an annotator who does not know, shape (n_annotators, n_labels).
    """

    fit: Statistic
    items: tuple[Hashable, ...]
    annotators: tuple[Hashable, ...]
    labels: tuple[LabelName, ...]
    posterior: FloatArray
    n: IntArray
    competence: FloatArray
    habit: FloatArray

    @property
    def label(self) -> IntArray:
        """Code of each item's most probable label; -1 where several are equally probable, shape (n_items,)."""
        return _most_probable(self.posterior)

    def competence_of(self, annotator: Hashable) -> float | None:
        """One annotator's competence; None with fewer than 10 annotations."""
        code = self.annotators.index(annotator)
        return float(self.competence[code]) if self.n[code] >= FEWEST_ANNOTATIONS else None


def dawid_skene(ratings: Ratings, *, steps: int = 50) -> DawidSkene:
    """Label of each item and habits of each annotator, by expectation and maximisation from the vote shares.

    No smoothing, so posteriors of 0 or 1 on few annotations are an artefact, not certainty.

    Args:
        ratings: each row one label; rows without one are dropped and counted.
        steps: how often to guess the labels and then count the habits; at least 1.

    Raises:
        ValueError: `steps` is below 1.

    Source: Dawid and Skene (1979); STATISTICS 7.4.
    """
    if steps < 1:
        raise ValueError(f"dawid_skene: steps must be at least 1, but got {steps!r}")
    data = _rows(ratings)
    n_people, k = len(ratings.annotators), len(ratings.labels)
    posterior = data.vote_shares()
    n = np.bincount(data.annotator, minlength=n_people).astype(np.int64)
    absent = _nothing_to_fit("log_likelihood", "Dawid–Skene", ratings)
    if absent is not None:
        return DawidSkene(
            absent, data.items, ratings.annotators, ratings.labels, posterior,
            posterior.mean(axis=0) if len(posterior) else np.zeros(k), np.zeros((n_people, k, k)), n, (),
        )  # fmt: skip
    prior, confusion = posterior.mean(axis=0), _habits(data, posterior, n_people)
    likelihoods, moved = [], np.inf
    for _ in range(steps):
        before = posterior
        posterior, likelihood = _guess(data, prior, confusion)
        likelihoods.append(likelihood)
        moved = float(np.abs(posterior - before).max())
        prior, confusion = posterior.mean(axis=0), _habits(data, posterior, n_people)
    likelihoods.append(_guess(data, prior, confusion)[1])
    fit = Statistic(
        "log_likelihood", likelihoods[-1], len(data.item), "Dawid–Skene, no smoothing", dropped=ratings.dropped,
        details={"steps": steps, "converged": moved < MOVED, "few_annotations": _few(n)},
    )  # fmt: skip
    return DawidSkene(
        fit, data.items, ratings.annotators, ratings.labels, posterior, prior, confusion, n, tuple(likelihoods)
    )


def mace(
    ratings: Ratings,
    *,
    starts: int = 10,
    steps: int = 50,
    seed: int = 0,
    knowing_prior: tuple[float, float] = (0.5, 0.5),
    habit_prior: float = 10.0,
) -> Mace:
    """Label of each item and competence of each annotator, by variational Bayes from several random starts.

    Args:
        ratings: each row one label; rows without one are dropped and counted.
        starts, steps: random starts, of which the most likely is kept, and steps of each; at least 1.
        seed: of the starts.
        knowing_prior: beta prior of answering by habit and of knowing.
        habit_prior: Dirichlet prior of each annotator's habit.

    Raises:
        ValueError: `starts` or `steps` is below 1.

    Source: Hovy et al. (2013), MACE; STATISTICS 7.4.
    """
    if min(starts, steps) < 1:
        raise ValueError(f"mace: starts and steps must be at least 1, but got {starts!r} and {steps!r}")
    data = _rows(ratings)
    n_people, k = len(ratings.annotators), len(ratings.labels)
    n = np.bincount(data.annotator, minlength=n_people).astype(np.int64)
    absent = _nothing_to_fit("log_likelihood", "MACE", ratings)
    if absent is not None:
        return Mace(
            absent, data.items, ratings.annotators, ratings.labels, data.vote_shares(), n,
            np.zeros(n_people), np.zeros((n_people, k)),
        )  # fmt: skip
    rng = np.random.default_rng(seed)
    best: tuple[float, _MaceState] | None = None
    for _ in range(starts):
        state = _MaceState.random(n_people, k, rng)
        for _ in range(steps):
            state = _mace_step(data, state, knowing_prior, habit_prior)
        likelihood = _mace_guess(data, state)[1]
        if best is None or likelihood > best[0]:
            best = likelihood, state
    assert best is not None
    likelihood, state = best
    fit = Statistic(
        "log_likelihood", likelihood, len(data.item), "MACE, variational Bayes", dropped=ratings.dropped,
        details={"starts": starts, "steps": steps, "seed": seed, "few_annotations": _few(n)},
    )  # fmt: skip
    known, guessed = _mace_counts(data, state)
    habit = guessed + habit_prior
    return Mace(
        fit, data.items, ratings.annotators, ratings.labels, _mace_guess(data, state)[0], n,
        (known + knowing_prior[1]) / (known + guessed.sum(axis=1) + sum(knowing_prior)),
        habit / habit.sum(axis=1, keepdims=True),
    )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """Rows with a label; items renumbered, so that each has at least one."""

    item: IntArray
    annotator: IntArray
    label: IntArray
    items: tuple[Hashable, ...]
    k: int

    def vote_shares(self) -> FloatArray:
        counts = self.per_item_and_label(np.ones(len(self.item)))
        return np.asarray(counts / counts.sum(axis=1, keepdims=True))

    def per_item_and_label(self, weight: FloatArray) -> FloatArray:
        flat = np.bincount(self.item * self.k + self.label, weights=weight, minlength=len(self.items) * self.k)
        return flat.astype(np.float64).reshape(len(self.items), self.k)


@dataclass(frozen=True, slots=True, eq=False)
class _MaceState:
    """Weights, not quite probabilities: how an annotator answers by habit or knowing, and the habit."""

    by_habit: FloatArray
    knowing: FloatArray
    habit: FloatArray

    @classmethod
    def random(cls, n_people: int, k: int, rng: np.random.Generator) -> "_MaceState":
        split = 1 + rng.random((n_people, 2))
        split /= split.sum(axis=1, keepdims=True)
        habit = 1 + rng.random((n_people, k))
        return cls(split[:, 0], split[:, 1], habit / habit.sum(axis=1, keepdims=True))


def _rows(ratings: Ratings) -> _Rows:
    kept = ratings.where(ratings.labelled)
    present, place = np.unique(kept.item, return_inverse=True)
    names = tuple(ratings.items[code] for code in present)
    return _Rows(place.astype(np.int64), kept.annotator, kept.label, names, len(ratings.labels))


def _habits(data: _Rows, posterior: FloatArray, n_people: int) -> FloatArray:
    cell = data.annotator * data.k + data.label
    counts = np.stack(
        [np.bincount(cell, weights=posterior[data.item, truth], minlength=n_people * data.k) for truth in range(data.k)]
    )
    table = np.maximum(counts.reshape(data.k, n_people, data.k), SMALLEST)
    return np.asarray((table / table.sum(axis=2, keepdims=True)).transpose(1, 0, 2))


def _guess(data: _Rows, prior: FloatArray, confusion: FloatArray) -> tuple[FloatArray, float]:
    logs = np.log(confusion)
    scores = np.stack(
        [
            np.bincount(data.item, weights=logs[data.annotator, truth, data.label], minlength=len(data.items))
            for truth in range(data.k)
        ],
        axis=1,
    )
    return _normalised(np.asarray(scores + np.log(np.maximum(prior, SMALLEST)), np.float64))


def _normalised(scores: FloatArray) -> tuple[FloatArray, float]:
    top = scores.max(axis=1, keepdims=True)
    weights = np.exp(scores - top)
    total = weights.sum(axis=1, keepdims=True)
    return np.asarray(weights / total), float((np.log(total) + top).sum())


def _mace_guess(data: _Rows, state: _MaceState) -> tuple[FloatArray, float]:
    habit = state.by_habit[data.annotator] * state.habit[data.annotator, data.label]
    knowing = state.knowing[data.annotator]
    base = np.bincount(data.item, weights=np.log(habit), minlength=len(data.items))
    scores = base[:, None] + data.per_item_and_label(np.log1p(knowing / habit)) - np.log(data.k)
    return _normalised(np.asarray(scores, np.float64))


def _mace_counts(data: _Rows, state: _MaceState) -> tuple[FloatArray, FloatArray]:
    """Expected number of times each annotator knew, and gave each label by habit."""
    posterior, _ = _mace_guess(data, state)
    habit = state.by_habit[data.annotator] * state.habit[data.annotator, data.label]
    knowing = state.knowing[data.annotator]
    knew = posterior[data.item, data.label] * knowing / (habit + knowing)
    n_people, cell = len(state.knowing), data.annotator * data.k + data.label
    guessed = np.bincount(cell, weights=1 - knew, minlength=n_people * data.k)
    known = np.bincount(data.annotator, weights=knew, minlength=n_people)
    return known.astype(np.float64), guessed.astype(np.float64).reshape(n_people, data.k)


def _mace_step(data: _Rows, state: _MaceState, knowing_prior: tuple[float, float], habit_prior: float) -> _MaceState:
    # scipy costs a second and more, so it is imported where it is used
    from scipy.special import digamma

    known, guessed = _mace_counts(data, state)
    split = np.stack([guessed.sum(axis=1) + knowing_prior[0], known + knowing_prior[1]], axis=1)
    split = np.exp(digamma(split) - digamma(split.sum(axis=1, keepdims=True)))
    shares = guessed + habit_prior
    shares = np.exp(digamma(shares) - digamma(shares.sum(axis=1, keepdims=True)))
    return _MaceState(np.maximum(split[:, 0], SMALLEST), split[:, 1], shares)


def _nothing_to_fit(name: str, method: str, ratings: Ratings) -> Statistic | None:
    given = ratings.label[ratings.labelled]
    if not len(given):
        return Statistic.absent(name, "insufficient", Phrase("no labels"), n=0, method=method, dropped=ratings.dropped)
    if (given == given[0]).all():
        return Statistic.absent(
            name, "undefined", Phrase("no variation"), n=len(given), method=method, dropped=ratings.dropped
        )
    return None


def _few(n: IntArray) -> bool:
    return bool(n[n > 0].mean() < FEWEST_ANNOTATIONS)


def _most_probable(posterior: FloatArray) -> IntArray:
    top = posterior.max(axis=1, initial=0.0)
    tied = (np.abs(posterior - top[:, None]) < 1e-12).sum(axis=1) > 1
    return np.where(tied, -1, posterior.argmax(axis=1) if posterior.shape[1] else -1).astype(np.int64)
