"""Models that speak: what is asked of one, and how its reply comes."""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

from crito.model.ids import AnnotatorId, CallKey, RunId, StudyName


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a request to a model."""

    role: Literal["user", "assistant"]
    text: str


Reasoning = Literal["off", "low", "medium", "high"] | int
"""How much a model may think before it answers; a number is a budget of tokens. `off` is as little as it can."""


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What is sent to a model. The stable part is in `system`, so that providers' prompt caches hit.

    `schema` is the JSON schema of the answer; a model that cannot be held to one gets the words of the request only.
    `top_logprobs` asks for that many alternatives to each token, with their log-probabilities.
    `max_tokens` limits the answer; what a model thinks before it comes on top.
    """

    system: str
    messages: tuple[ChatMessage, ...]
    temperature: float | None = 0.0
    max_tokens: int = 400
    stop: tuple[str, ...] = ()
    timeout_s: float = 60.0
    schema: Mapping[str, Any] | None = None
    top_logprobs: int = 0
    reasoning: Reasoning = "off"


@dataclass(frozen=True, slots=True)
class CallContext:
    """What a call belongs to: with the request it makes the call's key, so two asks never share one.

    `annotator` is the person whose words the call holds, so that a withdrawal blanks them; None where it holds nobody's.
    `slot` is the agent's place in its run, `sample` counts the answers drawn to one and the same prompt.
    `called` are the keys of the run's calls as the ledger had them when whoever asks, and nobody beside them, took the
    run up: a call that is not among them need not be looked for. None where nobody looked.
    """

    study: StudyName
    run: RunId
    step: int
    attempt: int
    annotator: AnnotatorId | None = None
    index: int = 0
    slot: str = ""
    sample: int = 0
    called: frozenset[CallKey] | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    """How a model's reply ended. Token counts are None where the provider does not say."""

    finish_reason: str
    served_model: str
    input_tokens: int | None = None
    cached_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    latency_ms: int = 0
    call: CallKey | None = None


class Alternative(NamedTuple):
    """A token that might have stood in a place, and the logarithm of its probability."""

    text: str
    logprob: float


@dataclass(frozen=True, slots=True)
class Token:
    """One token of a reply, and the likeliest ones in its place, itself mostly among them."""

    text: str
    logprob: float
    alternatives: tuple[Alternative, ...]


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole reply of a model.

    `parsed` is the text read as JSON where the request has a schema and the text is JSON; None otherwise.
    `tokens` are the first tokens of the text; None where log-probabilities were not asked for or are not to be had.
    """

    text: str
    completion: Completion
    parsed: Any = None
    tokens: tuple[Token, ...] | None = None


class ChatModel(Protocol):
    """One model behind one provider, through the call ledger."""

    @property
    def name(self) -> str:
        """As the study file names it: `provider:name` or `local:PATH`."""

    @property
    def local(self) -> bool:
        """Whether it runs on this machine and costs nothing."""

    def stream(self, request: ChatRequest, context: CallContext) -> AsyncGenerator[str | Completion, None]:
        """Pieces of the reply as they come, and a `Completion` last. Closing the iterator early stops the call.

        Raises:
            ModelUnavailable: no answer, or not within the request's time.
        """

    async def complete(self, request: ChatRequest, context: CallContext) -> Reply:
        """The whole reply at once.

        Raises:
            ModelUnavailable: no answer, or not within the request's time.
            InvalidInput: the model cannot be asked in this way, however often one tries; nothing was sent.
        """


class ChatModels(Protocol):
    """Gives the model that a study file names; builds each once."""

    def __call__(self, name: str) -> ChatModel: ...
