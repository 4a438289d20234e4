"""Accounts of people who work on studies: passwords, sessions, and the links that let somebody in once."""

import asyncio
import hashlib
import hmac
import re
import secrets
from dataclasses import replace
from datetime import datetime, timedelta
from typing import NamedTuple

from crito.model.access import AccessLink, Account, AccountSession, Membership, StudyRole
from crito.model.errors import Conflict, Forbidden, InvalidInput, NotFound, RoleRefused, TooMany
from crito.model.ids import AccountId, StudyName
from crito.services.access import new_token, token_hash
from crito.services.parts import Parts
from crito.services.ports.store import Tx
from crito.services.queue import add_expert

SIGNED_IN = timedelta(days=14)
LINK_GOOD_FOR = timedelta(hours=48)
INVITATION_GOOD_FOR = timedelta(days=14)

COMMAND_LINE = AccountId("")
"""Stands for whoever can run commands on the database, who may do everything there is."""
EVERY_STUDY = StudyName("")

MOST_FAILURES_OF_NAME, MOST_FAILURES_OF_ADDRESS = 5, 30
FAILURES_COUNT_FOR = timedelta(minutes=15)
FAILURES_KEPT_FOR = timedelta(days=1)
TRACE = 4
"""So many hexadecimal digits are kept of an address's hash: enough to count by, and shared by too many addresses to tell one."""

SHORTEST_PASSWORD, LONGEST = 10, 200
SCRYPT_N, SCRYPT_R, SCRYPT_P = 2**15, 8, 3
SCRYPT_BYTES = 64 * 1024 * 1024
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")


class SignedIn(NamedTuple):
    """Who is signed in, and by which session."""

    account: Account
    session: AccountSession


class Opened(NamedTuple):
    """What a link offers before it is followed: to be `account` again, or, where that is None, a role in a study."""

    link: AccessLink
    account: Account | None


def _scrypt(password: str, salt: bytes, n: int, r: int, p: int) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, n=n, r=r, p=p, maxmem=SCRYPT_BYTES)


def hash_password(password: str) -> str:
    """What is kept of a password: the name of the way, its costs, a salt and the hash."""
    salt = secrets.token_bytes(16)
    digest = _scrypt(password, salt, SCRYPT_N, SCRYPT_R, SCRYPT_P)
    return f"scrypt${SCRYPT_N}${SCRYPT_R}${SCRYPT_P}${salt.hex()}${digest.hex()}"


def password_fits(password: str, kept: str) -> bool:
    """Whether `kept` came of this password; it takes as long where there is none."""
    if not kept:
        _scrypt(password, b"\0" * 16, SCRYPT_N, SCRYPT_R, SCRYPT_P)
        return False
    _, n, r, p, salt, digest = kept.split("$")
    return hmac.compare_digest(_scrypt(password, bytes.fromhex(salt), int(n), int(r), int(p)), bytes.fromhex(digest))


def named(name: str) -> str:
    """A name as it is kept.

    Raises:
        InvalidInput: it is none.
    """
    clean = " ".join(name.split())
    if not clean or len(clean) > LONGEST or not clean.isprintable() or "@" in clean:
        raise InvalidInput("a name is wanted", came=name or None, wanted="letters, without @", key="name")
    return clean


def _email(email: str) -> str:
    clean = email.strip()
    if clean and (len(clean) > LONGEST or not clean.isprintable() or not _EMAIL.fullmatch(clean)):
        raise InvalidInput("this is no e-mail address", came=email, wanted="leave it empty, or NAME@HOST", key="email")
    return clean


def _password(password: str) -> str:
    if len(password) < SHORTEST_PASSWORD or len(password) > LONGEST:
        raise InvalidInput(
            f"a password has {SHORTEST_PASSWORD} to {LONGEST} characters", came=len(password), key="password"
        )
    return password


async def sign_in(parts: Parts, called: str, password: str, address: str) -> str:
    """The token of a new session, for the account of this name or e-mail.

    An attempt counts as failed until the password has been found to fit, so that many at once are no way around the limit.

    Raises:
        TooMany: too many passwords did not fit lately, under this name or from this address.
        Forbidden: there is no such account, or its password is another.
    """
    now = parts.now()
    who, place = token_hash(" ".join(called.split()).casefold()[:LONGEST]), token_hash(address)[:TRACE]

    def attempt(tx: Tx) -> Account | None:
        tx.forget_failed_attempts("", now - FAILURES_KEPT_FOR)
        failed = tx.failed_attempts(who, place, now - FAILURES_COUNT_FOR)
        if failed.of_name >= MOST_FAILURES_OF_NAME or failed.of_address >= MOST_FAILURES_OF_ADDRESS:
            since = failed.first_at or now
            left = since + FAILURES_COUNT_FOR - now
            raise TooMany("too many passwords did not fit", retry_after_s=max(1, int(left.total_seconds())))
        tx.add_failed_attempt(who, place, now)
        return tx.account_called(called[:LONGEST])

    account = await parts.store.write(attempt)
    kept = account.password if account else ""
    # It takes a tenth of a second on purpose, and nobody else should wait for it.
    if not await asyncio.to_thread(password_fits, password[:LONGEST], kept) or account is None:
        raise Forbidden("no account has this name and password")
    known = account

    def enter(tx: Tx) -> str:
        tx.forget_failed_attempts(who, now - FAILURES_KEPT_FOR)
        return begin_session(tx, known.id, EVERY_STUDY, now)

    return await parts.store.write(enter)


def begin_session(tx: Tx, account: AccountId, study: StudyName, now: datetime) -> str:
    """The token of a new session of `account`, which opens `study` alone, or every one of the account's if it is empty."""
    token = new_token()
    session = AccountSession(_new_id("s"), account, study, now, now + SIGNED_IN)
    tx.add_account_session(session, token_hash(token))
    return token


async def signed_in(parts: Parts, token: str) -> SignedIn | None:
    """Whom a session's token stands for."""

    def work(tx: Tx) -> SignedIn | None:
        session = tx.account_session(token_hash(token), parts.now())
        return SignedIn(tx.account(session.account), session) if session else None

    return await parts.store.read(work)


async def sessions(parts: Parts, account: AccountId) -> list[AccountSession]:
    """Where somebody is signed in."""
    return list(await parts.store.read(lambda tx: tx.account_sessions(account, parts.now())))


async def end_session(parts: Parts, account: AccountId, session: str) -> bool:
    """Sign somebody out in one browser; from the next request on it is a stranger."""
    return await parts.store.write(lambda tx: tx.end_account_session(account, session, parts.now()))


async def change(parts: Parts, who: SignedIn, name: str, email: str, password: str, new_password: str) -> None:
    """Give an account another name, e-mail or password; a new password ends every other session of the account.

    Raises:
        Forbidden: the session opens one study only, or the present password is another.
        InvalidInput: a name, e-mail or password that cannot be one.
        Conflict: another account has the name or e-mail.
    """
    if who.session.study:
        raise Forbidden("a link that an owner made opens one study, not the account")
    changed = replace(who.account, name=named(name), email=_email(email))
    if new_password:
        _password(new_password)
        kept = who.account.password
        if kept and not await asyncio.to_thread(password_fits, password[:LONGEST], kept):
            raise Forbidden("the present password is another")
        changed = replace(changed, password=await asyncio.to_thread(hash_password, new_password))

    def work(tx: Tx) -> None:
        tx.change_account(changed)
        if new_password:
            tx.end_account_sessions(changed.id, parts.now(), study=None, but=who.session.id)

    await parts.store.write(work)


def add_link(
    tx: Tx,
    study: StudyName,
    role: StudyRole,
    now: datetime,
    *,
    name: str = "",
    account: AccountId | None = None,
    by: AccountId = COMMAND_LINE,
) -> tuple[AccessLink, str]:
    """A link that lets somebody in once, and its token."""
    token = new_token()
    until = now + (INVITATION_GOOD_FOR if name and account is None else LINK_GOOD_FOR)
    link = AccessLink(_new_id("l"), study, account, role, name, by == COMMAND_LINE, now, by, until)
    tx.add_access_link(link, token_hash(token))
    return link, token


async def look_at_link(parts: Parts, token: str) -> Opened | None:
    """What a link offers; None when it is unknown, old, used or revoked. Looking uses nothing up."""

    def work(tx: Tx) -> Opened | None:
        link = _usable(tx, token, parts.now())
        return Opened(link, tx.account(link.account) if link.account else None) if link else None

    return await parts.store.read(work)


def _usable(tx: Tx, token: str, now: datetime) -> AccessLink | None:
    link = tx.access_link(token_hash(token))
    good = link and link.spent_at is None and link.revoked_at is None and link.until > now
    return link if good else None


async def follow_link(
    parts: Parts, token: str, *, as_session: str = "", name: str = "", email: str = "", password: str = ""
) -> str:
    """Use a link up; the token of the session that it leads to.

    An invitation gives its role to the account of the session `as_session`, or else to a new account.

    Raises:
        NotFound: the link is unknown, old, used or revoked.
        InvalidInput: a name, e-mail or password that cannot be one.
        Conflict: the name is taken.
        RoleRefused: the account cannot take this role in this study.
    """
    now = parts.now()
    link = await parts.store.read(lambda tx: _usable(tx, token, now))
    if link is None:
        raise _gone()
    newcomer = None
    if link.account is None and not as_session:
        kept = await asyncio.to_thread(hash_password, _password(password)) if password else ""
        newcomer = Account(AccountId(_new_id("u")), named(name), _email(email), kept, now)

    def work(tx: Tx) -> str:
        if not tx.spend_access_link(link.id, now):
            raise _gone()
        if link.account is not None:
            return begin_session(tx, link.account, EVERY_STUDY if link.whole else link.study, now)
        if newcomer is not None:
            tx.add_account(newcomer)
            take_role(parts, tx, link, newcomer, now)
            return begin_session(tx, newcomer.id, EVERY_STUDY, now)
        session = tx.account_session(token_hash(as_session), now)
        if session is None or session.study:
            raise Conflict("nobody is signed in who could take this role")
        take_role(parts, tx, link, tx.account(session.account), now)
        return as_session

    return await parts.store.write(work)


def take_role(parts: Parts, tx: Tx, link: AccessLink, account: Account, now: datetime) -> None:
    """Give `account` the role that a link offers.

    Raises:
        RoleRefused: it has a role in this study, or would label after it could see what others said there.
    """
    before = [one for one in tx.memberships_of(account.id) if one.study == link.study]
    if any(one.ended_at is None for one in before):
        raise RoleRefused(f"{account.name} has a role in this study already; end that one first", "has_role")
    if link.role == "expert" and any(one.role != "expert" for one in before):
        raise RoleRefused(
            f"{account.name} could see what others said in this study, so labels of theirs would not be blind; "
            "an expert needs an account that never was owner or reader here",
            "not_blind",
        )
    # Two accounts may bear one name, one after the other; their labels stay apart.
    annotator = add_expert(parts, tx, link.study, f"{account.name} ({account.id})") if link.role == "expert" else None
    tx.add_membership(Membership(link.study, account.id, link.role, annotator, now, link.by))


async def make_owner_link(parts: Parts, study: StudyName) -> str:
    """A token that opens the owner's page once: how one begins."""
    link_and_token = await parts.store.write(lambda tx: add_link(tx, study, "owner", parts.now()))
    return link_and_token[1]


async def open_owner_link(parts: Parts, study: StudyName, token: str, as_session: str = "") -> str | None:
    """Spend a link of `make_owner_link`; the token of an owner's session, or None when the link is good for nothing.

    Whoever is signed in becomes an owner; somebody else signs in as the first owner, who is made when there is none yet.
    """
    now = parts.now()

    def work(tx: Tx) -> str | None:
        link = _usable(tx, token, now)
        if link is None or link.study != study or link.role != "owner" or link.by or link.account or link.name:
            return None
        tx.spend_access_link(link.id, now)
        session = tx.account_session(token_hash(as_session), now) if as_session else None
        if session and not session.study:
            present = [one for one in tx.memberships_of(session.account) if one.study == study and not one.ended_at]
            if not present:
                take_role(parts, tx, link, tx.account(session.account), now)
            if not present or present[0].role == "owner":
                return as_session
        first = next(
            (one for one, _ in tx.memberships(study) if one.role == "owner" and not (one.by or one.ended_at)), None
        )
        if first is None:
            account = Account(AccountId(_new_id("u")), _free_name(tx, f"Owner of {study}"), "", "", now)
            tx.add_account(account)
            take_role(parts, tx, link, account, now)
            return begin_session(tx, account.id, EVERY_STUDY, now)
        return begin_session(tx, first.account, EVERY_STUDY, now)

    return await parts.store.write(work)


def _free_name(tx: Tx, wanted: str) -> str:
    name, number = wanted, 1
    while tx.account_called(name):
        number += 1
        name = f"{wanted} {number}"
    return name


def _new_id(kind: str) -> str:
    return f"{kind}-{secrets.token_hex(8)}"


def _gone() -> NotFound:
    return NotFound("this link was used, is too old, or was taken back")
