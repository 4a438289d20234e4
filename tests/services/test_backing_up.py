"""A record copied while it is in use, restored on either database, with what people took back since."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from crito.cli import run
from crito.model.errors import DatabaseMismatch, Forbidden, InvalidInput
from crito.model.ids import AnnotatorId
from crito.services import accounts, members, tokens
from crito.services.participation import withdraw
from crito.services.parts import Parts
from crito.services.publishing import publish
from crito.services.showing import page
from crito.store.copying import back_up, erased_people, restore
from crito.store.opening import open_store
from crito.store.verify import verify
from tests.builders import make_study
from tests.services.walking import NAME, enrol, walk


async def two_people(parts: Parts) -> tuple[AnnotatorId, AnnotatorId]:
    """One who is done, and one who is in the middle of a talk."""
    await publish(parts, make_study())
    done, talking = await enrol(parts, "pid-1"), await enrol(parts, "pid-2")
    await walk(parts, done)
    await walk(parts, talking, until="TalkPage")
    return done, talking


def test_a_backup_holds_every_row_and_its_time(record_url: str, parts: Parts, tmp_path: Path) -> None:
    open_store_copied = back_up(record_url, tmp_path / "copy.db")

    assert open_store_copied.rows.keys() >= {"annotations", "words", "calls", "exposures"}
    assert [file.name for file in tmp_path.glob("copy*")] == ["copy.db"]
    assert list(tmp_path.glob(".copy*")) == []


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
async def test_people_go_on_where_they_were_on_either_database(
    kind: str, parts: Parts, record_url: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    _, talking = await two_people(parts)
    before = await page(parts, talking)
    back_up(record_url, tmp_path / "copy.db")
    url = f"sqlite:///{tmp_path / 'restored.db'}"
    if kind == "postgres":
        server = request.getfixturevalue("postgres")
        url = server.url(server.new_database())

    restored = restore(tmp_path / "copy.db", url)

    again = Parts(open_store(url), parts.models, parts.now, parts.new_seed)
    try:
        assert await page(again, talking) == before
        assert restored.n_rows > 0
        await walk(again, talking)
        await enrol(again, "pid-3")
    finally:
        await again.store.close()
    assert all(check.passed for check in verify(url, NAME))


async def test_what_was_taken_back_since_is_taken_back_in_the_restored_record_too(
    parts: Parts, record_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done, talking = await two_people(parts)
    back_up(record_url, tmp_path / "copy.db")
    await withdraw(parts, done)
    new = tmp_path / "new.db"

    assert (
        await asyncio.to_thread(
            run, ["restore", str(tmp_path / "copy.db"), "--db", f"sqlite:///{new}", "--erased-in", record_url]
        )
        == 0
    )

    said = capsys.readouterr().err
    assert f"{done} took their words back" in said
    assert talking not in said
    assert erased_people(f"sqlite:///{new}") == {done: (NAME, "whole", False)}
    with closing(sqlite3.connect(new)) as connection:
        kept = connection.execute("SELECT body FROM words WHERE owner = ?", (done,)).fetchall()
    assert kept
    assert all(text is None for (text,) in kept)


async def test_restoring_without_the_present_record_warns_of_words_that_come_back(
    parts: Parts, record_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await two_people(parts)
    back_up(record_url, tmp_path / "copy.db")

    assert (
        await asyncio.to_thread(run, ["restore", str(tmp_path / "copy.db"), "--db", f"sqlite:///{tmp_path / 'new.db'}"])
        == 0
    )

    assert "has them in here again" in capsys.readouterr().err


def test_a_backup_replaces_no_file(record_url: str, parts: Parts, tmp_path: Path) -> None:
    (tmp_path / "copy.db").write_text("mine")

    with pytest.raises(InvalidInput, match="replaces nothing"):
        back_up(record_url, tmp_path / "copy.db")

    assert (tmp_path / "copy.db").read_text() == "mine"


def test_a_database_in_use_is_not_restored_into(record_url: str, parts: Parts, tmp_path: Path) -> None:
    back_up(record_url, tmp_path / "copy.db")

    with pytest.raises(DatabaseMismatch, match="holds something already"):
        restore(tmp_path / "copy.db", record_url)


@pytest.mark.parametrize("content", [b"", b"no database", None])
def test_what_is_no_backup_is_refused(content: bytes | None, tmp_path: Path) -> None:
    file = tmp_path / "other.db"
    if content is not None:
        file.write_bytes(content)

    with pytest.raises(InvalidInput):
        restore(file, f"sqlite:///{tmp_path / 'new.db'}")


async def test_what_was_revoked_since_opens_nothing_in_a_restored_record(
    parts: Parts, record_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(accounts, "SCRYPT_N", 2)
    await publish(parts, make_study())
    sessions = []
    for name in ("Ada", "Eva"):
        _, link = await members.invite(parts, NAME, "owner", name)
        sessions.append(await accounts.follow_link(parts, link, name=name, password="a kettle sings"))
    _, link = await members.invite(parts, NAME, "owner", "Mia")
    token = await tokens.make_api_token(parts, NAME)
    await asyncio.to_thread(back_up, record_url, tmp_path / "copy.db")
    eva, ada = [await accounts.signed_in(parts, session) for session in sessions[::-1]]
    assert eva
    assert ada
    await members.end_role(parts, NAME, eva.account.id)
    await accounts.change(parts, ada, "Ada", "", "a kettle sings", "another kettle")
    url = f"sqlite:///{tmp_path / 'restored.db'}"

    status = await asyncio.to_thread(
        run, ["restore", str(tmp_path / "copy.db"), "--db", url, "--erased-in", record_url]
    )

    said = capsys.readouterr()
    assert status == 0, said.err
    assert "are ended here too: 1." in said.err
    again = Parts(open_store(url), parts.models, parts.now, parts.new_seed)
    try:
        for session in sessions:
            assert await accounts.signed_in(again, session) is None
        assert await accounts.look_at_link(again, link) is None
        assert await tokens.token_of(again, token) is None
        assert [one.name for one in (await members.access(again, NAME)).members] == ["Ada"]
        with pytest.raises(Forbidden):
            await accounts.sign_in(again, "Ada", "a kettle sings", "here")
        assert await accounts.sign_in(again, "Ada", "another kettle", "here")
    finally:
        await again.store.close()
