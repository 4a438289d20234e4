"""A chat-completions server on this machine that gives every label after the same time; it runs as a process of its own.

What it says depends on the request alone: three models agree on two items of five at first, and some of the others
after they have read each other. Run `python benchmarks/beside/chat_server.py --latency 1`; the first line it writes is
its address, and `GET /seen` says how many calls it had and how many at once.
"""

import argparse
import asyncio
import hashlib
import json
from dataclasses import dataclass

from aiohttp import web

LABELS = ("Dovish", "Hawkish", "Neutral")
RIGHT_OF_100 = 75
"""How many of a hundred answers are the label that the text asks for."""


@dataclass
class Seen:
    """What was asked so far."""

    calls: int = 0
    now: int = 0
    at_once: int = 0


def answer(model: str, words: str) -> str:
    """The label of a text with a reason: the same for the same model and words."""
    drawn = int.from_bytes(hashlib.sha256(f"{model} {words}".encode()).digest()[:4])
    usual, other = drawn % 100 < RIGHT_OF_100, 1 + drawn % 2
    label = LABELS[(len(words.partition(".")[0]) + (0 if usual else other)) % len(LABELS)]
    reason = "The sentence weighs the outlook for prices against employment and leans to one side of it."
    return json.dumps({"reason": reason, "label": label, "confidence": 0.8})


def served(latency_s: float) -> web.Application:
    seen = Seen()

    async def complete(request: web.Request) -> web.Response:
        body = json.loads(await request.read())
        seen.calls += 1
        seen.now += 1
        seen.at_once = max(seen.at_once, seen.now)
        try:
            await asyncio.sleep(latency_s)
        finally:
            seen.now -= 1
        words = body["messages"][-1]["content"]
        text = words if isinstance(words, str) else words[0]["text"]
        message = {"role": "assistant", "content": answer(body["model"], text)}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        usage = {"prompt_tokens": 300, "completion_tokens": 40, "total_tokens": 340}
        head = {"id": "c", "object": "chat.completion", "created": 1, "model": body["model"]}
        return web.json_response({**head, "choices": [choice], "usage": usage})

    async def tell(_: web.Request) -> web.Response:
        told = {"calls": seen.calls, "at_once": seen.at_once}
        seen.calls = seen.at_once = 0
        return web.json_response(told)

    application = web.Application()
    application.router.add_post("/v1/chat/completions", complete)
    application.router.add_get("/seen", tell)
    return application


async def serve(latency_s: float) -> None:
    runner = web.AppRunner(served(latency_s), access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=1024).start()
    host, port = runner.addresses[0][:2]
    print(f"http://{host}:{port}", flush=True)
    await asyncio.Event().wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--latency", type=float, default=1.0, help="seconds before each answer")
    asyncio.run(serve(parser.parse_args().latency))


if __name__ == "__main__":
    main()
