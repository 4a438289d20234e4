"""What is wrong with an argument: refused, on the wrong side, said before, broken off. Read from patterns in English, Italian and
Japanese words."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from crito.model.debate import Flag, FlagKind, Phase, Side
from crito.protocols.debate.stances import STANCES, StanceWords
from crito.protocols.guard.sentences import sentences
from crito.protocols.guard.text import stem
from crito.protocols.wording.patterns import words

SHINGLE = 4
"""Words in a row that count as said the same way."""

WIDE_SHINGLE = 8
"""The same in characters, where words are not set apart."""

SAME_AGAIN = 0.45
"""Share of an argument's rows of words that stand in an earlier one of the same agent, from which it is the same again."""

PARROTED = 0.6
"""The same for an argument of the opponent, whose words one may quote."""

FEWEST_WORDS = 5
"""Sentences of fewer words may come twice."""

_WORDS = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_ENDED = re.compile(r"[.!?…。！？][\"'”’»)\]*_」』）]*\s*$")
_LAST_END = re.compile(r"[.!?…][\"'”’»)\]*_]*(?=\s)|[。！？][\"'”’»)\]*_」』）]*")
_WIDE = re.compile(r"[\u3041-\u30ff\u3400-\u9fff々ー]+")
_WIDE_CONTENT = re.compile(r"[\u3400-\u9fff々]+|[\u30a1-\u30ffー]+")
_ITALIAN = re.compile(r"\b(?:il|lo|gli|di|del|della|che|è|non|una|con|per|sono|alla|nel|più)\b", re.IGNORECASE)
_ENGLISH = re.compile(r"\b(?:the|of|and|to|is|that|it|with|for|are|not|this)\b", re.IGNORECASE)

NAMES_THE_SUBJECT = 0.6
"""Share of the subject's words from which a thing that somebody is for or against is the subject itself."""

PARROTS = "these are the opponent's words"


class Checked(NamedTuple):
    """An argument as it can be shown, and what is wrong with it."""

    text: str
    flags: tuple[Flag, ...]


def check_argument(
    text: str,
    *,
    speaker: str,
    side: Side,
    phase: Phase,
    own: Sequence[str] = (),
    opposing: Sequence[str] = (),
    subject: str = "",
) -> Checked:
    """Look at one argument in the light of what both sides have said before.

    What it says twice is shown once, and an unfinished sentence at its end is not shown where a whole one stands before it.
    """

    def flag(kind: FlagKind, detail: str) -> Flag:
        return Flag(kind, detail, speaker, phase)

    if not text.strip():
        return Checked("", (flag("missing_topic", "it says nothing"),))
    if refused(text):
        return Checked(text.strip(), (flag("refused", "it does not want to argue"),))
    flags = []
    whole, cut_off = finished(text.strip())
    shown, repeated = once_each(whole)
    if cut_off:
        flags.append(flag("cut_off", "its last sentence is not finished"))
    wrong = changed_stance(shown, side, subject)
    if wrong:
        flags.append(flag("changed_stance", wrong))
    if repeated:
        flags.append(flag("repeated_argument", "it says the same sentence again"))
    elif any(overlap(shown, earlier) >= SAME_AGAIN for earlier in own):
        flags.append(flag("repeated_argument", "the same agent has said this before"))
    elif any(overlap(shown, earlier) >= PARROTED for earlier in opposing):
        flags.append(flag("repeated_argument", PARROTS))
    return Checked(shown, tuple(flags))


def refused(text: str) -> bool:
    """Whether a reply declines to argue instead of arguing."""
    return any(words.refused.match(text.strip()) for words in STANCES)


def changed_stance(text: str, side: Side, subject: str = "") -> str:
    """How a text leaves its side, in words; empty where it does not.

    Granting a point and turning against it is arguing; granting it and leaving it there is not.
    """
    return next((wrong for words in STANCES if (wrong := _leaves(text, side, subject, words))), "")


def _leaves(text: str, side: Side, subject: str, words: StanceWords) -> str:
    """How a text leaves its side in the words of one language."""
    outright = (words.wrong_name[side], words.gives_up, words.wrong_side[side])
    if match := next((found for pattern in outright if (found := pattern.search(text))), None):
        return f"it says {match[0]!r}"
    for match in words.stands.finditer(text):
        stands: Side = "A" if match["for"] else "B"
        wanted = _stems(subject)
        if stands != side and wanted and len(_stems(match["what"]) & wanted) / len(wanted) >= NAMES_THE_SUBJECT:
            return f"it says {match[0].strip()!r}"
    said = sentences(text, words.language)
    for place, sentence in enumerate(said):
        granted = words.concedes.search(sentence)
        around = " ".join(said[place : place + 2])
        if granted and not words.turns.search(around):
            return f"it says {granted[0]!r}"
    return ""


def finished(text: str) -> tuple[str, bool]:
    """A text up to its last whole sentence, and whether anything was cut off; one without a whole sentence stays."""
    if _ENDED.search(text):
        return text, False
    ends = list(_LAST_END.finditer(text))
    return (text[: ends[-1].end()], True) if ends else (text, True)


def once_each(text: str) -> tuple[str, bool]:
    """A text without the sentences that it says again, and whether there were any."""
    seen = Counter[str]()
    kept, repeated = [], False
    for line in text.splitlines():
        fresh = []
        language = language_of(line)
        for sentence in sentences(line, language):
            said = [word.casefold() for word in _WORDS.findall(sentence)]
            key = " ".join(said)
            if _size(sentence) >= FEWEST_WORDS and seen[key]:
                repeated = True
                continue
            seen[key] += 1
            fresh.append(sentence)
        kept.append(("" if language == "ja" else " ").join(fresh))
    return ("\n".join(kept).strip(), True) if repeated else (text, False)


def overlap(text: str, earlier: str) -> float:
    """Share of the rows of words of `text` that stand in `earlier`, in [0, 1]; 0 for a text too short to compare."""
    said, before = _rows(text), _rows(earlier)
    return len(said & before) / len(said) if len(said) >= SHINGLE else 0.0


def language_of(text: str) -> str:
    """The language of those known here that a text seems to be in; English where nothing tells."""
    wide = sum(map(len, _WIDE.findall(text)))
    if 3 * wide > sum(character.isalpha() for character in text):
        return "ja"
    return "it" if len(_ITALIAN.findall(text)) > len(_ENGLISH.findall(text)) else "en"


def alike(title: str, other: str, subject: str = "") -> bool:
    """Whether two titles share most of the words that they do not have from the subject."""
    left, right = own_words(title, subject), own_words(other, subject)
    return bool(left | right) and len(left & right) / len(left | right) >= 0.75


def own_words(title: str, subject: str) -> frozenset[str]:
    """The words that matter in a title and not in the subject: what makes it a topic of its own."""
    return _content(title) - _content(subject)


def about_the_draft(text: str) -> bool:
    """Whether a text talks of a draft instead of being one."""
    return any(words.of_a_draft.search(text) for words in STANCES)


def stems_from(title: str, others: Iterable[str]) -> bool:
    """Whether a title shares a word that matters with any of the others."""
    wanted = _content(title)
    return any(wanted & _content(other) for other in others)


def _rows(text: str) -> frozenset[tuple[str, ...]]:
    """Rows of words, and of characters where words are not set apart."""
    said = [word.casefold() for word in _WORDS.findall(_WIDE.sub(" ", text))]
    rows = {tuple(said[place : place + SHINGLE]) for place in range(len(said) - SHINGLE + 1)}
    for run in _WIDE.findall(text):
        rows |= {(run[place : place + WIDE_SHINGLE],) for place in range(len(run) - WIDE_SHINGLE + 1)}
    return frozenset(rows)


def _size(sentence: str) -> float:
    """How many words a sentence has; two characters count as one where words are not set apart."""
    wide = sum(map(len, _WIDE.findall(sentence)))
    return len(_WORDS.findall(_WIDE.sub(" ", sentence))) + wide / 2


_PLAIN = words(
    "a an the of and or vs versus for in on to with by is are be should it its why what when how who where which do does "
    "happens happen there that this they their "
    "il lo la gli le un uno una di del dello della dei degli delle al allo alla ai agli alle dal dalla dai nel nella nei sul "
    "sulla con tra fra che chi cui ed oppure è sono deve devono dovrebbe dovrebbero si perché quale quali"
)


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in _plain_words(text)) | _wide_content(text)


def _content(title: str) -> frozenset[str]:
    return frozenset(word[:6] for word in _plain_words(title)) | _wide_content(title)


def _plain_words(text: str) -> Iterator[str]:
    """The words of a text that are set apart and matter, in small letters."""
    for word in _WORDS.findall(_WIDE.sub(" ", text)):
        if word.casefold() not in _PLAIN:
            yield word.casefold()


def _wide_content(text: str) -> frozenset[str]:
    """The runs of kanji and of katakana, which carry what a text without spaces is about."""
    return frozenset(_WIDE_CONTENT.findall(text))
