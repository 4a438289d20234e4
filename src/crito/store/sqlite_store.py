"""The record in one SQLite file."""

import asyncio
import contextlib
import hashlib
import sqlite3
import threading
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic
from typing import IO, Any, NamedTuple, TypeVar

from sqlalchemy import Connection, Engine

from crito.model.errors import Conflict, TooMany
from crito.services.ports import Tx
from crito.store.engines import BUSY_S
from crito.store.errors import our_errors
from crito.store.transaction import SqlTx

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

Result = TypeVar("Result")

MOST_PER_COMMIT = 128
ERASING_WAITS_S = 1
"""How long readers of earlier moments are waited for before the log is emptied after a later write."""
PATIENCE_S = 30
"""How long a write waits for the writers of other processes."""


class _Job(NamedTuple):
    work: Callable[[Tx], Any]
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[Any]


class _Outcome(NamedTuple):
    job: _Job
    result: Any
    error: BaseException | None


class SqliteStore:
    """`Store` on SQLite: one thread of this process writes, and what waits for it shares one commit.

    A flush to the disk costs far more than the statements of a form, so it is paid once for all who wait.
    Reads run where they are asked for: they are short, and write-ahead logging never makes them wait.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._reader = engine.connect()
        self._raw_reader = _raw(self._reader)
        self._raw_reader.execute("PRAGMA query_only=ON")
        self._reading = threading.Lock()
        self._waiting: SimpleQueue[_Job | None] = SimpleQueue()
        self._writer: threading.Thread | None = None
        self._closed = False

    async def read(self, work: Callable[[Tx], Result]) -> Result:
        with self._reading, our_errors():
            self._raw_reader.execute("BEGIN")
            try:
                return work(SqlTx(self._reader))
            finally:
                self._raw_reader.execute("ROLLBACK")

    async def write(self, work: Callable[[Tx], Result]) -> Result:
        if self._closed:
            raise RuntimeError("the store is closed")
        if self._writer is None:
            self._writer = threading.Thread(target=self._write_forever, name="crito-writer", daemon=True)
            self._writer.start()
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Result] = loop.create_future()
        self._waiting.put(_Job(work, loop, done))
        return await done

    @contextlib.asynccontextmanager
    async def hold(self, name: str) -> AsyncIterator[None]:
        digest = hashlib.sha256(name.encode()).hexdigest()[:16]
        with _lock(Path(f"{self._engine.url.database}-held-{digest}"), name):
            yield

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        if self._writer is not None:
            self._waiting.put(None)
            await asyncio.to_thread(self._writer.join)
        self._reader.close()
        self._engine.dispose()

    def _write_forever(self) -> None:
        turnstile = Path(f"{self._engine.url.database}-turn")
        with self._engine.connect() as connection, turnstile.open("ab") as file:
            raw, tx = _raw(connection), SqlTx(connection)
            for batch in self._batches():
                outcomes = _commit_together(raw, tx, file, batch)
                # Tried again after the next commit while somebody still reads what was there before.
                tx.erased = tx.erased and not _log_emptied(raw, file)
                _settle(outcomes)

    def _batches(self) -> Iterator[list[_Job]]:
        """What waits, as soon as something does, until the store is closed."""
        while (first := self._waiting.get()) is not None:
            batch = [first]
            with contextlib.suppress(Empty):
                while len(batch) < MOST_PER_COMMIT:
                    job = self._waiting.get_nowait()
                    if job is None:
                        self._waiting.put(None)
                        break
                    batch.append(job)
            yield batch


def _raw(connection: Connection) -> sqlite3.Connection:
    """The driver's own connection: beginning and committing by it costs a tenth of the same by way of SQLAlchemy."""
    raw = connection.connection.driver_connection
    assert isinstance(raw, sqlite3.Connection)
    return raw


def _commit_together(raw: sqlite3.Connection, tx: Tx, turnstile: IO[bytes], batch: list[_Job]) -> list[_Outcome]:
    """Each job in its own savepoint, all in one commit; if that fails, nobody's work counts as done."""
    try:
        with our_errors(), _turn(turnstile):
            _begin(raw)
            outcomes = [_attempt(raw, tx, job) for job in batch]
            raw.execute("COMMIT")
            return outcomes
    except Exception as error:
        with contextlib.suppress(sqlite3.OperationalError):
            raw.execute("ROLLBACK")
        return [_Outcome(job, None, error) for job in batch]


def _log_emptied(raw: sqlite3.Connection, turnstile: IO[bytes]) -> bool:
    """Empty the write-ahead log, which holds pages as they were before words were erased."""
    raw.execute(f"PRAGMA busy_timeout={ERASING_WAITS_S * 1000}")
    try:
        with _turn(turnstile):
            busy, _, _ = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.OperationalError:
        return False
    finally:
        raw.execute(f"PRAGMA busy_timeout={BUSY_S * 1000}")
    return not busy


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


@contextlib.contextmanager
def _turn(turnstile: IO[bytes]) -> Iterator[None]:
    """Wait for the writers of other processes in the order of the system's queue.

    SQLite alone only looks again now and then, so that under load the unlucky one waits for seconds.
    """
    if fcntl is None:
        yield
        return
    fcntl.flock(turnstile, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(turnstile, fcntl.LOCK_UN)


def _begin(raw: sqlite3.Connection) -> None:
    until = monotonic() + PATIENCE_S
    while True:
        try:
            raw.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
            if monotonic() >= until:
                raise TooMany("another process keeps writing to the database", retry_after_s=5) from error
        else:
            return


def _attempt(raw: sqlite3.Connection, tx: Tx, job: _Job) -> _Outcome:
    raw.execute("SAVEPOINT work")
    try:
        with our_errors():
            result = job.work(tx)
    except Exception as error:
        raw.execute("ROLLBACK TO work")
        raw.execute("RELEASE work")
        return _Outcome(job, None, error)
    raw.execute("RELEASE work")
    return _Outcome(job, result, None)


def _settle(outcomes: list[_Outcome]) -> None:
    """Tell those who wait, with one wake-up of each event loop."""
    by_loop: dict[asyncio.AbstractEventLoop, list[_Outcome]] = defaultdict(list)
    for outcome in outcomes:
        by_loop[outcome.job.loop].append(outcome)
    for loop, own in by_loop.items():
        # A loop that was closed has nobody left who waits.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(_resolve, own)


def _resolve(outcomes: list[_Outcome]) -> None:
    for job, result, error in outcomes:
        if job.done.cancelled():
            continue
        if error is None:
            job.done.set_result(result)
        else:
            job.done.set_exception(error)
