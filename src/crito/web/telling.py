"""What the parts below say in words, in the language of a page."""

from collections.abc import Callable
from gettext import NullTranslations

from babel import Locale
from babel.numbers import format_decimal

from crito.model.errors import CritoError, InvalidInput
from crito.model.phrase import Phrase, Value

DIGITS = "#,##0.####"

Telling = Callable[[str | CritoError], str]


def telling(translations: NullTranslations, locale: Locale) -> Telling:
    """How phrases and errors are told in one language; words that are no phrase stay as they are."""

    def filled(value: Value) -> str:
        if isinstance(value, str):
            return told(value)
        return format_decimal(value, format=DIGITS, locale=locale)

    def told(about: str | CritoError) -> str:
        if isinstance(about, CritoError):
            return _failure(about, told)
        if not isinstance(about, Phrase):
            return about
        values = {name: filled(value) for name, value in about.values.items()}
        if about.plural:
            number = about.values["num"]
            assert isinstance(number, int), "what is counted is a whole number"
            return translations.ngettext(about.pattern, about.plural, number) % values
        return translations.gettext(about.pattern) % values

    return told


def _failure(error: CritoError, told: Telling) -> str:
    """What went wrong; of input that cannot be used also where, what came and what would do."""
    if not isinstance(error, InvalidInput):
        return told(error.args[0]) if error.args else ""
    place = error.file + (f":{error.line}" if error.line else "")
    came = "" if error.came is None else f" ({error.came})"
    said = f"{place}: {told(error.problem)}{came}" if place else f"{told(error.problem)}{came}"
    return f"{said}; {told(error.wanted)}" if error.wanted else said
