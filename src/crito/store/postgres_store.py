"""The record in a PostgreSQL database."""

import asyncio
import contextlib
import random
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from sqlalchemy import Engine, PoolProxiedConnection, text

from crito.model.errors import Conflict
from crito.services.ports.store import Tx
from crito.store.errors import is_collision, our_errors
from crito.store.prepared import Statements
from crito.store.schema import check_schema
from crito.store.transaction import SqlTx

Result = TypeVar("Result")

_READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_HOLD = text("SELECT pg_try_advisory_lock(hashtextextended('crito ' || :name, 0))")

TRANSACTIONS_AT_ONCE = 8
"""By one process, surveys apart."""
SURVEYS_AT_ONCE = 2
MOST_STATEMENTS = 500
"""That a connection keeps prepared: more than there are."""
TRIES = 8
FIRST_PAUSE_S = 0.005


class PostgresStore:
    """`Store` on PostgreSQL: one transaction for each piece of work, on a few threads."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._short = _Connections(engine, TRANSACTIONS_AT_ONCE, alike=True)
        self._surveys = _Connections(engine, SURVEYS_AT_ONCE, alike=False)

    async def read(self, work: Callable[[Tx], Result]) -> Result:
        return await self._short.run(_READ, work)

    async def survey(self, work: Callable[[Tx], Result]) -> Result:
        return await self._surveys.run(_READ, work)

    async def write(self, work: Callable[[Tx], Result]) -> Result:
        return await self._short.run("BEGIN", work)

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
        for connections in (self._short, self._surveys):
            await asyncio.to_thread(connections.close)
        self._engine.dispose()


class _Connections:
    """Connections that transactions run on, so many at once, each on a thread.

    A connection that has just been used is taken first: it knows its statements already. Where transactions are `alike`,
    PostgreSQL plans a statement once for each connection, whatever its values: planning costs more than running it.
    """

    def __init__(self, engine: Engine, at_once: int, *, alike: bool) -> None:
        self._engine = engine
        self._driver: Any = engine.dialect.dbapi
        self._statements = Statements(engine.dialect)
        self._alike = alike
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix="crito-store")
        self._free: list[Any] = []
        self._open: list[PoolProxiedConnection] = []

    async def run(self, begin: str, work: Callable[[Tx], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._run, begin, work)

    def close(self) -> None:
        self._threads.shutdown()
        for connection in self._open:
            connection.close()

    def _run(self, begin: str, work: Callable[[Tx], Result]) -> Result:
        """Run and commit `work`; again, when it collided with another transaction or the connection had gone before."""
        for attempt in range(TRIES):
            connection, committing = self._taken(), False
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
                    _undo(connection)
                # Whether a commit came through that was asked for last, nobody knows.
                again = is_collision(error) or (gone and not committing)
                if not again or attempt == TRIES - 1:
                    raise
            finally:
                if not connection.closed:
                    self._free.append(connection)
            time.sleep(FIRST_PAUSE_S * 2**attempt * random.random())
        raise AssertionError("the last try returns or raises")

    def _taken(self) -> Any:
        """A connection of the driver's that nobody else uses."""
        while True:
            try:
                connection = self._free.pop()
            except IndexError:
                return self._connected()
            if not connection.closed:
                return connection

    def _connected(self) -> Any:
        opened = self._engine.raw_connection()
        self._open.append(opened)
        connection: Any = opened.driver_connection
        connection.autocommit = True
        if self._alike:
            connection.prepare_threshold, connection.prepared_max = 1, MOST_STATEMENTS
            connection.execute("SET plan_cache_mode = force_generic_plan")
        return connection


def _undo(connection: Any) -> None:
    # Not by a cursor: the driver would forget every statement that the connection has prepared.
    connection.pgconn.exec_(b"ROLLBACK")
