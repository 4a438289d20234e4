"""Building blocks of the languages' tables."""

import re
from re import Pattern


def any_of(*patterns: str) -> Pattern[str]:
    """A pattern that finds any of `patterns`, whatever their case; whole words, where words have ends."""
    return re.compile("|".join(rf"(?<!\w)(?:{pattern})(?!\w)" for pattern in patterns), re.IGNORECASE)


def pieces(*patterns: str) -> Pattern[str]:
    """A pattern that finds any of `patterns` anywhere: for languages written without spaces."""
    return re.compile("|".join(patterns), re.IGNORECASE)


def words(text: str) -> frozenset[str]:
    """A set of words, written with spaces between."""
    return frozenset(text.split())
