"""Retention, and restoring what was erased to the extent it was."""

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from crito.cli import run
from crito.model.errors import Conflict, NotFound
from crito.model.ids import AnnotatorId
from crito.services import enrolment
from crito.services.erasing import carry_out_retention, certificate, erase, is_sound, retention
from crito.services.parts import Parts
from crito.services.publishing import publish
from crito.store.copying import back_up, erased_people
from tests.builders import make_study
from tests.services.conftest import Clock
from tests.services.walking import NAME, enrol, prolific, walk


async def test_data_are_due_once_they_were_kept_as_long_as_people_were_told(parts: Parts, clock: Clock) -> None:
    await publish(parts, make_study(retention_days=30))
    early = await enrol(parts, "early")
    await walk(parts, early)
    clock.move(days=10)
    late = await enrol(parts, "late")
    await walk(parts, late)

    before = await retention(parts, NAME)
    clock.move(days=21)
    after = await retention(parts, NAME)

    assert (before.kept, before.due) == (2, [])
    assert before.next_due == clock.time - timedelta(days=1)
    assert (after.kept, after.due) == (2, [early])


async def test_what_is_due_is_erased_and_labels_stay_as_nobodys(parts: Parts, clock: Clock) -> None:
    await publish(parts, make_study(retention_days=30))
    person = await enrol(parts, "early")
    await walk(parts, person)
    clock.move(days=31)

    (done,) = await carry_out_retention(parts, NAME, "owner")

    assert (done.annotator, done.scope) == (person, "retention")
    assert done.erased["turns"]["n"] > 0
    assert done.remains["labels"] == 4
    assert "identity" not in done.remains
    assert await enrolment.find(parts, NAME, prolific("early")) is None
    assert (await retention(parts, NAME)).kept == 0
    assert await carry_out_retention(parts, NAME, "owner") == []


async def test_a_certificate_that_was_changed_is_told_from_the_one_that_was_made(parts: Parts) -> None:
    await publish(parts, make_study())
    person = await enrol(parts)
    await walk(parts, person)
    await erase(parts, NAME, person, "words", "owner")

    (kept,) = await parts.store.read(lambda tx: tx.erasures(NAME))

    assert is_sound(NAME, kept)
    assert not is_sound(NAME, type(kept)(**{name: getattr(kept, name) for name in kept.__slots__} | {"by": "nobody"}))
    assert certificate(NAME, kept)["sha256"] == kept.hash


async def test_only_someone_of_this_study_can_be_erased_and_only_whole_while_under_way(parts: Parts) -> None:
    await publish(parts, make_study())
    person = await enrol(parts)

    with pytest.raises(NotFound):
        await erase(parts, NAME, AnnotatorId("p-0"), "whole", "owner")
    with pytest.raises(Conflict, match="still taking part"):
        await erase(parts, NAME, person, "words", "owner")


async def test_restoring_erases_again_as_much_as_was_erased(parts: Parts, record_url: str, tmp_path: Path) -> None:
    await publish(parts, make_study())
    people = [await enrol(parts, name) for name in ("whole", "words", "kept")]
    for person in people:
        await walk(parts, person)
    await erase(parts, NAME, people[2], "words", "owner")
    back_up(record_url, tmp_path / "copy.db")
    await erase(parts, NAME, people[0], "whole", "owner")
    await erase(parts, NAME, people[1], "words", "owner")
    await erase(parts, NAME, people[2], "whole", "owner", forget=True)
    new = f"sqlite:///{tmp_path / 'new.db'}"

    copy = str(tmp_path / "copy.db")
    assert await asyncio.to_thread(run, ["restore", copy, "--db", new, "--erased-in", record_url]) == 0

    assert erased_people(new) == {
        people[0]: (NAME, "whole", False), people[1]: (NAME, "words", False), people[2]: (NAME, "whole", True),
    }  # fmt: skip
