"""The server as a process of its own."""

import asyncio
import re
import signal
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
import pytest

from crito.cli import run
from crito.model.errors import CritoError
from crito.rehearsal.crowds import Crowd, rehearse
from crito.rehearsal.server import RunningServer, running_server, start_server
from crito.rehearsal.tempers import STEADY
from crito.store.schema import upgrade

NAME = "sarcasm-and-relation"


async def get(address: str) -> tuple[int, str]:
    # A browser keeps cookies of addresses without a name too.
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(cookie_jar=jar) as session, session.get(address) as response:
        return response.status, await response.text()


@pytest.mark.parametrize("workers", ["1", "2"])
async def test_people_and_owner_find_their_pages(study_file: Path, workers: str) -> None:
    async with running_server([str(study_file)], "--port", "0", "--workers", workers) as server:
        for_people = await get(server.people[NAME])
        for_owner = await get(server.owners[NAME])
        opened_again = await get(server.owners[NAME])

    assert for_people[0] == for_owner[0] == 200
    assert 'name="consent"' in for_people[1]
    assert opened_again[0] == 401


async def test_a_prefix_stands_before_every_address(study_file: Path) -> None:
    async with running_server([str(study_file)], "--port", "0", "--root-path", "/crito") as server:
        status, page = await get(server.people[NAME])

    assert server.people[NAME].startswith(f"{server.address}/s/")
    assert server.address.endswith("/crito")
    assert status == 200
    assert f'action="/crito/s/{NAME}/consent"' in page


async def send(server: RunningServer, head: str, body: AsyncIterator[bytes]) -> str:
    """The status line that answers a request made by hand, once all of it is sent."""
    address = urlsplit(server.address)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    try:
        writer.write(f"POST /s/{NAME}/message HTTP/1.1\r\nHost: {address.netloc}\r\n{head}\r\n\r\n".encode())
        async for chunk in body:
            writer.write(chunk)
            await writer.drain()
        return (await reader.readline()).decode()
    finally:
        writer.close()


async def megabytes(n: int, *, chunked: bool) -> AsyncIterator[bytes]:
    for _ in range(n):
        yield b"100000\r\n" + b"m" * 2**20 + b"\r\n" if chunked else b"m" * 2**20
    if chunked:
        yield b"0\r\n\r\n"


def most_memory(server: RunningServer) -> int:
    """The most that the server ever held, in MiB."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) // 1024  # type: ignore[index]


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
@pytest.mark.parametrize("chunked", [False, True], ids=["whole", "chunked"])
async def test_a_form_of_50_mb_is_refused_and_takes_no_memory(study_file: Path, *, chunked: bool) -> None:
    length = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {50 * 2**20}"
    head = f"Content-Type: application/x-www-form-urlencoded\r\n{length}"
    async with running_server([str(study_file)], "--port", "0") as server:
        await get(server.people[NAME])
        before = most_memory(server)

        answers = await asyncio.gather(*(send(server, head, megabytes(50, chunked=chunked)) for _ in range(3)))

        assert [line.split()[1] for line in answers] == ["413"] * 3
        assert most_memory(server) - before < 20
        assert (await get(server.people[NAME]))[0] == 200


async def test_requests_that_never_come_whole_keep_nobody_else_waiting(study_file: Path) -> None:
    async with running_server([str(study_file)], "--port", "0") as server:
        address = urlsplit(server.address)
        halves = [await asyncio.open_connection(address.hostname, address.port) for _ in range(200)]
        for number, (_, writer) in enumerate(halves):
            head = f"POST /s/{NAME}/message HTTP/1.1\r\nHost: {address.netloc}\r\n"
            rest = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 99\r\n\r\nmessage="
            writer.write((head + rest * (number % 2)).encode())

        status, page = await get(server.people[NAME])

        assert (status, 'name="consent"' in page) == (200, True)
        for _, writer in halves:
            writer.close()
        assert await server.stop() == 0


@pytest.mark.parametrize("workers", ["1", "2"])
async def test_the_server_ends_in_order_when_it_is_told_to(study_file: Path, workers: str) -> None:
    server = await start_server([str(study_file)], "--port", "0", "--workers", workers)
    await get(server.people[NAME])

    assert await server.stop() == 0


@pytest.mark.parametrize("workers", ["1", "2"])
async def test_the_server_of_a_command_ends_when_that_command_is_gone(study_file: Path, workers: str) -> None:
    server = await start_server([str(study_file)], "--port", "0", "--workers", workers)
    await get(server.people[NAME])

    # the system closes this end of the pipe when the process that holds it is killed
    assert server.process.stdin is not None
    server.process.stdin.close()

    assert await server.process.wait() == 0


async def test_ctrl_c_is_no_failure(study_file: Path) -> None:
    server = await start_server([str(study_file)], "--port", "0")
    await get(server.people[NAME])

    server.process.send_signal(signal.SIGINT)

    assert await server.process.wait() == 0
    await server.kill()


async def test_workers_do_not_outlive_the_command(study_file: Path) -> None:
    server = await start_server([str(study_file)], "--port", "0", "--workers", "2")
    await get(server.people[NAME])

    server.process.kill()

    # The workers let go of the port when they have ended.
    async with asyncio.timeout(60):
        with pytest.raises(aiohttp.ClientConnectionError):
            while True:
                await get(server.people[NAME])
    await server.kill()


async def test_several_studies_are_served_from_one_database(study_file: Path, tmp_path: Path) -> None:
    run(["init", str(tmp_path / "other")])
    other = tmp_path / "other" / "study.yaml"
    other.write_text(other.read_text().replace(f"study: {NAME}", "study: other"))

    async with running_server([str(study_file), str(other)], "--port", "0") as server:
        statuses = [(await get(address))[0] for address in server.people.values()]

    assert list(server.people) == [NAME, "other"]
    assert statuses == [200, 200]


def test_one_study_twice_is_wrong_usage(study_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["serve", str(study_file), str(study_file), "--port", "0"]) == 2


def test_a_database_of_another_version_is_refused(study_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = study_file.with_suffix(".db")
    upgrade(f"sqlite:///{database}", "0001")

    assert run(["serve", str(study_file), "--port", "0"]) == 1

    assert "crito db upgrade" in capsys.readouterr().err


def test_a_database_of_a_later_version_is_refused(study_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = study_file.with_suffix(".db")
    upgrade(f"sqlite:///{database}")
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()

    assert run(["serve", str(study_file), "--port", "0"]) == 1

    assert "9999" in capsys.readouterr().err


async def test_a_port_that_is_taken_is_said(study_file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    async with running_server([str(study_file)], "--port", "0") as server:
        port = server.address.rsplit(":", 1)[1]

        with pytest.raises(CritoError, match="status 2"):
            await start_server([str(study_file)], "--port", port)

    assert port in capfd.readouterr().err


def test_a_model_without_its_key_is_said_at_the_start(
    study_file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    study_file.write_text(study_file.read_text().replace("model: script", "model: anthropic:claude-haiku"))

    assert run(["serve", str(study_file), "--port", "0"]) == 2

    assert "ANTHROPIC_API_KEY" in capsys.readouterr().err


def with_a_third_label(file: Path) -> None:
    file.write_text(file.read_text().replace("Not sarcastic]", "Not sarcastic, Unclear]"))


async def test_a_rehearsal_can_be_discarded(study_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with running_server([str(study_file)], "--port", "0", "--rehearsal") as server:
        crowd = Crowd(people=2, temper=STEADY)
        await rehearse(server.people[NAME], crowd)

    await asyncio.to_thread(with_a_third_label, study_file)
    assert await asyncio.to_thread(run, ["serve", str(study_file), "--port", "0", "--rehearsal"]) == 1
    assert "begin the rehearsal anew with --discard-rehearsal" in capsys.readouterr().err

    async with running_server([str(study_file)], "--port", "0", "--discard-rehearsal") as server:
        assert (await get(server.people[NAME]))[0] == 200

    with closing(sqlite3.connect(study_file.with_suffix(".db"))) as connection:
        (people,) = connection.execute("SELECT count(*) FROM participants").fetchone()
    assert people == 0
