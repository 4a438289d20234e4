from datetime import UTC, datetime

import pytest

from crito.llm.models import Models
from crito.model.errors import InvalidInput
from tests.llm.memory_store import MemoryStore


def make_models(**environment: str) -> Models:
    return Models(MemoryStore(), environment, lambda: datetime(2026, 3, 1, tzinfo=UTC))


async def test_a_model_is_built_once():
    models = make_models(OPENAI_API_KEY="key")
    try:
        assert models("openai:gpt-4o") is models("openai:gpt-4o")
    finally:
        await models.close()


async def test_models_of_one_provider_share_its_client():
    models = make_models(OPENAI_API_KEY="key")
    try:
        models("openai:gpt-4o")
        models("openai:gpt-4o-mini")
        assert len(models._connections) == 1
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
