"""Commands about the database's life."""

from pathlib import Path
from typing import Annotated

import typer

from crito.cli.app import Db, Json, Recorded, cli, db_commands


@cli.command(epilog="Example: crito backup my-study/study.yaml --out before-sunday.db")
def backup(
    study: Annotated[Path | None, typer.Argument(metavar="[STUDY]", help="The study file.")] = None,
    out: Annotated[Path, typer.Option(metavar="FILE", help="The file to write.")] = Path("crito-backup.db"),
    db: Db = None,
    json: Json = False,
) -> None:
    """Copy the whole record into one file, while people go on working."""
    from crito.cli import backing_up

    backing_up.backup(study, db, out, as_json=json)


@cli.command(epilog="Example: crito restore before-sunday.db --db sqlite:///new.db --erased-in sqlite:///study.db")
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `crito backup` wrote.")],
    db: Annotated[str, typer.Option("--db", metavar="URL", help="A new database to restore into.")],
    erased_in: Annotated[
        str | None,
        typer.Option(metavar="URL", help="The database in use: what people took back there is erased again."),
    ] = None,
    json: Json = False,
) -> None:
    """Copy a backup into a new database; also the way from SQLite to PostgreSQL."""
    from crito.cli import backing_up

    backing_up.restore_backup(file, db, erased_in, as_json=json)


@db_commands.command("upgrade", epilog="Example: crito db upgrade --db sqlite:///my-study/study.db")
def db_upgrade(
    study: Annotated[Path | None, typer.Argument(metavar="[STUDY]", help="The study file.")] = None,
    db: Db = None,
) -> None:
    """Bring a database up to date, or make a new one."""
    from crito.cli import records

    records.upgrade_database(study, db)


@db_commands.command("forget", epilog="Example: crito db forget my-study --yes")
def db_forget(
    study: Recorded, db: Db = None, yes: Annotated[bool, typer.Option("--yes", help="Really do it.")] = False
) -> None:
    """Delete for good who the pseudonyms of a study are at the platform they came from."""
    from crito.cli import records

    records.forget(study, db, confirmed=yes)
