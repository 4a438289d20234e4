"""The record in a PostgreSQL database."""

import asyncio
import contextlib
import random
import threading
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from sqlalchemy import Engine, PoolProxiedConnection, text

from crito.model.errors import Conflict
from crito.services.ports import Tx
from crito.store.errors import is_collision, our_errors
from crito.store.prepared import Statements
from crito.store.schema import check_schema
from crito.store.transaction import SqlTx

Result = TypeVar("Result")

_HOLD = text("SELECT pg_try_advisory_lock(hashtextextended('crito ' || :name, 0))")

TRANSACTIONS_AT_ONCE = 8
"""By one process; each thread keeps a connection of its own."""
TRIES = 8
FIRST_PAUSE_S = 0.005


class PostgresStore:
    """`Store` on PostgreSQL: one transaction for each piece of work, on a few threads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._driver: Any = engine.dialect.dbapi
        self._statements = Statements(engine.dialect)
        self._threads = ThreadPoolExecutor(TRANSACTIONS_AT_ONCE, thread_name_prefix="crito-store")
        self._of_thread = threading.local()
        self._open: list[PoolProxiedConnection] = []

    async def read(self, work: Callable[[Tx], Result]) -> Result:
        begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._run, begin, work)

    survey = read
    """Each transaction has a thread of its own already."""

    async def write(self, work: Callable[[Tx], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._run, "BEGIN", work)

    @contextlib.asynccontextmanager
    async def hold(self, name: str) -> AsyncIterator[None]:
        # The lock belongs to the connection, and goes with it.
        with await asyncio.to_thread(self._engine.connect) as connection:
            taken = connection.execute(_HOLD, {"name": name}).scalar()
            connection.commit()
            if not taken:
                raise Conflict(f"another process is at work on {name}; wait for it, or stop it first")
            yield

    async def check(self) -> None:
        await asyncio.to_thread(check_schema, self._engine)

    async def close(self) -> None:
        await asyncio.to_thread(self._threads.shutdown)
        for connection in self._open:
            connection.close()
        self._engine.dispose()

    def _run(self, begin: str, work: Callable[[Tx], Result]) -> Result:
        """Run and commit `work`; again, when it collided with another transaction or the connection had gone before."""
        for attempt in range(TRIES):
            connection, committing = self._connection(), False
            try:
                with our_errors(self._driver):
                    connection.execute(begin)
                    result = work(SqlTx(connection, self._statements))
                    committing = True
                    connection.execute("COMMIT")
                    return result
            except BaseException as error:
                gone = connection.closed
                if not gone:
                    connection.execute("ROLLBACK")
                # Whether a commit came through that was asked for last, nobody knows.
                again = is_collision(error) or (gone and not committing)
                if not again or attempt == TRIES - 1:
                    raise
            time.sleep(FIRST_PAUSE_S * 2**attempt * random.random())
        raise AssertionError("the last try returns or raises")

    def _connection(self) -> Any:
        """The driver's connection of this thread."""
        if getattr(self._of_thread, "connection", None) is None or self._of_thread.connection.closed:
            opened = self._engine.raw_connection()
            self._open.append(opened)
            self._of_thread.connection = opened.driver_connection
            self._of_thread.connection.autocommit = True
        return self._of_thread.connection
