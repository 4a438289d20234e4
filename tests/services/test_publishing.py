"""Editions of a study: what a change of the file means for those who have begun."""

from dataclasses import replace

import pytest

from crito.model.errors import Conflict, NotFound
from crito.services import overview, showing
from crito.services.publishing import publish
from tests.builders import make_item, make_label, make_study, make_task, words
from tests.services.walking import NAME, enrol, step, walk


async def test_the_same_file_again_makes_no_new_edition(parts):
    first = await publish(parts, make_study())

    assert await publish(parts, make_study()) == first


async def test_newcomers_get_the_new_edition_and_those_who_began_keep_theirs(parts):
    await publish(parts, make_study())
    early = await enrol(parts, "early")
    await publish(parts, make_study(instructions=words("Read slowly.")))
    late = await enrol(parts, "late")

    texts = [next(iter((await showing.page(parts, p)).text.by_language.values())) for p in (early, late)]

    assert texts == ["Read, label, talk.", "Read slowly."]


@pytest.mark.parametrize(
    "change",
    [
        {"labels": (make_label("sarcastic"), make_label("sincere"))},
        {"items": (make_item("sarcasm-0", "Another text altogether."),)},
    ],
)
async def test_changing_labels_or_items_under_people_wants_a_confirmation(parts, change):
    study = make_study(tasks=(make_task("sarcasm"),))
    changed = replace(study, tasks=(replace(study.tasks[0], **change),))
    await publish(parts, study)
    await enrol(parts)

    with pytest.raises(Conflict, match="confirm"):
        await publish(parts, changed)

    assert (await publish(parts, changed, changes_confirmed=True)).number == 2


async def test_labels_and_items_may_change_freely_before_anyone_has_begun(parts):
    await publish(parts, make_study())

    assert (await publish(parts, make_study(tasks=(make_task("relation", 5),)))).number == 2


async def test_an_old_label_is_still_readable_in_words_after_the_labels_changed(parts):
    study = make_study(tasks=(make_task("sarcasm"),))
    await publish(parts, study)
    person = await enrol(parts)
    await walk(parts, person, until="ConfirmPage")
    changed = replace(study, tasks=(replace(study.tasks[0], labels=(make_label("ironic"), make_label("plain"))),))
    await publish(parts, changed, changes_confirmed=True)

    page = await showing.page(parts, person)

    assert [given.label.by_language["en"] for given in page.given] == ["Sarcastic"]
    await step(parts, person, page)
    assert (await walk(parts, person)).ending == "done"


async def test_new_items_get_places_and_places_that_are_held_stay(parts):
    study = make_study(tasks=(make_task("sarcasm", 1, annotators_per_item=1),))
    await publish(parts, study)
    await enrol(parts)
    await publish(parts, make_study(tasks=(make_task("sarcasm", 3, annotators_per_item=2),)), changes_confirmed=True)

    rows = {row.item: (row.open, row.places) for row in (await overview.progress(parts, NAME)).items}

    assert rows == {"sarcasm-0": (1, 2), "sarcasm-1": (0, 2), "sarcasm-2": (0, 2)}


async def test_a_study_that_was_never_published_is_not_found(parts):
    with pytest.raises(NotFound, match="kettles"):
        await parts.latest(NAME)
