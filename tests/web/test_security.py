"""What no request may do: reach someone else's work, come from another site, or learn what it must not."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.routing import BaseRoute, Route

from crito.model.ids import StudyName
from crito.services import access, accounts
from crito.web.settings import WebSettings
from tests.web.site import Browser, Site, opened_site

ANA = {"PROLIFIC_PID": "ana-at-prolific"}
BEN = {"PROLIFIC_PID": "ben-at-prolific"}


def routes(site: Site) -> Iterator[tuple[str, str]]:
    """Method and path of every route of the app, the API's included."""

    def walk(found: list[BaseRoute]) -> Iterator[Route]:
        for route in found:
            inner = getattr(route, "routes", None)
            if inner:
                yield from walk(inner)
            elif hasattr(route, "methods"):
                yield route  # type: ignore[misc]

    for route in walk(site.app.router.routes):
        for method in sorted(route.methods or ()):
            yield method, route.path


def filled(path: str, site: Site, *, assignment: str = "a-nobody", token: str = "t") -> str:
    return (
        site.prefix + path.replace("{study}", site.study.name)
        .replace("{assignment}", assignment)
        .replace("{token}", token)
        .replace("{address:path}", "crito.css")
    )  # fmt: skip


async def arrived(site: Site, link: dict[str, str], selector: str) -> Browser:
    browser = site.browser()
    await browser.open(**link)
    await browser.go_until(site.study, selector)
    return browser


async def record_of(site: Site, browser: Browser) -> object:
    token = browser.client.cookies["crito"]
    who = await access.signed_in(site.parts, site.study.name, token)
    assert who is not None
    return await site.parts.store.read(lambda tx: (tx.person(who), tx.annotation_history(site.study.name, [who])))


async def test_someone_elses_ids_reach_nothing_on_any_route(site: Site) -> None:
    ana = await arrived(site, ANA, "#message")
    ben = await arrived(site, BEN, "#message")
    text, form = ana.text(".item-text"), ana.form("#message")["form_name"]
    assignment = form.split(":")[1]
    before = await record_of(site, ana)
    tried = 0

    for method, path in routes(site):
        if not path.startswith("/s/") or "owner" in path or method == "HEAD":
            continue
        stolen = {"assignment": assignment, "message": "Mine now.", "label": "sarcastic", "confidence": "not_sure"}
        for kind in ("message", "annotate", "reannotate", "survey"):
            name = form if kind == "message" else f"{kind}:{assignment}"
            ben_csrf = ben.form("footer form")["csrf"] if ben.html.css_first("footer form") else ""
            answer = await ben.client.request(
                method,
                filled(path, site, assignment=assignment),
                data={**stolen, "form_name": name, "csrf": ben_csrf} if method == "POST" else None,
            )
            tried += 1
            assert answer.status_code < 500, (method, path)
            assert text not in answer.text, (method, path)
            await ben.open(**BEN)

    assert tried > 60
    assert await record_of(site, ana) == before


@pytest.mark.parametrize("csrf", ["", "0" * 64, "ana's"])
async def test_every_form_without_this_browsers_mark_is_refused(site: Site, csrf: str) -> None:
    ana = await arrived(site, ANA, "#answers")
    ben = await arrived(site, BEN, "#answers")
    before = await record_of(site, ben)
    mark = ana.form("#answers")["csrf"] if csrf == "ana's" else csrf

    refused = [
        (path, await ben.client.post(filled(path, site), data={**ben.form("#answers"), "csrf": mark, "consent": "yes"}))
        for method, path in routes(site)
        if method == "POST"
    ]

    assert len(refused) >= 14
    assert [(path, answer.status_code) for path, answer in refused if answer.status_code not in (401, 403)] == []
    assert await record_of(site, ben) == before


async def test_a_form_that_says_it_comes_from_another_site_is_refused(site: Site) -> None:
    browser = await arrived(site, ANA, "#answers")

    answer = await browser.post(site.base + "annotate", browser.form("#answers"), **{"Sec-Fetch-Site": "cross-site"})

    assert (answer.status_code, browser.title) == (403, "This form was not accepted")


async def test_every_answer_carries_the_headers_that_keep_a_page_to_itself(site: Site) -> None:
    browser = await arrived(site, ANA, "#answers")

    for method, path in [*routes(site), ("GET", "/no/such/page"), ("GET", "/s/nope/")]:
        headers = (await browser.client.request(method, filled(path, site))).headers
        policy = headers["content-security-policy"]
        assert "default-src 'self'" in policy, (method, path)
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"


async def test_cookies_are_out_of_reach_of_scripts_and_of_other_studies(site: Site) -> None:
    browser = site.browser()
    await browser.open(**ANA)

    answer = await browser.client.post(site.base + "consent", data={**browser.form("form.decide"), "consent": "yes"})

    (cookie,) = answer.headers.get_list("set-cookie")
    assert cookie.startswith("crito=")
    assert f"Path={site.base}" in cookie
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Secure" not in cookie


@pytest.mark.parametrize("strips", [True, False])
async def test_behind_a_prefix_and_https_every_address_and_cookie_fits(tmp_path: Path, strips: bool) -> None:
    settings = WebSettings(root_path="/lab/crito")
    async with opened_site(f"sqlite:///{tmp_path / 'crito.db'}", settings=settings) as site:
        browser = site.browser(**{"X-Forwarded-Proto": "https"})
        inner = site.base.removeprefix("/lab/crito") if strips else site.base
        await browser.open(inner, **ANA)
        answer = await browser.client.post(
            inner + "consent",
            data={**browser.form("form.decide"), "consent": "yes"},
            headers={"Cookie": _cookies(browser)},
        )

        assert browser.html.css_first("form").attributes["action"] == "/lab/crito/s/sarcasm-and-relation/consent"
        for node in browser.html.css("[href], [src]"):
            address = node.attributes.get("href") or node.attributes.get("src") or ""
            assert address.startswith(("/lab/crito/", "?", "#")), address
        assert answer.headers["location"] == "/lab/crito/s/sarcasm-and-relation/"
        (cookie,) = answer.headers.get_list("set-cookie")
        assert "Path=/lab/crito/s/sarcasm-and-relation/;" in cookie
        assert "Secure" in cookie


async def test_behind_a_prefix_everything_that_a_page_of_the_owner_asks_for_is_found(tmp_path: Path) -> None:
    settings = WebSettings(root_path="/lab/crito")
    async with opened_site(f"sqlite:///{tmp_path / 'crito.db'}", settings=settings) as site:
        person = site.browser()
        await person.open(**ANA)
        await person.go_until(site.study, "#message")
        browser = site.browser()
        link = await accounts.make_owner_link(site.parts, site.study.name)
        await browser.open(f"{site.base}owner/enter/{link}")
        rooms = [node.attributes["href"] or "" for node in browser.html.css("nav a[href]")]
        asked: dict[str, int] = {}
        for room in rooms:
            await browser.open(room)
            assert browser.page.status_code == 200, room
            for node in browser.html.css("[hx-get], [hx-post], [src], link[href], a[href], form[action]"):
                names = ("hx-get", "hx-post", "src", "href", "action")
                address = next(value for name in names if (value := node.attributes.get(name)) is not None)
                own = address.removeprefix("http://crito.test")
                assert own.startswith(("/lab/crito/", "?", "#")), (room, address)
                if "hx-get" in node.attributes:
                    asked[address] = (await browser.client.get(address)).status_code

    assert len(rooms) > 5
    assert len(asked) > 2
    assert set(asked.values()) == {200}


def _cookies(browser: Browser) -> str:
    return "; ".join(f"{cookie.name}={cookie.value}" for cookie in browser.client.cookies.jar)


async def test_a_proxy_nobody_trusts_is_not_believed(tmp_path: Path) -> None:
    settings = WebSettings(trusted_proxies=("10.1.2.3",))
    async with opened_site(f"sqlite:///{tmp_path / 'crito.db'}", settings=settings) as site:
        browser = site.browser(**{"X-Forwarded-Proto": "https"})

        answer = await browser.client.get(site.base)

        assert "Secure" not in answer.headers["set-cookie"]


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"csrf=" + b"x" * 600_000, "application/x-www-form-urlencoded", 413),
        (b'{"csrf": 1}', "application/json", 415),
        (b"csrf=%ff%fe", "application/x-www-form-urlencoded", 400),
        (b"csrf=a%00b", "application/x-www-form-urlencoded", 400),
        (b"&".join(b"a=1" for _ in range(5000)), "application/x-www-form-urlencoded", 400),
    ],
)
async def test_what_no_form_of_ours_sends_is_refused_in_words(
    site: Site, content: bytes, kind: str, status: int
) -> None:
    browser = await arrived(site, ANA, "#answers")

    answer = await browser.client.post(site.base + "annotate", content=content, headers={"Content-Type": kind})

    assert answer.status_code == status
    assert "<h1>" in answer.text


async def test_a_crash_shows_a_mark_and_keeps_words_out_of_page_and_log(
    site: Site, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = await arrived(site, ANA, "#answers")

    async def fails(*_: object) -> None:
        raise RuntimeError("secret words of ana-at-prolific")

    monkeypatch.setattr(site.parts.store, "write", fails)
    with caplog.at_level(logging.DEBUG):
        answer = await browser.send("#answers", label="sarcastic", confidence="not_sure", rationale="my dear words")

    assert answer.status_code == 500
    assert "Something on our side failed" in browser.title
    mark = browser.text(".mark-line")
    assert mark in caplog.text
    assert "RuntimeError" in caplog.text
    for hidden in ("secret words", "my dear words", "ana-at-prolific", "Traceback"):
        assert hidden not in answer.text
        assert hidden not in caplog.text


async def test_ids_of_the_platform_stand_in_no_log_line(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, logger="crito"):
        await arrived(site, ANA, "#message")

    assert "ana-at-prolific" not in caplog.text


async def test_one_study_does_not_know_the_people_of_another(site: Site) -> None:
    browser = await arrived(site, ANA, "#answers")

    assert await access.signed_in(site.parts, StudyName("other"), browser.client.cookies["crito"]) is None


@pytest.mark.parametrize("path", ["/s/nope/", "/s/nope/left", "/s/%2e%2e/", "/nowhere", "/static/../app.py"])
async def test_an_address_with_nothing_behind_it_says_so(site: Site, path: str) -> None:
    browser = site.browser()

    answer = await browser.open(path)

    assert (answer.status_code, browser.title or "") in ((404, "There is nothing at this address"), (404, ""))


async def test_files_say_that_they_never_change_and_come_packed(site: Site) -> None:
    browser = site.browser()
    await browser.open()
    address = browser.html.css_first("link[rel=stylesheet]").attributes["href"] or ""

    answer = await browser.client.get(address)

    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-encoding"] == "gzip"
    assert "@layer ground" in answer.text


@pytest.mark.parametrize("number", ["9" * 5000, "-1", "1e9", "²", "٣", "", "0x1"])
async def test_a_number_that_is_none_breaks_no_page(site: Site, number: str) -> None:
    browser = await arrived(site, ANA, "#message")
    form = browser.form("#message")
    forged = {**form, "form_name": f"message:{form['assignment']}:{number}", "message": "Hello.", "n_shown": number}
    cookie = {**dict(browser.client.cookies), "crito_notice": f"slow_down.{number}.label"}
    cookies = "; ".join(f"{name}={value}" for name, value in cookie.items()).encode()
    answers = [
        await browser.client.post(site.base + "message", data=forged),
        await browser.client.post(site.base + "reply", data=forged, headers={"hx-request": "true"}),
        await browser.client.post(
            site.base + "draft", data={**forged, "form_name": "survey", "ms_submit": number, "ms_first_input": number}
        ),
        await browser.client.get(site.base, headers=[(b"cookie", cookies)]),
        await browser.client.get(site.base + "nowhere", headers=[(b"cookie", cookies)]),
    ]

    assert [answer.status_code for answer in answers] == [404, 200, 204, 200, 404]
