"""Access, tokens and several studies on the command line."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from crito.bootstrap import Settings, load_study, open_parts
from crito.cli import run
from crito.model.access import Reading
from crito.model.ids import AccountId, AnnotatorId, AssignmentId
from crito.services import accounts, members, tokens
from crito.services.publishing import publish
from tests.builders import NOON

Said = pytest.CaptureFixture[str]


@pytest.fixture
def study(tmp_path: Path, capsys: Said) -> Path:
    """A study that was published beside its file."""
    assert run(["init", str(tmp_path / "notes"), "--template", "solo"]) == 0
    file = tmp_path / "notes/study.yaml"

    async def publish_it() -> None:
        async with open_parts(Settings(f"sqlite:///{file.with_suffix('.db')}")) as parts:
            await publish(parts, load_study(file))

    asyncio.run(publish_it())
    capsys.readouterr()
    return file


def facts(capsys: Said, *command: str) -> dict[str, Any]:
    assert run([*command, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def follow(study: Path, link: str, name: str) -> str:
    async def work() -> str:
        async with open_parts(Settings(f"sqlite:///{study.with_suffix('.db')}")) as parts:
            return await accounts.follow_link(parts, link.rpartition("/")[2], name=name)

    return asyncio.run(work())


def test_somebody_is_invited_let_in_again_and_sent_away(study: Path, capsys: Said) -> None:
    at = "https://study.example.org/crito/"
    made = facts(capsys, "access", "invite", str(study), "Ken Mori", "--role", "reader", "--address", at)
    assert made["link"].startswith("https://study.example.org/crito/enter/")
    follow(study, made["link"], "Ken Mori")
    again = facts(capsys, "access", "link", str(study), "ken mori")
    assert follow(study, again["link"], "")
    listed = facts(capsys, "access", "list", str(study))["access"]
    assert [(one["kind"], one["role"], one["name"]) for one in listed] == [("role", "reader", "Ken Mori")]

    facts(capsys, "access", "end", str(study), "Ken Mori")

    assert facts(capsys, "access", "list", str(study))["access"] == []
    assert run(["access", "link", str(study), "Ken Mori"]) == 1
    assert "nobody called 'Ken Mori'" in capsys.readouterr().err


def test_an_invitation_and_a_personal_link_are_taken_back_by_their_ids(study: Path, capsys: Said) -> None:
    facts(capsys, "access", "invite", str(study), "Mia", "--role", "owner")
    facts(capsys, "expert", "add", str(study), "Lea")
    kinds = {one["kind"]: one["id"] for one in facts(capsys, "access", "list", str(study))["access"]}

    for id_ in kinds.values():
        facts(capsys, "access", "end", str(study), id_)

    assert kinds.keys() == {"link", "personal link"}
    assert run(["access", "end", str(study), kinds["link"]]) == 1


def test_the_last_owner_stays(study: Path, capsys: Said) -> None:
    made = facts(capsys, "access", "invite", str(study), "Ada", "--role", "owner")
    follow(study, made["link"], "Ada")

    assert run(["access", "end", str(study), "Ada"]) == 1

    assert "one owner at least" in capsys.readouterr().err


@pytest.mark.parametrize(
    "wrong",
    [
        ["access", "invite", "STUDY", "Ken", "--role", "boss"],
        ["access", "invite", "STUDY", "ken@example.org", "--role", "reader"],
        ["token", "make", "STUDY", "nightly", "--scope", "read:everything"],
        ["study", "clone", "STUDY", "No Name"],
    ],
)
def test_what_cannot_be_used_is_wrong_usage(study: Path, capsys: Said, wrong: list[str]) -> None:
    assert run([str(study) if word == "STUDY" else word for word in wrong]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_a_token_is_told_once_listed_without_its_text_and_revoked(study: Path, capsys: Said) -> None:
    made = facts(capsys, "token", "make", str(study), "nightly", "--scope", "read:labels", "--days", "3")
    assert run(["token", "list", str(study)]) == 0
    table = capsys.readouterr().out
    (token,) = facts(capsys, "token", "list", str(study))["tokens"]
    assert (token["name"], token["scopes"], token["revoked"]) == ("nightly", "read:labels", None)
    assert made["token"] not in table

    facts(capsys, "token", "revoke", str(study), token["id"])

    async def found() -> object:
        async with open_parts(Settings(f"sqlite:///{study.with_suffix('.db')}")) as parts:
            return await tokens.token_of(parts, made["token"])

    assert asyncio.run(found()) is None
    assert run(["token", "revoke", str(study), token["id"]]) == 1


def test_studies_are_paused_archived_opened_and_cloned(study: Path, capsys: Said) -> None:
    name = facts(capsys, "study", "pause", str(study))["study"]
    assert facts(capsys, "study", "pause", str(study))["changed"] is False
    copy = facts(capsys, "study", "clone", str(study), "copy-2")
    assert "/s/copy-2/owner/enter/" in copy["owner"]
    facts(capsys, "study", "archive", "copy-2", "--db", f"sqlite:///{study.with_suffix('.db')}")

    states = {one["study"]: one["state"] for one in facts(capsys, "study", "list", str(study))["studies"]}

    assert states == {name: "paused", "copy-2": "archived"}
    assert facts(capsys, "study", "open", str(study))["state"] == "open"
    assert run(["study", "clone", str(study), "copy-2"]) == 1


def test_readings_are_listed_the_newest_first(study: Path, capsys: Said) -> None:
    async def read() -> None:
        async with open_parts(Settings(f"sqlite:///{study.with_suffix('.db')}")) as parts:
            name = (await parts.store.read(lambda tx: tx.study_names()))[0]
            assert (await members.access(parts, name)).members == []
            lines = [
                Reading(name, AccountId("u"), who, AnnotatorId("p"), AssignmentId("a"), NOON) for who in ("Ken", "Eva")
            ]
            await parts.store.write(lambda tx: tx.add_readings(lines))

    asyncio.run(read())

    found = facts(capsys, "access", "readings", str(study))

    assert [one["reader"] for one in found["readings"]] == ["Eva", "Ken"]
    assert run(["access", "readings", str(study)]) == 0
    assert "2 readings in all." in capsys.readouterr().out
