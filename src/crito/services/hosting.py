"""Several studies in one record: the list of them, a copy under a new name, pausing and putting away."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from crito.model.access import HostedState, Membership, StateChange, StudyRole
from crito.model.errors import Conflict, InvalidInput
from crito.model.ids import AccountId, StudyName
from crito.model.study import Text
from crito.services.accounts import COMMAND_LINE, EVERY_STUDY, SignedIn
from crito.services.parts import Parts
from crito.services.ports.store import Tx
from crito.services.publishing import publish

STATES: tuple[HostedState, ...] = ("open", "paused", "archived")
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
"""What a study file may call a study."""


class HostedStudy(NamedTuple):
    """One study in the list of somebody who works on it; `role` is empty on the command line."""

    name: StudyName
    title: Text
    role: StudyRole | None
    state: HostedState
    changed_at: datetime | None
    people: int
    done: int


async def studies_of(parts: Parts, who: SignedIn) -> Sequence[HostedStudy]:
    """The studies that this session opens, by name."""

    def work(tx: Tx) -> list[HostedStudy]:
        mine = [one for one in tx.memberships_of(who.account.id) if one.ended_at is None]
        opened = [one for one in mine if who.session.study in (EVERY_STUDY, one.study)]
        return [_hosted(parts, tx, one.study, one.role) for one in sorted(opened, key=lambda one: one.study)]

    return await parts.store.read(work)


async def all_studies(parts: Parts) -> Sequence[HostedStudy]:
    """Every study of the record, by name."""
    return await parts.store.read(lambda tx: [_hosted(parts, tx, name, None) for name in sorted(tx.study_names())])


def _hosted(parts: Parts, tx: Tx, name: StudyName, role: StudyRole | None) -> HostedStudy:
    number, people, changes = tx.latest_number(name), tx.count_people(name), tx.state_changes(name)
    assert number is not None, "a study that somebody works on was published"
    return HostedStudy(
        name,
        parts.edition(tx, name, number).title,
        role,
        changes[-1].state if changes else "open",
        changes[-1].at if changes else None,
        sum(people.values()),
        people.get("done", 0),
    )


async def state(parts: Parts, study: StudyName) -> HostedState:
    """Whether new people may come, and whether anything may change."""
    return await parts.store.read(lambda tx: tx.state(study))


def state_named(named: str) -> HostedState:
    """
    Raises:
        InvalidInput: there is no such state.
    """
    for known in STATES:
        if named == known:
            return known
    raise InvalidInput("there is no such state", came=named, wanted=f"one of {', '.join(STATES)}", key="state")


async def set_state(parts: Parts, study: StudyName, wanted: HostedState, by: AccountId = COMMAND_LINE) -> bool:
    """Open, pause or archive a study; False when it stands so already.

    Raises:
        NotFound: there is no such study.
    """
    await parts.latest(study)
    now = parts.now()

    def work(tx: Tx) -> bool:
        if tx.state(study) == wanted:
            return False
        tx.add_state_change(StateChange(study, wanted, now, by))
        return True

    return await parts.store.write(work)


async def clone(parts: Parts, study: StudyName, name: str, by: AccountId = COMMAND_LINE) -> StudyName:
    """Publish the latest edition of a study under a new name, with nobody in it; whoever clones it owns the copy.

    Raises:
        NotFound: there is no such study.
        InvalidInput: the name is none that a study can have.
        Conflict: a study has this name.
    """
    if not NAME.fullmatch(name):
        raise InvalidInput(
            "this is no name for a study", came=name, wanted="small letters, digits, - and _, 64 at most", key="name"
        )
    _, edition = await parts.latest(study)
    copy, now = StudyName(name), parts.now()
    if await parts.store.read(lambda tx: tx.latest_number(copy)) is not None:
        raise Conflict(f"there is a study {name!r} already")
    await publish(parts, replace(edition, name=copy))
    if by != COMMAND_LINE:
        mine = Membership(copy, by, "owner", None, now, by)
        await parts.store.write(lambda tx: tx.add_membership(mine))
    return copy
