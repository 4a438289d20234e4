"""Where sentences end."""

import pytest

from crito.protocols.guard import finished, sentences


@pytest.mark.parametrize(("text", "wanted"), [
    ("", ()),
    ("   \n ", ()),
    ("What about the lid?", ("What about the lid?",)),
    ("Okay. What about the lid?", ("Okay.", "What about the lid?")),
    ("Really?! What else?", ("Really?!", "What else?")),
    ("Hm... What else?", ("Hm...", "What else?")),
    ("Hm... what else?", ("Hm... what else?",)),
    ("Hm… What else?", ("Hm…", "What else?")),
    ("Mr. Smith says so. Why?", ("Mr. Smith says so.", "Why?")),
    ("He met J. Smith in the U.S. last year. Why?", ("He met J. Smith in the U.S. last year.", "Why?")),
    ("It has flaws, e.g. the lid. Why?", ("It has flaws, e.g. the lid.", "Why?")),
    ("It took 2.5 minutes. Why?", ("It took 2.5 minutes.", "Why?")),
    ("You said “It's great!” and then went on. Why?", ("You said “It's great!” and then went on.", "Why?")),
    ("You said “It's great!” Then what?", ("You said “It's great!”", "Then what?")),
    ('You said "Love it? Not." Why?', ('You said "Love it? Not."', "Why?")),
    ('What about "Love it? Not" in the title?', ('What about "Love it? Not" in the title?',)),
    ("I hear you\n\nWhat else?", ("I hear you", "What else?")),
    ("- one\n- two?", ("- one", "- two?")),
    ("(You said so.) Why?", ("(You said so.)", "Why?")),
    ("Why? because I ask.", ("Why?", "because I ask.")),
    ('A stray " mark. Why?', ('A stray " mark.', "Why?")),
    ("No end", ("No end",)),
])  # fmt: skip
def test_english_sentences(text: str, wanted: tuple[str, ...]) -> None:
    assert sentences(text, "en") == wanted


@pytest.mark.parametrize(("text", "wanted"), [
    ("Ok. Perché?", ("Ok.", "Perché?")),
    ("Il sig. Rossi lo dice. Perché?", ("Il sig. Rossi lo dice.", "Perché?")),
    ("Scrive «Che bello!» e poi? Perché?", ("Scrive «Che bello!» e poi?", "Perché?")),
])  # fmt: skip
def test_italian_sentences(text: str, wanted: tuple[str, ...]) -> None:
    assert sentences(text, "it") == wanted


@pytest.mark.parametrize(("text", "wanted"), [
    ("はい。なぜですか？", ("はい。", "なぜですか？")),
    ("「最高。」と書いていますね。なぜですか？", ("「最高。」と書いていますね。", "なぜですか？")),
    ("「本当？」そうですか。なぜ？", ("「本当？」", "そうですか。", "なぜ？")),
    ("なぜですか。", ("なぜですか。",)),
    ("はい！なぜ？！", ("はい！", "なぜ？！")),
])  # fmt: skip
def test_japanese_sentences(text: str, wanted: tuple[str, ...]) -> None:
    assert sentences(text, "ja") == wanted


@pytest.mark.parametrize(("text", "done", "rest"), [
    ("Okay", (), "Okay"),
    ("Okay.", (), "Okay."),
    ("Okay. ", (), "Okay."),
    ("Okay. W", ("Okay.",), "W"),
    ("Mr. S", (), "Mr. S"),
    ("Hm... w", (), "Hm... w"),
    ("You said “It's gr", (), "You said “It's gr"),
    ("You said “It's great.” T", ("You said “It's great.”",), "T"),
    ("You said “It's great.” t", (), "You said “It's great.” t"),
    ("Okay\n", ("Okay",), ""),
])  # fmt: skip
def test_a_sentence_is_finished_only_when_what_follows_cannot_change_it(
    text: str, done: tuple[str, ...], rest: str
) -> None:
    assert finished(text, "en") == (done, rest)


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("text", [
    "Okay, so “nine minutes. One cup.” is it. Mr. Lid says hm... What else? And e.g. this…",
    "「最高。」と書いていますね。二回も？はい！なぜですか？",
    'A "quote? Yes." Then \'more\' of it!\nNew line. End',
])  # fmt: skip
def test_sentences_come_out_the_same_however_the_text_arrives(text: str, language: str) -> None:
    seen: list[str] = []
    for end in range(len(text) + 1):
        done = finished(text[:end], language).sentences
        assert list(done[: len(seen)]) == seen
        seen = list(done)

    assert sentences(text, language)[: len(seen)] == tuple(seen)
