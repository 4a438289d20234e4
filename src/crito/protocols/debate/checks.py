"""What is wrong with an argument: refused, on the wrong side, said before, broken off. Read from patterns in English words."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from crito.model.debate import Flag, FlagKind, Phase, Side
from crito.protocols.guard.sentences import sentences
from crito.protocols.guard.text import stem
from crito.protocols.wording.patterns import words

_OF_A_DRAFT = re.compile(
    r"\bdescriptions?\b|\b(?:the|this|that|your|its)\s+(?:\S+\s+){0,3}draft\b|\bleaves? out\b|\bomits?\b"
    r"|\b(?:do|does|is|are) not (?:address|provid|mention|relevant|compar)",
    re.IGNORECASE,
)
"""How a text talks that judges a description instead of giving one."""

SHINGLE = 4
"""Words in a row that count as said the same way."""

SAME_AGAIN = 0.45
"""Share of an argument's rows of words that stand in an earlier one of the same agent, from which it is the same again."""

PARROTED = 0.6
"""The same for an argument of the opponent, whose words one may quote."""

FEWEST_WORDS = 5
"""Sentences of fewer words may come twice."""

_WORDS = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_ENDED = re.compile(r"[.!?…。！？][\"'”’»)\]*_]*\s*$")
_LAST_END = re.compile(r"[.!?…。！？][\"'”’»)\]*_]*(?=\s)")
_LANGUAGE = "en"

_REFUSED = re.compile(
    r"^\W*(?:(?:i['’]?m|i am)\s+(?:\w+\s+)?sorry|sorry\b|i apologi[sz]e|unfortunately,? i|as an? (?:ai|artificial|language)\b)?"
    r".{0,60}?\bi(?:['’]?m| am)?\s+"
    r"(?:can['’]?t|cannot|can not|won['’]?t|will not|must decline|decline|refuse|not able|unable)\b(?:\s+to)?\s*(?:\w+\s+){0,3}?"
    r"(?:help|assist|comply|argue|debate|take (?:a |any )?(?:side|position|stance)|participate|engage|provide|do that|"
    r"answer|discuss|continue|express|write|support|to\b|with\b)",
    re.IGNORECASE | re.DOTALL,
)
_MOTION = r"(?:this|the)\s+(?:\w+\s+)?(?:claim|motion|proposal|proposition|subject|resolution|idea)\b"
_VERY = r"(?:(?:\w+ly|do|must|now|also)\s+){0,2}"
_CONCEDES = re.compile(
    rf"\bi\s+{_VERY}(?:agree|concur|side)\s+with\s+(?:agent [ab]|side [ab]|my opponent|the (?:other|opposing|opposite) side)\b"
    r"|\b(?:my opponent|agent [ab]|the (?:other|opposing) side)\s+(?:is|was)\s+(?:\w+ly\s+)?right\b",
    re.IGNORECASE,
)
_GIVES_UP = re.compile(
    rf"\bi\s+(?:{_VERY}|have\s+|['’]ve\s+)*(?:changed?|withdraw|abandon(?:ed)?|give up|reversed?)\s+my\s+"
    rf"(?:mind|position|stance|claim|view|side)\b"
    rf"|\bi\s+no longer\s+(?:support|oppose|argue|believe|hold|defend)\b"
    rf"|\bi\s+(?:was|have been)\s+wrong\s+(?:to|about)\b",
    re.IGNORECASE,
)
_TURNS = re.compile(
    r"\b(?:but|however|yet|still|nevertheless|nonetheless|even so|although|though|while|whereas|do(?:es)? not|do(?:es)?n['’]t)\b",
    re.IGNORECASE,
)
_WRONG_NAME = {
    "A": re.compile(r"\b(?:as|i am|i['’]m)\s+(?:agent|side) b\b", re.IGNORECASE),
    "B": re.compile(r"\b(?:as|i am|i['’]m)\s+(?:agent|side) a\b", re.IGNORECASE),
}
_AGAINST = (
    rf"\bi\s+{_VERY}(?:oppose|reject|argue against|stand against|am against|am opposed to|disagree with)\s+{_MOTION}"
)
_FOR = rf"\bi\s+{_VERY}(?:support|endorse|argue for|argue in favou?r of|stand for|am for|am in favou?r of|agree with)\s+{_MOTION}"
_WRONG_SIDE = {"A": re.compile(_AGAINST, re.IGNORECASE), "B": re.compile(_FOR, re.IGNORECASE)}


_STANDS = re.compile(
    r"\b(?:i|we)\s+(?:am|are|stand|argue)?\s*(?:(?P<for>in favou?r of|support)|oppose|against|opposed to)\s+(?P<what>[^.!?;]{3,120})",
    re.IGNORECASE,
)
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
    return _REFUSED.match(text.strip()) is not None


def changed_stance(text: str, side: Side, subject: str = "") -> str:
    """How a text leaves its side, in words; empty where it does not.

    Granting a point and turning against it is arguing; granting it and leaving it there is not.
    """
    if match := _WRONG_NAME[side].search(text) or _GIVES_UP.search(text) or _WRONG_SIDE[side].search(text):
        return f"it says {match[0]!r}"
    for match in _STANDS.finditer(text):
        stands: Side = "A" if match["for"] else "B"
        wanted = _stems(subject)
        if stands != side and wanted and len(_stems(match["what"]) & wanted) / len(wanted) >= NAMES_THE_SUBJECT:
            return f"it says {match[0]!r}"
    said = sentences(text, _LANGUAGE)
    for place, sentence in enumerate(said):
        granted = _CONCEDES.search(sentence)
        around = " ".join(said[place : place + 2])
        if granted and not _TURNS.search(around):
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
        for sentence in sentences(line, _LANGUAGE):
            said = [word.casefold() for word in _WORDS.findall(sentence)]
            key = " ".join(said)
            if len(said) >= FEWEST_WORDS and seen[key]:
                repeated = True
                continue
            seen[key] += 1
            fresh.append(sentence)
        kept.append(" ".join(fresh))
    return ("\n".join(kept).strip(), True) if repeated else (text, False)


def overlap(text: str, earlier: str) -> float:
    """Share of the rows of words of `text` that stand in `earlier`, in [0, 1]; 0 for a text too short to compare."""
    said, before = _rows(text), _rows(earlier)
    return len(said & before) / len(said) if len(said) >= SHINGLE else 0.0


def alike(title: str, other: str, subject: str = "") -> bool:
    """Whether two titles share most of the words that they do not have from the subject."""
    left, right = own_words(title, subject), own_words(other, subject)
    return bool(left | right) and len(left & right) / len(left | right) >= 0.75


def own_words(title: str, subject: str) -> frozenset[str]:
    """The words that matter in a title and not in the subject: what makes it a topic of its own."""
    return _content(title) - _content(subject)


def about_the_draft(text: str) -> bool:
    """Whether a text talks of a draft instead of being one."""
    return _OF_A_DRAFT.search(text) is not None


def stems_from(title: str, others: Iterable[str]) -> bool:
    """Whether a title shares a word that matters with any of the others."""
    wanted = _content(title)
    return any(wanted & _content(other) for other in others)


def _rows(text: str) -> frozenset[tuple[str, ...]]:
    said = [word.casefold() for word in _WORDS.findall(text)]
    return frozenset(tuple(said[place : place + SHINGLE]) for place in range(len(said) - SHINGLE + 1))


_PLAIN = words(
    "a an the of and or vs versus for in on to with by is are be should it its why what when how who where which do does "
    "happens happen there that this they their"
)


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word.casefold()) for word in _WORDS.findall(text) if word.casefold() not in _PLAIN)


def _content(title: str) -> frozenset[str]:
    return frozenset(word.casefold()[:6] for word in _WORDS.findall(title) if word.casefold() not in _PLAIN)
