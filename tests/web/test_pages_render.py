"""Templates with made-up content: what a page shows, and what it must never do with what it shows."""

from dataclasses import replace
from html.parser import HTMLParser

import pytest
from selectolax.lexbor import LexborHTMLParser

from crito.model.study import Text
from crito.services.pages import ShownItem
from crito.web.rendering import Notice, excerpt, layout
from tests.web import gallery, samples

HOSTILE = "</div><script>alert(1)</script><img src=x onerror=alert(1)>\u202eesrever\u2066 \"'&"


def page(name: str, **values: object) -> LexborHTMLParser:
    return LexborHTMLParser(gallery.RENDERER.render(name, samples.ENGLISH, "", **{**gallery.PARTICIPANT, **values}))


@pytest.mark.parametrize("name", gallery.NAMES)
def test_a_page_holds_no_inline_script_style_or_handler(name: str) -> None:
    html = LexborHTMLParser(gallery.rendered(name))

    assert [script for script in html.css("script") if not script.attributes.get("src")] == []
    assert html.css("style") == []
    assert [
        (node.tag, key) for node in html.css("*") for key in node.attributes if key == "style" or key.startswith("on")
    ] == []


class Balance(HTMLParser):
    """Finds end tags that close nothing and start tags that nothing closes."""

    VOID = frozenset({"meta", "link", "input", "br", "hr", "img"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(tag)


@pytest.mark.parametrize("name", gallery.NAMES)
def test_the_tags_of_a_page_match(name: str) -> None:
    balance = Balance()

    balance.feed(gallery.rendered(name))

    assert (balance.faults, balance.open) == ([], [])


@pytest.mark.parametrize("name", gallery.NAMES)
def test_every_id_of_a_page_stands_once_and_every_label_names_one(name: str) -> None:
    html = LexborHTMLParser(gallery.rendered(name))
    ids = [node.attributes["id"] for node in html.css("[id]")]

    assert len(ids) == len(set(ids))
    for key in ("for", "aria-labelledby", "form"):
        assert {node.attributes[key] for node in html.css(f"[{key}]")} <= set(ids)


def test_the_text_of_an_item_is_shown_as_it_is_and_never_run() -> None:
    item = ShownItem(HOSTILE, {HOSTILE: HOSTILE}, Text({samples.ENGLISH: HOSTILE}))

    html = page("annotate", page=replace(samples.ANNOTATE, item=item))

    assert html.css_first(".item-text").text() == HOSTILE
    assert html.css_first(".context dd").text() == HOSTILE
    assert html.css("img") == []
    assert "<script>alert" not in (html.html or "").replace("&lt;script&gt;alert", "")


def test_writing_direction_of_an_item_is_its_own() -> None:
    html = page("annotate", page=samples.ANNOTATE)

    assert html.css_first(".item-text").attributes["dir"] == "auto"


def test_lines_of_a_dialogue_are_escaped() -> None:
    talk = replace(samples.TALK.talk, lines=(samples.Line(HOSTILE, partner=False),))  # type: ignore[type-var]

    html = page("talk", page=replace(samples.TALK, talk=talk))

    assert html.css_first(".line.own p").text() == HOSTILE


def test_answers_given_before_are_in_the_form_again() -> None:
    fields = {
        "label": "Not sarcastic",
        "confidence": "very",
        "rationale": "\n two lines\nof it",
        "q_check_colour": "red",
    }

    html = page("annotate", page=replace(samples.ANNOTATE, fields=fields))

    chosen = {node.attributes["name"]: node.attributes["value"] for node in html.css("input[checked]")}
    assert chosen == {"label": "Not sarcastic", "confidence": "very", "q_check_colour": "red"}
    assert html.css_first("textarea[name=rationale]").text() == "\n two lines\nof it"


def test_the_second_labelling_is_shut_and_says_why_until_it_opens() -> None:
    shut = page("talk", page=samples.TALK)
    opened = page("talk", page=samples.PAGES["talk_open"])

    assert "disabled" in shut.css_first("#again").attributes
    assert shut.css_first("#gate").text() == "Opens after 1 more message from you."
    assert "disabled" not in opened.css_first("#again").attributes
    assert opened.css_first("#gate").text() == "Changing your label is not required."


def test_only_the_second_labelling_offers_not_sure() -> None:
    first = page("annotate", page=samples.ANNOTATE)
    second = page("talk", page=samples.TALK)

    assert [node.attributes["value"] for node in first.css("input[name=label]")] == ["Sarcastic", "Not sarcastic"]
    assert [node.attributes["value"] for node in second.css("input[name=label]")][-1] == "not_sure"


def test_not_sure_as_a_label_does_not_read_like_not_sure_as_confidence() -> None:
    options = page("talk", page=samples.PAGES["talk_open"]).css("#answers .option .words")
    words = [" ".join(option.text(deep=True).split()) for option in options]

    assert words.count("Not sure") == 1
    assert len([one for one in words if one.startswith("Not sure")]) == 2


def test_after_not_sure_the_confidence_says_what_it_is_about() -> None:
    first = page("annotate", page=samples.ANNOTATE).css_first("fieldset[data-name=confidence] legend")
    second = page("talk", page=samples.PAGES["talk_open"]).css_first("fieldset[data-name=confidence] legend")

    assert "Not sure" not in first.text(deep=True)
    assert "If you chose “Not sure” above" in second.text(deep=True)


def test_a_question_that_depends_on_another_says_so_in_words() -> None:
    html = page("survey", page=samples.SURVEY_PAGE)

    words = html.css_first(".branch .when").text()
    assert "Yes" in words
    assert "talked with another person" in words
    assert html.css(".branch [required]") == []


def test_the_question_a_notice_is_about_is_marked() -> None:
    html = page("annotate", page=samples.ANNOTATE, notice=Notice("missing", "confidence"))

    marked = html.css(".at-fault")
    assert [node.attributes["data-name"] for node in marked] == ["confidence"]
    assert html.css_first(".notice").attributes["role"] == "alert"


def test_html_in_a_studys_own_words_is_shown_as_text_and_loads_nothing() -> None:
    words = Text(
        {samples.ENGLISH: "# Head\n\n<b onclick=x>bold</b> ![pic](http://elsewhere.example/p.png) [l](javascript:x)"}
    )

    html = page("instructions", page=replace(samples.INSTRUCTIONS, text=words))

    prose = html.css_first(".prose")
    assert prose.css_first("h2").text() == "Head"
    assert prose.css("b, img, [href^=javascript]") == []


def test_a_page_says_its_language_and_direction() -> None:
    html = LexborHTMLParser(
        gallery.RENDERER.render(
            "pause", samples.ENGLISH, "", words=samples.Language("ar"), page=samples.PAUSE, **gallery.PARTICIPANT
        )
    )

    assert html.css_first("html").attributes == {"lang": "ar", "dir": "rtl"}
    assert html.css_first(".prose").attributes["lang"] == "en"


def test_an_excerpt_is_one_line_and_says_when_more_follows() -> None:
    assert excerpt("a\n b", 10) == "a b"
    assert excerpt("word " * 500_000, 20) == "word word word word …"


def test_only_few_short_options_stand_side_by_side() -> None:
    assert layout(["Yes", "No"]) == "across"
    assert layout(["Yes, a talk would help", "No"]) == "stack"
    assert layout(["1", "2", "3", "4", "5"]) == "stack"


def test_a_form_kept_ready_for_everyone_holds_nobodys_answers() -> None:
    answered = {"label": "Not sarcastic", "confidence": "very"}
    untouched = replace(samples.ANNOTATE, fields={})

    before = page("annotate", page=untouched)
    between = page("annotate", page=replace(untouched, fields=answered))
    after = page("annotate", page=replace(untouched, form="annotate:a-2"))
    other = page("annotate", page=replace(untouched, questions=untouched.questions[:1]))

    assert len(between.css("input[checked]")) == 2
    assert before.css("input[checked]") == after.css("input[checked]") == []
    assert len(other.css("fieldset")) < len(after.css("fieldset"))
