"""Who may come in: the check that every page for the people who work on a study makes first."""

from collections.abc import Mapping

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from crito.model.access import Member, StudyRole
from crito.services import accounts, members
from crito.services.accounts import SignedIn
from crito.web.desk import Desk, csrf_of, require_csrf, root_path, set_cookie, study_name

ACCOUNT = "crito_account"
"""The cookie of those who signed in."""
ACCOUNT_S = int(accounts.SIGNED_IN.total_seconds())


async def member(desk: Desk, request: Request) -> Member | None:
    """Who this browser is signed in as, with their role in the study that the address names; None for nobody there."""
    token = request.cookies.get(ACCOUNT)
    if not token:
        return None
    if not hasattr(request.state, "member"):
        request.state.member = await members.member(desk.parts, study_name(request), token)
    found: Member | None = request.state.member
    return found


async def require_role(desk: Desk, request: Request, *roles: StudyRole) -> Member:
    """Whoever asks, if they have one of `roles` in the study that the address names.

    Raises:
        HTTPException: 401 when nobody is signed in, 403 when whoever is has none of these roles in this study.
    """
    found = await member(desk, request)
    if found is not None and found.role in roles:
        return found
    raise HTTPException(403 if found or await signed_in(desk, request) else 401)


async def require_form(
    desk: Desk, request: Request, *roles: StudyRole, even_archived: bool = False
) -> tuple[Member, dict[str, str]]:
    """The same for a form that was sent, with its fields; nothing is changed in a study that is archived.

    Raises:
        Forbidden: the form did not come from a page of this browser's.
        HTTPException: as `require_role`; 423 when the study is archived and the form is none of those that may be sent all
            the same; or the form cannot be read.
    """
    fields = await desk.form(request)
    return await require_sender(desk, request, fields, *roles, even_archived=even_archived), fields


async def require_sender(
    desk: Desk, request: Request, fields: Mapping[str, str], *roles: StudyRole, even_archived: bool = False
) -> Member:
    """As `require_form`, for a form whose `fields` were read already."""
    require_csrf(request, ACCOUNT, fields)
    found = await require_role(desk, request, *roles)
    if found.state == "archived" and not even_archived:
        raise HTTPException(423)
    return found


async def signed_in(desk: Desk, request: Request) -> SignedIn | None:
    """Whose account this browser is signed in to, whatever study they work on."""
    token = request.cookies.get(ACCOUNT)
    return await accounts.signed_in(desk.parts, token) if token else None


async def require_account(desk: Desk, request: Request) -> SignedIn:
    """
    Raises:
        HTTPException: 401 when nobody is signed in.
    """
    found = await signed_in(desk, request)
    if found is None:
        raise HTTPException(401)
    return found


def form_mark(request: Request) -> str:
    """The field `csrf` of every form on a page that somebody who signed in was let see."""
    return csrf_of(request.cookies[ACCOUNT])


def let_in(response: Response, request: Request, session: str) -> None:
    """Have the browser keep the token of a session."""
    set_cookie(response, request, ACCOUNT, session, ACCOUNT_S, path=whole_path(request))


def whole_path(request: Request) -> str:
    """The path of cookies that are good for every page served here."""
    return root_path(request) or "/"
