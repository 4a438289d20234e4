"""A person's way through the pages, as a browser without JavaScript takes it."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser as HTMLParser

from crito.formats.exporters import EXPORTERS
from crito.model.ids import AnnotatorId, Language
from crito.model.study import Completion, Text
from crito.services import access
from crito.services.exporting import export_study
from tests.bundled import demo_study
from tests.services.conftest import Clock
from tests.web.site import Browser, Site, opened_site

PROLIFIC = {"PROLIFIC_PID": "5f11", "STUDY_ID": "61aa", "SESSION_ID": "s-1"}
MTURK = {"workerId": "A1", "assignmentId": "3X", "hitId": "2H"}


async def who(site: Site, browser_cookies: object) -> AnnotatorId | None:
    token = browser_cookies.get("crito")  # type: ignore[attr-defined]
    return await access.signed_in(site.parts, site.study.name, token)


async def n_people(site: Site) -> int:
    counts = await site.parts.store.read(lambda tx: tx.count_people(site.study.name))
    return sum(counts.values())


async def test_the_whole_study_works_as_plain_forms(site: Site) -> None:
    browser = site.browser()
    await browser.open(**PROLIFIC)
    headings = []

    while not browser.html.css_first(".code"):
        headings.append(await browser.go_on(site.study))

    talk = "Talk it through"
    assert headings[0] == site.study.title.in_language(Language("en"))
    assert headings[4:] == [
        "Before you go on", talk, talk, talk, "A short break", talk, talk, talk, "A few questions about the work",
    ]  # fmt: skip
    assert browser.text(".code") == site.study.completion.codes["done"]


@pytest.mark.parametrize("link", [PROLIFIC, MTURK])
async def test_the_platforms_ids_leave_the_address_after_consent(site: Site, link: dict[str, str]) -> None:
    browser = site.browser()
    await browser.open(**link)

    await browser.go_on(site.study)

    assert str(browser.page.url).endswith(site.base)
    assert next(iter(link.values())) not in browser.page.text


async def test_the_same_link_leads_to_the_same_place_on_another_device(site: Site) -> None:
    at_home, on_the_bus = site.browser(), site.browser()
    await at_home.open(**PROLIFIC)
    await at_home.go_until(site.study, "#answers")

    await on_the_bus.open(**{**PROLIFIC, "SESSION_ID": "s-2"})

    assert on_the_bus.text(".item-text") == at_home.text(".item-text")
    assert str(on_the_bus.page.url).endswith(site.base)
    assert await n_people(site) == 1


async def test_the_link_counts_more_than_whom_the_browser_knew(site: Site) -> None:
    browser = site.browser()
    await browser.open(**PROLIFIC)
    await browser.go_on(site.study)

    await browser.open(**{**PROLIFIC, "PROLIFIC_PID": "another"})

    assert browser.html.css_first("[name=consent]")
    await browser.go_on(site.study)
    assert await n_people(site) == 2


@pytest.mark.parametrize(
    "link", [{**MTURK, "assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE"}, {"PROLIFIC_PID": "{{%PROLIFIC_PID%}}"}]
)
async def test_a_preview_can_be_read_but_not_begun(site: Site, link: dict[str, str]) -> None:
    browser = site.browser()

    await browser.open(**link)

    assert "preview" in browser.text(".notice")
    assert not browser.html.css_first("form")


async def test_a_link_with_ids_that_are_none_is_refused_in_words(site: Site) -> None:
    browser = site.browser()

    await browser.open(PROLIFIC_PID="x" * 500)

    assert (browser.page.status_code, browser.title) == (400, "This could not be read")


async def test_an_address_without_its_last_slash_keeps_its_parameters(site: Site) -> None:
    browser = site.browser()

    await browser.open(site.base.rstrip("/"), **PROLIFIC)

    assert browser.form("form.decide")["PROLIFIC_PID"] == "5f11"


async def test_consent_sent_twice_without_a_platform_is_one_person(site: Site) -> None:
    browser = site.browser()
    await browser.open()
    fields = {**browser.form("form.decide"), "consent": "yes"}

    await browser.post(site.base + "consent", fields)
    first = await who(site, browser.client.cookies)
    await browser.post(site.base + "consent", fields)

    assert await who(site, browser.client.cookies) == first
    assert await n_people(site) == 1


async def test_refusing_consent_ends_at_once_and_offers_nothing_to_withdraw(site: Site) -> None:
    browser = site.browser()
    await browser.open(**PROLIFIC)

    await browser.send("form.decide", consent="no")

    assert browser.title == "You did not take part"
    assert not browser.html.css_first("a[href$=withdraw]")


@pytest.mark.parametrize("how", ["declined", "withdrew", "failed the checks"])
async def test_whom_the_study_has_ended_for_gets_no_way_back_in(site: Site, how: str) -> None:
    browser = site.browser()
    await browser.open(**PROLIFIC)
    consent = browser.form("form.decide")
    if how == "declined":
        await browser.send("form.decide", consent="no")
    else:
        await browser.go_until(site.study, "#answers")
    if how == "withdrew":
        await browser.open(f"{site.base}withdraw")
        await browser.send("form.decide")
    while how == "failed the checks" and browser.html.css_first("#answers"):
        labels = browser.html.css("#answers input[name=label]")
        wrong = {"label": labels[0].attributes["value"] or ""} if labels else {}
        for check in site.study.attention_checks:
            names = (option.name for option in check.question.options)
            wrong[f"q_{check.question.key}"] = next((name for name in names if name != check.expected), "none of it")
        await browser.send("#answers", **{**browser.first_choices("#answers"), **wrong})
    ended = browser.title

    for who in (browser, site.browser()):
        await who.open(**PROLIFIC)
        assert (who.title, who.html.css("main form, main button[type=submit]")) == (ended, [])
    await browser.post(f"{site.base}consent", {**consent, "consent": "yes"})
    await browser.open(**PROLIFIC)

    assert browser.title == ended
    assert await n_people(site) == 1


async def test_every_answer_of_the_survey_is_on_record_and_in_the_export(site: Site, tmp_path: Path) -> None:
    browser = site.browser()
    await browser.open(**PROLIFIC)
    while not (browser.page.url.path.endswith("survey") or browser.html.css_first("form[action$=survey]")):
        await browser.go_on(site.study)
    chosen = browser.first_choices("#answers")
    fields = {name: chosen.get(name, f"In words: {name}.") for name in asked_on(browser)}
    first, *_ = fields

    await browser.send("#answers", **{name: value for name, value in fields.items() if name != first})
    kept = browser.form("#answers")
    await browser.send("#answers", **fields)
    who = await access.signed_in(site.parts, site.study.name, browser.client.cookies["crito"])
    assert who is not None
    given = (await site.parts.store.read(lambda tx: tx.person(who))).answers
    stored = {f"q_{one.question}" for one in given if one.about == "survey"}
    await export_study(site.parts, site.study.name, EXPORTERS["csv"], tmp_path / "csv")
    with (tmp_path / "csv" / "answers.csv").open(encoding="utf-8-sig", newline="") as file:
        written = {f"q_{row['question']}" for row in csv.DictReader(file) if row["form"] == "survey"}

    assert len(fields) > 3
    assert {name: kept.get(name) for name in fields if name != first} == {
        name: value for name, value in fields.items() if name != first
    }
    assert stored == written == set(fields)


def asked_on(browser: Browser) -> list[str]:
    """The names of the questions of a form, in their order."""
    nodes = browser.html.css("#answers input[type=radio], #answers textarea")
    return list(dict.fromkeys(node.attributes["name"] or "" for node in nodes))


async def test_an_unanswered_question_is_pointed_at_and_the_rest_stays(site: Site) -> None:
    browser = site.browser()
    await browser.open(**PROLIFIC)
    await browser.go_until(site.study, "#answers")

    await browser.send("#answers", label="sarcastic")

    assert "Not everything is answered yet" in browser.text(".notice")
    assert browser.html.css_first(".at-fault").attributes["data-name"] == "confidence"
    assert browser.form("#answers")["label"] == "sarcastic"
    await browser.open()
    assert not browser.html.css_first(".notice")
    assert browser.form("#answers")["label"] == "sarcastic"


async def test_a_label_sent_twice_is_kept_once(site: Site) -> None:
    browser = site.browser()
    await browser.open(**PROLIFIC)
    await browser.go_until(site.study, "#answers")
    right = {f"q_{check.question.key}": check.expected for check in site.study.attention_checks}
    asked = browser.first_choices("#answers")
    fields = {**browser.form("#answers"), **asked, **{name: right[name] for name in right if name in asked}}

    await browser.post(site.base + "annotate", fields)
    text = browser.text(".item-text")
    await browser.post(site.base + "annotate", fields)

    person = await who(site, browser.client.cookies)
    assert person is not None
    kept = await site.parts.store.read(lambda tx: tx.annotation_history(site.study.name, [person]))
    assert len(kept) == 1
    assert browser.text(".item-text") == text


async def test_a_label_can_be_corrected_until_the_part_is_confirmed(site: Site) -> None:
    browser = site.browser()
    await browser.open(**PROLIFIC)
    await browser.go_until(site.study, ".given")
    correct = browser.html.css(".given a")[0].attributes["href"] or ""
    before = browser.html.css(".given-label")[0].text()

    await browser.open(correct)
    await browser.go_on(site.study, label=1)

    assert browser.title == "Before you go on"
    assert browser.html.css(".given-label")[0].text() != before
    await browser.go_on(site.study)
    await browser.open(correct)
    assert browser.title == "Talk it through"


async def test_browser_times_are_kept_where_they_are_times(site: Site) -> None:
    browser = site.browser()
    await browser.open(**PROLIFIC)
    await browser.go_until(site.study, "#answers")
    right = {f"q_{check.question.key}": check.expected for check in site.study.attention_checks}
    asked = browser.first_choices("#answers")
    asked |= {name: right[name] for name in right if name in asked}

    await browser.send("#answers", **asked, ms_first_input="1200", ms_submit="soon")

    person = await who(site, browser.client.cookies)
    assert person is not None
    (kept,) = await site.parts.store.read(lambda tx: tx.annotation_history(site.study.name, [person]))
    assert dict(kept.client_times_ms) == {"first_input": 1200, "submit": 0}


async def test_a_message_without_words_says_so_and_a_draft_of_it_stays(site: Site) -> None:
    browser = site.browser()
    await browser.open(**PROLIFIC)
    await browser.go_until(site.study, "#message")

    await browser.send("#message", message="   ")
    assert "no text in your message" in browser.text(".notice")

    long = "many words " * 500
    await browser.send("#message", message=long)
    assert "too long" in browser.text(".notice")
    assert browser.form("#message")["message"] == long


async def test_a_message_sent_twice_is_said_once(site: Site) -> None:
    browser = site.browser()
    await browser.open(**PROLIFIC)
    await browser.go_until(site.study, "#message")
    fields = {**browser.form("#message"), "message": "The last words give it away."}

    await browser.post(site.base + "message", fields)
    await browser.post(site.base + "message", fields)

    own = [line.text() for line in browser.html.css(".line.own p")]
    assert own == ["The last words give it away."]


async def test_a_message_from_a_second_tab_that_lags_behind_is_kept_as_a_draft(site: Site) -> None:
    browser = site.browser()
    await browser.open(**PROLIFIC)
    await browser.go_until(site.study, "#message")
    old_form = browser.form("#message")
    await browser.send("#message", message="First thought.")

    await browser.post(site.base + "message", {**old_form, "message": "Second thought."})

    assert "already saved" in browser.text(".notice")
    assert browser.form("#message")["message"] == "Second thought."
    assert [line.text() for line in browser.html.css(".line.own p")] == ["First thought."]


async def test_a_script_gets_its_line_and_then_the_reply_as_events(site: Site) -> None:
    browser = site.browser()
    await browser.open(**PROLIFIC)
    await browser.go_until(site.study, "#message")

    said = await browser.post(
        site.base + "message", {**browser.form("#message"), "message": "It <b>says</b> so."}, **{"HX-Request": "true"}
    )
    assert "It &lt;b&gt;says&lt;/b&gt; so." in said.text
    assert browser.html.css_first(".line.own p").text() == "It <b>says</b> so."
    assert browser.html.css_first("#message-form").attributes["hx-swap-oob"] == "true"

    reply = await browser.post(site.base + "reply", browser.form("#reply"), **{"HX-Request": "true"})
    assert reply.headers["content-type"].startswith("text/event-stream")
    assert "line partner" in reply.text
    assert reply.text.endswith("\n\n")
    assert all(line.startswith("data: ") for line in reply.text.split("\n") if line)

    again = await browser.open()
    assert len(browser.html.css(".line")) == 3
    assert again.text.count("It &lt;b&gt;says&lt;/b&gt; so.") == 1


async def test_a_reply_that_was_not_awaited_is_waited_for_on_the_page(site: Site) -> None:
    browser = site.browser()
    await browser.open(**PROLIFIC)
    await browser.go_until(site.study, "#message")
    message = {**browser.form("#message"), "message": "The last words."}
    await browser.client.post(site.base + "message", data=message, headers={"HX-Request": "true"})

    await browser.open()
    assert browser.html.css_first("#incoming noscript button")

    await browser.send("#reply")
    assert not browser.html.css_first("#incoming")
    assert len(browser.html.css(".line")) == 3


async def test_a_draft_comes_back_on_any_device(site: Site) -> None:
    browser, other = site.browser(), site.browser()
    await browser.open(**PROLIFIC)
    await browser.go_until(site.study, "#answers")
    draft = {**browser.form("#answers"), "label": "not_sarcastic"}

    kept = await browser.client.post(site.base + "draft", data=draft)

    assert kept.status_code == 204
    await other.open(**PROLIFIC)
    assert other.form("#answers")["label"] == "not_sarcastic"


async def test_leaving_keeps_what_is_typed_and_gives_a_link_back(site: Site) -> None:
    browser, other = site.browser(), site.browser()
    await browser.open()
    await browser.go_until(site.study, "#answers")
    leave = browser.html.css_first("footer button")
    assert leave.attributes["form"] == "answers"

    await browser.post(leave.attributes["formaction"] or "", {**browser.form("#answers"), "confidence": "not_sure"})

    assert browser.title == "You have left for now"
    await other.open(browser.text("#code"))
    assert str(other.page.url).endswith(site.base)
    assert other.form("#answers")["confidence"] == "not_sure"


async def test_withdrawing_is_asked_about_first_and_then_done(site: Site) -> None:
    browser = site.browser()
    await browser.open(**PROLIFIC)
    await browser.go_until(site.study, "#answers")

    await browser.open(browser.html.css_first("a[href$=withdraw]").attributes["href"] or "")
    assert browser.title == "Withdraw your data?"
    await browser.send("form.decide")

    assert browser.title == "Your data are withdrawn"
    await browser.open(site.base + "withdraw")
    assert browser.title == "Your data are withdrawn"


async def test_whom_a_failure_of_ours_keeps_from_going_on_may_end_and_gets_the_code(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = site.browser()
    await browser.open(**PROLIFIC)
    await browser.go_until(site.study, "#answers")
    marked = browser.form("#answers")

    async def fails(*_: object) -> None:
        raise RuntimeError

    with monkeypatch.context() as broken:
        broken.setattr("crito.services.showing.page_at_once", fails)
        await browser.open()
    assert browser.page.status_code == 500
    await browser.open(browser.html.css_first("a[href$=stop]").attributes["href"] or "")
    assert browser.title == "End the study here?"
    await browser.send("form.decide")

    assert browser.title == "The study had to stop"
    assert browser.text(".code") == site.study.completion.codes.get("technical", "")
    person = await who(site, browser.client.cookies)
    assert person is not None
    record = await site.parts.store.read(lambda tx: tx.person(person))
    assert {assignment.status for assignment in record.assignments} == {"ended"}
    await browser.post(site.base + "stop", marked)
    assert browser.title == "The study had to stop"


async def test_nobody_ends_for_a_failure_that_never_was(site: Site) -> None:
    browser = site.browser()
    await browser.open(**PROLIFIC)
    await browser.go_until(site.study, "#answers")

    await browser.post(site.base + "stop", browser.form("#answers"))

    assert browser.html.css_first("#answers")
    await browser.open(site.base + "stop")
    assert browser.html.css_first("#answers")


async def test_someone_whose_session_is_over_is_told_so_and_nothing_is_done(site: Site) -> None:
    browser = site.browser()
    await browser.open(**PROLIFIC)
    await browser.go_until(site.study, "#answers")
    fields = browser.form("#answers")
    browser.client.cookies.clear()

    await browser.post(site.base + "annotate", fields)

    assert browser.html.css_first("[name=consent]")
    assert "signed out" in browser.text(".notice")


@pytest.mark.parametrize("script", [False, True], ids=["plain", "script"])
async def test_words_sent_after_the_session_ran_out_are_shown_and_the_place_is_still_there(
    tmp_path: Path, *, script: bool
) -> None:
    clock = Clock()
    async with opened_site(f"sqlite:///{tmp_path / 'site.db'}", now=clock) as site:
        browser = site.browser()
        await browser.open(**PROLIFIC)
        await browser.go_until(site.study, "#message")
        await browser.go_on(site.study)
        n_lines = len(browser.html.css(".line"))
        form = browser.form("#message")
        clock.move(days=access.SESSION_DAYS, seconds=1)

        headers = {"hx-request": "true"} if script else {}
        answer = await browser.client.post(
            site.base + "message", data={**form, "message": "My <b>last</b> reason."}, headers=headers
        )
        page = HTMLParser(answer.text)

        assert answer.status_code == 200
        assert page.css_first("h1").text() == "You had been signed out"
        assert page.css_first(".kept").text() == "My <b>last</b> reason."
        assert (answer.headers.get("hx-retarget") == "#main") is script
        await browser.open()
        assert browser.html.css_first("[name=consent]")
        await browser.open(**PROLIFIC)
        assert len(browser.html.css(".line")) == n_lines
        await browser.send("#message", message="My <b>last</b> reason.")
        assert len(browser.html.css(".line")) == n_lines + 2


async def test_nobody_else_gets_in_by_a_session_that_ran_out(tmp_path: Path) -> None:
    clock = Clock()
    async with opened_site(f"sqlite:///{tmp_path / 'site.db'}", now=clock) as site:
        browser = site.browser()
        await browser.open(**PROLIFIC)
        await browser.go_until(site.study, "#answers")
        fields = {**browser.form("#answers"), **browser.first_choices("#answers")}
        clock.move(days=access.SESSION_DAYS, seconds=1)

        for path in ("annotate", "confirm", "survey", "leave", "draft", "withdraw", "reply", "message"):
            await browser.post(site.base + path, fields)

        await browser.open(**PROLIFIC)
        person = await who(site, browser.client.cookies)
        assert person is not None
        record = await site.parts.store.read(lambda tx: tx.person(person))
        assert (record.annotations, record.participant.ending) == ((), None)


async def test_the_study_speaks_the_visitors_language_where_it_can(tmp_path: Path) -> None:
    study = replace(
        demo_study(),
        languages=(Language("en"), Language("it")),
        title=Text({Language("en"): "Reading", Language("it"): "Leggere"}),
        completion=Completion("prolific", {"done": "X"}),
    )
    async with opened_site(f"sqlite:///{tmp_path / 'crito.db'}", study) as site:
        browser = site.browser(**{"Accept-Language": "it-IT,it;q=0.9"})
        await browser.open()
        assert browser.html.css_first("html").attributes["lang"] == "it"
        assert browser.title == "Leggere"
        assert "senza il link della piattaforma" in browser.text(".notice")

        await browser.open(lang="en", **PROLIFIC)
        assert browser.title == "Reading"
        await browser.go_on(study)
        assert browser.html.css_first("html").attributes["lang"] == "en"


async def test_no_page_of_a_participant_holds_a_reference_label(site: Site) -> None:
    marked = replace(
        site.study,
        tasks=tuple(
            replace(task, items=tuple(replace(item, gold="GOLD-MARK") for item in task.items))
            for task in site.study.tasks
        ),
    )
    assert "GOLD-MARK" in json.dumps([item.gold for task in marked.tasks for item in task.items])
    browser = site.browser()
    await browser.open(**PROLIFIC)
    gold = {item.gold for task in site.study.tasks for item in task.items if item.gold}

    while not browser.html.css_first(".code"):
        assert browser.html.css("[data-gold]") == []
        assert "gold" not in browser.page.text.lower()
        await browser.go_on(site.study)
    assert gold


async def test_ending_a_talk_too_early_is_refused_in_words(tmp_path: Path) -> None:
    study = demo_study()
    flow = tuple(step for step in study.conditions[0].flow if step != "reannotate")
    study = replace(study, conditions=tuple(replace(condition, flow=flow) for condition in study.conditions))
    async with opened_site(f"sqlite:///{tmp_path / 'crito.db'}", study) as site:
        browser = site.browser()
        await browser.open(**PROLIFIC)
        await browser.go_until(study, "#message")

        await browser.send("#answers")

        assert "not open now" in browser.text(".notice")
        for words in ("One reason.", "Another reason."):
            await browser.send("#message", message=words)
        await browser.send("#answers")
        assert browser.title == "A short break"


async def test_without_a_talk_the_second_labelling_is_open_at_once(tmp_path: Path) -> None:
    study = demo_study()
    flow = tuple(step for step in study.conditions[0].flow if step != "discuss")
    study = replace(study, conditions=tuple(replace(condition, flow=flow) for condition in study.conditions))
    async with opened_site(f"sqlite:///{tmp_path / 'crito.db'}", study) as site:
        browser = site.browser()
        await browser.open(**PROLIFIC)

        await browser.go_until(study, "#again")

        assert not browser.html.css_first("#message")
        assert "Looking at it again" in browser.text("#again legend ~ .labels legend")
        assert "disabled" not in browser.html.css_first("#again").attributes
        while not browser.html.css_first(".code"):
            if browser.html.css_first("#again"):
                answers = {**browser.first_choices("#answers"), "label": "not_sure"}
                await browser.send("#answers", **answers)
            else:
                await browser.go_on(study)


async def test_any_process_may_serve_any_request(site: Site, tmp_path: Path) -> None:
    async with opened_site(f"sqlite:///{tmp_path / 'site.db'}") as other:
        here, there = site.browser(), other.browser()
        await here.open(**PROLIFIC)
        turn = [there, here]
        browser = here

        while not browser.html.css_first(".code"):
            await browser.go_on(site.study)
            cookies, page, html = browser.client.cookies, browser.page, browser.html
            browser = turn[0]
            turn.reverse()
            browser.client.cookies.update(cookies)
            browser.page, browser.html = page, html

        assert browser.text(".code") == site.study.completion.codes["done"]
        assert await n_people(site) == 1


async def test_every_page_has_a_title_of_its_own(site: Site) -> None:
    browser = site.browser()
    await browser.open(**PROLIFIC)
    titles = []

    while not browser.html.css_first(".code"):
        titles.append(browser.text("title"))
        await browser.go_on(site.study)

    assert all(title.endswith(site.study.title.in_language(Language("en"))) for title in titles)
    assert len(set(titles)) == 8
