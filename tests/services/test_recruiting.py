"""What platforms say of submissions, and what the owner decides about them, over both databases."""

import csv
from pathlib import Path

import pytest

from crito.formats.exporters import EXPORTERS
from crito.model.errors import InvalidInput
from crito.model.ids import AnnotatorId
from crito.model.record import Identity
from crito.model.recruitment import Submission, SubmissionStatus
from crito.services import enrolment, openings, overview, participation, recruiting, showing
from crito.services.exporting import export_study, study_labels
from crito.services.parts import Parts
from crito.services.publishing import publish
from crito.services.shares import editions, shares
from crito.store.verify import verify
from tests.services.conftest import Clock
from tests.services.test_openings import small
from tests.services.walking import EN, NAME, walk


async def come(parts: Parts, name: str, session: str = "") -> AnnotatorId:
    return await enrolment.enrol(parts, NAME, Identity("prolific", name, session or f"s-{name}"), EN)


async def finish(parts: Parts, name: str) -> AnnotatorId:
    person = await come(parts, name)
    assert (await walk(parts, person)).ending == "done"
    return person


def told(name: str, status: SubmissionStatus, submission: str = "", code: str = "") -> Submission:
    return Submission("prolific", submission or f"s-{name}", name, status, code)


async def statuses(parts: Parts, person: AnnotatorId) -> list[str]:
    record = await parts.store.read(lambda tx: tx.person(person))
    return [assignment.status for assignment in record.assignments]


async def flags(parts: Parts) -> dict[str, str]:
    return await parts.store.read(
        lambda tx: {s.annotator: s.exclusion for s in shares(tx, NAME, editions(parts, tx, NAME))}
    )


def assert_verified(record_url: str) -> None:
    problems = [problem for check in verify(record_url, NAME) for problem in check.problems]
    assert not problems


@pytest.mark.parametrize("status", ["returned", "timed_out", "rejected"])
async def test_a_submission_that_does_not_count_gives_the_place_back_and_keeps_the_data_flagged(
    parts: Parts, record_url: str, status: SubmissionStatus
) -> None:
    await publish(parts, small(n_items=1))
    done, other = await finish(parts, "ana"), await finish(parts, "ben")
    assert (await openings.places(parts, NAME)).missing == 0

    taken = await recruiting.take_in(parts, NAME, [told("ana", status), told("ben", "awaiting_review")], "file")

    assert (taken.rows, taken.people, taken.given_back, taken.changed[status]) == (2, 2, 1, 1)
    assert (await openings.places(parts, NAME)).missing == 1
    assert await statuses(parts, done) == ["ended"]
    assert await flags(parts) == {done: f"submission_{status}", other: ""}
    assert (await finish(parts, "cleo")).startswith("p-")
    assert {row.annotator for part in (await study_labels(parts, NAME)).parts() for row in part.given} != {done}
    assert_verified(record_url)


async def test_the_same_list_again_changes_nothing(parts: Parts) -> None:
    await publish(parts, small())
    await finish(parts, "ana")
    await recruiting.take_in(parts, NAME, [told("ana", "returned")], "file")

    again = await recruiting.take_in(parts, NAME, [told("ana", "returned")], "file")

    assert (again.changed, again.given_back) == ({}, 0)


async def test_who_returned_while_under_way_is_told_and_does_not_get_back_in(parts: Parts, record_url: str) -> None:
    await publish(parts, small())
    person = await come(parts, "ana")

    await recruiting.take_in(parts, NAME, [told("ana", "returned")], "file")
    await participation.come_back(parts, person)

    page = await showing.page(parts, await come(parts, "ana", "another"))
    assert (page.ending, page.code) == ("submission_closed", "")
    assert await statuses(parts, person) == ["ended"]
    assert_verified(record_url)


async def test_an_earlier_returned_submission_of_the_same_person_takes_nothing_from_the_present_one(
    parts: Parts,
) -> None:
    await publish(parts, small())
    person = await finish(parts, "ana")

    taken = await recruiting.take_in(
        parts, NAME, [told("ana", "returned", "earlier"), told("ana", "awaiting_review")], "file"
    )

    assert taken.given_back == 0
    assert await statuses(parts, person) == ["done"]


async def test_a_list_of_another_study_is_refused_and_changes_nothing(parts: Parts) -> None:
    await publish(parts, small())
    await finish(parts, "ana")

    with pytest.raises(InvalidInput, match="none of these submissions belongs to anyone"):
        await recruiting.take_in(parts, NAME, [told("zoe", "returned"), told("yan", "returned")], "file")


async def test_every_row_of_a_long_list_is_taken_in(parts: Parts) -> None:
    await publish(parts, small(n_items=40))
    people = [await finish(parts, f"w{n}") for n in range(60)]
    listed = [told(f"w{n}", "returned" if n >= 4_950 else "approved") for n in range(4_940, 5_000)]
    listed = [told(f"nobody{n}", "approved") for n in range(4_940)] + [
        told(f"w{n - 4_940}", one.status) for n, one in enumerate(listed, 4_940)
    ]

    taken = await recruiting.take_in(parts, NAME, listed, "file")

    assert (taken.rows, taken.people, taken.unknown, taken.given_back) == (5_000, 60, 4_940, 50)
    assert sum(flag == "submission_returned" for flag in (await flags(parts)).values()) == 50
    assert len(people) == 60


async def test_a_rejection_needs_a_reason_and_gives_the_place_back_and_an_approval_takes_it_again(
    parts: Parts, clock: Clock, record_url: str
) -> None:
    await publish(parts, small(n_items=1))
    person = await finish(parts, "ana")
    with pytest.raises(InvalidInput, match="needs a reason"):
        await recruiting.decide(parts, NAME, [person], "reject", "  ", "owner")

    await recruiting.decide(parts, NAME, [person], "reject", "Every answer is the same letter.", "owner")
    assert (await flags(parts), await statuses(parts, person)) == ({person: "submission_rejected"}, ["ended"])
    clock.move(minutes=5)
    await recruiting.decide(parts, NAME, [person], "approve", "", "owner")

    assert (await flags(parts), await statuses(parts, person)) == ({person: ""}, ["done"])
    assert_verified(record_url)


async def test_an_approval_takes_no_place_that_somebody_else_holds_by_now(parts: Parts, record_url: str) -> None:
    study = small(n_items=1)
    await publish(parts, study)
    first, second = await finish(parts, "ana"), await finish(parts, "ben")
    await recruiting.decide(parts, NAME, [first], "reject", "Copied from elsewhere.", "owner")
    await finish(parts, "cleo")

    await recruiting.decide(parts, NAME, [first], "approve", "", "owner")

    assert (await statuses(parts, first), await statuses(parts, second)) == (["ended"], ["done"])
    (item,) = (await overview.progress(parts, NAME)).items
    assert (item.done, item.places) == (2, 2)
    assert_verified(record_url)


async def test_decisions_are_listed_until_the_platform_knows_them(parts: Parts, clock: Clock) -> None:
    await publish(parts, small())
    ana = await finish(parts, "ana")
    clock.move(minutes=1)
    ben = await finish(parts, "ben")
    clock.move(minutes=1)
    cleo = await finish(parts, "cleo")
    await recruiting.decide(parts, NAME, [ben], "reject", "No item was read.", "owner")
    decided = await recruiting.approve_finished(parts, NAME, "owner")

    assert set(decided.reviewed) == {ana, cleo}
    listed = await recruiting.to_tell(parts, NAME)
    assert [(one.identity.external_id, one.decision, one.reason) for one in listed] == [
        ("ana", "approve", ""), ("ben", "reject", "No item was read."), ("cleo", "approve", ""),
    ]  # fmt: skip

    await recruiting.take_in(parts, NAME, [told("ana", "approved"), told("cleo", "approved")], "api")

    assert [one.identity.external_id for one in await recruiting.to_tell(parts, NAME)] == ["ben"]


async def test_who_is_still_taking_part_is_passed_over(parts: Parts) -> None:
    await publish(parts, small())
    person = await come(parts, "ana")

    decided = await recruiting.decide(parts, NAME, [person], "approve", "", "owner")

    assert decided.passed_over == {person: "is still taking part"}
    assert await recruiting.to_tell(parts, NAME) == []


async def test_the_reason_goes_with_the_persons_words(parts: Parts) -> None:
    await publish(parts, small())
    person = await finish(parts, "ana")
    await recruiting.decide(parts, NAME, [person], "reject", "Wrote about aubergines only.", "owner")

    await participation.withdraw(parts, person)

    (listed,) = await recruiting.to_tell(parts, NAME)
    assert (listed.decision, listed.reason) == ("reject", "")


async def test_lists_are_counted_searched_and_paged(parts: Parts, clock: Clock) -> None:
    await publish(parts, small(n_items=10))
    people = []
    for n in range(5):
        people.append(await finish(parts, f"pid{n}"))
        clock.move(minutes=1)
    await recruiting.decide(parts, NAME, people[:2], "approve", "", "owner")

    def look(tx):  # type: ignore[no-untyped-def]
        first = tx.submissions(NAME, show="to_review", limit=2)
        return (
            tx.count_submissions(NAME),
            [row.participant.id for row in first],
            [row.participant.id for row in tx.submissions(NAME, show="to_review", after=first[-1].participant.id)],
            [row.participant.id for row in tx.submissions(NAME, search="pid1")],
        )

    counts, first, rest, searched = await parts.store.read(look)

    assert counts == {"all": 5, "to_review": 3, "approved": 2, "rejected": 0, "given_back": 0, "to_tell": 2}
    assert (first, rest, searched) == ([people[4], people[3]], [people[2]], [people[1]])


async def test_an_export_drops_nobody_and_no_row_for_what_platforms_say(parts: Parts, tmp_path: Path) -> None:
    await publish(parts, small(n_items=10))
    people = [await finish(parts, f"w{n}") for n in range(6)]
    await recruiting.take_in(
        parts, NAME, [told("w0", "returned"), told("w1", "rejected"), told("w2", "approved")], "file"
    )
    await recruiting.decide(parts, NAME, [people[3]], "reject", "Copied from elsewhere.", "owner")
    await participation.withdraw(parts, people[4])

    await export_study(parts, NAME, EXPORTERS["csv"], tmp_path / "out")

    with (tmp_path / "out/annotations.csv").open(encoding="utf-8", newline="") as lines:
        rows = {row["annotator"]: row["exclusion_reason"] for row in csv.DictReader(lines)}
    assert rows == {
        people[0]: "submission_returned", people[1]: "submission_rejected", people[2]: "",
        people[3]: "submission_rejected", people[5]: "",
    }  # fmt: skip
