"""The bytes of a reply, counted as they come; apart from its user because the client library is slow to import."""

from collections.abc import AsyncIterable, AsyncIterator

import httpx2

LONGEST_REPLY_BYTES = 8_000_000
"""A reply beyond this is no answer to anything we ask."""


class ReplyTooLong(Exception):
    """A reply that was not read to its end."""


class Measured(httpx2.AsyncByteStream):
    """A reply's bytes, up to as many as a reply may have; `error` says that there were more."""

    def __init__(self, stream: AsyncIterable[bytes]) -> None:
        self._stream = stream
        self.error: ReplyTooLong | None = None

    async def __aiter__(self) -> AsyncIterator[bytes]:
        read = 0
        async for part in self._stream:
            read += len(part)
            if read > LONGEST_REPLY_BYTES:
                self.error = ReplyTooLong()
                raise self.error
            yield part

    async def aclose(self) -> None:
        if isinstance(self._stream, httpx2.AsyncByteStream):
            await self._stream.aclose()
