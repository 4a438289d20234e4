"""The web application, put together."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from crito.model.errors import CritoError
from crito.services import listing
from crito.services.parts import Parts
from crito.web import (
    api,
    debates,
    door,
    erasing,
    evidence,
    expert,
    health,
    items,
    members,
    numbers,
    overview,
    owner,
    participant,
    pay,
    people,
    recruiting,
    transcripts,
)
from crito.web.desk import Desk, go, reading_language, root_path
from crito.web.envelope import Envelope
from crito.web.failures import crash, failure
from crito.web.logs import note_request
from crito.web.rendering import Pages
from crito.web.roles import signed_in
from crito.web.settings import WebSettings
from crito.web.static_files import StaticFiles

if TYPE_CHECKING:
    # The library behind it takes half a second to import, and most servers are not asked for metrics.
    from crito.web.metrics import Metrics


def create_app(parts: Parts, settings: WebSettings, metrics: "Metrics | None" = None) -> FastAPI:
    """The pages of participants and owners and the API, for every study that the parts know.

    The app keeps nothing about anybody in the process: any number of them may serve one database.
    `metrics` counts what is answered, and has a page of its own.
    """
    static = StaticFiles()
    desk = Desk(parts, Pages(static), settings)
    app = FastAPI(
        title="Crito",
        version="1",
        summary="Reads what people and models left in a study, and pauses it.",
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=partial(_drained, parts),
    )
    # Plain routes: what participants meet needs none of what FastAPI does for the API, and is twice as fast without.
    app.router.routes += [
        Route("/", partial(_welcome, desk), methods=["GET"]),
        Route("/static/{address:path}", static.serve, methods=["GET"]),
        *health.routes(desk),
        *(metrics.routes(parts) if metrics else []),
        *door.routes(desk),
        *participant.routes(desk),
        *expert.routes(desk),
        *owner.routes(desk),
        *overview.routes(desk),
        *people.routes(desk),
        *recruiting.routes(desk),
        *items.routes(desk),
        *pay.routes(desk),
        *erasing.routes(desk),
        *numbers.routes(desk),
        *evidence.routes(desk),
        *debates.routes(desk),
        *members.routes(desk),
        *transcripts.routes(desk),
    ]
    app.include_router(api.router(parts))
    app.add_exception_handler(CritoError, partial(_failed, desk))
    app.add_exception_handler(HTTPException, partial(_failed, desk))
    app.add_middleware(
        Envelope,
        root_path=settings.root_path,
        failed=partial(_crashed, desk),
        routes=[route for route in app.router.routes if isinstance(route, Route)],
        observers=[*([note_request] if settings.log_requests else []), *([metrics.observe] if metrics else [])],
    )
    if settings.trusted_proxies:
        app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=list(settings.trusted_proxies))
    return app


@asynccontextmanager
async def _drained(parts: Parts, app: FastAPI) -> AsyncIterator[None]:
    yield
    await parts.drain()


async def _welcome(desk: Desk, request: Request) -> Response:
    if await signed_in(desk, request):
        return go(request, f"{root_path(request)}/studies")
    language = reading_language(request)
    studies = await listing.studies(desk.parts) if desk.settings.list_studies else []
    listed = [(f"{root_path(request)}/s/{study.name}/", study.title.in_language(language)) for study in studies]
    return desk.page_to_read(request, "welcome", studies=listed)


async def _failed(desk: Desk, request: Request, error: Exception) -> Response:
    return failure(desk, request, error)


async def _crashed(desk: Desk, request: Request, mark: str) -> Response:
    return crash(desk, request, mark, may_stop=await participant.note_failure(desk, request))
