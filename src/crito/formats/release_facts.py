"""What a reader of a released data set must know about its labels, told from the rows that were written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from crito.formats.row_formats import Written
from crito.model.ids import TaskName
from crito.model.phrase import Phrase
from crito.stats.agreement import krippendorff_alpha
from crito.stats.proportions import share
from crito.stats.ratings import ratings_from
from crito.stats.statistic import Statistic

NO_SUGGESTION = "no machine's labels are suggested, or it has labelled nothing"

NO_GAP = Statistic.absent("anchoring_gap", "not_applicable", NO_SUGGESTION, n=0, method="visible minus blind")


@dataclass(frozen=True, slots=True)
class TaskFacts:
    """One task's labels, without people who are excluded by default.

    Attributes:
        per_item: labels on each item that has any, fewest and most, in round 0.
        blind_agreement: Krippendorff's alpha over the labels of round 0 that were given blind.
        blind: share of all labels before which nothing of others had been shown.
        suggested: share of all labels given with a suggestion in view.
        gap: how much more often labels equal the suggestion when it is in view.
    """

    task: str
    n_items: int
    n_annotators: int
    n_labels: int
    per_item: tuple[int, int]
    blind_agreement: Statistic
    blind: Statistic
    suggested: Statistic
    gap: Statistic

    def sentences(self) -> tuple[str, ...]:
        """The facts in words."""
        return (
            f"Task {self.task}: {self.n_labels} labels of {self.n_annotators} annotators on {self.n_items} items.",
            f"Agreement of blind labels in round 0: {self.blind_agreement}.",
            f"Labels given blind: {self.blind}. Labels given with a suggestion in view: {self.suggested}.",
            f"Anchoring gap: {self.gap}.",
        )


def task_facts(written: Written) -> tuple[TaskFacts, ...]:
    """The facts about every task that anybody was given."""
    if not any(table.name == "annotations" for table in written.outgoing.tables):
        return ()
    by_task: dict[str, list[Mapping[str, Any]]] = {}
    for row in written.rows("annotations"):
        kept = by_task.setdefault(str(row["task"]), [])
        if not row["excluded_by_default"]:
            kept.append(row)
    gaps = written.outgoing.gaps
    return tuple(_facts(task, rows, gaps.get(TaskName(task), NO_GAP)) for task, rows in by_task.items())


def _facts(task: str, rows: Sequence[Mapping[str, Any]], gap: Statistic) -> TaskFacts:
    labelled = [row for row in rows if row["state"] == "labelled"]
    initial = [row for row in labelled if row["round"] == 0]
    blind = [row for row in initial if row["blind"]]
    ratings = ratings_from(*([row[name] for row in blind] for name in ("item", "annotator", "label")), states={})
    counts: dict[str, int] = {}
    for row in initial:
        counts[row["item"]] = counts.get(row["item"], 0) + 1
    n_suggested = sum(row["exposures_suggestion"] > 0 for row in labelled)
    return TaskFacts(
        task, len({row["item"] for row in labelled}), len({row["annotator"] for row in labelled}), len(labelled),
        (min(counts.values(), default=0), max(counts.values(), default=0)),
        krippendorff_alpha(ratings),
        share("given_blind", sum(row["blind"] for row in labelled), len(labelled), empty=Phrase("no labels")),
        share("suggestion_in_view", n_suggested, len(labelled), empty=Phrase("no labels")),
        gap,
    )  # fmt: skip
