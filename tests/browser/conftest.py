"""A real Chromium, and people who use it."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect, sync_playwright

from crito.model.study import Study
from tests.browser.serving import Served, served
from tests.surroundings import unavailable

AXE = Path(__file__).parent / "vendor/axe.min.js"
SCREENSHOTS = Path(__file__).parents[2] / "ci-output/screenshots"
WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
TALK = "Talk it through"

# Machines that run tests are busy; nothing here is a measurement.
PATIENCE_MS = 90_000
expect.set_options(timeout=PATIENCE_MS / 2)


@dataclass
class Visitor:
    """Someone in front of a browser window. What the browser complains about is kept in `complaints`."""

    page: Page
    site: Served
    complaints: list[str] = field(default_factory=list)

    def arrive(self, pid: str = "someone") -> None:
        self.page.goto(f"{self.site.address}?PROLIFIC_PID={pid}&STUDY_ID=s&SESSION_ID=1")

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name).click()

    @property
    def heading(self) -> str:
        return self.page.locator("h1").inner_text()

    def begin(self, pid: str = "someone") -> None:
        """Up to the first item."""
        self.arrive(pid)
        self.press("I agree, begin")
        self.press("Start with")
        expect(self.page.locator("#answers")).to_be_visible()

    def answer(self, label: int = 0) -> None:
        """Choose an answer to everything that the form asks, attention checks rightly."""
        right = {f"q_{check.question.key}": check.expected for check in self.site.study.attention_checks}
        for ask in self.page.locator("#answers .ask:visible").all():
            name = ask.get_attribute("data-name") or ""
            if name in right:
                ask.locator(f"input[value={right[name]}]").check()
            elif ask.locator("input").count():
                ask.locator("input").nth(label if name == "label" else 0).check()

    def save(self) -> None:
        """Send the form and wait for the page that comes next."""
        with self.page.expect_navigation():
            self.page.locator("#answers button[type=submit]").click()

    def to_the_talk(self, pid: str = "someone") -> None:
        self.begin(pid)
        for _ in self.site.study.tasks:
            self.answer()
            self.save()
        self.press("Keep these labels")
        expect(self.page.locator("h1")).to_have_text(TALK)

    def say(self, words: str) -> None:
        """Send a message and wait until the partner has answered."""
        lines = self.page.locator("#log .line")
        before = lines.count()
        self.page.locator("#words").fill(words)
        self.page.locator("#words").press("Enter")
        expect(lines).to_have_count(before + 2)
        expect(self.page.locator("#incoming")).to_have_count(0)

    def look(self, name: str, *, whole: bool = True) -> None:
        """Keep a picture of the page, or only of the window."""
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=whole, animations="disabled")

    def check_access(self) -> None:
        """Let axe look for what keeps people out; by the debugger's own door, since the page lets no foreign script in."""
        session = self.page.context.new_cdp_session(self.page)
        session.send("Runtime.evaluate", {"expression": AXE.read_text(encoding="utf-8")})
        found = session.send(
            "Runtime.evaluate",
            {
                "expression": "axe.run({resultTypes: ['violations']}).then(r => r.violations.map("
                "v => v.id + ': ' + v.nodes.map(n => n.target.join(' ')).join(', ')))",
                "awaitPromise": True,
                "returnByValue": True,
            },
        )
        session.detach()
        assert found["result"].get("value") == [], f"{self.heading}: {found}"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium. It is shut again with the module: its driver would keep the loop that other tests need."""
    executable = os.environ.get("CRITO_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if not executable:
        unavailable("Chromium", "there is none on the path; on Debian `apt-get install chromium` brings it")
    if not AXE.is_file():
        unavailable("axe", "python hatch_build.py fetches it")
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        except Error as error:
            unavailable("Chromium", str(error).splitlines()[0])
        yield browser
        browser.close()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Served]:
    with served(f"sqlite:///{tmp_path / 'site.db'}") as running:
        yield running


@pytest.fixture
def site_with(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """Serve another study, or the same one with other parts."""
    running: list[object] = []

    def serve(study: Study | None = None, **more: object) -> Served:
        block = served(f"sqlite:///{tmp_path / f'site{len(running)}.db'}", study, **more)  # type: ignore[arg-type]
        running.append(block)
        return block.__enter__()

    yield serve
    for block in running:
        block.__exit__(None, None, None)  # type: ignore[attr-defined]


@pytest.fixture
def visitor(chromium: Browser) -> Iterator[Callable[..., Visitor]]:
    """Open windows; each is a browser of its own unless `beside` names one to share cookies with.

    At the end nothing may have been complained about on any console, besides what the test itself brought about.
    """
    contexts: list[BrowserContext] = []
    visitors: list[Visitor] = []

    def open_window(site: Served, *, narrow: bool = False, beside: Visitor | None = None, **options: object) -> Visitor:
        if beside:
            context = beside.page.context
        else:
            size = NARROW if narrow else WIDE
            context = chromium.new_context(viewport=size, has_touch=narrow, is_mobile=narrow, **options)  # type: ignore[arg-type]
            context.set_default_timeout(PATIENCE_MS)
            contexts.append(context)
        someone = Visitor(context.new_page(), site)
        someone.page.on("console", lambda line: someone.complaints.append(line.text) if line.type == "error" else None)
        someone.page.on("pageerror", lambda error: someone.complaints.append(str(error)))
        someone.page.on(
            "dialog", lambda dialog: (someone.complaints.append(f"dialog {dialog.message}"), dialog.dismiss())
        )
        visitors.append(someone)
        return someone

    yield open_window
    for context in contexts:
        with suppress(Error):
            context.close()
    assert [complaint for someone in visitors for complaint in someone.complaints] == []
