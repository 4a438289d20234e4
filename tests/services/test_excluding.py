"""Leaving somebody out by decision: the report honours it, counts it, and forgets it once it is undone."""

import pytest

from crito.model.errors import InvalidInput, NotFound
from crito.model.ids import AnnotatorId, StudyName
from crito.services.excluding import MAX_REASON, decide_exclusion
from crito.services.parts import Parts
from crito.services.publishing import publish
from crito.services.reporting.study import report_study
from tests.builders import make_study
from tests.services.walking import NAME, enrol, walk


async def test_people_left_out_are_counted_under_the_decision_until_it_is_undone(parts: Parts) -> None:
    await publish(parts, make_study())
    who = await enrol(parts)
    await walk(parts, who)

    await decide_exclusion(parts, NAME, who, excluded=True, reason="The same  sentence everywhere.")
    out = await report_study(parts, NAME)
    await decide_exclusion(parts, NAME, who, excluded=False, reason="It was their own.")
    again = await report_study(parts, NAME)

    assert (out.sample.excluded, again.sample.excluded) == ({"by_decision": 1}, {})
    assert [group.n_people for task in out.tasks for group in task.groups] == [0, 0]
    assert [group.n_people for task in again.tasks for group in task.groups] == [1, 1]


@pytest.mark.parametrize("reason", ["", " \n", "x" * (MAX_REASON + 1)])
async def test_a_decision_needs_a_reason_of_some_length(parts: Parts, reason: str) -> None:
    await publish(parts, make_study())
    who = await enrol(parts)

    with pytest.raises(InvalidInput):
        await decide_exclusion(parts, NAME, who, excluded=True, reason=reason)


async def test_nobody_of_another_study_is_left_out(parts: Parts) -> None:
    await publish(parts, make_study())
    who = await enrol(parts)

    for study, person in ((StudyName("pots"), who), (NAME, AnnotatorId("p-nobody"))):
        with pytest.raises(NotFound):
            await decide_exclusion(parts, study, person, excluded=True, reason="Why not.")
