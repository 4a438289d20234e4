"""Debates between models: what is recorded, resumed, moderated and refused."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from crito.engine.local import LocalEngine
from crito.model.debate import Debate, DebateOutcome, Debater, DebateSettings, DebateTurn, Stance
from crito.model.errors import InvalidInput, NotFound
from crito.model.ids import RunId, StudyName
from crito.model.study import Study
from crito.services.asking import Calling, Spent, Stopped
from crito.services.debating import (
    DebateRun,
    begin_debate,
    begin_swapped,
    debate_id,
    hold_debate,
    intervene,
    standing_of,
    standings,
)
from crito.services.labelling import spent_usd
from crito.services.parts import Parts
from crito.services.ports.models import CallContext, ChatRequest
from tests.builders import make_study
from tests.debating_model import debating

SUBJECT = "Should the town close its old bridge to cars?"
STUDY = StudyName("kettles")


def bridge(*, judges: tuple[str, ...] = (), **settings: Any) -> Debate:
    sides = (
        Debater(Stance("A", "It should be closed."), "fake:a", temperature=0.2),
        Debater(Stance("B", "It should stay open."), "fake:b"),
    )
    chosen = DebateSettings(**{"rounds": 2, "max_rounds": 2, "topics": 2, "topics_proposed": 3, **settings})
    return Debate("bridge", SUBJECT, sides, chosen, judges)


def study() -> Study:
    return make_study(debates=(bridge(),))


def calling(spent: Callable[[Spent], None] = lambda spent: None, at_once: int = 4) -> Calling:
    return Calling(LocalEngine(at_once).turnstile, spent)


async def held(parts: Parts, wanted: Debate | None = None) -> tuple[DebateRun, DebateOutcome]:
    run = await begin_debate(parts, study(), wanted or bridge())
    return run, await hold_debate(parts, run, calling())


async def test_a_debate_is_held_to_its_end_and_stands_in_the_record(parts: Parts) -> None:
    parts = replace(parts, models=debating())

    run, outcome = await held(parts)

    standing = await standing_of(parts, STUDY, run.run.id)
    assert standing.outcome == outcome
    assert [topic.title for topic in outcome.topics] == ["Safety vs. speed", "Trade in town"]
    assert (len(outcome.closings), outcome.flags) == (2, ())
    assert standing.lines == outcome.transcript.turns


async def test_each_agent_is_its_own_model_at_its_own_temperature(parts: Parts) -> None:
    models = debating()

    await held(replace(parts, models=models))

    assert {(name, context.slot, request.temperature) for name, request, context in models.asked} == {
        ("fake:a", "agent_a", 0.2), ("fake:b", "agent_b", 0.7),
    }  # fmt: skip


async def test_the_standing_instructions_of_an_agent_never_change(parts: Parts) -> None:
    models = debating()

    await held(replace(parts, models=models))

    assert len({request.system for _, request, _ in models.asked}) == 2
    assert all(SUBJECT in request.system for _, request, _ in models.asked)


async def test_the_same_debate_again_asks_nothing(parts: Parts) -> None:
    models = debating()
    parts = replace(parts, models=models)
    _, first = await held(parts)
    n_asked = len(models.asked)

    _, second = await held(parts)

    assert (second, len(models.asked)) == (first, n_asked)


@pytest.mark.parametrize("n_calls", [1, 7, 13, 20])
async def test_a_debate_that_was_stopped_goes_on_without_asking_again(parts: Parts, n_calls: int) -> None:
    models, whole = debating(), debating()
    _, expected = await held(replace(parts, models=whole), bridge(attempts=2))
    parts = replace(parts, models=models)
    run = await begin_debate(parts, study(), bridge())
    engine = LocalEngine(1)

    def spent(_: Spent) -> None:
        if len(models.asked) == n_calls:
            engine.stop()

    with pytest.raises(Stopped):
        await hold_debate(parts, run, Calling(engine.turnstile, spent))
    standing = await standing_of(parts, STUDY, run.run.id)
    assert standing.outcome is None

    _, outcome = await held(parts)

    assert outcome == expected
    # Calls of a step that was cut short are found in the ledger; these models have none.
    assert len(models.asked) - len(whole.asked) <= 2


async def test_lines_are_heard_as_they_come(parts: Parts) -> None:
    parts, lines = replace(parts, models=debating()), list[DebateTurn]()
    run = await begin_debate(parts, study(), bridge())

    outcome = await hold_debate(parts, run, calling(), lines.append)

    argued = [turn.text for turn in outcome.transcript.turns if turn.phase == "refutation"]
    assert [line.text for line in lines if line.phase == "refutation"] == argued


async def test_a_model_that_is_away_for_a_moment_leaves_a_flag(parts: Parts) -> None:
    def answer(name: str, request: ChatRequest, context: CallContext) -> str | None:
        return "dead" if request.schema is None and name == "fake:b" else None

    _, outcome = await held(replace(parts, models=debating(answer)))

    assert {flag.kind for flag in outcome.flags} == {"no_answer"}
    assert [concession.side for concession in outcome.concessions] == ["A"]


async def test_a_reply_that_the_provider_held_back_is_no_answer(parts: Parts) -> None:
    def answer(name: str, request: ChatRequest, context: CallContext) -> str | None:
        return "refused" if request.schema is None and name == "fake:b" else None

    _, outcome = await held(replace(parts, models=debating(answer)))

    assert {flag.detail for flag in outcome.flags} == {"the model refused to answer"}


async def test_in_the_swapped_debate_b_speaks_first_on_the_same_topics_mirrored(parts: Parts) -> None:
    models = debating()
    parts = replace(parts, models=models)
    first, outcome = await held(parts)
    n_asked = len(models.asked)

    swapped = await begin_swapped(parts, first, outcome)
    again = await hold_debate(parts, swapped, calling())

    assert [topic.title for topic in again.topics] == ["speed vs. Safety", "Trade in town"]
    opening = [context.slot for _, request, context in models.asked[n_asked:] if "Opening" in request.messages[0].text]
    assert opening == ["agent_b", "agent_a"]
    assert [standing.run.order for standing in await standings(parts, STUDY)] == ["given", "swapped"]
    assert (await standing_of(parts, STUDY, swapped.run.id)).outcome == again


async def test_an_intervention_waits_until_it_is_taken(parts: Parts) -> None:
    models = debating()
    parts = replace(parts, models=models)
    run = await begin_debate(parts, study(), bridge())

    await intervene(parts, STUDY, run.run.id, "contentiousness", "0.5")
    await intervene(parts, STUDY, run.run.id, "question", "And in winter?")
    before = await standing_of(parts, STUDY, run.run.id)
    outcome = await hold_debate(parts, run, calling())
    after = await standing_of(parts, STUDY, run.run.id)

    assert [one.kind for one in before.waiting] == ["contentiousness", "question"]
    assert after.waiting == ()
    assert outcome.moderated
    spoken = [turn for turn in outcome.transcript.turns if turn.phase == "refutation" and turn.speaker != "moderator"]
    assert {turn.contentiousness for turn in spoken} == {0.5}
    asked = [turn for turn in outcome.transcript.turns if turn.speaker == "moderator"]
    assert len(asked) == 2


@pytest.mark.parametrize(
    ("kind", "value"), [("contentiousness", "2"), ("contentiousness", "hot"), ("question", " "), ("dance", "now")]
)
async def test_what_cannot_be_done_is_refused(parts: Parts, kind: str, value: str) -> None:
    run = await begin_debate(parts, study(), bridge())

    with pytest.raises(InvalidInput, match="cannot be done"):
        await intervene(parts, STUDY, run.run.id, kind, value)


async def test_a_debate_that_is_over_takes_no_interventions(parts: Parts) -> None:
    run, _ = await held(replace(parts, models=debating()))

    with pytest.raises(InvalidInput, match="is over"):
        await intervene(parts, STUDY, run.run.id, "close", "")


async def test_an_unknown_run_is_not_found(parts: Parts) -> None:
    await begin_debate(parts, study(), bridge())

    for unknown in ("d-none-given", "d-none", f"{debate_id(STUDY, bridge())}-swapped"):
        with pytest.raises(NotFound):
            await standing_of(parts, STUDY, RunId(unknown))


def test_who_judges_does_not_make_another_debate_and_what_is_said_does() -> None:
    assert debate_id(STUDY, bridge(judges=("fake:j",))) == debate_id(STUDY, bridge())
    assert debate_id(STUDY, bridge(rounds=1)) != debate_id(STUDY, bridge())


async def test_a_debater_may_judge_only_if_that_is_allowed(parts: Parts) -> None:
    wanted = bridge(judges=("fake:a", "fake:j"))

    with pytest.raises(InvalidInput, match="among the judges"):
        await begin_debate(parts, study(), wanted)
    assert await begin_debate(parts, study(), replace(wanted, judges_may_debate=True))


async def test_a_debate_needs_a_subject_two_sides_and_models(parts: Parts) -> None:
    first, second = bridge().debaters

    for changed, problem in (
        ({"subject": " "}, "no subject"),
        ({"debaters": (first, replace(second, stance=first.stance))}, "same side"),
        ({"debaters": (replace(first, model="gpt"), second)}, "names no model"),
    ):
        with pytest.raises(InvalidInput, match=problem):
            await begin_debate(parts, study(), replace(bridge(), **changed))  # type: ignore[arg-type]


async def test_what_debates_cost_is_summed_apart_from_labelling(parts: Parts) -> None:
    await held(replace(parts, models=debating()))

    assert await spent_usd(parts, STUDY, of="d-") == 0.0
