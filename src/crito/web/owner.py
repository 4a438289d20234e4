"""The owner's door, and the page of what leaves the study."""

from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from crito.services.accounts import open_owner_link
from crito.web.cockpit import owner_page, owner_path, room
from crito.web.desk import Desk, go, study_name
from crito.web.failures import error_page
from crito.web.roles import ACCOUNT, let_in


def routes(desk: Desk) -> list[Route]:
    return [
        Route("/s/{study}/owner/enter/{token}", partial(_enter, desk), methods=["GET"]),
        room(desk, "/data", _data),
    ]


async def _enter(desk: Desk, request: Request) -> Response:
    """Spend the one-time link. A HEAD request, as sent by programs that look at links, spends nothing."""
    if request.method != "GET":
        return Response(status_code=405)
    token, present = request.path_params["token"], request.cookies.get(ACCOUNT, "")
    session = await open_owner_link(desk.parts, study_name(request), token, present)
    if session is None:
        return error_page(desk, request, 401)
    response = go(request, owner_path(request))
    let_in(response, request, session)
    return response


async def _data(desk: Desk, request: Request) -> Response:
    return owner_page(desk, request, "data", await desk.study(request))
