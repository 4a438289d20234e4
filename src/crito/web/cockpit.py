"""The frame that the pages of the owner share, with its navigation; their templates extend `owner_base.html`."""

from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from crito.model.access import StudyRole
from crito.model.study import Study
from crito.services.standing import fallen
from crito.web.desk import Desk, absolute, base_path, reading_language, root_path, study_name
from crito.web.roles import form_mark, require_role

Shown = Callable[[Desk, Request], Awaitable[Response]]


def room(desk: Desk, path: str, show: Shown, *roles: StudyRole) -> Route:
    """A page below the owner's address, for `roles` of the study alone; the owner where none is named."""

    async def guarded(request: Request) -> Response:
        await require_role(desk, request, *(roles or ("owner",)))
        request.state.fallen = await desk.parts.store.read(lambda tx: fallen(tx, study_name(request)))
        return await show(desk, request)

    return Route(f"/s/{{study}}/owner{path}", guarded, methods=["GET"])


def owner_path(request: Request) -> str:
    return base_path(request) + "owner"


def owner_page(desk: Desk, request: Request, template: str, study: Study, **values: Any) -> HTMLResponse:
    """A page for whoever `require_role` let in."""
    title = study.title.in_language(reading_language(request))
    return desk.page_to_read(request, template, study_title=title, **_frame(desk, request), **values)


def owner_fragment(desk: Desk, request: Request, template: str, **values: Any) -> HTMLResponse:
    """A part of such a page, to be put in place of the one that stands there."""
    language = reading_language(request)
    text = desk.pages.render(template, language, root_path(request), **_frame(desk, request), **values)
    return HTMLResponse(text, headers={"Cache-Control": "no-store"})


def _frame(desk: Desk, request: Request) -> dict[str, Any]:
    return {
        "base": base_path(request),
        "owner": owner_path(request),
        "link_of_people": absolute(request, base_path(request)),
        "csrf": form_mark(request),
        "now": desk.parts.now(),
        "study": study_name(request),
        "record": desk.settings.record,
        "member": request.state.member,
        "fallen": getattr(request.state, "fallen", ()),
    }
