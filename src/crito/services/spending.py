"""How labelling under a budget went, kept for the owner's page: it began, was stopped by the budget, or came to an end."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from crito.model.errors import BudgetReached
from crito.model.ids import StudyName
from crito.model.record import BudgetNote, BudgetState
from crito.services.parts import Parts
from crito.services.ports.store import Tx


@asynccontextmanager
async def noted_budget(parts: Parts, study: StudyName, limit_usd: float | None) -> AsyncIterator[None]:
    """Label inside of it. Without a budget, an earlier one that stopped the work is over once the work ends."""
    await _note(parts, study, limit_usd, "begun")
    try:
        yield
    except BudgetReached:
        await _note(parts, study, limit_usd, "reached")
        raise
    await _note(parts, study, limit_usd, "ended")


async def _note(parts: Parts, study: StudyName, limit_usd: float | None, state: BudgetState) -> None:
    now = parts.now()

    def work(tx: Tx) -> None:
        last = tx.budget(study)
        if limit_usd is not None:
            tx.add_budget(study, BudgetNote(limit_usd, state, now))
        elif state == "ended" and last and last.state != "ended":
            tx.add_budget(study, BudgetNote(last.limit_usd, state, now))

    await parts.store.write(work)
