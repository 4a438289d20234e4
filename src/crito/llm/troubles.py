"""Why a call did not get through, from what a provider's library raised."""

import errno
import socket

from crito.model.errors import Trouble


def trouble_of(error: Exception) -> Trouble:
    """What kind of trouble an error of a provider's library tells of."""
    from pydantic_ai import exceptions

    match error:
        case (
            exceptions.ModelAuthenticationError()
            | exceptions.ModelNotFoundError()
            | exceptions.ModelQuotaExceededError()
        ):
            return "denied"
        case exceptions.ModelConnectionError() if never_connected(error):
            return "unreached"
        case exceptions.ModelConnectionError() | exceptions.ModelRequestTimeout():
            return "uncertain"
        case exceptions.ModelHTTPError(status_code=status) if status == 429 or status >= 500:
            return "busy"
    return "other"


def never_connected(error: BaseException | None) -> bool:
    """Whether there was no connection to send anything over.

    Libraries call it the same when a server takes the request and hangs up before its headers, so their word for it
    does not count; only what the operating system said does.
    """
    while error is not None:
        if isinstance(error, ConnectionRefusedError | socket.gaierror):
            return True
        if isinstance(error, OSError) and error.errno in (errno.ENETUNREACH, errno.EHOSTUNREACH):
            return True
        error = error.__cause__ or error.__context__
    return False


def retry_after_s_of(error: Exception) -> float | None:
    """How long the provider wants to be left alone, where it says so."""
    given = getattr(error, "retry_after", None)
    return max(0.0, float(given)) if given is not None else None


def one_line(error: Exception, longest: int = 300) -> str:
    """An error on one line, cut where it is long."""
    line = " ".join(f"{type(error).__name__}: {error}".split())
    return line if len(line) <= longest else line[: longest - 1] + "…"
