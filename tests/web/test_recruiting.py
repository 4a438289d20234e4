"""The owner's pages of recruitment."""

import csv
import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from crito.model.errors import Forbidden
from crito.model.record import Identity
from crito.model.recruitment import Submission
from crito.model.study import ENDINGS
from crito.services import enrolment
from crito.studies import ready
from tests.bundled import demo_study
from tests.platforms.test_files import MTURK_HEAD, PROLIFIC_HEAD, mturk_row
from tests.web.site import Browser, Site, opened_site
from tests.web.test_owner_and_api import arrived, owner

FORMS = ("recruit/places", "submissions/review", "submissions/approve-finished", "submissions/fetch")
FILES = ("submissions/import", "submissions/fill", "submissions/traits")


def export(*rows: tuple[str, str, str]) -> bytes:
    """An export of Prolific's, with submission, person and status."""
    width = PROLIFIC_HEAD.count(",")
    lines = [PROLIFIC_HEAD, *(",".join(row) + "," * (width - 2) for row in rows)]
    return "\n".join(lines).encode()


async def upload(browser: Browser, selector: str, content: bytes, name: str = "export.csv") -> None:
    form = browser.html.css_first(selector)
    assert form is not None
    csrf = browser.form(selector)["csrf"]
    await browser._take(
        await browser.client.post(
            form.attributes["action"] or "", data={"csrf": csrf}, files={"file": (name, content, "text/csv")}
        )
    )


async def finished(site: Site, pid: str) -> None:
    browser = await arrived(site, ".code", pid)
    assert browser.text(".code")


async def test_the_page_shows_the_link_and_what_every_ending_gives(site: Site) -> None:
    browser = await owner(site)
    await browser.open(site.base + "owner/recruit")

    assert browser.text("#paste") == f"http://crito.test{site.base}"
    blanks = "?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
    assert f"http://crito.test{site.base}{blanks}" in browser.text("details code")
    rows = {row.css_first("th .hint").text(): row.text() for row in browser.html.css("#endings ~ .table-box tbody tr")}
    assert list(rows) == list(ENDINGS)
    for ending, code in site.study.completion.codes.items():
        assert code in rows[ending]


@pytest.mark.parametrize("ending", ENDINGS)
async def test_every_ending_can_be_seen_as_a_worker_sees_it(site: Site, ending: str) -> None:
    browser = await owner(site)
    await browser.open(f"{site.base}owner/recruit/ending/{ending}")

    assert browser.page.status_code == 200
    assert browser.text(".code") == site.study.completion.codes.get(ending, "")
    assert browser.html.css_first(f".ended-{ending}")


async def test_who_comes_beyond_the_opened_places_meets_a_full_study(site: Site) -> None:
    browser = await owner(site)
    await browser.open(site.base + "owner/recruit")
    await browser.send("form[action$='places']", n="1")
    assert browser.text("#places ~ .facts dd") == "1"

    await arrived(site, "#answers", "first")
    late = await arrived(site, ".ended-over_quota", "late")

    assert late.title == "All places are taken"
    await browser.open(site.base + "owner/recruit")
    assert browser.text("#places ~ .facts dd") == "0"


async def test_more_places_than_people_missing_are_refused(site: Site) -> None:
    browser = await owner(site)
    await browser.open(site.base + "owner/recruit")

    await browser.send("form[action$='places']", n="100000")

    assert browser.page.status_code == 400
    assert "open at most" in browser.text(".notice[role=alert]")


async def test_an_export_gives_places_back_and_says_so(site: Site) -> None:
    for pid in ("ana", "ben"):
        await finished(site, pid)
    browser = await owner(site)
    await browser.open(site.base + "owner/submissions")

    await upload(
        browser, "form[action$='import']",
        export(("s1", "ana", "RETURNED"), ("s2", "ben", "AWAITING REVIEW"), ("s3", "zoe", "RETURNED")),
    )  # fmt: skip

    said = browser.text(".notice[role=status]")
    assert "3 submissions were read" in said
    assert "The places of 1 person are free again" in said
    assert "1 submission belongs to nobody here" in said
    await browser.open(site.base + "owner/submissions?show=given_back")
    assert len(browser.html.css("tbody tr")) == 1


async def test_five_thousand_rows_are_taken_in_by_the_page(site: Site) -> None:
    await finished(site, "ana")
    rows = [(f"s{n}", f"p{n}", "APPROVED") for n in range(4_999)]
    browser = await owner(site)
    await browser.open(site.base + "owner/submissions")

    await upload(browser, "form[action$='import']", export(*rows, ("s-ana", "ana", "TIMED-OUT")))

    said = browser.text(".notice[role=status]")
    assert "5,000 submissions were read" in said
    assert "timed out 1" in said


async def test_a_file_that_is_no_export_changes_nothing_and_is_explained(site: Site) -> None:
    browser = await owner(site)
    await browser.open(site.base + "owner/submissions")

    await upload(browser, "form[action$='import']", b"name\nana\n", "people.csv")

    assert browser.page.status_code == 400
    assert "people.csv" in browser.text(".notice[role=alert]")


async def test_the_chosen_are_approved_or_rejected_and_the_platforms_lists_say_so(site: Site) -> None:
    for pid in ("ana", "ben", "cleo"):
        await finished(site, pid)
    browser = await owner(site)
    await browser.open(site.base + "owner/submissions")
    (cleo, ben, _) = [node.text() for node in browser.html.css("tbody .pseudonym")]

    await browser.post(site.base + "owner/submissions/review", _form(browser, [ben], "reject", ""))
    assert browser.page.status_code == 400
    assert "needs a reason" in browser.text(".notice[role=alert]")
    await browser.post(site.base + "owner/submissions/review", _form(browser, [ben], "reject", "No item was read."))
    await browser.post(site.base + "owner/submissions/review", _form(browser, [cleo], "approve", "of no use"))
    await browser.send("form[action$='approve-finished']")

    assert "The decision about 1 person is on record" in browser.text(".notice[role=status]")
    approved = await browser.client.get(site.base + "owner/submissions/list/prolific-approve.txt")
    rejected = await browser.client.get(site.base + "owner/submissions/list/prolific-reject.csv")
    assert approved.text.split() == ["ana", "cleo"]
    assert [row["Reason"] for row in csv.DictReader(io.StringIO(rejected.text))] == ["No item was read."]
    assert approved.headers["content-disposition"] == 'attachment; filename="prolific-approve.txt"'


def _form(browser: Browser, people: Sequence[str], decision: str, reason: str) -> dict[str, str]:
    csrf = browser.form("form.reviews")["csrf"]
    return {"csrf": csrf, **{f"who_{one}": "on" for one in people}, "decision": decision, "reason": reason}


async def test_the_results_of_mechanical_turk_come_back_filled_in(site: Site) -> None:
    browser = site.browser()
    await browser.open(workerId="W7", assignmentId="A7", hitId="H7")
    await browser.go_until(site.study, ".code")
    at = await owner(site)
    await at.open(site.base + "owner/submissions")
    await at.send("form[action$='approve-finished']")

    await upload(at, "form[action$='fill']", "\n".join([MTURK_HEAD, mturk_row(7, "Submitted")]).encode(), "Batch.csv")

    (row,) = csv.DictReader(io.StringIO(at.page.text))
    assert (row["WorkerId"], row["Approve"], row["Reject"]) == ("W7", "X", "")


class Asked:
    """A platform that has been asked."""

    def __init__(self, *listed: Submission, refuses: bool = False) -> None:
        self.listed, self.refuses = listed, refuses

    async def submissions(self, platform_study: str) -> Sequence[Submission]:
        if self.refuses:
            raise Forbidden("Prolific does not take the token")
        return self.listed


async def test_prolific_is_asked_where_a_token_is_there(site: Site) -> None:
    await finished(site, "ana")
    browser = await owner(site)
    await browser.open(site.base + "owner/submissions")
    assert browser.html.css_first("#platform_study") is None
    object.__setattr__(site.parts, "prolific", Asked(Submission("prolific", "", "ana", "returned")))
    await browser.open(site.base + "owner/submissions")

    await browser.send("form[action$='fetch']", platform_study="abc123")
    assert "The places of 1 person are free again" in browser.text(".notice[role=status]")
    object.__setattr__(site.parts, "prolific", Asked(refuses=True))
    await browser.send("form[action$='fetch']", platform_study="abc123")
    assert "does not take the token" in browser.text(".notice[role=alert]")


@pytest.mark.parametrize(
    "path", ["recruit", "recruit/ending/done", "submissions", "submissions/list/prolific-approve.txt"]
)
async def test_the_pages_are_shut_to_everyone_else(site: Site, path: str) -> None:
    browser = await arrived(site, "#answers")

    await browser.open(f"{site.base}owner/{path}")

    assert browser.page.status_code == 401


@pytest.mark.parametrize("path", [*FORMS, *FILES])
async def test_forms_of_other_sites_change_nothing(site: Site, path: str) -> None:
    browser = await owner(site)
    sent = {"files": {"file": ("x.csv", b"x")}} if path in FILES else {"data": {"n": "3"}}

    answer = await browser.client.post(f"{site.base}owner/{path}", **sent)

    assert answer.status_code == 403


async def test_a_worker_who_previews_or_returned_gets_no_way_in(site: Site) -> None:
    preview = site.browser()
    await preview.open(workerId="W1", assignmentId="ASSIGNMENT_ID_NOT_AVAILABLE")
    assert preview.html.css_first("[name=consent]") is None

    await arrived(site, "#answers", "ana")
    at = await owner(site)
    await at.open(site.base + "owner/submissions")
    await upload(at, "form[action$='import']", export(("s1", "ana", "RETURNED")))
    back = site.browser()
    await back.open(PROLIFIC_PID="ana", SESSION_ID="another")

    assert back.title == "Your submission is closed"
    assert not back.html.css("form, button[type=submit]")


async def test_pages_are_searched_by_the_platforms_id_and_show_none(site: Site) -> None:
    await finished(site, "ana-at-prolific")
    browser = await owner(site)

    await browser.open(site.base + "owner/submissions?search=ana-at-prolific")

    assert len(browser.html.css("tbody tr")) == 1
    assert "ana-at-prolific" not in browser.html.css_first("tbody").html
    person = await enrolment.find(site.parts, site.study.name, Identity("prolific", "ana-at-prolific"))
    assert browser.text("tbody .pseudonym") == person


async def test_people_say_who_they_are_or_pass(tmp_path: Path) -> None:
    study = replace(
        demo_study(), about_you=ready.in_languages(ready.ABOUT_YOU, demo_study().languages), smallest_group=7
    )
    async with opened_site(f"sqlite:///{tmp_path / 'about.db'}", study) as site:
        passing = await arrived(site, "form[action$='about-you']", "ana")
        assert "at least 7 people" in passing.text("main p")
        assert not passing.html.css("#answers input[required]")

        await passing.send("#answers")
        told = await arrived(site, "form[action$='about-you']", "ben")
        await told.send("#answers", q_gender="woman")

        assert (passing.title, told.title) == ("Thank you, you are done", "Thank you, you are done")
        said = await site.parts.store.read(lambda tx: [(one.name, one.value) for one in tx.traits(study.name)])
        assert said == [("gender", "woman")]


async def test_what_prolific_says_of_people_is_kept_apart(site: Site) -> None:
    await finished(site, "ana")
    browser = await owner(site)
    await browser.open(site.base + "owner/submissions")

    content = b"Submission id,Participant id,Status,Age,Sex\ns1,ana,APPROVED,41,Female\n"
    await upload(browser, "form[action$='traits']", content)

    assert "What the platform says of 1 person is kept" in browser.text(".notice[role=status]")
    said = await site.parts.store.read(lambda tx: [(one.name, one.value) for one in tx.traits(site.study.name)])
    assert said == [("age", "35_44"), ("sex", "female")]
