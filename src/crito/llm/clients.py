"""Clients of the providers' own libraries, which tell the body of a request just before it leaves."""

from collections.abc import AsyncIterable, Awaitable, Callable, Mapping
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from crito.llm.endpoints import Endpoint, Wire

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model

    from crito.llm.measured import Measured

BeforeSending = Callable[[str], Awaitable[None]]
"""Is given the body of a request just before it leaves; the request leaves only if it returns."""


class Gate:
    """Lets one request out, once whoever made it has been told its body, and hangs up at the end."""

    def __init__(self, before_sending: BeforeSending) -> None:
        self._before_sending = before_sending
        self._opened = False
        self.response: httpx2.Response | None = None
        self.reply: Measured | None = None
        self.error: Exception | None = None
        """Why the request was not let out: a client library would hide it among its own errors."""

    async def open(self, body: str) -> None:
        try:
            if self._opened:
                raise RuntimeError("a client library tried to send a request twice")
            self._opened = True
            await self._before_sending(body)
        except Exception as error:
            self.error = error
            raise

    async def hang_up(self) -> None:
        """Close the connection of a reply that was not read to its end; client libraries leave it to the garbage collector."""
        if self.response is not None:
            await self.response.aclose()


GATE: ContextVar[Gate] = ContextVar("gate")
"""The gate of the request that the present task is sending: client libraries offer no way to hand it through."""


async def _announce(request: "httpx2.Request") -> None:
    """Tell whoever makes a request what its body is; clients of this module send nothing unannounced."""
    await GATE.get().open((await request.aread()).decode())


async def _note_response(response: "httpx2.Response") -> None:
    from crito.llm.measured import Measured

    gate = GATE.get()
    gate.response = response
    assert isinstance(response.stream, AsyncIterable)
    response.stream = gate.reply = Measured(response.stream)


Connected = tuple["httpx2.AsyncClient", Callable[[str], "Model"]]


def _client_options() -> dict[str, Any]:
    """What every HTTP client of this module does; a redirect would take body and key to an address nobody named."""
    return {"event_hooks": {"request": [_announce], "response": [_note_response]}, "follow_redirects": False}


def _connect_chat_completions(endpoint: Endpoint) -> Connected:
    from openai import AsyncOpenAI, DefaultAioHttpClient  # client libraries cost seconds and 140 MB
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    http = DefaultAioHttpClient(**_client_options())
    client = AsyncOpenAI(base_url=endpoint.base_url, api_key=endpoint.key, http_client=http, max_retries=0)
    strict = OpenAIModelProfile(openai_chat_streaming_requires_finish_reason=True)
    if endpoint.provider == "openai":
        openai = OpenAIProvider(openai_client=client)
        return http, lambda name: OpenAIChatModel(name, provider=openai, profile=strict)
    # The older field name is the one that every server of this kind understands; the ones we name hold to a schema.
    older = OpenAIModelProfile(
        openai_chat_supports_max_completion_tokens=False, supports_json_schema_output=True, **strict
    )
    compatible = OpenAICompatibleProvider(endpoint.provider, openai_client=client, profile=older)
    return http, lambda name: OpenAIChatModel(name, provider=compatible)


def _connect_anthropic_messages(endpoint: Endpoint) -> Connected:
    from anthropic import AsyncAnthropic, DefaultAioHttpClient
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    http = DefaultAioHttpClient(**_client_options())
    client = AsyncAnthropic(base_url=endpoint.base_url, api_key=endpoint.key, http_client=http, max_retries=0)
    provider = AnthropicProvider(anthropic_client=client)
    return http, lambda name: AnthropicModel(name, provider=provider)


def _connect_gemini(endpoint: Endpoint) -> Connected:
    import httpx2
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    http = httpx2.AsyncClient(**_client_options(), timeout=httpx2.Timeout(600, connect=5))
    provider = GoogleProvider(base_url=endpoint.base_url, api_key=endpoint.key, http_client=http)
    return http, lambda name: GoogleModel(name, provider=provider)


CONNECT: Mapping[Wire, Callable[[Endpoint], Connected]] = {
    "chat completions": _connect_chat_completions,
    "anthropic messages": _connect_anthropic_messages,
    "gemini": _connect_gemini,
}
