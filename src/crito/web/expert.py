"""The pages of experts: one item after another; each handler reads its form, calls one use case and sends the browser on."""

from collections.abc import Mapping
from functools import partial

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from crito.model.errors import Conflict, InvalidInput, PartClosed, TooMany
from crito.model.ids import AnnotatorId
from crito.services import access, queue
from crito.web.desk import (
    SESSION,
    SESSION_S,
    Desk,
    base_path,
    csrf_of,
    go,
    number_of,
    require,
    require_csrf,
    set_cookie,
    study_name,
)
from crito.web.participant import TIMES, notice_of
from crito.web.rendering import Notice
from crito.web.roles import ACCOUNT, member

ANSWERS = ("label", "accept", "rationale")


def routes(desk: Desk) -> list[Route]:
    """Every address below `/s/{study}/expert`."""
    return [
        Route("/s/{study}/expert", partial(_show, desk, False), methods=["GET"]),
        Route("/s/{study}/expert/undo", partial(_show, desk, True), methods=["GET"]),
        Route("/s/{study}/expert/enter/{token}", partial(_enter, desk), methods=["GET"]),
        Route("/s/{study}/expert/next", partial(_next, desk), methods=["POST"]),
        Route("/s/{study}/expert/label", partial(_label, desk), methods=["POST"]),
    ]


def expert_path(request: Request) -> str:
    return base_path(request) + "expert"


async def _enter(desk: Desk, request: Request) -> Response:
    """The personal link; it opens as often as it is followed, and takes no item yet."""
    token = request.path_params["token"]
    require(await access.signed_in(desk.parts, study_name(request), token), "this link stands for nobody")
    response = go(request, expert_path(request))
    set_cookie(response, request, SESSION, token, SESSION_S)
    return response


async def _show(desk: Desk, undo: bool, request: Request) -> Response:
    who, cookie = await _expert(desk, request)
    if who is None:
        raise HTTPException(401)
    page = await queue.page(desk.parts, who, undo=undo)
    return desk.page_to_read(
        request,
        "expert",
        page.frame.language,
        page=page,
        base=expert_path(request),
        csrf=csrf_of(request.cookies[cookie]),
        study_title=page.frame.title.in_language(page.frame.language),
    )


async def _next(desk: Desk, request: Request) -> Response:
    who, _ = await _sender(desk, request)
    if who is None:
        return go(request, expert_path(request), Notice("signed_out"))
    await queue.begin(desk.parts, who)
    return go(request, expert_path(request))


async def _label(desk: Desk, request: Request) -> Response:
    """One key: a label, *Accept*, *Not sure* or *Skip*."""
    who, fields = await _sender(desk, request)
    if who is None:
        return go(request, expert_path(request), Notice("signed_out"))
    times = {name.removeprefix("ms_"): number_of(value) for name, value in fields.items() if name in TIMES and value}
    answers = {name: value for name, value in fields.items() if name in ANSWERS}
    notice = None
    try:
        await queue.answer(desk.parts, who, fields.get("form_name", ""), answers, times)
    except (InvalidInput, TooMany, Conflict, PartClosed) as problem:
        notice = notice_of(problem)
    return go(request, expert_path(request), notice)


async def _sender(desk: Desk, request: Request) -> tuple[AnnotatorId | None, Mapping[str, str]]:
    fields = await desk.form(request)
    who, cookie = await _expert(desk, request)
    if cookie not in request.cookies:
        return None, fields
    require_csrf(request, cookie, fields)
    return who, fields


async def _expert(desk: Desk, request: Request) -> tuple[AnnotatorId | None, str]:
    """Who labels in this browser, by an account or by a personal link, and the cookie that says so."""
    found = await member(desk, request)
    if found and found.annotator and found.state != "archived":
        return found.annotator, ACCOUNT
    return await desk.visitor(request), SESSION
