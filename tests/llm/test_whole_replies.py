import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from crito.llm.endpoints import Wire
from crito.llm.prices import Price, Prices
from crito.llm.providers import Connection
from crito.model.errors import InvalidInput, ModelUnavailable
from crito.services.ports.models import Alternative, ChatMessage, ChatRequest, Reply, Token
from tests.llm.loopback import Fails, HangsUp, Loopback, Says, Stalls, loopback

SCHEMA = {
    "type": "object",
    "properties": {"label": {"enum": ["yes", "no"]}},
    "required": ["label"],
    "additionalProperties": False,
}
REQUEST = ChatRequest("You label.", (ChatMessage("user", "Rain."),), schema=SCHEMA, timeout_s=20)
STRUCTURED: dict[Wire, str] = {
    "chat completions": "gpt-4o",
    "anthropic messages": "claude-haiku-4-5",
    "gemini": "gemini-2.5-flash",
}
"""A model that can be held to a schema, for each wire."""


@pytest.fixture
async def provider() -> AsyncIterator[Loopback]:
    async with loopback() as server:
        yield server


@pytest.fixture(params=STRUCTURED)
def wire(request: pytest.FixtureRequest) -> Wire:
    return request.param


@asynccontextmanager
async def connected(provider: Loopback, wire: Wire) -> AsyncIterator[Connection]:
    connection = Connection(provider.endpoint(wire))
    try:
        yield connection
    finally:
        await connection.close()


async def reply_of(provider: Loopback, wire: Wire, request: ChatRequest = REQUEST, model: str = "") -> Reply:
    async def nothing(body: str) -> None:
        return None

    async with connected(provider, wire) as connection:
        return await connection.model(model or STRUCTURED[wire]).complete(request, nothing)


async def failure(provider: Loopback, wire: Wire, request: ChatRequest = REQUEST) -> ModelUnavailable:
    with pytest.raises(ModelUnavailable) as caught:
        await reply_of(provider, wire, request)
    return caught.value


def settings_of(body: dict) -> dict:
    return body.get("generationConfig", body)


async def test_a_reply_in_one_piece_has_its_text_and_what_it_used(provider, wire):
    provider.next = [Says(['{"label": "yes"}'])]

    reply = await reply_of(provider, wire)

    end = reply.completion
    assert reply.text == '{"label": "yes"}'
    assert (end.finish_reason, end.served_model) == ("stop", "served-model")
    assert (end.input_tokens, end.cached_tokens, end.output_tokens) == (120, 40, 9)


async def test_the_schema_reaches_a_provider_that_can_hold_a_model_to_it(provider, wire):
    await reply_of(provider, wire)

    assert json.dumps(provider.bodies[0]).count('"enum": ["yes", "no"]') == 1


async def test_a_model_that_takes_no_schema_is_asked_without_it(provider):
    await reply_of(provider, "anthropic messages", model="claude-3-haiku")

    assert "enum" not in json.dumps(provider.bodies[0])


@pytest.mark.parametrize(("finish", "reason"), [("length", "length"), ("refusal", "content_filter")])
async def test_how_a_whole_reply_ended_is_said(provider, wire, finish, reason):
    provider.next = [Says(finish=finish)]

    reply = await reply_of(provider, wire)

    assert reply.completion.finish_reason == reason


@pytest.mark.parametrize("wire", ["chat completions", "gemini"])
async def test_log_probabilities_of_the_tokens_come_along(provider, wire):
    provider.next = [Says(["yes"], chances=[("yes", -0.1, {"yes": -0.1, "no": -2.5})])]

    reply = await reply_of(provider, wire, replace(REQUEST, top_logprobs=2))

    assert reply.tokens == (Token("yes", -0.1, (Alternative("yes", -0.1), Alternative("no", -2.5))),)
    sent = settings_of(provider.bodies[0])
    assert (sent.get("top_logprobs") or sent["logprobs"]) == 2


async def test_a_provider_without_log_probabilities_gives_none(provider):
    reply = await reply_of(provider, "anthropic messages", replace(REQUEST, top_logprobs=2))

    assert reply.tokens is None


async def test_a_temperature_that_samples_reaches_a_model_that_takes_one(provider, wire):
    await reply_of(provider, wire, replace(REQUEST, temperature=0.7))

    assert settings_of(provider.bodies[0])["temperature"] == 0.7


@pytest.mark.parametrize(("wire", "model"), [("chat completions", "o3"), ("anthropic messages", "claude-opus-5")])
async def test_answers_are_not_sampled_from_a_model_that_ignores_the_temperature(provider, wire, model):
    with pytest.raises(InvalidInput, match="takes no temperature, so answers cannot be sampled") as caught:
        await reply_of(provider, wire, replace(REQUEST, temperature=0.7), model=model)

    assert "another model" in str(caught.value)
    assert provider.bodies == []


async def test_a_model_that_ignores_the_temperature_may_be_asked_once(provider):
    reply = await reply_of(provider, "chat completions", model="o3")

    assert reply.completion.finish_reason == "stop"
    assert "temperature" not in provider.bodies[0]


@pytest.mark.parametrize(
    ("wire", "model", "sent"),
    [
        ("chat completions", "o3", '"reasoning_effort": "high"'),
        ("anthropic messages", "claude-haiku-4-5", '"type": "enabled"'),
        ("gemini", "gemini-2.5-flash", '"thinking_budget"'),
    ],
)
async def test_how_much_to_think_reaches_the_model(provider, wire, model, sent):
    await reply_of(provider, wire, replace(REQUEST, reasoning="high"), model=model)

    assert sent in json.dumps(provider.bodies[0])


async def test_a_model_that_nobody_knows_is_told_how_much_to_think_in_the_words_of_its_wire(provider):
    await reply_of(provider, "chat completions", replace(REQUEST, reasoning="low"), model="qwen-of-our-own")

    assert provider.bodies[0]["reasoning_effort"] == "low"


async def test_a_model_that_cannot_be_told_how_much_to_think_is_not_asked_to(provider):
    with pytest.raises(InvalidInput, match="takes no word about how much to think"):
        await reply_of(provider, "gemini", replace(REQUEST, reasoning="high"), model="gemini-2.0-flash")

    assert provider.bodies == []


@pytest.mark.parametrize(
    ("wire", "sent"), [("anthropic messages", '"budget_tokens": 2000'), ("gemini", '"thinking_budget": 2000')]
)
async def test_a_budget_for_thinking_comes_on_top_of_the_answer(provider, wire, sent):
    await reply_of(provider, wire, replace(REQUEST, reasoning=2000))

    (body,) = provider.bodies
    limits = settings_of(body)
    assert sent in json.dumps(body)
    assert (limits.get("max_tokens") or limits["maxOutputTokens"]) == 2400


async def test_a_budget_for_thinking_that_a_provider_cannot_take_is_refused(provider):
    with pytest.raises(InvalidInput, match="say low, medium, high or off"):
        await reply_of(provider, "chat completions", replace(REQUEST, reasoning=2000))

    assert provider.bodies == []


async def test_a_server_that_hangs_up_before_a_word_is_not_asked_twice(provider, wire):
    provider.next = [HangsUp()]

    error = await failure(provider, wire)

    assert error.trouble == "uncertain"
    assert len(provider.bodies) == 1


async def test_a_whole_reply_that_does_not_come_ends_with_the_time_of_the_request(provider, wire):
    provider.next = [Stalls()]

    error = await failure(provider, wire, replace(REQUEST, timeout_s=0.3))

    assert "did not finish within 0.3 s" in str(error)
    assert error.trouble == "uncertain"
    assert len(provider.bodies) == 1


async def test_an_error_instead_of_a_whole_reply_is_not_tried_again_here(provider, wire):
    provider.next = [Fails(503)]

    error = await failure(provider, wire)

    assert "HTTP 503" in str(error)
    assert len(provider.bodies) == 1


@pytest.mark.parametrize(
    ("status", "trouble"),
    [(400, "other"), (401, "denied"), (404, "denied"), (429, "busy"), (500, "busy"), (503, "busy"), (529, "busy")],
)
async def test_the_status_of_an_error_says_what_may_be_done_about_it(provider, wire, status, trouble):
    provider.next = [Fails(status)]

    error = await failure(provider, wire)

    assert error.trouble == trouble


async def test_how_long_a_provider_wants_to_be_left_alone_is_said(provider, wire):
    provider.next = [Fails(429, headers={"Retry-After": "7"})]

    error = await failure(provider, wire)

    assert error.retry_after_s == 7


async def test_where_nobody_listens_nothing_was_sent(provider, wire):
    provider.url = "http://127.0.0.1:9"

    error = await failure(provider, wire)

    assert error.trouble == "unreached"


async def test_a_reply_of_ten_million_bytes_is_refused_with_the_reason(provider, wire):
    provider.next = [Says(["x" * 10_000_000])]

    error = await failure(provider, wire)

    assert "a reply of more than 8 MB" in str(error)
    assert error.trouble == "other"


async def test_what_a_request_costs_at_most_is_more_than_it_cost(provider):
    connection = Connection(provider.endpoint("chat completions"), Prices({"openai:m": Price(1.0, 1.0, 10.0)}))
    try:
        most = connection.model("m").most_usd(REQUEST)
    finally:
        await connection.close()

    assert most is not None
    assert 400 * 10 / 1e6 < most < 600 * 10 / 1e6
