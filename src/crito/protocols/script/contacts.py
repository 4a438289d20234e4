"""Whether a message tells how to reach someone: an e-mail address or a telephone number, in any language."""

import re
import unicodedata

from crito.protocols.guard.talk import Talk

_EMAIL = re.compile(r"[\w.+%-]+@[\w-]+(?:\.[\w-]+)+")
_TELEPHONE = re.compile(r"(?<![A-Za-z0-9.,/-])\+?\(?\d(?:[ ()./-]{0,2}\d){6,14}(?![A-Za-z0-9%]|[.,/-]\d)")
_DATES = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}|(?<!\d)(?:1\d|20)\d\d(?:[ ,/-]{1,3}(?:1\d|20)\d\d)+(?!\d)"
)


def holds_contact(message: str, talk: Talk) -> bool:
    """Whether the person wrote down an address or a number to reach someone that the item does not show anyway."""
    plain = unicodedata.normalize("NFKC", message)
    found = (*_EMAIL.findall(plain), *_TELEPHONE.findall(_DATES.sub(" ", plain)))
    shown = [re.sub(r"\W", "", text) for text in talk.of_item]
    return any(not any(re.sub(r"\W", "", one.casefold()) in text for text in shown) for one in found)
