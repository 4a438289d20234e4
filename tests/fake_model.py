"""Models that say what a test wrote down, and obey the port."""

import json
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field

from crito.model.errors import ModelUnavailable
from crito.services.ports.models import CallContext, ChatModel, ChatRequest, Completion, Reply


@dataclass
class FakeModel:
    """Gives its replies in order, word by word, and the last one ever after; an exception is raised instead.

    What was said for a context is said again for the same context.
    """

    replies: list[str | ModelUnavailable]
    name: str = "fake:model"
    local: bool = False
    requests: list[tuple[ChatRequest, CallContext]] = field(default_factory=list)
    said: dict[CallContext, str | ModelUnavailable] = field(default_factory=dict)

    async def stream(self, request: ChatRequest, context: CallContext) -> AsyncGenerator[str | Completion, None]:
        for index, word in enumerate(self._reply(request, context).split(" ")):
            yield f" {word}" if index else word
        yield Completion("stop", "fake")

    async def complete(self, request: ChatRequest, context: CallContext) -> Reply:
        text = self._reply(request, context)
        return Reply(text, Completion("stop", "fake"), json.loads(text) if request.schema else None)

    def _reply(self, request: ChatRequest, context: CallContext) -> str:
        if context not in self.said:
            self.said[context] = self.replies[min(len(self.requests), len(self.replies) - 1)]
            self.requests.append((request, context))
        reply = self.said[context]
        if isinstance(reply, ModelUnavailable):
            raise reply
        return reply


ENDINGS = {"cut": "length", "refused": "refusal"}
"""How replies end that are these words."""


@dataclass
class FakeModels:
    """Models that answer by a function of who is asked what; every request is remembered. The word `dead` is no answer."""

    answer: Callable[[str, ChatRequest, CallContext], str]
    asked: list[tuple[str, ChatRequest, CallContext]] = field(default_factory=list)

    def __call__(self, name: str) -> ChatModel:
        return _OneOfMany(name, self)


@dataclass
class _OneOfMany:
    name: str
    models: FakeModels
    local: bool = True

    async def stream(self, request: ChatRequest, context: CallContext) -> AsyncGenerator[str | Completion, None]:
        yield (await self.complete(request, context)).text

    async def complete(self, request: ChatRequest, context: CallContext) -> Reply:
        self.models.asked.append((self.name, request, context))
        text = self.models.answer(self.name, request, context)
        if text == "dead":
            raise ModelUnavailable(f"{self.name} is away")
        return Reply(text, Completion(ENDINGS.get(text, "stop"), self.name, cost_usd=0.25))
