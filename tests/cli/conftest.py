"""A folder to type commands in, the command line, and a provider for what it asks."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from crito.cli import run
from tests.cli.commands import Command, Ended
from tests.provider import Provider, providing, said


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, in which commands are typed."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    def typed(*words: str, given: str = "") -> Ended:
        monkeypatch.setattr("sys.stdin", io.StringIO(given))
        capsys.readouterr()
        status = run(words)
        return Ended(status, *capsys.readouterr())

    return typed


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    """The models `lab:…`: they find everything ironic, until a test gives them another answer."""
    with providing(lambda body: said("Ironic")) as made:
        monkeypatch.setenv("CRITO_ENDPOINT_LAB", made.url)
        yield made
