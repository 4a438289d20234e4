"""Who works on a study: accounts, roles, links, sessions, tokens; and whether it is open."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple, Protocol

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
from crito.model.ids import AccountId, AnnotatorId, StudyName


class FailedAttempts(NamedTuple):
    """Passwords that did not fit in a while: under one name, from one address; when the first of them was."""

    of_name: int
    of_address: int
    first_at: datetime | None


class AccessTx(Protocol):
    """The methods of `Tx` for these."""

    def add_account(self, account: Account) -> None:
        """Keep an account.

        Raises:
            Conflict: its name or e-mail is another account's, in whatever case it is written.
        """

    def account(self, account: AccountId) -> Account:
        """
        Raises:
            NotFound: there is none.
        """

    def account_called(self, called: str) -> Account | None:
        """The account of this name or e-mail, in whatever case it is written."""

    def change_account(self, account: Account) -> None:
        """Put the name, e-mail and password of an account in the place of the former ones.

        Raises:
            Conflict: the name or e-mail is another account's.
        """

    def add_membership(self, membership: Membership) -> None:
        """Give an account a role.

        Raises:
            Conflict: it has one in this study.
        """

    def end_membership(self, study: StudyName, account: AccountId, at: datetime, by: AccountId) -> bool:
        """False when the account has no role in this study."""

    def memberships(self, study: StudyName) -> Sequence[tuple[Membership, str]]:
        """Every role that was ever given in a study, with the account's name, in the order of giving."""

    def memberships_of(self, account: AccountId) -> Sequence[Membership]:
        """Every role that an account ever had, in the order of giving."""

    def lock_membership(self, study: StudyName) -> None:
        """Let no other transaction change who works on a study until this one is over."""

    def member(self, study: StudyName, token_hash: str, now: datetime) -> Member | None:
        """Whom a session's token stands for in a study."""

    def add_access_link(self, link: AccessLink, token_hash: str) -> None: ...
    def access_link(self, token_hash: str) -> AccessLink | None: ...
    def spend_access_link(self, link: str, now: datetime) -> bool:
        """True exactly once for a link that has neither run out nor been revoked."""

    def revoke_access_link(self, study: StudyName, link: str, now: datetime) -> bool:
        """False when there is no such link that could still be used."""

    def open_access_links(self, study: StudyName, now: datetime) -> Sequence[AccessLink]:
        """Those that could still be used, in the order of making."""

    def revoke_links_to(self, study: StudyName, account: AccountId, now: datetime) -> None:
        """Spoil every link that would sign this account in for this study."""

    def add_account_session(self, session: AccountSession, token_hash: str) -> None: ...
    def account_session(self, token_hash: str, now: datetime) -> AccountSession | None:
        """The session of this token, while it is good."""

    def account_sessions(self, account: AccountId, now: datetime) -> Sequence[AccountSession]:
        """Those that are good, in the order of signing in."""

    def end_account_session(self, account: AccountId, session: str, now: datetime) -> bool: ...
    def end_account_sessions(self, account: AccountId, now: datetime, *, study: StudyName | None, but: str) -> int:
        """End the sessions of an account, or those that open `study` alone, except the one named `but`."""

    def end_sessions(self, annotator: AnnotatorId) -> int:
        """Sign a person out everywhere, personal links included; how many sessions that were."""

    def add_failed_attempt(self, who: str, address: str, at: datetime) -> None: ...
    def failed_attempts(self, who: str, address: str, since: datetime) -> FailedAttempts: ...
    def forget_failed_attempts(self, who: str, before: datetime) -> None:
        """Delete those of `who`, and everybody's from before that time."""

    def add_api_token(self, token: ApiToken, token_hash: str) -> None: ...
    def api_token(self, token_hash: str, now: datetime) -> ApiToken | None:
        """The token of this hash, while it is good."""

    def api_tokens(self, study: StudyName) -> Sequence[ApiToken]:
        """Every token that was ever made for a study, the newest first."""

    def revoke_api_token(self, study: StudyName, token: str, now: datetime) -> bool: ...
    def add_readings(self, readings: Sequence[Reading]) -> None: ...
    def readings(self, study: StudyName, *, before: int = 0, limit: int = 50) -> Sequence[tuple[int, Reading]]:
        """With their numbers, the newest first; those numbered below `before`, where it is not 0."""

    def count_readings(self, study: StudyName) -> int: ...
    def add_state_change(self, change: StateChange) -> None: ...
    def state_changes(self, study: StudyName) -> Sequence[StateChange]:
        """In the order in which they were made."""

    def state(self, study: StudyName) -> HostedState: ...
