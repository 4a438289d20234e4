"""How long a connection may take to say what it wants: uvicorn itself waits for ever for the rest of a request's head."""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_WITHIN_S = 20.0


class PatientProtocol(HttpToolsProtocol):
    """HTTP as uvicorn speaks it, on connections that are closed unless a head comes whole within `HEAD_WITHIN_S`."""

    _closing: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._wait()

    def on_headers_complete(self) -> None:
        self._stop_waiting()
        super().on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._closing is None:
            self._closing = self.loop.call_later(HEAD_WITHIN_S, self._give_up)

    def _stop_waiting(self) -> None:
        if self._closing is not None:
            self._closing.cancel()
            self._closing = None

    def _give_up(self) -> None:
        # An answer that is still being spoken on this connection is not cut off by what came behind it.
        self._closing = None
        cycle: Any = self.cycle
        if cycle is None or cycle.response_complete:
            self.transport.close()
