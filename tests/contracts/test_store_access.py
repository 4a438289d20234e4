"""What every store keeps about those who work on studies."""

from dataclasses import replace
from datetime import timedelta

import pytest

from crito.model.access import (
    AccessLink,
    Account,
    AccountSession,
    ApiToken,
    Member,
    Membership,
    Reading,
    StateChange,
)
from crito.model.errors import Conflict, NotFound
from crito.model.ids import AccountId, AnnotatorId, AssignmentId, RunId, StudyName
from crito.model.record import Run
from crito.services.ports.access import FailedAttempts
from crito.services.ports.store import Store, Tx
from tests.contracts.recording import ANA, BEN, LATER, NOON, STUDY, enrol, needs, take, turn

POTS = StudyName("pots")
ADA = Account(AccountId("u-ada"), "Ada", "ada@example.org", "", NOON)
EVA = Account(AccountId("u-eva"), "Eva", "", "", NOON)
OWNS = Membership(STUDY, ADA.id, "owner", None, NOON, AccountId(""))
LINK = AccessLink("l-1", STUDY, None, "reader", "Eva", False, NOON, ADA.id, LATER)


async def test_an_account_is_found_by_name_and_e_mail_in_any_case(store: Store) -> None:
    await store.write(lambda tx: (tx.add_account(ADA), tx.add_account(EVA)))

    for called in ("ada", " ADA ", "Ada@Example.ORG"):
        assert await store.read(lambda tx, called=called: tx.account_called(called)) == ADA  # type: ignore[misc]
    assert await store.read(lambda tx: tx.account_called("")) is None
    with pytest.raises(NotFound):
        await store.read(lambda tx: tx.account(AccountId("u-nobody")))


async def test_two_accounts_share_neither_name_nor_e_mail(store: Store) -> None:
    await store.write(lambda tx: (tx.add_account(ADA), tx.add_account(EVA)))

    for other in (
        Account(AccountId("u-2"), "ADA", "", "", NOON),
        Account(AccountId("u-2"), "Ada Two", "ADA@example.org", "", NOON),
    ):
        with pytest.raises(Conflict):
            await store.write(lambda tx, other=other: tx.add_account(other))  # type: ignore[misc]
        with pytest.raises(Conflict):
            await store.write(lambda tx, other=other: tx.change_account(replace(other, id=EVA.id)))  # type: ignore[misc]
    changed = replace(EVA, name="Eva B", email="eva@example.org", password="scrypt$")
    await store.write(lambda tx: tx.change_account(changed))

    assert await store.read(lambda tx: tx.account(EVA.id)) == changed


async def test_an_account_has_one_role_in_a_study_at_a_time(store: Store) -> None:
    await store.write(lambda tx: (tx.add_account(ADA), tx.add_membership(OWNS)))

    with pytest.raises(Conflict):
        await store.write(lambda tx: tx.add_membership(replace(OWNS, role="reader")))
    assert await store.write(lambda tx: tx.end_membership(STUDY, ADA.id, LATER, AccountId("u-x")))
    assert not await store.write(lambda tx: tx.end_membership(STUDY, ADA.id, LATER, AccountId("u-x")))
    again = replace(OWNS, role="reader", at=LATER)
    await store.write(lambda tx: (tx.lock_membership(STUDY), tx.add_membership(again)))

    ended = replace(OWNS, ended_at=LATER, ended_by=AccountId("u-x"))
    assert await store.read(lambda tx: tx.memberships(STUDY)) == [(ended, "Ada"), (again, "Ada")]
    assert await store.read(lambda tx: tx.memberships_of(ADA.id)) == [ended, again]


async def test_a_session_stands_for_a_member_of_the_studies_it_opens(store: Store) -> None:
    whole = AccountSession("s-1", ADA.id, StudyName(""), NOON, LATER)
    narrow = AccountSession("s-2", ADA.id, POTS, NOON, LATER)

    def fill(tx: Tx) -> None:
        tx.add_account(ADA)
        tx.add_membership(OWNS)
        tx.add_membership(replace(OWNS, study=POTS, role="reader"))
        tx.add_account_session(whole, "whole")
        tx.add_account_session(narrow, "narrow")

    await store.write(fill)

    def member(study: StudyName, token: str, *, late: bool = False) -> Member | None:
        return tx_.member(study, token, LATER if late else NOON)

    def look(tx: Tx) -> list[Member | None]:
        nonlocal tx_
        tx_ = tx
        return [member(STUDY, "whole"), member(POTS, "whole"), member(STUDY, "narrow"), member(POTS, "narrow")]

    tx_: Tx
    owner, reader = Member(STUDY, ADA.id, "Ada", "owner"), Member(POTS, ADA.id, "Ada", "reader")
    assert await store.read(look) == [owner, reader, None, reader]
    assert await store.read(lambda tx: tx.member(STUDY, "whole", LATER)) is None
    await store.write(lambda tx: tx.end_membership(POTS, ADA.id, NOON, ADA.id))
    assert await store.read(look) == [owner, None, None, None]
    await store.write(lambda tx: tx.add_state_change(StateChange(STUDY, "paused", NOON, ADA.id)))
    assert await store.read(look) == [replace(owner, state="paused"), None, None, None]
    assert await store.read(lambda tx: tx.account_sessions(ADA.id, NOON)) == [whole, narrow]
    assert await store.write(lambda tx: tx.end_account_session(ADA.id, "s-1", NOON))
    assert not await store.write(lambda tx: tx.end_account_session(ADA.id, "s-1", NOON))
    assert await store.read(look) == [None, None, None, None]
    assert await store.read(lambda tx: tx.account_session("whole", NOON)) is None


async def test_sessions_end_together_but_for_one(store: Store) -> None:
    named = {name: AccountSession(name, ADA.id, study, NOON, LATER) for name, study in
             {"a": StudyName(""), "b": StudyName(""), "c": STUDY, "d": POTS}.items()}  # fmt: skip

    def fill(tx: Tx) -> None:
        tx.add_account(ADA)
        for name, session in named.items():
            tx.add_account_session(session, name)

    await store.write(fill)

    assert await store.write(lambda tx: tx.end_account_sessions(ADA.id, NOON, study=STUDY, but="")) == 1
    assert await store.write(lambda tx: tx.end_account_sessions(ADA.id, NOON, study=None, but="b")) == 2
    assert await store.read(lambda tx: tx.account_sessions(ADA.id, NOON)) == [named["b"]]


async def test_a_link_lets_in_once(store: Store) -> None:
    await store.write(lambda tx: tx.add_access_link(LINK, "hash"))

    assert await store.read(lambda tx: tx.access_link("hash")) == LINK
    assert await store.read(lambda tx: tx.access_link("other")) is None
    assert await store.read(lambda tx: tx.open_access_links(STUDY, NOON)) == [LINK]
    assert not await store.write(lambda tx: tx.spend_access_link("l-1", LATER))
    assert await store.write(lambda tx: tx.spend_access_link("l-1", NOON))
    assert not await store.write(lambda tx: tx.spend_access_link("l-1", NOON))
    assert not await store.write(lambda tx: tx.revoke_access_link(STUDY, "l-1", NOON))
    assert await store.read(lambda tx: tx.open_access_links(STUDY, NOON)) == []


async def test_a_link_is_taken_back_in_its_own_study_only(store: Store) -> None:
    signs_in = replace(LINK, id="l-2", account=EVA.id)
    await store.write(
        lambda tx: (tx.add_account(EVA), tx.add_access_link(LINK, "one"), tx.add_access_link(signs_in, "two"))
    )

    assert not await store.write(lambda tx: tx.revoke_access_link(POTS, "l-1", NOON))
    assert await store.write(lambda tx: tx.revoke_access_link(STUDY, "l-1", NOON))
    assert not await store.write(lambda tx: tx.spend_access_link("l-1", NOON))
    await store.write(lambda tx: tx.revoke_links_to(STUDY, EVA.id, NOON))
    assert not await store.write(lambda tx: tx.spend_access_link("l-2", NOON))


async def test_passwords_that_did_not_fit_are_counted_for_a_while(store: Store) -> None:
    def fill(tx: Tx) -> None:
        tx.add_failed_attempt("ada", "here", NOON - timedelta(days=2))
        tx.add_failed_attempt("ada", "here", NOON)
        tx.add_failed_attempt("ada", "there", LATER)
        tx.add_failed_attempt("eva", "here", LATER)

    await store.write(fill)
    since = NOON - timedelta(minutes=1)

    counted = await store.read(lambda tx: tx.failed_attempts("ada", "here", since))
    assert counted == FailedAttempts(2, 2, NOON)
    assert await store.read(lambda tx: tx.failed_attempts("ben", "far", since)) == FailedAttempts(0, 0, None)
    await store.write(lambda tx: tx.forget_failed_attempts("ada", NOON))
    assert await store.read(lambda tx: tx.failed_attempts("ada", "here", since)) == FailedAttempts(0, 1, LATER)


async def test_a_token_is_good_until_it_runs_out_or_is_revoked(store: Store) -> None:
    token = ApiToken("t-1", STUDY, "R", ("read:study", "read:labels"), NOON, ADA.id, LATER)
    await store.write(lambda tx: tx.add_api_token(token, "hash"))

    assert await store.read(lambda tx: tx.api_token("hash", NOON)) == token
    assert await store.read(lambda tx: tx.api_token("hash", LATER)) is None
    assert not await store.write(lambda tx: tx.revoke_api_token(POTS, "t-1", NOON))
    assert await store.write(lambda tx: tx.revoke_api_token(STUDY, "t-1", NOON))
    assert await store.read(lambda tx: tx.api_token("hash", NOON)) is None
    assert await store.read(lambda tx: tx.api_tokens(STUDY)) == [replace(token, revoked_at=NOON)]


async def test_readings_come_newest_first_and_page_by_page(store: Store) -> None:
    read = [Reading(STUDY, ADA.id, "Ada", ANA, AssignmentId(f"a-{n}"), NOON + timedelta(minutes=n)) for n in range(3)]
    await store.write(lambda tx: (tx.add_readings(read[:2]), tx.add_readings(read[2:])))

    page = await store.read(lambda tx: tx.readings(STUDY, limit=2))
    rest = await store.read(lambda tx: tx.readings(STUDY, before=page[-1][0], limit=2))

    assert [one for _, one in (*page, *rest)] == read[::-1]
    assert await store.read(lambda tx: tx.count_readings(STUDY)) == 3
    assert await store.read(lambda tx: tx.count_readings(POTS)) == 0


async def test_dialogues_leave_out_who_withdrew(store: Store) -> None:
    def fill(tx: Tx) -> None:
        tx.make_slots(STUDY, needs(2, 2), seed=1)
        enrol(tx, ANA, BEN)
        for person in (ANA, BEN):
            take(tx, person, f"a-{person}")
            run = RunId(f"r-{person}")
            tx.add_run(STUDY, Run(run, AssignmentId(f"a-{person}"), "socratic", 1))
            tx.add_turn(STUDY, person, turn(run, 0, "Why?", "script"))
            tx.add_turn(STUDY, person, turn(run, 1, "So."))
        tx.end_participation(BEN, "withdrawn", NOON)

    await store.write(fill)
    (talk,) = await store.read(lambda tx: tx.talks(STUDY))

    assert (talk.assignment, talk.annotator, talk.run, talk.messages) == ("a-ana", ANA, "r-ana", 1)
    assert await store.read(lambda tx: tx.count_talks(STUDY)) == 1
    assert await store.read(lambda tx: tx.talks(STUDY, after="a-ana")) == []
    assert await store.read(lambda tx: tx.talk(STUDY, AssignmentId("a-ana"))) == talk
    assert await store.read(lambda tx: tx.talk(POTS, AssignmentId("a-ana"))) is None
    assert await store.read(lambda tx: tx.talk(STUDY, AssignmentId("a-ben"))) is None


async def test_the_last_change_says_how_a_study_stands(store: Store) -> None:
    assert await store.read(lambda tx: tx.state(STUDY)) == "open"
    paused = StateChange(STUDY, "paused", NOON, ADA.id)
    archived = StateChange(STUDY, "archived", NOON, AccountId(""))
    await store.write(lambda tx: (tx.add_state_change(paused), tx.add_state_change(archived)))

    assert await store.read(lambda tx: tx.state(STUDY)) == "archived"
    assert await store.read(lambda tx: tx.state_changes(STUDY)) == [paused, archived]
    assert await store.read(lambda tx: tx.state(POTS)) == "open"


async def test_nobody_is_signed_in_while_a_study_is_archived(store: Store) -> None:
    await store.write(lambda tx: (enrol(tx, ANA), tx.add_session("hash", ANA, LATER)))

    async def visitor() -> AnnotatorId | None:
        return await store.read(lambda tx: tx.session(STUDY, "hash", NOON))

    assert await visitor() == ANA
    await store.write(lambda tx: tx.add_state_change(StateChange(STUDY, "archived", NOON, ADA.id)))
    assert await visitor() is None
    await store.write(lambda tx: tx.add_state_change(StateChange(STUDY, "paused", NOON, ADA.id)))
    assert await visitor() == ANA
    assert await store.write(lambda tx: tx.end_sessions(ANA)) == 1
    assert await visitor() is None
