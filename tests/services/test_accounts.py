"""Accounts, sign-in, invitations, roles: what opens a study, and what ends that at once."""

from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path

import pytest

from crito.model.access import Member, StudyRole
from crito.model.errors import Conflict, Forbidden, InvalidInput, NotFound, RoleRefused, TooMany
from crito.model.ids import StudyName
from crito.services import access, accounts, hosting, members, queue, tokens
from crito.services.parts import Parts
from crito.services.publishing import publish
from crito.store.opening import open_store
from tests.builders import make_study
from tests.services.conftest import Clock, no_models

KETTLES, POTS = StudyName("kettles"), StudyName("pots")
PASSWORD = "a kettle sings"


@pytest.fixture(autouse=True)
def quick_scrypt(monkeypatch: pytest.MonkeyPatch) -> None:
    """The costs of a real password would make up most of these tests."""
    monkeypatch.setattr(accounts, "SCRYPT_N", 2)


@pytest.fixture
async def parts(sqlite_record: str, clock: Clock) -> AsyncIterator[Parts]:
    seeds = count(1)
    opened = Parts(open_store(sqlite_record), no_models, clock, lambda: next(seeds))
    for name in (KETTLES, POTS):
        await publish(opened, make_study(name=name))
    yield opened
    await opened.store.close()


async def come_in(
    parts: Parts, role: StudyRole, name: str, study: StudyName = KETTLES, *, password: str = "", as_session: str = ""
) -> str:
    _, token = await members.invite(parts, study, role, name)
    return await accounts.follow_link(parts, token, name=name, password=password, as_session=as_session)


async def role_of(parts: Parts, session: str, study: StudyName = KETTLES) -> str:
    found = await members.member(parts, study, session)
    return found.role if found else "none"


async def the(parts: Parts, session: str, study: StudyName = KETTLES) -> Member:
    found = await members.member(parts, study, session)
    assert found
    return found


async def test_an_invitation_makes_an_account_with_its_role_and_is_spent(parts: Parts) -> None:
    link, token = await members.invite(parts, KETTLES, "reader", "Ken Mori")

    session = await accounts.follow_link(parts, token, name=" Ken  Mori ", email="ken@example.org")

    assert (await the(parts, session)).name == "Ken Mori"
    assert (await role_of(parts, session), await role_of(parts, session, POTS)) == ("reader", "none")
    with pytest.raises(NotFound):
        await accounts.follow_link(parts, token, name="Eva")
    assert await accounts.look_at_link(parts, token) is None
    assert link.id not in {one.id for one in (await members.access(parts, KETTLES)).invitations}


async def test_an_invitation_that_was_taken_back_or_grew_old_lets_nobody_in(parts: Parts, clock: Clock) -> None:
    back, first = await members.invite(parts, KETTLES, "owner", "Eva")
    _, second = await members.invite(parts, KETTLES, "owner", "Eva")
    await members.withdraw_invitation(parts, KETTLES, back.id)
    with pytest.raises(NotFound):
        await accounts.follow_link(parts, first, name="Eva")

    clock.time += accounts.INVITATION_GOOD_FOR

    with pytest.raises(NotFound):
        await accounts.follow_link(parts, second, name="Eva")


async def test_a_name_that_is_taken_leaves_the_invitation_as_it_was(parts: Parts) -> None:
    await come_in(parts, "reader", "Ken")
    _, token = await members.invite(parts, KETTLES, "reader", "Ken")

    with pytest.raises(Conflict):
        await accounts.follow_link(parts, token, name="KEN")

    assert await role_of(parts, await accounts.follow_link(parts, token, name="Ken B")) == "reader"


@pytest.mark.parametrize(
    ("fields", "key"),
    [
        ({"name": ""}, "name"),
        ({"name": "ken@example.org"}, "name"),
        ({"name": "Ken", "email": "example.org"}, "email"),
        ({"name": "Ken", "password": "short"}, "password"),
        ({"name": "Ken", "password": "x" * 201}, "password"),
    ],
)
async def test_what_cannot_be_an_account_is_refused_by_its_field(
    parts: Parts, fields: dict[str, str], key: str
) -> None:
    _, token = await members.invite(parts, KETTLES, "reader", "Ken")

    with pytest.raises(InvalidInput) as refused:
        await accounts.follow_link(parts, token, **fields)

    assert refused.value.key == key
    assert "x" * 201 not in str(refused.value)


async def test_one_account_works_on_several_studies(parts: Parts) -> None:
    session = await come_in(parts, "owner", "Ada")

    same = await come_in(parts, "reader", "Ada", POTS, as_session=session)

    assert same == session
    who = await accounts.signed_in(parts, session)
    assert who
    listed = [(one.name, one.role, one.state) for one in await hosting.studies_of(parts, who)]
    assert listed == [(KETTLES, "owner", "open"), (POTS, "reader", "open")]


async def test_an_account_has_one_role_in_a_study(parts: Parts) -> None:
    session = await come_in(parts, "reader", "Ada")

    with pytest.raises(RoleRefused) as refused:
        await come_in(parts, "owner", "Ada", as_session=session)

    assert refused.value.why == "has_role"


@pytest.mark.parametrize("role", ["owner", "reader"])
async def test_who_could_see_what_others_said_never_labels_blind(parts: Parts, role: StudyRole) -> None:
    await come_in(parts, "owner", "Eva")
    session = await come_in(parts, role, "Ada")
    await members.end_role(parts, KETTLES, (await the(parts, session)).account)

    with pytest.raises(RoleRefused) as refused:
        await come_in(parts, "expert", "Ada", as_session=session)

    assert refused.value.why == "not_blind"
    assert await role_of(parts, await come_in(parts, "expert", "Ada", POTS, as_session=session), POTS) == "expert"


async def test_two_experts_of_one_name_are_two_annotators(parts: Parts) -> None:
    linked, _ = await queue.invite(parts, KETTLES, "Lea")
    session = await come_in(parts, "expert", "Lea")

    assert (await the(parts, session)).annotator not in (None, linked)


async def test_a_password_signs_in_by_name_or_e_mail_and_no_other_does(parts: Parts) -> None:
    session = await come_in(parts, "owner", "Ada", password=PASSWORD)
    who = await accounts.signed_in(parts, session)
    assert who
    await accounts.change(parts, who, "Ada", "ada@example.org", "", "")

    for called in ("Ada", " ada ", "ADA@example.org"):
        assert await role_of(parts, await accounts.sign_in(parts, called, PASSWORD, "here")) == "owner"
    for called, password in (("Ada", "a kettle hums"), ("Ada", ""), ("Eva", PASSWORD), ("", "")):
        with pytest.raises(Forbidden):
            await accounts.sign_in(parts, called, password, "here")


async def test_an_account_without_a_password_has_none_that_fits(parts: Parts) -> None:
    await come_in(parts, "owner", "Ada")

    with pytest.raises(Forbidden):
        await accounts.sign_in(parts, "Ada", "", "here")


async def test_five_wrong_passwords_shut_a_name_for_a_while_and_the_right_one_too(parts: Parts, clock: Clock) -> None:
    await come_in(parts, "owner", "Ada", password=PASSWORD)
    for n in range(accounts.MOST_FAILURES_OF_NAME):
        with pytest.raises(Forbidden):
            await accounts.sign_in(parts, "ada", "wrong password", f"address {n}")
        clock.move(minutes=1)

    with pytest.raises(TooMany) as refused:
        await accounts.sign_in(parts, "Ada", PASSWORD, "far")

    assert refused.value.retry_after_s == 10 * 60
    clock.move(minutes=10)
    assert await accounts.sign_in(parts, "Ada", PASSWORD, "far")


async def test_an_address_that_tries_many_names_is_shut_out(parts: Parts) -> None:
    await come_in(parts, "owner", "Ada", password=PASSWORD)
    for n in range(accounts.MOST_FAILURES_OF_ADDRESS):
        with pytest.raises(Forbidden):
            await accounts.sign_in(parts, f"name {n}", PASSWORD, "here")

    with pytest.raises(TooMany):
        await accounts.sign_in(parts, "Ada", PASSWORD, "here")
    assert await accounts.sign_in(parts, "Ada", PASSWORD, "elsewhere")


def test_a_password_is_kept_salted_and_at_the_costs_of_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = accounts.hash_password(PASSWORD), accounts.hash_password(PASSWORD)
    monkeypatch.setattr(accounts, "SCRYPT_N", 4)

    assert first != second
    assert PASSWORD not in first
    assert accounts.password_fits(PASSWORD, first)
    assert not accounts.password_fits(PASSWORD + " ", first)
    assert accounts.hash_password(PASSWORD).startswith("scrypt$4$8$3$")


async def test_nothing_that_opens_anything_stands_in_the_database(parts: Parts, sqlite_record: str) -> None:
    _, link = await members.invite(parts, KETTLES, "reader", "Eva")
    session = await come_in(parts, "owner", "Ada", password=PASSWORD)
    token = await tokens.make_api_token(parts, KETTLES)
    with pytest.raises(Forbidden):
        await accounts.sign_in(parts, "Ada", "wrong password", "203.0.113.9")

    file = Path(sqlite_record.removeprefix("sqlite:///"))
    kept = b"".join(part.read_bytes() for part in file.parent.glob(f"{file.name}*"))

    assert b"Ada" in kept
    for secret in (link, session, token, PASSWORD, "wrong password", "203.0.113.9"):
        assert secret.encode() not in kept


async def test_a_role_that_is_ended_opens_nothing_from_then_on(parts: Parts) -> None:
    await come_in(parts, "owner", "Eva")
    session = await come_in(parts, "expert", "Ada")
    me = await the(parts, session)
    assert me.annotator
    personal = await access.sign_in(parts, me.annotator)
    _, link = await members.let_in_again(parts, KETTLES, me.account)

    await members.end_role(parts, KETTLES, me.account)

    assert await role_of(parts, session) == "none"
    assert await access.signed_in(parts, KETTLES, personal) is None
    assert await accounts.look_at_link(parts, link) is None
    assert [one.name for one in (await members.access(parts, KETTLES)).former] == ["Ada"]
    with pytest.raises(NotFound):
        await members.end_role(parts, KETTLES, me.account)


async def test_the_last_owner_stays(parts: Parts) -> None:
    first, second = await come_in(parts, "owner", "Ada"), await come_in(parts, "owner", "Eva")
    await members.end_role(parts, KETTLES, (await the(parts, first)).account)

    with pytest.raises(RoleRefused) as refused:
        await members.end_role(parts, KETTLES, (await the(parts, second)).account)

    assert refused.value.why == "last_owner"


async def test_a_session_that_is_ended_opens_nothing_from_then_on(parts: Parts) -> None:
    session = await come_in(parts, "owner", "Ada", password=PASSWORD)
    other = await accounts.sign_in(parts, "Ada", PASSWORD, "here")
    who = await accounts.signed_in(parts, session)
    assert who
    assert len(await accounts.sessions(parts, who.account.id)) == 2

    await accounts.end_session(parts, who.account.id, who.session.id)

    assert (await role_of(parts, session), await role_of(parts, other)) == ("none", "owner")
    assert await accounts.signed_in(parts, session) is None


async def test_a_new_password_ends_every_other_session(parts: Parts) -> None:
    session = await come_in(parts, "owner", "Ada", password=PASSWORD)
    other = await accounts.sign_in(parts, "Ada", PASSWORD, "here")
    who = await accounts.signed_in(parts, session)
    assert who
    with pytest.raises(Forbidden):
        await accounts.change(parts, who, "Ada", "", "not mine at all", "another kettle")

    await accounts.change(parts, who, "Ada", "", PASSWORD, "another kettle")

    assert (await role_of(parts, session), await role_of(parts, other)) == ("owner", "none")
    assert await accounts.sign_in(parts, "Ada", "another kettle", "here")
    with pytest.raises(Forbidden):
        await accounts.sign_in(parts, "Ada", PASSWORD, "here")


async def test_a_session_runs_out(parts: Parts, clock: Clock) -> None:
    session = await come_in(parts, "owner", "Ada")

    clock.time += accounts.SIGNED_IN

    assert await role_of(parts, session) == "none"


async def test_a_link_that_an_owner_makes_opens_their_study_alone(parts: Parts) -> None:
    owner = await come_in(parts, "owner", "Mallory")
    ada = await come_in(parts, "owner", "Ada", POTS)
    await come_in(parts, "reader", "Ada", as_session=ada)

    _, token = await members.let_in_again(
        parts, KETTLES, (await the(parts, ada)).account, (await the(parts, owner)).account
    )
    session = await accounts.follow_link(parts, token)

    assert (await role_of(parts, session), await role_of(parts, session, POTS)) == ("reader", "none")
    who = await accounts.signed_in(parts, session)
    assert who
    assert [one.name for one in await hosting.studies_of(parts, who)] == [KETTLES]
    with pytest.raises(Forbidden):
        await accounts.change(parts, who, "Ada", "", "", PASSWORD)
    _, more = await members.invite(parts, POTS, "owner", "Mallory")
    with pytest.raises(Conflict):
        await accounts.follow_link(parts, more, as_session=session)


async def test_a_link_of_the_command_line_opens_all_that_is_theirs(parts: Parts) -> None:
    ada = await come_in(parts, "owner", "Ada", POTS)
    await come_in(parts, "reader", "Ada", as_session=ada)

    _, token = await members.let_in_again(parts, KETTLES, (await the(parts, ada)).account)
    session = await accounts.follow_link(parts, token)

    assert (await role_of(parts, session), await role_of(parts, session, POTS)) == ("reader", "owner")


async def test_the_printed_link_makes_the_first_owner_and_later_ones_find_that_one_again(parts: Parts) -> None:
    first = await accounts.open_owner_link(parts, KETTLES, await accounts.make_owner_link(parts, KETTLES))
    assert first
    again = await accounts.open_owner_link(parts, KETTLES, await accounts.make_owner_link(parts, KETTLES))
    assert again

    assert (await the(parts, first)).account == (await the(parts, again)).account
    link = await accounts.make_owner_link(parts, POTS)
    assert await accounts.open_owner_link(parts, KETTLES, link) is None
    assert await accounts.open_owner_link(parts, POTS, link, first) == first
    assert await role_of(parts, first, POTS) == "owner"
    assert await accounts.open_owner_link(parts, POTS, link) is None


async def test_an_invitation_is_no_owners_link(parts: Parts) -> None:
    _, token = await members.invite(parts, KETTLES, "owner", "Ada")

    assert await accounts.open_owner_link(parts, KETTLES, token) is None
    assert await accounts.look_at_link(parts, token)


async def test_a_clone_is_the_cloners_with_the_same_items_and_nobody_in_it(parts: Parts) -> None:
    session = await come_in(parts, "owner", "Ada")

    await hosting.clone(parts, KETTLES, "kettles-2", (await the(parts, session)).account)

    copy = StudyName("kettles-2")
    assert await role_of(parts, session, copy) == "owner"
    (_, original), (_, cloned) = await parts.latest(KETTLES), await parts.latest(copy)
    assert cloned.tasks == original.tasks
    with pytest.raises(Conflict):
        await hosting.clone(parts, KETTLES, "pots")
    for name in ("", "Big", "a/b", "a" * 65, "../x"):
        with pytest.raises(InvalidInput):
            await hosting.clone(parts, KETTLES, name)


async def test_a_token_of_no_scope_or_without_end_is_not_made(parts: Parts) -> None:
    for wrong in ({"scopes": ()}, {"scopes": ("read:everything",)}, {"days": 0}, {"days": 366}, {"name": " "}):
        with pytest.raises(InvalidInput):
            await tokens.make_api_token(parts, KETTLES, **wrong)  # type: ignore[arg-type]


async def test_a_token_ends_by_time_and_by_hand(parts: Parts, clock: Clock) -> None:
    old, taken = [await tokens.make_api_token(parts, KETTLES, days=1) for _ in range(2)]
    found = await tokens.token_of(parts, taken)
    assert found
    assert await tokens.revoke_api_token(parts, KETTLES, found.id)
    assert await tokens.token_of(parts, taken) is None
    assert await tokens.token_of(parts, old)

    clock.move(days=1)

    assert await tokens.token_of(parts, old) is None
