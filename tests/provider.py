"""A provider on this machine in a thread of its own, for code that runs its own event loop."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

Answer = Callable[[dict[str, Any]], str | web.Response]
"""From the body of a request in the form of chat completions: the words of the reply, or another response."""


EVERY_CALL = 10**9


@dataclass
class Provider:
    """What was asked of it, and where it is; calls after the first `open_for` wait at a gate."""

    answer: Answer
    loop: asyncio.AbstractEventLoop
    url: str = ""
    bodies: list[dict[str, Any]] = field(default_factory=list)
    open_for: int = EVERY_CALL
    waited_at: threading.Event = field(default_factory=threading.Event)
    """Set once a call waits at the gate."""
    gate: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def asked(self) -> list[str]:
        """The last message of every call, which holds what this call is about."""
        return [str(body["messages"][-1]["content"]) for body in self.bodies]

    async def respond(self, request: web.Request) -> web.Response:
        body = await request.json()
        self.bodies.append(body)
        if len(self.bodies) > self.open_for:
            self.waited_at.set()
            await self.gate.wait()
        said = self.answer(body)
        return said if isinstance(said, web.Response) else completion(body["model"], said)

    def open_gate(self) -> None:
        """Answer the calls that wait, and every one that comes."""
        self.open_for = EVERY_CALL
        self.loop.call_soon_threadsafe(self.gate.set)


def schema_of(body: dict[str, Any]) -> dict[str, Any] | None:
    """The form that the reply shall have."""
    schema: dict[str, Any] | None = body.get("response_format", {}).get("json_schema", {}).get("schema")
    return schema


def completion(model: str, words: str, *, tokens: tuple[int, int] = (10, 5), **choice: Any) -> web.Response:
    """A reply of so many tokens read, four of them from a cache, and so many written."""
    message = {"index": 0, "message": {"role": "assistant", "content": words}, "finish_reason": "stop", **choice}
    usage = {
        "prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens),
        "prompt_tokens_details": {"cached_tokens": 4},
    }  # fmt: skip
    head = {"id": "c", "object": "chat.completion", "created": 1, "model": model}
    return web.json_response({**head, "choices": [message], "usage": usage})


def said(label: str, reason: str = "so") -> str:
    return json.dumps({"label": label, "confidence": 0.5, "reason": reason})


@contextmanager
def providing(answer: Answer) -> Iterator[Provider]:
    """A provider that answers until the context ends."""
    loop = asyncio.new_event_loop()
    provider = Provider(answer, loop)
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    async def begin() -> web.AppRunner:
        app = web.Application(client_max_size=64 * 1024**2)
        app.router.add_post("/{path:.*}", provider.respond)
        runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        host, port = runner.addresses[0][:2]
        provider.url = f"http://{host}:{port}/v1"
        return runner

    runner = asyncio.run_coroutine_threadsafe(begin(), loop).result()
    try:
        yield provider
    finally:
        provider.open_gate()
        asyncio.run_coroutine_threadsafe(runner.cleanup(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
