"""Whatever people do to a study, its rows prove the accounting, and its exports are counted right."""

import asyncio
from pathlib import Path

from crito.formats.exporters import EXPORTERS, exporter
from crito.model.ids import AnnotatorId
from crito.services import overview, participation, showing
from crito.services.exporting import export_study
from crito.services.parts import Parts
from crito.services.publishing import publish
from crito.store.verify import verify
from tests.builders import make_condition, make_study, make_task
from tests.services.conftest import Clock, clock, parts  # noqa: F401 - fixtures
from tests.services.walking import NAME, enrol, step, walk

CONTROL = make_condition("control", ("consent", "annotate", "reannotate", "survey"))
STUDY = make_study(
    conditions=(make_condition(), CONTROL),
    tasks=(make_task("sarcasm", n_items=6, annotators_per_item=3), make_task("relation", n_items=6)),
    lease_minutes=30,
)


async def steps(parts: Parts, clock: Clock, person: AnnotatorId, n: int) -> None:  # noqa: F811
    """Do what the next `n` pages ask for, ten seconds each."""
    for _ in range(n):
        clock.move(seconds=10)
        page = await showing.page(parts, person)
        if type(page).__name__ == "EndPage":
            return
        await step(parts, person, page)


async def test_a_study_that_people_lived_through_is_sound(
    parts: Parts,  # noqa: F811
    clock: Clock,  # noqa: F811
    record_url: str,
    tmp_path: Path,
) -> None:
    await publish(parts, STUDY)
    people = [await enrol(parts, f"pid-{n}") for n in range(8)]
    for n, person in enumerate(people):
        await steps(parts, clock, person, 3 + 4 * n)
    await participation.leave(parts, people[1])
    await participation.withdraw(parts, people[2])
    first = await showing.page(parts, people[7])
    assert type(first).__name__ in ("EndPage", "TalkPage", "SurveyPage")
    await parts.drain()
    clock.move(minutes=45)
    await overview.expire_leases(parts)
    late = await enrol(parts, "pid-late")
    await walk(parts, late)
    await showing.page(parts, people[3])
    clock.move(minutes=1)
    for form in EXPORTERS:
        await export_study(parts, NAME, exporter(form), tmp_path / form)
    clock.move(minutes=1)
    await steps(parts, clock, people[3], 2)
    await parts.drain()

    checks = await asyncio.to_thread(verify, record_url, NAME)

    assert {check.name: check.problems for check in checks if not check.passed} == {}
    figures = {check.name: check.figures for check in checks}
    assert figures["done is labelled"]["done"] > 0
    assert figures["blind labels are blind"]["exposures"] > 0
    assert sum(n for name, n in figures["assignments add up"].items() if name.endswith("withdrawn")) > 0
    assert figures["exports match"]["files"] == figures["exports match"]["unchanged"] >= 2 * len(EXPORTERS)
