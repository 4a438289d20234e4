"""What each language's words tell a guard and a script."""

from crito.protocols.wording.en import ENGLISH
from crito.protocols.wording.it import ITALIAN
from crito.protocols.wording.ja import JAPANESE
from crito.protocols.wording.patterns import words
from crito.protocols.wording.table import Wording

WORDINGS = {table.language: table for table in (ENGLISH, ITALIAN, JAPANESE)}

_OTHERS = {
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
"""The commonest words of languages that have no table, to tell them from those that have."""


def wording(language: str) -> Wording:
    """The table of a language tag (`en-GB` reads `en`); English where there is none."""
    return WORDINGS.get(language.split("-")[0].casefold(), ENGLISH)


def foreign_words(language: str) -> tuple[frozenset[str], ...]:
    """The commonest words of every language but this one."""
    tables = {code: table.stop_words for code, table in WORDINGS.items() if table.spaced}
    return tuple(found for code, found in (_OTHERS | tables).items() if code != language)
