"""What those who run the server ask it: whether a worker is alive, and whether it can take people in."""

import asyncio
import logging
from functools import partial

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from crito.model.errors import DatabaseMismatch
from crito.web.desk import Desk

log = logging.getLogger("crito.web")

ANSWERS_WITHIN_S = 5.0
"""How long the database may take to say which edition it is of."""


def routes(desk: Desk) -> list[Route]:
    return [
        Route("/healthz", _alive, methods=["GET"]),
        Route("/readyz", partial(_ready, desk), methods=["GET"]),
    ]


async def _alive(request: Request) -> Response:
    return Response(status_code=204)


async def _ready(desk: Desk, request: Request) -> Response:
    """204 while new people may come; 503 with the reason when this worker is leaving or its record cannot be used."""
    reason = "this server is about to stop" if getattr(request.app.state, "leaving", False) else await _fault(desk)
    if not reason:
        return Response(status_code=204)
    return PlainTextResponse(reason + "\n", 503, headers={"Cache-Control": "no-store", "Retry-After": "5"})


async def _fault(desk: Desk) -> str:
    # Reasons of a database name hosts and users, so they go to the log in their own kind only.
    try:
        async with asyncio.timeout(ANSWERS_WITHIN_S):
            await desk.parts.store.check()
    except DatabaseMismatch:
        return "the database is of another schema than this version of Crito"
    except Exception as error:
        log.warning("the database cannot be reached: %s", type(error).__name__)
        return "the database cannot be reached"
    return ""
