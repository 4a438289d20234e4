"""What a visitor sees when something does not work: what happened, what is safe, what to do."""

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from crito.model.errors import Conflict, CritoError, Forbidden, InvalidInput, NotFound, PartClosed, TooMany
from crito.web.desk import Desk, base_path, root_path

API = "/api/"

STATUS: dict[type[CritoError], int] = {
    InvalidInput: 400,
    NotFound: 404,
    Forbidden: 403,
    Conflict: 409,
    PartClosed: 409,
    TooMany: 429,
}


def status_of(error: Exception) -> int:
    """The HTTP status that says the same as `error`."""
    if isinstance(error, HTTPException):
        return error.status_code
    return next((status for kind, status in STATUS.items() if isinstance(error, kind)), 500)


def failure(desk: Desk, request: Request, error: Exception) -> Response:
    """The answer to a request that failed for a reason we know."""
    status, headers = status_of(error), _headers(error)
    if _is_api(request):
        detail = error.detail if isinstance(error, HTTPException) else str(error)
        return JSONResponse({"detail": detail}, status, headers=headers)
    response = error_page(desk, request, status)
    response.headers.update(headers)
    return response


def crash(desk: Desk, request: Request, mark: str, *, may_stop: bool) -> Response:
    """The answer to a request that failed for a reason nobody thought of; `mark` finds it in the log."""
    if _is_api(request):
        return JSONResponse({"detail": f"something failed here; the log has it under {mark}"}, 500)
    return error_page(desk, request, 500, mark, may_stop=may_stop)


def error_page(desk: Desk, request: Request, status: int, mark: str = "", *, may_stop: bool = False) -> Response:
    base = base_path(request) if "study" in request.path_params and status != 404 else ""
    response = desk.page_to_read(
        request, "error", status=status, code=status, base=base, mark=mark, may_stop=may_stop, asked=_asked(request),
    )  # fmt: skip
    if "hx-request" in request.headers:
        response.headers["HX-Reswap"] = "none"
    return response


def _asked(request: Request) -> str:
    """The page of a study that was asked for; empty where a form was sent."""
    inside = request.method == "GET" and "study" in request.path_params
    return root_path(request) + str(request.scope["path"]).removeprefix(root_path(request)) if inside else ""


def _headers(error: Exception) -> dict[str, str]:
    if isinstance(error, TooMany):
        return {"Retry-After": str(error.retry_after_s)}
    return dict(error.headers or {}) if isinstance(error, HTTPException) else {}


def _is_api(request: Request) -> bool:
    return str(request.scope["path"]).removeprefix(root_path(request)).startswith(API)
