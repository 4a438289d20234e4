"""What somebody took back stands in no byte of any export, report, page or answer of the API."""

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from crito.formats.exporters import EXPORTERS
from crito.model.access import SCOPES
from crito.model.ids import AnnotatorId
from crito.model.record import Identity
from crito.report.study_page import render_report
from crito.services import enrolment, exporting, recruiting, tokens
from crito.services.exporting import export_study
from crito.services.reporting.study import report_study
from crito.store.verify import verify
from tests.web.site import Browser, Site
from tests.web.test_blindness import addresses
from tests.web.test_owner_and_api import arrived, owner

SECRET = "aubergine conspiracy"
WORDS = f"It is the {SECRET} that gives it away, since nobody would praise a truck like that."


async def talkative(site: Site, pid: str) -> AnnotatorId:
    """Somebody who finished and said the secret wherever words can be said."""
    browser = await arrived(site, "#answers", pid)
    for _ in range(60):
        if browser.html.css_first(".code"):
            break
        if browser.html.css_first("#message") and "disabled" in browser.html.css_first("#again").attributes:
            await browser.send("#message", message=f"{WORDS} ({len(browser.html.css('.line'))})")
        elif browser.html.css_first("#answers textarea, #again textarea"):
            await _answer(browser, site)
        else:
            await browser.go_on(site.study)
    assert browser.html.css_first(".code")
    who = await enrolment.find(site.parts, site.study.name, Identity("prolific", pid))
    assert who is not None
    return who


async def _answer(browser: Browser, site: Site) -> None:
    words = {node.attributes["name"] or "": WORDS for node in browser.html.css("#answers textarea")}
    right = {f"q_{check.question.key}": check.expected for check in site.study.attention_checks}
    chosen = {**browser.first_choices("#answers"), **words}
    chosen |= {name: value for name, value in right.items() if name in chosen}
    await browser.send("#answers", **chosen)


def texts_in(folder: Path) -> Iterator[tuple[str, str]]:
    """Every file below a folder as text, whatever it is packed in."""
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        if file.suffix == ".parquet":
            yield file.name, str(pq.read_table(file).to_pylist())
        elif zipfile.is_zipfile(file):
            with zipfile.ZipFile(file) as packed:
                yield file.name, "".join(packed.read(name).decode("utf-8", "replace") for name in packed.namelist())
        else:
            yield file.name, file.read_text(encoding="utf-8", errors="replace")


async def exported(site: Site, out: Path) -> dict[str, str]:
    """Every format that can hold this study, as text."""
    found = {}
    for name, exporter in EXPORTERS.items():
        await export_study(site.parts, site.study.name, exporter, out / name)
        found[name] = "".join(text for _, text in texts_in(out / name))
    await export_study(site.parts, site.study.name, EXPORTERS["csv"], out / "release", release="transcripts")
    found["release"] = "".join(text for _, text in texts_in(out / "release"))
    found["report"] = render_report(await report_study(site.parts, site.study.name))
    table = await exporting.study_labels(site.parts, site.study.name)
    found["labels"] = str(list(table.parts()))
    return found


async def heard_everywhere(site: Site, who: AnnotatorId) -> list[str]:
    """Addresses, for the owner and for programs, whose answers hold the secret."""
    record = await site.parts.store.read(lambda tx: tx.person(who))
    mine = record.assignments[0]
    token = await tokens.make_api_token(site.parts, site.study.name, scopes=SCOPES)
    programs, at = site.browser(Authorization=f"Bearer {token}"), await owner(site)
    known = {"study": site.study.name, "annotator": who, "assignment": mine.id, "task": mine.task, "item": mine.item}
    leaks, n_asked = [], 0
    for method, path in addresses(site, **known):
        if method != "GET":
            continue
        for browser in (programs, at):
            answer = await browser.client.get(path, follow_redirects=True)
            n_asked += answer.status_code == 200
            if SECRET in answer.text:
                leaks.append(path)
    assert n_asked > 30
    return leaks


@pytest.fixture
async def two(site: Site) -> dict[str, AnnotatorId]:
    """Ana who says the secret, and Ben who says something else."""
    ana = await talkative(site, "ana")
    ben = await arrived(site, ".code", "ben")
    assert ben.text(".code")
    return {"ana": ana}


async def erase_as_owner(site: Site, who: str, **fields: str) -> Browser:
    browser = await owner(site)
    await browser.open(site.base + "owner/erasures")
    await browser.send("form.erase", **{"who": who, "scope": "whole", "sure": "yes", **fields})
    return browser


@pytest.mark.parametrize("scope", ["whole", "words"])
async def test_erased_words_stand_nowhere(site: Site, two: dict[str, AnnotatorId], scope: str, tmp_path: Path) -> None:
    ana = two["ana"]
    await recruiting.decide(site.parts, site.study.name, [ana], "reject", f"Wrote of the {SECRET} only.", "owner")
    before = await exported(site, tmp_path / "before")
    assert SECRET in before["csv"]
    assert SECRET in before["excel"]
    assert SECRET in before["parquet"]
    assert await heard_everywhere(site, ana)

    browser = await erase_as_owner(site, ana, scope=scope)

    assert browser.page.status_code == 200, browser.text("main")
    after = await exported(site, tmp_path / "after")
    assert [name for name, text in after.items() if SECRET in text] == []
    assert await heard_everywhere(site, ana) == []
    counted = {name for name in ("csv", "jsonl", "parquet", "excel", "release", "labels") if ana in after[name]}
    assert counted == (
        set() if scope == "whole" else {"csv", "jsonl", "parquet", "excel", "release", "labels"} & counted
    )
    assert (ana in after["csv"]) == (scope == "words")


async def test_the_record_adds_up_after_an_erasure(site: Site, two: dict[str, AnnotatorId], tmp_path: Path) -> None:
    await erase_as_owner(site, two["ana"])

    problems = [
        problem for check in verify(f"sqlite:///{tmp_path / 'site.db'}", site.study.name) for problem in check.problems
    ]

    assert problems == []
    assert not any(SECRET in text for name, text in texts_in(tmp_path) if name.startswith("site.db"))


async def test_the_certificate_says_what_went_and_what_remains_without_the_words(
    site: Site, two: dict[str, AnnotatorId], tmp_path: Path
) -> None:
    await export_study(site.parts, site.study.name, EXPORTERS["jsonl"], tmp_path / "before")
    browser = await erase_as_owner(site, two["ana"])

    (told,) = json.loads((await browser.client.get(f"{site.base}owner/erasures/{two['ana']}.json")).text)

    assert (told["annotator"], told["scope"], told["by"] != "") == (two["ana"], "whole", True)
    assert told["erased"]["turns"]["n"] >= 2
    assert len(told["erased"]["turns"]["sha256"]) == len(told["sha256"]) == 64
    assert told["remains"]["labels"] >= 4
    assert told["remains"]["identity"] == 1
    assert set(told["why_it_remains"]) == set(told["remains"])
    assert {file["file"] for file in told["remains"]["files"]} >= {"annotations.jsonl"}
    assert two["ana"] in browser.text(".certificates")
    assert "changed since" not in browser.text(".certificates")


async def test_who_withdraws_by_themselves_gets_a_certificate_too(site: Site, two: dict[str, AnnotatorId]) -> None:
    person = site.browser()
    await person.open(PROLIFIC_PID="ana")
    await person.open(site.base + "withdraw")
    await person.send("form.decide")
    browser = await owner(site)

    await browser.open(site.base + "owner/erasures")

    assert two["ana"] in browser.text(".certificates")
    assert "the person" in browser.text(".certificates")


async def test_nothing_is_erased_without_a_yes_or_of_nobody(site: Site, two: dict[str, AnnotatorId]) -> None:
    unsure = await erase_as_owner(site, two["ana"], sure="")
    nobody = await erase_as_owner(site, "p-000")
    talking = await arrived(site, "#answers", "cleo")
    who = await enrolment.find(site.parts, site.study.name, Identity("prolific", "cleo"))
    under_way = await erase_as_owner(site, str(who), scope="words")

    assert [one.page.status_code for one in (unsure, nobody, under_way)] == [400, 404, 409]
    assert talking.title
    assert SECRET in (
        await site.parts.store.read(
            lambda tx: str(tx.words([i for ids in tx.erasable(two["ana"]).values() for i in ids]))
        )
    )


async def test_forgetting_who_they_are_leaves_no_id_of_the_platform(
    site: Site, two: dict[str, AnnotatorId], tmp_path: Path
) -> None:
    await erase_as_owner(site, two["ana"], forget="yes")

    assert await enrolment.find(site.parts, site.study.name, Identity("prolific", "ana")) is None
    assert await site.parts.store.read(lambda tx: tx.platform_ids(site.study.name)) == ["ben"]


async def test_uploads_and_erasures_are_for_owners_alone(site: Site) -> None:
    browser = await arrived(site, "#answers")

    page = await browser.client.get(site.base + "owner/erasures")
    form = await browser.client.post(site.base + "owner/erasures/erase", data={"who": "x", "sure": "yes"})

    assert (page.status_code, form.status_code) == (401, 403)
