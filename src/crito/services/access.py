"""What stands for people who take part: opaque tokens, kept as hashes only."""

import hashlib
import secrets
from datetime import timedelta

from crito.model.ids import AnnotatorId, StudyName
from crito.services.parts import Parts

SESSION_DAYS = 30
EXPERT_DAYS = 365


def new_token() -> str:
    """Something that nobody can guess."""
    return secrets.token_urlsafe(24)


def token_hash(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


async def sign_in(parts: Parts, annotator: AnnotatorId) -> str:
    """A new token that stands for this person; also good as the personal link of someone who came without a platform."""
    token, until = new_token(), parts.now() + timedelta(days=SESSION_DAYS)
    await parts.store.write(lambda tx: tx.add_session(token_hash(token), annotator, until))
    return token


async def make_personal_link(parts: Parts, annotator: AnnotatorId) -> str:
    """The token of an expert's own link; it signs in as often as they like."""
    token, until = new_token(), parts.now() + timedelta(days=EXPERT_DAYS)
    await parts.store.write(lambda tx: tx.add_session(token_hash(token), annotator, until))
    return token


async def signed_in(parts: Parts, study: StudyName, token: str) -> AnnotatorId | None:
    """Whom the token stands for in this study."""
    return await parts.store.read(lambda tx: tx.session(study, token_hash(token), parts.now()))


async def forget_identities(parts: Parts, study: StudyName) -> int:
    """Delete the table that says who the pseudonyms are; returns how many people it knew.

    Nothing else changes, but nobody who comes by a platform's link again is recognised any more.
    """
    return await parts.store.write(lambda tx: tx.forget_identities(study))
