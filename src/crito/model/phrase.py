"""Words of ours that come from below the pages: English wherever they are text, in the reader's language on a page."""

from collections.abc import Callable, Mapping
from typing import Any, Self

Value = str | int | float
"""What may stand in a blank: a count or a number, which a page writes as its language does, or words."""


class Phrase(str):
    """An English sentence, heading or reason that remembers its pattern and what was put into it.

    It is its English text to everyone but a page, which looks the pattern up in its catalogue. A blank is `%(name)s`; a
    percent sign is written twice.

    Attributes:
        pattern: the words with their blanks, as catalogues name them.
        plural: the pattern for any number but one; empty where nothing is counted.
        values: what stands in the blanks; the one of `num` decides about the plural.
    """

    __slots__ = ("pattern", "plural", "values")

    pattern: str
    plural: str
    values: Mapping[str, Value]

    def __new__(cls, pattern: str, plural: str = "", /, **values: Value) -> Self:
        chosen = plural if plural and values["num"] != 1 else pattern
        made = super().__new__(cls, chosen % {name: _english(value) for name, value in values.items()})
        made.pattern, made.plural, made.values = pattern, plural, values
        return made

    @classmethod
    def counted(cls, one: str, many: str, num: int, /, **values: Value) -> Self:
        """Words about `num` things, which stands in the blank of that name."""
        return cls(one, many, num=num, **values)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """What a copy is made from: text alone would be taken for a pattern."""
        return _again, (type(self), self.pattern, self.plural, dict(self.values))


def _again(kind: type[Phrase], pattern: str, plural: str, values: dict[str, Value]) -> Phrase:
    return kind(pattern, plural, **values)


def _english(value: Value) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    return f"{value:,}" if isinstance(value, int) else value
