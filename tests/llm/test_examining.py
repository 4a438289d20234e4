import json

import pytest

from crito.llm.examining import examine
from crito.llm.models import Connections
from tests.llm.loopback import Fails, Loopback, Says, loopback


def environment(server: Loopback) -> dict[str, str]:
    return {
        "OPENAI_BASE_URL": f"{server.url}/v1",
        "ANTHROPIC_BASE_URL": server.url,
        "GOOGLE_GEMINI_BASE_URL": server.url,
        "CRITO_ENDPOINT_LAB": f"{server.url}/v1",
    }


async def examined(name: str, *behaviours):
    async with loopback() as server:
        server.next = list(behaviours)
        connections = Connections(environment(server))
        try:
            return await examine(connections(name)), server.bodies
        finally:
            await connections.close()


CHANCES = [("heard", -0.1, {"heard": -0.1})]


@pytest.mark.parametrize(
    ("name", "structured", "log_probabilities", "temperature"),
    [
        ("openai:gpt-4o", True, True, True),
        ("openai:o3", True, True, False),
        ("anthropic:claude-haiku-4-5", True, False, True),
        ("anthropic:claude-3-haiku", False, False, True),
        ("google:gemini-2.5-flash", True, True, True),
        ("lab:qwen", True, True, True),
    ],
)
async def test_what_a_model_can_do_is_found_out(name, structured, log_probabilities, temperature):
    said = Says(['{"word": "heard"}'], chances=CHANCES)

    found, _ = await examined(name, said, said)

    assert found.problem == ""
    assert (found.structured, found.log_probabilities) == (structured, log_probabilities)
    assert found.temperature == temperature
    assert (found.served_model, found.cache) == ("served-model", True)


async def test_a_model_that_refuses_what_it_cannot_give_is_asked_for_less():
    found, bodies = await examined("openai:gpt-4o", Fails(400), Fails(400), Fails(400))

    assert (found.problem, found.structured, found.log_probabilities) == ("", False, False)
    assert "json_schema" not in json.dumps(bodies[-1])


async def test_a_wrong_key_is_said_in_one_line_and_tried_once():
    found, bodies = await examined("openai:gpt-4o", Fails(401))

    assert "did not accept the key in OPENAI_API_KEY" in found.problem
    assert len(bodies) == 1
