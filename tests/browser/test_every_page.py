"""Every page in every state it can be in, also those that a walk seldom meets: axe finds nothing, nothing runs over."""

import socket
import threading
from collections.abc import Iterator

import pytest
import uvicorn
from playwright.sync_api import Browser

from tests.browser.conftest import NARROW, PATIENCE_MS, WIDE, Visitor
from tests.web import gallery

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def gallery_address() -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn.Config(gallery.app, log_level="warning", access_log=False))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        thread.join(30)


@pytest.fixture(scope="module", params=[(WIDE, "light"), (NARROW, "dark")], ids=["1280-light", "390-dark"])
def onlooker(request: pytest.FixtureRequest, chromium: Browser) -> Iterator[Visitor]:
    """Somebody who looks at one page after the other in the same window."""
    size, theme = request.param
    context = chromium.new_context(viewport=size, color_scheme=theme)
    context.set_default_timeout(PATIENCE_MS)
    yield Visitor(context.new_page(), None)  # type: ignore[arg-type]
    context.close()


@pytest.mark.parametrize("name", gallery.NAMES)
def test_no_page_keeps_anyone_out(onlooker: Visitor, gallery_address: str, name: str) -> None:
    onlooker.page.goto(f"{gallery_address}/{name}")

    width = onlooker.page.evaluate("innerWidth")
    onlooker.look(f"{name}-{width}")

    onlooker.check_access()
    assert onlooker.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
