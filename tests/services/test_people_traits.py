"""Who people are: asked without pressing, kept apart, told of groups that are large enough only."""

from pathlib import Path

import pytest

from crito.formats.exporters import EXPORTERS
from crito.model.errors import InvalidInput
from crito.model.ids import AnnotatorId
from crito.model.record import Identity
from crito.model.study import Study
from crito.services import enrolment, participation, showing
from crito.services.erasing import erase
from crito.services.exporting import export_study
from crito.services.pages import AboutYouPage
from crito.services.parts import Parts
from crito.services.people_traits import PlatformTraits, take_in_traits, trait_groups
from crito.services.publishing import publish
from crito.services.reporting.study import report_study
from crito.studies import ready
from tests.builders import make_condition, make_study, make_task
from tests.services.walking import EN, NAME, walk

AGE, GENDER = ready.in_languages(ready.ABOUT_YOU[:2], (EN,))


def asking(**more: object) -> Study:
    flow = make_condition("solo", ("consent", "annotate"))
    task = make_task("sarcasm", 4, annotators_per_item=8)
    values = {
        "tasks": (task,),
        "conditions": (flow,),
        "attention_checks": (),
        "expectations": (),
        "about_you": (AGE, GENDER),
    }
    return make_study(**{**values, **more})


async def come(parts: Parts, name: str, **said: str) -> AnnotatorId:
    """Somebody who labels, and says this of themselves."""
    person = await enrolment.enrol(parts, NAME, Identity("prolific", name), EN)
    page = await walk(parts, person, until="AboutYouPage")
    if isinstance(page, AboutYouPage):
        await participation.answer_about_you(parts, person, {f"q_{key}": value for key, value in said.items()})
    assert (await showing.page(parts, person)).ending == "done"  # type: ignore[union-attr]
    return person


async def crowd(parts: Parts, study: Study, women: int, men: int) -> None:
    await publish(parts, study)
    for n in range(women):
        await come(parts, f"w{n}", gender="woman")
    for n in range(men):
        await come(parts, f"m{n}", gender="man")


async def test_every_question_may_be_left_out(parts: Parts) -> None:
    await publish(parts, asking())
    await come(parts, "silent")
    await come(parts, "ana", gender="prefer_not_to_say", age="25_34")

    said = await parts.store.read(lambda tx: [(one.name, one.value, one.source) for one in tx.traits(NAME)])

    assert said == [("age", "25_34", "asked"), ("gender", "prefer_not_to_say", "asked")]


async def test_an_answer_that_was_not_offered_is_refused(parts: Parts) -> None:
    await publish(parts, asking())
    person = await enrolment.enrol(parts, NAME, Identity("prolific", "ana"), EN)
    await walk(parts, person, until="AboutYouPage")

    with pytest.raises(InvalidInput):
        await participation.answer_about_you(parts, person, {"q_gender": "admiral"})


async def test_what_people_are_stands_in_no_export_and_not_among_their_answers(parts: Parts, tmp_path: Path) -> None:
    await publish(parts, asking())
    person = await come(parts, "ana", age="55_64")

    await export_study(parts, NAME, EXPORTERS["csv"], tmp_path / "csv")

    assert (await parts.store.read(lambda tx: tx.person(person))).answers == ()
    assert [file.name for file in (tmp_path / "csv").iterdir() if "55_64" in file.read_text(encoding="utf-8")] == []


async def test_groups_of_too_few_people_are_not_told_about(parts: Parts) -> None:
    await crowd(parts, asking(), women=6, men=4)

    with pytest.raises(InvalidInput, match="fewer than two groups have 5 people or more"):
        await trait_groups(parts, NAME, "gender")
    assert (await report_study(parts, NAME)).people_groups == ()

    await come(parts, "m4", gender="man")
    groups = await trait_groups(parts, NAME, "gender")
    (told,) = (await report_study(parts, NAME)).people_groups

    assert (dict(groups.answers), groups.hidden) == ({"woman": "Woman", "man": "Man"}, 0)
    assert [(group.answer, group.n_people) for group in told.groups] == [("Woman", 6), ("Man", 5)]

    await come(parts, "x", gender="non_binary")

    # Told beside everyone, women and men would say how many the others are.
    with pytest.raises(InvalidInput, match="fewer than two groups"):
        await trait_groups(parts, NAME, "gender")
    assert (await report_study(parts, NAME)).people_groups == ()


async def test_the_smallest_group_is_the_studys_own(parts: Parts) -> None:
    await crowd(parts, asking(smallest_group=2), women=2, men=3)

    assert set((await trait_groups(parts, NAME, "gender")).answers) == {"woman", "man"}


async def test_what_nobody_said_is_refused_with_what_was(parts: Parts) -> None:
    await crowd(parts, asking(), women=1, men=1)

    with pytest.raises(InvalidInput, match="condition or one of gender"):
        await trait_groups(parts, NAME, "height")


async def test_what_a_platform_says_is_taken_in_once_and_never_instead_of_what_people_said(parts: Parts) -> None:
    await publish(parts, asking())
    await come(parts, "ana", age="25_34")
    told = [
        PlatformTraits("prolific", "ana", {"age": "35_44", "sex": "female"}),
        PlatformTraits("prolific", "zoe", {"age": "18_24"}),
    ]

    assert [await take_in_traits(parts, NAME, told) for _ in range(2)] == [1, 1]

    said = await parts.store.read(lambda tx: [(one.name, one.value, one.source) for one in tx.traits(NAME)])
    assert said == [("age", "25_34", "asked"), ("sex", "female", "platform")]
    with pytest.raises(InvalidInput, match="none of these people"):
        await take_in_traits(parts, NAME, told[1:])


async def test_whoever_takes_everything_back_is_in_no_group_and_nothing_is_kept(parts: Parts) -> None:
    await crowd(parts, asking(), women=5, men=5)
    who = await enrolment.find(parts, NAME, Identity("prolific", "w0"))
    assert who is not None

    done = await erase(parts, NAME, who, "whole", "owner")

    assert done.erased["traits"] == {"n": 1}
    with pytest.raises(InvalidInput, match="fewer than two groups"):
        await trait_groups(parts, NAME, "gender")
