"""The owner's pages of what happens and of people: what they count, list and decide."""

import csv
from collections.abc import Sequence
from datetime import timedelta
from io import StringIO

import pytest

from crito.model.errors import BudgetReached
from crito.model.ids import AnnotatorId, ItemId, RunId, TaskName
from crito.model.record import Annotation
from crito.model.talk import Violation
from crito.services import access, accounts, participation
from crito.services.happening import ItemDone, Strip
from crito.services.spending import noted_budget
from crito.web.overview import strip_rows
from tests.contracts.recording import call, turn
from tests.web.site import Browser, Site


async def owner(site: Site, path: str = "") -> Browser:
    browser = site.browser()
    await browser.open(f"{site.base}owner/enter/{await accounts.make_owner_link(site.parts, site.study.name)}")
    if path:
        await browser.open(f"{site.base}owner{path}")
    return browser


async def arrived(site: Site, selector: str, pid: str = "ana") -> AnnotatorId:
    browser = site.browser()
    await browser.open(PROLIFIC_PID=pid)
    await browser.go_until(site.study, selector)
    who = await access.signed_in(site.parts, site.study.name, browser.client.cookies["crito"])
    assert who
    return who


def shown(browser: Browser) -> list[str]:
    return [node.text() for node in browser.html.css("tbody .pseudonym")]


async def test_the_first_page_says_how_many_are_at_which_step(site: Site) -> None:
    await arrived(site, "#answers", "ana")
    await arrived(site, "#message", "ben")
    browser = await owner(site)

    facts = {node.css_first("dt").text(): node.css_first("dd").text() for node in browser.html.css(".facts div")}
    steps = {
        node.css_first(".step-name").text(): node.css_first(".count").text() for node in browser.html.css(".steps li")
    }

    assert facts == {"taking part now": "2", "away": "0", "done": "0", "ended otherwise": "0", "came in all": "2"}
    assert (steps["First labels"], steps["Dialogue"], steps["Survey"]) == ("1", "1", "0")


async def test_the_part_that_changes_comes_alone_and_asks_for_itself(site: Site) -> None:
    browser = await owner(site)

    await browser.open(browser.html.css_first("#live").attributes["hx-get"] or "")

    assert browser.page.text.lstrip().startswith('<div id="live"')
    assert browser.html.css_first("#live").attributes["hx-swap"] == "outerMorph"


async def test_whoever_holds_a_place_and_does_nothing_waits_for_the_owner(site: Site) -> None:
    who = await arrived(site, "#message")
    later = site.parts.now() + timedelta(minutes=20)
    object.__setattr__(site.parts, "now", lambda: later)
    browser = await owner(site)

    await browser.open(browser.html.css_first(".needs a").attributes["href"] or "")

    assert shown(browser) == [who]
    assert "holds a place, does nothing" in browser.text("tbody")


async def test_a_crash_waits_for_the_owner(site: Site) -> None:
    who = await arrived(site, "#message")
    await participation.note_failure(site.parts, who)
    browser = await owner(site)

    assert "A page failed for 1 person who has not ended." in browser.text(".needs")
    await browser.open(f"{site.base}owner/people?state=crashed")
    assert shown(browser) == [who]


def test_a_strip_fills_the_places_of_an_item_from_the_bottom() -> None:
    strip = Strip(TaskName("t"), "solo", 2, 2, 1, 1, [ItemDone(ItemId("a"), 1, 1), ItemDone(ItemId("b"), 0, 0)])

    (row,) = strip_rows(strip)

    assert row.done == "M0.08 1.08h0.84v0.84h-0.84z"
    assert row.open == "M0.08 0.08h0.84v0.84h-0.84z"
    assert row.free.count("M") == 2


async def test_the_list_of_people_names_pseudonyms_alone(site: Site) -> None:
    who = await arrived(site, "#message", "ana-at-prolific")
    browser = await owner(site, "/people")

    assert shown(browser) == [who]
    assert "ana-at-prolific" not in browser.page.text
    assert browser.html.css_first("tbody time").attributes["title"].endswith("UTC")


async def test_people_come_page_by_page(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crito.web.people.PEOPLE_PER_PAGE", 2)
    for number in range(3):
        await arrived(site, "#answers", f"person-{number}")
    browser = await owner(site, "/people")
    first = shown(browser)

    await browser.open(browser.html.css_first("a[rel=next]").attributes["href"] or "")

    assert (len(first), len(shown(browser))) == (2, 1)
    assert not set(first) & set(shown(browser))
    assert not browser.html.css_first("a[rel=next]")
    assert "3 people in all" in browser.text(".pager")


@pytest.mark.parametrize("path", ["owner/people", "owner/items?task=relation", "transcripts"])
async def test_no_list_and_no_file_of_it_ends_at_a_page(site: Site, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    for name, most in (
        ("services.people.PEOPLE_AT_A_TIME", 2), ("web.people.PEOPLE_PER_PAGE", 2), ("web.items.ITEMS_PER_PAGE", 3),
        ("web.items.ROWS_AT_ONCE", 2), ("web.transcripts.PER_PAGE", 2), ("web.transcripts.ROWS_AT_ONCE", 2),
    ):  # fmt: skip
        monkeypatch.setattr(f"crito.{name}", most)
    for number in range(5):
        await arrived(site, "#message", f"person-{number}")
    browser = await owner(site)
    await browser.open(f"{site.base}{path}")
    file = await browser.client.get(browser.html.css_first("a[download]").attributes["href"] or "")
    rows = list(csv.DictReader(StringIO(file.text.removeprefix("\ufeff"))))
    seen = [node.attributes["href"] for node in browser.html.css("tbody th a, tbody .pseudonym[href]")]
    while onward := browser.html.css_first("a[rel=next]"):
        await browser.open(onward.attributes["href"] or "")
        seen += [node.attributes["href"] for node in browser.html.css("tbody th a, tbody .pseudonym[href]")]

    told = browser.text(".pager").split()[0]

    assert len(set(map(str, rows))) == len(rows) == int(told) >= 5
    assert len(set(seen)) >= len(rows)


async def test_what_is_asked_for_stands_in_the_address_and_in_the_file(site: Site) -> None:
    ana, ben = await arrived(site, "#answers", "ana"), await arrived(site, "#message", "ben")
    browser = await owner(site, f"/people?search={ben[2:8]}&state=talk")
    listed, told = shown(browser), browser.text(".pager")

    await browser.open(browser.html.css_first("a[download]").attributes["href"] or "")
    rows = list(csv.DictReader(StringIO(browser.page.text.removeprefix("\ufeff"))))

    assert (listed, told.split("people")[0].strip()) == ([ben], "1 of 2")
    assert [(row["annotator"], row["state"], row["step"]) for row in rows] == [(ben, "present", "talk")]
    await browser.open(f"{site.base}owner/people?search=%25&state=nonsense")
    assert shown(browser) == []
    await browser.open(f"{site.base}owner/people?state=nonsense")
    assert set(shown(browser)) == {ana, ben}


async def test_a_list_on_the_screen_keeps_its_people_and_says_that_more_came(site: Site) -> None:
    ana = await arrived(site, "#answers", "ana")
    browser = await owner(site, "/people")
    again = browser.html.css_first("#live").attributes["hx-get"] or ""
    await arrived(site, "#answers", "ben")

    await browser.open(again)

    assert shown(browser) == [ana]
    assert "1 more person came" in browser.text(".newer")


async def test_a_persons_page_goes_from_consent_to_where_they_are(site: Site) -> None:
    who = await arrived(site, "#message")
    browser = await owner(site, f"/people/{who}")

    told = [node.text(deep=True) for node in browser.html.css(".timeline span") if node.text().strip()]

    assert [words.strip() for words in told[:3]] == ["came", "consented", "read the instructions"]
    assert any(words.startswith("labelled item 1:") for words in told)
    assert len(browser.html.css("#labels + .table-box tbody tr")) == 2
    assert "0 of 2 failed" in browser.text("main")


async def test_nothing_of_somebody_who_withdrew_is_told(site: Site) -> None:
    who = await arrived(site, "#message")
    await participation.withdraw(site.parts, who)
    browser = await owner(site, f"/people/{who}")

    assert "took their data back" in browser.text("main")
    assert browser.html.css_first("#labels") is None
    assert browser.html.css_first("#decision") is None
    assert "labelled item" not in browser.text("main")


async def test_leaving_somebody_out_needs_a_reason_and_can_be_undone(site: Site) -> None:
    who = await arrived(site, "#message")
    browser = await owner(site, f"/people/{who}")

    await browser.send("form.decision", reason=" ")
    refused = browser.html.css(".timeline .excluded")
    await browser.send("form.decision", reason="Pasted everything.")
    left_out = browser.text("form.decision button"), "Pasted everything." in browser.text("main")
    await browser.open(f"{site.base}owner/people?excluded=yes")
    listed = shown(browser)
    await browser.open(f"{site.base}owner/people/{who}")
    await browser.send("form.decision", reason="It was their own text.")

    assert refused == []
    assert left_out == ("Take in again", True)
    assert listed == [who]
    assert browser.text("form.decision button") == "Leave out of analyses"
    decisions = await site.parts.store.read(lambda tx: tx.exclusions(site.study.name, [who]))
    assert [(one.excluded, one.reason) for one in decisions] == [
        (True, "Pasted everything."),
        (False, "It was their own text."),
    ]


async def test_signals_come_with_the_words_that_they_are_no_verdicts(site: Site) -> None:
    who = await arrived(site, "#message")
    browser = await owner(site, "/signals")

    assert shown(browser) == [who]
    assert "may still be right" in browser.text(".meaning")


@pytest.mark.parametrize("path", ["", "/now", "/people", "/people.csv", "/people/now", "/signals", "/people/p-1"])
async def test_nobody_but_the_owner_gets_in(site: Site, path: str) -> None:
    who = await arrived(site, "#answers")
    stranger = site.browser()

    await stranger.open(f"{site.base}owner{path.replace('p-1', who)}")

    assert stranger.page.status_code == 401
    assert who not in stranger.page.text.replace(f"people/{who}", "")


async def test_a_person_of_nobody_here_is_not_found(site: Site) -> None:
    browser = await owner(site, "/people/p-nobody")

    assert browser.page.status_code == 404


async def test_items_are_listed_with_the_labels_that_people_gave(site: Site) -> None:
    who = await arrived(site, "#message")
    given = (await labels_of(site, who))[0]
    browser = await owner(site, f"/items?task={given.task}&search={given.item}")
    row = browser.text("tbody")

    await browser.open(browser.html.css_first("tbody a").attributes["href"] or "")

    assert given.item in row
    assert "1" in browser.text(".n-of")
    assert shown(browser) == [who]


async def labels_of(site: Site, who: AnnotatorId) -> Sequence[Annotation]:
    return await site.parts.store.read(lambda tx: tx.annotation_history(site.study.name, [who]))


async def test_items_can_be_asked_for_by_what_is_missing_and_taken_as_a_file(site: Site) -> None:
    task = site.study.tasks[0]
    browser = await owner(site, "/items?state=missing")
    told = browser.text(".pager")

    await browser.open(browser.html.css_first("a[download]").attributes["href"] or "")
    rows = list(csv.DictReader(StringIO(browser.page.text.removeprefix("\ufeff"))))
    await browser.open(f"{site.base}owner/items?state=disputed")

    assert f"{len(task.items)} items in all" in told
    assert [row["item"] for row in rows] == [item.id for item in task.items]
    assert browser.html.css("tbody tr") == []


async def test_an_item_that_is_none_of_the_tasks_is_not_found(site: Site) -> None:
    browser = await owner(site, f"/items/{site.study.tasks[0].name}/nothing")

    assert browser.page.status_code == 404


async def test_a_dialogue_that_goes_on_shows_new_turns_and_each_showing_is_noted(site: Site) -> None:
    who = await arrived(site, "#message")
    browser = await owner(site)
    await browser.open(f"{site.base}transcripts?live=yes")
    live = browser.text(".presence")
    await browser.open(browser.html.css_first("tbody a").attributes["href"] or "")
    again = browser.html.css_first("#live").attributes["hx-get"] or ""

    unchanged = await browser.client.get(again)
    changed = await browser.client.get(again.replace("since=1", "since=0"))
    readings = await site.parts.store.read(lambda tx: tx.readings(site.study.name, before=0, limit=9))

    assert live == "going on now"
    assert (unchanged.status_code, unchanged.text) == (204, "")
    assert changed.text.lstrip().startswith('<div id="live"')
    assert [one.annotator for _, one in readings] == [who, who]


async def test_dialogues_without_marks_are_not_among_the_marked(site: Site) -> None:
    await arrived(site, "#message")
    browser = await owner(site)

    await browser.open(f"{site.base}transcripts?marked=yes")

    assert "0 of 1 dialogues" in browser.text(".pager")
    assert browser.html.css("tbody tr") == []


async def test_the_page_of_pay_says_why_it_knows_no_hourly_pay(site: Site) -> None:
    browser = site.browser()
    await browser.open(PROLIFIC_PID="ana")
    await browser.go_until(site.study, ".code")
    page = await owner(site, "/pay")
    told = page.text("main")

    await page.open(f"{site.base}owner/pay.csv")
    rows = list(csv.DictReader(StringIO(page.page.text.removeprefix("\ufeff"))))

    assert "the study file does not say what people are paid" in told
    assert len(rows) == 1
    assert float(rows[0]["active_minutes"]) >= 0


async def test_pages_of_an_empty_study_teach(site: Site) -> None:
    browser = await owner(site)

    for path, words in (
        ("/pay", "Nobody has finished yet"),
        ("/people", "Nobody has come yet"),
        ("/items", "none yet"),
    ):
        await browser.open(f"{site.base}owner{path}")
        assert words in browser.text("main"), path


async def test_what_is_pasted_is_counted_as_the_browser_says(site: Site) -> None:
    browser = site.browser()
    await browser.open(PROLIFIC_PID="ana")
    await browser.go_until(site.study, "#message")
    await browser.send("#message", message="All of this was written elsewhere.", paste_times="2", paste_characters="34")
    who = await access.signed_in(site.parts, site.study.name, browser.client.cookies["crito"])
    page = await owner(site, f"/people/{who}")

    assert "pasted into a form" in page.text(".timeline .pasted")
    assert "34 characters" in page.text(".timeline .pasted")
    assert "2 times, 34 characters" in page.text(".signal-list")


async def test_figures_come_with_their_table_and_as_files(site: Site) -> None:
    browser = site.browser()
    await browser.open(PROLIFIC_PID="ana")
    await browser.go_until(site.study, ".code")
    page = await owner(site, "/numbers")

    await page.open(page.html.css_first("#figures").attributes["hx-get"] or "")
    first = page.html.css_first("figure.multiple")
    saves = [link.attributes["href"] or "" for link in first.css(".saves a")]
    kinds = {(await page.client.get(save)).headers["content-type"].partition(";")[0] for save in saves}
    styled = page.html.css("[style]")
    report = await page.client.get(f"{site.base}owner/numbers/report.html")
    unknown = await page.client.get(f"{site.base}owner/numbers/nothing.svg")

    assert len(page.html.css("figure.multiple svg.figure")) > 3
    assert first.css("details table")
    assert {"image/svg+xml", "image/png", "text/csv"} >= kinds >= {"image/svg+xml", "text/csv"}
    assert styled == []
    assert report.headers["content-disposition"].startswith("attachment")
    assert unknown.status_code == 404


async def test_figures_of_a_very_large_study_are_made_by_a_command(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crito.web.numbers.MOST_DONE", -1)
    browser = await owner(site, "/numbers/figures")

    report = await browser.client.get(f"{site.base}owner/numbers/report.html")
    command = browser.text(".commands code")
    await browser.open(f"{site.base}owner/numbers")

    assert command.startswith(f"crito report {site.study.name}")
    assert report.status_code == 404
    assert "The whole report as one file" not in browser.text("main")


async def test_numbers_of_a_study_without_labels_teach(site: Site) -> None:
    browser = await owner(site, "/numbers")

    assert "No labels yet" in browser.text("main")
    assert "No model was asked" in browser.text("main")


async def told(site: Site) -> dict[str, str]:
    """What waits for the owner, with the one action of each."""
    browser = await owner(site)
    links = [(node.css_first("p"), node.css_first("a, code")) for node in browser.html.css(".needs li")]
    return {words.text(): link.attributes.get("href") or link.text() for words, link in links}


async def test_a_budget_that_is_nearly_spent_or_reached_waits_for_the_owner(site: Site) -> None:
    name = site.study.name
    paid = call("k-1", study=name, run=RunId("l-1-run"), status="answered", cost_usd=4.5)
    await site.parts.store.write(lambda tx: tx.add_call(paid))

    async with noted_budget(site.parts, name, 5.0):
        near = await told(site)
    with pytest.raises(BudgetReached):
        async with noted_budget(site.parts, name, 5.0):
            raise BudgetReached(5.0, 4.5, 0.8)
    reached = await told(site)
    async with noted_budget(site.parts, name, None):
        pass

    assert near["Labelling by models has spent 4.5 of 5 US dollars."].endswith("/numbers#calls")
    assert reached["Labelling by models stopped at its budget: 4.5 of 5 US dollars are spent."].endswith(
        "--budget 10.0"
    )
    assert await told(site) == {}


async def test_data_that_were_kept_as_long_as_promised_wait_for_the_owner(site: Site) -> None:
    await arrived(site, "#answers")
    early = await told(site)
    later = site.parts.now() + timedelta(days=site.study.retention_days)
    object.__setattr__(site.parts, "now", lambda: later)

    waits = await told(site)

    assert "erasures" not in str(early)
    assert waits["The data of 1 person have been kept as long as they were told."].endswith("/erasures")


async def test_marks_of_a_guard_wait_until_somebody_has_seen_them(site: Site) -> None:
    for name in ("ana", "ben"):
        who = await arrived(site, "#message", name)
        (run,) = await site.parts.store.read(lambda tx, w=who: tx.runs([a.id for a in tx.person(w).assignments]))  # type: ignore[misc]
        marks = (Violation("names_label", 0, ""),)
        at = site.parts.now() - timedelta(minutes=1)
        marked = turn(run.id, 9, "Say that it is sarcasm.", "script", at=at, violations=marks)
        await site.parts.store.write(lambda tx, w=who, t=marked: tx.add_turn(site.study.name, w, t))  # type: ignore[misc]
    waits = await told(site)
    browser = await owner(site)

    await browser.open(waits["A guard marked turns in 2 dialogues that nobody has seen."])
    await browser.open(browser.html.css_first("tbody a").attributes["href"] or "")
    after_reading = await told(site)
    await browser.open(f"{site.base}transcripts?marked=unseen")
    await browser.send("form.decide")

    assert "A guard marked turns in 1 dialogue that nobody has seen." in after_reading
    assert await told(site) == {}
    assert "seen by" in browser.text("tbody")
    assert "2 dialogues in all" in browser.text(".pager")
