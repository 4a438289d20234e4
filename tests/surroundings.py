"""What happens to a test whose surroundings are missing: on a desk it is skipped with the reason, in CI it fails."""

import os
from typing import NoReturn

import pytest


def everything_required() -> bool:
    """Whether this run may not leave anything out."""
    return any(os.environ.get(name, "").lower() in {"1", "true", "yes"} for name in ("CI", "CRITO_REQUIRE_ALL"))


def unavailable(what: str, reason: str) -> NoReturn:
    """End the running test or fixture because `what` cannot be had here."""
    if everything_required():
        pytest.fail(f"{what} is required in this run, but {reason}", pytrace=False)
    pytest.skip(f"{what}: {reason}")
