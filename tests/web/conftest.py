"""A site with the bundled study on SQLite."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.building import ROOT, hatch_build
from tests.web.site import Site, opened_site


@pytest.fixture(scope="session", autouse=True)
def catalogues() -> None:
    """The translations as they stand in this checkout, compiled."""
    hatch_build().compile_catalogues(ROOT)


@pytest.fixture(scope="session")
def fresh_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database that holds the bundled study and nobody yet; tests take copies, which is faster than making it."""
    path = tmp_path_factory.mktemp("site") / "fresh.db"

    async def make() -> None:
        async with opened_site(f"sqlite:///{path}"):
            pass

    asyncio.run(make())
    return path


@pytest.fixture
async def site(fresh_database: Path, tmp_path: Path) -> AsyncIterator[Site]:
    copy = tmp_path / "site.db"
    shutil.copy(fresh_database, copy)
    async with opened_site(f"sqlite:///{copy}") as opened:
        yield opened
