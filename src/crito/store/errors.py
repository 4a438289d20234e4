"""A database's errors as ours."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from crito.model.errors import Conflict, CritoError, InvalidInput, NotFound

_UNIQUE = {"23505", "SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY"}
_COLLISIONS = {"40001", "40P01"}
"""PostgreSQL: a serialization failure, a deadlock."""

_FULL = {"SQLITE_FULL", "SQLITE_IOERR_WRITE", "53100"}
"""Nothing more can be written: the disk is full, or a file has reached its limit."""


def _code(error: Any) -> str:
    return getattr(error, "sqlstate", None) or getattr(error, "sqlite_errorname", None) or ""


def is_collision(error: BaseException) -> bool:
    """Whether two transactions got in each other's way, so that the same work may well succeed now."""
    return _code(error) in _COLLISIONS


@contextmanager
def our_errors(driver: Any) -> Iterator[None]:
    """Raise what the record's users know instead of what `driver` raises; its errors bear the names of PEP 249."""
    try:
        yield
    except driver.IntegrityError as error:
        if _code(error) in _UNIQUE:
            raise Conflict(f"something under this key was recorded first, and stays: {error}") from error
        raise NotFound(f"this refers to something that is not recorded: {error}") from error
    except driver.OperationalError as error:
        if _code(error) in _FULL:
            raise CritoError(
                "the record cannot be written, because its disk is full; what was recorded is kept: make room, and give the "
                "same command again"
            ) from error
        raise
    except driver.DataError as error:
        raise InvalidInput("a value cannot be stored", came=str(error), wanted="give another") from error
    except (UnicodeEncodeError, OverflowError) as error:
        raise InvalidInput("a value cannot be stored", came=str(error), wanted="give another") from error
