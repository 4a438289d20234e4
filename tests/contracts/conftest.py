"""A store on each kind of database, ready to use; the tables are made once and copied."""

import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from crito.services.ports import Store
from crito.store.opening import open_store
from crito.store.schema import upgrade
from tests.conftest import ON_BOTH_DATABASES
from tests.postgres import Postgres


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("template") / "crito.db"
    upgrade(f"sqlite:///{file}")
    return file


@pytest.fixture(scope="session")
def postgres_template(postgres: Postgres) -> Iterator[str]:
    name = postgres.new_database()
    upgrade(postgres.url(name))
    yield name
    postgres.drop_database(name)


@pytest.fixture
def sqlite_record(sqlite_template: Path, sqlite_url: str) -> str:
    shutil.copy(sqlite_template, sqlite_url.removeprefix("sqlite:///"))
    return sqlite_url


@pytest.fixture
def postgres_record(postgres: Postgres, postgres_template: str) -> Iterator[str]:
    name = postgres.new_database(postgres_template)
    yield postgres.url(name)
    postgres.drop_database(name)


@pytest.fixture(params=ON_BOTH_DATABASES)
def record_url(request: pytest.FixtureRequest) -> str:
    """The address of a database that has its tables and no rows."""
    url: str = request.getfixturevalue(f"{request.param}_record")
    return url


@pytest.fixture
async def store(record_url: str) -> AsyncIterator[Store]:
    opened = open_store(record_url)
    yield opened
    await opened.close()
