import asyncio
from datetime import UTC, datetime

import pytest

from crito.llm.models import Models
from crito.model.errors import InvalidInput
from crito.model.ids import AnnotatorId, RunId, StudyName
from crito.services.ports.models import CallContext, ChatMessage, ChatRequest
from tests.llm.loopback import loopback
from tests.llm.memory_store import MemoryStore

REQUEST = ChatRequest("Ask one question.", (ChatMessage("user", "I think so."),))
CONTEXT = CallContext(StudyName("s"), RunId("r"), step=1, attempt=0, annotator=AnnotatorId("ana"))


def make_models(**environment: str) -> Models:
    return Models(MemoryStore(), environment, lambda: datetime(2026, 3, 1, tzinfo=UTC))


async def test_a_model_is_built_once():
    models = make_models(OPENAI_API_KEY="key")
    try:
        assert models("openai:gpt-4o") is models("openai:gpt-4o")
    finally:
        await models.close()


async def test_a_model_may_be_built_in_a_thread_before_anyone_waits_for_it():
    async with loopback() as server:
        models = make_models(OPENAI_BASE_URL=f"{server.url}/v1")
        try:
            model = await asyncio.to_thread(models, "openai:gpt-4o")
            *pieces, _ = [piece async for piece in model.stream(REQUEST, CONTEXT)]
        finally:
            await models.close()

    assert "".join(pieces) == "Which words made you think so?"


async def test_models_of_one_provider_share_its_client():
    models = make_models(OPENAI_API_KEY="key")
    try:
        models("openai:gpt-4o")
        models("openai:gpt-4o-mini")
        assert len(models._connections._open) == 1
    finally:
        await models.close()


@pytest.mark.parametrize("name", ["gpt-4o", "openai", "openai:", "", "local:"])
def test_a_name_without_a_model_says_how_to_write_one(name):
    with pytest.raises(InvalidInput, match="write PROVIDER:NAME"):
        make_models(OPENAI_API_KEY="key")(name)


def test_an_unknown_provider_lists_the_known_ones():
    with pytest.raises(InvalidInput, match=r"openai:NAME, anthropic:NAME, google:NAME"):
        make_models()("mistral:large")


def test_a_missing_key_is_said_before_anything_is_sent():
    with pytest.raises(InvalidInput, match="set GOOGLE_API_KEY"):
        make_models()("google:gemini-flash")
