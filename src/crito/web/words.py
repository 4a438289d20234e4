"""The words of the pages: one catalogue per language, and which language a visitor gets."""

from collections.abc import Sequence
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files

from babel import Locale, UnknownLocaleError

from crito.model.ids import Language

DOMAIN = "messages"

OURS = (Language("en"), Language("it"), Language("ja"))
"""The languages that the pages themselves speak, whatever those of a study."""


def catalogue(language: Language) -> NullTranslations:
    """The translations into `language`; the words of the templates themselves where there are none."""
    folder = files("crito.web") / "translations"
    for tag in (language.replace("-", "_"), language.partition("-")[0]):
        compiled = folder / tag / "LC_MESSAGES" / f"{DOMAIN}.mo"
        if compiled.is_file():
            with compiled.open("rb") as lines:
                return GNUTranslations(lines)
    return NullTranslations()


def ours(language: Language) -> Language:
    """The language of our own words on a page whose study speaks `language`: the same if we have it, else English."""
    return language if language.partition("-")[0] in OURS else OURS[0]


def negotiated(offered: Sequence[Language], asked: str, accepted: str) -> Language:
    """The language to speak: the one asked for, else the visitor's first one that is offered, else the first offered.

    Args:
        offered: the languages of the study, the main one first.
        asked: a tag from the address, or empty.
        accepted: an `Accept-Language` header, or empty.
    """
    for wanted in [asked, *_by_preference(accepted)]:
        for tag in offered:
            if wanted and (tag.lower() == wanted.lower() or tag.lower() == wanted.lower().partition("-")[0]):
                return tag
    return offered[0] if offered else Language("en")


def _by_preference(accepted: str) -> list[str]:
    weighed: list[tuple[float, str]] = []
    for part in accepted[:1000].split(","):
        tag, _, rest = part.strip().partition(";")
        weight = rest.strip().removeprefix("q=")
        try:
            weighed.append((-float(weight) if weight else -1.0, tag))
        except ValueError:
            continue
    return [tag for _, tag in sorted(weighed, key=lambda pair: pair[0])]


def direction(language: Language) -> str:
    """`rtl` for languages written from right to left, else `ltr`."""
    return babel_locale(language).text_direction


def own_name(language: Language) -> str:
    """What the language calls itself, for a list to choose from."""
    return babel_locale(language).get_display_name() or language


def babel_locale(language: Language) -> Locale:
    """How the language writes numbers, times and lines; English where nothing is known about it."""
    try:
        return Locale.parse(language, sep="-")
    except (UnknownLocaleError, ValueError):
        return Locale("en")
