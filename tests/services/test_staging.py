"""The debate that comes with the package, held by scripted agents."""

from pathlib import Path

from crito.formats.exporters import EXPORTERS
from crito.services.debating import standings
from crito.services.exporting import export_study
from crito.services.parts import Parts
from crito.services.staging import SCRIPT, stage_debate, stage_judges
from crito.store.verify import verify
from crito.studies.bundled import staged_debate
from tests.builders import make_study


async def test_the_bundled_debate_is_held_whole_without_a_flag_and_says_who_speaks(parts: Parts) -> None:
    run, outcome = await stage_debate(parts, make_study(), staged_debate().read_text(encoding="utf-8"))

    assert outcome.flags == ()
    assert len(outcome.topics) == 3
    assert all(topic.description for topic in outcome.topics)
    assert [set(closing.by_topic) for closing in outcome.closings] == [{topic.title for topic in outcome.topics}] * 2
    assert len(outcome.concessions) == 2
    assert outcome.proposal
    assert {debater.model for debater in run.debate.debaters} == {SCRIPT}
    turns = await parts.store.read(lambda tx: tx.turns([run.run.id])[run.run.id])
    assert {turn.kind for turn in turns} == {"script", "person"}


async def test_a_study_with_a_debate_in_its_record_is_exported_and_adds_up(
    parts: Parts, record_url: str, tmp_path: Path
) -> None:
    await stage_debate(parts, make_study(), staged_debate().read_text(encoding="utf-8"))

    await export_study(parts, make_study().name, EXPORTERS["csv"], tmp_path / "out")

    checks = verify(record_url, make_study().name)
    assert [check.name for check in checks if check.problems] == []


async def test_it_is_held_once(parts: Parts) -> None:
    await stage_debate(parts, make_study(), staged_debate().read_text(encoding="utf-8"))
    await stage_debate(parts, make_study(), staged_debate().read_text(encoding="utf-8"))

    assert len(await standings(parts, make_study().name)) == 1


async def test_scripted_judges_decide_the_bundled_debate_in_both_orders(parts: Parts) -> None:
    script = staged_debate().read_text(encoding="utf-8")
    _, outcome = await stage_debate(parts, make_study(), script)

    judged = await stage_judges(parts, make_study(), outcome, script)

    verdict, found = judged.verdict, judged.findings
    assert all(model.startswith("script:") for model in verdict.judges.values())
    assert [(ballot.judge, ballot.order) for ballot in verdict.ballots] == [
        (f"judge_{number}", order) for number in (1, 2, 3) for order in ("A first", "B first")
    ]
    assert all(score.a is not None and score.b is not None for ballot in verdict.ballots for score in ballot.scores)
    assert not any(ballot.problem for ballot in verdict.ballots)
    assert len(verdict.readings) == 6
    assert all(reading.report.score().value is not None for reading in verdict.readings)
    assert all(len(reading.report.reasons) == 3 for reading in verdict.readings)
    assert found.effects is not None
    assert found.winner == "B"
    assert found.effects.consistency.value == 1.0
    assert not any("another winner" in warning for warning in found.warnings)
    turns = await parts.store.read(lambda tx: tx.turns([judged.run])[judged.run])
    assert {turn.kind for turn in turns} == {"script"}


async def test_scripted_judges_decide_once(parts: Parts) -> None:
    script = staged_debate().read_text(encoding="utf-8")
    _, outcome = await stage_debate(parts, make_study(), script)

    first = await stage_judges(parts, make_study(), outcome, script)
    again = await stage_judges(parts, make_study(), outcome, script)

    assert (first.run, first.verdict) == (again.run, again.verdict)
