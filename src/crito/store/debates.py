"""Debates, the runs of agents about something that is no item, and what a moderator wants done in them."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import bindparam, func, select

from crito.model.debate import Intervention
from crito.model.errors import Conflict
from crito.model.ids import RunId, StudyName
from crito.model.record import AgentRun, HeldDebate, QueuedIntervention
from crito.store.rows import Rows, columns_of, storable, values_of
from crito.store.tables.agents import debates as debates_
from crito.store.tables.agents import interventions as interventions_
from crito.store.tables.record import runs

_DEBATES = (
    select(*columns_of(debates_, HeldDebate)).where(debates_.c.study == bindparam("study")).order_by(debates_.c.ordinal)
)
_RUNS = (
    select(*columns_of(runs, AgentRun))
    .where(runs.c.about == bindparam("about"), runs.c.study == bindparam("study"))
    .order_by(runs.c.id)
)
_NEXT = select(func.coalesce(func.max(interventions_.c.number) + 1, 0)).where(interventions_.c.run == bindparam("run"))
_INTERVENTIONS = (
    select(interventions_).where(interventions_.c.run == bindparam("run")).order_by(interventions_.c.number)
)


class DebateRows(Rows):
    """What `Tx` says about debates."""

    def add_debate(self, debate: HeldDebate) -> None:
        self._add_missing(debates_, [values_of(debate)])

    def debates(self, study: StudyName) -> Sequence[HeldDebate]:
        return [HeldDebate(*row) for row in self._rows(_DEBATES, {"study": study})]

    def add_agent_run(self, study: StudyName, run: AgentRun) -> None:
        self._add_missing(runs, [values_of(run, study=study)])

    def agent_runs(self, study: StudyName, about: str) -> Sequence[AgentRun]:
        return [AgentRun(*row) for row in self._rows(_RUNS, {"about": about, "study": study})]

    def queue_intervention(self, study: StudyName, run: RunId, intervention: Intervention, at: datetime) -> int:
        row = self._first(_NEXT, {"run": run})
        number = int(row[0]) if row else 0
        values = {
            "run": run, "number": number, "study": study, "kind": intervention.kind,
            "value": storable(intervention.value), "at": at,
        }  # fmt: skip
        if not self._add_missing(interventions_, [values]):
            raise Conflict("another intervention came at the same moment; send this one again")
        return number

    def interventions(self, run: RunId) -> Sequence[QueuedIntervention]:
        return [
            QueuedIntervention(row.run, row.number, Intervention(row.kind, row.value), row.at)
            for row in self._rows(_INTERVENTIONS, {"run": run})
        ]
