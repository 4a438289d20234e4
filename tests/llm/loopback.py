"""A provider on this machine that speaks the three wire formats and behaves as a test tells it to."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

from aiohttp import web

from crito.llm.endpoints import Endpoint, Wire

Finish = Literal["stop", "length", "refusal", "fault"]

INPUT_TOKENS, CACHED_TOKENS, OUTPUT_TOKENS = 120, 40, 9


@dataclass(frozen=True)
class Says:
    """Streams the pieces and finishes."""

    pieces: Sequence[str] = ("Which words", " made you", " think so?")
    finish: Finish = "stop"
    after: asyncio.Event | None = None
    """Nothing is said before this is set."""
    chances: Sequence[tuple[str, float, Mapping[str, float]]] = ()
    """Tokens with their log-probabilities and those of their alternatives, in a reply that is not streamed."""


@dataclass(frozen=True)
class Fails:
    """Answers with an error."""

    status: int
    message: str = "no"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Stalls:
    """Streams the pieces, then nothing more while the test lasts."""

    pieces: Sequence[str] = ()


@dataclass(frozen=True)
class BreaksOff:
    """Streams the pieces, then cuts the connection, or (`politely`) ends without a word about why."""

    pieces: Sequence[str] = ("Which",)
    politely: bool = False


@dataclass(frozen=True)
class HangsUp:
    """Takes the request and cuts the connection before a word."""


Behaviour = Says | Fails | Stalls | BreaksOff | HangsUp


@dataclass
class Loopback:
    """The provider: what it shall do next, and what was asked of it."""

    url: str = ""
    next: list[Behaviour] = field(default_factory=list)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    headers: list[Mapping[str, str]] = field(default_factory=list)
    peers: list[tuple[str, int]] = field(default_factory=list)
    """From where it was asked."""
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    over: asyncio.Event = field(default_factory=asyncio.Event)
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a client has left before the end."""

    def endpoint(self, wire: Wire, *, key: str = "a-key", priced: bool = True) -> Endpoint:
        provider = {"chat completions": "openai", "anthropic messages": "anthropic", "gemini": "google"}[wire]
        base_url = self.url + ("/v1" if wire == "chat completions" else "")
        return Endpoint(provider, wire, base_url, key, f"{provider.upper()}_API_KEY", priced=priced)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.bodies.append(await request.json())
        self.headers.append(request.headers)
        self.peers.append(request.transport.get_extra_info("peername")[:2] if request.transport else ("", 0))
        self.asked.set()
        behaviour = self.next.pop(0) if self.next else Says()
        if isinstance(behaviour, Fails):
            return _error(request, behaviour)
        if isinstance(behaviour, HangsUp):
            assert request.transport is not None
            request.transport.abort()
            return web.Response()
        if isinstance(behaviour, Says) and not _streams(request, self.bodies[-1]):
            if behaviour.after is not None:
                await behaviour.after.wait()
            return web.json_response(_whole(request, behaviour))
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        finish = behaviour.finish if isinstance(behaviour, Says) else None
        if isinstance(behaviour, Says) and behaviour.after is not None:
            await behaviour.after.wait()
        try:
            for event in _events(request, behaviour.pieces, finish):
                await response.write(event)
            if isinstance(behaviour, Stalls):
                await self.over.wait()
        except ConnectionError:
            self.gone.set()
        except asyncio.CancelledError:
            self.gone.set()
            raise
        if isinstance(behaviour, BreaksOff) and not behaviour.politely:
            assert request.transport is not None
            request.transport.abort()
        return response


@asynccontextmanager
async def loopback() -> AsyncIterator[Loopback]:
    provider = Loopback()
    app = web.Application()
    app.router.add_post("/{path:.*}", provider.answer)
    runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    provider.url = f"http://{host}:{port}"
    try:
        yield provider
    finally:
        provider.over.set()
        await runner.cleanup()


def _wire(request: web.Request) -> Wire:
    if request.path.endswith("/chat/completions"):
        return "chat completions"
    return "anthropic messages" if request.path.endswith("/messages") else "gemini"


def _error(request: web.Request, behaviour: Fails) -> web.Response:
    body: dict[Wire, dict[str, Any]] = {
        "chat completions": {"error": {"message": behaviour.message, "type": "error", "code": None}},
        "anthropic messages": {"type": "error", "error": {"type": "api_error", "message": behaviour.message}},
        "gemini": {"error": {"code": behaviour.status, "message": behaviour.message, "status": "UNKNOWN"}},
    }
    return web.json_response(body[_wire(request)], status=behaviour.status, headers=behaviour.headers)


def _streams(request: web.Request, body: Mapping[str, Any]) -> bool:
    return bool(body.get("stream")) or "streamGenerateContent" in request.path


def _whole(request: web.Request, says: Says) -> dict[str, Any]:
    """The reply in one piece."""
    render = {"chat completions": _whole_completion, "anthropic messages": _whole_message, "gemini": _whole_candidate}
    return render[_wire(request)]("".join(says.pieces), says)


def _whole_completion(text: str, says: Says) -> dict[str, Any]:
    tokens = [
        {
            "token": token,
            "logprob": logprob,
            "bytes": None,
            "top_logprobs": [{"token": t, "logprob": p, "bytes": None} for t, p in others.items()],
        }
        for token, logprob, others in says.chances
    ]
    refused = says.finish == "refusal"
    choice = {
        "index": 0,
        "message": {
            "role": "assistant",
            "content": None if refused else text,
            "refusal": "I cannot help." if refused else None,
        },
        "finish_reason": _COMPLETION_ENDS[says.finish],
        "logprobs": {"content": tokens, "refusal": None} if tokens else None,
    }
    head = {"id": "c1", "object": "chat.completion", "created": 1, "model": "served-model"}
    return {**head, "choices": [choice], "usage": _COMPLETION_USAGE}


def _whole_message(text: str, says: Says) -> dict[str, Any]:
    return {
        "id": "m1",
        "type": "message",
        "role": "assistant",
        "model": "served-model",
        "content": [{"type": "text", "text": text}],
        "stop_reason": _MESSAGE_ENDS[says.finish],
        "stop_sequence": None,
        "usage": {**_MESSAGE_USAGE, "output_tokens": OUTPUT_TOKENS},
    }


def _whole_candidate(text: str, says: Says) -> dict[str, Any]:
    candidate: dict[str, Any] = {
        "index": 0,
        "content": {"role": "model", "parts": [{"text": text}]},
        "finishReason": _CANDIDATE_ENDS[says.finish],
    }
    if says.chances:
        candidate["avgLogprobs"] = -0.1
        candidate["logprobsResult"] = {
            "chosenCandidates": [{"token": token, "logProbability": p} for token, p, _ in says.chances],
            "topCandidates": [
                {"candidates": [{"token": t, "logProbability": p} for t, p in others.items()]}
                for _, _, others in says.chances
            ],
        }
    head = {"modelVersion": "served-model", "responseId": "r1"}
    return {"candidates": [candidate], "usageMetadata": _CANDIDATE_USAGE, **head}


_COMPLETION_ENDS = {"stop": "stop", "length": "length", "refusal": "stop", "fault": "out_of_order"}
_COMPLETION_USAGE = {
    "prompt_tokens": INPUT_TOKENS,
    "completion_tokens": OUTPUT_TOKENS,
    "total_tokens": INPUT_TOKENS + OUTPUT_TOKENS,
    "prompt_tokens_details": {"cached_tokens": CACHED_TOKENS},
}
_MESSAGE_ENDS = {"stop": "end_turn", "length": "max_tokens", "refusal": "refusal", "fault": "pause_turn"}
_MESSAGE_USAGE = {
    "input_tokens": INPUT_TOKENS - CACHED_TOKENS,
    "cache_read_input_tokens": CACHED_TOKENS,
    "cache_creation_input_tokens": 0,
    "output_tokens": 1,
}
_CANDIDATE_ENDS = {"stop": "STOP", "length": "MAX_TOKENS", "refusal": "SAFETY", "fault": "LANGUAGE"}
_CANDIDATE_USAGE = {
    "promptTokenCount": INPUT_TOKENS,
    "cachedContentTokenCount": CACHED_TOKENS,
    "candidatesTokenCount": OUTPUT_TOKENS,
    "totalTokenCount": INPUT_TOKENS + OUTPUT_TOKENS,
}


def _events(request: web.Request, pieces: Sequence[str], finish: Finish | None) -> list[bytes]:
    render = {"chat completions": _chat_completions, "anthropic messages": _anthropic, "gemini": _gemini}
    return render[_wire(request)](pieces, finish)


def _sse(data: Mapping[str, Any], name: str = "") -> bytes:
    return (f"event: {name}\n" if name else "").encode() + f"data: {json.dumps(data)}\n\n".encode()


def _chat_completions(pieces: Sequence[str], finish: Finish | None) -> list[bytes]:
    def chunk(choices: list[dict[str, Any]], **more: Any) -> bytes:
        head = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "served-model"}
        return _sse({**head, "choices": choices, **more})

    events = [chunk([{"index": 0, "delta": {"role": "assistant", "content": ""}, "finish_reason": None}])]
    events += [chunk([{"index": 0, "delta": {"content": piece}, "finish_reason": None}]) for piece in pieces]
    if finish is None:
        return events
    if finish == "refusal":
        events.append(chunk([{"index": 0, "delta": {"refusal": "I cannot help."}, "finish_reason": None}]))
    events.append(chunk([{"index": 0, "delta": {}, "finish_reason": _COMPLETION_ENDS[finish]}]))
    events.append(chunk([], usage=_COMPLETION_USAGE))
    return [*events, b"data: [DONE]\n\n"]


def _anthropic(pieces: Sequence[str], finish: Finish | None) -> list[bytes]:
    message = {
        "id": "m1",
        "type": "message",
        "role": "assistant",
        "model": "served-model",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": _MESSAGE_USAGE,
    }
    block = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
    events = [
        _sse({"type": "message_start", "message": message}, "message_start"),
        _sse(block, "content_block_start"),
    ]
    for piece in pieces:
        delta = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}}
        events.append(_sse(delta, "content_block_delta"))
    if finish is None:
        return events
    end = {
        "type": "message_delta",
        "delta": {"stop_reason": _MESSAGE_ENDS[finish], "stop_sequence": None},
        "usage": {"output_tokens": OUTPUT_TOKENS},
    }
    events.append(_sse({"type": "content_block_stop", "index": 0}, "content_block_stop"))
    events.append(_sse(end, "message_delta"))
    return [*events, _sse({"type": "message_stop"}, "message_stop")]


def _gemini(pieces: Sequence[str], finish: Finish | None) -> list[bytes]:
    def chunk(candidate: dict[str, Any], **more: Any) -> bytes:
        return _sse({"candidates": [candidate], "modelVersion": "served-model", "responseId": "r1", **more})

    events = [chunk({"index": 0, "content": {"role": "model", "parts": [{"text": piece}]}}) for piece in pieces]
    if finish is None:
        return events
    last = {"index": 0, "content": {"role": "model", "parts": [{"text": ""}]}, "finishReason": _CANDIDATE_ENDS[finish]}
    return [*events, chunk(last, usageMetadata=_CANDIDATE_USAGE)]
