import asyncio
import json
import traceback
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager

import pytest

from crito.llm.endpoints import NO_KEY, Wire, endpoint
from crito.llm.providers import Connection
from crito.model.errors import InvalidInput, ModelUnavailable
from crito.services.ports.models import ChatMessage, ChatRequest, Completion
from tests.llm.loopback import BreaksOff, Fails, Loopback, Says, Stalls, loopback

WIRES: tuple[Wire, ...] = ("chat completions", "anthropic messages", "gemini")

REQUEST = ChatRequest(
    system="Ask one question.",
    messages=(
        ChatMessage("user", "The item: rain."),
        ChatMessage("assistant", "What do you think?"),
        ChatMessage("user", "I think it is sarcastic."),
    ),
    temperature=0.5,
    max_tokens=77,
    stop=("\n\n",),
    timeout_s=20,
)


@pytest.fixture
async def provider() -> AsyncIterator[Loopback]:
    async with loopback() as server:
        yield server


@pytest.fixture(params=WIRES)
def wire(request: pytest.FixtureRequest) -> Wire:
    return request.param


@asynccontextmanager
async def connected(provider: Loopback, wire: Wire, **options: object) -> AsyncIterator[Connection]:
    connection = Connection(provider.endpoint(wire, **options))
    try:
        yield connection
    finally:
        await connection.close()


async def nothing(body: str) -> None:
    return None


async def exchange(
    provider: Loopback, wire: Wire, request: ChatRequest = REQUEST, before_sending=nothing, model="a-model", **options
) -> tuple[list[str], Completion]:
    async with connected(provider, wire, **options) as connection:
        *pieces, end = [piece async for piece in connection.model(model).stream(request, before_sending)]
    return pieces, end


async def failure(provider: Loopback, wire: Wire, request: ChatRequest = REQUEST, **options) -> ModelUnavailable:
    with pytest.raises(ModelUnavailable) as caught:
        await exchange(provider, wire, request, **options)
    return caught.value


async def test_pieces_come_as_they_are_streamed_and_the_completion_last(provider, wire):
    pieces, end = await exchange(provider, wire)

    assert "".join(pieces) == "Which words made you think so?"
    assert len(pieces) == 3
    assert (end.finish_reason, end.served_model) == ("stop", "served-model")
    assert (end.input_tokens, end.cached_tokens, end.output_tokens) == (120, 40, 9)


async def test_the_announced_body_is_the_one_that_arrives(provider, wire):
    announced = []

    async def note(body: str) -> None:
        assert provider.bodies == [], "announced before it is sent"
        announced.append(json.loads(body))

    await exchange(provider, wire, before_sending=note)

    assert announced == provider.bodies


async def test_system_text_messages_and_limits_reach_the_provider(provider, wire):
    await exchange(provider, wire)

    (body,) = provider.bodies
    sent = json.dumps(body)
    for words in ("Ask one question.", "The item: rain.", "What do you think?", "I think it is sarcastic."):
        assert sent.count(words) == 1
    settings = body.get("generationConfig", body)
    limits = ("max_tokens", "max_completion_tokens", "maxOutputTokens")
    assert [settings[name] for name in limits if name in settings] == [77]
    assert settings["temperature"] == 0.5
    stops = ("stop", "stop_sequences", "stopSequences")
    assert [settings[name] for name in stops if name in settings] == [["\n\n"]]


async def test_a_reply_at_the_length_limit_says_so(provider, wire):
    provider.next = [Says(finish="length")]

    _, end = await exchange(provider, wire)

    assert end.finish_reason == "length"


async def test_a_refusal_is_told_apart(provider, wire):
    provider.next = [Says(pieces=(), finish="refusal")]

    _, end = await exchange(provider, wire)

    assert end.finish_reason == "content_filter"


async def test_a_reply_that_ends_with_a_fault_is_an_error_and_not_a_reply(provider, wire):
    provider.next = [Says(finish="fault")]

    error = await failure(provider, wire)

    assert "stopped in the middle" in str(error)


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (401, "did not accept the key in"),
        (404, "is not known at"),
        (429, "asked too often"),
        (500, "failed on the provider's side"),
        (503, "failed on the provider's side"),
        (529, "failed on the provider's side"),
    ],
)
async def test_an_error_is_said_in_one_line_and_the_request_is_not_sent_again(provider, wire, status, said):
    provider.next = [Fails(status, headers={"Retry-After": "1"})]

    error = await failure(provider, wire)

    assert said in str(error)
    assert f"HTTP {status}" in str(error)
    assert "\n" not in str(error)
    assert len(provider.bodies) == 1


@pytest.mark.parametrize("status", [400, 401, 403, 500])
async def test_a_key_that_the_provider_repeats_is_not_in_the_error(provider, wire, status, caplog):
    caplog.set_level("DEBUG")
    provider.next = [Fails(status, message="Incorrect API key provided: sk-secret-4711.")]

    error = await failure(provider, wire, key="sk-secret-4711")

    assert provider.next == []
    assert "sk-secret-4711" not in str(error)
    assert "sk-secret-4711" not in "".join(traceback.format_exception(error))
    assert "sk-secret-4711" not in caplog.text


async def test_a_stall_ends_with_the_time_of_the_request(provider, wire):
    provider.next = [Stalls(pieces=("Which",))]

    error = await failure(provider, wire, ChatRequest("s", (ChatMessage("user", "u"),), timeout_s=0.3))

    assert "did not finish within 0.3 s" in str(error)
    assert len(provider.bodies) == 1


async def test_a_first_piece_that_does_not_come_ends_with_the_time_of_the_request(provider, wire):
    provider.next = [Stalls()]

    error = await failure(provider, wire, ChatRequest("s", (ChatMessage("user", "u"),), timeout_s=0.3))

    assert "did not finish within 0.3 s" in str(error)
    assert len(provider.bodies) == 1


async def test_a_first_piece_that_comes_late_is_waited_for(provider, wire):
    thinking = asyncio.Event()
    provider.next = [Says(after=thinking)]

    reading = asyncio.create_task(exchange(provider, wire))
    await provider.asked.wait()
    thinking.set()
    pieces, _ = await reading

    assert "".join(pieces) == "Which words made you think so?"
    assert len(provider.bodies) == 1


@pytest.mark.parametrize("politely", [False, True])
async def test_a_reply_that_breaks_off_is_an_error_and_not_a_reply(provider, wire, politely):
    provider.next = [BreaksOff(politely=politely)]

    error = await failure(provider, wire)

    assert "stopped in the middle" in str(error)
    assert len(provider.bodies) == 1


async def test_an_address_where_nobody_listens_is_named(provider, wire):
    provider.url = "http://127.0.0.1:9"

    error = await failure(provider, wire)

    assert "cannot be reached at http://127.0.0.1:9" in str(error)


async def test_closing_the_stream_early_hangs_up(provider, wire):
    provider.next = [Stalls(pieces=("Which", " words"))]

    async with connected(provider, wire) as connection:
        async with aclosing(connection.model("a-model").stream(REQUEST, nothing)) as reply:
            first = await anext(reply)

        assert first == "Which"
        await provider.gone.wait()


async def test_a_request_leaves_only_if_the_announcement_succeeds(provider, wire):
    async def refuse(body: str) -> None:
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="the disk is full"):
        await exchange(provider, wire, before_sending=refuse)

    assert provider.bodies == []


async def test_a_redirect_is_not_followed(provider, wire):
    provider.next = [Fails(307, headers={"Location": f"{provider.url}/elsewhere/messages"})]

    await failure(provider, wire)

    assert len(provider.bodies) == 1


async def test_the_key_travels_in_a_header_only(provider, wire):
    await exchange(provider, wire, key="sk-secret-4711")

    assert "sk-secret-4711" in " ".join(provider.headers[0].values())
    assert "sk-secret-4711" not in json.dumps(provider.bodies)


@pytest.mark.parametrize(
    ("wire", "model", "usd"),
    [
        # 80 fresh, 40 cached and 9 output tokens at the list prices of 2024: $2.50, $1.25 and $10 a million
        ("chat completions", "gpt-4o", (80 * 2.5 + 40 * 1.25 + 9 * 10) / 1e6),
        # $0.25, $0.03 and $1.25 a million
        ("anthropic messages", "claude-3-haiku-20240307", (80 * 0.25 + 40 * 0.03 + 9 * 1.25) / 1e6),
    ],
)
async def test_a_known_price_gives_a_cost(provider, wire, model, usd):
    _, end = await exchange(provider, wire, model=model)

    assert end.cost_usd == pytest.approx(usd)


async def test_an_unknown_price_is_unknown_and_not_zero(provider, wire):
    _, end = await exchange(provider, wire, model="nobody-sells-this")
    _, elsewhere = await exchange(provider, wire, model="gpt-4o", priced=False)

    assert end.cost_usd is None
    assert elsewhere.cost_usd is None


def test_a_missing_key_names_the_variable_to_set():
    with pytest.raises(InvalidInput, match="set ANTHROPIC_API_KEY in the environment"):
        endpoint("anthropic", {})


def test_an_unknown_provider_lists_the_known_ones():
    with pytest.raises(InvalidInput, match=r"openai:NAME, anthropic:NAME, google:NAME, lab:NAME, local:PATH.gguf"):
        endpoint("opnai", {"CRITO_ENDPOINT_LAB": "http://127.0.0.1:1/v1"})


def test_an_endpoint_named_in_the_environment_is_a_provider():
    found = endpoint("our-lab", {"CRITO_ENDPOINT_OUR_LAB": "http://h/v1", "CRITO_ENDPOINT_OUR_LAB_KEY": "k"})

    assert (found.provider, found.base_url, found.key, found.priced) == ("our-lab", "http://h/v1", "k", False)


def test_an_endpoint_may_do_without_a_key():
    assert endpoint("lab", {"CRITO_ENDPOINT_LAB": "http://h/v1"}).key == NO_KEY
    assert endpoint("openai", {"OPENAI_BASE_URL": "http://h/v1"}).key == NO_KEY


def test_an_endpoint_does_not_show_its_key():
    assert "sk-secret" not in repr(endpoint("openai", {"OPENAI_API_KEY": "sk-secret"}))


def test_a_password_in_an_address_is_not_shown():
    found = endpoint("lab", {"CRITO_ENDPOINT_LAB": "https://ana:secret@h:8000/v1"})

    assert found.address == "https://h:8000/v1"
    assert "secret" not in repr(found)


async def test_servers_that_speak_openais_api_get_the_field_names_that_all_of_them_know(provider):
    found = endpoint("lab", {"CRITO_ENDPOINT_LAB": f"{provider.url}/v1"})
    connection = Connection(found)
    try:
        reply = [piece async for piece in connection.model("qwen").stream(REQUEST, nothing)]
    finally:
        await connection.close()

    assert isinstance(reply[-1], Completion)
    assert provider.bodies[0]["max_tokens"] == 77
    assert provider.bodies[0]["model"] == "qwen"
