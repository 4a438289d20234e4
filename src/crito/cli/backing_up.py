"""`crito backup` and `crito restore`."""

import asyncio
import contextlib
from collections.abc import Mapping
from pathlib import Path

from crito.bootstrap import Settings, open_parts
from crito.cli import screen
from crito.cli.places import database, require_database, shown_database, study_file
from crito.model.errors import Conflict, NotFound
from crito.model.ids import AnnotatorId
from crito.services.erasing import erase
from crito.store.copying import Erased, back_up, count_with_words, end_roles_as_in, erased_people, restore

RESTORED = "restoring a backup"


def backup(study: Path | None, db: str | None, out: Path, *, as_json: bool) -> None:
    """Copy the record into a file, while people go on working.

    Raises:
        CritoError: there is no such database, the file exists or cannot be written.
    """
    url = database(db, study_file(study) if study else None)
    require_database(url)
    copied = back_up(url, out)
    if as_json:
        screen.facts({"file": str(out), "made_at": copied.made_at, "rows": dict(copied.rows)})
        return
    screen.next_command(
        f"{copied.n_rows:,} rows are in {out}, read back and compared, as they were at {copied.made_at:%Y-%m-%d %H:%M:%S} UTC.",
        f"crito restore {out} --db sqlite:///NEW.db",
    )


def restore_backup(file: Path, db: str, erased_in: str | None, *, as_json: bool) -> None:
    """Copy a backup into a new database, and take back again what was taken back since.

    Raises:
        CritoError: the file is no backup, or the database is not empty.
    """
    erased_since = dict(erased_people(erased_in)) if erased_in else {}
    copied = restore(file, db)
    n_roles = end_roles_as_in(db, erased_in) if erased_in else 0
    known = erased_people(db)
    again = {who: erased for who, erased in sorted(erased_since.items()) if known.get(who) != erased}
    taken_back = asyncio.run(_take_back(db, again)) if again else []
    if as_json:
        screen.facts(
            {
                "database": shown_database(db),
                "made_at": copied.made_at,
                "rows": dict(copied.rows),
                "erased_again": taken_back,
                "roles_ended_again": n_roles,
            }
        )
        return
    for annotator in taken_back:
        screen.note(f"Note: {annotator} took their words back after this backup was made; they are erased here too.")
    if not erased_in:
        screen.note(
            f"Warning: whoever took their words back after {copied.made_at:%Y-%m-%d %H:%M:%S} UTC has them in here again: "
            f"it holds words of {count_with_words(db):,} people. "
            "Restore with --erased-in and the address of the database that was in use, or withdraw them by hand; "
            f"{len(known):,} people had withdrawn before and stay erased. "
            "Roles that were ended and passwords that were changed since are as they were, too."
        )
    if n_roles:
        screen.note(f"Note: roles that were ended after this backup was made are ended here too: {n_roles:,}.")
    screen.note(
        "Sessions, links and tokens open nothing here: sign in anew, print links with `crito owner`, and make new tokens."
    )
    screen.next_command(
        f"{copied.n_rows:,} rows are in {shown_database(db)}, read back and compared.", "crito serve STUDY --db …"
    )


async def _take_back(db: str, people: Mapping[AnnotatorId, Erased]) -> list[AnnotatorId]:
    done = []
    async with open_parts(Settings(db)) as parts:
        for annotator, erased in people.items():
            # whoever came after the backup was made is not in it
            with contextlib.suppress(NotFound):
                try:
                    await erase(parts, erased.study, annotator, erased.scope, RESTORED, forget=erased.forgotten)
                except Conflict:
                    # As the backup has them, they were still taking part.
                    await erase(parts, erased.study, annotator, "whole", RESTORED, forget=erased.forgotten)
                done.append(annotator)
    return done
