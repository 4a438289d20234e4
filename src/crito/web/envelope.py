"""Around every answer: headers that keep the page to itself, and a plain page instead of a crash."""

import logging
import re
import secrets
import time
import traceback
from collections.abc import Awaitable, Callable, Mapping, Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from crito.web.logs import Answered

log = logging.getLogger("crito.web")

HEADERS = [
    (
        b"content-security-policy",
        b"default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; "
        b"frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    # The addresses people come by carry their ids at the platform; no other site gets to see them.
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), browsing-topics=()"),
]


REQUEST_ID = b"x-request-id"
_AN_ID = re.compile(rb"[0-9a-f-]{16,64}", re.IGNORECASE)
NO_ROUTE = "none"


Observer = Callable[[Answered], None]


class Envelope:
    """Middleware that names the prefix, adds `HEADERS` and turns what nobody caught into the answer that `failed` gives.

    Each request has an id: the proxy's, or else one of ours. It stands in the answer and in the log, and is the mark that
    a person sees when something failed. The log gets the kind of error and its place in the code: messages of errors may
    hold people's words.
    """

    def __init__(
        self,
        app: ASGIApp,
        root_path: str,
        failed: Callable[[Request, str], Awaitable[Response]],
        observers: Sequence[Observer] = (),
        routes: Sequence[Route] = (),
    ) -> None:
        self._app = app
        self._root_path = root_path
        self._failed = failed
        self._observers = tuple(observers)
        # A plain route leaves no more in the scope than its endpoint.
        self._paths: Mapping[object, str] = {route.endpoint: route.path for route in routes}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if self._root_path:
            scope = {**scope, "root_path": self._root_path}
        request_id = _request_id(scope)
        status, began = 0, time.perf_counter()

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), *HEADERS, (REQUEST_ID, request_id.encode())]
            await send(message)

        try:
            await self._app(scope, receive, send_with_headers)
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            words = (type(error).__name__, place.filename, place.lineno)
            log.error("%s: %s in %s, line %s", request_id, *words, extra={"facts": {"request": request_id}})
            if not status:
                response = await self._failed(Request(scope, receive), request_id)
                await response(scope, receive, send_with_headers)
        finally:
            if self._observers:
                route = self._paths.get(scope.get("endpoint")) or str(getattr(scope.get("route"), "path", NO_ROUTE))
                seen = Answered(request_id, scope["method"], route, status, time.perf_counter() - began)
                for observe in self._observers:
                    observe(seen)


def _request_id(scope: Scope) -> str:
    """The id that a proxy gave the request, if it looks like one; else a new one."""
    given = next((value for name, value in scope["headers"] if name == REQUEST_ID), b"")
    return given.decode().lower() if _AN_ID.fullmatch(given) else secrets.token_hex(8)
