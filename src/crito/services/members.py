"""Who works on a study, in which role: inviting people, letting them in again, ending what they may do."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from crito.model.access import STUDY_ROLES, AccessLink, Member, StudyRole
from crito.model.errors import InvalidInput, NotFound, RoleRefused
from crito.model.ids import AccountId, AnnotatorId, StudyName
from crito.model.record import Participant
from crito.services.access import token_hash
from crito.services.accounts import COMMAND_LINE, add_link, named
from crito.services.parts import Parts
from crito.services.ports.store import Tx


class MemberRow(NamedTuple):
    """One line of the list of people with access; `by` is who gave the role, empty for the command line."""

    account: AccountId
    name: str
    role: StudyRole
    at: datetime
    by: str
    ended_at: datetime | None


class Access(NamedTuple):
    """Everybody who can come in: with accounts, with invitations that are still open, and by personal links of experts."""

    members: Sequence[MemberRow]
    former: Sequence[MemberRow]
    invitations: Sequence[AccessLink]
    linked_experts: Sequence[tuple[Participant, str]]


async def member(parts: Parts, study: StudyName, token: str) -> Member | None:
    """Whom the token of a session stands for in a study, and in which role."""
    return await parts.store.read(lambda tx: tx.member(study, token_hash(token), parts.now()))


def role_named(role: str) -> StudyRole:
    """
    Raises:
        InvalidInput: there is no such role.
    """
    for known in STUDY_ROLES:
        if role == known:
            return known
    raise InvalidInput("there is no such role", came=role, wanted=f"one of {', '.join(STUDY_ROLES)}", key="role")


async def invite(
    parts: Parts, study: StudyName, role: str, name: str, by: AccountId = COMMAND_LINE
) -> tuple[AccessLink, str]:
    """An invitation to work on a study, and the token of its link.

    Raises:
        InvalidInput: there is no such role, or no name.
        NotFound: there is no such study.
        RoleRefused: nobody labels in this study, and an expert is invited.
    """
    offered, called = role_named(role), named(name)
    _, edition = await parts.latest(study)
    if offered == "expert" and not edition.conditions:
        raise RoleRefused("nobody labels in this study: models debate or label in it", "no_labels")
    return await parts.store.write(lambda tx: add_link(tx, study, offered, parts.now(), name=called, by=by))


async def let_in_again(
    parts: Parts, study: StudyName, account: AccountId, by: AccountId = COMMAND_LINE
) -> tuple[AccessLink, str]:
    """A link that signs somebody in who has a role in the study; earlier ones of this kind are spoilt.

    Made by an owner it opens this study alone, whatever else the account may do.

    Raises:
        NotFound: the account has no role in this study.
    """
    now = parts.now()

    def work(tx: Tx) -> tuple[AccessLink, str]:
        mine = [one for one, _ in tx.memberships(study) if one.account == account and one.ended_at is None]
        if not mine:
            raise NotFound("nobody of this name works on this study")
        tx.revoke_links_to(study, account, now)
        return add_link(tx, study, mine[0].role, now, account=account, by=by)

    return await parts.store.write(work)


async def withdraw_invitation(parts: Parts, study: StudyName, link: str) -> bool:
    """Take a link back before it was used."""
    return await parts.store.write(lambda tx: tx.revoke_access_link(study, link, parts.now()))


async def end_role(parts: Parts, study: StudyName, account: AccountId, by: AccountId = COMMAND_LINE) -> None:
    """Take somebody's role away; their next request in this study is refused, and so are links to it.

    Raises:
        NotFound: the account has no role in this study.
        RoleRefused: it is the last owner's.
    """
    now = parts.now()

    def work(tx: Tx) -> None:
        tx.lock_membership(study)
        present = [one for one, _ in tx.memberships(study) if one.ended_at is None]
        mine = next((one for one in present if one.account == account), None)
        if mine is None:
            raise NotFound("nobody of this name works on this study")
        if mine.role == "owner" and sum(one.role == "owner" for one in present) == 1:
            raise RoleRefused("a study keeps one owner at least; invite another one first", "last_owner")
        tx.end_membership(study, account, now, by)
        tx.revoke_links_to(study, account, now)
        tx.end_account_sessions(account, now, study=study, but="")
        if mine.annotator:
            tx.end_sessions(mine.annotator)

    await parts.store.write(work)


async def end_personal_link(parts: Parts, study: StudyName, expert: AnnotatorId) -> int:
    """Sign an expert out everywhere, their personal links included; how many of them that were.

    Raises:
        NotFound: there is no such expert in this study.
    """

    def work(tx: Tx) -> int:
        if expert not in {one.id for one, _ in tx.experts(study)}:
            raise NotFound(f"there is no expert {expert!r} in this study")
        return tx.end_sessions(expert)

    return await parts.store.write(work)


async def access(parts: Parts, study: StudyName) -> Access:
    """Who can come in to work on a study, and who could."""
    now = parts.now()

    def work(tx: Tx) -> Access:
        given = tx.memberships(study)
        called = {one.account: name for one, name in given}
        rows = [
            MemberRow(one.account, name, one.role, one.at, _called(tx, one.by, called), one.ended_at)
            for one, name in given
        ]
        with_account = {one.annotator for one, _ in given}
        return Access(
            [row for row in rows if row.ended_at is None],
            [row for row in rows if row.ended_at is not None],
            tx.open_access_links(study, now),
            [(one, name) for one, name in tx.experts(study) if one.id not in with_account],
        )

    return await parts.store.read(work)


def _called(tx: Tx, account: AccountId, known: dict[AccountId, str]) -> str:
    if account == COMMAND_LINE:
        return ""
    return known.get(account) or tx.account(account).name
