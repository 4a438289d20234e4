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


@dataclass
class Provider:
    """What was asked of it, and where it is."""

    answer: Answer
    url: str = ""
    bodies: list[dict[str, Any]] = field(default_factory=list)

    async def respond(self, request: web.Request) -> web.Response:
        body = await request.json()
        self.bodies.append(body)
        said = self.answer(body)
        return said if isinstance(said, web.Response) else completion(body["model"], said)


def completion(model: str, words: str, **choice: Any) -> web.Response:
    """A reply of ten tokens read, four of them from a cache, and five written."""
    message = {"index": 0, "message": {"role": "assistant", "content": words}, "finish_reason": "stop", **choice}
    usage = {
        "prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15,
        "prompt_tokens_details": {"cached_tokens": 4},
    }  # fmt: skip
    head = {"id": "c", "object": "chat.completion", "created": 1, "model": model}
    return web.json_response({**head, "choices": [message], "usage": usage})


def said(label: str, reason: str = "so") -> str:
    return json.dumps({"label": label, "confidence": 0.5, "reason": reason})


@contextmanager
def providing(answer: Answer) -> Iterator[Provider]:
    """A provider that answers until the context ends."""
    provider, loop = Provider(answer), asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    async def begin() -> web.AppRunner:
        app = web.Application(client_max_size=64 * 1024**2)
        app.router.add_post("/{path:.*}", provider.respond)
        runner = web.AppRunner(app, shutdown_timeout=1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        host, port = runner.addresses[0][:2]
        provider.url = f"http://{host}:{port}/v1"
        return runner

    runner = asyncio.run_coroutine_threadsafe(begin(), loop).result()
    try:
        yield provider
    finally:
        asyncio.run_coroutine_threadsafe(runner.cleanup(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
