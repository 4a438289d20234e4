"""Models in GGUF files on this machine: llama.cpp's server in a child process, one more endpoint that speaks OpenAI's API."""

import hashlib
import json
import os
import secrets
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Self

from crito.llm.endpoints import Endpoint
from crito.model.errors import InvalidInput
from crito.services.ports.models import ChatRequest

LOCAL = "local"
SERVERS_VARIABLE = "CRITO_LOCAL_SERVERS"
"""Says, as JSON, where the servers are that an earlier process of ours has started; for its web workers."""

RESTARTS = 1


@dataclass(frozen=True, slots=True)
class LocalSettings:
    """How a local model is served.

    `slots` conversations are answered side by side, each with `context_tokens`; 0 `threads` means all cores.
    `cache_mib` holds prompts read before, so that what conversations have in common is read once.
    """

    slots: int = 2
    context_tokens: int = 4096
    threads: int = 0
    cache_mib: int = 256
    start_s: float = 180.0


class LocalServer:
    """The server of one GGUF file. If it dies it is started again, once, at the same address."""

    def __init__(self, path: Path, settings: LocalSettings) -> None:
        self._path = path
        self._settings = settings
        self._key = secrets.token_urlsafe(16)
        self._stopping = threading.Event()
        with ThreadPoolExecutor(1) as beside:
            weights = beside.submit(_fingerprint, path)
            self._process, base_url = self._launch(port=0)
        self.endpoint = Endpoint(
            provider=LOCAL,
            wire="chat completions",
            base_url=base_url,
            key=self._key,
            key_from=SERVERS_VARIABLE,
            local=True,
            served_model=weights.result(),
        )
        self._keeper = threading.Thread(target=self._keep, name=f"keeper of {path.name}", daemon=True)
        self._keeper.start()

    @classmethod
    def start(cls, path: str, settings: LocalSettings = LocalSettings()) -> Self:
        """Start a server and wait until it can answer.

        Raises:
            InvalidInput: the extra is not installed, or the file is missing or is no model.
        """
        return cls(loadable(path), settings)

    @property
    def pid(self) -> int:
        return self._process.pid

    def warm(self, request: ChatRequest) -> None:
        """Read a request's prompt once, so that the first person does not wait for what all prompts begin with."""
        roles = [{"role": message.role, "content": message.text} for message in request.messages]
        body = {"messages": [{"role": "system", "content": request.system}, *roles], "max_tokens": 1}
        headers = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}
        url = f"{self.endpoint.base_url}/chat/completions"
        asked = urllib.request.Request(url, json.dumps(body).encode(), headers)  # noqa: S310  # ours, on the loopback
        with urllib.request.urlopen(asked, timeout=self._settings.start_s) as reply:  # noqa: S310
            reply.read()

    def stop(self) -> None:
        """End the server; what it was saying is cut off."""
        self._stopping.set()
        _end(self._process)
        self._keeper.join()

    def _keep(self) -> None:
        port = int(self.endpoint.base_url.rsplit(":", 1)[1].split("/")[0])
        for _ in range(RESTARTS):
            self._process.wait()
            if self._stopping.is_set():
                return
            _end(self._process)
            try:
                self._process, _ = self._launch(port)
            except InvalidInput:
                return  # whoever asks is told that nobody is there
            if self._stopping.is_set():
                _end(self._process)

    def _launch(self, port: int) -> tuple[subprocess.Popen[bytes], str]:
        """The running process and its address; port 0 is a free one."""
        process = subprocess.Popen(
            [sys.executable, "-m", "crito.llm.local_server"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # the child must find this package also where it is run from its source tree
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            start_new_session=True,  # Ctrl-C is for the parent, which finishes its conversations first
        )
        answer = _hand_over(process, self._order(port), self._settings.start_s)
        if "error" in answer:
            _end(process)
            wanted = _what_would_do(answer["error"])
            raise InvalidInput(f"llama.cpp cannot load the model: {answer['error']}", str(self._path), wanted)
        return process, answer["base_url"]

    def _order(self, port: int) -> dict[str, str | int]:
        settings = self._settings
        return {
            "path": str(self._path),
            "key": self._key,
            "port": port,
            "slots": settings.slots,
            "context_tokens": settings.context_tokens,
            "threads": settings.threads or os.cpu_count() or 1,
            "cache_mib": settings.cache_mib,
        }


def _hand_over(process: subprocess.Popen[bytes], order: Mapping[str, str | int], longest_s: float) -> dict[str, str]:
    """What a server answers to its order. The key goes over a pipe, where no list of processes shows it."""
    assert process.stdin is not None
    assert process.stdout is not None
    alarm = threading.Timer(longest_s, process.kill)
    alarm.start()
    try:
        with suppress(BrokenPipeError):
            process.stdin.write(json.dumps(order).encode() + b"\n")
            process.stdin.flush()
        line = process.stdout.readline()
    finally:
        alarm.cancel()
    answer: dict[str, str] = json.loads(line or "{}")
    return answer or {"error": f"its server ended, or took over {longest_s:g} s"}


def _what_would_do(error: str) -> str:
    if "libgomp" in error:
        return "install the system's libgomp (on Debian: `apt-get install libgomp1`)"
    return "give a file in GGUF format"


def loadable(path: str) -> Path:
    """The absolute path of a model's file.

    Raises:
        InvalidInput: the extra is not installed, or there is no such file.
    """
    if find_spec("xllamacpp") is None:
        raise InvalidInput("local models need llama.cpp", f"{LOCAL}:{path}", "run `pip install 'crito[local]'`")
    file = Path(path).expanduser().absolute()
    if not file.is_file():
        raise InvalidInput("there is no such model file", str(file), f"write {LOCAL}:PATH with the path of a GGUF file")
    return file


@contextmanager
def local_servers(paths: Iterable[str], settings: LocalSettings = LocalSettings()) -> Iterator[dict[str, LocalServer]]:
    """A running server for each path, until the block is left."""
    with ExitStack() as stack:
        servers = {}
        for path in dict.fromkeys(paths):
            servers[path] = LocalServer.start(path, settings)
            stack.callback(servers[path].stop)
        yield servers


def announce(servers: Mapping[str, LocalServer]) -> dict[str, str]:
    """What must stand in the environment of processes that are to use these servers."""
    return {SERVERS_VARIABLE: json.dumps({path: asdict(server.endpoint) for path, server in servers.items()})}


def announced(environment: Mapping[str, str], path: str) -> Endpoint | None:
    """The endpoint of a server that another process has announced for this path."""
    found = json.loads(environment.get(SERVERS_VARIABLE, "{}")).get(path)
    return Endpoint(**found) if found else None


def _end(process: subprocess.Popen[bytes]) -> None:
    """Close the pipe that keeps a server alive, and see it end."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.close()
    process.stdout.close()
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _fingerprint(path: Path) -> str:
    """The file's name with the start of its SHA-256: which weights spoke, whatever the file is called."""
    with path.open("rb") as file:
        return f"{path.stem}@sha256:{hashlib.file_digest(file, 'sha256').hexdigest()[:16]}"
