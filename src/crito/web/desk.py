"""What every handler works with: the parts, the pages, how they are served, and the visitor behind a request."""

import asyncio
import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response

from crito.model.errors import Forbidden, NotFound
from crito.model.ids import AnnotatorId, Language, StudyName
from crito.model.study import Study
from crito.services import access
from crito.services.parts import Parts
from crito.web.rendering import NOTICES, Notice, Pages
from crito.web.settings import KIB, WebSettings
from crito.web.words import OURS, negotiated, own_name

SESSION, VISIT, NOTICE, LANGUAGE = "crito", "crito_visit", "crito_notice", "crito_language"
SESSION_S, VISIT_S, NOTICE_S, LANGUAGE_S = 30 * 86400, 6 * 3600, 60, 365 * 86400
FORM_WITHIN_S = 60
"""How long a form may take to come."""
MOST_FORGOTTEN_BYTES = 64 * 1024 * KIB
"""A form that is too large is read so far, and forgotten: a browser listens only once it has sent all of it."""
MAX_FIELDS = 400
MAX_DIGITS = 10
FORM_TYPE = "application/x-www-form-urlencoded"


@dataclass(frozen=True)
class Desk:
    """The parts, the pages and the settings."""

    parts: Parts
    pages: Pages
    settings: WebSettings

    async def study(self, request: Request) -> Study:
        """The study that the address names.

        Raises:
            NotFound: there is none.
        """
        _, study = await self.parts.latest(study_name(request))
        return study

    async def visitor(self, request: Request) -> AnnotatorId | None:
        """Who this browser is signed in as, in the study that the address names."""
        token = request.cookies.get(SESSION)
        return await access.signed_in(self.parts, study_name(request), token) if token else None

    async def form(self, request: Request) -> dict[str, str]:
        """The fields that were sent; of two with one name the last counts.

        Raises:
            HTTPException: 413 for more than the settings allow, 415 for anything but a plain form, 408 for one that does
                not come to its end.
        """
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != FORM_TYPE:
            raise HTTPException(415)
        body = await self._body(request)
        try:
            pairs = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=MAX_FIELDS, errors="strict")
        except ValueError as error:
            raise HTTPException(400) from error
        # A lone surrogate or NUL is nothing anyone can type, and no database keeps it.
        if any("\x00" in name or "\x00" in value for name, value in pairs):
            raise HTTPException(400)
        return dict(pairs)

    async def _body(self, request: Request) -> bytes:
        body, n_bytes = bytearray(), 0
        try:
            async with asyncio.timeout(FORM_WITHIN_S):
                async for chunk in request.stream():
                    n_bytes += len(chunk)
                    if n_bytes > MOST_FORGOTTEN_BYTES:
                        break
                    if n_bytes <= self.settings.max_form_bytes:
                        body += chunk
        except (TimeoutError, ClientDisconnect) as error:
            raise HTTPException(408) from error
        if n_bytes > self.settings.max_form_bytes:
            raise HTTPException(413)
        return bytes(body)

    def page(
        self, request: Request, template: str, language: Language, *, status: int = 200, **values: Any
    ) -> HTMLResponse:
        """A whole page; it says the notice that was left for it, if any."""
        notice = left_notice(request)
        text = self.pages.render(template, language, root_path(request), notice=notice, **values)
        response = HTMLResponse(text, status, headers={"Cache-Control": "no-store"})
        if notice:
            response.delete_cookie(NOTICE, path=base_path(request))
        return response

    def page_to_read(
        self, request: Request, template: str, language: Language | None = None, *, status: int = 200, **values: Any
    ) -> HTMLResponse:
        """A whole page in the language that its visitor reads, which they can choose there: for all but participants.

        `language` is that of the study's words, if it is bound to one.
        """
        words = reading_language(request)
        readable = other_languages(request) if request.method == "GET" else []
        response = self.page(
            request, template, language or words, words=words, readable=readable, status=status, **values
        )
        if request.query_params.get("lang") in OURS:
            set_cookie(response, request, LANGUAGE, words, LANGUAGE_S, root_path(request) or "/")
        return response


def reading_language(request: Request) -> Language:
    """The language of our own words for a visitor whom no study's languages bind: chosen once, else the browser's."""
    asked = request.query_params.get("lang", "") or request.cookies.get(LANGUAGE, "")
    return negotiated(OURS, asked, request.headers.get("accept-language", ""))


def other_languages(request: Request) -> list[tuple[Language, str, str]]:
    """Tag, own name and link of each language that this page can be read in."""
    rest = {name: value for name, value in request.query_params.items() if name != "lang"}
    return [(tag, own_name(tag), "?" + urlencode({**rest, "lang": tag})) for tag in OURS]


def root_path(request: Request) -> str:
    return str(request.scope.get("root_path", ""))


def study_name(request: Request) -> StudyName:
    return StudyName(request.path_params["study"])


def base_path(request: Request) -> str:
    """The address of the study, with its closing slash."""
    return f"{root_path(request)}/s/{quote(study_name(request), safe='')}/"


def absolute(request: Request, path: str) -> str:
    """`path` as an address that works outside this page."""
    return f"{request.url.scheme}://{request.url.netloc}{path}"


def go(request: Request, path: str, notice: Notice | None = None) -> Response:
    """Send the browser on; a form sent again by *reload* is then only a page looked at again."""
    if "hx-request" in request.headers:
        response = Response(status_code=200, headers={"HX-Redirect": path, "Cache-Control": "no-store"})
    else:
        response = Response(status_code=303, headers={"Location": path, "Cache-Control": "no-store"})
    if notice:
        value = f"{notice.what}.{notice.number}.{notice.field}"
        set_cookie(response, request, NOTICE, quote(value, safe=""), NOTICE_S)
    return response


def set_cookie(response: Response, request: Request, name: str, value: str, max_age_s: int, path: str = "") -> None:
    response.set_cookie(
        name,
        value,
        max_age=max_age_s,
        path=path or base_path(request),
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="lax",
    )


def left_notice(request: Request) -> Notice | None:
    what, _, rest = request.cookies.get(NOTICE, "").partition(".")
    number, _, field = rest.partition(".")
    # An address with nothing behind it belongs to no study: what was left waits for a page that does.
    if what not in NOTICES or "study" not in request.path_params:
        return None
    return Notice(what, field, number_of(number))


def number_of(text: str) -> int:
    """What a value of the page's own says, 0 where someone wrote something else into it."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < MAX_DIGITS else 0


def csrf_of(secret: str) -> str:
    """What a form carries to show that it came from a page of ours: only who holds the cookie can work it out."""
    return hmac.new(secret.encode(), b"crito form", hashlib.sha256).hexdigest()


def require_csrf(request: Request, cookie: str, fields: Mapping[str, str]) -> None:
    """Refuse forms that another site sent.

    Raises:
        Forbidden: the form does not carry the mark of this browser's cookie, or says itself that it comes from elsewhere.
    """
    secret = request.cookies.get(cookie, "")
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise Forbidden("the form came from another site")
    if not secret or not hmac.compare_digest(csrf_of(secret).encode(), fields.get("csrf", "").encode()):
        raise Forbidden("the form is too old or came from another site")


def new_secret() -> str:
    return secrets.token_urlsafe(18)


def require(found: AnnotatorId | None, what: str) -> AnnotatorId:
    if found is None:
        raise NotFound(what)
    return found
