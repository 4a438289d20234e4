"""The rules of a partner's turn, each as a function that says what is wrong, or nothing.

A sentence's rules read the sentence, the talk it answers and the sentences of the turn before it. The turn's rules
read the whole turn.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence

from crito.model.study import Rule
from crito.protocols.guard.labels import labels_named, names_another_label, speaks_of_labels, without_labels
from crito.protocols.guard.talk import Sentence, Talk
from crito.protocols.guard.text import content_words, has_stray_quote, likeness, normal, stands_in, tokens, words_of
from crito.protocols.wording import foreign_words
from crito.protocols.wording.table import Wording

MAX_SENTENCES = 3
MAX_WORDS = 120
MAX_WIDE_CHARACTERS = 300
ALIKE = 0.6
"""From this likeness on, a question is a repetition."""

SentenceRule = Callable[[Sentence, Talk, Sequence[Sentence]], str]
TurnRule = Callable[[Sequence[Sentence], Talk], str]

_MARK = re.compile(r"[*_#`|<>~^\\{}\[\]]|https?:|www\.")
_LIST = re.compile(r"^\s*(?:[-•–—*]\s|\(?(?:\d{1,2}|[a-z])[.)]\s)")
_SPEAKER = re.compile(r"^\s*\w{2,12}:\s")
_DIGITS = re.compile(r"\d+(?:[.,:]\d+)*")
_KATAKANA = re.compile(r"[\u30a1-\u30fa][\u30a1-\u30ffー]{2,}")


def length(sentence: Sentence, talk: Talk, before: Sequence[Sentence]) -> str:
    if sentence.index >= MAX_SENTENCES:
        return f"it has more than {MAX_SENTENCES} sentences"
    text = " ".join(s.text for s in (*before, sentence))
    if len(tokens(text)) > MAX_WORDS or (not talk.table.spaced and len(text) > MAX_WIDE_CHARACTERS):
        return "it is too long"
    return ""


def one_question(sentence: Sentence, talk: Talk, before: Sequence[Sentence]) -> str:
    asked = any(s.question for s in before)
    if sentence.question and asked:
        return "it asks a second question"
    if sentence.index == MAX_SENTENCES - 1 and not sentence.question and not asked:
        return lacks_question((*before, sentence), talk)
    return ""


def no_verdict(sentence: Sentence, talk: Talk, before: Sequence[Sentence]) -> str:
    table = talk.table
    if (
        not sentence.question
        and (found := table.verdict.search(sentence.bare))
        and not denied(sentence.bare, found, table)
    ):
        return f"it judges: {found[0]!r}"
    stated = sentence.bare if not sentence.question else " ; ".join(sentence.claims)
    if table.own_view.search(stated) and speaks_of_labels(stated, talk.case):
        return "it gives a view of its own about a label"
    for clause in sentence.claims:
        if speaks_of_labels(clause, talk.case):
            return f"it says as its own word how the item is: {clause!r}"
        if found := table.conclusion.search(clause):
            return f"it draws a conclusion of its own: {found[0]!r}"
        if sentence.question and (found := table.verdict.search(clause)):
            return f"it judges: {found[0]!r}"
    return ""


def denied(text: str, found: re.Match[str], table: Wording) -> bool:
    """Whether a verdict's words only say that there is none to be had (`there's no right answer`)."""
    before = f" {normal(text[: found.start()])}"
    return any(before.endswith(f" {words}") for words in table.no_such)


def no_push(sentence: Sentence, talk: Talk, before: Sequence[Sentence]) -> str:
    table = talk.table
    if found := table.push.search(sentence.bare):
        return "" if table.no_push.search(sentence.bare) else f"it pushes: {found[0]!r}"
    if sentence.question and (found := table.leading.search(sentence.bare)):
        return f"it asks a leading question: {found[0]!r}"
    if not sentence.question and (label := steered_to(sentence.bare, talk)):
        return f"it tells the person to give {label!r}"
    if table.invites.search(sentence.bare) and labels_named(sentence.bare, talk.case) and not sentence.question:
        return "it invites the person to give a certain label"
    return ""


def steered_to(text: str, talk: Talk) -> str:
    """The label that a sentence tells the person to give; empty when it tells none."""
    rests = (text[found.end() :].casefold() for found in talk.table.steers.finditer(text))
    return next(
        (label for rest in rests for label in talk.case_labels if label and rest.startswith(label.casefold())), ""
    )


def no_outside_fact(sentence: Sentence, talk: Talk, before: Sequence[Sentence]) -> str:
    if found := talk.table.outside.search(sentence.bare):
        return f"it appeals to knowledge from elsewhere: {found[0]!r}"
    if sentence.hypothetical:
        return ""
    known = talk.words.union(*(words_of(s.text) for s in before))
    for number in _DIGITS.findall(sentence.bare):
        if not {number, *re.split(r"[.,:]", number)} <= known:
            return f"the number {number!r} stands nowhere"
    for word in unknown_names(sentence, talk, known):
        return f"the name {word!r} stands nowhere"
    for word in tokens(normal(sentence.bare)):
        if (digits := talk.table.numbers.get(word)) and not known & {word, digits}:
            return f"the number {word!r} stands nowhere"
    return ""


def unknown_names(sentence: Sentence, talk: Talk, known: frozenset[str]) -> list[str]:
    """Capitalised words (in Japanese, runs of katakana) that stand neither in the case nor in the talk."""
    table = talk.table
    if not table.known:
        return []
    if not table.spaced:
        sources = "".join((*talk.quotable, normal(talk.case.question + talk.case.guideline), *talk.case_labels))
        runs = _KATAKANA.findall(sentence.bare)
        return [run for run in runs if run not in table.common_names and normal(run) not in sources]
    found = []
    for place, word in enumerate(tokens(sentence.bare)):
        shouted = len(word) > 1 and any(c.isupper() for c in word[1:])
        if (place or shouted) and word[0].isalpha() and (word[0].isupper() or shouted):
            parts = words_of(word)
            if not parts & known and not parts & table.common_names:
                found.append(word)
    return found


def no_false_strictness(sentence: Sentence, talk: Talk, before: Sequence[Sentence]) -> str:
    table = talk.table
    if talk.case.explicit_only:
        return ""
    if found := next(filter(None, map(table.unsaid.search, sentence.claims)), None):
        return f"it holds against the person that something is not said: {found[0]!r}"
    if not (found := table.explicit.search(sentence.bare)):
        return ""
    left_open = table.implied.search(sentence.bare)
    if left_open and (sentence.question or not table.belittled.search(sentence.bare)):
        return ""
    if sentence.question:
        return "" if sentence.hypothetical else f"it asks for an explicit statement: {found[0]!r}"
    if not table.demand.search(sentence.bare) or sentence.hypothetical:
        return ""
    claims = [c for c in sentence.clauses if table.explicit.search(c) and not table.reports.search(c)]
    return f"it demands an explicit statement: {found[0]!r}" if claims else ""


def honest_quotes(sentence: Sentence, talk: Talk, before: Sequence[Sentence]) -> str:
    for quotation in sentence.quotations:
        if not stands_in(quotation, talk.quotable):
            return f"{quotation!r} is in quotation marks and stands neither in the item nor in the person's messages"
    return "a quotation mark stands alone" if has_stray_quote(sentence.text) else ""


def no_formatting(sentence: Sentence, talk: Talk, before: Sequence[Sentence]) -> str:
    if _LIST.match(sentence.text):
        return "it is a list"
    text = without_labels(sentence.bare, talk.case)
    for word in text.split():
        if _MARK.search(word) and not any(normal(word).strip(".,;:!?'\"()") in source for source in talk.quotable):
            return f"{word!r} is formatting or a link"
    if _SPEAKER.match(text) and not talk.words & words_of(text.split(":")[0]):
        return "it names a speaker"
    return ""


def no_repetition(sentence: Sentence, talk: Talk, before: Sequence[Sentence]) -> str:
    if not sentence.question or talk.wants_rephrasing:
        return ""
    for asked in talk.asked:
        if likeness(sentence.text, asked, talk.case.language) >= ALIKE:
            return f"it was asked before: {asked!r}"
    return ""


def no_personal_data(sentence: Sentence, talk: Talk, before: Sequence[Sentence]) -> str:
    found = talk.table.personal.search(sentence.bare)
    return f"it asks who the person is: {found[0]!r}" if found else ""


def language(sentence: Sentence, talk: Talk, before: Sequence[Sentence]) -> str:
    table = talk.table
    if not table.known:
        return ""
    text = without_labels(sentence.bare, talk.case)
    letters = [c for c in text if c.isalpha()]
    own = sum(unicodedata.name(c, "").startswith(table.scripts) for c in letters)
    if letters and own < 0.7 * len(letters):
        return f"it is not written in {table.name}"
    if len(letters) >= 4 and not table.typical.search(text):
        return f"it is not {table.name}"
    said = set(tokens(normal(text))) - talk.given_words if table.spaced else set()
    if len(said) >= 4:
        hits = len(said & table.stop_words)
        foreign = max(len(said & others) for others in foreign_words(table.language))
        if foreign >= 2 and foreign > 1.5 * hits:
            return f"it is not {table.name}"
    return ""


def own_label_only(sentences: Sequence[Sentence], talk: Talk) -> str:
    if any(s.question for s in sentences):
        return ""
    another = next(filter(None, (names_another_label(s.bare, talk.case) for s in sentences)), "")
    return f"a hand-over may name only the person's own label, not {another!r}" if another else ""


def no_early_hand_over(sentence: Sentence, talk: Talk, before: Sequence[Sentence]) -> str:
    if talk.may_hand_over or sentence.question or sentence.hypothetical:
        return ""
    found = talk.table.invites.search(sentence.bare)
    return f"it hands over before the person may label again: {found[0]!r}" if found else ""


def ask_for_reason(sentence: Sentence, talk: Talk, before: Sequence[Sentence]) -> str:
    if not talk.curt or not talk.table.known:
        return ""
    if sentence.question:
        asks = talk.table.asks_reason.search(sentence.bare)
        return "" if asks else "the last message was curt, and it does not ask for a reason"
    found = talk.table.approval.search(sentence.bare)
    return f"the last message was curt, and it approves: {found[0]!r}" if found else ""


def lacks_question(sentences: Sequence[Sentence], talk: Talk) -> str:
    """What is wrong with a turn that asks nothing: it must be a hand-over that sums up the person's reasons."""
    if not talk.may_hand_over:
        return "it asks nothing"
    if talk.curt:
        return "it asks nothing, and the last message was curt"
    text = " ".join(s.text for s in sentences)
    if len(talk.reasons) >= 2 and not content_words(text, talk.table) & talk.reasons:
        return "it asks nothing and does not sum up the person's reasons"
    if talk.table.known and not (talk.table.invites.search(text) or talk.table.sound.search(text)):
        return "it asks nothing and does not hand over"
    return ""


def ends_with_a_question(sentences: Sequence[Sentence], talk: Talk) -> str:
    if not sentences:
        return "it says nothing"
    return "" if any(s.question for s in sentences) else lacks_question(sentences, talk)


SENTENCE_RULES: dict[Rule, SentenceRule] = {
    "length": length,
    "one_question": one_question,
    "no_verdict": no_verdict,
    "no_push": no_push,
    "no_outside_fact": no_outside_fact,
    "no_false_strictness": no_false_strictness,
    "honest_quotes": honest_quotes,
    "no_formatting": no_formatting,
    "no_repetition": no_repetition,
    "no_personal_data": no_personal_data,
    "language": language,
    "no_early_hand_over": no_early_hand_over,
    "ask_for_reason": ask_for_reason,
}

TURN_RULES: dict[Rule, TurnRule] = {"one_question": ends_with_a_question, "own_label_only": own_label_only}
