"""The pages of debates, judges and sweeps in a real browser: both themes, wide and narrow, on paper, and axe finds nothing."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from crito.model.debate import Debate, Debater, Stance
from crito.model.errors import InvalidInput
from crito.model.ids import RunId
from crito.protocols.debate.sweep import LEVELS, Manners, SweptArgument
from crito.report.debate_page import render_debate
from crito.report.judgement_page import render_judgement
from crito.report.scoreboard import render_verdict
from crito.report.sweep_page import render_sweep
from crito.services.debate_files import DebateReport, HeldRun
from crito.services.judging import Document, Judged, Manner
from crito.services.parts import Parts
from crito.services.ports.models import ChatModel
from crito.services.staging import stage_debate, stage_judges
from crito.services.sweeping import Sweep
from crito.store.opening import open_store
from crito.store.schema import upgrade
from crito.studies.bundled import staged_debate
from tests.builders import NOON, make_study
from tests.report.test_page_in_browser import AXE
from tests.surroundings import unavailable

PAGES = ("debate", "verdict", "judgement", "sweep")


def no_models(name: str) -> ChatModel:
    raise InvalidInput("this test has no models", name)


async def staged(url: str) -> DebateReport:
    seeds = count(1)
    parts = Parts(open_store(url), no_models, lambda: NOON, lambda: next(seeds))
    script = staged_debate().read_text(encoding="utf-8")
    run, outcome = await stage_debate(parts, make_study(), script)
    judged = await stage_judges(parts, make_study(), outcome, script)
    await parts.store.close()
    return DebateReport(run.debate, (HeldRun("given", outcome),), NOON, staged=True, judged=judged)


def swept() -> Sweep:
    sides = (Debater(Stance("A", "Lend tools."), "lab:a"), Debater(Stance("B", "Lend books."), "lab:b"))
    arguments = tuple(
        SweptArgument(
            level, side, f"At {level:g} side {side} says that a shelf serves forty households, and why it should not." * 3,
            tuple(
                Manners(judge, "firm", "what is lost", "plain", ("a shelf serves", "forty households"), "unyielding", number)
                for judge, number in (("judge_1", 10 - round(level * 8)), ("judge_2", None if level == 0.5 else 7))
            ),
        )
        for level in LEVELS
        for side in ("A", "B")
    )  # fmt: skip
    wanted = Debate("tools", "Should the library lend tools?", sides, judges=("lab:first", "lab:second"))
    return Sweep(wanted, LEVELS, arguments)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("debates")
    url = f"sqlite:///{folder / 'staged.db'}"
    upgrade(url)
    # Playwright keeps a loop running in this thread, in which no other can start.
    with ThreadPoolExecutor(1) as aside:
        report = aside.submit(asyncio.run, staged(url)).result()
    assert report.judged is not None
    reading = report.judged.verdict.readings[0].report
    document = Document(report.outcome.closings[0].text, "closing of A")
    alone = Judged(RunId("j-1"), document, Manner(), {reading.judge: "script:judge"}, (reading,), {}, (), NOON)
    made = {
        "debate": render_debate(report),
        "verdict": render_verdict(report.judged),
        "judgement": render_judgement(alone),
        "sweep": render_sweep(swept(), NOON),
    }
    for name, text in made.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_a_page_fits_the_screen_and_axe_finds_nothing(
    browser: Browser, pages: Path, ci_output: Path, name: str, width: int, scheme: str
) -> None:
    if not AXE.exists():
        unavailable("axe", f"there is no {AXE}; `make setup` brings it")
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    page.goto((pages / f"{name}.html").as_uri())
    page.screenshot(path=ci_output / f"{name}-page-{width}-{scheme}.png", full_page=True)
    page.add_script_tag(path=AXE)

    found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]

    assert [(problem["id"], problem["nodes"][0]["html"]) for problem in found] == []
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.close()


@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_cut_off_on_paper(browser: Browser, pages: Path, ci_output: Path, name: str) -> None:
    page = browser.new_page(viewport={"width": 740, "height": 1000})
    page.goto((pages / f"{name}.html").as_uri())
    page.emulate_media(media="print")
    page.screenshot(path=ci_output / f"{name}-paper.png", full_page=True)

    wider = page.evaluate(
        "[...document.querySelectorAll('table, svg')].filter(e => e.scrollWidth > e.parentElement.clientWidth + 1).length"
    )
    assert wider == 0
    assert page.evaluate("document.documentElement.scrollWidth") == 740
    page.close()


def test_the_scoreboard_tells_both_orders_and_every_judge(pages: Path) -> None:
    text = (pages / "debate.html").read_text(encoding="utf-8")

    assert "A first" in text
    assert "B first" in text
    assert text.count("script:first-judge") >= 4
    assert "no model said or gave any of this" in text


def test_a_sweep_without_a_number_draws_nothing() -> None:
    found = swept()
    unread = Sweep(found.debate, (0.5,), (SweptArgument(0.5, "A", "So.", (Manners("judge_1"),)),))

    assert "Nothing to draw" in render_sweep(unread, NOON)
