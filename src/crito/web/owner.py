"""The owner's door, and the page of what leaves the study: commands, and tokens for the API."""

from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from crito.services import access
from crito.web.cockpit import owner_page, owner_path, room
from crito.web.desk import Desk, go, set_cookie, study_name
from crito.web.failures import error_page
from crito.web.roles import OWNER, member, require_form

OWNER_S = 14 * 86400
TOKEN, TOKEN_S = "crito_token", 60


def routes(desk: Desk) -> list[Route]:
    return [
        Route("/s/{study}/owner/enter/{token}", partial(_enter, desk), methods=["GET"]),
        room(desk, "/data", _data),
        Route("/s/{study}/owner/api-token", partial(_make_token, desk), methods=["POST"]),
    ]


async def is_owner(desk: Desk, request: Request) -> bool:
    """Whether this browser holds a session of the study's owner."""
    found = await member(desk, request)
    return found is not None and found.role == "owner"


async def _enter(desk: Desk, request: Request) -> Response:
    """Spend the one-time link. A HEAD request, as sent by programs that look at links, spends nothing."""
    if request.method != "GET":
        return Response(status_code=405)
    session = await access.open_owner_link(desk.parts, study_name(request), request.path_params["token"])
    if session is None:
        return error_page(desk, request, 401)
    response = go(request, owner_path(request))
    set_cookie(response, request, OWNER, session, OWNER_S, path=owner_path(request))
    return response


async def _data(desk: Desk, request: Request) -> Response:
    study = await desk.study(request)
    token = request.cookies.get(TOKEN, "")
    response = owner_page(desk, request, "data", study, token=token)
    if token:
        response.delete_cookie(TOKEN, path=owner_path(request))
    return response


async def _make_token(desk: Desk, request: Request) -> Response:
    """A new token for the API; the page that comes next shows it once."""
    await require_form(desk, request, "owner")
    response = go(request, owner_path(request) + "/data#api")
    token = await access.make_api_token(desk.parts, study_name(request))
    set_cookie(response, request, TOKEN, token, TOKEN_S, path=owner_path(request))
    return response
