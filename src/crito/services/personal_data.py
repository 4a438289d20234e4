"""Personal data in people's words: found by patterns, and taken out.

Names of people and places are not found: no pattern tells a name in a talk about items from a name in an item.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Literal, get_args

from crito.model.ids import Language

FoundKind = Literal["email", "phone", "web_address", "platform_id", "account", "ip_address", "iban", "card_number"]
FOUND_KINDS: tuple[FoundKind, ...] = get_args(FoundKind)

REGIONS = {"en": ("US", "GB"), "it": ("IT",), "ja": ("JP",), "de": ("DE",), "fr": ("FR",), "es": ("ES",)}
"""Where a number without a country code may be from, by language."""

MAIL = r"[\w.+%-]+@[\w-]+(?:\.[\w-]+)+"
SPELT_OUT_MAIL = r"[\w.+-]+\s*(?:\(at\)|\[at\])\s*[\w-]+\s*(?:\.|\(dot\)|\[dot\])\s*[a-z]{2,}"

PATTERNS: tuple[tuple[FoundKind, re.Pattern[str]], ...] = (
    ("email", re.compile(f"{MAIL}|{SPELT_OUT_MAIL}", re.I)),
    ("web_address", re.compile(r"(?:https?://|www\.)[^\s<>\"']+[^\s<>\"'.,;:!?)\]]", re.I)),
    # Prolific: 24 hexadecimal digits; MTurk: an A and 12 to 13 capitals and digits
    ("platform_id", re.compile(r"\b[0-9a-f]{24}\b|\bA(?=[A-Z0-9]*\d)[A-Z0-9]{12,13}\b")),
    ("account", re.compile(r"(?<![\w@])@[A-Za-z_]\w{2,}")),
    ("ip_address", re.compile(r"\b(?:\d{1,3}\.){3}\d{1,3}\b|\b(?:[0-9a-f]{1,4}:){3,7}[0-9a-f]{1,4}\b", re.I)),
    ("iban", re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b")),
    ("card_number", re.compile(r"\b(?:\d[ -]?){12,18}\d\b")),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Found:
    """A stretch of a text that looks like personal data: `text[start:end]`."""

    kind: FoundKind
    start: int
    end: int


class PersonalData:
    """Looks for personal data in texts of a study.

    `known_ids` are ids of the study's people at their platform, whatever they look like.
    """

    def __init__(self, languages: Sequence[Language], known_ids: Iterable[str] = ()) -> None:
        regions = [region for language in languages for region in REGIONS.get(language.split("-")[0], ())]
        self._regions = tuple(dict.fromkeys([*regions, *REGIONS["en"]]))
        known = sorted({known for known in known_ids if len(known) >= 4}, key=len, reverse=True)
        self._known = re.compile("|".join(map(re.escape, known))) if known else None

    def find(self, text: str) -> tuple[Found, ...]:
        """What looks like personal data, in its order; where two overlap the longer one stands."""
        found = sorted(self._all(text), key=lambda one: (one.start - one.end, one.start))
        kept: list[Found] = []
        for one in found:
            if all(one.end <= other.start or one.start >= other.end for other in kept):
                kept.append(one)
        return tuple(sorted(kept, key=lambda one: one.start))

    def redact(self, text: str) -> tuple[str, tuple[Found, ...]]:
        """The text with `[email]` and the like in the place of what was found."""
        found = self.find(text)
        for one in reversed(found):
            text = f"{text[: one.start]}[{one.kind.replace('_', ' ')}]{text[one.end :]}"
        return text, found

    def _all(self, text: str) -> Iterator[Found]:
        for kind, pattern in PATTERNS:
            for match in pattern.finditer(text):
                if _is_real(kind, match.group()):
                    yield Found(kind, *match.span())
        if self._known:
            yield from (Found("platform_id", *match.span()) for match in self._known.finditer(text))
        yield from self._phones(text)

    def _phones(self, text: str) -> Iterator[Found]:
        if sum(character.isdigit() for character in text) < 6:
            return
        # phonenumbers takes a tenth of a second to import, and most texts hold no digits
        from phonenumbers import Leniency, PhoneNumberMatcher

        for region in self._regions:
            for match in PhoneNumberMatcher(text, region, leniency=Leniency.VALID):
                yield Found("phone", match.start, match.end)


def _is_real(kind: FoundKind, text: str) -> bool:
    """Whether what looks like it is one, where that can be told: check digits, ranges."""
    # only release needs these
    from stdnum import iban, luhn

    if kind == "ip_address":
        try:
            ip_address(text)
        except ValueError:
            return False
    if kind == "iban":
        return bool(iban.is_valid(text))
    if kind == "card_number":
        return bool(luhn.is_valid(re.sub(r"\D", "", text)))
    return True
