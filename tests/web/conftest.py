"""A site with the bundled study on SQLite."""

from collections.abc import AsyncIterator

import pytest

from tests.web.site import Site, opened_site


@pytest.fixture
async def site(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Site]:
    async with opened_site(f"sqlite:///{tmp_path_factory.mktemp('site') / 'crito.db'}") as opened:
        yield opened
