"""A model that says what a test wrote down, and obeys the port."""

import json
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

from crito.model.errors import ModelUnavailable
from crito.services.ports.models import CallContext, ChatRequest, Completion, Reply


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
