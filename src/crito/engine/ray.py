"""Drives the shards of a labelling on a Ray cluster: each of its processes is the same local engine over the same record.

What ties the processes together is the record, not Ray: a shard whose process was lost is begun again by another one,
which asks for nothing that has an answer on record.
"""

import asyncio
import os
import sys
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
    contextmanager,
    redirect_stdout,
    suppress,
)
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TextIO, cast

from crito.engine.labelling import label_waiting
from crito.engine.local import LocalEngine
from crito.engine.shards import ITEMS_PER_SHARD, Shard, Tally, shards
from crito.model.errors import BudgetReached, Conflict, CritoError, InvalidInput, ModelUnavailable
from crito.services.asking import Watch
from crito.services.labelling import Job
from crito.services.parts import Parts

OpenParts = Callable[[], AbstractAsyncContextManager[Parts]]
"""Opens the parts in a process of the cluster, with its share of limits and budget; it is pickled to get there."""

AT_ONCE_IN_A_WORKER = 1000
"""How many calls of its methods a worker takes side by side: more than it ever gets."""
LOOKS_AGAIN_AFTER_S = 0.5
GONE_WITHIN_S = 120.0
"""How long a shard is waited for whose process is lost to the cluster, but has not let go of it."""


class Done(NamedTuple):
    """What a worker did of a shard, and what ended it before the end."""

    tally: Tally
    problem: CritoError | None


class Worker:
    """One process of the cluster, with a few shards at a time, so that it need not idle at the end of each."""

    def __init__(self, opened: OpenParts, at_once: int) -> None:
        self._opened = opened
        self._stack = AsyncExitStack()
        self._opening = asyncio.Lock()
        self._parts: Parts | None = None
        self._engine = LocalEngine(at_once)
        self._watch = Watch()

    async def label(self, shard: Shard) -> Done:
        """Label what waits of a shard, once nobody else is at work on it."""
        tally = Tally()
        try:
            async with self._opening:
                if self._parts is None:
                    self._parts = await self._stack.enter_async_context(self._opened())
            async with _held(self._parts, shard.name):
                await label_waiting(
                    self._parts,
                    shard.job,
                    self._engine,
                    done=tally.finished.append,
                    spent=tally.spend,
                    held=tally.held.__setitem__,
                    watch=self._watch,
                )
        except CritoError as problem:
            return Done(tally, problem)
        return Done(tally, None)

    async def stop(self) -> None:
        """Make no further call."""
        self._engine.stop()

    async def close(self) -> None:
        """Let go of everything; the worker does no more."""
        await self._stack.aclose()


@asynccontextmanager
async def _held(parts: Parts, name: str) -> AsyncIterator[None]:
    """Hold a shard; one that was lost with its process is waited for until that process has ended.

    Raises:
        Conflict: it does not end.
    """
    waits = int(GONE_WITHIN_S / LOOKS_AGAIN_AFTER_S)
    async with AsyncExitStack() as stack:
        for left in range(waits, -1, -1):
            try:
                await stack.enter_async_context(parts.store.hold(name))
                break
            except Conflict:
                if not left:
                    raise
                await asyncio.sleep(LOOKS_AGAIN_AFTER_S)
        yield


@contextmanager
def ray_cluster(address: str) -> Iterator[int]:
    """Join the cluster at `address`, or start one on this machine where it is empty; gives the number of its CPUs.

    Raises:
        InvalidInput: Ray is not installed, or nothing answers at the address.
    """
    # Reports of usage would leave the machine.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray  # an extra
    except ImportError as error:
        raise InvalidInput("Ray is not installed", wanted="install it with `pip install 'crito[ray]'`") from error
    try:
        ray.init(address=address or "local", log_to_driver=False, include_dashboard=None if address else False)
    except (ConnectionError, ValueError, RuntimeError) as error:
        reason = " ".join(str(error).split())
        raise InvalidInput(
            f"no Ray cluster can be reached ({reason})", came=address, wanted="start one with `ray start --head`",
            key="--ray-address",
        ) from error  # fmt: skip
    try:
        with redirect_stdout(cast(TextIO, _OfMainThread(sys.stdout))):
            yield max(1, int(ray.cluster_resources().get("CPU", 1)))
    finally:
        # What Ray has kept back until now is said at last, by this thread.
        with redirect_stdout(sys.stderr):
            ray.shutdown()


class _OfMainThread:
    """Standard output for what the command says: threads of Ray tell there of lost nodes, where a program reads facts."""

    def __init__(self, stdout: TextIO) -> None:
        self._stdout = stdout

    def write(self, text: str) -> int:
        ours = threading.current_thread() is threading.main_thread()
        return (self._stdout if ours else sys.stderr).write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stdout, name)


@dataclass
class _Hired:
    """A worker as the driver sees it."""

    actor: Any
    busy: int = 0
    spent_up: bool = False
    lost: bool = False

    @property
    def takes_more(self) -> bool:
        return not (self.spent_up or self.lost)


@dataclass
class RayEngine:
    """So many workers on the cluster, with `at_once` calls at a time in all; `opened` gives each of them its parts."""

    workers: int
    at_once: int
    opened: OpenParts
    _hired: list[_Hired] = field(default_factory=list)
    _stopping: bool = False

    def stop(self) -> None:
        """Make no further call; `label` returns when those in flight are recorded."""
        self._stopping = True
        for one in self._hired:
            if not one.lost:
                one.actor.stop.remote()

    @property
    def stopped(self) -> bool:
        """Whether it was told to stop."""
        return self._stopping

    async def label(self, job: Job, tally: Tally, step: Callable[[], None]) -> None:
        """Label what waits of a job, and count it in `tally`; `step` is called after each shard.

        Raises:
            CritoError: what ended it, such as a budget that is used up.
        """
        import ray

        share = max(1, self.at_once // self.workers)
        hire = ray.remote(Worker).options(
            num_cpus=1, max_concurrency=AT_ONCE_IN_A_WORKER, scheduling_strategy="SPREAD", max_restarts=0
        )
        self._hired = [_Hired(hire.remote(self.opened, share)) for _ in range(self.workers)]
        depth = max(2, -(-2 * share // ITEMS_PER_SHARD))
        try:
            await self._hand_out(deque(shards(job)), depth, tally, step)
        finally:
            await asyncio.gather(*(_closed(one.actor) for one in self._hired if not one.lost))

    async def _hand_out(self, waiting: deque[Shard], depth: int, tally: Tally, step: Callable[[], None]) -> None:
        """Give each worker up to `depth` shards at a time until none is left; what a lost one had goes to the others."""
        under_way: dict[asyncio.Task[Done | None], tuple[_Hired, Shard]] = {}
        problem: CritoError | None = None
        while True:
            while waiting and not self._stopping and (free := self._freest(depth)) is not None:
                shard = waiting.popleft()
                free.busy += 1
                under_way[asyncio.create_task(_labelled(free.actor, shard))] = (free, shard)
            if not under_way:
                break
            ended, _ = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
            for task in ended:
                worker, shard = under_way.pop(task)
                worker.busy -= 1
                done = task.result()
                if done is None:
                    worker.lost = True
                    waiting.appendleft(shard)
                    continue
                tally.add(done.tally)
                step()
                left = shard.without(done.tally)
                if left.job.waiting:
                    waiting.append(left)
                if isinstance(done.problem, BudgetReached):
                    worker.spent_up = True
                if problem is None or isinstance(problem, BudgetReached):
                    problem = done.problem or problem
                if done.problem is not None and not isinstance(done.problem, BudgetReached):
                    self.stop()
        if problem is not None and waiting:
            raise problem
        if waiting and not self._stopping:
            raise ModelUnavailable("every worker of the cluster was lost; the same command goes on with what is left")

    def _freest(self, depth: int) -> _Hired | None:
        able = [one for one in self._hired if one.takes_more and one.busy < depth]
        return min(able, key=lambda one: one.busy, default=None)


async def _labelled(actor: Any, shard: Shard) -> Done | None:
    """What a worker did of a shard; None when it was lost."""
    from ray.exceptions import RayActorError

    try:
        done: Done = await actor.label.remote(shard)
    except RayActorError:
        return None
    return done


async def _closed(actor: Any) -> None:
    from ray.exceptions import RayActorError

    with suppress(RayActorError):
        await actor.close.remote()
