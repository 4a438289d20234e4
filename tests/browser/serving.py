"""The real app on a socket of this machine, for a real browser."""

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import uvicorn

from crito.model.study import Study
from crito.services.parts import Parts
from crito.services.ports.models import ChatModels
from crito.web.settings import WebSettings
from tests.web.site import Site, no_models, opened_site


@dataclass
class Served:
    """A running site: its address, and a way to run a use case inside it."""

    site: Site
    origin: str
    run: Callable[..., object]

    @property
    def address(self) -> str:
        return self.origin + self.site.base

    @property
    def study(self) -> Study:
        return self.site.study

    @property
    def parts(self) -> Parts:
        return self.site.parts


@contextmanager
def served(
    url: str, study: Study | None = None, settings: WebSettings | None = None, models: ChatModels = no_models
) -> Iterator[Served]:
    """Serve `study` on a free port until the block ends."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        origin = f"http://127.0.0.1:{listening.getsockname()[1]}"
        loop, ready, over = asyncio.new_event_loop(), threading.Event(), asyncio.Event()
        opened: list[Site] = []

        async def serve() -> None:
            async with opened_site(url, study, settings, models) as site:
                config = uvicorn.Config(site.app, log_level="warning", access_log=False, proxy_headers=False)
                server = uvicorn.Server(config)
                server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
                opened.append(site)
                running = asyncio.create_task(server.serve(sockets=[listening]))
                # The socket listens already: who comes before the server is up waits in its queue.
                ready.set()
                await over.wait()
                server.should_exit = True
                await running

        def run() -> None:
            asyncio.set_event_loop(loop)
            try:
                loop.run_until_complete(serve())
            finally:
                ready.set()
                loop.close()

        thread = threading.Thread(target=run, name="site", daemon=True)
        thread.start()
        ready.wait(30)
        assert opened, "the site did not start"
        try:
            yield Served(opened[0], origin, lambda work: asyncio.run_coroutine_threadsafe(work, loop).result(30))
        finally:
            loop.call_soon_threadsafe(over.set)
            thread.join(30)
