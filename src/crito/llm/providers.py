"""Hosted models, and whatever speaks OpenAI's chat completions, behind one shape: a request in, pieces of text out."""

import time
import traceback
import warnings
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack
from functools import partial
from typing import TYPE_CHECKING, NoReturn

from crito.llm.clients import CONNECT, GATE, BeforeSending, Gate
from crito.llm.endpoints import Endpoint
from crito.llm.prices import Prices, Tokens
from crito.llm.troubles import never_connected, one_line, retry_after_s_of, trouble_of
from crito.llm.wires import (
    mentions_temperature,
    mentions_thinking,
    messages_for,
    most_input_tokens,
    settings_for,
    text_of,
    thinking_tokens,
    tokens_of,
)
from crito.model.errors import InvalidInput, ModelUnavailable
from crito.services.ports.models import ChatRequest, Completion, Reply

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse
    from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse


class Connection:
    """The one client of the process for one endpoint; client libraries are imported when the first one is made."""

    def __init__(self, endpoint: Endpoint, prices: Prices | None = None) -> None:
        # What a model does not take is seen in the body that is recorded, and refused where it matters.
        warnings.filterwarnings("ignore", "Sampling parameters", UserWarning)
        self.endpoint = endpoint
        self._prices = prices or Prices()
        self._http, self._model = CONNECT[endpoint.wire](endpoint)

    def model(self, name: str) -> "HostedModel":
        return HostedModel(self.endpoint, name, self._model(name), self._prices)

    async def close(self) -> None:
        await self._http.aclose()


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

        gate = Gate(before_sending)
        began = time.monotonic()
        try:
            async with AsyncExitStack() as stack:
                opening = model_request_stream(
                    self._model, messages_for(request), model_settings=settings_for(request, self._endpoint.wire)
                )
                token = GATE.set(gate)
                try:
                    reply = await stack.enter_async_context(opening)
                finally:
                    GATE.reset(token)
                stack.push_async_callback(gate.hang_up)
                async for event in reply:
                    if text := text_of(event):
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

        settings = settings_for(request, self._endpoint.wire)
        gate = Gate(partial(self._announce_whole, request, before_sending))
        began = time.monotonic()
        token = GATE.set(gate)
        try:
            reply = await model_request(
                self._model,
                messages_for(request),
                model_settings=settings,
                model_request_parameters=self._parameters(request),
            )
        except Exception as error:  # whatever a client library raises, the run goes on without this answer
            self._fail(error, gate, request)
        finally:
            GATE.reset(token)
        if reply.finish_reason is None or reply.finish_reason == "error":
            given = (reply.provider_details or {}).get("finish_reason", "none")
            raise ModelUnavailable(f"{self.name} stopped in the middle; the reason it gave: {given}")
        end = self._completion(reply, reply.finish_reason, round(1000 * (time.monotonic() - began)))
        return Reply(reply.text or "", end, tokens=tokens_of(reply) if request.top_logprobs else None)

    async def _announce_whole(self, request: ChatRequest, before_sending: BeforeSending, body: str) -> None:
        # Libraries leave out what a model does not take; answers drawn without a temperature would be no samples.
        if request.temperature and not mentions_temperature(body):
            raise InvalidInput(
                f"{self.name} takes no temperature, so answers cannot be sampled from it",
                came=request.temperature,
                wanted="take a method with temperature 0, or another model",
            )
        if request.reasoning != "off" and not mentions_thinking(body):
            raise InvalidInput(
                f"{self.name} takes no word about how much to think",
                came=request.reasoning,
                wanted="leave `reasoning` off, or take another model",
            )
        await before_sending(body)

    def _fail(self, error: Exception, gate: Gate, request: ChatRequest) -> NoReturn:
        if gate.error is not None:
            raise gate.error from None
        if gate.reply is not None and gate.reply.error is not None:
            raise ModelUnavailable(
                f"{self.name} gave a reply of more than 8 MB, which was not read to its end"
            ) from None
        reason = self._reason(error, request)
        # some providers repeat the key they were given, and what is chained here ends up in logs
        repeats_key = self._endpoint.key in "".join(traceback.format_exception(error))
        raise ModelUnavailable(reason, trouble_of(error), retry_after_s_of(error)) from (None if repeats_key else error)

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
            case exceptions.ModelConnectionError() if never_connected(error):
                said = f"cannot be reached at {at.address}"
            case exceptions.ModelConnectionError():
                said = f"stopped in the middle: the connection to {at.address} broke"
            case exceptions.ModelAPIError() if not http:
                said = f"stopped in the middle: {error}"
            case _:
                said = f"refused or garbled the exchange{http}: {one_line(error)}"
        return f"{self.name} {said}".replace(at.key, "***")
