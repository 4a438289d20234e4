"""Connections to a database, set up the way the record needs them."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, NullPool, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from crito.model.errors import DatabaseMismatch, InvalidInput
from crito.store.tables.columns import to_json

BUSY_S = 10
"""How long SQLite waits for a writer of another process before it says that the database is locked."""

_DRIVERS = {"sqlite": "sqlite", "postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}
_REMOTE_FILE_SYSTEMS = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "glusterfs", "lustre", "fuse.sshfs", "fuse.s3fs"}
)
_PRAGMAS = (
    "synchronous=FULL",
    "fullfsync=ON",
    "foreign_keys=ON",
    f"busy_timeout={BUSY_S * 1000}",
    "cache_size=-16000",
    # Not every SQLite is built to overwrite what is erased, and words of people who withdrew must not stay in the file.
    "secure_delete=ON",
)


def parse_url(url: str) -> URL:
    """`url` with the driver that we use.

    Raises:
        InvalidInput: it names no database that Crito can keep its record in.
    """
    wanted = "give sqlite:///FILE or postgresql://USER@HOST/DATABASE"
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise InvalidInput("this is no address of a database", came=url, wanted=wanted) from error
    scheme = parsed.drivername.split("+")[0]
    if scheme not in _DRIVERS:
        raise InvalidInput("Crito keeps its record in SQLite or PostgreSQL", came=scheme, wanted=wanted)
    if scheme == "sqlite" and parsed.database in (None, "", ":memory:"):
        raise InvalidInput("an SQLite record needs a file", came=url, wanted="give sqlite:///FILE")
    return parsed.set(drivername=_DRIVERS[scheme])


def shown(url: URL) -> str:
    """`url` as a user would write it, without its password."""
    return url.set(drivername=url.drivername.split("+")[0]).render_as_string(hide_password=True)


def open_engine(url: str) -> Engine:
    """An engine on `url`; on SQLite it leaves beginning and committing to its user."""
    parsed = parse_url(url)
    if parsed.drivername != "sqlite":
        return _reached(
            create_engine(
                parsed,
                poolclass=NullPool,
                json_serializer=to_json,
                connect_args={"options": "-c timezone=UTC"},
            )
        )
    file = Path(str(parsed.database)).absolute()
    _refuse_unusable_place(file)
    engine = create_engine(
        parsed,
        poolclass=NullPool,
        isolation_level="AUTOCOMMIT",
        json_serializer=to_json,
        connect_args={"check_same_thread": False, "timeout": BUSY_S},
    )
    event.listen(engine, "connect", _set_up)
    try:
        with engine.connect() as connection:
            mode = connection.exec_driver_sql("PRAGMA journal_mode=WAL").scalar()
    except DBAPIError as error:
        raise DatabaseMismatch(f"{str(file)!r} cannot be opened as an SQLite database: {error.orig}") from error
    if mode != "wal":
        raise DatabaseMismatch(
            f"the SQLite file {str(file)!r} must use write-ahead logging, but stays in mode {mode!r}; "
            "put it on a local disk, or use PostgreSQL"
        )
    return engine


@contextmanager
def one_moment(engine: Engine) -> Iterator[Connection]:
    """A connection whose reads all see the record as it is at the first of them, whatever is written meanwhile."""
    with engine.connect() as connection:
        if engine.dialect.name == "postgresql":
            yield connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            return
        connection.exec_driver_sql("BEGIN")
        try:
            yield connection
        finally:
            connection.exec_driver_sql("ROLLBACK")


def _reached(engine: Engine) -> Engine:
    try:
        engine.connect().close()
    except DBAPIError as error:
        engine.dispose()
        reason = " ".join(str(error.orig).split())
        raise DatabaseMismatch(f"the database {shown(engine.url)} cannot be used: {reason}") from error
    return engine


def _set_up(connection: sqlite3.Connection, _: Any) -> None:
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")


def _refuse_unusable_place(file: Path) -> None:
    if not file.parent.is_dir():
        raise InvalidInput(
            "the folder of the SQLite file does not exist", came=str(file.parent), wanted="create it first"
        )
    kind = _file_system(file.parent)
    if kind in _REMOTE_FILE_SYSTEMS:
        raise DatabaseMismatch(
            f"{str(file)!r} lies on a network file system ({kind}), where SQLite may lose what was written; "
            "put it on a local disk, or use PostgreSQL"
        )


def _file_system(folder: Path) -> str:
    """The kind of file system that `folder` is on; empty where the system does not say."""
    mounts = Path("/proc/self/mounts")
    if not mounts.exists():
        return ""
    path = folder.resolve()
    kinds = {}
    for line in mounts.read_text(errors="replace").splitlines():
        _, mounted_at, kind, *_ = line.split(" ")
        kinds[Path(mounted_at.replace("\\040", " "))] = kind
    return next((kinds[place] for place in (path, *path.parents) if place in kinds), "")
