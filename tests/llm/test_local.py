import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from crito.llm import local
from crito.llm.local import LocalServer, LocalSettings, announce, announced, local_servers
from crito.llm.models import Models
from crito.model.errors import InvalidInput, ModelUnavailable
from crito.model.ids import AnnotatorId, RunId, StudyName
from crito.services.ports.models import CallContext, ChatMessage, ChatRequest, Completion
from tests.llm.memory_store import MemoryStore

SMALL = LocalSettings(slots=1, context_tokens=1024, threads=1, cache_mib=16)
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
CONTEXT = CallContext(StudyName("s"), RunId("r"), step=0, attempt=0, annotator=AnnotatorId("ana"))
ASKED = ChatRequest(
    "You ask one short question about the person's reason.",
    (ChatMessage("user", "<item>Great, it broke on day one.</item> I chose sarcastic: nobody likes a broken thing."),),
    temperature=0.6,
    max_tokens=24,
    timeout_s=120,
)

native = pytest.mark.usefixtures("llama_cpp")
with_weights = [pytest.mark.slow, pytest.mark.local_model]


@pytest.fixture(scope="module")
def server(weights: str) -> Iterator[LocalServer]:
    with local_servers([weights], SMALL) as servers:
        yield servers[weights]


def test_without_the_extra_the_command_that_brings_it_is_named(monkeypatch):
    monkeypatch.setattr(local, "find_spec", lambda name: None)

    with pytest.raises(InvalidInput, match=r"pip install 'crito\[local\]'"):
        LocalServer.start("model.gguf")


@native
def test_a_missing_file_is_named_with_its_whole_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    with pytest.raises(InvalidInput, match="there is no such model file") as caught:
        LocalServer.start("model.gguf")

    assert caught.value.came == str(tmp_path / "model.gguf")


def test_a_missing_system_library_is_named_with_the_package_that_brings_it(tmp_path, monkeypatch):
    (tmp_path / "xllamacpp.py").write_text("raise ImportError('libgomp.so.1: cannot open shared object file')")
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "model.gguf").touch()

    with pytest.raises(InvalidInput, match="libgomp1"):
        LocalServer.start(str(tmp_path / "model.gguf"), SMALL)


@native
def test_a_file_that_is_no_model_is_refused(tmp_path, capfd):
    file = tmp_path / "model.gguf"
    file.write_text("not weights")

    with pytest.raises(InvalidInput, match="cannot load the model"):
        LocalServer.start(str(file), SMALL)


class TestWithWeights:
    pytestmark = with_weights

    async def test_one_exchange_goes_through_the_native_path(self, weights, server):
        store = MemoryStore()
        models = Models(store, announce({weights: server}), lambda: NOW)
        model = models(f"local:{weights}")
        try:
            *pieces, end = [piece async for piece in model.stream(ASKED, CONTEXT)]
        finally:
            await models.close()

        (call,) = store.calls
        assert model.local
        assert "".join(pieces).strip()
        assert isinstance(end, Completion)
        assert end.finish_reason in {"stop", "length"}
        assert end.output_tokens
        assert (end.cost_usd, end.call) == (0.0, call.key)
        assert end.served_model.endswith("@sha256:b179c9523d0e6a0f")
        assert call.status in {"answered", "truncated"}
        assert ASKED.system in (store.text(call.request) or "")
        assert store.text(call.reply) == "".join(pieces)

    async def test_a_prompt_larger_than_the_context_is_refused_in_one_line(self, weights, server):
        models = Models(MemoryStore(), announce({weights: server}), lambda: NOW)
        huge = ChatRequest("s", (ChatMessage("user", "broken " * 3000),), max_tokens=5)
        try:
            with pytest.raises(ModelUnavailable) as caught:
                [piece async for piece in models(f"local:{weights}").stream(huge, CONTEXT)]
        finally:
            await models.close()

        assert "\n" not in str(caught.value)
        assert "HTTP 400" in str(caught.value)

    async def test_a_prompt_read_before_is_not_read_again(self, weights, server):
        server.warm(ASKED)
        models = Models(MemoryStore(), announce({weights: server}), lambda: NOW)
        try:
            *_, end = [piece async for piece in models(f"local:{weights}").stream(ASKED, CONTEXT)]
        finally:
            await models.close()

        assert end.cached_tokens > end.input_tokens / 2

    async def test_a_model_that_nobody_announced_is_served_by_a_child_that_ends_with_it(self, weights):
        models = Models(MemoryStore(), {}, lambda: NOW)
        try:
            *pieces, _ = [piece async for piece in models(f"local:{weights}").stream(ASKED, CONTEXT)]
            (started,) = models._connections._servers
            alive = os.pidfd_open(started.pid)
        finally:
            await models.close()

        assert pieces
        assert ended(alive)

    async def test_a_server_that_dies_is_started_again_at_the_same_address(self, weights):
        server = LocalServer.start(weights, SMALL)
        models = Models(MemoryStore(), announce({weights: server}), lambda: NOW)
        try:
            os.kill(server.pid, signal.SIGKILL)
            server._keeper.join(timeout=60)
            *pieces, _ = [piece async for piece in models(f"local:{weights}").stream(ASKED, CONTEXT)]
        finally:
            await models.close()
            server.stop()

        assert pieces

    def test_a_server_does_not_outlive_whoever_started_it(self, weights):
        code = (
            "import sys; from crito.llm.local import LocalServer, LocalSettings\n"
            "server = LocalServer.start(sys.argv[1], LocalSettings(slots=1, context_tokens=512, threads=1))\n"
            "print(server.pid, flush=True); sys.stdin.read()"
        )
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        with subprocess.Popen(
            [sys.executable, "-c", code, weights], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        ) as owner:
            alive = os.pidfd_open(int(owner.stdout.readline()))
            owner.kill()

        assert ended(alive)

    def test_the_key_stands_in_no_list_of_processes(self, server):
        shown = Path(f"/proc/{server.pid}/cmdline").read_text() + Path(f"/proc/{server.pid}/environ").read_text()

        assert server.endpoint.key not in shown


def ended(pidfd: int) -> bool:
    """Whether the process ends, within a minute at most."""
    readable, _, _ = select.select([pidfd], [], [], 60)
    os.close(pidfd)
    return bool(readable)


def test_a_path_that_nobody_announced_has_no_server():
    environment = {local.SERVERS_VARIABLE: json.dumps({})}

    assert announced(environment, "other.gguf") is None
    assert announced({}, "other.gguf") is None
