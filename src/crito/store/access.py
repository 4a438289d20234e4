"""Who works on studies: accounts, roles, links, sessions, tokens; readings of transcripts; how each study stands."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import and_, bindparam, case, delete, func, literal, or_, select, update

from crito.model.access import (
    AccessLink,
    Account,
    AccountSession,
    ApiToken,
    HostedState,
    Member,
    Membership,
    Reading,
    StateChange,
)
from crito.model.errors import Conflict, NotFound
from crito.model.ids import AccountId, AnnotatorId, AssignmentId, StudyName
from crito.services.ports.access import FailedAttempts
from crito.services.ports.owner import TalkRow
from crito.store.rows import Rows, columns_of, storable, values_of
from crito.store.tables.access import (
    access_links,
    account_sessions,
    accounts,
    api_tokens,
    memberships,
    sign_in_attempts,
    state_changes,
    transcript_readings,
)
from crito.store.tables.people import participants, sessions
from crito.store.tables.places import assignments
from crito.store.tables.record import runs, turns

_NOW = bindparam("right_now", type_=account_sessions.c.until.type)

_ACCOUNT = select(*columns_of(accounts, Account)).where(accounts.c.id == bindparam("account"))
_CALLED = select(*columns_of(accounts, Account)).where(
    or_(accounts.c.name_key == bindparam("key"), accounts.c.email_key == bindparam("key"))
)
_TAKEN = select(literal(1)).where(
    accounts.c.id != bindparam("account"),
    or_(
        accounts.c.name_key == bindparam("key_of_name"),
        accounts.c.email_key == bindparam("key_of_email"),
    ),
)
_CHANGE = (
    update(accounts)
    .where(accounts.c.id == bindparam("of_account"))
    .values({name: bindparam(f"new_{name}") for name in ("name", "name_key", "email", "email_key", "password")})
)

_END_MEMBERSHIP = (
    update(memberships)
    .where(
        memberships.c.study == bindparam("of_study"),
        memberships.c.account == bindparam("of_account"),
        memberships.c.ended_at.is_(None),
    )
    .values(ended_at=_NOW, ended_by=bindparam("new_ended_by"))
)
_MEMBERSHIPS = (
    select(*columns_of(memberships, Membership), accounts.c.name)
    .join(accounts, accounts.c.id == memberships.c.account)
    .where(memberships.c.study == bindparam("study"))
    .order_by(memberships.c.ordinal)
)
_LOCK = (
    select(memberships.c.ordinal)
    .where(memberships.c.study == bindparam("study"))
    .order_by(memberships.c.ordinal)
    .with_for_update()
)
_MEMBERSHIPS_OF = (
    select(*columns_of(memberships, Membership))
    .where(memberships.c.account == bindparam("account"))
    .order_by(memberships.c.ordinal)
)
_STATE = (
    select(state_changes.c.state)
    .where(state_changes.c.study == bindparam("study"))
    .order_by(state_changes.c.ordinal.desc())
    .limit(1)
)
_GOOD_SESSION = and_(account_sessions.c.until > _NOW, account_sessions.c.ended_at.is_(None))
_MEMBER = (
    select(
        memberships.c.study,
        memberships.c.account,
        accounts.c.name,
        memberships.c.role,
        memberships.c.annotator,
        func.coalesce(_STATE.scalar_subquery(), "open"),
    )
    .select_from(
        account_sessions.join(accounts, accounts.c.id == account_sessions.c.account).join(
            memberships, memberships.c.account == accounts.c.id
        )
    )
    .where(
        account_sessions.c.token_hash == bindparam("token_hash"),
        _GOOD_SESSION,
        or_(account_sessions.c.study == "", account_sessions.c.study == bindparam("study")),
        memberships.c.study == bindparam("study"),
        memberships.c.ended_at.is_(None),
    )
)

_LINK = select(*columns_of(access_links, AccessLink)).where(access_links.c.token_hash == bindparam("token_hash"))
_USABLE = and_(access_links.c.until > _NOW, access_links.c.spent_at.is_(None), access_links.c.revoked_at.is_(None))
_SPEND = update(access_links).where(access_links.c.id == bindparam("of_link"), _USABLE).values(spent_at=_NOW)
_REVOKE_LINK = (
    update(access_links)
    .where(access_links.c.id == bindparam("of_link"), access_links.c.study == bindparam("of_study"), _USABLE)
    .values(revoked_at=_NOW)
)
_REVOKE_LINKS_TO = (
    update(access_links)
    .where(access_links.c.study == bindparam("of_study"), access_links.c.account == bindparam("of_account"), _USABLE)
    .values(revoked_at=_NOW)
)
_OPEN_LINKS = (
    select(*columns_of(access_links, AccessLink))
    .where(access_links.c.study == bindparam("study"), _USABLE)
    .order_by(access_links.c.at, access_links.c.id)
)

_SESSION = select(*columns_of(account_sessions, AccountSession)).where(
    account_sessions.c.token_hash == bindparam("token_hash"), _GOOD_SESSION
)
_SESSIONS_OF = (
    select(*columns_of(account_sessions, AccountSession))
    .where(account_sessions.c.account == bindparam("account"), _GOOD_SESSION)
    .order_by(account_sessions.c.at, account_sessions.c.id)
)
_THEIR_SESSIONS = and_(account_sessions.c.account == bindparam("of_account"), account_sessions.c.ended_at.is_(None))
_END_SESSION = (
    update(account_sessions)
    .where(_THEIR_SESSIONS, account_sessions.c.id == bindparam("of_session"))
    .values(ended_at=_NOW)
)
_END_ALL = (
    update(account_sessions).where(_THEIR_SESSIONS, account_sessions.c.id != bindparam("but")).values(ended_at=_NOW)
)
_END_IN_STUDY = (
    update(account_sessions)
    .where(
        _THEIR_SESSIONS, account_sessions.c.id != bindparam("but"), account_sessions.c.study == bindparam("of_study")
    )
    .values(ended_at=_NOW)
)
_SIGN_OUT = delete(sessions).where(sessions.c.annotator == bindparam("of_person"))

_SINCE = bindparam("since", type_=sign_in_attempts.c.at.type)
_ATTEMPTS_OF_NAME = select(func.count(), func.min(sign_in_attempts.c.at).label("first_at")).where(
    sign_in_attempts.c.who == bindparam("who"), sign_in_attempts.c.at > _SINCE
)
_ATTEMPTS_OF_ADDRESS = select(func.count(), func.min(sign_in_attempts.c.at).label("first_at")).where(
    sign_in_attempts.c.address == bindparam("address"), sign_in_attempts.c.at > _SINCE
)
_FORGET_ATTEMPTS = delete(sign_in_attempts).where(
    or_(
        sign_in_attempts.c.who == bindparam("of_who"),
        sign_in_attempts.c.at < bindparam("before", type_=sign_in_attempts.c.at.type),
    )
)

_TOKEN = select(*columns_of(api_tokens, ApiToken)).where(
    api_tokens.c.token_hash == bindparam("token_hash"), api_tokens.c.until > _NOW, api_tokens.c.revoked_at.is_(None)
)
_TOKENS = (
    select(*columns_of(api_tokens, ApiToken))
    .where(api_tokens.c.study == bindparam("study"))
    .order_by(api_tokens.c.at.desc(), api_tokens.c.id)
)
_REVOKE_TOKEN = (
    update(api_tokens)
    .where(
        api_tokens.c.id == bindparam("of_token"),
        api_tokens.c.study == bindparam("of_study"),
        api_tokens.c.revoked_at.is_(None),
    )
    .values(revoked_at=_NOW)
)

_READINGS = (
    select(transcript_readings.c.ordinal, *columns_of(transcript_readings, Reading))
    .where(
        transcript_readings.c.study == bindparam("study"),
        or_(
            bindparam("before", type_=transcript_readings.c.ordinal.type) == 0,
            transcript_readings.c.ordinal < bindparam("before", type_=transcript_readings.c.ordinal.type),
        ),
    )
    .order_by(transcript_readings.c.ordinal.desc())
    .limit(bindparam("limit"))
)
_COUNT_READINGS = select(func.count()).where(transcript_readings.c.study == bindparam("study"))

_SENT = (
    select(func.sum(case((turns.c.kind == "person", 1), else_=0)))
    .where(turns.c.run == runs.c.id)
    .correlate(runs)
    .scalar_subquery()
)
_TALKS = (
    select(
        runs.c.assignment,
        assignments.c.annotator,
        assignments.c.task,
        assignments.c.item,
        assignments.c.item_hash,
        assignments.c.condition,
        runs.c.id.label("run"),
        func.coalesce(_SENT, 0),
    )
    .select_from(
        runs.join(assignments, assignments.c.id == runs.c.assignment).join(
            participants, participants.c.id == assignments.c.annotator
        )
    )
    .where(
        runs.c.study == bindparam("study"), or_(participants.c.ending.is_(None), participants.c.ending != "withdrawn")
    )
)
_PAGE_OF_TALKS = (
    _TALKS.where(runs.c.assignment > bindparam("after", type_=runs.c.assignment.type))
    .order_by(runs.c.assignment)
    .limit(bindparam("limit"))
)
_TALK = _TALKS.where(runs.c.assignment == bindparam("assignment"))
_COUNT_TALKS = (
    select(func.count())
    .select_from(
        runs.join(assignments, assignments.c.id == runs.c.assignment).join(
            participants, participants.c.id == assignments.c.annotator
        )
    )
    .where(
        runs.c.study == bindparam("study"), or_(participants.c.ending.is_(None), participants.c.ending != "withdrawn")
    )
)

_STATE_CHANGES = (
    select(*columns_of(state_changes, StateChange))
    .where(state_changes.c.study == bindparam("study"))
    .order_by(state_changes.c.ordinal)
)


def _key(text: str) -> str:
    return " ".join(storable(text).split()).casefold()


def _keys(account: Account) -> dict[str, str | None]:
    return {"name_key": _key(account.name), "email_key": _key(account.email) or None}


def _api_token(*cells: Any) -> ApiToken:
    token = ApiToken(*cells)
    return ApiToken(token.id, token.study, token.name, tuple(str(cells[3]).split()), *cells[4:])  # type: ignore[arg-type]


class AccessRows(Rows):
    """What `Tx` says about access."""

    def add_account(self, account: Account) -> None:
        self._add(accounts, values_of(account, **_keys(account)))

    def account(self, account: AccountId) -> Account:
        for found in self._each(Account, _ACCOUNT, {"account": account}):
            return found
        raise NotFound(f"there is no account {account!r}")

    def account_called(self, called: str) -> Account | None:
        return next(iter(self._each(Account, _CALLED, {"key": _key(called)})), None)

    def change_account(self, account: Account) -> None:
        keys = _keys(account)
        taken = {"account": account.id, "key_of_name": keys["name_key"], "key_of_email": keys["email_key"]}
        if self._first(_TAKEN, taken) is not None:
            raise Conflict("another account has this name or e-mail")
        new = {
            "new_name": account.name,
            "new_email": account.email,
            "new_password": account.password,
            "new_name_key": keys["name_key"],
            "new_email_key": keys["email_key"],
        }
        self._run(_CHANGE, {"of_account": account.id, **new})

    def add_membership(self, membership: Membership) -> None:
        self._add(memberships, values_of(membership))

    def end_membership(self, study: StudyName, account: AccountId, at: datetime, by: AccountId) -> bool:
        values = {"of_study": study, "of_account": account, "right_now": at, "new_ended_by": by}
        return self._run(_END_MEMBERSHIP, values) == 1

    def memberships(self, study: StudyName) -> Sequence[tuple[Membership, str]]:
        return [(Membership(*row[:-1]), row[-1]) for row in self._rows(_MEMBERSHIPS, {"study": study})]

    def memberships_of(self, account: AccountId) -> Sequence[Membership]:
        return self._each(Membership, _MEMBERSHIPS_OF, {"account": account})

    def lock_membership(self, study: StudyName) -> None:
        self._rows(_LOCK, {"study": study})

    def member(self, study: StudyName, token_hash: str, now: datetime) -> Member | None:
        found = self._each(Member, _MEMBER, {"study": study, "token_hash": token_hash, "right_now": now})
        return found[0] if found else None

    def add_access_link(self, link: AccessLink, token_hash: str) -> None:
        self._add(access_links, values_of(link, token_hash=token_hash))

    def access_link(self, token_hash: str) -> AccessLink | None:
        return next(iter(self._each(AccessLink, _LINK, {"token_hash": token_hash})), None)

    def spend_access_link(self, link: str, now: datetime) -> bool:
        return self._run(_SPEND, {"of_link": link, "right_now": now}) == 1

    def revoke_access_link(self, study: StudyName, link: str, now: datetime) -> bool:
        return self._run(_REVOKE_LINK, {"of_study": study, "of_link": link, "right_now": now}) == 1

    def open_access_links(self, study: StudyName, now: datetime) -> Sequence[AccessLink]:
        return self._each(AccessLink, _OPEN_LINKS, {"study": study, "right_now": now})

    def revoke_links_to(self, study: StudyName, account: AccountId, now: datetime) -> None:
        self._run(_REVOKE_LINKS_TO, {"of_study": study, "of_account": account, "right_now": now})

    def add_account_session(self, session: AccountSession, token_hash: str) -> None:
        self._add(account_sessions, values_of(session, token_hash=token_hash))

    def account_session(self, token_hash: str, now: datetime) -> AccountSession | None:
        found = self._each(AccountSession, _SESSION, {"token_hash": token_hash, "right_now": now})
        return found[0] if found else None

    def account_sessions(self, account: AccountId, now: datetime) -> Sequence[AccountSession]:
        return self._each(AccountSession, _SESSIONS_OF, {"account": account, "right_now": now})

    def end_account_session(self, account: AccountId, session: str, now: datetime) -> bool:
        return self._run(_END_SESSION, {"of_account": account, "of_session": session, "right_now": now}) == 1

    def end_account_sessions(self, account: AccountId, now: datetime, *, study: StudyName | None, but: str) -> int:
        values = {"of_account": account, "right_now": now, "but": but}
        if study is None:
            return self._run(_END_ALL, values)
        return self._run(_END_IN_STUDY, {**values, "of_study": study})

    def end_sessions(self, annotator: AnnotatorId) -> int:
        return self._run(_SIGN_OUT, {"of_person": annotator})

    def add_failed_attempt(self, who: str, address: str, at: datetime) -> None:
        self._add(sign_in_attempts, {"who": who, "address": address, "at": at})

    def failed_attempts(self, who: str, address: str, since: datetime) -> FailedAttempts:
        n_of_name, first = self._first(_ATTEMPTS_OF_NAME, {"who": who, "since": since})
        n_of_address, first_there = self._first(_ATTEMPTS_OF_ADDRESS, {"address": address, "since": since})
        moments = [moment for moment in (first, first_there) if moment is not None]
        return FailedAttempts(n_of_name, n_of_address, min(moments, default=None))

    def forget_failed_attempts(self, who: str, before: datetime) -> None:
        self._run(_FORGET_ATTEMPTS, {"of_who": who, "before": before})

    def add_api_token(self, token: ApiToken, token_hash: str) -> None:
        self._add(api_tokens, values_of(token, token_hash=token_hash, scopes=" ".join(token.scopes)))

    def api_token(self, token_hash: str, now: datetime) -> ApiToken | None:
        return next(iter(self._each(_api_token, _TOKEN, {"token_hash": token_hash, "right_now": now})), None)

    def api_tokens(self, study: StudyName) -> Sequence[ApiToken]:
        return self._each(_api_token, _TOKENS, {"study": study})

    def revoke_api_token(self, study: StudyName, token: str, now: datetime) -> bool:
        return self._run(_REVOKE_TOKEN, {"of_study": study, "of_token": token, "right_now": now}) == 1

    def add_readings(self, readings: Sequence[Reading]) -> None:
        self._add(transcript_readings, *(values_of(reading) for reading in readings))

    def readings(self, study: StudyName, *, before: int = 0, limit: int = 50) -> Sequence[tuple[int, Reading]]:
        rows = self._rows(_READINGS, {"study": study, "before": before, "limit": limit})
        return [(row[0], Reading(*row[1:])) for row in rows]

    def count_readings(self, study: StudyName) -> int:
        counted: int = self._first(_COUNT_READINGS, {"study": study})[0]
        return counted

    def talks(self, study: StudyName, *, after: str = "", limit: int = 50) -> Sequence[TalkRow]:
        return self._each(TalkRow, _PAGE_OF_TALKS, {"study": study, "after": after, "limit": limit})

    def talk(self, study: StudyName, assignment: AssignmentId) -> TalkRow | None:
        return next(iter(self._each(TalkRow, _TALK, {"study": study, "assignment": assignment})), None)

    def count_talks(self, study: StudyName) -> int:
        counted: int = self._first(_COUNT_TALKS, {"study": study})[0]
        return counted

    def add_state_change(self, change: StateChange) -> None:
        self._add(state_changes, values_of(change))

    def state_changes(self, study: StudyName) -> Sequence[StateChange]:
        return self._each(StateChange, _STATE_CHANGES, {"study": study})

    def state(self, study: StudyName) -> HostedState:
        row = self._first(_STATE, {"study": study})
        state: HostedState = row.state if row else "open"
        return state
