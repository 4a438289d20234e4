"""A browser without scripts that does not give up: it keeps cookies, follows what forms answer, and tries again."""

import asyncio
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urljoin

import aiohttp

from crito.model.errors import CritoError
from crito.rehearsal.pages import Form, SeenPage, parse_page

RETRY_EVERY_S = 0.25
ANSWER_WITHIN_S = 90
"""A partner that is a slow local model may take this long for a whole reply."""


class Stuck(CritoError):
    """A page that a person could not get past."""


@dataclass(frozen=True, slots=True)
class Saved:
    """A form that the server accepted: whoever sent it was told that it is kept."""

    who: str
    step: str
    fields: Mapping[str, str]


@dataclass
class Tally:
    """What happened between browsers and the server."""

    statuses: Counter[int] = field(default_factory=Counter)
    retries: int = 0
    faults: list[str] = field(default_factory=list)
    seconds: dict[str, list[float]] = field(default_factory=dict)
    """By step: from a form to the page after it, waiting for the server included."""
    answered_s: dict[str, list[float]] = field(default_factory=dict)
    """By method: what each answered request took."""
    saved: list[Saved] = field(default_factory=list)

    @property
    def requests(self) -> int:
        return self.statuses.total()


class Browser:
    """One browser of one person. `patience_s` is how long it goes on trying while the server does not answer."""

    def __init__(self, who: str, connector: aiohttp.BaseConnector, tally: Tally, patience_s: float) -> None:
        self._who = who
        self._tally = tally
        self._patience_s = patience_s
        self._session = aiohttp.ClientSession(
            connector=connector,
            connector_owner=False,
            # The server of a rehearsal has a number for a name, and its cookies count all the same.
            cookie_jar=aiohttp.CookieJar(unsafe=True),
            timeout=aiohttp.ClientTimeout(total=ANSWER_WITHIN_S),
        )

    async def close(self) -> None:
        await self._session.close()

    async def get(self, address: str) -> SeenPage:
        """The page at `address`, wherever it sends the browser.

        Raises:
            Stuck: it is an error page, or nobody answers.
        """
        status, _, text, final = await self._request("GET", address, None)
        if status != 200:
            raise Stuck(f"{address} answers with status {status}")
        return parse_page(text, final)

    async def submit(self, form: Form, values: Mapping[str, str]) -> SeenPage:
        """Send a form and see what page comes.

        Raises:
            Stuck: the form is answered by an error page, or not at all.
        """
        fields = {**form.hidden, **values}
        began = time.perf_counter()
        status, headers, text, final = await self._request("POST", form.action, fields)
        if status != 303:
            if status == 200:
                return parse_page(text, final)
            raise Stuck(f"the form to {form.action} is answered with status {status}")
        # A refusal leaves a notice for the next page, in a cookie; an acceptance leaves nothing.
        if form.step != "consent" and "Set-Cookie" not in headers:
            self._tally.saved.append(Saved(self._who, form.step, fields))
        page = await self.get(urljoin(form.action, headers["Location"]))
        self._tally.seconds.setdefault(form.step, []).append(time.perf_counter() - began)
        return page

    async def _request(
        self, method: str, address: str, fields: Mapping[str, str] | None
    ) -> tuple[int, Mapping[str, str], str, str]:
        deadline = time.monotonic() + self._patience_s
        while True:
            began = time.perf_counter()
            try:
                async with self._session.request(
                    method, address, data=fields, allow_redirects=method == "GET"
                ) as response:
                    text = await response.text()
                    self._tally.statuses[response.status] += 1
                    self._tally.answered_s.setdefault(method, []).append(time.perf_counter() - began)
                    if response.status < 500:
                        return response.status, response.headers, text, str(response.url)
                    problem = f"{method} {response.url.path}: status {response.status}"
                    self._tally.faults.append(problem)
            except (aiohttp.ClientError, TimeoutError) as error:
                problem = f"{method} {address}: {type(error).__name__} {error}"
            if time.monotonic() > deadline:
                raise Stuck(problem)
            self._tally.retries += 1
            await asyncio.sleep(RETRY_EVERY_S)
