"""Prolific's API, as far as it tells of submissions (docs.prolific.com: list study submissions)."""

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

import aiohttp

from crito.model.errors import CritoError, Forbidden, InvalidInput, NotFound, TooMany
from crito.model.phrase import Phrase
from crito.model.recruitment import Submission
from crito.platforms.prolific import PROLIFIC_TOKEN_VARIABLE, status_of

API = "https://api.prolific.com"
ADDRESS_VARIABLE = "PROLIFIC_BASE_URL"
TIMEOUT_S = 30
MAX_PAGES = 10_000

_ID = re.compile(r"[0-9A-Za-z]{1,64}")


class Prolific:
    """Prolific's API with a token, which is kept in memory alone and stands in no message."""

    def __init__(self, token: str, address: str = API) -> None:
        self._token = token
        self._address = address.rstrip("/") + "/"

    async def submissions(self, platform_study: str) -> Sequence[Submission]:
        """Every submission of one of Prolific's studies, however many pages they are on.

        Raises:
            InvalidInput: this is no id of a study.
            Forbidden: Prolific does not take the token.
            NotFound: there is no such study for the owner of this token.
            TooMany: Prolific wants to be left alone for a while.
            CritoError: Prolific cannot be reached, or answers with something else.
        """
        if not _ID.fullmatch(platform_study):
            raise InvalidInput(
                Phrase("this is no id of a study of Prolific's"),
                came=platform_study,
                wanted=Phrase("copy it from the study's address"),
            )
        next_page: str | None = f"api/v1/studies/{quote(platform_study)}/submissions/"
        found: dict[str, Submission] = {}
        n_told: int | None = None
        async with aiohttp.ClientSession(
            headers={"Authorization": f"Token {self._token}"}, timeout=aiohttp.ClientTimeout(total=TIMEOUT_S)
        ) as session:
            for _ in range(MAX_PAGES):
                if not next_page:
                    break
                page = await self._get(session, next_page)
                for one in page["results"]:
                    submission = _submission(one)
                    found[submission.id] = submission
                n_told = (page.get("meta") or {}).get("count", n_told)
                link = (page.get("_links") or {}).get("next") or {}
                next_page = link.get("href")
        if n_told is not None and n_told != len(found):
            raise CritoError(
                Phrase(
                    "Prolific says that there are %(told)s submissions and sent %(sent)s; nothing was taken in, try again",
                    told=n_told,
                    sent=len(found),
                )
            )
        return list(found.values())

    async def _get(self, session: aiohttp.ClientSession, path: str) -> dict[str, Any]:
        url = urljoin(self._address, path)
        if urlsplit(url)[:2] != urlsplit(self._address)[:2]:
            raise CritoError(Phrase("Prolific's answer leads to another server; the token is not sent there"))
        try:
            async with session.get(url, allow_redirects=False) as response:
                _require_found(response)
                page = await response.json(content_type=None)
        except (aiohttp.ClientError, TimeoutError, ValueError) as error:
            raise CritoError(
                Phrase("Prolific cannot be asked now (%(error)s); nothing was changed", error=type(error).__name__)
            ) from None
        if not isinstance(page, dict) or not isinstance(page.get("results"), list):
            raise CritoError(Phrase("Prolific's answer is no list of submissions; nothing was changed"))
        return page


def _require_found(response: aiohttp.ClientResponse) -> None:
    if response.status in (401, 403):
        raise Forbidden(
            Phrase(
                "Prolific does not take the token in %(variable)s; make a new one in its settings",
                variable=PROLIFIC_TOKEN_VARIABLE,
            )
        )
    if response.status == 404:
        raise NotFound(Phrase("Prolific knows no such study for the owner of this token"))
    if response.status == 429:
        after = response.headers.get("Retry-After", "")
        raise TooMany(Phrase("Prolific takes no more requests for now"), int(after) if after.isdecimal() else 60)
    if response.status != 200:
        raise CritoError(
            Phrase("Prolific answered with status %(status)s; nothing was changed", status=response.status)
        )


def _submission(told: Any) -> Submission:
    try:
        return Submission(
            "prolific",
            str(told["id"]),
            str(told.get("participant_id") or told.get("participant") or ""),
            status_of(str(told["status"]), "Prolific's answer", 0),
            str(told.get("study_code") or told.get("entered_code") or ""),
        )
    except (KeyError, AttributeError, TypeError) as error:
        raise CritoError(
            Phrase("Prolific's answer holds something that is no submission; nothing was changed")
        ) from error
