"""Commands about a record that exists: a new link for its owner, the database's life."""

import asyncio
from pathlib import Path

from crito.bootstrap import Settings, open_parts
from crito.cli import screen
from crito.cli.places import database, existing_study, study_file
from crito.services.access import make_owner_link
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
