"""A panel's waiting items, driven through the local engine."""

from collections.abc import Awaitable, Callable

from crito.engine.local import LocalEngine
from crito.model.errors import CallHeld
from crito.model.ids import ItemId
from crito.model.record import LabelOutcome
from crito.model.study import Item
from crito.services.asking import Calling, Spent, Watch
from crito.services.labelling import Job, label_item
from crito.services.parts import Parts


async def label_waiting(
    parts: Parts,
    job: Job,
    engine: LocalEngine,
    *,
    done: Callable[[LabelOutcome], None],
    spent: Callable[[Spent], None],
    held: Callable[[ItemId, CallHeld], None],
    watch: Watch | None = None,
    after: Callable[[LabelOutcome], Awaitable[object]] | None = None,
) -> None:
    """Label what waits, telling each outcome, each call, and each item that waits for a decision about a call whose
    outcome nobody knows; the others go on. Jobs that are portions of one share their `watch`.

    What comes `after` an item is done before the next one is taken, and may stop the engine.

    Raises:
        CritoError: a model cannot be asked at all, or a limit was reached; what was done before is recorded.
    """
    calling = Calling(engine.turnstile, spent, watch or Watch())

    async def work(item: Item) -> LabelOutcome | None:
        try:
            outcome = await label_item(parts, job, item, calling)
            if after:
                await after(outcome)
            return outcome
        except CallHeld as problem:
            held(item.id, problem)
            return None

    def tell(outcome: LabelOutcome | None) -> None:
        if outcome is not None:
            done(outcome)

    await engine.drive(job.waiting, work, tell)
