"""Signing in and out, the links that let somebody in once, and what somebody who is signed in has: studies, an account."""

from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from crito.model.errors import Conflict, Forbidden, InvalidInput, NotFound, RoleRefused, TooMany
from crito.services import accounts, hosting
from crito.services.accounts import Opened
from crito.web.desk import Desk, csrf_of, go, new_secret, reading_language, require_csrf, root_path, set_cookie
from crito.web.roles import ACCOUNT, let_in, require_account, signed_in, whole_path

DOOR, DOOR_S = "crito_door", 6 * 3600
"""The cookie of a browser in which nobody is signed in yet."""


def routes(desk: Desk) -> list[Route]:
    return [
        Route("/sign-in", partial(_show_sign_in, desk), methods=["GET"]),
        Route("/sign-in", partial(_sign_in, desk), methods=["POST"]),
        Route("/sign-out", partial(_sign_out, desk), methods=["POST"]),
        Route("/enter/{token}", partial(_show_link, desk), methods=["GET"]),
        Route("/enter/{token}", partial(_follow_link, desk), methods=["POST"]),
        Route("/studies", partial(_studies, desk), methods=["GET"]),
        Route("/account", partial(_show_account, desk), methods=["GET"]),
        Route("/account", partial(_change_account, desk), methods=["POST"]),
        Route("/account/end-session", partial(_end_session, desk), methods=["POST"]),
    ]


def _page(desk: Desk, request: Request, template: str, *, status: int = 200, **values: Any) -> Response:
    """A page that belongs to no study. Its forms carry the mark of a session, or else that of the door."""
    secret = request.cookies.get(ACCOUNT) or request.cookies.get(DOOR) or new_secret()
    response = desk.page_to_read(request, template, status=status, csrf=csrf_of(secret), now=desk.parts.now(), **values)
    if ACCOUNT not in request.cookies:
        set_cookie(response, request, DOOR, secret, DOOR_S, path=whole_path(request))
    return response


async def _fields(desk: Desk, request: Request) -> dict[str, str]:
    fields = await desk.form(request)
    require_csrf(request, ACCOUNT if ACCOUNT in request.cookies else DOOR, fields)
    return fields


def _home(request: Request) -> str:
    return f"{root_path(request)}/studies"


def _asked_for(request: Request, wanted: str) -> str:
    """Where to go after signing in: a page of a study, as far as `wanted` names one."""
    inside = wanted.startswith(f"{root_path(request)}/s/") and wanted.isprintable() and "\\" not in wanted
    return wanted if inside else _home(request)


async def _show_sign_in(desk: Desk, request: Request) -> Response:
    if await signed_in(desk, request):
        return go(request, _home(request))
    return _page(desk, request, "sign_in", fault="", wait_s=0, called="", next=request.query_params.get("next", ""))


async def _sign_in(desk: Desk, request: Request) -> Response:
    fields = await _fields(desk, request)
    called, wanted = fields.get("called", ""), fields.get("next", "")
    address = request.client.host if request.client else ""
    try:
        session = await accounts.sign_in(desk.parts, called, fields.get("password", ""), address)
    except Forbidden:
        return _page(desk, request, "sign_in", status=403, fault="unknown", wait_s=0, called=called, next=wanted)
    except TooMany as limit:
        refused = _page(
            desk, request, "sign_in", status=429, fault="wait", wait_s=limit.retry_after_s, called=called, next=wanted
        )
        refused.headers["Retry-After"] = str(limit.retry_after_s)
        return refused
    response = go(request, _asked_for(request, wanted))
    let_in(response, request, session)
    return response


async def _sign_out(desk: Desk, request: Request) -> Response:
    await _fields(desk, request)
    found = await signed_in(desk, request)
    if found:
        await accounts.end_session(desk.parts, found.account.id, found.session.id)
    response = go(request, f"{root_path(request)}/sign-in")
    response.delete_cookie(ACCOUNT, path=whole_path(request))
    return response


async def _show_link(desk: Desk, request: Request) -> Response:
    """What the link offers. Looking uses nothing up: programs that carry messages look at the links in them."""
    opened = await _opened(desk, request)
    return await _link_page(desk, request, opened)


async def _opened(desk: Desk, request: Request) -> Opened:
    opened = await accounts.look_at_link(desk.parts, request.path_params["token"])
    if opened is None:
        raise NotFound("this link was used, is too old, or was taken back")
    return opened


async def _link_page(
    desk: Desk, request: Request, opened: Opened, *, status: int = 200, fault: str = "", name: str = "", email: str = ""
) -> Response:
    _, study = await desk.parts.latest(opened.link.study)
    here = await signed_in(desk, request)
    return _page(
        desk, request, "enter", status=status, opened=opened, fault=fault, name=name or opened.link.name, email=email,
        here=here.account if here and not here.session.study and opened.account is None else None,
        study_title=study.title.in_language(reading_language(request)), shortest=accounts.SHORTEST_PASSWORD,
        at=f"{root_path(request)}/enter/{request.path_params['token']}",
    )  # fmt: skip


async def _follow_link(desk: Desk, request: Request) -> Response:
    fields = await _fields(desk, request)
    opened = await _opened(desk, request)
    name, email = fields.get("name", ""), fields.get("email", "")
    try:
        session = await accounts.follow_link(
            desk.parts,
            request.path_params["token"],
            as_session=request.cookies.get(ACCOUNT, "") if fields.get("as") == "here" else "",
            name=name,
            email=email,
            password=fields.get("password", ""),
        )
    except (InvalidInput, Conflict) as problem:
        return await _link_page(
            desk, request, opened, status=409, fault=fault_of(problem), name=name, email=email
        )  # fmt: skip
    response = go(request, _home(request))
    let_in(response, request, session)
    return response


def fault_of(problem: InvalidInput | Conflict) -> str:
    """The name of what was wrong, for the words of the page that says it."""
    if isinstance(problem, RoleRefused):
        return problem.why
    return problem.key if isinstance(problem, InvalidInput) else "taken"


async def _studies(desk: Desk, request: Request) -> Response:
    who = await require_account(desk, request)
    shown = await hosting.studies_of(desk.parts, who)
    wanted = "archived" if request.query_params.get("archived") else ""
    return _page(
        desk, request, "studies", who=who,
        studies=[one for one in shown if (one.state == "archived") == bool(wanted)],
        n_archived=sum(one.state == "archived" for one in shown), archived=bool(wanted),
        fault=request.query_params.get("fault", ""),
    )  # fmt: skip


async def _show_account(desk: Desk, request: Request) -> Response:
    return await _account_page(desk, request)


async def _account_page(desk: Desk, request: Request, *, status: int = 200, fault: str = "") -> Response:
    who = await require_account(desk, request)
    # A link that an owner made proves nothing about whose account it is, so it opens none of what is theirs.
    everywhere = [] if who.session.study else await accounts.sessions(desk.parts, who.account.id)
    return _page(
        desk, request, "account", status=status, who=who, fault=fault, saved="saved" in request.query_params,
        sessions=everywhere, shortest=accounts.SHORTEST_PASSWORD,
    )  # fmt: skip


async def _change_account(desk: Desk, request: Request) -> Response:
    fields = await _fields(desk, request)
    who = await require_account(desk, request)
    try:
        await accounts.change(
            desk.parts,
            who,
            fields.get("name", ""),
            fields.get("email", ""),
            fields.get("password", ""),
            fields.get("new_password", ""),
        )
    except (InvalidInput, Conflict) as problem:
        return await _account_page(desk, request, status=409, fault=fault_of(problem))
    except Forbidden:
        return await _account_page(desk, request, status=403, fault="present")
    return go(request, f"{root_path(request)}/account?saved")


async def _end_session(desk: Desk, request: Request) -> Response:
    fields = await _fields(desk, request)
    who = await require_account(desk, request)
    if who.session.study:
        raise Forbidden("a link that an owner made opens one study, not the account")
    await accounts.end_session(desk.parts, who.account.id, fields.get("session", ""))
    return go(request, f"{root_path(request)}/account")
