"""A site for tests: the real app over a real database, with the bundled study and the scripted partner."""

import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NoReturn

from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient, Response
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from crito.model.study import Study
from crito.services.parts import Parts
from crito.services.ports.models import ChatModels
from crito.services.publishing import publish
from crito.store.opening import open_store
from crito.web.app import create_app
from crito.web.settings import WebSettings
from tests.bundled import demo_study

HOST = "http://crito.test"


def no_models(name: str) -> NoReturn:
    raise AssertionError(f"nothing here may ask {name}")


@dataclass
class Site:
    """The app, the study it serves, and browsers that visit it."""

    app: FastAPI
    parts: Parts
    study: Study
    prefix: str = ""

    @property
    def base(self) -> str:
        return f"{self.prefix}/s/{self.study.name}/"

    def browser(self, host: str = HOST, **headers: str) -> "Browser":
        client = AsyncClient(transport=ASGITransport(self.app), base_url=host, headers=headers)
        return Browser(client, self.base)


@asynccontextmanager
async def opened_site(
    url: str,
    study: Study | None = None,
    settings: WebSettings | None = None,
    models: ChatModels = no_models,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> AsyncIterator[Site]:
    chance = random.Random(7)
    parts = Parts(open_store(url), models, now, lambda: chance.getrandbits(63))
    study = study or demo_study()
    settings = settings or WebSettings()
    await publish(parts, study)
    try:
        yield Site(create_app(parts, settings), parts, study, settings.root_path)
    finally:
        await parts.drain()
        await parts.store.close()


class Browser:
    """A browser without JavaScript: it follows redirects, keeps cookies and sends forms as they stand on the page."""

    def __init__(self, client: AsyncClient, base: str) -> None:
        self.client = client
        self.base = base
        self.page: Response
        self.html: HTMLParser

    async def open(self, path: str = "", **parameters: str) -> Response:
        return await self._take(
            await self.client.get(path or self.base, params=parameters or None, follow_redirects=True)
        )

    async def _take(self, response: Response) -> Response:
        self.page, self.html = response, HTMLParser(response.text)
        return response

    @property
    def title(self) -> str:
        heading = self.html.css_first("h1")
        return heading.text().strip() if heading else ""

    def text(self, selector: str) -> str:
        found = self.html.css_first(selector)
        return found.text().strip() if found else ""

    def form(self, selector: str) -> dict[str, str]:
        """The fields of a form as a browser would send them untouched."""
        form = self.html.css_first(selector)
        assert form is not None, f"no form {selector} on {self.page.url}: {self.title!r}"
        fields: dict[str, str] = {}
        for field in form.css("input, textarea"):
            name, kind = field.attributes.get("name"), field.attributes.get("type")
            if not name or (kind in ("radio", "checkbox") and "checked" not in field.attributes):
                continue
            fields[name] = (field.attributes.get("value") or "") if field.tag == "input" else field.text()
        return fields

    def first_choices(self, selector: str) -> dict[str, str]:
        """The first option of every choice in a form."""
        form = self.html.css_first(selector)
        assert form is not None
        chosen: dict[str, str] = {}
        for field in form.css("input[type=radio]"):
            chosen.setdefault(field.attributes["name"] or "", field.attributes["value"] or "")
        return chosen

    async def send(self, selector: str, **fields: str) -> Response:
        """Send a form of this page with `fields` filled in, and look at where that leads."""
        form = self.html.css_first(selector)
        assert form is not None, f"no form {selector} on {self.page.url}: {self.title!r}"
        return await self.post(form.attributes["action"] or "", {**self.form(selector), **fields})

    async def go_on(self, study: Study, label: int = 0) -> str:
        """Do whatever this page asks for, attention checks answered right; the heading that was answered."""
        answered = self.title
        if self.html.css_first("#message") and "disabled" in self.html.css_first("#again").attributes:
            await self.send("#message", message=f"My reason number {len(self.html.css('.line'))} lies in the words.")
        elif onward := next((form for form in ("#debate", "#read") if self.html.css_first(form)), ""):
            await self.send(onward)
        elif self.html.css_first("#answers"):
            labels = [node.attributes["value"] or "" for node in self.html.css("#answers input[name=label]")]
            words = {node.attributes["name"] or "": "Some words" for node in self.html.css("#answers textarea")}
            right = {f"q_{check.question.key}": check.expected for check in study.attention_checks}
            chosen = {**self.first_choices("#answers"), **words}
            chosen |= {name: value for name, value in right.items() if name in chosen}
            await self.send("#answers", **{**chosen, **({"label": labels[label]} if labels else {})})
        else:
            await self.send("form.decide", **({"consent": "yes"} if self.html.css_first("[name=consent]") else {}))
        return answered

    async def go_until(self, study: Study, selector: str) -> None:
        """Go on until the page holds `selector`."""
        for _ in range(40):
            if self.html.css_first(selector):
                return
            await self.go_on(study)
        raise AssertionError(f"no page held {selector}; the last one was {self.title!r}")

    async def post(self, path: str, fields: dict[str, str], **headers: str) -> Response:
        return await self._take(await self.client.post(path, data=fields, headers=headers, follow_redirects=True))
