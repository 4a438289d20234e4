"""What a model can do, found out with a few cheap calls that belong to no study and are not recorded."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from crito.llm.providers import HostedModel
from crito.model.errors import ModelUnavailable
from crito.services.ports.models import ChatMessage, ChatRequest, Reply

WORD = "heard"
ASKED = ChatRequest(
    system="You answer in JSON only.",
    messages=(ChatMessage("user", f'Answer {{"word": "{WORD}"}} and nothing else.'),),
    max_tokens=40,
    timeout_s=120,
    schema={
        "type": "object",
        "properties": {"word": {"type": "string", "enum": [WORD]}},
        "required": ["word"],
        "additionalProperties": False,
    },
    top_logprobs=2,
)
WAYS: Sequence[ChatRequest] = (
    ASKED,
    replace(ASKED, top_logprobs=0),
    replace(ASKED, schema=None),
    replace(ASKED, schema=None, top_logprobs=0),
)
"""From what a model is asked for at best to the words alone: some refuse a request for what they cannot give."""


@dataclass(frozen=True, slots=True)
class Examined:
    """What a few calls showed; `problem` is empty when the model answered, and the rest counts only then.

    `structured`: its answers are held to a schema. `temperature`: it takes one, so answers can be sampled.
    `cache`: tokens of a prompt that it read before were counted as such; a hosted model does so for long prompts only.
    """

    model: str
    problem: str = ""
    served_model: str = ""
    structured: bool = False
    log_probabilities: bool = False
    temperature: bool = False
    cache: bool = False
    cost_usd: float | None = None
    latency_ms: int | None = None


async def examine(model: HostedModel) -> Examined:
    """Ask for as much as the model gives, and once more to see whether its prompt is cached."""
    for way in WAYS:
        try:
            first, body = await _asked(model, way)
        except ModelUnavailable as unavailable:
            problem = unavailable
            if unavailable.trouble != "other":
                break
            continue
        return await _seen(model, way, first, body)
    return Examined(model.name, problem=str(problem))


async def _seen(model: HostedModel, way: ChatRequest, first: Reply, body: str) -> Examined:
    try:
        again, _ = await _asked(model, way)
    except ModelUnavailable:
        again = first
    costs = (first.completion.cost_usd, again.completion.cost_usd)
    return Examined(
        model=model.name,
        served_model=first.completion.served_model,
        structured="additionalProperties" in body,
        log_probabilities=first.tokens is not None,
        temperature='"temperature"' in body,
        cache=bool(again.completion.cached_tokens),
        cost_usd=None if None in costs else sum(cost or 0.0 for cost in costs),
        latency_ms=first.completion.latency_ms,
    )


async def _asked(model: HostedModel, way: ChatRequest) -> tuple[Reply, str]:
    sent: list[str] = []

    async def note(body: str) -> None:
        sent.append(body)

    return await model.complete(way, note), sent[0]
