"""The owner's pages of who may do what: people with access, tokens for programs, how the study stands."""

from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from crito.model.access import READING, SCOPES, STUDY_ROLES
from crito.model.errors import Conflict, InvalidInput
from crito.model.ids import AccountId, AnnotatorId
from crito.services import hosting, members, tokens
from crito.web.cockpit import Shown, owner_page, owner_path, room
from crito.web.desk import Desk, absolute, go, number_of, root_path, set_cookie, study_name
from crito.web.door import fault_of
from crito.web.roles import require_form

SECRET, SECRET_S = "crito_secret", 60
"""The cookie that carries a new link or token to the page which shows it once."""


def routes(desk: Desk) -> list[Route]:
    def form(path: str, handler: Shown) -> Route:
        return Route(f"/s/{{study}}/owner/{path}", partial(handler, desk), methods=["POST"])

    return [
        room(desk, "/access", _access),
        form("access/invite", _invite),
        form("access/link", _link),
        form("access/end", _end),
        form("access/take-back", _take_back),
        form("access/end-personal-link", _end_personal_link),
        room(desk, "/tokens", _tokens),
        form("tokens", _make_token),
        form("tokens/revoke", _revoke_token),
        form("state", _set_state),
        form("clone", _clone),
    ]


async def _access(desk: Desk, request: Request) -> Response:
    return await _access_page(desk, request)


async def _access_page(desk: Desk, request: Request, *, status: int = 200, fault: str = "") -> Response:
    study = await desk.study(request)
    token = request.cookies.get(SECRET, "")
    response = owner_page(
        desk, request, "access", study, status=status, fault=fault, roles=STUDY_ROLES,
        link=absolute(request, f"{root_path(request)}/enter/{token}") if token else "",
        access=await members.access(desk.parts, study.name),
    )  # fmt: skip
    return _shown_once(response, request, "access")


def _shown_once(response: Response, request: Request, page: str) -> Response:
    if SECRET in request.cookies:
        response.delete_cookie(SECRET, path=f"{owner_path(request)}/{page}")
    return response


def _with_secret(request: Request, page: str, secret: str) -> Response:
    response = go(request, f"{owner_path(request)}/{page}")
    set_cookie(response, request, SECRET, secret, SECRET_S, path=f"{owner_path(request)}/{page}")
    return response


async def _invite(desk: Desk, request: Request) -> Response:
    who, fields = await require_form(desk, request, "owner")
    try:
        _, token = await members.invite(
            desk.parts, who.study, fields.get("role", ""), fields.get("name", ""), who.account
        )
    except (InvalidInput, Conflict) as problem:
        return await _access_page(desk, request, status=409, fault=fault_of(problem))
    return _with_secret(request, "access", token)


async def _link(desk: Desk, request: Request) -> Response:
    who, fields = await require_form(desk, request, "owner", even_archived=True)
    account = AccountId(fields.get("account", ""))
    _, token = await members.let_in_again(desk.parts, who.study, account, who.account)
    return _with_secret(request, "access", token)


async def _end(desk: Desk, request: Request) -> Response:
    who, fields = await require_form(desk, request, "owner", even_archived=True)
    account = AccountId(fields.get("account", ""))
    try:
        await members.end_role(desk.parts, who.study, account, who.account)
    except Conflict as problem:
        return await _access_page(desk, request, status=409, fault=fault_of(problem))
    home = f"{root_path(request)}/studies" if account == who.account else f"{owner_path(request)}/access"
    return go(request, home)


async def _take_back(desk: Desk, request: Request) -> Response:
    who, fields = await require_form(desk, request, "owner", even_archived=True)
    await members.withdraw_invitation(desk.parts, who.study, fields.get("link", ""))
    return go(request, f"{owner_path(request)}/access")


async def _end_personal_link(desk: Desk, request: Request) -> Response:
    who, fields = await require_form(desk, request, "owner", even_archived=True)
    await members.end_personal_link(desk.parts, who.study, AnnotatorId(fields.get("expert", "")))
    return go(request, f"{owner_path(request)}/access")


async def _tokens(desk: Desk, request: Request) -> Response:
    return await _tokens_page(desk, request)


async def _tokens_page(desk: Desk, request: Request, *, status: int = 200, fault: str = "") -> Response:
    study = await desk.study(request)
    response = owner_page(
        desk, request, "tokens", study, status=status, fault=fault, token=request.cookies.get(SECRET, ""),
        tokens=await tokens.api_tokens(desk.parts, study.name), scopes=SCOPES, usual=READING,
        days=tokens.DAYS, most_days=tokens.MOST_DAYS,
    )  # fmt: skip
    return _shown_once(response, request, "tokens")


async def _make_token(desk: Desk, request: Request) -> Response:
    """A new token for the API; the page that comes next shows it once."""
    who, fields = await require_form(desk, request, "owner")
    wanted = [scope for scope in SCOPES if fields.get(scope)]
    days = number_of(fields.get("days", ""))
    try:
        text = await tokens.make_api_token(desk.parts, who.study, fields.get("name", ""), wanted, days, who.account)
    except InvalidInput as problem:
        return await _tokens_page(desk, request, status=409, fault=problem.key)
    return _with_secret(request, "tokens", text)


async def _revoke_token(desk: Desk, request: Request) -> Response:
    who, fields = await require_form(desk, request, "owner", even_archived=True)
    await tokens.revoke_api_token(desk.parts, who.study, fields.get("token", ""))
    return go(request, f"{owner_path(request)}/tokens")


async def _set_state(desk: Desk, request: Request) -> Response:
    who, fields = await require_form(desk, request, "owner", even_archived=True)
    await hosting.set_state(desk.parts, who.study, hosting.state_named(fields.get("state", "")), who.account)
    return go(request, f"{root_path(request)}/studies")


async def _clone(desk: Desk, request: Request) -> Response:
    who, fields = await require_form(desk, request, "owner", even_archived=True)
    try:
        await hosting.clone(desk.parts, study_name(request), fields.get("name", ""), who.account)
    except InvalidInput:
        return go(request, f"{root_path(request)}/studies?fault=name")
    except Conflict:
        return go(request, f"{root_path(request)}/studies?fault=taken")
    return go(request, f"{root_path(request)}/studies")
