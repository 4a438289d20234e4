"""The API does what its description says, for whatever anyone sends."""

import asyncio
import threading
from collections.abc import Iterator

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import booleans

from crito.model.access import SCOPES
from crito.services import tokens
from tests.web.site import Site, opened_site

# Those who walked the study give the pages something to show.
WALKED = 2


class Background:
    """A loop in a thread of its own that keeps a site open."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._loop = asyncio.new_event_loop()
        self._over = asyncio.Event()
        self._ready = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.site: Site
        self.token = ""

    def _run(self) -> None:
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self) -> None:
        async with opened_site(self._url) as site:
            for number in range(WALKED):
                browser = site.browser()
                await browser.open(PROLIFIC_PID=f"person-{number}")
                await browser.go_until(site.study, ".given")
            self.site, self.token = site, await tokens.make_api_token(site.parts, site.study.name, scopes=SCOPES)
            self._ready.set()
            await self._over.wait()

    def __enter__(self) -> "Background":
        self.thread.start()
        assert self._ready.wait(60), "the site did not open"
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self.thread.join(30)


@pytest.fixture(scope="module")
def background(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Background]:
    with Background(f"sqlite:///{tmp_path_factory.mktemp('api') / 'crito.db'}") as running:
        yield running


def test_no_call_fails_on_our_side_and_every_answer_is_as_described(background: Background) -> None:
    schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", background.site.app)
    named: set[str] = set()

    for found in schema.get_all_operations():
        operation = found.ok()
        named.add(operation.path)

        @settings(max_examples=30, deadline=None, database=None, suppress_health_check=list(HealthCheck))
        @given(operation.as_strategy(), booleans())
        def holds(case: schemathesis.Case, real: bool) -> None:
            if real and case.path_parameters:
                case.path_parameters["study"] = background.site.study.name
            case.call_and_validate(headers={"Authorization": f"Bearer {background.token}"})

        holds()

    assert len(named) == 7
