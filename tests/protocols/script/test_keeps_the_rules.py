"""Whatever item, labels and messages it is given, the scripted partner keeps every rule of the guard."""

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crito.model.talk import Turn
from crito.protocols.case import Case, ShownLabel
from crito.protocols.guard import check
from crito.protocols.script import reply
from tests.protocols.cases import opening
from tests.protocols.script.real_items import CURT, DATA, HOSTILE, cases, item_files, messages, said_about

OPENINGS = {
    "en": "Hi there! What led you to your choice, and which words in the item mattered most to you?",
    "it": "Ciao! Che cosa ti ha portato alla tua scelta, e quali parole hanno contato di più per te?",
    "ja": "こんにちは。その選択に至った理由と、いちばん大事だった言葉を聞かせてもらえますか？",
}
ITEMS_A_TALK = 20
"""One real item in so many is talked about at length; a person writes one message about each of the others."""

WORDS = {
    "en": [
        "the",
        "a",
        "not",
        "is",
        "it",
        "sarcastic",
        "review",
        "kettle",
        "Denver",
        "1962",
        "nine",
        "you",
        "right",
        "correct",
        "clearly",
        "should",
        "label",
        "because",
        "stars",
    ],
    "it": [
        "il",
        "la",
        "non",
        "è",
        "sarcastica",
        "recensione",
        "bollitore",
        "Torino",
        "1962",
        "nove",
        "giusto",
        "etichetta",
        "perché",
        "chiaramente",
        "stelle",
    ],
    "ja": [
        "これ",
        "は",
        "皮肉",
        "ではない",
        "やかん",
        "大阪",
        "1962",
        "九分",
        "正しい",
        "ラベル",
        "なぜ",
        "明らかに",
        "星五つ",
        "です",
        "か",
    ],
}


def held(case: Case, said: list[str]) -> list[Turn]:
    """The dialogue of the script with a person who writes `said`; every turn is checked as it comes."""
    transcript = [opening(OPENINGS[case.language])]
    for message in said:
        transcript.append(Turn("person", message, "person"))
        turn = reply(case, transcript)
        assert check(turn.text, case, transcript) == (), (message, turn.text)
        transcript.append(turn)
    return transcript


def texts(language: str, *, joined: int = 12) -> st.SearchStrategy[str]:
    """Anything, and strings of words that touch the rules."""
    word = st.sampled_from([*WORDS[language], *CURT[language], *HOSTILE[language]])
    gap = "" if language == "ja" else " "
    return st.text(max_size=80) | st.lists(word, max_size=joined).map(gap.join)


@st.composite
def situations(draw: st.DrawFn) -> tuple[Case, list[str]]:
    language = draw(st.sampled_from(["en", "it", "ja"]))
    labels = draw(st.lists(texts(language, joined=2), min_size=1, max_size=4, unique=True))
    case = Case(
        language=language,
        question=draw(texts(language)),
        labels=tuple(ShownLabel(str(i), text) for i, text in enumerate(labels)),
        guideline=draw(texts(language)),
        text=draw(texts(language, joined=40)),
        label=draw(st.sampled_from(labels)),
        confidence=draw(texts(language, joined=2)),
        context=tuple(draw(st.lists(st.tuples(texts(language), texts(language)), max_size=2))),
        explicit_only=draw(st.booleans()),
        min_messages=draw(st.integers(0, 6)),
    )
    return case, draw(st.lists(texts(language), min_size=1, max_size=7))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(situations())
def test_it_passes_the_guard_for_any_item_labels_and_messages(situation: tuple[Case, list[str]]) -> None:
    held(*situation)


@pytest.mark.parametrize("language", ["en", "it", "ja"])
def test_it_passes_the_guard_through_a_long_talk_of_mixed_messages(language: str) -> None:
    rng = random.Random(3)
    case = Case(
        language=language,
        question="?",
        labels=(ShownLabel("a", WORDS[language][3]), ShownLabel("b", WORDS[language][4])),
        guideline="",
        text=" ".join(WORDS[language] * 3),
        label=WORDS[language][3],
        confidence="",
    )
    said = [" ".join(rng.choices(WORDS[language], k=6)) for _ in range(8)]

    held(case, [said[0], CURT[language][0], *said[1:4], *HOSTILE[language][:3], *said[4:]])


@pytest.mark.slow
@pytest.mark.real_data
@pytest.mark.skipif(not item_files(), reason=f"there are no data sets at {DATA} (CRITO_DATA says where they are)")
@pytest.mark.parametrize("file", item_files(), ids=lambda file: file.parent.name)
def test_it_passes_the_guard_on_every_real_item(file: Path) -> None:
    written, rng = messages(), random.Random(file.parent.name)

    for number, case in enumerate(cases(file)):
        held(case, said_about(case, written, rng, turns=1 if number % ITEMS_A_TALK else 6))
