"""The report in a real browser, in both themes, wide and narrow."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Browser

from crito.report.study_page import render_report
from tests.report.crowd import crowd, crowd_study
from tests.report.test_page import data_of
from tests.surroundings import unavailable

AXE = Path(__file__).parent.parent / "browser" / "vendor" / "axe.min.js"


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


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser: Browser, report: Path, scheme: str) -> None:
    if not AXE.exists():
        unavailable("axe", f"there is no {AXE}; `make setup` brings it")
    page = browser.new_page(color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(report.as_uri())
    page.add_script_tag(path=AXE)

    found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]

    assert [(problem["id"], problem["nodes"][0]["html"]) for problem in found] == []
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


def test_a_figure_is_saved_from_the_file_itself_as_svg_png_and_csv(
    browser: Browser, report: Path, tmp_path: Path
) -> None:
    page = browser.new_page(accept_downloads=True, color_scheme="dark")
    page.goto(report.as_uri())
    figure = page.locator("figure").filter(has=page.locator("svg.figure")).first

    saved = {}
    for kind in ("SVG", "PNG", "CSV"):
        with page.expect_download() as download:
            figure.get_by_role("button", name=f"as {kind}").click()
        saved[kind] = tmp_path / download.value.suggested_filename
        download.value.save_as(saved[kind])

    svg = saved["SVG"].read_text(encoding="utf-8")
    assert ElementTree.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg"
    assert "var(" not in svg
    assert saved["PNG"].read_bytes().startswith(b"\x89PNG")
    assert saved["CSV"].read_text(encoding="utf-8-sig").startswith('"Step","People"')
    page.close()


def test_without_script_the_page_says_all_it_has_to_say(browser: Browser, report: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report.as_uri())

    assert page.locator("svg.figure").count() > 10
    assert page.locator(".save").count() == 0
    assert page.get_by_text("How the numbers are worked out").count() == 1
    context.close()
