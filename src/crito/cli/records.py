"""Commands about a record that exists: a new link for its owner, the database's life."""

import asyncio
from pathlib import Path

from crito.bootstrap import Settings, open_parts
from crito.cli import screen
from crito.cli.places import database, existing_study, study_file
from crito.model.errors import InvalidInput
from crito.services.access import forget_identities
from crito.services.accounts import make_owner_link
from crito.store.schema import REVISIONS, upgrade


def owner(study: str, db: str | None, address: str, *, as_json: bool) -> None:
    """Print a one-time link.

    Raises:
        NotFound: the study or its database is not there.
    """
    name, url = existing_study(study, db)

    async def make() -> str:
        async with open_parts(Settings(url)) as parts:
            await parts.latest(name)
            return await make_owner_link(parts, name)

    link = f"{address.rstrip('/')}/s/{name}/owner/enter/{asyncio.run(make())}"
    if as_json:
        screen.facts({"study": name, "owner": link})
    else:
        screen.say(link, accent=True)


def upgrade_database(study: Path | None, db: str | None) -> None:
    """Bring the database up to date.

    Raises:
        DatabaseMismatch: it is not Crito's, or of a later version.
    """
    url = database(db, study_file(study) if study else None)
    upgrade(url)
    screen.next_command(f"The database is of schema {REVISIONS[-1]}.", "crito serve STUDY")


def forget(study: str, db: str | None, *, confirmed: bool) -> None:
    """Make the record of a study anonymous for good.

    Raises:
        InvalidInput: nobody confirmed it.
        NotFound: the study or its database is not there.
    """
    name, url = existing_study(study, db)
    if not confirmed:
        raise InvalidInput(
            f"this deletes for good who the pseudonyms of {name} are",
            wanted="pay everyone and close the study first, then run the command again with --yes",
        )

    async def do() -> int:
        async with open_parts(Settings(url)) as parts:
            await parts.latest(name)
            return await forget_identities(parts, name)

    n_people = asyncio.run(do())
    screen.next_command(f"Who {n_people:,} people of {name} are is not known any more.", f"crito export {name}")
