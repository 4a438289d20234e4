"""Tokens by which programs come in: each with a name, what it may do, and an end."""

import secrets
from collections.abc import Sequence
from datetime import timedelta

from crito.model.access import READING, SCOPES, ApiToken, Scope
from crito.model.errors import InvalidInput
from crito.model.ids import AccountId, StudyName
from crito.services.access import token_hash
from crito.services.accounts import COMMAND_LINE, named
from crito.services.parts import Parts

DAYS, MOST_DAYS = 90, 365
PREFIX = "crito_"
"""What every token begins with, so that programs which look for secrets in files find one."""


def scopes_named(names: Sequence[str]) -> tuple[Scope, ...]:
    """
    Raises:
        InvalidInput: none is named, or one that there is not.
    """
    unknown = [name for name in names if name not in SCOPES]
    if unknown or not names:
        raise InvalidInput(
            "there is no such scope" if unknown else "a token without a scope may do nothing",
            came=unknown[0] if unknown else None,
            wanted=f"some of {', '.join(SCOPES)}",
            key="scopes",
        )
    return tuple(scope for scope in SCOPES if scope in names)


async def make_api_token(
    parts: Parts,
    study: StudyName,
    name: str = "a program",
    scopes: Sequence[str] = READING,
    days: int = DAYS,
    by: AccountId = COMMAND_LINE,
) -> str:
    """A token for the API; it is shown once and cannot be read back.

    Raises:
        InvalidInput: there is no such scope or no name, or it would be good for less than a day or more than a year.
    """
    if not 1 <= days <= MOST_DAYS:
        raise InvalidInput("a token is good for a time", came=days, wanted=f"1 to {MOST_DAYS} days", key="days")
    allowed, called, now = scopes_named(scopes), named(name), parts.now()
    text = f"{PREFIX}{secrets.token_urlsafe(32)}"
    token = ApiToken(f"t-{secrets.token_hex(6)}", study, called, allowed, now, by, now + timedelta(days=days))
    await parts.store.write(lambda tx: tx.add_api_token(token, token_hash(text)))
    return text


async def token_of(parts: Parts, text: str) -> ApiToken | None:
    """The token of this text, while it is good."""
    return await parts.store.read(lambda tx: tx.api_token(token_hash(text), parts.now()))


async def api_tokens(parts: Parts, study: StudyName) -> Sequence[ApiToken]:
    """Every token that was made for a study, the newest first; the text of none."""
    return await parts.store.read(lambda tx: tx.api_tokens(study))


async def revoke_api_token(parts: Parts, study: StudyName, token: str) -> bool:
    """Spoil a token; the next call with it is refused."""
    return await parts.store.write(lambda tx: tx.revoke_api_token(study, token, parts.now()))
