"""Labels against reference labels: accuracy, confusion, error rates, and whether accuracy changed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from crito.model.phrase import Phrase
from crito.stats.bootstrap import cluster_interval, clusters_of, share_of_sums, sums_by_cluster
from crito.stats.paired import McNemarMethod, mcnemar
from crito.stats.proportions import share, share_of_rows
from crito.stats.ratings import NOT_SURE, FloatArray, IntArray, LabelName, Pairs, Ratings, reference_codes
from crito.stats.statistic import Statistic, left_out


@dataclass(frozen=True, slots=True)
class ErrorRates:
    """Errors about one label. `fp_share` and `fn_share` are shares of everything, `fpr` and `fnr` of the class.

    The `socratic` source calls `fp_share` the false positive rate.
    """

    fp_share: Statistic
    fpr: Statistic
    fn_share: Statistic
    fnr: Statistic


@dataclass(frozen=True, slots=True, eq=False)
class Confusion:
    """Reference × given label.

    Attributes:
        labels: the names of rows and columns.
        counts: rows reference, columns given, shape (n_labels, n_labels).
        not_sure: per reference label, how many were *not sure*, shape (n_labels,).
        accuracy: correct / all with a label, in [0, 1].
        accuracy_not_sure_wrong: the same with *not sure* in the denominator.
        coverage: share with a label among all annotations of items with a reference.
    """

    labels: tuple[LabelName, ...]
    counts: IntArray
    not_sure: IntArray
    accuracy: Statistic
    accuracy_not_sure_wrong: Statistic
    coverage: Statistic

    def error_rates(self, positive: LabelName) -> ErrorRates:
        """False positives and false negatives when `positive` is the label looked for, against all others.

        `fpr` is `undefined` when no reference is another label, `fnr` when none is `positive`.
        """
        at = self.labels.index(positive)
        n, hit = int(self.counts.sum()), int(self.counts[at, at])
        false_positive = int(self.counts[:, at].sum()) - hit
        false_negative = int(self.counts[at].sum()) - hit
        positives = int(self.counts[at].sum())
        return ErrorRates(
            fp_share=share("fp_share", false_positive, n, empty=Phrase("no labels to compare")),
            fpr=share(
                "fpr",
                false_positive,
                n - positives,
                empty=Phrase("no reference label other than %(label)s", label=repr(positive)),
            ),
            fn_share=share("fn_share", false_negative, n, empty=Phrase("no labels to compare")),
            fnr=share(
                "fnr", false_negative, positives, empty=Phrase("no reference label %(label)s", label=repr(positive))
            ),
        )


def confusion(ratings: Ratings, gold: Mapping[Any, LabelName | None], *, seed: int = 0) -> Confusion:
    """Labels against the reference labels of their items.

    Args:
        ratings: the labels given.
        gold: reference label by item; items without one are dropped and counted.
        seed: of the bootstrap over items.

    Returns:
        `accuracy` is `undefined` when no label meets a reference.

    Raises:
        ValueError: a reference label is not in the label set.

    Source: `socratic`, Table 2; STATISTICS 2.4.
    """
    reference = reference_codes(ratings.items, ratings.labels, gold)[ratings.item]
    known, labelled = reference >= 0, ratings.labelled
    keep, k = known & labelled, len(ratings.labels)
    flat = np.bincount(reference[keep] * k + ratings.label[keep], minlength=k * k)
    not_sure = known & (ratings.label == NOT_SURE)
    dropped = left_out({**ratings.where(known).dropped, "no_gold": int((~known).sum())})
    but_not_sure = left_out({**dropped, "not_sure": 0})
    right = reference == ratings.label
    empty = Phrase("no labelled item has a reference label")
    return Confusion(
        labels=ratings.labels,
        counts=flat.astype(np.int64).reshape(k, k),
        not_sure=np.bincount(reference[not_sure], minlength=k).astype(np.int64),
        accuracy=share_of_rows("accuracy", right, keep, ratings, dropped=dropped, seed=seed, empty=empty),
        accuracy_not_sure_wrong=share_of_rows(
            "accuracy_not_sure_wrong", right & keep, keep | not_sure, ratings,
            dropped=but_not_sure, seed=seed, empty=empty,
        ),
        coverage=share_of_rows("coverage", labelled, known, ratings, seed=seed, empty=empty),
    )  # fmt: skip


def confusion_from_counts(
    labels: Sequence[LabelName], counts: npt.ArrayLike, *, not_sure: Sequence[int] | None = None
) -> Confusion:
    """The same from a table of counts, rows reference, columns given; `not_sure` per reference label.

    Raises:
        ValueError: the shape does not fit the labels.
    """
    table = np.asarray(counts, np.int64)
    unsure = np.zeros(len(labels), np.int64) if not_sure is None else np.asarray(not_sure, np.int64)
    if table.shape != (len(labels),) * 2 or unsure.shape != (len(labels),):
        raise ValueError(
            f"confusion_from_counts: counts must have shape {(len(labels),) * 2}, but got {table.shape}; "
            f"not_sure {(len(labels),)}, but got {unsure.shape}"
        )
    right, n, n_unsure = int(np.trace(table)), int(table.sum()), int(unsure.sum())
    dropped = left_out({"not_sure": n_unsure})
    return Confusion(
        labels=tuple(labels), counts=table, not_sure=unsure,
        accuracy=share("accuracy", right, n, dropped=dropped),
        accuracy_not_sure_wrong=share("accuracy_not_sure_wrong", right, n + n_unsure),
        coverage=share("coverage", n, n + n_unsure),
    )  # fmt: skip


def accuracy_change(
    pairs: Pairs, gold: Mapping[Any, LabelName | None], *, method: McNemarMethod = "exact", seed: int = 0
) -> Statistic:
    """Final minus initial accuracy on the same annotations, with McNemar's test.

    Args:
        pairs: initial and final labels; those without a label on either side, or without a reference, are dropped.
        gold: reference label by item.
        method: as in `mcnemar`.
        seed: of the bootstrap over items, or over persons where only they come back.

    Returns:
        A difference in [-1, 1]; `undefined` when nothing can be compared.

    Source: STATISTICS 2.4 and 3.4.
    """
    reference = reference_codes(pairs.items, pairs.labels, gold)[pairs.item]
    known = reference >= 0
    keep = pairs.eligible & known
    before, after = (pairs.initial == reference)[keep], (pairs.final == reference)[keep]
    dropped = left_out({**pairs.where(known).dropped, "no_gold": int((~known).sum())})
    found = mcnemar(int((before & ~after).sum()), int((~before & after).sum()), n=int(keep.sum()), method=method)
    clusters = clusters_of(pairs.item[keep], pairs.annotator[keep])
    resampled = None
    if clusters:
        sums = sums_by_cluster(clusters.code, after.astype(np.float64) - before, np.ones(len(after)))
        resampled = cluster_interval(sums, share_of_sums, what=clusters.what, seed=seed)
    return replace(found, name="accuracy_change", dropped=dropped, cluster_interval=resampled)


def macro_f1(given: Sequence[LabelName | None], gold: Sequence[LabelName], *, seed: int = 0) -> Statistic:
    """Mean over labels of F1, the harmonic mean of precision and recall, so that rare labels weigh as much as frequent ones.

    Args:
        given: the label of each item, None where none came; that misses its reference and is no false alarm.
        gold: the reference label of each item, as many.
        seed: of the bootstrap over items.

    Returns:
        The mean over the labels that occur among `given` or `gold`, in [0, 1], with a percentile interval from
        resampling items; a label that a resample lacks is left out of its mean. Detail `labels`: how many there are.
        `undefined` without items.

    Raises:
        ValueError: there are not as many references as labels.
    """
    if len(given) != len(gold):
        raise ValueError(
            f"macro_f1: every label needs a reference, but got {len(given)} labels and {len(gold)} of them"
        )
    method = "mean of F1 over labels"
    if not gold:
        return Statistic.absent("macro_f1", "undefined", Phrase("no item has a reference label"), n=0, method=method)
    labels = list(dict.fromkeys([*gold, *(label for label in given if label is not None)]))
    codes: dict[LabelName | None, int] = {label: code for code, label in enumerate(labels)}
    said = np.array([codes.get(label, -1) for label in given], np.int64)
    wanted = np.array([codes[label] for label in gold], np.int64)
    each = np.arange(len(labels))
    found, asked = said[:, None] == each, wanted[:, None] == each
    # three sums per label: hits, labels given, references
    sums = np.concatenate([found & asked, found, asked], axis=1).astype(np.float64)
    value = float(_mean_f1(sums.sum(axis=0, keepdims=True))[0])
    return Statistic(
        "macro_f1", value, len(gold), method,
        cluster_interval=cluster_interval(sums, _mean_f1, seed=seed), details={"labels": len(labels)},
    )  # fmt: skip


def _mean_f1(sums: FloatArray) -> FloatArray:
    hits, given, wanted = np.split(sums, 3, axis=1)
    occurs = given + wanted > 0
    f1 = np.where(occurs, 2 * hits / np.where(occurs, given + wanted, 1), 0.0)
    return np.asarray(f1.sum(axis=1) / occurs.sum(axis=1))
