"""Commands about who may do what: people with access, tokens, readings; and about the studies of a record."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

from crito.bootstrap import Settings, open_parts
from crito.cli import screen
from crito.cli.places import database, existing_study, require_database, shown_database
from crito.model.errors import InvalidInput, NotFound
from crito.model.ids import AccountId, StudyName
from crito.services import accounts, hosting, members, reading, tokens
from crito.services.parts import Parts

Result = TypeVar("Result")
LISTED = 50
"""Readings that are listed at most."""


def _do(url: str, work: Callable[[Parts], Awaitable[Result]]) -> Result:
    async def opened() -> Result:
        async with open_parts(Settings(url)) as parts:
            return await work(parts)

    return asyncio.run(opened())


def _link(address: str, token: str) -> str:
    return f"{address.rstrip('/')}/enter/{token}"


def invite(study: str, db: str | None, name: str, role: str, address: str, *, as_json: bool) -> None:
    """Print a one-time link for somebody new.

    Raises:
        NotFound: the study or its database is not there.
        InvalidInput: there is no such role, or no name.
    """
    study_name, url = existing_study(study, db)
    made, token = _do(url, lambda parts: members.invite(parts, study_name, role, name))
    if as_json:
        screen.facts({"study": study_name, "role": made.role, "invitation": made.id, "link": _link(address, token)})
        return
    screen.say(_link(address, token), accent=True)
    screen.say(f"It lets {made.name} in once, as {made.role}, until {made.until:%Y-%m-%d %H:%M} UTC.")


def let_in_again(study: str, db: str | None, name: str, address: str, *, as_json: bool) -> None:
    """Print a one-time link that signs somebody in who has a role already.

    Raises:
        NotFound: the study is not there, or nobody of this name works on it.
    """
    study_name, url = existing_study(study, db)

    async def make(parts: Parts) -> str:
        account = await _account(parts, study_name, name)
        return (await members.let_in_again(parts, study_name, account))[1]

    link = _link(address, _do(url, make))
    if as_json:
        screen.facts({"study": study_name, "link": link})
        return
    screen.say(link, accent=True)
    screen.say(f"It signs {name} in once.")


async def _account(parts: Parts, study: StudyName, name: str) -> AccountId:
    for row in (await members.access(parts, study)).members:
        if row.name.casefold() == " ".join(name.split()).casefold():
            return row.account
    raise NotFound(f"nobody called {name!r} works on study {study!r}; `crito access list` says who does")


def end(study: str, db: str | None, name: str, *, as_json: bool) -> None:
    """End a role, a personal link, or an invitation that was not used.

    Raises:
        NotFound: the study is not there, or nobody of this name or id has access to it.
        RoleRefused: it is the last owner's.
    """
    study_name, url = existing_study(study, db)

    async def work(parts: Parts) -> str:
        found = await members.access(parts, study_name)
        if name in {one.id for one in found.invitations}:
            await members.withdraw_invitation(parts, study_name, name)
            return "The link lets nobody in any more."
        for expert, called in found.linked_experts:
            if name in (called, expert.id):
                ended = await members.end_personal_link(parts, study_name, expert.id)
                return f"{ended} links and sessions of {expert.id} are ended."
        await members.end_role(parts, study_name, await _account(parts, study_name, name))
        return f"{name} has no role in {study_name} any more."

    done = _do(url, work)
    if as_json:
        screen.facts({"study": study_name, "ended": name})
    else:
        screen.say(done)


def people(study: str, db: str | None, *, as_json: bool) -> None:
    """List who can come in.

    Raises:
        NotFound: the study or its database is not there.
    """
    study_name, url = existing_study(study, db)
    found = _do(url, lambda parts: members.access(parts, study_name))
    facts: list[dict[str, Any]] = [
        {"kind": "role", "role": one.role, "name": one.name, "since": one.at.isoformat(), "id": one.account}
        for one in found.members
    ]
    facts += [
        {"kind": "link", "role": one.role, "name": one.name, "since": one.at.isoformat(), "id": one.id}
        for one in found.invitations
    ]
    facts += [
        {"kind": "personal link", "role": "expert", "name": name, "since": one.arrived_at.isoformat(), "id": one.id}
        for one, name in found.linked_experts
    ]
    if as_json:
        screen.facts({"study": study_name, "access": facts})
        return
    if not facts:
        screen.say("Nobody can come in yet.")
    else:
        screen.table(("kind", "role", "name", "since", "id"), [tuple(fact.values()) for fact in facts])
    screen.next_command(
        f"{len(facts)} ways in.", f'crito access invite {study_name} "NAME" --role reader --db {shown_database(url)}'
    )


def readings(study: str, db: str | None, *, as_json: bool) -> None:
    """List who read which transcript, the newest first.

    Raises:
        NotFound: the study or its database is not there.
    """
    study_name, url = existing_study(study, db)

    async def work(parts: Parts) -> tuple[int, list[dict[str, Any]]]:
        found = await reading.readings(parts, study_name, limit=10**6 if as_json else LISTED)
        rows = [
            {"at": one.at.isoformat(), "reader": one.reader, "assignment": one.assignment, "annotator": one.annotator}
            for _, one in found
        ]
        return await reading.count_readings(parts, study_name), rows

    n_readings, rows = _do(url, work)
    if as_json:
        screen.facts({"study": study_name, "n_readings": n_readings, "readings": rows})
        return
    if rows:
        screen.table(("at", "reader", "assignment", "annotator"), [tuple(row.values()) for row in rows])
    screen.say(
        f"{n_readings:,} readings in all" + (f", the newest {LISTED} are listed." if n_readings > LISTED else ".")
    )


def make_token(study: str, db: str | None, name: str, scopes: Sequence[str], days: int, *, as_json: bool) -> None:
    """Print a new token for the API.

    Raises:
        NotFound: the study or its database is not there.
        InvalidInput: there is no such scope, no name, or no such time.
    """
    study_name, url = existing_study(study, db)

    async def make(parts: Parts) -> str:
        await parts.latest(study_name)
        return await tokens.make_api_token(parts, study_name, name, scopes, days)

    text = _do(url, make)
    if as_json:
        screen.facts({"study": study_name, "token": text, "scopes": list(tokens.scopes_named(scopes))})
        return
    screen.say(text, accent=True)
    screen.say(
        f"It is shown only now. It may {', '.join(tokens.scopes_named(scopes))} of {study_name} for {days} days."
    )


def list_tokens(study: str, db: str | None, *, as_json: bool) -> None:
    """List the tokens of a study; the text of none.

    Raises:
        NotFound: the study or its database is not there.
    """
    study_name, url = existing_study(study, db)
    found = _do(url, lambda parts: tokens.api_tokens(parts, study_name))
    rows = [
        {
            "id": one.id,
            "name": one.name,
            "scopes": " ".join(one.scopes),
            "until": one.until.isoformat(),
            "revoked": one.revoked_at.isoformat() if one.revoked_at else None,
        }
        for one in found
    ]
    if as_json:
        screen.facts({"study": study_name, "tokens": rows})
    elif rows:
        screen.table(tuple(rows[0]), [tuple(row.values()) for row in rows])
    else:
        screen.say("No token was made yet.")


def revoke_token(study: str, db: str | None, token: str, *, as_json: bool) -> None:
    """Revoke a token.

    Raises:
        NotFound: the study is not there, or it has no such token that is still good.
    """
    study_name, url = existing_study(study, db)
    if not _do(url, lambda parts: tokens.revoke_api_token(parts, study_name, token)):
        raise NotFound(
            f"study {study_name!r} has no token {token!r} that could be revoked; `crito token list` names them"
        )
    if as_json:
        screen.facts({"study": study_name, "revoked": token})
    else:
        screen.say(f"{token} opens nothing any more.")


def list_studies(study: str | None, db: str | None, *, as_json: bool) -> None:
    """List the studies of a record.

    Raises:
        NotFound: the database is not there.
    """
    url = existing_study(study, db)[1] if study else database(db, None)
    require_database(url)
    found = _do(url, hosting.all_studies)
    rows = [
        {
            "study": one.name,
            "state": one.state,
            "since": one.changed_at.isoformat() if one.changed_at else None,
            "people": one.people,
            "done": one.done,
        }
        for one in found
    ]
    if as_json:
        screen.facts({"studies": rows})
    else:
        screen.table(("study", "state", "since", "people", "done"), [tuple(row.values()) for row in rows])


def set_state(study: str, db: str | None, wanted: str, *, as_json: bool) -> None:
    """Open, pause or archive a study.

    Raises:
        NotFound: the study or its database is not there.
    """
    study_name, url = existing_study(study, db)
    state = hosting.state_named(wanted)
    changed = _do(url, lambda parts: hosting.set_state(parts, study_name, state))
    if as_json:
        screen.facts({"study": study_name, "state": state, "changed": changed})
    else:
        screen.say(f"{study_name} is {state}{' now' if changed else ' already'}.")


def clone(study: str, db: str | None, name: str, address: str, *, as_json: bool) -> None:
    """Publish a study under a new name, and print a link for its owner.

    Raises:
        NotFound: the study or its database is not there.
        InvalidInput: the name is none that a study can have.
        Conflict: a study has this name.
    """
    study_name, url = existing_study(study, db)
    if not name:
        raise InvalidInput("the copy needs a name", wanted="crito study clone STUDY NAME", key="NAME")

    async def work(parts: Parts) -> str:
        copy = await hosting.clone(parts, study_name, name)
        return await accounts.make_owner_link(parts, copy)

    link = f"{address.rstrip('/')}/s/{name}/owner/enter/{_do(url, work)}"
    if as_json:
        screen.facts({"study": name, "owner": link})
        return
    screen.say(link, accent=True)
    screen.say(
        f"{name} has the items and questions of {study_name} and nobody in it; a server that runs serves it at once."
    )
