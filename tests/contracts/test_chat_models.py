"""What everyone may rely on who talks to a model, whichever it is."""

from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import pytest

from crito.llm.models import Models
from crito.model.errors import ModelUnavailable
from crito.model.ids import AnnotatorId, RunId, StudyName
from crito.services.ports.models import CallContext, ChatMessage, ChatModel, ChatRequest, Completion
from tests.fake_model import FakeModel
from tests.llm.loopback import Fails, Loopback, loopback
from tests.llm.memory_store import MemoryStore

REQUEST = ChatRequest("Ask one question.", (ChatMessage("user", "I think it is sarcastic."),))
CONTEXT = CallContext(StudyName("s"), RunId("r"), step=1, attempt=0, annotator=AnnotatorId("ana"))


@dataclass
class Subject:
    """A model that says `Which words made you think so?`, or fails."""

    model: ChatModel
    name: str
    server: Loopback | None = None

    def fail_next(self) -> None:
        if self.server is not None:
            self.server.next.append(Fails(400))
        else:
            assert isinstance(self.model, FakeModel)
            self.model.replies.insert(0, ModelUnavailable("out of order"))


@asynccontextmanager
async def behind(server: Loopback, name: str) -> AsyncIterator[Subject]:
    environment = {
        "OPENAI_BASE_URL": f"{server.url}/v1",
        "ANTHROPIC_BASE_URL": server.url,
        "GOOGLE_GEMINI_BASE_URL": server.url,
        "CRITO_ENDPOINT_LAB": f"{server.url}/v1",
        "ANTHROPIC_API_KEY": "key",
        "GEMINI_API_KEY": "key",
    }
    models = Models(MemoryStore(), environment, lambda: datetime(2026, 3, 1, tzinfo=UTC))
    try:
        yield Subject(models(name), name, server)
    finally:
        await models.close()


@pytest.fixture(params=["fake:model", "openai:gpt-4o", "anthropic:claude-haiku", "google:gemini-flash", "lab:qwen/q3"])
async def subject(request: pytest.FixtureRequest) -> AsyncIterator[Subject]:
    if request.param == "fake:model":
        yield Subject(FakeModel(["Which words made you think so?"]), "fake:model")
        return
    async with loopback() as server, behind(server, request.param) as found:
        yield found


async def test_it_is_called_what_the_study_file_calls_it(subject):
    assert subject.model.name == subject.name


async def test_pieces_of_text_come_first_and_one_completion_last(subject):
    *pieces, end = [piece async for piece in subject.model.stream(REQUEST, CONTEXT)]

    assert all(isinstance(piece, str) for piece in pieces)
    assert "".join(pieces) == "Which words made you think so?"
    assert isinstance(end, Completion)
    assert end.finish_reason == "stop"


async def test_the_same_ask_gets_the_same_words_again(subject):
    first = [piece async for piece in subject.model.stream(REQUEST, CONTEXT)]
    again = [piece async for piece in subject.model.stream(REQUEST, CONTEXT)]

    assert "".join(first[:-1]) == "".join(again[:-1])
    assert first[-1] == again[-1]


async def test_it_can_be_interrupted(subject):
    async with aclosing(subject.model.stream(REQUEST, CONTEXT)) as reply:
        first = await anext(reply)

    assert isinstance(first, str)


async def test_no_answer_is_one_kind_of_error(subject):
    subject.fail_next()

    with pytest.raises(ModelUnavailable):
        [piece async for piece in subject.model.stream(REQUEST, CONTEXT)]


async def test_a_second_attempt_is_asked_anew(subject):
    subject.fail_next()
    with pytest.raises(ModelUnavailable):
        [piece async for piece in subject.model.stream(REQUEST, CONTEXT)]

    *pieces, _ = [piece async for piece in subject.model.stream(REQUEST, replace(CONTEXT, attempt=1))]

    assert "".join(pieces) == "Which words made you think so?"


async def test_a_whole_reply_comes_at_once(subject):
    reply = await subject.model.complete(REQUEST, CONTEXT)

    assert reply.text == "Which words made you think so?"
    assert reply.completion.finish_reason == "stop"
    assert (reply.parsed, reply.tokens) == (None, None)


async def test_the_same_ask_for_a_whole_reply_gets_the_same_again(subject):
    assert await subject.model.complete(REQUEST, CONTEXT) == await subject.model.complete(REQUEST, CONTEXT)


async def test_no_whole_reply_is_one_kind_of_error(subject):
    subject.fail_next()

    with pytest.raises(ModelUnavailable):
        await subject.model.complete(REQUEST, CONTEXT)
