"""The record in a PostgreSQL database."""

import asyncio
import contextlib
import random
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError

from crito.model.errors import Conflict
from crito.services.ports import Tx
from crito.store.engines import POOL_SIZE
from crito.store.errors import is_collision, our_errors
from crito.store.transaction import SqlTx

Result = TypeVar("Result")

_HOLD = text("SELECT pg_try_advisory_lock(hashtextextended('crito ' || :name, 0))")

TRIES = 8
FIRST_PAUSE_S = 0.005


class PostgresStore:
    """`Store` on PostgreSQL: one transaction for each piece of work, on a few threads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._views = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        self._threads = ThreadPoolExecutor(POOL_SIZE, thread_name_prefix="crito-store")

    async def read(self, work: Callable[[Tx], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._threads, _run, self._views, work)

    async def write(self, work: Callable[[Tx], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._threads, _run, self._engine, work)

    @contextlib.asynccontextmanager
    async def hold(self, name: str) -> AsyncIterator[None]:
        connection = await asyncio.to_thread(self._engine.connect)
        try:
            taken = connection.execute(_HOLD, {"name": name}).scalar()
            connection.commit()
            if not taken:
                raise Conflict(f"another process is at work on {name}; wait for it, or stop it first")
            yield
        finally:
            # The lock belongs to the connection, which must not go back to the pool with it.
            connection.invalidate()
            connection.close()

    async def close(self) -> None:
        await asyncio.to_thread(self._threads.shutdown)
        self._engine.dispose()


def _run(engine: Engine, work: Callable[[Tx], Result]) -> Result:
    """Run and commit `work`; again, a little later, when it collided with another transaction."""
    for attempt in range(TRIES):
        try:
            with our_errors(), engine.begin() as connection:
                return work(SqlTx(connection))
        except DBAPIError as error:
            if not is_collision(error) or attempt == TRIES - 1:
                raise
            time.sleep(FIRST_PAUSE_S * 2**attempt * random.random())
    raise AssertionError("the last try returns or raises")
