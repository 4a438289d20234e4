"""Hosted models, and whatever speaks OpenAI's chat completions, behind one shape: a request in, pieces of text out."""

import errno
import json
import socket
import time
import traceback
import warnings
from collections.abc import AsyncGenerator, AsyncIterable, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn, cast
from urllib.parse import urlsplit, urlunsplit

from crito.llm.prices import Prices, Tokens
from crito.model.errors import InvalidInput, ModelUnavailable, Trouble
from crito.services.ports.models import Alternative, ChatRequest, Completion, Reply, Token

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse
    from pydantic_ai.settings import ModelSettings

    from crito.llm.measured import Measured

BeforeSending = Callable[[str], Awaitable[None]]
"""Is given the body of a request just before it leaves; the request leaves only if it returns."""

Wire = Literal["chat completions", "anthropic messages", "gemini"]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a provider is reached, and with which key.

    `priced` is false where the address is not the provider's own, so that a list price would be a guess.
    `key_from` names the environment variable that a wrong key should be looked for in.
    `served_model` is recorded as what spoke, where that is known better than the endpoint says it.
    """

    provider: str
    wire: Wire
    base_url: str = field(repr=False)
    key: str = field(repr=False)
    key_from: str
    priced: bool = False
    local: bool = False
    served_model: str = ""

    @property
    def address(self) -> str:
        """The base URL as it may be shown: a name and password in it are left out."""
        parts = urlsplit(self.base_url)
        return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


class Hosted(NamedTuple):
    """A provider that the world knows: its own address, the variable that replaces it, the variables that hold a key."""

    wire: Wire
    url: str
    url_from: str
    keys_from: tuple[str, ...]


HOSTED: Mapping[str, Hosted] = {
    "openai": Hosted("chat completions", "https://api.openai.com/v1", "OPENAI_BASE_URL", ("OPENAI_API_KEY",)),
    "anthropic": Hosted(
        "anthropic messages", "https://api.anthropic.com", "ANTHROPIC_BASE_URL", ("ANTHROPIC_API_KEY",)
    ),
    "google": Hosted(
        "gemini",
        "https://generativelanguage.googleapis.com",
        "GOOGLE_GEMINI_BASE_URL",
        ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    ),
}

NO_KEY = "no-key-is-set"
"""Stands where a server wants no key: client libraries insist on one."""

ENDPOINT_PREFIX = "CRITO_ENDPOINT_"
"""`CRITO_ENDPOINT_LAB=http://host/v1` makes the provider `lab`; `CRITO_ENDPOINT_LAB_KEY` is its key, if it wants one."""


def endpoints(environment: Mapping[str, str]) -> dict[str, str]:
    """Provider name to address, for every OpenAI-compatible endpoint named in the environment."""
    return {
        name.removeprefix(ENDPOINT_PREFIX).lower().replace("_", "-"): address
        for name, address in environment.items()
        if name.startswith(ENDPOINT_PREFIX) and not name.endswith("_KEY")
    }


def endpoint(provider: str, environment: Mapping[str, str]) -> Endpoint:
    """Where `provider` is reached.

    Raises:
        InvalidInput: the provider is unknown, or its key is missing.
    """
    if provider in HOSTED:
        hosted = HOSTED[provider]
        base_url = environment.get(hosted.url_from) or hosted.url
        key_from = next((name for name in hosted.keys_from if environment.get(name)), hosted.keys_from[0])
        key = environment.get(key_from, "")
        if not key and base_url == hosted.url:
            raise InvalidInput(
                f"there is no key for {provider}", wanted=f"set {key_from} in the environment or in .env"
            )
        return Endpoint(provider, hosted.wire, base_url, key or NO_KEY, key_from, priced=base_url == hosted.url)
    named = endpoints(environment)
    if provider in named:
        key_from = f"{ENDPOINT_PREFIX}{provider.upper().replace('-', '_')}_KEY"
        return Endpoint(provider, "chat completions", named[provider], environment.get(key_from) or NO_KEY, key_from)
    known = ", ".join(f"{name}:NAME" for name in (*HOSTED, *named))
    raise InvalidInput(
        "there is no such provider of models",
        came=provider,
        wanted=f"use one of {known}, local:PATH.gguf, or set {ENDPOINT_PREFIX}NAME to an address that speaks OpenAI's API",
    )


class _Gate:
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


_gate: ContextVar[_Gate] = ContextVar("gate")
"""The gate of the request that the present task is sending: client libraries offer no way to hand it through."""


async def _announce(request: "httpx2.Request") -> None:
    """Tell whoever makes a request what its body is; clients of this module send nothing unannounced."""
    await _gate.get().open((await request.aread()).decode())


async def _note_response(response: "httpx2.Response") -> None:
    from crito.llm.measured import Measured

    gate = _gate.get()
    gate.response = response
    assert isinstance(response.stream, AsyncIterable)
    response.stream = gate.reply = Measured(response.stream)


class Connection:
    """The one client of the process for one endpoint; client libraries are imported when the first one is made."""

    def __init__(self, endpoint: Endpoint, prices: Prices | None = None) -> None:
        # What a model does not take is seen in the body that is recorded, and refused where it matters.
        warnings.filterwarnings("ignore", "Sampling parameters", UserWarning)
        self.endpoint = endpoint
        self._prices = prices or Prices()
        self._http, self._model = _CONNECT[endpoint.wire](endpoint)

    def model(self, name: str) -> "HostedModel":
        return HostedModel(self.endpoint, name, self._model(name), self._prices)

    async def close(self) -> None:
        await self._http.aclose()


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


_CONNECT: Mapping[Wire, Callable[[Endpoint], Connected]] = {
    "chat completions": _connect_chat_completions,
    "anthropic messages": _connect_anthropic_messages,
    "gemini": _connect_gemini,
}


class HostedModel:
    """One model at one endpoint, asked directly: nothing is recorded and nothing is sent twice."""

    def __init__(self, endpoint: Endpoint, model_name: str, model: "Model", prices: Prices) -> None:
        self.provider = endpoint.provider
        self.model_name = model_name
        self.local = endpoint.local
        self._endpoint = endpoint
        self._model = model
        self._prices = prices

    @property
    def name(self) -> str:
        return f"{self.provider}:{self.model_name}"

    async def stream(
        self, request: ChatRequest, before_sending: BeforeSending
    ) -> AsyncGenerator[str | Completion, None]:
        """Pieces of the reply as they come, and a `Completion` last; `before_sending` is given the body first.

        Raises:
            ModelUnavailable: no answer, or not within the request's time.
        """
        from pydantic_ai.direct import model_request_stream

        gate = _Gate(before_sending)
        began = time.monotonic()
        try:
            async with AsyncExitStack() as stack:
                opening = model_request_stream(
                    self._model, _messages(request), model_settings=_settings(request, self._endpoint.wire)
                )
                token = _gate.set(gate)
                try:
                    reply = await stack.enter_async_context(opening)
                finally:
                    _gate.reset(token)
                stack.push_async_callback(gate.hang_up)
                async for event in reply:
                    if text := _text(event):
                        yield text
                if reply.finish_reason is None or reply.finish_reason == "error":
                    given = (reply.provider_details or {}).get("finish_reason", "none")
                    raise ModelUnavailable(f"{self.name} stopped in the middle; the reason it gave: {given}")
                latency_ms = round(1000 * (time.monotonic() - began))
                yield self._completion(reply, reply.finish_reason, latency_ms)
        except ModelUnavailable:
            raise
        except Exception as error:  # whatever a client library raises, a person waits for the fixed question
            self._fail(error, gate, request)

    async def complete(self, request: ChatRequest, before_sending: BeforeSending) -> Reply:
        """The whole reply at once; `before_sending` is given the body first.

        Raises:
            ModelUnavailable: no answer, or not within the request's time.
            InvalidInput: the model does not take what the request asks for; nothing was sent.
        """
        from pydantic_ai.direct import model_request

        settings = _settings(request, self._endpoint.wire)
        gate = _Gate(partial(self._announce_whole, request, before_sending))
        began = time.monotonic()
        token = _gate.set(gate)
        try:
            reply = await model_request(
                self._model,
                _messages(request),
                model_settings=settings,
                model_request_parameters=self._parameters(request),
            )
        except Exception as error:  # whatever a client library raises, the run goes on without this answer
            self._fail(error, gate, request)
        finally:
            _gate.reset(token)
        if reply.finish_reason is None or reply.finish_reason == "error":
            given = (reply.provider_details or {}).get("finish_reason", "none")
            raise ModelUnavailable(f"{self.name} stopped in the middle; the reason it gave: {given}")
        end = self._completion(reply, reply.finish_reason, round(1000 * (time.monotonic() - began)))
        return Reply(reply.text or "", end, tokens=_tokens(reply) if request.top_logprobs else None)

    async def _announce_whole(self, request: ChatRequest, before_sending: BeforeSending, body: str) -> None:
        # Libraries leave out what a model does not take; answers drawn without a temperature would be no samples.
        if request.temperature and not _mentions_temperature(body):
            raise InvalidInput(
                f"{self.name} takes no temperature, so answers cannot be sampled from it",
                came=request.temperature,
                wanted="take a method with temperature 0, or another model",
            )
        if request.reasoning != "off" and not _mentions_thinking(body):
            raise InvalidInput(
                f"{self.name} takes no word about how much to think",
                came=request.reasoning,
                wanted="leave `reasoning` off, or take another model",
            )
        await before_sending(body)

    def _fail(self, error: Exception, gate: _Gate, request: ChatRequest) -> NoReturn:
        if gate.error is not None:
            raise gate.error from None
        if gate.reply is not None and gate.reply.error is not None:
            raise ModelUnavailable(
                f"{self.name} gave a reply of more than 8 MB, which was not read to its end"
            ) from None
        reason = self._reason(error, request)
        # some providers repeat the key they were given, and what is chained here ends up in logs
        repeats_key = self._endpoint.key in "".join(traceback.format_exception(error))
        raise ModelUnavailable(reason, _trouble(error), _retry_after_s(error)) from (None if repeats_key else error)

    def _parameters(self, request: ChatRequest) -> "ModelRequestParameters":
        from pydantic_ai.models import ModelRequestParameters
        from pydantic_ai.output import OutputObjectDefinition

        if request.schema is None or not self._model.profile.get("supports_json_schema_output"):
            return ModelRequestParameters()
        answer = OutputObjectDefinition(json_schema=dict(request.schema), name="answer", strict=True)
        return ModelRequestParameters(output_mode="native", output_object=answer)

    def _completion(self, reply: "ModelResponse | StreamedResponse", finish_reason: str, latency_ms: int) -> Completion:
        usage, served = reply.usage, self._endpoint.served_model or reply.model_name or ""
        counted = usage.input_tokens + usage.output_tokens > 0
        tokens = Tokens(usage.input_tokens, usage.cache_read_tokens, usage.output_tokens)
        return Completion(
            finish_reason=finish_reason,
            served_model=served,
            input_tokens=usage.input_tokens if counted else None,
            cached_tokens=usage.cache_read_tokens if counted else None,
            output_tokens=usage.output_tokens if counted else None,
            cost_usd=self._cost_usd(tokens, served) if counted else None,
            latency_ms=latency_ms,
        )

    def most_usd(self, request: ChatRequest) -> float | None:
        """What a request may cost at most; None where no price is known."""
        answer = request.max_tokens + thinking_tokens(request)
        return self._cost_usd(Tokens(most_input_tokens(request), 0, answer), self.model_name)

    def _cost_usd(self, tokens: Tokens, served_model: str) -> float | None:
        if self.local:
            return 0.0
        models = (self.model_name,) if served_model == self.model_name else (served_model, self.model_name)
        return self._prices.cost_usd(self.provider, models, tokens, listed=self._endpoint.priced)

    def _reason(self, error: Exception, request: ChatRequest) -> str:
        """What went wrong, in one line that holds no key."""
        from pydantic_ai import exceptions

        at, status = self._endpoint, getattr(error, "status_code", None)
        http = f" (HTTP {status})" if status else ""
        match error:
            case exceptions.ModelRequestTimeout():
                said = f"did not finish within {request.timeout_s:g} s"
            case exceptions.ModelAuthenticationError():
                said = f"did not accept the key in {at.key_from}{http}"
            case exceptions.ModelNotFoundError():
                said = f"is not known at {at.address}{http}"
            case exceptions.ModelContextWindowExceededError():
                said = f"was given more text than its window holds{http}"
            case exceptions.ModelQuotaExceededError():
                said = f"is out of credit{http}"
            case exceptions.ModelRateLimitError():
                wait = f", in {error.retry_after:g} s" if error.retry_after else ""
                said = f"is asked too often; the provider wants to be asked later{wait}{http}"
            case exceptions.ModelUnavailableError() | exceptions.ModelServerError():
                said = f"failed on the provider's side{http}"
            case exceptions.ModelConnectionError() if _never_connected(error):
                said = f"cannot be reached at {at.address}"
            case exceptions.ModelConnectionError():
                said = f"stopped in the middle: the connection to {at.address} broke"
            case exceptions.ModelAPIError() if not http:
                said = f"stopped in the middle: {error}"
            case _:
                said = f"refused or garbled the exchange{http}: {_one_line(error)}"
        return f"{self.name} {said}".replace(at.key, "***")


def _trouble(error: Exception) -> Trouble:
    from pydantic_ai import exceptions

    match error:
        case (
            exceptions.ModelAuthenticationError()
            | exceptions.ModelNotFoundError()
            | exceptions.ModelQuotaExceededError()
        ):
            return "denied"
        case exceptions.ModelConnectionError() if _never_connected(error):
            return "unreached"
        case exceptions.ModelConnectionError() | exceptions.ModelRequestTimeout():
            return "uncertain"
        case exceptions.ModelHTTPError(status_code=status) if status == 429 or status >= 500:
            return "busy"
    return "other"


def _never_connected(error: BaseException | None) -> bool:
    """Whether there was no connection to send anything over.

    Libraries call it the same when a server takes the request and hangs up before its headers, so their word for it
    does not count; only what the operating system said does.
    """
    while error is not None:
        if isinstance(error, ConnectionRefusedError | socket.gaierror):
            return True
        if isinstance(error, OSError) and error.errno in (errno.ENETUNREACH, errno.EHOSTUNREACH):
            return True
        error = error.__cause__ or error.__context__
    return False


def _retry_after_s(error: Exception) -> float | None:
    given = getattr(error, "retry_after", None)
    return max(0.0, float(given)) if given is not None else None


def _one_line(error: Exception, longest: int = 300) -> str:
    line = " ".join(f"{type(error).__name__}: {error}".split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def _messages(request: ChatRequest) -> "list[ModelMessage]":
    from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, UserPromptPart

    *before, last = [
        ModelRequest([UserPromptPart(message.text)])
        if message.role == "user"
        else ModelResponse([TextPart(message.text)])
        for message in request.messages
    ]
    assert isinstance(last, ModelRequest), "the last message of a request is the user's"
    last.instructions = request.system
    return [*before, last]


THINKING_TOKENS: Mapping[str, int] = {"off": 0, "low": 4_096, "medium": 16_384, "high": 32_768}
"""What thinking may add to the tokens of an answer; providers count both against one limit."""


def thinking_tokens(request: ChatRequest) -> int:
    """How many tokens a model may think before it answers."""
    return request.reasoning if isinstance(request.reasoning, int) else THINKING_TOKENS[request.reasoning]


def most_input_tokens(request: ChatRequest) -> int:
    """More tokens than the texts of a request have in practice: one for two bytes, and some for their frame."""
    texts = (request.system, *(message.text for message in request.messages))
    return 50 + sum(len(text.encode("utf-8", "replace")) + 20 for text in texts) // 2


def _settings(request: ChatRequest, wire: Wire) -> "ModelSettings":
    """Settings common to all providers; one that a model does not take is left out of the body, which is recorded.

    Thinking that is off is as little as the model can: it would eat `max_tokens` while a person waits.
    """
    reasoning, budget = request.reasoning, thinking_tokens(request)
    settings: dict[str, Any] = {
        "max_tokens": request.max_tokens + budget,
        "request_timeout": request.timeout_s,
        "cache": {"messages": False},
    }
    if isinstance(reasoning, int):
        settings |= _thinking_budget(reasoning, wire)
    else:
        settings["thinking"] = False if reasoning == "off" else reasoning
        if reasoning != "off" and wire == "chat completions":
            # The library knows the models of one provider; others speak the same words, and theirs are not listed.
            settings["openai_reasoning_effort"] = reasoning
    # No provider takes a temperature from a model that thinks; one that samples is left in, so that it is noticed when it is dropped.
    if request.temperature is not None and (request.temperature or not budget):
        settings["temperature"] = request.temperature
    if request.stop:
        settings["stop_sequences"] = list(request.stop)
    if request.top_logprobs:
        settings |= _log_probabilities(request.top_logprobs, wire)
    return cast("ModelSettings", settings)


def _thinking_budget(tokens: int, wire: Wire) -> dict[str, Any]:
    match wire:
        case "anthropic messages":
            return {"anthropic_thinking": {"type": "enabled", "budget_tokens": tokens}}
        case "gemini":
            return {"google_thinking_config": {"thinking_budget": tokens}}
        case "chat completions":
            raise InvalidInput(
                "chat completions take no budget for thinking", came=tokens, wanted="say low, medium, high or off"
            )


def _log_probabilities(alternatives: int, wire: Wire) -> dict[str, Any]:
    """The settings that ask for log-probabilities; none where the provider has none to give."""
    match wire:
        case "chat completions":
            return {"openai_logprobs": True, "openai_top_logprobs": alternatives}
        case "gemini":
            return {"google_logprobs": True, "google_top_logprobs": alternatives}
        case "anthropic messages":
            return {}


FIRST_TOKENS = 64
"""Of how many tokens log-probabilities are kept: a label stands near the beginning of an answer."""


def _tokens(reply: "ModelResponse") -> tuple[Token, ...] | None:
    """The first tokens with their log-probabilities, from either of the two shapes that providers use."""
    given = (reply.provider_details or {}).get("logprobs")
    if not given:
        return None
    if isinstance(given, list):
        return tuple(
            Token(
                token["token"],
                token["logprob"],
                tuple(Alternative(other["token"], other["logprob"]) for other in token["top_logprobs"]),
            )
            for token in given[:FIRST_TOKENS]
        )
    chosen, places = given.get("chosen_candidates") or [], given.get("top_candidates") or []
    return tuple(
        Token(
            token["token"],
            token["log_probability"],
            tuple(Alternative(other["token"], other["log_probability"]) for other in place["candidates"]),
        )
        for token, place in zip(chosen[:FIRST_TOKENS], places, strict=False)
    )


def _mentions_temperature(body: str) -> bool:
    sent = json.loads(body)
    return "temperature" in sent or "temperature" in sent.get("generationConfig", {})


def _mentions_thinking(body: str) -> bool:
    sent = json.loads(body)
    settings = sent | sent.get("generationConfig", {})
    return any(name in settings for name in ("reasoning_effort", "thinking", "thinkingConfig", "thinking_config"))


def _text(event: Any) -> str:
    """The words that an event of a stream adds to the reply; what a model thinks is no part of it."""
    from pydantic_ai.messages import PartDeltaEvent, PartStartEvent, TextPart, TextPartDelta

    match event:
        case PartStartEvent(part=TextPart(content=text)) | PartDeltaEvent(delta=TextPartDelta(content_delta=text)):
            return text
    return ""
