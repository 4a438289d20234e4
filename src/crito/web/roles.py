"""Who may come in: the check that every page for the people who work on a study makes first."""

from starlette.exceptions import HTTPException
from starlette.requests import Request

from crito.model.access import Member, StudyRole
from crito.model.ids import AccountId
from crito.services import access
from crito.web.desk import Desk, csrf_of, require_csrf, study_name

OWNER = "crito_owner"
"""The cookie of those who signed in."""


async def member(desk: Desk, request: Request) -> Member | None:
    """Who this browser is signed in as, with their role in the study that the address names; None for nobody there."""
    token = request.cookies.get(OWNER)
    if token is None or not await access.is_owner(desk.parts, study_name(request), token):
        return None
    return Member(study_name(request), AccountId(""), "", "owner")


async def require_role(desk: Desk, request: Request, *roles: StudyRole) -> Member:
    """Whoever asks, if they have one of `roles` in the study that the address names.

    Raises:
        HTTPException: 401 when they have no role in this study, 403 when they have another one.
    """
    found = await member(desk, request)
    if found is None:
        raise HTTPException(401)
    if found.role not in roles:
        raise HTTPException(403)
    return found


async def require_form(desk: Desk, request: Request, *roles: StudyRole) -> tuple[Member, dict[str, str]]:
    """The same for a form that was sent, with its fields.

    Raises:
        Forbidden: the form did not come from a page of this browser's.
        HTTPException: as `require_role`, or the form cannot be read.
    """
    fields = await desk.form(request)
    require_csrf(request, OWNER, fields)
    return await require_role(desk, request, *roles), fields


def form_mark(request: Request) -> str:
    """The field `csrf` of every form on a page that `require_role` let somebody see."""
    return csrf_of(request.cookies[OWNER])
