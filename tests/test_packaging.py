"""What a user gets from the repository: a wheel with everything inside, and dependencies that cannot change unseen."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
import urllib.request
import zipfile
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import urljoin

import pytest

from tests import building
from tests.surroundings import unavailable

ROOT = Path(__file__).parent.parent
LOCKS = [ROOT / "requirements.lock", ROOT / "requirements-weights.lock", ROOT / "package-lock.json"]
CATALOGUE = """\
msgid ""
msgstr "Content-Type: text/plain; charset=utf-8\\n"

#, python-format
msgid "%(done)s of %(all)s labelled"
msgstr "{translation}"
"""


@pytest.fixture(scope="module")
def hatch_build() -> ModuleType:
    return building.hatch_build()


@pytest.fixture(scope="module")
def browser_files() -> Path:
    """The folder of the pages' browser files, filled."""
    folder = ROOT / "src/crito/web/static/vendor"
    if not folder.is_dir():
        unavailable("The browser files", "`python hatch_build.py` has not been run here")
    return folder


@pytest.fixture(scope="module")
def wheel(browser_files: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (file,) = folder.glob("*.whl")
    return file


@pytest.fixture
def checkout(tmp_path: Path, browser_files: Path) -> Path:
    """A folder with what the hook reads, whose browser files are in place."""
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(browser_files, tmp_path / "src/crito/web/static/vendor")
    return tmp_path


def write_catalogue(checkout: Path, translation: str) -> Path:
    source = checkout / "src/crito/web/translations/it/LC_MESSAGES/messages.po"
    source.parent.mkdir(parents=True)
    source.write_text(CATALOGUE.replace("{translation}", translation), encoding="utf-8")
    return source


@pytest.mark.slow
def test_the_wheel_holds_every_file_of_the_package(wheel: Path) -> None:
    inside = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("crito/")}

    here = {
        path.relative_to(ROOT / "src").as_posix()
        for path in (ROOT / "src/crito").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert inside == here
    assert {
        "crito/py.typed",
        "crito/web/static/vendor/htmx.min.js",
        "crito/web/static/vendor/htmx.LICENSE.txt",
        *(f"crito/web/translations/{language}/LC_MESSAGES/messages.mo" for language in ("en", "it", "ja")),
    } <= inside


@pytest.mark.slow
def test_the_demo_runs_from_the_wheel_alone(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path / "installed")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "installed")}
    demo = [sys.executable, "-m", "crito", "demo", "--json"]

    with subprocess.Popen(demo, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            (study,) = first_json(server.stdout)["studies"].values()
            page, links = fetched(study["people"])
            files = {link: fetched(urljoin(study["people"], link))[0] for link in links}
        finally:
            server.send_signal(signal.SIGINT)

    assert "<h1" in page
    assert any(link.endswith(".css") for link in files)
    assert all(files.values())


def first_json(lines: Iterable[str]) -> Any:
    """The JSON text that `lines` begin with, however many lines it takes."""
    text = ""
    for line in lines:
        text += line
        with contextlib.suppress(json.JSONDecodeError):
            return json.loads(text)
    raise AssertionError(f"no JSON came, but {text!r}")


def fetched(address: str) -> tuple[str, list[str]]:
    """What stands at an address, and the style sheets and scripts that it names."""
    with urllib.request.urlopen(address) as reply:
        text = reply.read().decode()
    return text, re.findall(r'(?:href|src)="([^"]+\.(?:css|js))"', text)


def test_browser_files_that_are_current_are_not_fetched_again(
    hatch_build: ModuleType, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("npm was called"))

    hatch_build.populate(checkout)


def test_a_changed_lock_makes_the_browser_files_stale(
    hatch_build: ModuleType, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched = []
    monkeypatch.setattr(subprocess, "run", lambda command, **_: fetched.append(command[-1]))
    monkeypatch.setattr(hatch_build, "_copy", lambda *_: None)
    lock = checkout / "package-lock.json"
    lock.write_text(lock.read_text().replace("sha512-", "sha512-changed"))

    hatch_build.populate(checkout)

    assert fetched == ["ci"]


def test_translations_are_compiled(hatch_build: ModuleType, checkout: Path) -> None:
    source = write_catalogue(checkout, "%(done)s su %(all)s etichettati")

    hatch_build.populate(checkout)

    assert b"su %(all)s etichettati" in source.with_suffix(".mo").read_bytes()


def test_a_translation_with_a_wrong_placeholder_stops_the_build(hatch_build: ModuleType, checkout: Path) -> None:
    write_catalogue(checkout, "%(fatto)s su %(tutti)s etichettati")

    with pytest.raises(SystemExit, match=r"messages\.po"):
        hatch_build.populate(checkout)


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_locks_name_no_address(lock: Path) -> None:
    assert not re.findall(r"https?://\S+|--\S*(?:index-url|find-links)\S*", lock.read_text(encoding="utf-8"))


@pytest.mark.parametrize("lock", LOCKS[:2], ids=lambda path: path.name)
def test_every_locked_package_has_hashes(lock: Path) -> None:
    entries = re.split(r"\n(?=\S)", re.sub(r"(?m)^#.*\n", "", lock.read_text(encoding="utf-8")).strip())

    assert [entry.split()[0] for entry in entries if "--hash=sha256:" not in entry] == []


def test_every_dependency_is_in_the_lock() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = project["dependency-groups"]
    wanted = [
        *project["build-system"]["requires"],
        *project["project"]["dependencies"],
        *project["project"]["optional-dependencies"]["local"],
        *groups["test"],
        *groups["tools"],
    ]

    locked = set(re.findall(r"(?m)^([a-z0-9._-]+)(?:\[[^]]*\])?==", (ROOT / "requirements.lock").read_text()))
    names = {
        re.split(r"[^A-Za-z0-9._-]", requirement)[0].lower().replace(".", "-").replace("_", "-")
        for requirement in wanted
    }

    assert names - locked == set()
