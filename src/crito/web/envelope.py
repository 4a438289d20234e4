"""Around every answer: headers that keep the page to itself, and a plain page instead of a crash."""

import logging
import secrets
import traceback
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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


class Envelope:
    """Middleware that names the prefix, adds `HEADERS` and turns what nobody caught into the answer that `failed` gives.

    The log gets a mark, the kind of error and its place in the code: messages of errors may hold people's words.
    """

    def __init__(self, app: ASGIApp, root_path: str, failed: Callable[[Request, str], Awaitable[Response]]) -> None:
        self._app = app
        self._root_path = root_path
        self._failed = failed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if self._root_path:
            scope = {**scope, "root_path": self._root_path}
        started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                message["headers"] = [*message.get("headers", ()), *HEADERS]
            await send(message)

        try:
            await self._app(scope, receive, send_with_headers)
        except Exception as error:
            mark = secrets.token_hex(4)
            place = traceback.extract_tb(error.__traceback__)[-1]
            log.error("%s: %s in %s, line %s", mark, type(error).__name__, place.filename, place.lineno)
            if started:
                return
            response = await self._failed(Request(scope, receive), mark)
            await response(scope, receive, send_with_headers)
