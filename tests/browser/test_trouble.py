"""What goes wrong in real browsers: hostile texts, second windows, double clicks, lines that drop."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from playwright.sync_api import Route, expect

from crito.model.ids import ItemId
from crito.model.study import Item, Study
from crito.services import access
from crito.services.ports.store import Tx
from tests.browser.conftest import TALK, Visitor
from tests.browser.serving import Served
from tests.bundled import demo_study
from tests.fake_model import FakeModel

pytestmark = pytest.mark.browser

HOSTILE = {
    "script": "</div></main><script>document.title='taken'</script> and <img src=x onerror=\"document.title='taken'\">",
    "bidi": "\u202e\u2067every mark that turns the line \u202d\u2066 and never turns it back",
    "long-word": "w" * 3_000,
    "megabyte": "A text that does not end. " * 42_000,
}


def with_text(study: Study, text: str) -> Study:
    items = (Item(ItemId("only"), text, {"Title": text[:200]}),)
    (task, *_) = study.tasks
    return replace(study, tasks=(replace(task, items=items, context_fields=("Title",), annotators_per_item=9),))


def n_labels(site: Served, round: int = 0) -> int:  # noqa: A002
    """How many labels of this round everyone in the study has given, revisions included."""

    async def count() -> int:
        def work(tx: Tx) -> int:
            ids = [row.participant.id for row in tx.people(site.study.name)]
            history = tx.annotation_history(site.study.name, ids)
            return sum(given.round == round for given in history)

        return await site.parts.store.read(work)

    return site.run(count())  # type: ignore[return-value]


@pytest.mark.parametrize("kind", HOSTILE)
@pytest.mark.parametrize("narrow", [False, True], ids=["1280", "390"])
def test_a_hostile_text_is_only_a_text(
    site_with: Callable[..., Served], visitor: Callable[..., Visitor], kind: str, narrow: bool
) -> None:
    site = site_with(with_text(demo_study(), HOSTILE[kind]))
    someone = visitor(site, narrow=narrow)
    page = someone.page

    someone.begin()

    assert page.title() == f"text 1 of 1 · {site.study.title.in_language(site.study.languages[0])}"
    assert page.locator(".item-text").evaluate("node => node.textContent") == HOSTILE[kind]
    assert page.locator(".item-text").evaluate("node => node.childElementCount") == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    question = page.locator("#answers legend").first
    assert question.evaluate("node => getComputedStyle(node).direction") == "ltr"
    someone.look(f"hostile-{kind}-{390 if narrow else 1280}", whole=False)
    someone.answer()
    someone.save()
    expect(page.locator("h1")).to_have_text("Before you go on")


def test_hostile_words_in_a_dialogue_are_only_words(site: Served, visitor: Callable[..., Visitor]) -> None:
    someone = visitor(site)
    someone.to_the_talk()

    someone.say(HOSTILE["script"])

    own = someone.page.locator(".line.own p")
    expect(own).to_have_text(HOSTILE["script"])
    assert own.evaluate("node => node.childElementCount") == 0
    someone.page.reload()
    expect(own).to_have_text(HOSTILE["script"])
    assert someone.page.title() != "taken"


def test_reload_and_back_change_nothing(site: Served, visitor: Callable[..., Visitor]) -> None:
    someone = visitor(site)
    someone.begin()
    page = someone.page
    someone.answer()
    someone.save()
    second = page.locator(".item-text").inner_text()

    page.reload()
    expect(page.locator(".item-text")).to_have_text(second)
    page.go_back()
    page.goto(site.address)

    expect(page.locator(".item-text")).to_have_text(second)
    assert n_labels(site) == 1


def test_a_double_click_is_one_click(site: Served, visitor: Callable[..., Visitor]) -> None:
    someone = visitor(site)
    someone.begin()
    someone.answer()

    with someone.page.expect_navigation():
        someone.page.locator("#answers button[type=submit]").dblclick()

    expect(someone.page.locator(".here")).to_have_text("text 2 of 2")
    assert n_labels(site) == 1


def test_two_windows_with_one_form_keep_one_label(site: Served, visitor: Callable[..., Visitor]) -> None:
    first = visitor(site)
    first.begin()
    second = visitor(site, beside=first)
    second.page.goto(site.address)
    first.answer()
    second.answer(label=1)

    first.save()
    second.save()

    expect(second.page.locator(".here")).to_have_text("text 2 of 2")
    assert n_labels(site) in (1, 2)
    history = {window.page.locator(".item-text").inner_text() for window in (first, second)}
    assert len(history) == 1


def test_two_windows_of_one_dialogue_meet_again(site: Served, visitor: Callable[..., Visitor]) -> None:
    first = visitor(site)
    first.to_the_talk()
    second = visitor(site, beside=first)
    second.page.goto(site.address)

    first.say("The last words give it away.")
    second.page.locator("#words").fill("My other thought.")
    second.page.locator("#words").press("Enter")

    expect(second.page.locator(".notice")).to_contain_text("already saved")
    expect(second.page.locator("#words")).to_have_value("My other thought.")
    expect(second.page.locator("#log .line")).to_have_count(3)
    second.say("My other thought.")
    expect(second.page.locator("#again button")).to_be_enabled()


def test_a_label_given_while_the_line_is_down_is_sent_when_it_is_back(
    site: Served, visitor: Callable[..., Visitor]
) -> None:
    someone = visitor(site)
    someone.begin()
    page = someone.page
    someone.answer()

    page.context.set_offline(True)
    page.locator("#answers button[type=submit]").click()
    expect(page.locator("#answers .saving")).to_have_text("Not saved yet, trying again.")
    page.context.set_offline(False)

    expect(page.locator(".here")).to_have_text("text 2 of 2")
    assert n_labels(site) == 1
    someone.complaints = [line for line in someone.complaints if "ERR_INTERNET_DISCONNECTED" not in line]


def test_an_answer_that_got_lost_on_its_way_back_is_not_stored_twice(
    site: Served, visitor: Callable[..., Visitor]
) -> None:
    someone = visitor(site)
    someone.begin()
    lost: list[str] = []

    def lose_the_first_answer(route: Route) -> None:
        if not lost:
            lost.append(route.fetch(max_redirects=0).headers["location"])
            route.abort()
        else:
            route.continue_()

    someone.page.route("**/annotate", lose_the_first_answer)
    someone.answer()
    someone.save()

    expect(someone.page.locator(".here")).to_have_text("text 2 of 2")
    assert lost
    assert n_labels(site) == 1
    someone.complaints = [line for line in someone.complaints if "ERR_FAILED" not in line]


def test_a_message_written_while_the_line_is_down_is_sent_when_it_is_back(
    site: Served, visitor: Callable[..., Visitor]
) -> None:
    someone = visitor(site)
    someone.to_the_talk()
    page = someone.page

    page.context.set_offline(True)
    page.locator("#words").fill("The last words give it away.")
    page.locator("#words").press("Enter")
    expect(page.locator("#message .saving")).to_have_text("Not saved yet, trying again.")
    page.context.set_offline(False)

    expect(page.locator("#log .line")).to_have_count(3)
    expect(page.locator("#words")).to_have_value("")
    page.reload()
    expect(page.locator("#log .line.own")).to_have_count(1)
    quiet = ("ERR_INTERNET_DISCONNECTED", "Failed to fetch")
    someone.complaints = [line for line in someone.complaints if not any(known in line for known in quiet)]


def test_half_a_form_and_half_a_message_survive_a_reload(site: Served, visitor: Callable[..., Visitor]) -> None:
    someone = visitor(site)
    someone.begin()
    page = someone.page
    with page.expect_response("**/draft"):
        page.locator("#answers input[name=confidence]").nth(1).check()

    page.reload()

    expect(page.locator("#answers input[name=confidence]").nth(1)).to_be_checked()
    someone.answer()
    someone.save()
    someone.answer()
    someone.save()
    someone.press("Keep these labels")
    with page.expect_response("**/draft"):
        page.locator("#words").type("Half a tho")
    page.reload()
    expect(page.locator("#words")).to_have_value("Half a tho")


def test_a_draft_leaves_with_the_page(site: Served, visitor: Callable[..., Visitor]) -> None:
    someone = visitor(site)
    someone.begin()
    page = someone.page

    chosen = page.locator("#answers input[name=confidence]").nth(2)
    chosen.check()
    page.goto(site.origin + "/")

    # It leaves with the page, and may arrive after the next one has come.
    for _ in range(20):
        page.goto(site.address)
        if chosen.is_checked():
            break
    expect(chosen).to_be_checked()


def test_the_second_labelling_opens_without_moving_the_page(site: Served, visitor: Callable[..., Visitor]) -> None:
    someone = visitor(site)
    someone.to_the_talk()
    page = someone.page
    someone.say("The last words give it away.")
    where = page.locator("#again").bounding_box()

    someone.say("Nobody would write that and mean it.")

    expect(page.locator("#gate")).to_have_text("Changing your label is not required.")
    expect(page.locator("#again button")).to_be_enabled()
    assert page.locator("#again").bounding_box() == where


def test_what_is_filled_in_below_stays_while_the_talk_goes_on(site: Served, visitor: Callable[..., Visitor]) -> None:
    someone = visitor(site)
    someone.to_the_talk()
    someone.say("The last words give it away.")
    someone.say("Nobody would write that and mean it.")
    chosen = someone.page.locator("#answers input[name=label]").nth(1)
    chosen.check()

    someone.say("And one more thing about the tape.")

    expect(chosen).to_be_checked()


def test_shift_and_enter_begin_a_new_line(site: Served, visitor: Callable[..., Visitor]) -> None:
    someone = visitor(site)
    someone.to_the_talk()
    field = someone.page.locator("#words")

    field.type("one")
    field.press("Shift+Enter")
    field.type("two")

    expect(field).to_have_value("one\ntwo")
    expect(someone.page.locator("#log .line")).to_have_count(1)


def test_on_a_phone_the_item_stays_and_folds_while_one_writes(site: Served, visitor: Callable[..., Visitor]) -> None:
    someone = visitor(site, narrow=True)
    someone.to_the_talk()
    page = someone.page

    page.locator("#words").tap()

    strip = page.locator(".item > details > summary")
    expect(page.locator(".item > details")).not_to_have_attribute("open", "")
    expect(strip).to_be_in_viewport()
    page.locator("#answers button").scroll_into_view_if_needed()
    expect(strip).to_be_in_viewport()
    strip.tap()
    expect(page.locator(".item-text")).to_be_in_viewport()


def test_on_a_phone_the_newest_line_is_in_view_above_the_text_field(
    site: Served, visitor: Callable[..., Visitor]
) -> None:
    someone = visitor(site, narrow=True)
    someone.to_the_talk()
    page = someone.page

    for words in ("The last words give it away.", "Nobody would write that and mean it.", "And there is the tape."):
        someone.say(words)
    page.set_viewport_size({"width": 390, "height": 480})

    def gap() -> float:
        line = page.locator("#log .line").last.bounding_box()
        field = page.locator("#message").bounding_box()
        assert line
        assert field
        return field["y"] - (line["y"] + line["height"])

    expect(page.locator("#log .line").last).to_be_in_viewport(ratio=1)
    assert gap() >= 0


def test_a_reply_of_a_hosted_model_comes_sentence_by_sentence(
    site_with: Callable[..., Served], visitor: Callable[..., Visitor]
) -> None:
    study = demo_study()
    conditions = tuple(
        replace(condition, partner=replace(condition.partner, model="fake:model")) for condition in study.conditions
    )
    reply = "Thanks for saying that. Which word in the text matters most to you?"
    model = FakeModel([reply])
    site = site_with(replace(study, conditions=conditions), models=lambda name: model)
    someone = visitor(site)
    someone.to_the_talk()
    page = someone.page

    someone_said = "The last words give it away."
    page.locator("#words").fill(someone_said)
    page.locator("#words").press("Enter")

    partner = page.locator(".line.partner").nth(1)
    expect(partner.locator("span span")).to_have_count(2)
    expect(partner).to_contain_text(reply)
    expect(page.locator("#message button")).to_be_enabled()
    expect(page.locator(".thinking:visible")).to_have_count(0)
    someone.look("talk-streamed-1280-light")
    page.reload()
    expect(page.locator(".line.partner").nth(1)).to_contain_text(reply)


def test_the_code_is_copied_and_said_to_be(site: Served, visitor: Callable[..., Visitor]) -> None:
    someone = visitor(site, permissions=["clipboard-read", "clipboard-write"])
    someone.begin()
    someone.press("Leave for now")

    someone.press("Copy the link")

    expect(someone.page.get_by_role("button", name="Copied")).to_be_visible()
    link = someone.page.locator("#code").inner_text()
    assert link.startswith(site.address + "r/")
    token = link.rpartition("/")[2]
    assert site.run(access.signed_in(site.parts, site.study.name, token))


def test_someone_who_comes_back_by_their_link_goes_on_where_they_were(
    site: Served, visitor: Callable[..., Visitor]
) -> None:
    at_home, elsewhere = visitor(site), visitor(site)
    at_home.to_the_talk("same-person")
    at_home.say("The last words give it away.")

    elsewhere.arrive("same-person")

    expect(elsewhere.page.locator("h1")).to_have_text(TALK)
    expect(elsewhere.page.locator("#log .line")).to_have_count(3)
    assert elsewhere.page.url == site.address
