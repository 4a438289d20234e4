"""What programs read of a study, over both databases."""

from dataclasses import replace

from crito.model.ids import StudyName
from crito.services import listing, participation
from crito.services.parts import Parts
from crito.services.publishing import publish
from tests.builders import make_study
from tests.services.walking import NAME, enrol, walk


async def test_every_study_is_listed_in_its_latest_edition(parts: Parts) -> None:
    study = make_study()
    await publish(parts, study)
    await publish(parts, replace(study, name=StudyName("another")))
    await publish(parts, replace(study, contact="ana@example.org"))

    listed = await listing.studies(parts)

    assert [one.name for one in listed] == ["another", study.name]
    assert [one.contact for one in listed] == ["", "ana@example.org"]


async def test_labels_come_person_by_person_without_those_who_withdrew(parts: Parts) -> None:
    await publish(parts, make_study())
    people = [await enrol(parts, f"pid-{n}") for n in range(3)]
    for person in people:
        await walk(parts, person, until="ConfirmPage")
    await participation.withdraw(parts, people[1])

    pages, after = list[listing.AnnotationPage](), ""
    while not pages or after:
        pages.append(await listing.annotations(parts, NAME, after=after, limit=2))
        after = pages[-1].next

    who = [given.annotator for page in pages for given in page.annotations]
    assert len(pages) == 2
    assert set(who) == {people[0], people[2]}
    assert who == sorted(who)
    assert len(who) == 4
