"""Commands as somebody types them: in this process, or in one of their own where a test stops or kills it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import crito
from tests.provider import Provider


@dataclass(frozen=True)
class Ended:
    """How a command ended, and what it said."""

    status: int
    out: str
    err: str

    @property
    def facts(self) -> dict[str, Any]:
        """The one document that `--json` printed."""
        found: dict[str, Any] = json.loads(self.out)
        return found


Command = Callable[..., Ended]
"""The fixture `command`: words as they are typed, and what is `given` on standard input."""


def started(*words: str) -> subprocess.Popen[str]:
    """The command in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "crito", *words],
        env={**os.environ, "PYTHONPATH": str(Path(crito.__file__).parents[1])},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def started_and_waiting(provider: Provider, *words: str) -> subprocess.Popen[str]:
    """The command in a process of its own, once a call of it waits at the provider's gate."""
    process = started(*words)
    while not provider.waited_at.wait(0.1):
        assert process.poll() is None, ended(process)
    return process


def ended(process: subprocess.Popen[str]) -> Ended:
    """How the process ended, once it has."""
    out, err = process.communicate()
    return Ended(process.returncode, out, err)


def kill(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()
