"""What each language's words tell a guard and a script."""

from functools import cache

from crito.protocols.wording.en import STOP_WORDS as ENGLISH
from crito.protocols.wording.en import english
from crito.protocols.wording.it import STOP_WORDS as ITALIAN
from crito.protocols.wording.it import italian
from crito.protocols.wording.ja import japanese
from crito.protocols.wording.other import unknown
from crito.protocols.wording.patterns import words
from crito.protocols.wording.table import Wording

WORDINGS = {"en": english, "it": italian, "ja": japanese}

_COMMON = {
    "en": ENGLISH,
    "it": ITALIAN,
    "es": words(
        "el la los las un una de que y en por con para su sus es son está como pero más muy qué usted tu te le lo se no sí"
    ),
    "fr": words(
        "le la les un une des de du que et en pour avec sur est sont pas vous votre ce cette elle qui quoi comme mais plus très"
    ),
    "de": words(
        "der die das ein eine und ist sind nicht sie ihr ihre du dein was wie warum für mit von zu auf aber auch dass den dem"
    ),
    "pt": words(
        "o a os as um uma de que e em por com para seu sua é são está como mas mais muito você não do da no na"
    ),
    "nl": words("de het een en van is zijn niet je jouw u wat hoe waarom voor met op maar ook dat die in te aan"),
}
"""The commonest words of languages that are written with spaces, to tell them apart."""


@cache
def wording(language: str) -> Wording:
    """The table of a language tag (`en-GB` reads `en`); nearly empty where there is none."""
    code = language.split("-")[0].casefold()
    return WORDINGS[code]() if code in WORDINGS else unknown(code)


def foreign_words(language: str) -> tuple[frozenset[str], ...]:
    """The commonest words of every language but this one."""
    return tuple(found for code, found in _COMMON.items() if code != language)
