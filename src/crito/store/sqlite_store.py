"""The record in one SQLite file."""

import asyncio
import contextlib
import hashlib
import sqlite3
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic, sleep
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, Engine

from crito.model.errors import Conflict, TooMany
from crito.services.ports.store import Tx
from crito.store.errors import our_errors
from crito.store.prepared import Statements
from crito.store.schema import check_schema
from crito.store.transaction import SqlTx

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

Result = TypeVar("Result")

MOST_PER_COMMIT = 64
ERASING_WAITS_S = 1
"""How long readers of earlier moments are waited for before the log is emptied after a later write."""
PATIENCE_S = 30
"""How long a write waits for writers that do not queue for their turn, such as other programs."""
LOOKS_AGAIN_S = 0.01


class _Job(NamedTuple):
    work: Callable[[Tx], Any]
    done: asyncio.Future[Any]


class _Outcome(NamedTuple):
    job: _Job
    result: Any
    error: BaseException | None


class SqliteStore:
    """`Store` on SQLite, for one event loop: its statements run where they are asked for.

    They are short: a second thread that runs Python beside the event loop would make each of them wait for the interpreter.
    Only what waits for the disk or for other processes does so on a thread, and what looks through many rows. A flush to the
    disk costs far more than the statements of a form, so whatever waits for it shares one commit. Write-ahead logging never
    makes a read wait.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._statements = Statements(engine.dialect)
        self._reader = _Reader(engine, self._statements)
        self._surveyor: _Reader | None = None
        self._surveys = ThreadPoolExecutor(1, thread_name_prefix="crito-survey")
        self._waiting: deque[_Job] = deque()
        self._writer: _Writer | None = None
        self._writing: asyncio.Task[None] | None = None
        self._closed = False

    async def read(self, work: Callable[[Tx], Result]) -> Result:
        return self._reader.read(work)

    async def survey(self, work: Callable[[Tx], Result]) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._surveys, self._survey, work)

    async def write(self, work: Callable[[Tx], Result]) -> Result:
        if self._closed:
            raise RuntimeError("the store is closed")
        if self._writer is None:
            self._writer = _Writer(self._engine, self._statements)
        loop = asyncio.get_running_loop()
        job = _Job(work, loop.create_future())
        self._waiting.append(job)
        if self._writing is None or self._writing.done():
            self._writing = loop.create_task(self._write_what_waits(self._writer))
        result: Result = await job.done
        return result

    @contextlib.asynccontextmanager
    async def hold(self, name: str) -> AsyncIterator[None]:
        digest = hashlib.sha256(name.encode()).hexdigest()[:16]
        with _lock(Path(f"{self._engine.url.database}-held-{digest}"), name):
            yield

    async def check(self) -> None:
        await asyncio.to_thread(check_schema, self._engine)

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        if self._writing is not None:
            await self._writing
        if self._writer is not None:
            self._writer.close()
        await asyncio.to_thread(self._surveys.shutdown)
        if self._surveyor is not None:
            self._surveyor.close()
        self._reader.close()
        self._engine.dispose()

    def _survey(self, work: Callable[[Tx], Result]) -> Result:
        if self._surveyor is None:
            self._surveyor = _Reader(self._engine, self._statements)
        return self._surveyor.read(work)

    async def _write_what_waits(self, writer: "_Writer") -> None:
        while self._waiting:
            for job, result, error in await self._commit_together(writer):
                if job.done.cancelled():
                    continue
                if error is None:
                    job.done.set_result(result)
                else:
                    job.done.set_exception(error)

    async def _commit_together(self, writer: "_Writer") -> list[_Outcome]:
        """Each job in its own savepoint, all in one commit; if that fails, nobody's work counts as done."""
        jobs: list[_Job] = []
        try:
            if not writer.begin_at_once():
                await writer.waiting(writer.begin)
            # Whoever came while the turn was waited for is in.
            jobs = self._next_jobs()
            outcomes = [writer.attempt(job) for job in jobs]
            with our_errors(sqlite3):
                await writer.waiting(writer.commit)
        except Exception as error:
            writer.undo()
            return [_Outcome(job, None, error) for job in jobs or self._next_jobs()]
        return outcomes

    def _next_jobs(self) -> list[_Job]:
        return [self._waiting.popleft() for _ in range(min(len(self._waiting), MOST_PER_COMMIT))]


class _Reader:
    """A connection that only reads."""

    def __init__(self, engine: Engine, statements: Statements) -> None:
        self._connection = engine.connect()
        self._raw = _raw(self._connection)
        self._raw.execute("PRAGMA query_only=ON")
        self._statements = statements

    def read(self, work: Callable[[Tx], Result]) -> Result:
        with our_errors(sqlite3):
            self._raw.execute("BEGIN")
            try:
                return work(SqlTx(self._raw, self._statements))
            finally:
                self._raw.execute("ROLLBACK")

    def close(self) -> None:
        self._connection.close()


class _Writer:
    """The one connection of this process that writes, and its place in the queue of all processes that do.

    SQLite alone only looks again now and then, so that under load the unlucky process waits for seconds.
    """

    def __init__(self, engine: Engine, statements: Statements) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="crito-writer")
        self._connection = engine.connect()
        self._raw = _raw(self._connection)
        self._raw.execute("PRAGMA busy_timeout=0")
        self._tx = SqlTx(self._raw, statements)
        self._turnstile = Path(f"{engine.url.database}-turn").open("ab")  # noqa: SIM115

    async def waiting(self, work: Callable[[], None]) -> None:
        """Do what may have to wait, while the event loop goes on."""
        await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def close(self) -> None:
        self._thread.shutdown()
        self._connection.close()
        self._turnstile.close()

    def begin_at_once(self) -> bool:
        """Begin a transaction if nobody has to be waited for; whether it has begun."""
        if not self._take_turn(wait=False):
            return False
        if self._begun():
            return True
        self._end_turn()
        return False

    def begin(self) -> None:
        self._take_turn(wait=True)
        until = monotonic() + PATIENCE_S
        while not self._begun():
            if monotonic() >= until:
                raise TooMany("another process keeps writing to the database", retry_after_s=5)
            sleep(LOOKS_AGAIN_S)

    def attempt(self, job: _Job) -> _Outcome:
        self._raw.execute("SAVEPOINT work")
        try:
            with our_errors(sqlite3):
                result = job.work(self._tx)
        except Exception as error:
            self._raw.execute("ROLLBACK TO work")
            self._raw.execute("RELEASE work")
            return _Outcome(job, None, error)
        self._raw.execute("RELEASE work")
        return _Outcome(job, result, None)

    def commit(self) -> None:
        """When this returns, what was written is on disk."""
        self._raw.execute("COMMIT")
        # Tried again after the next commit while somebody still reads what was there before.
        self._tx.erased = self._tx.erased and not self._log_emptied()
        self._end_turn()

    def undo(self) -> None:
        with contextlib.suppress(sqlite3.Error):
            self._raw.rollback()
        self._end_turn()

    def _begun(self) -> bool:
        try:
            self._raw.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
            return False
        return True

    def _log_emptied(self) -> bool:
        """Empty the write-ahead log, which holds pages as they were before words were erased."""
        self._raw.execute(f"PRAGMA busy_timeout={ERASING_WAITS_S * 1000}")
        try:
            busy, _, _ = self._raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.OperationalError:
            return False
        finally:
            self._raw.execute("PRAGMA busy_timeout=0")
        return not busy

    def _take_turn(self, *, wait: bool) -> bool:
        if fcntl is None:
            return True
        try:
            fcntl.flock(self._turnstile, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            return False
        return True

    def _end_turn(self) -> None:
        if fcntl is not None:
            fcntl.flock(self._turnstile, fcntl.LOCK_UN)


def _raw(connection: Connection) -> sqlite3.Connection:
    """The driver's own connection."""
    raw = connection.connection.driver_connection
    assert isinstance(raw, sqlite3.Connection)
    return raw


@contextlib.contextmanager
def _lock(file: Path, name: str) -> Iterator[None]:
    """Hold a lock on `file`, which the system takes back from a process that dies."""
    with file.open("ab") as held:
        if fcntl is not None:
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise Conflict(f"another process is at work on {name}; wait for it, or stop it first") from error
        yield
