"""Models that label: who they are, which panels are at work, and what each run came to."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from sqlalchemy import Text, bindparam, cast, select

from crito.model.ids import LabellingId, RunId, StudyName
from crito.model.record import Labelling, LabelOutcome, LabelRun, ModelAnnotator
from crito.model.study import Agent, Panel
from crito.model.votes import Vote
from crito.store.prepared import among
from crito.store.rows import Rows, columns_of, values_of
from crito.store.tables.agents import annotators, outcomes
from crito.store.tables.agents import labellings as labellings_
from crito.store.tables.record import runs

_LABELLINGS = (
    select(*columns_of(labellings_, Labelling))
    .where(labellings_.c.study == bindparam("study"))
    .order_by(labellings_.c.ordinal)
)
_ANNOTATORS = (
    select(*columns_of(annotators, ModelAnnotator))
    .where(annotators.c.study == bindparam("study"))
    .order_by(annotators.c.id)
)
_RUNS = select(*columns_of(runs, LabelRun)).where(runs.c.labelling == bindparam("labelling")).order_by(runs.c.id)
_LABELLINGS_OF = select(runs.c.id, runs.c.labelling).where(among(runs.c.id, "runs"), runs.c.labelling.is_not(None))
OUTCOME = [cast(one, Text) if one is outcomes.c.vote else one for one in columns_of(outcomes, LabelOutcome)]
"""The columns of an outcome, its vote as the text that is kept."""
_OUTCOMES = select(*OUTCOME).where(outcomes.c.labelling == bindparam("labelling")).order_by(outcomes.c.run)


class LabellingRows(Rows):
    """What `Tx` says about models that label."""

    def add_labelling(self, labelling: Labelling, annotators_: Sequence[ModelAnnotator]) -> None:
        self._add_missing(annotators, [values_of(annotator) for annotator in annotators_])
        panel = asdict(labelling.panel)
        self._add_missing(labellings_, [values_of(labelling) | {"panel": panel, "agents": list(labelling.agents)}])

    def labellings(self, study: StudyName) -> Sequence[Labelling]:
        return [_labelling(row) for row in self._rows(_LABELLINGS, {"study": study})]

    def model_annotators(self, study: StudyName) -> Sequence[ModelAnnotator]:
        return self._each(ModelAnnotator, _ANNOTATORS, {"study": study})

    def add_label_runs(self, study: StudyName, new: Sequence[LabelRun]) -> None:
        self._add_missing(runs, [values_of(run, study=study) for run in new])

    def labellings_of(self, runs_: Sequence[RunId]) -> Mapping[RunId, LabellingId]:
        return {row.id: row.labelling for row in self._rows(_LABELLINGS_OF, {"runs": list(runs_)})}

    def label_runs(self, labelling: LabellingId) -> Sequence[LabelRun]:
        return self._each(LabelRun, _RUNS, {"labelling": labelling})

    def add_outcome(self, study: StudyName, outcome: LabelOutcome) -> None:
        self._add(outcomes, values_of(outcome, study=study) | {"vote": asdict(outcome.vote)})

    def outcomes(self, labelling: LabellingId) -> Sequence[LabelOutcome]:
        return [outcome_of(row) for row in self._rows(_OUTCOMES, {"labelling": labelling})]


def _labelling(row: Any) -> Labelling:
    panel = Panel(**{**row.panel, "agents": tuple(Agent(**agent) for agent in row.panel["agents"])})
    return Labelling(**{**row._asdict(), "panel": panel, "agents": tuple(row.agents)})


def outcome_of(row: Any) -> LabelOutcome:
    """A row of `OUTCOME` as what it keeps."""
    run, labelling, item, vote, rounds, at = row
    return LabelOutcome(run, labelling, item, _vote(vote), rounds, at)


@lru_cache(maxsize=4096)
def _vote(text: str) -> Vote:
    """Read once for the many items that came to the same."""
    vote = json.loads(text)
    return Vote(**{**vote, "tied": tuple(vote["tied"])})
