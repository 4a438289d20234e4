"""A study as it is deployed: nginx in front, a path prefix, two workers, PostgreSQL; a person walks it in a real browser."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from crito.model.study import Study
from tests.browser.conftest import Visitor
from tests.bundled import demo_study
from tests.surroundings import unavailable

NGINX = Path(__file__).parents[2] / "deploy/nginx.conf"
TOKEN = "scrape-me"
WORDS = "The praise is far too large for a lamp that came in pieces"


@dataclass(frozen=True)
class Deployed:
    """A running server behind nginx; `address` is where people find their study, `inside` where nginx finds the server."""

    address: str
    inside: str
    log: Path
    study: Study


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as found:
        port: int = found.getsockname()[1]
        return port


@contextmanager
def nginx_in_front(folder: Path, port: int, server_port: int) -> Iterator[None]:
    program = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin")
    if program is None:
        unavailable("nginx", "on Debian `apt-get install nginx-light` brings it")
    part = folder / "part.conf"
    part.write_text(NGINX.read_text(encoding="utf-8").replace(":8000", f":{server_port}"))
    places = "".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    whole = folder / "nginx.conf"
    whole.write_text(
        f"daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log; events {{}}\n"
        f"http {{ {places} access_log off; server {{ listen 127.0.0.1:{port}; include {part}; }} }}\n"
    )
    with subprocess.Popen([program, "-c", str(whole)]) as running:
        try:
            yield
        finally:
            running.terminate()


@pytest.fixture
def deployed(study_file: Path, tmp_path: Path, postgres_url: str) -> Iterator[Deployed]:
    port, server_port = free_port(), free_port()
    address = f"http://127.0.0.1:{port}/crito"
    command = [sys.executable, "-m", "crito", "serve", str(study_file), "--db", postgres_url, "--workers", "2"]
    command += ["--port", str(server_port), "--root-path", "/crito", "--address", address, "--log", "json", "--json"]
    environment = {**os.environ, "CRITO_METRICS_TOKEN": TOKEN, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    log = tmp_path / "server.log"
    with (
        log.open("wb") as errors,
        nginx_in_front(tmp_path, port, server_port),
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=errors) as server,
    ):
        try:
            assert server.stdout is not None
            said = json.loads(server.stdout.readline())
            study = demo_study()
            yield Deployed(said["studies"][study.name]["people"], f"http://127.0.0.1:{server_port}", log, study)
        finally:
            server.send_signal(signal.SIGTERM)
            assert server.wait() == 0


def status(address: str, **headers: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers)) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refused:
        return refused.code, ""


@pytest.mark.postgres
@pytest.mark.slow
def test_a_person_walks_a_study_under_a_prefix_behind_nginx(
    deployed: Deployed, visitor: Callable[..., Visitor]
) -> None:
    someone = visitor(deployed)
    asked: list[str] = []
    failed: list[str] = []
    someone.page.on("request", lambda request: asked.append(request.url))
    someone.page.on("response", lambda answer: failed.append(answer.url) if answer.status >= 400 else None)

    someone.to_the_talk("ana-at-prolific")
    someone.say(WORDS)
    someone.page.reload()

    root = deployed.address.partition("/s/")[0]
    assert WORDS in someone.page.locator("#log").inner_text()
    assert [url for url in asked if not url.startswith((f"{root}/", "data:"))] == []
    assert failed == []
    assert [status(f"{root}{path}")[0] for path in ("/healthz", "/readyz", "/metrics")] == [204, 404, 404]
    assert status(f"{deployed.inside}/readyz")[0] == 204
    told = [status(f"{deployed.inside}/metrics", Authorization=f"Bearer {TOKEN}")[1] for _ in range(6)]
    counted = {line for text in told for line in text.splitlines() if 'route="/s/{study}/message"' in line}
    assert {line for line in counted if line.startswith("crito_requests_total")} == {
        'crito_requests_total{method="POST",route="/s/{study}/message",status="200"} 1.0'
    }
    log = deployed.log.read_text(encoding="utf-8")
    cookie = next(one["value"] for one in someone.page.context.cookies() if one["name"] == "crito")
    assert "/s/{study}/message" in log
    assert [hidden for hidden in (WORDS, "ana-at-prolific", cookie, TOKEN) if hidden in log] == []
