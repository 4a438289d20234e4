"""How a store is opened from its address."""

from crito.services.ports.store import Store
from crito.store.engines import open_engine
from crito.store.postgres_store import PostgresStore
from crito.store.schema import check_schema, is_empty, upgrade
from crito.store.sqlite_store import SqliteStore


def open_store(url: str) -> Store:
    """The store at `url`; a new, empty database gets its tables first.

    Raises:
        DatabaseMismatch: the database is of another schema than this code.
    """
    engine = open_engine(url)
    try:
        if is_empty(engine):
            upgrade(url)
        check_schema(engine)
    except BaseException:
        engine.dispose()
        raise
    return SqliteStore(engine) if engine.dialect.name == "sqlite" else PostgresStore(engine)
