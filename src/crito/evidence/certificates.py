"""The certificates: what each asks, from which rows, and the sentence it comes to."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from crito.evidence.comparisons import Comparison, Evidence, evidence
from crito.evidence.handoff import HandoffRule, handoff
from crito.model.certificate import Certificate, CertificateKind, MachineVersion
from crito.model.ids import StudyName, TaskName
from crito.stats.alternative import FEWEST_ITEMS, Alignment, alternative_annotator_test
from crito.stats.automatic import GRID, AutomaticLabelling, learn_then_test
from crito.stats.bounds import plan_for_power
from crito.stats.estimation import difference_estimate, difference_estimate_of_sample, power_tuned_mean
from crito.stats.ratings import MISSING, ratings_from
from crito.stats.statistic import Statistic, as_json

Estimator = Literal["difference", "power_tuned"]
ESTIMATORS: tuple[Estimator, ...] = get_args(Estimator)

NOT_GROUPS = "the error rate within any group of items: it may be higher"
NOT_OTHERS = "items from elsewhere or from another time"
NOT_TRUTH = "how right the people are: their blind labels are the measure"


class Basis(NamedTuple):
    """The rows a certificate rests on: how many, with which probabilities they were drawn, and their hash."""

    n: int
    inclusion: tuple[float, float] | None
    hash: str


@dataclass(frozen=True, slots=True)
class Subject:
    """What certificates of one task and machine version have in common.

    `n_items` are the items that the machine labelled; `design` says how the blind items were drawn,
    `source` where the rows are found again.
    """

    study: StudyName
    task: TaskName
    machine: MachineVersion
    labels: tuple[str, ...]
    n_items: int
    population: str
    design: str
    source: Mapping[str, Any]
    until: datetime


def handoff_certificate(subject: Subject, comparisons: Sequence[Comparison], rule: HandoffRule) -> Certificate:
    """May the machine label the items that remain? See `handoff`."""
    reading = handoff(comparisons, subject.n_items, rule)
    found = evidence(comparisons)
    rest = subject.n_items - len({one.item for one in found.counted})
    name, sure = subject.machine.name, 1 - rule.level
    if reading.certified:
        statement = (
            f"On the {rest:,} items that nobody labelled blind, {name} agrees with the people on more than "
            f"{rule.threshold:.0%}, with at least {sure:.1%} confidence however often one looked."
        )  # fmt: skip
    elif reading.decision == "hand_over":
        statement = f"The plain rate of agreement exceeds {rule.threshold:.0%}; nothing is proved about the rest."
    else:
        statement = f"It is not shown that {name} agrees with the people on more than {rule.threshold:.0%} of the rest."
    return _certificate(
        "handoff", subject, _of_comparisons(found),
        granted=reading.certified, statement=statement, settings=asdict(rule), results=as_json(reading),
        needed=_needed_to_hand_over(reading.blind, reading.still_needed, rule),
        not_covered=(NOT_TRUTH, NOT_GROUPS, "any other version of model, prompt or guideline"),
    )  # fmt: skip


def automatic_certificate(
    subject: Subject,
    comparisons: Sequence[Comparison],
    *,
    error_rate: float = 0.05,
    risk: float = 0.10,
    by_label: bool = False,
    look: int = 1,
    grid: Sequence[float] = GRID,
) -> Certificate:
    """From which confidence on may the machine's labels stand alone? Overall, or apart for each label it predicts.

    Args:
        subject, comparisons: of one version; those without a confidence are dropped and counted.
        error_rate, risk, look, grid: as in `learn_then_test`.
        by_label: search apart for each predicted label; the searches share the risk.
    """
    found = evidence(comparisons)
    predicted: tuple[str | None, ...] = subject.labels if by_label else (None,)
    searches = {
        label or "all": _search(found, label, error_rate, risk, look, len(predicted), grid) for label in predicted
    }
    passed = {label: search.threshold.value for label, search in searches.items() if search.threshold.value is not None}
    where = "; ".join(
        f"from confidence {value:g} on" + ("" if label == "all" else f" where it says {label}")
        for label, value in passed.items()
    )
    name = subject.machine.name
    granted = f"{name} may label alone {where}: at most {error_rate:.0%} of those labels differ from the people's, at a risk of {risk:.0%}."
    not_granted = f"No confidence is shown from which on {name} would be wrong at most {error_rate:.0%} of the time."
    return _certificate(
        "automatic_labelling", subject, _of_comparisons(found),
        granted=bool(passed),
        statement=granted if passed else not_granted,
        settings={"error_rate": error_rate, "risk": risk, "by_label": by_label, "look": look, "grid": list(grid)},
        results={label: as_json(search) for label, search in searches.items()},
        needed="; ".join(_needed_to_automate(label, search) for label, search in searches.items()),
        not_covered=(NOT_TRUTH, NOT_GROUPS, "items without a confidence: they always go to a person"),
    )  # fmt: skip


def estimate_certificate(
    subject: Subject,
    comparisons: Sequence[Comparison],
    machine_labels: Mapping[str, str],
    *,
    estimator: Estimator = "difference",
) -> Certificate:
    """How often the machine would agree with people on the whole corpus, and the share of each label there.

    Args:
        subject, comparisons: of one version; of several people on an item the first answer counts.
        machine_labels: the machine's label of every item of the corpus.
        estimator: the difference estimator, or PPI++, which assumes that all items come from one source.
    """
    found = evidence(comparisons)
    # of several answers on an item the first counts
    drawn = {one.item: one for one in reversed(found.counted)}
    items = sorted(machine_labels)

    def estimate(machine_says: Sequence[bool], person_says: Mapping[str, bool]) -> Statistic:
        labelled = [float(person_says[item]) if item in drawn else np.nan for item in items]
        return _estimate([float(said) for said in machine_says], labelled, drawn, items, estimator)

    shares = {"agreement": estimate([True] * len(items), {item: one.agrees for item, one in drawn.items()})} | {
        f"share_of_{label}": estimate(
            [machine_labels[item] == label for item in items],
            {item: one.answer == label for item, one in drawn.items()},
        )
        for label in subject.labels
    }
    results = {name: one.renamed(name) for name, one in shares.items()}
    known = {name: one for name, one in results.items() if one.value is not None}
    ranges = ", ".join(
        f"{name.replace('_', ' ')} {one.value:.1%}"
        + (f" ({one.interval.low:.1%} to {one.interval.high:.1%})" if one.interval else "")
        for name, one in known.items()
    )
    return _certificate(
        "corpus_estimate", subject, _of_comparisons(found),
        granted=bool(known),
        statement=f"Had people labelled all {len(items):,} items: {ranges}." if known else "Nothing can be estimated yet.",
        settings={"estimator": estimator},
        results={name: as_json(one) for name, one in results.items()},
        needed="at least two blind labels on items drawn at random",
        not_covered=(NOT_TRUTH, "single items: only shares of the corpus"),
    )  # fmt: skip


def replacement_certificate(
    subject: Subject,
    answers: Iterable[tuple[str, str, str]],
    machine_labels: Mapping[str, str],
    *,
    epsilon: float,
    alignment: Alignment = "equal",
) -> Certificate:
    """May the machine take the place of one person of this group? The alternative annotator test.

    Args:
        subject: of one version.
        answers: item, annotator and blind answer of people; items with one person's answer say nothing here.
        machine_labels: by item.
        epsilon, alignment: as in `alternative_annotator_test`.

    Raises:
        ValueError: labels are no numbers for the alignment `rmse`.
    """
    rows = sorted(row for row in answers if row[0] in machine_labels)
    ratings = ratings_from(
        [item for item, _, _ in rows], [annotator for _, annotator, _ in rows], [answer for _, _, answer in rows],
        label_set=subject.labels,
    )  # fmt: skip
    machine = np.array([_code(machine_labels[str(item)], subject.labels) for item in ratings.items], np.int64)
    values = [float(label) for label in subject.labels] if alignment == "rmse" else None
    test = alternative_annotator_test(ratings, machine, epsilon=epsilon, alignment=alignment, values=values)
    name = subject.machine.name
    if test.passes is None:
        statement, needed = "Whether it may replace a person cannot be told.", (
            f"at least two people with {FEWEST_ITEMS} items each that someone else labelled too; 30 items are better"
        )  # fmt: skip
    else:
        beaten, tested = test.winning_rate.details["n_beaten"], test.winning_rate.n
        verb = "may" if test.passes else "may not"
        statement = (
            f"{name} {verb} stand in for one person of this group: at a cost-benefit penalty of {epsilon:g} it does "
            f"at least as well as {beaten} of {tested} people."
        )
        needed = "a better machine; more labels only make the test sharper"
    return _certificate(
        "annotator_replacement", replace(subject, design="blind labels of several people on the same items"),
        Basis(len(rows), None, _hash([*rows, *sorted(machine_labels.items())])),
        granted=bool(test.passes), statement=statement,
        settings={"epsilon": epsilon, "alignment": alignment}, results=as_json(test), needed=needed,
        not_covered=(
            "how accurate the machine is: it is measured against people of this group",
            "replacing everybody: the question is about one person among several",
        ),
    )  # fmt: skip


def differences(issued: Certificate, again: Certificate) -> tuple[str, ...]:
    """What a recomputed certificate says otherwise, in words; empty where it says the same."""
    before, after = as_json(issued), as_json(again)
    return tuple(
        f"{name.replace('_', ' ')} was {before[name]!r} and is {after[name]!r}"
        for name in before
        if before[name] != after[name]
    )


def hash_of_comparisons(comparisons: Sequence[Comparison]) -> str:
    """SHA-256 of the rows that evidence consists of."""
    return _hash(
        [
            [one.item, one.annotator, one.answer, one.machine, one.confidence, one.inclusion, one.order]
            for one in comparisons
        ]
    )


def _of_comparisons(found: Evidence) -> Basis:
    recorded = [one.inclusion for one in found.counted if one.inclusion is not None]
    range_ = (min(recorded), max(recorded)) if recorded else None
    return Basis(len(found.counted), range_, hash_of_comparisons(found.counted))


def _certificate(
    kind: CertificateKind,
    subject: Subject,
    basis: Basis,
    *,
    granted: bool,
    statement: str,
    settings: Mapping[str, Any],
    results: Mapping[str, Any],
    needed: str,
    not_covered: tuple[str, ...],
) -> Certificate:
    return Certificate(
        kind, subject.study, subject.task, subject.machine, granted, statement, subject.population, subject.n_items,
        basis.n, subject.design, basis.inclusion, subject.source, settings, results, "" if granted else needed,
        (*not_covered, NOT_OTHERS), basis.hash, subject.until,
    )  # fmt: skip


def _search(
    found: Evidence, label: str | None, error_rate: float, risk: float, look: int, runs: int, grid: Sequence[float]
) -> AutomaticLabelling:
    mine = [one for one in found.counted if label is None or one.machine == label]
    return learn_then_test(
        [np.nan if one.confidence is None else one.confidence for one in mine], [not one.agrees for one in mine],
        error_rate=error_rate, risk=risk, grid=grid, look=look, runs=runs,
    )  # fmt: skip


def _estimate(
    predicted: Sequence[float], labelled: Sequence[float], drawn: Mapping[str, Comparison], items: Sequence[str],
    estimator: Estimator,
) -> Statistic:  # fmt: skip
    f, y = np.array(predicted, np.float64), np.array(labelled, np.float64)
    known = ~np.isnan(y)
    if estimator == "power_tuned":
        return power_tuned_mean(y[known], f[known], f[~known])
    chances = {one.inclusion for one in drawn.values()}
    if len(chances) <= 1:
        return difference_estimate_of_sample(f, y)
    # an item that was not drawn has no recorded probability of its own; its label is not used, so any will do
    return difference_estimate(f, y, [(drawn[item].inclusion or 1.0) if item in drawn else 1.0 for item in items])


def _needed_to_hand_over(blind: Statistic, still_needed: int | None, rule: HandoffRule) -> str:
    if still_needed is None:
        return "more items than the corpus has"
    least = f"at least {still_needed} more blind labels, if all agree"
    if blind.value is None or not rule.threshold < blind.value < 1:
        return least
    planned = plan_for_power(blind.value, rule.threshold, alpha=rule.level).n
    return f"{least}; about {planned} in all if the rate stays {blind.value:.0%} and one looks only once"


def _needed_to_automate(label: str, search: AutomaticLabelling) -> str:
    of = "" if label == "all" else f" where it says {label}"
    failed = next((step for step in search.steps if not step.passed), None)
    if failed is None:
        return f"at least {search.least_n} blind labels of high confidence{of}, without an error"
    return (
        f"fewer errors{of}: at confidence {failed.threshold:g} {failed.errors} of {failed.n} were wrong; "
        f"without an error {search.least_n} would do"
    )


def _code(label: str, labels: Sequence[str]) -> int:
    return labels.index(label) if label in labels else MISSING


def _hash(rows: Sequence[Sequence[Any]]) -> str:
    return hashlib.sha256(json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()
