"""The ready-made words of a study, in the three languages that have them."""

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from itertools import product

import pytest

from crito.model.ids import Language
from crito.model.study import Partner, Text
from crito.studies import ready
from tests.studies.folder import SMALL, parse

EN, IT, JA, DE = (Language(tag) for tag in ("en", "it", "ja", "de"))
FLOWS = [("consent", "annotate"), ("consent", "annotate", "discuss", "reannotate", "survey")]
READING = ("consent", "annotate", "debate", "reannotate", "survey")
PARTNERS = [Partner(model=model) for model in ("script", "local:m.gguf", "openai:gpt")]
KANA = re.compile(r"[\u3041-\u30ff]")


def texts(words: object) -> Iterator[Text]:
    if isinstance(words, Text):
        yield words
    elif isinstance(words, tuple):
        for one in words:
            yield from texts(one)
    elif is_dataclass(words):
        for field in fields(words):
            yield from texts(getattr(words, field.name))


def written(*lines: str) -> tuple[Text, ...]:
    """Every text of the smallest study with `lines`, but those of its own task and title."""
    study = parse(SMALL + "".join(f"{line}\n" for line in lines))
    return tuple(
        texts(
            (
                study.confidence,
                study.expectations,
                study.reconsiderations,
                study.attention_checks,
                study.survey,
                study.consent,
                study.instructions,
                study.pause,
            )
        )
    )


def every_consent() -> Iterator[Text]:
    spans = (1, 30, 365, 730)
    for release, days, contact in product(("labels", "reasons", "transcripts"), spans, ("", "ana@example.org")):
        for flows, partners in ((FLOWS[:1], []), (FLOWS[1:], PARTNERS[:1]), (FLOWS, PARTNERS)):
            yield ready.consent_text(flows, partners, release=release, retention_days=days, contact=contact)
    for flows in ([READING], [READING, FLOWS[0]]):
        yield ready.consent_text(flows, [], release="labels", retention_days=9, contact="", models_argue=True)


def every_instruction() -> Iterator[Text]:
    for flows in ([FLOWS[0]], [FLOWS[1]], FLOWS, [READING], [READING, FLOWS[0]]):
        yield ready.instructions_text(flows)


@pytest.mark.parametrize("language", [IT, JA])
def test_a_study_in_one_language_speaks_only_that(language: Language) -> None:
    said = [text for text in written(f"languages: [{language}]") if text.by_language]

    assert {tag for text in said for tag in text.by_language} == {language}


def test_ready_made_words_come_in_every_language_of_the_study_in_its_order() -> None:
    said = [text for text in written("languages: [ja, en]") if text.by_language]

    assert {tuple(text.by_language) for text in said} == {(JA, EN)}


def test_a_language_without_ready_made_words_gets_the_english_ones_first() -> None:
    said = [text for text in written("languages: [de, it]") if text.by_language]

    assert {tuple(text.by_language) for text in said} == {(EN, IT)}


def test_a_regional_language_gets_the_words_of_its_language() -> None:
    (pause,) = {text.in_language(Language("it-CH")) for text in texts(ready.in_languages(ready.PAUSE, ["it-CH"]))}

    assert pause == ready.PAUSE.in_language(IT)


def test_every_way_to_ask_for_consent_has_three_languages() -> None:
    for consent in (*every_consent(), *every_instruction()):
        english, italian, japanese = (consent.in_language(tag) for tag in (EN, IT, JA))

        assert len({text.count("\n\n") for text in (english, italian, japanese)}) == 1
        assert KANA.search(japanese)
        assert english != italian
        assert not any("{" in text or "}" in text for text in (english, italian, japanese))


def test_consent_keeps_its_blanks_in_each_language() -> None:
    consent = ready.consent_text(FLOWS[1:], PARTNERS[2:], release="labels", retention_days=730, contact="ana@x.org")

    for tag, span in ((EN, "2 years"), (IT, "2 anni"), (JA, "2年")):
        assert all(words in consent.in_language(tag) for words in ("openai", "ana@x.org", span))


def test_no_translation_is_left_over_and_none_is_the_english_one() -> None:
    constants = (
        ready.CONFIDENCE, ready.EXPECTATIONS, ready.RECONSIDERATIONS, ready.ABOUT_DEBATES, ready.ATTENTION_CHECKS, ready.NASA_TLX,
        ready.EXPERIENCE, ready.ABOUT_YOU, ready.PAUSE,
    )  # fmt: skip
    said = {text.in_language(EN) for text in texts(constants)}
    paragraphs = "\n\n".join(text.in_language(EN) for text in (*every_consent(), *every_instruction()))

    for words in ready.TRANSLATIONS.values():
        filled = {english: re.sub(r"\\{\w+\\}", r"[\\w.@ ]+", re.escape(english)) for english in words}
        left = {english for english in words if english not in said and not re.search(filled[english], paragraphs)}
        assert left == set()
        assert {english for english, other in words.items() if other == english} <= {"No"}


@pytest.mark.parametrize("language", [EN, IT, JA])
def test_the_word_to_choose_is_the_longest_in_each_language(language: Language) -> None:
    check = next(check for check in ready.ATTENTION_CHECKS if check.question.key == "longest_word")
    lengths = {option.name: len(option.text.in_language(language)) for option in check.question.options}

    longest = [name for name, length in lengths.items() if length == max(lengths.values())]
    assert longest == [check.expected]
