"""Databases for every test that asks for one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.postgres import NoPostgres, Postgres, running_postgres
from tests.surroundings import unavailable

ON_BOTH_DATABASES = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """The PostgreSQL server of this test run (of this worker, when pytest runs several)."""
    try:
        with running_postgres() as server:
            yield server
    except NoPostgres as error:
        unavailable("PostgreSQL", str(error))


@pytest.fixture
def postgres_url(postgres: Postgres) -> Iterator[str]:
    """The address of a new, empty PostgreSQL database."""
    name = postgres.new_database()
    yield postgres.url(name)
    postgres.drop_database(name)


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """The address of an SQLite file that does not exist yet."""
    return f"sqlite:///{tmp_path / 'crito.db'}"


@pytest.fixture(params=ON_BOTH_DATABASES)
def store_url(request: pytest.FixtureRequest) -> str:
    """A new, empty database of either kind: the test runs once on each."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url
