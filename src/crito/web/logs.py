"""The log of a server, on standard error: what went wrong and, as JSON, each request; never words, tokens or ids of people."""

import json
import logging
import sys
import traceback
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import IO, Any, NamedTuple

REQUESTS = logging.getLogger("crito.requests")
OURS = "crito"


class Answered(NamedTuple):
    """One request that was answered: its id, its route with blanks in it, and how long the whole answer took."""

    request: str
    method: str
    route: str
    status: int
    seconds: float


def configure(*, as_json: bool, stream: IO[str] | None = None) -> logging.Handler:
    """Have everything that is logged in this process written to `stream`, with the requests if `as_json`."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines() if as_json else PlainLines())
    root = logging.getLogger()
    for earlier in [kept for kept in root.handlers if isinstance(kept.formatter, PlainLines | JsonLines)]:
        root.removeHandler(earlier)
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
    REQUESTS.setLevel(logging.INFO if as_json else logging.CRITICAL)
    return handler


def note_request(answered: Answered) -> None:
    """Log one request by the shape of its address: what stands in the blanks of a route may be somebody's."""
    facts = {
        "request": answered.request,
        "method": answered.method,
        "route": answered.route,
        "status": answered.status,
        "ms": round(answered.seconds * 1000, 1),
    }
    REQUESTS.info("request", extra={"facts": facts})


class JsonLines(logging.Formatter):
    """One JSON object a line: time, level, what happened, and facts that hold nothing of people."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        said = {"time": at, "level": record.levelname.lower(), "logger": record.name, "event": _event(record)}
        return json.dumps({**said, **_facts(record)})


class PlainLines(logging.Formatter):
    """The same for people to read."""

    def format(self, record: logging.LogRecord) -> str:
        facts = "".join(f", {value}" for value in _failure(record).values())
        return f"{datetime.fromtimestamp(record.created, UTC):%Y-%m-%d %H:%M:%S} {record.levelname.lower()} {_event(record)}{facts}"


def _event(record: logging.LogRecord) -> str:
    """What is logged, in words; of others only the first line of the pattern, since what is put into it may be anything."""
    if record.name.partition(".")[0] == OURS:
        return record.getMessage()
    return (str(record.msg).splitlines() or [""])[0][:200]


def _facts(record: logging.LogRecord) -> Mapping[str, Any]:
    return {**getattr(record, "facts", {}), **_failure(record)}


def _failure(record: logging.LogRecord) -> Mapping[str, Any]:
    """The kind of an error and its place in the code, if one was logged; its message may hold people's words."""
    error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
    if error is None:
        return {}
    places = traceback.extract_tb(error.__traceback__)
    where = {"file": places[-1].filename, "line": places[-1].lineno} if places else {}
    return {"error": type(error).__name__, **where}
