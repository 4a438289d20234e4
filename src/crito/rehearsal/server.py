"""The real server in a process of its own, started and stopped by the command that everybody uses."""

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass

from crito.model.errors import CritoError

STARTS_WITHIN_S = 240
"""A local model of some gigabytes has to be read first."""
STOPS_WITHIN_S = 60


@dataclass(frozen=True, slots=True)
class RunningServer:
    """A server that takes connections. `people` and `owners` are the addresses of each study."""

    process: asyncio.subprocess.Process
    address: str
    people: Mapping[str, str]
    owners: Mapping[str, str]

    async def kill(self) -> None:
        """End it and its workers as a loss of power would."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        await self.process.communicate()

    async def stop(self) -> int:
        """Ask it to end and wait until it has; gives its exit status."""
        with contextlib.suppress(ProcessLookupError):
            self.process.terminate()
        try:
            async with asyncio.timeout(STOPS_WITHIN_S):
                return await self.process.wait()
        finally:
            await self.kill()


async def start_server(studies: Sequence[str], *options: str) -> RunningServer:
    """Run `crito serve STUDIES OPTIONS` and wait until it says where it is.

    Raises:
        CritoError: it ended instead; says what it said.
    """
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "crito", "serve", *studies, "--json", "--while-stdin-is-open", *options),
        # its end closes when this process ends, however that comes about: no server is left behind
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        # the child must find this package also where it is run from its source tree
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        start_new_session=True,
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(STARTS_WITHIN_S):
            line = await process.stdout.readline()
    except BaseException as error:
        process.kill()
        await process.communicate()
        if isinstance(error, TimeoutError):
            raise CritoError(f"the server did not start within {STARTS_WITHIN_S} s") from error
        raise
    if not line:
        status = await process.wait()
        raise CritoError(f"the server did not start (status {status}); what it said stands above")
    said = json.loads(line)
    return RunningServer(
        process,
        said["address"],
        {name: place["people"] for name, place in said["studies"].items()},
        {name: place["owner"] for name, place in said["studies"].items()},
    )


@contextlib.asynccontextmanager
async def running_server(studies: Sequence[str], *options: str) -> AsyncIterator[RunningServer]:
    """A server until the block is left."""
    server = await start_server(studies, *options)
    try:
        yield server
    finally:
        await server.stop()
