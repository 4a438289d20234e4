"""What a request becomes in each provider's form, and what is read from a reply."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from crito.llm.endpoints import Wire
from crito.model.errors import InvalidInput
from crito.services.ports.models import Alternative, ChatRequest, Token

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.settings import ModelSettings


def messages_for(request: ChatRequest) -> "list[ModelMessage]":
    """The messages of a request, as the library that speaks to all providers takes them."""
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


def settings_for(request: ChatRequest, wire: Wire) -> "ModelSettings":
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


def tokens_of(reply: "ModelResponse") -> tuple[Token, ...] | None:
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


def mentions_temperature(body: str) -> bool:
    """Whether the body of a request sets the temperature, wherever this provider wants it."""
    sent = json.loads(body)
    return "temperature" in sent or "temperature" in sent.get("generationConfig", {})


def mentions_thinking(body: str) -> bool:
    """Whether the body of a request says how much to think, wherever this provider wants it."""
    sent = json.loads(body)
    settings = sent | sent.get("generationConfig", {})
    return any(name in settings for name in ("reasoning_effort", "thinking", "thinkingConfig", "thinking_config"))


def text_of(event: Any) -> str:
    """The words that an event of a stream adds to the reply; what a model thinks is no part of it."""
    from pydantic_ai.messages import PartDeltaEvent, PartStartEvent, TextPart, TextPartDelta

    match event:
        case PartStartEvent(part=TextPart(content=text)) | PartDeltaEvent(delta=TextPartDelta(content_delta=text)):
            return text
    return ""
