"""The database's edition: making it, bringing it up to date, refusing what we do not know."""

from pathlib import Path

from sqlalchemy import Column, Connection, Engine, MetaData, PrimaryKeyConstraint, String, Table, inspect, select

from crito.model.errors import DatabaseMismatch
from crito.store.engines import open_engine, shown
from crito.store.tables.columns import metadata

REVISIONS = ("0001", "0002", "0003", "0004", "0005", "0006", "0007", "0008", "0009", "0010", "0011")
"""Every edition of the schema, oldest first; the last is the one this code reads and writes."""

EDITION = Table(
    "alembic_version",
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
"""Where Alembic notes the edition of a database, as Alembic makes it."""


def is_empty(engine: Engine) -> bool:
    """Whether nobody has made a table yet."""
    return not inspect(engine).get_table_names()


def check_schema(engine: Engine) -> None:
    """Do nothing if the database is of the present edition.

    Raises:
        DatabaseMismatch: it is empty, older, newer, or not Crito's.
    """
    where = shown(engine.url)
    found = inspect(engine).get_table_names()
    if not found:
        raise DatabaseMismatch(f"the database {where} is empty; `crito db upgrade --db {where}` makes its tables")
    if EDITION.name not in found:
        raise DatabaseMismatch(f"the database {where} holds tables that are not Crito's; name another with --db")
    with engine.connect() as connection:
        revision = connection.scalar(select(EDITION.c.version_num))
    if revision == REVISIONS[-1]:
        return
    if revision in REVISIONS:
        raise DatabaseMismatch(
            f"the database {where} is of schema {revision}, but this version of Crito needs {REVISIONS[-1]}; "
            f"make a backup, then run `crito db upgrade --db {where}`"
        )
    raise DatabaseMismatch(
        f"the database {where} is of schema {revision!r}, which this version of Crito does not know "
        f"(it knows {', '.join(REVISIONS)}); use the version of Crito that made it, or a later one"
    )


def upgrade(url: str, revision: str = REVISIONS[-1]) -> None:
    """Bring the database to `revision`, keeping its rows; several processes may ask at once.

    Raises:
        DatabaseMismatch: it holds tables that are not Crito's, or is of a later edition than this code knows.
    """
    engine = open_engine(url)
    try:
        if engine.dialect.name == "sqlite":
            _upgrade_sqlite(engine, revision)
        else:
            with engine.begin() as connection:
                connection.exec_driver_sql("SELECT pg_advisory_xact_lock(hashtext('crito schema'))")
                _migrate(connection, revision)
    finally:
        engine.dispose()


def _upgrade_sqlite(engine: Engine, revision: str) -> None:
    with engine.connect() as connection:
        # SQLite changes a table by building it anew, which must not set off the deletions of foreign keys.
        connection.exec_driver_sql("PRAGMA foreign_keys=OFF")
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        try:
            _migrate(connection, revision)
            broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
            if broken:
                raise DatabaseMismatch(f"the upgrade would leave rows without what they refer to: {broken[:5]}")
        except BaseException:
            connection.exec_driver_sql("ROLLBACK")
            raise
        connection.exec_driver_sql("COMMIT")


def _migrate(connection: Connection, revision: str) -> None:
    found = inspect(connection).get_table_names()
    if not found and revision == REVISIONS[-1]:
        _make(connection)
        return
    if found and EDITION.name not in found:
        where = shown(connection.engine.url)
        raise DatabaseMismatch(f"the database {where} holds tables that are not Crito's; name another with --db")
    if found:
        present = connection.scalar(select(EDITION.c.version_num))
        if present is not None and present not in REVISIONS:
            raise DatabaseMismatch(
                f"the database is of schema {present!r}, which this version of Crito does not know "
                f"(it knows {', '.join(REVISIONS)}); use the version of Crito that made it, or a later one"
            )
    # Alembic takes half a second to import, and only a new edition needs it.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def _make(connection: Connection) -> None:
    """The present tables at once, and Alembic's note of their edition: a tenth of the time of going through all editions."""
    metadata.create_all(connection, checkfirst=False)
    EDITION.create(connection)
    connection.execute(EDITION.insert(), {"version_num": REVISIONS[-1]})
