"""What the scripted partner can say, in each language."""

from crito.protocols.script.bank.en import ENGLISH
from crito.protocols.script.bank.it import ITALIAN
from crito.protocols.script.bank.ja import JAPANESE
from crito.protocols.script.bank.table import Bank, Move, Route

BANKS = {"en": ENGLISH, "it": ITALIAN, "ja": JAPANESE}

__all__ = ["BANKS", "Bank", "Move", "Route", "bank"]


def bank(language: str) -> Bank:
    """The bank of a language tag; English where there is none."""
    return BANKS.get(language.split("-")[0].casefold(), ENGLISH)
