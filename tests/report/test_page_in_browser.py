"""The report in a real browser, in both themes, wide and narrow."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from crito.report.page import render_report
from tests.report.crowd import crowd, crowd_study
from tests.report.test_page import data_of


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(render_report(data_of(*crowd(), crowd_study())), encoding="utf-8")
    return path


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_the_report_fits_the_screen(browser: Browser, report: Path, ci_output: Path, width: int, scheme: str) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(report.as_uri())
    page.screenshot(path=ci_output / f"report-{width}-{scheme}.png", full_page=True)

    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.close()


def test_a_question_mark_opens_its_method_inside_the_screen(browser: Browser, report: Path) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 800})
    page.goto(report.as_uri())

    page.locator("figcaption summary").first.click()

    box = page.locator("details.how[open] > div").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    page.close()
