"""Who may do what: opaque tokens, kept as hashes only, for people who take part, for owners and for programs."""

import hashlib
import secrets
from datetime import timedelta

from crito.model.ids import AnnotatorId, StudyName
from crito.services.parts import Parts
from crito.services.ports import Tx

SESSION_DAYS = 30
LINK_HOURS = 48
OWNER_DAYS = 14
EXPERT_DAYS = 365
API_DAYS = 365


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


async def sign_in(parts: Parts, annotator: AnnotatorId) -> str:
    """A new token that stands for this person; also good as the personal link of someone who came without a platform."""
    token, until = secrets.token_urlsafe(24), parts.now() + timedelta(days=SESSION_DAYS)
    await parts.store.write(lambda tx: tx.add_session(_hash(token), annotator, until))
    return token


async def make_personal_link(parts: Parts, annotator: AnnotatorId) -> str:
    """The token of an expert's own link; it signs in as often as they like."""
    token, until = secrets.token_urlsafe(24), parts.now() + timedelta(days=EXPERT_DAYS)
    await parts.store.write(lambda tx: tx.add_session(_hash(token), annotator, until))
    return token


async def signed_in(parts: Parts, study: StudyName, token: str) -> AnnotatorId | None:
    """Whom the token stands for in this study."""
    return await parts.store.read(lambda tx: tx.session(study, _hash(token), parts.now()))


async def make_owner_link(parts: Parts, study: StudyName) -> str:
    """A token that opens the owner's page once."""
    token, until = secrets.token_urlsafe(24), parts.now() + timedelta(hours=LINK_HOURS)
    await parts.store.write(lambda tx: tx.add_owner_token(study, _hash(token), "link", until))
    return token


async def open_owner_link(parts: Parts, study: StudyName, token: str) -> str | None:
    """Spend the link; the token of an owner's session, or None when the link is unknown, old or spent."""
    session, now = secrets.token_urlsafe(24), parts.now()
    until = now + timedelta(days=OWNER_DAYS)

    def work(tx: Tx) -> str | None:
        if not tx.spend_owner_link(study, _hash(token), now):
            return None
        tx.add_owner_token(study, _hash(session), "session", until)
        return session

    return await parts.store.write(work)


async def is_owner(parts: Parts, study: StudyName, token: str) -> bool:
    return await parts.store.read(lambda tx: tx.owner_token(study, _hash(token), "session", parts.now()))


async def make_api_token(parts: Parts, study: StudyName) -> str:
    """A token that may read this study by the API; it is shown once and cannot be read back."""
    token, until = f"crito_{secrets.token_urlsafe(32)}", parts.now() + timedelta(days=API_DAYS)
    await parts.store.write(lambda tx: tx.add_owner_token(study, _hash(token), "api", until))
    return token


async def may_read_api(parts: Parts, study: StudyName, token: str) -> bool:
    return await parts.store.read(lambda tx: tx.owner_token(study, _hash(token), "api", parts.now()))


async def forget_identities(parts: Parts, study: StudyName) -> int:
    """Delete the table that says who the pseudonyms are; returns how many people it knew.

    Nothing else changes, but nobody who comes by a platform's link again is recognised any more.
    """
    return await parts.store.write(lambda tx: tx.forget_identities(study))
